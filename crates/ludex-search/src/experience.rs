//! `Experience`: what was found out about a game, in an order of its facts and moves that all its guises share.

use super::LeafWay;
use super::evaluation::EvaluationFit;
use ludex_machine::State;
use ludex_reason::{Move, Role};
use ludex_symmetry::same::CanonicalOrder;
use serde::{Deserialize, Serialize};

/// What is worth keeping when a match is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    /// What tells the worth of new states best.
    way: Option<String>,
    learned: Option<LearnedWeights>,
    solved: Vec<SolvedState>,
    openings: Vec<OpeningMove>,
}

/// An evaluation and how far its fitting has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LearnedWeights {
    phases: usize,
    positions: u64,
    gain: f32,
    weights: Vec<f32>,
}

/// A state from which on best play is known, and the joint move made there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SolvedState {
    state: Vec<u32>,
    joint: Vec<u32>,
}

/// A move that a role found in a state, and the visits that it had.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OpeningMove {
    state: Vec<u32>,
    role: u32,
    input: u32,
    visits: u64,
}

/// Of each kind no more are kept.
const MOST: usize = 1_000;
/// Evaluations with more phases are not of this program.
const MOST_PHASES: usize = 64;

impl Experience {
    pub fn way(&self) -> Option<LeafWay> {
        let named = self.way.as_deref()?;
        LeafWay::ALL.into_iter().find(|way| way.to_string() == named)
    }

    /// The evaluation, where it is whole and of this game.
    pub fn evaluation(&self, order: &CanonicalOrder) -> Option<EvaluationFit> {
        let LearnedWeights { phases, positions, gain, weights } = self.learned.as_ref()?;
        let sound = weights.iter().all(|weight| weight.is_finite()) && gain.is_finite();
        if !(1..=MOST_PHASES).contains(phases) || !sound {
            return None;
        }
        let mut fit = EvaluationFit::blank(*phases, order);
        let mut count = 0;
        fit.visit(order, &mut |weight| {
            *weight = weights.get(count).copied().unwrap_or_default();
            count += 1;
        });
        (fit.evaluation.gain, fit.evaluation.positions) = (*gain, *positions);
        (count == weights.len()).then_some(fit)
    }

    pub fn learn(&mut self, order: &CanonicalOrder, way: LeafWay, fit: Option<EvaluationFit>) {
        self.way = Some(way.to_string());
        self.learned = fit.map(|mut fit| {
            let mut weights = Vec::new();
            fit.visit(order, &mut |weight| weights.push(*weight));
            let (positions, gain) = (fit.evaluation.positions, fit.evaluation.gain);
            LearnedWeights { phases: fit.phases(), positions, gain, weights }
        });
    }

    /// States from which on best play is known, and the joint moves made there.
    pub fn solved(&self, order: &CanonicalOrder) -> Vec<(State, Vec<Move>)> {
        let own = |solved: &SolvedState| {
            let mut joint = vec![Move(0); order.roles.len()];
            for (rank, input) in solved.joint.iter().enumerate() {
                let role = order.roles.iter().position(|r| *r as usize == rank)?;
                joint[role] = own_move(order, *input)?;
            }
            let whole = solved.joint.len() == joint.len();
            Some((own_state(order, &solved.state)?, joint)).filter(|_| whole)
        };
        self.solved.iter().filter_map(own).collect()
    }

    /// Keeps a line of best play.
    pub fn solve(&mut self, order: &CanonicalOrder, line: &[(State, Vec<Move>)]) {
        for (state, joint) in line {
            let state = facts(order, state);
            if self.solved.len() < MOST && self.solved.iter().all(|known| known.state != state) {
                let mut moves = vec![0; joint.len()];
                for (role, m) in joint.iter().enumerate() {
                    moves[order.roles[role] as usize] = order.inputs[m.0 as usize];
                }
                self.solved.push(SolvedState { state, joint: moves });
            }
        }
    }

    /// The move that a role found in a state, with its visits.
    pub fn opening(
        &self,
        order: &CanonicalOrder,
        (state, role): (&State, Role),
    ) -> Option<(Move, u64)> {
        let (state, role) = (facts(order, state), order.roles[role]);
        let known =
            self.openings.iter().find(|known| known.role == role && known.state == state)?;
        Some((own_move(order, known.input)?, known.visits))
    }

