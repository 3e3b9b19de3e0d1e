//! Factors that count in no goal, but whose moves can run out, which ends the match: who played there has only moves
//! left that end it.
//!
//! That is seen in a match, so it is so. Matches keep to the idle factors as long as they can.

use super::{FactorKind, Factors};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_reason::{Move, Random, StateMachine};
use std::sync::Arc;

const MATCHES: usize = 20;
const MOST_STEPS: usize = 200;

impl Factors {
    /// Marks the idle factors whose moves were seen to run out.
    pub(super) fn with_tempo(mut self, budget: &Budget) -> Result<Factors, Stop> {
        let idle = self.factors.iter().filter(|factor| !factor.relevant).count();
        if self.kind != FactorKind::ByChoice || idle == 0 || idle == self.factors.len() {
            return Ok(self);
        }
        let mut machine = Scalar::within(Arc::new(self.net.clone()), budget)?;
        let mut random = Random::new(1);
        for _ in 0..MATCHES {
            budget.check()?;
            let ran_out = self.running_out(&mut machine, &mut random);
            if !ran_out.is_empty() {
                ran_out.into_iter().for_each(|k| self.factors[k].relevant = true);
                let why =
                    "who has no move left in a factor that counts in no goal must end the match";
                self.rests_on.push(why.into());
                break;
            }
        }
        Ok(self)
    }

    /// Plays a match; the idle factors in which a role had moves until it had none but those that end the match.
    fn running_out(&self, machine: &mut Scalar, random: &mut Random) -> Vec<usize> {
        let mut state = machine.initial();
        let mut played: Vec<Vec<usize>> = vec![vec![]; self.net.roles.len()];
        for _ in 0..MOST_STEPS {
            if machine.terminal(&state) {
                return vec![];
            }
            let lists: Vec<Vec<Move>> =
                (0..self.net.roles.len()).map(|role| self.moves(machine, &state, role)).collect();
            if lists.iter().any(Vec::is_empty) {
                return vec![];
            }
            let joint: Vec<Move> =
                lists.iter().map(|list| list[random.below(list.len())]).collect();
            for (role, list) in lists.iter().enumerate() {
                let touched: Vec<usize> = self.idle_factors(joint[role]).collect();
                let is_out = !played[role].is_empty() && list.iter().all(|m| self.counts(*m));
                if is_out && list.iter().all(|m| ends(machine, &state, &joint, role, *m)) {
                    return std::mem::take(&mut played[role]);
                }
                played[role].extend(touched);
            }
            state = machine.next(&state, &joint);
        }
        vec![]
    }

    /// The legal moves of a role: those that do not count, where there are some.
    fn moves(&self, machine: &mut Scalar, state: &State, role: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        machine.legal(state, role, &mut moves);
        let waiting: Vec<Move> = moves.iter().copied().filter(|m| !self.counts(*m)).collect();
        if waiting.is_empty() { moves } else { waiting }
    }

    /// Is a move made in a factor that counts?
    fn counts(&self, made: Move) -> bool {
        (0..self.factors.len()).any(|k| self.factors[k].relevant && self.touches(k, made))
    }

    fn idle_factors(&self, made: Move) -> impl Iterator<Item = usize> {
        (0..self.factors.len())
            .filter(move |k| !self.factors[*k].relevant && self.touches(*k, made))
    }

    fn touches(&self, factor: usize, made: Move) -> bool {
        let factor = &self.factors[factor];
        factor.part_of[made.0 as usize].is_some_and(|part| !factor.elsewhere[part])
    }
}

/// Does a joint move end the match with another move of a role?
fn ends(machine: &mut Scalar, state: &State, joint: &[Move], role: usize, made: Move) -> bool {
    let mut joint = joint.to_vec();
    joint[role] = made;
    let next = machine.next(state, &joint);
    machine.terminal(&next)
}
