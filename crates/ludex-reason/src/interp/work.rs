//! How much work updates take: the same steps of random matches, on any engine of the same game.

use super::run::FULL;
use super::{FactState, Interp, Problem};
use crate::{Move, Random, StateMachine};
use ludex_gdl::rules::Term;

/// Facts, and the joint move made there. The terms of one engine are read by another whose rules
/// have the same names.
pub type Steps = Vec<(Vec<Term>, Vec<Term>)>;

impl Interp {
    /// Steps of random matches.
    pub fn sample_steps(&mut self, count: usize, seed: u64) -> Steps {
        let mut random = Random::new(seed);
        let (mut steps, mut tries) = (Steps::new(), 0);
        let mut state = self.initial();
        while steps.len() < count && tries < 2 * count && self.problem.is_none() {
            tries += 1;
            let lists: Vec<Vec<Move>> = (0..self.roles())
                .map(|role| {
                    let mut moves = Vec::new();
                    self.legal(&state, role, &mut moves);
                    moves
                })
                .collect();
            if lists.iter().any(Vec::is_empty) || self.terminal(&state) {
                state = self.initial();
                continue;
            }
            let mut joint = Vec::new();
            for _ in 0..SIBLINGS {
                joint = lists.iter().map(|moves| moves[random.below(moves.len())]).collect();
                let terms: Vec<Term> = joint.iter().map(|m| self.move_term(*m)).collect();
                steps.push((self.fact_terms(&state), terms));
            }
            state = self.next(&state, &joint);
        }
        steps
    }

    /// The steps of the machine that the updates take, after the moves of each state were asked for.
    /// Facts that are collected count too.
    pub fn work(&mut self, steps: &Steps) -> Result<u64, Problem> {
        let (mut work, mut moves) = (0, Vec::new());
        for (facts, joint) in steps {
            let state = self.state_of(facts);
            for role in 0..self.roles() {
                moves.clear();
                self.legal(&state, role, &mut moves);
            }
            let joint: Vec<Move> = joint.iter().map(|t| self.move_of(t)).collect();
            self.machine.fuel = FULL;
            self.next(&state, &joint);
            work += FULL - self.machine.fuel;
            work += (self.scratch.len() + self.gone.len()) as u64 * PER_FACT;
            work += self.queries.fnext.map_or(0, |_| PER_UPDATE);
            if let Some(problem) = self.problem.take() {
                return Err(problem);
            }
        }
        self.machine.fuel = FULL;
        Ok(work)
    }

    /// The steps as states and moves of this engine.
    pub fn own_steps(&mut self, steps: &Steps) -> Vec<(FactState, Vec<Move>)> {
        let step = |(facts, joint): &(Vec<Term>, Vec<Term>)| {
            (self.state_of(facts), joint.iter().map(|t| self.move_of(t)).collect())
        };
        steps.iter().map(step).collect()
    }

    /// Makes the steps, and asks for the moves of each state once, as a search does.
    pub fn run(&mut self, steps: &[(FactState, Vec<Move>)]) {
        let mut moves = Vec::new();
        for siblings in steps.chunks(SIBLINGS) {
            (0..self.roles()).for_each(|role| self.legal(&siblings[0].0, role, &mut moves));
            moves.clear();
            siblings.iter().for_each(|(state, joint)| drop(self.next(state, joint)));
        }
    }
}

/// Joint moves tried in each state: a search asks for many, a match for one.
const SIBLINGS: usize = 10;
/// What sorting and copying a fact costs, in steps.
const PER_FACT: u64 = 2;
/// What a second question and merging its answers cost, in steps.
const PER_UPDATE: u64 = 40;
