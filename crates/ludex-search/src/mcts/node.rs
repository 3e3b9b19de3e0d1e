//! `TreeNode`: a state of the tree with the moves of every role and what is known of them.

use super::descent::Selection;
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
    /// It leads where another arm leads.
    pub twin: bool,
    /// Nothing is left to find out where it leads.
    pub closed: bool,
    /// It leads to the state that follows, turned by this symmetry.
    pub turn: ElementId,
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
    /// Where several decide at once: how much more it would have come to than what was made did, added up.
    pub regret: f32,
    /// What was known of the role's value where it leads when it was last there.
    pub bounds: Bounds,
}

impl MoveArm {
    /// What iterations through it came to, with a few more that came to the mean of the node.
    pub fn mean(&self, all: f32) -> f32 {
        const FEW: f32 = 2.0;
        (self.sum as f32 + FEW * all) / (self.visits as f32 + FEW)
    }

    fn new(mv: Move) -> MoveArm {
        MoveArm {
            mv,
            twin: false,
            closed: false,
            turn: ElementId::NONE,
            flights: 0,
            visits: 0,
            sum: 0.0,
            prior: 0.5,
            weight: 0.0,
            rave: (0.0, 0.0),
            minimax: f32::NAN,
            regret: 0.0,
            bounds: Bounds::ANY,
        }
    }
}

/// All that a way down reads of a move: these lie side by side.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// What it is worth as far as that is known, and how unsure that is.
    pub worth: f32,
    pub unsure: f32,
    /// Where it leads, if one role decides.
    pub child: Handle,
}

/// What is known of a node's worth to a role.
#[derive(Clone, Copy, Debug)]
pub struct RoleShare {
    pub bounds: Bounds,
    /// Values added up over the visits.
    pub sum: f64,
    /// What the evaluation expects by best play; not a number where that is not known.
    pub minimax: f32,
    /// The role's arms end here; they begin where those of the role before it end.
    end: u32,
}

pub struct TreeNode<S> {
    pub state: S,
    pub mover: Mover,
    pub visits: u32,
    /// Iterations under way from here on.
    pub flights: u32,
    /// Whether nothing is left to find out.
    pub proven: bool,
    /// Squares of the values of all roles, added up over the visits.
    pub squares: f64,
    /// Of every arm.
    pub ratings: Box<[Rating]>,
    pub arms: Box<[MoveArm]>,
    /// By role.
    pub shares: Box<[RoleShare]>,
    /// Where joint moves lead, if several roles decide, turned by which symmetry.
    pub children: Option<Box<JointChildren>>,
}

pub type JointChildren = FxHashMap<JointRank, (Handle, ElementId)>;

impl<S> TreeNode<S> {
    /// A state that is over.
    pub fn end(state: S, goals: &[f32]) -> TreeNode<S> {
        let share = |goal: &f32| RoleShare {
            bounds: Bounds::exactly(*goal),
            sum: 0.0,
            minimax: f32::NAN,
            end: 0,
        };
        TreeNode {
            state,
            mover: Mover::Over,
            visits: 0,
            flights: 0,
            proven: true,
            squares: 0.0,
            ratings: Box::new([]),
            arms: Box::new([]),
            shares: goals.iter().map(share).collect(),
            children: None,
        }
    }