    /// Keeps a role's move in a state where none with more visits is known.
    pub fn note(
        &mut self,
        order: &CanonicalOrder,
        (state, role): (&State, Role),
        (m, visits): (Move, u64),
    ) {
        let (state, role) = (facts(order, state), order.roles[role]);
        let input = order.inputs[m.0 as usize];
        let here = |known: &&mut OpeningMove| known.role == role && known.state == state;
        match self.openings.iter_mut().find(here) {
            Some(known) if known.visits >= visits => {}
            Some(known) => (known.input, known.visits) = (input, visits),
            None => self.openings.push(OpeningMove { state, role, input, visits }),
        }
        if self.openings.len() > MOST {
            self.openings.sort_by_key(|known| std::cmp::Reverse(known.visits));
            self.openings.truncate(MOST);
        }
    }
}

/// The facts of a state by their places in the order, ascending.
fn facts(order: &CanonicalOrder, state: &State) -> Vec<u32> {
    let held = (0..order.bases.len()).filter(|base| state.holds(*base));
    let mut facts: Vec<u32> = held.map(|base| order.bases[base]).collect();
    facts.sort_unstable();
    facts
}

fn own_state(order: &CanonicalOrder, facts: &[u32]) -> Option<State> {
    let known = facts.iter().all(|fact| (*fact as usize) < order.bases.len());
    known.then(|| State::of(order.bases.iter().map(|base| facts.binary_search(base).is_ok())))
}

fn own_move(order: &CanonicalOrder, rank: u32) -> Option<Move> {
    let place = order.inputs.iter().position(|input| *input == rank)?;
    Some(Move(place as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_reason::Random;

    fn order(bases: &[u32], inputs: &[u32]) -> CanonicalOrder {
        let (bases, inputs) = (bases.to_vec(), inputs.to_vec());
        CanonicalOrder { hash: String::new(), roles: vec![1, 0], bases, inputs }
    }

    #[test]
    fn another_guise_has_the_same_experience() {
        let (here, there) = (order(&[0, 1, 2], &[0, 1]), order(&[2, 0, 1], &[1, 0]));
        let mut fit = EvaluationFit::new(2, 3, 2, &mut Random::new(9));
        (0..50).for_each(|n| fit.fit(&[n % 8], n as usize, &[1.0, 0.0]));
        let mut experience = Experience::default();
        experience.learn(&here, LeafWay::Evaluation, Some(fit.clone()));
        let state = State::of([true, false, true]);
        experience.solve(&here, &[(state.clone(), vec![Move(0), Move(1)])]);
        experience.note(&here, (&state, 1), (Move(1), 70));
        experience.note(&here, (&state, 1), (Move(0), 60));
        let other = experience.evaluation(&there).expect("it is whole");
        // The facts 0 and 2 are numbered 1 and 0 there.
        let turned = State::of([true, true, false]);
        for phase in 0..2 {
            let value = |fit: &EvaluationFit, s: &State| fit.evaluation.values(&s.0, phase);
            assert_eq!(value(&fit, &state), value(&other, &turned));
        }
        assert_eq!(experience.way(), Some(LeafWay::Evaluation));
        assert_eq!(experience.solved(&there), [(turned.clone(), vec![Move(1), Move(0)])]);
        assert_eq!(experience.opening(&there, (&turned, 1)), Some((Move(0), 70)));
        assert_eq!(experience.opening(&there, (&turned, 0)), None);
    }

    #[test]
    fn what_is_not_of_the_game_is_none() {
        let (here, mut experience) = (order(&[0, 1], &[0]), Experience::default());
        let fit = EvaluationFit::blank(1, &here);
        experience.learn(&here, LeafWay::Playouts, Some(fit));
        assert!(experience.evaluation(&here).is_some());
        assert!(experience.evaluation(&order(&[0, 1, 2], &[0])).is_none());
        experience.solve(&here, &[(State::of([true, true]), vec![Move(0), Move(0)])]);
        assert!(experience.solved(&order(&[0], &[0])).is_empty());
        experience.learned.as_mut().expect("learned").weights[3] = f32::NAN;
        assert!(experience.evaluation(&here).is_none());
        experience.way = Some("guessing".into());
        assert_eq!(experience.way(), None);
    }
}
