//! What children prove about their parent: bounds of the values of all roles (MCTS-Solver, score bounded).
//!
//! A role that decides alone is sure of the best lower bound among its moves. Once its value is exact
//! it makes a move that is known to reach it, and the others get what they get there; before that they
//! may get anything that a move brings which can still be best for the one who decides.

use super::node::{Bounds, Mover, TreeNode};
use super::tree::{Handle, Tree};
use ludex_reason::Role;
use std::hash::Hash;

/// Joint moves that are compared where several roles decide at once.
const MOST_JOINTS: usize = 400;

/// Makes the bounds of a node as narrow as its children allow; `widest` is what is true anywhere. True
/// where they changed.
pub fn update<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, widest: &[Bounds]) -> bool {
    let Some(node) = tree.get(at) else { return false };
    let new = match node.mover {
        Mover::Over => return false,
        Mover::One(role) => decided(tree, node, role, widest),
        Mover::Chance(role) => expected(tree, node, role, widest),
        Mover::Several => several(tree, node, widest),
    };
    let node = tree.get_mut(at).expect("just seen");
    let mut changed = false;
    for (share, new) in node.shares.iter_mut().zip(new) {
        let old = share.bounds;
        let narrower = Bounds { low: old.low.max(new.low), high: old.high.min(new.high) };
        changed |= narrower != old;
        share.bounds = narrower;
    }
    node.proven = node.shares.iter().all(|share| share.bounds.is_exact());
    changed
}

/// The bounds of a role's value where an arm leads.
fn beyond<S: Eq + Hash>(tree: &Tree<S>, child: Handle, role: Role, widest: &[Bounds]) -> Bounds {
    tree.get(child).map_or(widest[role], |node| node.shares[role].bounds)
}

fn decided<S: Eq + Hash>(
    tree: &Tree<S>,
    node: &TreeNode<S>,
    role: Role,
    widest: &[Bounds],
) -> Vec<Bounds> {
    let of = |arm: usize, r: Role| beyond(tree, node.ratings[arm].child, r, widest);
    // What an arm knows stays when the node it leads to is forgotten.
    let own = |arm: usize| {
        let Bounds { low, high } = node.arms[arm].bounds;
        Bounds { low: low.max(widest[role].low), high: high.min(widest[role].high) }
    };
    let best = node.range(role).map(own);
    let best = best.reduce(|a, b| Bounds { low: a.low.max(b.low), high: a.high.max(b.high) });
    let (best, old) = (best.expect("a move"), node.shares[role].bounds);
    let best = Bounds { low: best.low.max(old.low), high: best.high.min(old.high) };
    let considered = |arm: &usize| match best.is_exact() {
        true => own(*arm).low >= best.low,
        false => own(*arm).high >= best.low,
    };
    let arms: Vec<usize> = node.range(role).filter(considered).collect();
    let mut all: Vec<Bounds> =
        (0..node.roles()).map(|r| hull(arms.iter().map(|a| of(*a, r)))).collect();
    if arms.is_empty() {
        all = own_bounds(node);
    }
    all[role] = best;
    all
}

fn own_bounds<S>(node: &TreeNode<S>) -> Vec<Bounds> {
    node.shares.iter().map(|share| share.bounds).collect()
}

fn hull(bounds: impl Iterator<Item = Bounds>) -> Bounds {
    let wider = |a: Bounds, b: Bounds| Bounds { low: a.low.min(b.low), high: a.high.max(b.high) };
    bounds.reduce(wider).unwrap_or(Bounds { low: f32::MIN, high: f32::MAX })
}

fn expected<S: Eq + Hash>(
    tree: &Tree<S>,
    node: &TreeNode<S>,
    chance: Role,
    widest: &[Bounds],
) -> Vec<Bounds> {
    let arms = &node.ratings[node.range(chance)];
    let mean = |r: Role, of: fn(Bounds) -> f32| {
        arms.iter().map(|a| of(beyond(tree, a.child, r, widest))).sum::<f32>() / arms.len() as f32
    };
    (0..node.roles())
        .map(|r| Bounds { low: mean(r, |b| b.low), high: mean(r, |b| b.high) })
        .collect()
}

/// Where roles decide at once, a role is sure of what its best move brings against everything the
/// others may do, and gets no more than the best of all.
fn several<S: Eq + Hash>(tree: &Tree<S>, node: &TreeNode<S>, widest: &[Bounds]) -> Vec<Bounds> {
    let joints: usize = (0..node.roles()).map(|r| node.range(r).len()).product();
    let known = node.children.as_ref().filter(|known| known.len() == joints);
    let Some(known) = known.filter(|_| joints <= MOST_JOINTS) else { return own_bounds(node) };
    let mut sure: Vec<f32> = vec![f32::MAX; node.arms.len()];
    let mut most = vec![f32::MIN; node.roles()];
    for (joint, (child, _)) in &**known {
        for (role, arm) in node.arms_of(*joint).enumerate() {
            let bounds = beyond(tree, *child, role, widest);
            sure[arm] = sure[arm].min(bounds.low);
            most[role] = most[role].max(bounds.high);
        }
    }
    let best = |r: Role| node.range(r).map(|arm| sure[arm]).fold(f32::MIN, f32::max);
    (0..node.roles()).map(|r| Bounds { low: best(r), high: most[r] }).collect()
}
