//! Ways down the tree and back: which moves are looked at next, and what comes of it.

use super::SharedTree;
use super::bounds;
use super::minimax;
use super::node::{Bounds, JointRank, MoveArm, Mover, TreeNode};
use super::tree::{Handle, Tree};
use ludex_reason::{Random, Role};
use ludex_symmetry::ElementId;
use std::hash::Hash;

/// The joint moves from the root on, each with the node it was made in.
pub type Path = Vec<(Handle, JointRank)>;

/// Weight of the exploration term where several roles decide at once.
const AT_ONCE: f32 = 1.0;

/// Iterations are taken to be at least this far from their mean.
const LEAST: f32 = 0.02;

/// Where a way down ended.
pub enum Bottom<S> {
    /// At a node whose values (by role) are known.
    Known(Vec<f32>),
    /// Before a node that is not in the tree: the state above, and the moves that lead there.
    Open(S, Vec<ludex_reason::Move>),
}

/// How moves are selected.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Weight of the exploration term, in standard deviations of what iterations from the root came to.
    pub exploration: f32,
    /// Visits of a move at which all moves as first count as much as these.
    pub rave: f32,
    /// The share of what the evaluation expects by best play in the worth of a move.
    pub minimax: f32,
    pub chance: Option<Role>,
}

impl Selection {
    /// Goes down from a node, marking the moves as under way.
    pub fn descend<S: Eq + Hash + Clone>(
        &self,
        tree: &mut Tree<S>,
        (root, mut at): (Handle, Handle),
        path: &mut Path,
        random: &mut Random,
    ) -> Bottom<S> {
        let spread = tree.get(root).expect("the root stays").spread();
        loop {
            let node = tree.get(at).expect("a node in use");
            // States may come again in games that have no end.
            let again = path.iter().any(|(handle, _)| *handle == at);
            if again || node.is_proven() {
                return Bottom::Known((0..node.roles()).map(|r| node.value(r)).collect());
            }
            let joint = self.select(node, spread, random);
            path.push((at, joint));
            let child = node.child(joint);
            depart(tree, at, joint, 1);
            match tree.get(child) {
                Some(_) => at = child,
                None => {
                    let node = tree.get(at).expect("a node in use");
                    return Bottom::Open(node.state.clone(), node.moves(joint));
                }
            }
        }
    }

    fn select<S>(&self, node: &TreeNode<S>, spread: f32, random: &mut Random) -> JointRank {
        node.joint(|role| match Some(role) == self.chance {
            true => random.below(node.range(role).len()),
            false => self.arm(node, role, spread, random),
        })
    }

    /// The rank of the most promising move of a role.
    fn arm<S>(&self, node: &TreeNode<S>, role: Role, spread: f32, random: &mut Random) -> usize {
        let arms = node.of(role);
        let total: f32 = arms.iter().map(|a| a.visits as f32 + a.flights as f32).sum();
        let several = node.mover == Mover::Several;
        let exploration = if several { AT_ONCE } else { self.exploration * spread.max(LEAST) };
        let scale = exploration * (total + 1.0).ln().sqrt();
        let (mut best, mut most, mut ties) = (0, f32::MIN, 0);
        for (rank, arm) in arms.iter().enumerate() {
            // Those who decide at once must not explore in step: each would take the other's moves for
            // answers to its own.
            let noise = if several { random.below(1 << 20) as f32 / (1 << 19) as f32 } else { 1.0 };
            let score = match is_open(node, role, arm) {
                true => self.bound(arm, scale * noise),
                false => f32::MIN,
            };
            if score > most {
                (best, most, ties) = (rank, score, 1);
            } else if score == most {
                ties += 1;
                if random.below(ties) == 0 {
                    best = rank;
                }
            }
        }
        best
    }

    /// An upper confidence bound for the value of a move.
    fn bound(&self, arm: &MoveArm, scale: f32) -> f32 {
        let count = arm.visits as f32 + arm.weight + arm.flights as f32;
        if count == 0.0 {
            return f32::MAX;
        }
        let mut mean = (arm.sum as f32 + arm.prior * arm.weight) / count;
        if arm.rave.0 > 0.0 {
            let share = arm.rave.0 / (arm.rave.0 + count + arm.rave.0 * count / self.rave);
            mean += share * (arm.rave.1 / arm.rave.0 - mean);
        }
        if !arm.minimax.is_nan() {
            mean += self.minimax * (arm.minimax - mean);
        }
        arm.bounds.clamp(mean) + scale / count.sqrt()
    }
}

/// Whether something is to be learned from a move, and it can still be best.
fn is_open<S>(node: &TreeNode<S>, role: Role, arm: &MoveArm) -> bool {
    let Bounds { low, high } = node.bounds[role];
    !arm.twin && !arm.closed && (arm.bounds.high > low || low >= high)
}

/// Notes one iteration more, or one less, under way through a joint move.
fn depart<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank, by: i16) {
    if let Some(node) = tree.get_mut(at) {
        node.with_arms(joint, |_, arm| arm.flights = arm.flights.saturating_add_signed(by));
    }
}

