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

/// Iterations are taken to be at least this far from their mean.
const LEAST: f32 = 0.02;

/// Where a way down ended.
pub enum Bottom {
    /// At a node whose values (by role) are known.
    Known(Vec<f32>),
    /// Before a node that is not in the tree.
    Open,
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
    /// Weight of the exploration term where several roles decide at once.
    pub at_once: f32,
    /// Where several decide at once they choose by regrets.
    pub regret: bool,
    pub chance: Option<Role>,
}

impl Selection {
    /// Goes down from a node, marking the moves as under way.
    pub fn descend<S: Eq + Hash>(
        &self,
        tree: &mut Tree<S>,
        (root, mut at): (Handle, Handle),
        path: &mut Path,
        random: &mut Random,
    ) -> Bottom {
        let spread = tree.get(root).expect("the root stays").spread();
        loop {
            let node = tree.get_mut(at).expect("a node in use");
            // States may come again in games that have no end.
            let again = path.iter().any(|(handle, _)| *handle == at);
            if again || node.proven {
                return Bottom::Known(node.values());
            }
            let joint = self.select(node, spread, random);
            path.push((at, joint));
            depart(node, joint, self);
            let child = node.child(joint);
            if tree.get(child).is_none() {
                return Bottom::Open;
            }
            at = child;
        }
    }

    fn select<S>(&self, node: &TreeNode<S>, spread: f32, random: &mut Random) -> JointRank {
        node.joint(|role| match Some(role) == self.chance {
            true => random.below(node.range(role).len()),
            false if self.regret && node.mover == Mover::Several => by_regret(node, role, random),
            false => self.arm(node, role, spread, random),
        })
    }

