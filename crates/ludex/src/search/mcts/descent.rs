//! Ways down the tree and back: which moves are looked at next, and what comes of it.

use super::bounds;
use super::node::{Arm, Bounds, Joint, Mover, Node};
use super::tree::{Handle, Tree};
use crate::game::{Random, Role};
use std::hash::Hash;

/// The joint moves from the root on, each with the node it was made in.
pub type Path = Vec<(Handle, Joint)>;

/// Where a way down ended.
pub enum Bottom<S> {
    /// At a node whose values (by role) are known.
    Known(Vec<f32>),
    /// Before a node that is not in the tree: the state above, and the moves that lead there.
    Open(S, Vec<crate::game::Move>),
}

/// How moves are selected.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    pub exploration: f32,
    pub chance: Option<Role>,
}

impl Selection {
    /// Goes down from a node, marking the moves as under way.
    pub fn descend<S: Eq + Hash + Clone>(
        &self,
        tree: &mut Tree<S>,
        mut at: Handle,
        path: &mut Path,
        random: &mut Random,
    ) -> Bottom<S> {
        loop {
            let node = tree.get(at).expect("a node in use");
            // States may come again in games that have no end.
            let again = path.iter().any(|(handle, _)| *handle == at);
            if again || node.is_proven() {
                return Bottom::Known((0..node.roles()).map(|r| node.value(r)).collect());
            }
            let joint = self.select(tree, node, random);
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

    fn select<S: Eq + Hash>(&self, tree: &Tree<S>, node: &Node<S>, random: &mut Random) -> Joint {
        node.joint(|role| match Some(role) == self.chance {
            true => random.below(node.range(role).len()),
            false => self.arm(tree, node, role, random),
        })
    }

    /// The rank of the most promising move of a role.
    fn arm<S: Eq + Hash>(
        &self,
        tree: &Tree<S>,
        node: &Node<S>,
        role: Role,
        random: &mut Random,
    ) -> usize {
        let arms = node.of(role);
        let total: f32 = arms.iter().map(|a| a.visits as f32 + a.flights as f32).sum();
        let scale = self.exploration * (total + 1.0).ln().sqrt();
        let (mut best, mut most, mut ties) = (0, f32::MIN, 0);
        for (rank, arm) in arms.iter().enumerate() {
            let score = match worth_a_look(tree, node, role, arm) {
                None => f32::MIN,
                Some(bounds) => bound(arm, bounds, scale),
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
}

/// An upper confidence bound for the value of a move.
fn bound(arm: &Arm, bounds: Bounds, scale: f32) -> f32 {
    let count = arm.visits as f32 + arm.weight + arm.flights as f32;
    if count == 0.0 {
        return f32::MAX;
    }
    let mean = (arm.sum as f32 + arm.prior * arm.weight) / count;
    bounds.clamp(mean) + scale / count.sqrt()
}

/// The bounds of a move's value; none where nothing is to be learned from it, or it cannot be best.
fn worth_a_look<S: Eq + Hash>(
    tree: &Tree<S>,
    node: &Node<S>,
    role: Role,
    arm: &Arm,
) -> Option<Bounds> {
    const ANY: Bounds = Bounds { low: f32::MIN, high: f32::MAX };
    if arm.twin {
        return None;
    }
    if node.mover == Mover::Several {
        return Some(ANY);
    }
    let Some(child) = tree.get(arm.child) else { return Some(ANY) };
    let here = child.bounds[role];
    let open = !child.is_proven() && (here.high > node.bounds[role].low || here.is_exact());
    open.then_some(here)
}

/// Notes one iteration more, or one less, under way through a joint move.
fn depart<S: Eq + Hash>(tree: &mut Tree<S>, at: Handle, joint: Joint, by: i16) {
    let Some(node) = tree.get(at) else { return };
    let arms: Vec<usize> = node.arms_of(joint).collect();
    let node = tree.get_mut(at).expect("just seen");
    for arm in arms {
        let flights = &mut node.arms[arm].flights;
        *flights = flights.saturating_add_signed(by);
    }
}

/// Gives a way down up.
pub fn withdraw<S: Eq + Hash>(tree: &mut Tree<S>, path: &Path) {
    path.iter().for_each(|(at, joint)| depart(tree, *at, *joint, -1));
}

/// Makes the last move of a path lead to a node.
pub fn link<S: Eq + Hash>(tree: &mut Tree<S>, path: &Path, child: Handle) {
    let Some((at, joint)) = path.last() else { return };
    let Some(node) = tree.get_mut(*at) else { return };
    match node.mover {
        Mover::Over => unreachable!("nobody moves where the game is over"),
        Mover::Several => {
            node.children.insert(*joint, child);
        }
        Mover::One(role) | Mover::Chance(role) => {
            let arm = node.arms_of(*joint).nth(role).expect("an arm of every role");
            let same = node.of(role).iter().any(|a| a.child == child && !a.twin);
            let counts = matches!(node.mover, Mover::One(_));
            let arm = &mut node.arms[arm];
            arm.twin = counts && same && arm.child != child;
            arm.child = child;
        }
    }
}

/// Takes the values at the end of a path up to the root.
pub fn back_up<S: Eq + Hash>(
    tree: &mut Tree<S>,
    path: &Path,
    values: &mut [f32],
    widest: &[Bounds],
) {
    for (at, joint) in path.iter().rev() {
        depart(tree, *at, *joint, -1);
        bounds::update(tree, *at, widest);
        let Some(node) = tree.get_mut(*at) else { continue };
        for (role, value) in values.iter_mut().enumerate() {
            *value = node.bounds[role].clamp(*value);
            node.sums[role] += *value as f64;
        }
        node.visits += 1;
        let arms: Vec<usize> = node.arms_of(*joint).collect();
        for (role, arm) in arms.into_iter().enumerate() {
            node.arms[arm].visits += 1;
            node.arms[arm].sum += values[role] as f64;
        }
        tree.touch(*at);
    }
}
