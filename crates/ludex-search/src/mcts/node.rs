//! `TreeNode`: a state of the tree with the moves of every role and what is known of them.

use super::tree::Handle;
use ludex_reason::{Move, Role};
use ludex_symmetry::{ElementId, Elements};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One move of every role: the ranks among the legal moves as digits, those of role 0 lowest. Where one
/// role decides it is the rank of that role's move.
pub type JointRank = u64;

/// Goal values are kept as hundredths: 1 is what a goal of 100 is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub low: f32,
    pub high: f32,
}

impl Bounds {
    pub const ANY: Bounds = Bounds { low: f32::MIN, high: f32::MAX };

    pub fn exactly(value: f32) -> Bounds {
        Bounds { low: value, high: value }
    }

    pub fn is_exact(self) -> bool {
        self.low >= self.high
    }

    pub fn clamp(self, value: f32) -> f32 {
        value.max(self.low).min(self.high)
    }
}

/// Who decides what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The game is over.
    Over,
    /// All others have one move. Nobody has more than one: role 0.
    One(Role),
    /// Only chance has more than one move.
    Chance(Role),
    Several,
}

/// A move of a role.
#[derive(Clone, Copy, Debug)]
pub struct MoveArm {
    pub mv: Move,
    /// Where it leads, if one role decides.
    pub child: Handle,
    /// It leads where another arm leads.
    pub twin: bool,
    /// It leads to the state that follows, turned by this symmetry.
    pub turn: ElementId,
    /// Nothing is left to find out where it leads.
    pub closed: bool,
    /// Iterations under way through this arm.
    pub flights: u16,
    pub visits: u32,
    /// Values added up over the visits.
    pub sum: f64,
    /// The value expected before any visit, and how many visits it counts for.
    pub prior: f32,
    pub weight: f32,
    /// Playouts from here on in which the move was made at any time (all moves as first): as many as
    /// visits that would be, and the values added up.
    pub rave: (f32, f32),
    /// What the evaluation expects for the role by best play beyond it; not a number where that is not known.
    pub minimax: f32,
    /// What was known of the role's value where it leads when it was last there.
    pub bounds: Bounds,
}

pub struct TreeNode<S> {
    pub state: S,
    pub mover: Mover,
    /// The arms of role `r` are `arms[ends[r - 1]..ends[r]]`.
    pub arms: Box<[MoveArm]>,
    ends: Box<[u32]>,
    /// Where joint moves lead, if several roles decide, turned by which symmetry.
    pub children: FxHashMap<JointRank, (Handle, ElementId)>,
    /// By role.
    pub bounds: Box<[Bounds]>,
    /// By role, values added up over the visits.
    pub sums: Box<[f64]>,
    /// Squares of the values of all roles, added up over the visits.
    pub squares: f64,
    pub visits: u32,
    /// What the evaluation expects for each role by best play; empty where that is not known.
    pub minimax: Box<[f32]>,
}

impl<S> TreeNode<S> {
    /// A state that is over.
    pub fn end(state: S, goals: &[f32]) -> TreeNode<S> {
        TreeNode {
            state,
            mover: Mover::Over,
            arms: Box::new([]),
            ends: Box::new([]),
            children: FxHashMap::default(),
            bounds: goals.iter().map(|g| Bounds::exactly(*g)).collect(),
            sums: vec![0.0; goals.len()].into(),
            squares: 0.0,
            visits: 0,
            minimax: Box::new([]),
        }
    }

    /// `legal` has at least one move of every role.
    pub fn open(
        state: S,
        legal: &[Vec<Move>],
        bounds: Box<[Bounds]>,
        chance: Option<Role>,
    ) -> TreeNode<S> {
        let arm = |mv: &Move| MoveArm {
            mv: *mv,
            child: Handle::NONE,
            twin: false,
            turn: ElementId::NONE,
            closed: false,
            flights: 0,
            visits: 0,
            sum: 0.0,
            prior: 0.5,
            weight: 0.0,
            rave: (0.0, 0.0),
            minimax: f32::NAN,
            bounds: Bounds::ANY,
        };
        let mut end = 0;
        let ends = legal.iter().map(|moves| {
            end += moves.len() as u32;
            end
        });
        let ends = ends.collect();
        let mut movers = (0..legal.len()).filter(|r| legal[*r].len() > 1);
        let mover = match (movers.next(), movers.next()) {
            (Some(role), None) if Some(role) == chance => Mover::Chance(role),
            (role, None) => Mover::One(role.unwrap_or(0)),
            _ => Mover::Several,
        };
        TreeNode {
            state,
            mover,
            arms: legal.iter().flatten().map(arm).collect(),
            ends,
            children: FxHashMap::default(),
            sums: vec![0.0; bounds.len()].into(),
            squares: 0.0,
            bounds,
            visits: 0,
            minimax: Box::new([]),
        }
    }

    pub fn range(&self, role: Role) -> Range<usize> {
        let start = if role == 0 { 0 } else { self.ends[role - 1] as usize };
        start..self.ends[role] as usize
    }

    pub fn of(&self, role: Role) -> &[MoveArm] {
        &self.arms[self.range(role)]
    }

    pub fn roles(&self) -> usize {
        self.bounds.len()
    }

