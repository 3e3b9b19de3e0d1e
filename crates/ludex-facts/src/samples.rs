//! `Net` -> `Samples`: states seen in random matches, from which candidates for proofs are read.

use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Move, Random, StateMachine};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// States in the order played. Nothing that is only seen here is ever reported as true.
#[derive(Clone, Default)]
pub struct Samples {
    pub states: Vec<State>,
    /// The joint move made in state i; empty in the last state of a match.
    pub joints: Vec<Vec<Move>>,
    pub terminal: Vec<bool>,
    /// Number of legal moves per role.
    pub legal: Vec<Vec<u32>>,
    /// Goals in terminal states, else empty.
    pub goals: Vec<Vec<Option<i32>>>,
    /// For every base one bit a state.
    pub columns: Vec<Vec<u64>>,
}

const USUAL: usize = 2_000;

impl Samples {
    /// The states from which all analyses of a game read their candidates.
    pub fn usual(net: &Arc<Net>, budget: &Budget) -> Result<Samples, Stop> {
        Samples::gather(net, 1, USUAL, budget)
    }

    /// Plays random matches until `states` states have been seen.
    pub fn gather(
        net: &Arc<Net>,
        seed: u64,
        states: usize,
        budget: &Budget,
    ) -> Result<Samples, Stop> {
        let mut machine = Scalar::within(net.clone(), budget)?;
        let mut random = Random::new(seed);
        let mut samples = Samples::default();
        while samples.states.len() < states {
            budget.check()?;
            samples.play(&mut machine, &mut random, states);
        }
        samples.transpose(net.bases.len());
        Ok(samples)
    }

    fn play(&mut self, machine: &mut Scalar, random: &mut Random, limit: usize) {
        let mut state = machine.initial();
        loop {
            let terminal = machine.terminal(&state);
            let moves: Vec<Vec<Move>> = (0..machine.roles())
                .map(|role| {
                    let mut moves = Vec::new();
                    machine.legal(&state, role, &mut moves);
                    moves
                })
                .collect();
            let stuck = moves.iter().any(Vec::is_empty);
            let last = terminal || stuck || self.states.len() + 1 >= limit;
            self.terminal.push(terminal);
            self.legal.push(moves.iter().map(|m| m.len() as u32).collect());
            let goals = (0..machine.roles()).map(|r| machine.goal(&state, r));
            self.goals.push(if terminal { goals.collect() } else { vec![] });
            self.states.push(state.clone());
            let joint = moves.iter().filter(|_| !last).map(|m| m[random.below(m.len())]);
            let joint: Vec<Move> = joint.collect();
            if !last {
                state = machine.next(&state, &joint);
            }
            self.joints.push(joint);
            if last {
                return;
            }
        }
    }

    /// The states that have a successor; that of state i is state i + 1.
    pub fn steps(&self) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(|i| !self.joints[*i].is_empty())
    }

    /// The joint moves that lead from the initial state to state i, as inputs of the net.
    pub fn line_to(&self, state: usize) -> Vec<Vec<usize>> {
        let line = self.joints[..state].iter().rev().take_while(|j| !j.is_empty());
        let mut line: Vec<Vec<usize>> =
            line.map(|j| j.iter().map(|m| m.0 as usize).collect()).collect();
        line.reverse();
        line
    }

    pub fn holds(&self, state: usize, base: usize) -> bool {
        self.states[state].holds(base)
    }

    pub(crate) fn was_true(&self, base: usize) -> bool {
        self.columns[base].iter().any(|bits| *bits != 0)
    }

    /// Whether one of these bases was true in two states of a match.
    pub(crate) fn returns_to(&self, bases: &[usize]) -> bool {
        let mut seen = FxHashSet::default();
        for state in 0..self.states.len() {
            let mut now = bases.iter().filter(|b| self.holds(state, **b));
            if !now.all(|b| seen.insert(*b)) {
                return true;
            }
            if self.joints[state].is_empty() {
                seen.clear();
            }
        }
        false
    }

    /// The values of every base over all states, as bits.
    fn transpose(&mut self, bases: usize) {
        let mut columns = vec![vec![0; self.states.len().div_ceil(64)]; bases];
        for (base, column) in columns.iter_mut().enumerate() {
            for i in (0..self.states.len()).filter(|i| self.holds(*i, base)) {
                column[i / 64] |= 1 << (i % 64);
            }
        }
        self.columns = columns;
    }

    /// Whether one of these bases was true in every state, and whether never two were.
    pub fn one_of(&self, bases: &[usize]) -> (bool, bool) {
        let (mut always, mut never_two) = (true, true);
        for word in 0..self.states.len().div_ceil(64) {
            let (mut one, mut two) = (0, 0);
            for base in bases {
                let bits = self.columns[*base][word];
                two |= one & bits;
                one |= bits;
            }
            always &= one.count_ones() as usize == (self.states.len() - word * 64).min(64);
            never_two &= two == 0;
        }
        (always, never_two)
    }
}
