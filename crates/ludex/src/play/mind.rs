//! `Mind`: how a worker thinks about the states of a match.

use crate::budget::Budget;
use crate::game::{Game, Move, Role};

/// Something that thinks about one state at a time and keeps what it knows when a move is made.
pub trait Mind<G: Game> {
    /// A state that does not follow from the one before.
    fn begin(&mut self, game: &mut G, state: &G::State);
    fn advance(&mut self, game: &mut G, joint: &[Move], state: &G::State);
    /// Thinks until the budget is stopped or there is nothing more to find out.
    fn think(&mut self, game: &mut G, budget: &Budget);
    /// The best move known.
    fn choice(&mut self, game: &mut G, role: Role) -> Option<Move>;
    /// What it thinks, for people.
    fn thoughts(&mut self, game: &mut G) -> String;
}

/// Thinks nothing: the worker plays at random.
pub struct Empty;

impl<G: Game> Mind<G> for Empty {
    fn begin(&mut self, _: &mut G, _: &G::State) {}
    fn advance(&mut self, _: &mut G, _: &[Move], _: &G::State) {}
    fn think(&mut self, _: &mut G, _: &Budget) {}
    fn choice(&mut self, _: &mut G, _: Role) -> Option<Move> {
        None
    }
    fn thoughts(&mut self, _: &mut G) -> String {
        String::new()
    }
}