    /// The joint move in which these are the ranks.
    pub fn joint(&self, mut rank: impl FnMut(Role) -> usize) -> JointRank {
        match self.mover {
            Mover::One(role) | Mover::Chance(role) => rank(role) as JointRank,
            _ => (0..self.roles()).rev().fold(0, |joint: JointRank, role| {
                let count = self.range(role).len() as JointRank;
                joint.wrapping_mul(count).wrapping_add(if count == 1 {
                    0
                } else {
                    rank(role) as JointRank
                })
            }),
        }
    }

    /// The role's arm in a joint move.
    fn arm_of(&self, role: Role, joint: &mut JointRank) -> usize {
        let range = self.range(role);
        let count = range.len() as JointRank;
        let rank = if count == 1 { 0 } else { *joint % count };
        *joint = if count == 1 { *joint } else { *joint / count };
        range.start + rank as usize
    }

    /// The arms of a joint move, by role.
    pub fn arms_of(&self, mut joint: JointRank) -> impl Iterator<Item = usize> {
        (0..self.roles()).map(move |role| self.arm_of(role, &mut joint))
    }

    /// Does something with the arms of those roles that have a choice.
    pub fn with_arms(&mut self, mut joint: JointRank, mut f: impl FnMut(Role, &mut MoveArm)) {
        match self.mover {
            Mover::Over => {}
            Mover::One(role) | Mover::Chance(role) => {
                let arm = self.range(role).start + joint as usize;
                f(role, &mut self.arms[arm]);
            }
            Mover::Several => {
                for role in 0..self.roles() {
                    let arm = self.arm_of(role, &mut joint);
                    f(role, &mut self.arms[arm]);
                }
            }
        }
    }

    pub fn moves(&self, joint: JointRank) -> Vec<Move> {
        self.arms_of(joint).map(|arm| self.arms[arm].mv).collect()
    }

    pub fn child(&self, joint: JointRank) -> Handle {
        match self.mover {
            Mover::Over => Handle::NONE,
            Mover::One(role) | Mover::Chance(role) => {
                self.arms[self.range(role).start + joint as usize].child
            }
            Mover::Several => self.children.get(&joint).map_or(Handle::NONE, |child| child.0),
        }
    }

    /// The symmetry that turns the state after a joint move into the one that it leads to.
    pub fn turn(&self, joint: JointRank) -> ElementId {
        match self.mover {
            Mover::Over => ElementId::NONE,
            Mover::One(role) | Mover::Chance(role) => {
                self.arms[self.range(role).start + joint as usize].turn
            }
            Mover::Several => self.children.get(&joint).map_or(ElementId::NONE, |child| child.1),
        }
    }

    /// The joint move of these moves, if they are legal.
    pub fn joint_of(&self, moves: &[Move]) -> Option<JointRank> {
        let rank = |role: Role| self.of(role).iter().position(|arm| arm.mv == moves[role]);
        let ranks: Vec<usize> = (0..self.roles()).map(rank).collect::<Option<_>>()?;
        Some(self.joint(|role| ranks[role]))
    }

    /// Adds playouts that went on with a joint move to what all moves made in them are worth. Where
    /// the move leads to a turned state, moves have other names there.
    pub fn take_in(
        &mut self,
        made: &mut Vec<(f32, f32)>,
        joint: JointRank,
        values: &[f32],
        symmetry: Option<&Elements>,
    ) {
        let turn = self.turn(joint);
        if let Some(symmetry) = symmetry.filter(|_| turn != ElementId::NONE) {
            *made = symmetry.inputs(turn).iter().map(|there| made[*there as usize]).collect();
        }
        self.with_arms(joint, |role, arm| made[arm.mv.0 as usize] = (1.0, values[role]));
        self.count_made(made);
    }

    /// Adds playouts from here on to what all moves made in them are worth.
    pub fn count_made(&mut self, made: &[(f32, f32)]) {
        for arm in &mut self.arms {
            let (count, sum) = made[arm.mv.0 as usize];
            arm.rave = (arm.rave.0 + count, arm.rave.1 + sum);
        }
    }

    /// Adds what an iteration came to.
    pub fn count(&mut self, values: &[f32]) {
        for (sum, value) in self.sums.iter_mut().zip(values) {
            *sum += *value as f64;
            self.squares += (*value * *value) as f64;
        }
        self.visits += 1;
    }

    /// How far iterations are from their mean: the standard deviation of their values, over all roles. As
    /// if a few had been seen before.
    pub fn spread(&self) -> f32 {
        const SEEN: f64 = 50.0;
        const BEFORE: f64 = 0.15 * 0.15;
        let visits = self.visits.max(1) as f64;
        let means: f64 = self.sums.iter().map(|sum| sum * sum / visits).sum();
        let roles = self.roles() as f64;
        let squares = (self.squares - means).max(0.0) / roles;
        ((squares + SEEN * BEFORE) / (self.visits as f64 + SEEN)).sqrt() as f32
    }

    /// Whether nothing is left to find out.
    pub fn is_proven(&self) -> bool {
        self.bounds.iter().all(|b| b.is_exact())
    }

    /// The value for a role as far as it is known.
    pub fn value(&self, role: Role) -> f32 {
        self.bounds[role].clamp((self.sums[role] / self.visits.max(1) as f64) as f32)
    }
}
