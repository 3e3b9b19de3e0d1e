//! What the evaluation expects by best play, backed up through the tree (implicit minimax back-ups).
//!
//! Lanctot, Winands, Pepels and Sturtevant (2014): beside the mean of what iterations came to, a move has the
//! value of the best reply to it as an evaluation sees it, and selection looks at both.

use super::node::{JointRank, Mover};
use super::tree::{Handle, Tree};
use std::hash::Hash;

/// Brings what is expected of a node up to date after an iteration went through a move.
pub fn update<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank) {
    let Some(node) = tree.get(at) else { return };
    let Mover::One(role) = node.mover else { return };
    let Some(child) = tree.get(node.child(joint)) else { return };
    let beyond = match child.is_proven() {
        true => child.value(role),
        false if child.minimax.is_empty() => return,
        false => child.minimax[role],
    };
    let place = node.range(role).start + joint as usize;
    let arms = node.of(role);
    let known = |rank: usize| match rank == joint as usize {
        true => beyond,
        false => arms[rank].minimax,
    };
    let ranks = (0..arms.len()).filter(|rank| !known(*rank).is_nan());
    let best = ranks.max_by(|a, b| known(*a).total_cmp(&known(*b))).expect("the one made");
    let value = known(best);
    let there = tree.get(arms[best].child);
    let mut values: Vec<f32> = match there {
        Some(child) if child.is_proven() => (0..child.roles()).map(|r| child.value(r)).collect(),
        Some(child) if !child.minimax.is_empty() => child.minimax.to_vec(),
        _ if node.minimax.is_empty() => vec![1.0 - value; node.roles()],
        // The child is not in the tree: what this one gains others lose.
        _ => {
            let others = (node.roles() - 1).max(1) as f32;
            let lost = (value - node.minimax[role]) / others;
            node.minimax.iter().map(|old| (old - lost).clamp(0.0, 1.0)).collect()
        }
    };
    values[role] = value;
    let node = tree.get_mut(at).expect("just seen");
    node.arms[place].minimax = beyond;
    node.minimax = values.into();
}
