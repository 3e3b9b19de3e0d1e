//! `Exact`: the solver at work beside a search, on the states of a match.
//!
//! It uses what makes small games of large ones: factors, symmetries, latches. What it finds is a line
//! of best play; as long as the match follows that line nothing has to be searched.

use crate::budget::Budget;
use crate::game::{Game, Move};
use crate::machine::{Scalar, State};
use crate::net::Net;
use crate::search::Options;
use crate::search::solve::{Settings, Solution, Subject, Symmetry, solve};
use std::sync::Arc;

/// Memory for tables and states.
const BYTES: usize = 256 << 20;

pub struct Exact {
    net: Arc<Net>,
    settings: Settings,
    /// States of best play and the joint moves made there.
    line: Vec<(State, Vec<Move>)>,
    /// The turn from which on it is worth a try, and how many turns to wait after a vain one.
    next_try: usize,
    pause: usize,
}

impl Exact {
    pub fn new(net: Arc<Net>, options: &Options) -> Exact {
        let symmetry = if options.symmetry { Symmetry::States } else { Symmetry::None };
        let settings = Settings {
            symmetry,
            factoring: options.factoring,
            bytes: BYTES,
            ..Settings::default()
        };
        Exact { net, settings, line: vec![], next_try: 0, pause: 1 }
    }

    /// The joint moves of best play from a state on, where they are known.
    pub fn best(&self, state: &State) -> Option<Vec<Vec<Move>>> {
        let here = self.line.iter().position(|(at, _)| at == state)?;
        Some(self.line[here..].iter().map(|(_, joint)| joint.clone()).collect())
    }

    /// Whether to solve the state of a turn: after vain tries more and more turns are left out.
    pub fn is_due(&self, turn: usize) -> bool {
        turn >= self.next_try
    }

    /// Solves the state of a turn; true where best play is known from there on.
    pub fn solve(&mut self, turn: usize, state: &State, budget: &Budget) -> bool {
        let value = |base: usize| state.0[base / 64] >> (base % 64) & 1 == 1;
        let values = (0..self.net.bases.len()).map(value).collect();
        let subject = Subject { net: self.net.clone(), ground: None, state: values };
        let solution = solve(&subject, &self.settings, budget, budget);
        let found = solution.complete && solution.is_pure && !solution.line.is_empty();
        if found {
            self.line = self.states(state, solution);
        } else {
            (self.next_try, self.pause) = (turn + self.pause, self.pause * 2);
        }
        found
    }

    /// The states along a line of best play.
    fn states(&self, from: &State, solution: Solution) -> Vec<(State, Vec<Move>)> {
        let mut machine = Scalar::new(self.net.clone());
        let mut state = from.clone();
        let step = |joint: Vec<Move>| {
            let next = machine.next(&state, &joint);
            (std::mem::replace(&mut state, next), joint)
        };
        solution.line.into_iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::Ground;
    use crate::rules::Rules;
    use crate::source::Source;

    /// Two counters that must both reach 3, and must not be left behind after six moves.
    const COUNTERS: &str = "(role r) (counter a) (counter b) (init (at a 0)) (init (at b 0))
        (init (step 0)) (++ 0 1) (++ 1 2) (++ 2 3) (++ 3 4) (++ 4 5) (++ 5 6)
        (legal r (up a)) (legal r (up b)) (legal r (down a)) (legal r (down b))
        (<= (next (at ?c ?m)) (does r (up ?c)) (true (at ?c ?n)) (++ ?n ?m))
        (<= (next (at ?c 0)) (does r (down ?c)))
        (<= (next (at ?c ?n)) (true (at ?c ?n)) (not (changed ?c)))
        (<= (changed ?c) (does r (up ?c)) (true (at ?c ?n)) (++ ?n ?m))
        (<= (changed ?c) (does r (down ?c)))
        (<= (next (step ?m)) (true (step ?n)) (++ ?n ?m))
        (<= terminal (true (step 6)))
        (<= (goal r 100) (true (at a 3)) (true (at b 3)))
        (<= (goal r 0) (true (at ?c ?n)) (distinct ?n 3))";

    fn counters(budget: &Budget) -> Arc<Net> {
        let rules = Rules::read(&Source::new("counters", COUNTERS), None);
        let ground = Ground::new(&rules.map_err(|r| r.complaints).unwrap().0, budget).unwrap();
        Arc::new(Net::new(&ground, budget).unwrap())
    }

    #[test]
    fn a_match_follows_the_line_that_was_found() {
        let budget = Budget::unlimited();
        let net = counters(&budget);
        let mut machine = Scalar::new(net.clone());
        for factoring in [true, false] {
            let mut exact = Exact::new(net.clone(), &Options { factoring, ..Options::default() });
            let mut state = machine.initial();
            assert!(exact.is_due(0) && exact.best(&state).is_none());
            assert!(exact.solve(0, &state, &budget));
            for left in (1..=6).rev() {
                let line = exact.best(&state).unwrap();
                assert_eq!(line.len(), left);
                state = machine.next(&state, &line[0]);
            }
            assert!(machine.terminal(&state) && exact.best(&state).is_none());
            assert_eq!(machine.goal(&state, 0), Some(100));
        }
    }

    #[test]
    fn vain_tries_are_made_more_and_more_seldom() {
        let net = counters(&Budget::unlimited());
        let mut exact = Exact::new(net.clone(), &Options::default());
        let state = Scalar::new(net).initial();
        let stopped = Budget::unlimited();
        stopped.stop(crate::budget::Stop::Time);
        let tried = |turn: &usize| exact.is_due(*turn) && !exact.solve(*turn, &state, &stopped);
        assert_eq!((0..20).filter(tried).collect::<Vec<_>>(), [0, 1, 3, 7, 15]);
    }
}