    /// The rank of the most promising move of a role.
    fn arm<S>(&self, node: &TreeNode<S>, role: Role, spread: f32, random: &mut Random) -> usize {
        let several = node.mover == Mover::Several;
        let exploration = if several { self.at_once } else { self.exploration * spread.max(LEAST) };
        let scale = exploration * ((node.visits + node.flights + 1) as f32).ln().sqrt();
        let (mut best, mut most, mut ties) = (0, f32::MIN, 0);
        for (rank, rating) in node.ratings[node.range(role)].iter().enumerate() {
            // Those who decide at once must not explore in step: each would take the other's moves for
            // answers to its own.
            let noise = if several { random.below(1 << 20) as f32 / (1 << 19) as f32 } else { 1.0 };
            let score = rating.worth + scale * noise * rating.unsure;
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

    /// What a move is worth as far as that is known, and how unsure that is.
    pub fn rated(&self, arm: &MoveArm) -> (f32, f32) {
        let count = arm.visits as f32 + arm.weight + arm.flights as f32;
        if count == 0.0 {
            return (f32::MAX, 0.0);
        }
        let mut mean = (arm.sum as f32 + arm.prior * arm.weight) / count;
        if arm.rave.0 > 0.0 {
            let share = arm.rave.0 / (arm.rave.0 + count + arm.rave.0 * count / self.rave);
            mean += share * (arm.rave.1 / arm.rave.0 - mean);
        }
        if !arm.minimax.is_nan() {
            mean += self.minimax * (arm.minimax - mean);
        }
        (arm.bounds.clamp(mean), 1.0 / count.sqrt())
    }
}

/// Of how many moves one is any of those that were tried least, where they are chosen by regrets.
const TRIED_OF: usize = 6;

/// Draws a move of a role as often as its regret is large (regret matching).
fn by_regret<S>(node: &TreeNode<S>, role: Role, random: &mut Random) -> usize {
    let arms = node.of(role);
    let total: f32 = arms.iter().map(|arm| arm.regret.max(0.0)).sum();
    if total <= 0.0 || random.below(TRIED_OF) == 0 {
        return tried_least(arms, random);
    }
    let mut left = total * random.below(1 << 20) as f32 / (1 << 20) as f32;
    let drawn = arms.iter().position(|arm| {
        left -= arm.regret.max(0.0);
        left < 0.0
    });
    drawn.unwrap_or(arms.len() - 1)
}

fn tried_least(arms: &[MoveArm], random: &mut Random) -> usize {
    let tried = |arm: &MoveArm| arm.visits + arm.flights as u32;
    let least = arms.iter().map(tried).min().expect("a move");
    let count = arms.iter().filter(|arm| tried(arm) == least).count();
    let mut those = (0..arms.len()).filter(|rank| tried(&arms[*rank]) == least);
    those.nth(random.below(count)).expect("one of them")
}

/// Adds what other moves would have come to, beside the ones that others made where that is known, or else as
/// they did beside any.
fn regret<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank, values: &[f32]) {
    let Some(node) = tree.get(at).filter(|node| node.mover == Mover::Several) else { return };
    let mut regrets = Vec::with_capacity(node.arms.len());
    for (role, value) in values.iter().enumerate() {
        let all = node.value(role);
        for (arm, other) in node.of(role).iter().zip(node.instead(joint, role)) {
            let there = tree.get(node.child(other)).map(|child| child.value(role));
            regrets.push(there.unwrap_or_else(|| arm.mean(all)) - value);
        }
    }
    let node = tree.get_mut(at).expect("just seen");
    node.arms.iter_mut().zip(regrets).for_each(|(arm, regret)| arm.regret += regret);
}

/// Notes one iteration more under way through a joint move.
fn depart<S>(node: &mut TreeNode<S>, joint: JointRank, selection: &Selection) {
    node.flights += 1;
    node.change_arms(joint, selection, |_, arm| arm.flights = arm.flights.saturating_add(1));
}

/// Gives a way down up.
pub fn withdraw<S: Eq + Hash>(tree: &mut Tree<S>, path: &Path, selection: &Selection) {
    for (at, joint) in path {
        if let Some(node) = tree.get_mut(*at) {
            node.flights = node.flights.saturating_sub(1);
            let back = |_, arm: &mut MoveArm| arm.flights = arm.flights.saturating_sub(1);
            node.change_arms(*joint, selection, back);
        }
    }
}

/// Makes the last move of a path lead to a node.
pub fn link<S: Eq + Hash>(
    tree: &mut Tree<S>,
    path: &[(Handle, JointRank)],
    (child, turn): (Handle, ElementId),
    selection: &Selection,
) {
    let Some((at, joint)) = path.last() else { return };
    let Some(node) = tree.get_mut(*at) else { return };
    match node.mover {
        Mover::Over => unreachable!("nobody moves where the game is over"),
        Mover::Several => {
            node.children.get_or_insert_default().insert(*joint, (child, turn));
        }
        Mover::One(role) | Mover::Chance(role) => {
            let (range, place) = (node.range(role), node.range(role).start + *joint as usize);
            let leads = |arm: usize| node.ratings[arm].child == child && !node.arms[arm].twin;
            let same = range.clone().any(leads);
            let counts = matches!(node.mover, Mover::One(_));
            let twin = counts && same && node.ratings[place].child != child;
            node.ratings[place].child = child;
            node.change_arms(*joint, selection, |_, arm| (arm.twin, arm.turn) = (twin, turn));
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
    let (symmetry, selection) = (shared.insights.symmetry.get(), &shared.selection);
    for (at, joint) in path.iter().rev() {
        if refresh(tree, *at, *joint) && bounds::update(tree, *at, &shared.widest) {
            tree.get_mut(*at).expect("just seen").rate_all(selection);
        }
        if shared.evaluation.is_some() {
            minimax::update(tree, *at, *joint);
        }
        let Some(node) = tree.get_mut(*at) else { continue };
        if !made.is_empty() {
            node.take_in(made, *joint, values, symmetry);
            node.rate_all(selection);
        }
        // A move is worth what is beyond it; what another move is sure of only counts for the node.
        node.flights = node.flights.saturating_sub(1);
        node.change_arms(*joint, selection, |role, arm| {
            arm.flights = arm.flights.saturating_sub(1);
            arm.visits += 1;
            arm.sum += values[role] as f64;
        });
        if selection.regret {
            regret(tree, *at, *joint, values);
        }
        let better = settled(tree, *at, *joint, &shared.widest);
        let spared = || shared.evaluation.as_ref().and_then(|_| spared(tree, *at, *joint));
        if let Some(better) = better.or_else(spared) {
            values.copy_from_slice(&better);
        }
        let node = tree.get_mut(*at).expect("just seen");
        for (value, share) in values.iter_mut().zip(&node.shares) {
            *value = share.bounds.clamp(*value);
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
    if node.shares[role].bounds.low <= widest[role].low {
        return None;
    }
    let range = node.range(role);
    let made = &node.arms[range.start + joint as usize];
    let expected = made.bounds.clamp((made.sum / made.visits.max(1) as f64) as f32);
    let sure = |arm: &usize| node.arms[*arm].closed && node.arms[*arm].bounds.low > expected;
    let low = |arm: usize| node.arms[arm].bounds.low;
    let best = range.filter(sure).max_by(|a, b| low(*a).total_cmp(&low(*b)))?;
    tree.get(node.ratings[best].child).map(TreeNode::values)
}

/// What is expected of a node, where the move made there is settled and worth less to the one who decides: it
/// will not be made again, so it says nothing about the node.
fn spared<S: Eq + Hash>(tree: &Tree<S>, at: Handle, joint: JointRank) -> Option<Vec<f32>> {
    let node = tree.get(at)?;
    let Mover::One(role) = node.mover else { return None };
    let made = &node.of(role)[joint as usize];
    let worse = made.closed && node.visits > 0 && made.bounds.high < node.value(role);
    worse.then(|| node.values())
}

/// Brings what a move knows of where it leads up to date; true where that may change the node.
pub fn refresh<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank) -> bool {
    let Some(node) = tree.get(at) else { return false };
    let (mover, child) = (node.mover, node.child(joint));
    let Some(child) = tree.get(child) else { return false };
    let role = match mover {
        Mover::One(role) => role,
        Mover::Chance(_) | Mover::Several => {
            return child.shares.iter().any(|s| s.bounds.low > 0.0 || s.bounds.is_exact());
        }
        Mover::Over => return false,
    };
    let (bounds, closed) = (child.shares[role].bounds, child.proven);
    let node = tree.get_mut(at).expect("just seen");
    let arm = node.range(role).start + joint as usize;
    let arm = &mut node.arms[arm];
    let changed = (arm.bounds, arm.closed) != (bounds, closed);
    (arm.bounds, arm.closed) = (bounds, closed);
    changed
}
