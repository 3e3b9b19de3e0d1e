//! The trait `StateMachine`: what every engine offers.
//!
//! Engines keep scratch memory, so the methods take `&mut self`; clone an engine for a second thread.

use ludex_gdl::rules::is_chance;
use std::fmt::Debug;
use std::hash::Hash;

/// A role, numbered in the order of the rules.
pub type Role = usize;

/// A move of a role: a dense id whose meaning belongs to the engine that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// The role that moves by chance: all its legal moves are equally likely.
pub fn chance<G: StateMachine>(game: &G) -> Option<Role> {
    (0..game.roles()).find(|role| is_chance(&game.role_text(*role)))
}

pub trait StateMachine {
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The number of roles.
    fn roles(&self) -> usize;
    fn initial(&mut self) -> Self::State;
    fn terminal(&mut self, state: &Self::State) -> bool;
    /// Appends the legal moves of a role, each once, in an order that is the same on every run.
    fn legal(&mut self, state: &Self::State, role: Role, out: &mut Vec<Move>);
    /// The state after a joint move: one legal move per role, in role order.
    fn next(&mut self, state: &Self::State, joint: &[Move]) -> Self::State;
    /// The goal value, or none where there is not exactly one integer value.
    fn goal(&mut self, state: &Self::State, role: Role) -> Option<i32>;

    // Text, at the edges only: KIF, names as the author wrote them.
    fn role_text(&self, role: Role) -> String;
    fn move_text(&self, role: Role, m: Move) -> String;
    /// The true facts of a state, without the `true` around them, sorted.
    fn fact_texts(&self, state: &Self::State) -> Vec<String>;
}