/// Gives a way down up.
pub fn withdraw<S: Eq + Hash>(tree: &mut Tree<S>, path: &Path) {
    path.iter().for_each(|(at, joint)| depart(tree, *at, *joint, -1));
}

/// Makes the last move of a path lead to a node.
pub fn link<S: Eq + Hash>(tree: &mut Tree<S>, path: &Path, child: Handle, turn: ElementId) {
    let Some((at, joint)) = path.last() else { return };
    let Some(node) = tree.get_mut(*at) else { return };
    match node.mover {
        Mover::Over => unreachable!("nobody moves where the game is over"),
        Mover::Several => {
            node.children.insert(*joint, (child, turn));
        }
        Mover::One(role) | Mover::Chance(role) => {
            let arm = node.range(role).start + *joint as usize;
            let same = node.of(role).iter().any(|a| a.child == child && !a.twin);
            let counts = matches!(node.mover, Mover::One(_));
            let arm = &mut node.arms[arm];
            arm.twin = counts && same && arm.child != child;
            (arm.child, arm.turn) = (child, turn);
        }
    }
}

/// Takes the values at the end of a path up to the root, and what moves were made in playouts from there
/// (see `TreeNode::take_in`).
pub fn back_up<S: Eq + Hash>(
    tree: &mut Tree<S>,
    path: &Path,
    values: &mut [f32],
    made: &mut Vec<(f32, f32)>,
    shared: &SharedTree<S>,
) {
    let symmetry = shared.insights.symmetry.get();
    for (at, joint) in path.iter().rev() {
        if refresh(tree, *at, *joint) {
            bounds::update(tree, *at, &shared.widest);
        }
        if shared.evaluation.is_some() {
            minimax::update(tree, *at, *joint);
        }
        let Some(node) = tree.get_mut(*at) else { continue };
        if !made.is_empty() {
            node.take_in(made, *joint, values, symmetry);
        }
        // A move is worth what is beyond it; what another move is sure of only counts for the node.
        node.with_arms(*joint, |role, arm| {
            arm.flights = arm.flights.saturating_sub(1);
            arm.visits += 1;
            arm.sum += values[role] as f64;
        });
        let better = settled(tree, *at, *joint, &shared.widest);
        let spared = || shared.evaluation.as_ref().and_then(|_| spared(tree, *at, *joint));
        if let Some(better) = better.or_else(spared) {
            values.copy_from_slice(&better);
        }
        let node = tree.get_mut(*at).expect("just seen");
        for (role, value) in values.iter_mut().enumerate() {
            *value = node.bounds[role].clamp(*value);
        }
        node.count(values);
        tree.touch(*at);
    }
}

/// The values that the one who decides is sure of by another move, where they are better for him than
/// what he can expect of this one. Moves that are settled are not visited any more: without this, only
/// worse ones would tell the others what to expect.
fn settled<S: Eq + Hash>(
    tree: &Tree<S>,
    at: Handle,
    joint: JointRank,
    widest: &[Bounds],
) -> Option<Vec<f32>> {
    let node = tree.get(at)?;
    let Mover::One(role) = node.mover else { return None };
    if node.bounds[role].low <= widest[role].low {
        return None;
    }
    let arms = node.of(role);
    let made = &arms[joint as usize];
    let expected = made.bounds.clamp((made.sum / made.visits.max(1) as f64) as f32);
    let sure = arms.iter().filter(|arm| arm.closed && arm.bounds.low > expected);
    let best = sure.max_by(|a, b| a.bounds.low.total_cmp(&b.bounds.low))?;
    let child = tree.get(best.child)?;
    Some((0..child.roles()).map(|r| child.value(r)).collect())
}

/// What is expected of a node, where the move made there is settled and worth less to the one who decides: it
/// will not be made again, so it says nothing about the node.
fn spared<S: Eq + Hash>(tree: &Tree<S>, at: Handle, joint: JointRank) -> Option<Vec<f32>> {
    let node = tree.get(at)?;
    let Mover::One(role) = node.mover else { return None };
    let made = &node.of(role)[joint as usize];
    let worse = made.closed && node.visits > 0 && made.bounds.high < node.value(role);
    worse.then(|| (0..node.roles()).map(|r| node.value(r)).collect())
}

/// Brings what a move knows of where it leads up to date; true where that may change the node.
pub fn refresh<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank) -> bool {
    let Some(node) = tree.get(at) else { return false };
    let (mover, child) = (node.mover, node.child(joint));
    let Some(child) = tree.get(child) else { return false };
    let role = match mover {
        Mover::One(role) => role,
        Mover::Chance(_) | Mover::Several => {
            return child.bounds.iter().any(|b| b.low > 0.0 || b.is_exact());
        }
        Mover::Over => return false,
    };
    let (bounds, closed) = (child.bounds[role], child.is_proven());
    let node = tree.get_mut(at).expect("just seen");
    let arm = node.range(role).start + joint as usize;
    let arm = &mut node.arms[arm];
    let changed = (arm.bounds, arm.closed) != (bounds, closed);
    (arm.bounds, arm.closed) = (bounds, closed);
    changed
}