    /// `legal` has at least one move of every role.
    pub fn open<'a>(
        state: S,
        legal: impl Iterator<Item = &'a [Move]> + Clone,
        widest: &[Bounds],
        chance: Option<Role>,
    ) -> TreeNode<S> {
        let mut end = 0;
        let shares = legal.clone().zip(widest).map(|(moves, bounds)| {
            end += moves.len() as u32;
            RoleShare { bounds: *bounds, sum: 0.0, minimax: f32::NAN, end }
        });
        let shares = shares.collect();
        let mut movers = legal.clone().enumerate().filter(|(_, moves)| moves.len() > 1);
        let mover = match (movers.next(), movers.next()) {
            (Some((role, _)), None) if Some(role) == chance => Mover::Chance(role),
            (one, None) => Mover::One(one.map_or(0, |(role, _)| role)),
            _ => Mover::Several,
        };
        let arms: Box<[MoveArm]> = legal.flatten().map(|mv| MoveArm::new(*mv)).collect();
        let unrated = Rating { worth: f32::MAX, unsure: 0.0, child: Handle::NONE };
        TreeNode {
            state,
            mover,
            visits: 0,
            flights: 0,
            proven: false,
            squares: 0.0,
            ratings: vec![unrated; arms.len()].into(),
            arms,
            shares,
            children: None,
        }
    }

    pub fn range(&self, role: Role) -> Range<usize> {
        let start = if role == 0 { 0 } else { self.shares[role - 1].end as usize };
        start..self.shares[role].end as usize
    }

    pub fn of(&self, role: Role) -> &[MoveArm] {
        &self.arms[self.range(role)]
    }

    pub fn roles(&self) -> usize {
        self.shares.len()
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

    /// Changes the arms of those roles that have a choice, and rates them anew.
    pub fn change_arms(
        &mut self,
        joint: JointRank,
        selection: &Selection,
        mut change: impl FnMut(Role, &mut MoveArm),
    ) {
        match self.mover {
            Mover::Over => {}
            Mover::One(role) | Mover::Chance(role) => {
                let arm = self.range(role).start + joint as usize;
                change(role, &mut self.arms[arm]);
                self.rate(role, arm, selection);
            }
            Mover::Several => {
                let mut joint = joint;
                for role in 0..self.roles() {
                    let arm = self.arm_of(role, &mut joint);
                    change(role, &mut self.arms[arm]);
                    self.rate(role, arm, selection);
                }
            }
        }
    }

    fn rate(&mut self, role: Role, arm: usize, selection: &Selection) {
        let (worth, unsure) = match self.is_open(role, &self.arms[arm]) {
            true => selection.rated(&self.arms[arm]),
            false => (f32::MIN, 0.0),
        };
        let rating = &mut self.ratings[arm];
        (rating.worth, rating.unsure) = (worth, unsure);
    }

    /// Rates all arms anew.
    pub fn rate_all(&mut self, selection: &Selection) {
        for role in 0..self.roles() {
            self.range(role).for_each(|arm| self.rate(role, arm, selection));
        }
    }

    /// Whether something is to be learned from a move, and it can still be best.
    fn is_open(&self, role: Role, arm: &MoveArm) -> bool {
        let Bounds { low, high } = self.shares[role].bounds;
        !arm.twin && !arm.closed && (arm.bounds.high > low || low >= high)
    }

    pub fn moves(&self, joint: JointRank) -> Vec<Move> {
        self.arms_of(joint).map(|arm| self.arms[arm].mv).collect()
    }

    pub fn child(&self, joint: JointRank) -> Handle {
        match self.mover {
            Mover::Over => Handle::NONE,
            Mover::One(role) | Mover::Chance(role) => {
                self.ratings[self.range(role).start + joint as usize].child
            }
            Mover::Several => self.joint_child(joint).map_or(Handle::NONE, |child| child.0),
        }
    }

    fn joint_child(&self, joint: JointRank) -> Option<&(Handle, ElementId)> {
        self.children.as_ref()?.get(&joint)
    }

    /// The symmetry that turns the state after a joint move into the one that it leads to.
    pub fn turn(&self, joint: JointRank) -> ElementId {
        match self.mover {
            Mover::Over => ElementId::NONE,
            Mover::One(role) | Mover::Chance(role) => {
                self.arms[self.range(role).start + joint as usize].turn
            }
            Mover::Several => self.joint_child(joint).map_or(ElementId::NONE, |child| child.1),
        }
    }

    /// The joint moves with each of the moves of one role, where several decide.
    pub fn instead(&self, joint: JointRank, role: Role) -> impl Iterator<Item = JointRank> {
        let sizes = (0..role).map(|r| self.range(r).len() as JointRank);
        let step = sizes.fold(1, JointRank::wrapping_mul);
        let count = self.range(role).len() as JointRank;
        let rank = joint / step.max(1) % count;
        (0..count).map(move |other| joint.wrapping_add(other.wrapping_sub(rank).wrapping_mul(step)))
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
        for (role, arm) in self.arms_of(joint).enumerate() {
            if self.range(role).len() > 1 {
                made[self.arms[arm].mv.0 as usize] = (1.0, values[role]);
            }
        }
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
        for (share, value) in self.shares.iter_mut().zip(values) {
            share.sum += *value as f64;
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
        let means: f64 = self.shares.iter().map(|share| share.sum * share.sum / visits).sum();
        let roles = self.roles() as f64;
        let squares = (self.squares - means).max(0.0) / roles;
        ((squares + SEEN * BEFORE) / (self.visits as f64 + SEEN)).sqrt() as f32
    }

    /// The value for a role as far as it is known.
    pub fn value(&self, role: Role) -> f32 {
        let RoleShare { bounds, sum, .. } = self.shares[role];
        bounds.clamp((sum / self.visits.max(1) as f64) as f32)
    }

    /// The same for all roles.
    pub fn values(&self) -> Vec<f32> {
        (0..self.roles()).map(|role| self.value(role)).collect()
    }

    /// What the evaluation expects for all roles, where that is known.
    pub fn minimax(&self) -> Option<impl Iterator<Item = f32>> {
        let known = self.shares.iter().all(|share| !share.minimax.is_nan());
        known.then(|| self.shares.iter().map(|share| share.minimax))
    }

    pub fn expect(&mut self, values: &[f32]) {
        for (share, value) in self.shares.iter_mut().zip(values) {
            share.minimax = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_role_moves_otherwise_and_the_others_as_they_did() {
        let moves: Vec<Move> = (0..9).map(Move).collect();
        let legal = [&moves[..3], &moves[3..4], &moves[4..6], &moves[6..9]];
        let node = TreeNode::open((), legal.into_iter(), &[Bounds::ANY; 4], None);
        let made = [2, 0, 1, 1];
        let joint = node.joint(|role| made[role]);
        for role in 0..4 {
            for (rank, other) in node.instead(joint, role).enumerate() {
                let ranks =
                    node.arms_of(other).enumerate().map(|(r, arm)| arm - node.range(r).start);
                let wanted = (0..4).map(|r| if r == role { rank } else { made[r] });
                assert!(ranks.eq(wanted), "{role} {rank}");
            }
        }
    }
}
