//! What the evaluation expects by best play, backed up through the tree (implicit minimax back-ups).
//!
//! Lanctot, Winands, Pepels and Sturtevant (2014): beside the mean of what iterations came to, a move has the
//! value of the best reply to it as an evaluation sees it, and selection looks at both.

use super::node::{JointRank, Mover, TreeNode};
use super::tree::{Handle, Tree};
use std::hash::Hash;

/// Brings what is expected of a node up to date after an iteration went through a move.
pub fn update<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: JointRank) {
    let Some(node) = tree.get(at) else { return };
    let Mover::One(role) = node.mover else { return };
    let Some(child) = tree.get(node.child(joint)) else { return };
    let beyond = match child.proven {
        true => child.value(role),
        false if child.shares[role].minimax.is_nan() => return,
        false => child.shares[role].minimax,
    };
    let range = node.range(role);
    let made = range.start + joint as usize;
    let known = |arm: usize| if arm == made { beyond } else { node.arms[arm].minimax };
    let arms = range.filter(|arm| !known(*arm).is_nan());
    let best = arms.max_by(|a, b| known(*a).total_cmp(&known(*b))).expect("the one made");
    let value = known(best);
    let there = tree.get(node.ratings[best].child);
    let expected = |child: &TreeNode<S>| match child.proven {
        true => Some(child.values()),
        false => child.minimax().map(Iterator::collect),
    };
    let others = (node.roles() - 1).max(1) as f32;
    let mut values = match (there.and_then(expected), node.minimax()) {
        (Some(values), _) => values,
        (None, None) => vec![1.0 - value; node.roles()],
        // The child is not in the tree: what this one gains others lose.
        (None, Some(old)) => {
            let lost = (value - node.shares[role].minimax) / others;
            old.map(|old| (old - lost).clamp(0.0, 1.0)).collect()
        }
    };
    values[role] = value;
    let node = tree.get_mut(at).expect("just seen");
    node.arms[made].minimax = beyond;
    node.expect(&values);
}
