//! `Walks`: whole walks through a game, behind a pointer.
//!
//! A generic loop is compiled with whoever calls it, at that crate's level of optimisation. Every engine
//! gives its `Walks` away from within its own crate, so that their loops are as fast from everywhere, and
//! are compiled once.

use crate::{Declared, Perft, Playout, Random, StateMachine, Tally, Trial};
use ludex_gdl::budget::{Budget, Stop};

/// What [`perft`](crate::perft()), [`playout`](crate::playout()), [`signature`](crate::signature),
/// [`tally`](crate::tally()) and [`trial`](crate::trial()) do, for any engine.
pub trait Walks: Send {
    fn perft(&mut self, depth: usize, past_terminal: bool, budget: &Budget) -> Perft;
    /// Without the last state, which is of a type that only the engine knows.
    fn playout(
        &mut self,
        random: &mut Random,
        bound: usize,
        budget: &Budget,
    ) -> Result<Playout<()>, Stop>;
    fn signature(
        &mut self,
        seed: u64,
        playouts: u64,
        bound: u64,
        budget: &Budget,
    ) -> Result<String, Stop>;
    fn tally(
        &mut self,
        random: &mut Random,
        playouts: u64,
        bound: u64,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Result<(), Stop>;
    fn trial(
        &mut self,
        declared: &Declared,
        size: (usize, usize),
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Trial, Stop>;
}

impl<G: StateMachine + Send> Walks for G {
    fn perft(&mut self, depth: usize, past_terminal: bool, budget: &Budget) -> Perft {
        crate::perft(self, depth, past_terminal, budget)
    }

    fn playout(
        &mut self,
        random: &mut Random,
        bound: usize,
        budget: &Budget,
    ) -> Result<Playout<()>, Stop> {
        let Playout { moves, choices, end, goals, .. } =
            crate::playout(self, random, bound, budget)?;
        Ok(Playout { moves, choices, end, last: (), goals })
    }

    fn signature(
        &mut self,
        seed: u64,
        playouts: u64,
        bound: u64,
        budget: &Budget,
    ) -> Result<String, Stop> {
        crate::signature(self, seed, playouts, bound, budget)
    }

    fn tally(
        &mut self,
        random: &mut Random,
        playouts: u64,
        bound: u64,
        budget: &Budget,
        tally: &mut Tally,
    ) -> Result<(), Stop> {
        crate::tally(self, random, playouts, bound, budget, tally)
    }

    fn trial(
        &mut self,
        declared: &Declared,
        size: (usize, usize),
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Trial, Stop> {
        crate::trial(self, declared, size, random, budget)
    }
}
