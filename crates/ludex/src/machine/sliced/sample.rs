//! States -> `Sample`s: random playouts from the leaves of a search tree, many from each in one pass.
//!
//! The lanes of a word are shared out among the states, whole elements of 64 lanes to each. Which move
//! a lane made first is kept, so that a sample also tells the worth of every move in its state.

use super::lanes::Lanes;
use super::words::Word;
use super::{Sliced, Width, holds};
use crate::budget::{Budget, Stop};
use crate::machine::State;

/// Random playouts from one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    pub playouts: u64,
    /// Goal values added up, by role. A playout that does not end in a goal adds nothing.
    pub goals: Vec<f64>,
    /// By role and by rank of its first move among the legal ones: playouts, and goal values of this
    /// role added up. Empty for roles that never have a choice in this phase.
    pub first: Vec<Vec<(u64, f64)>>,
}

/// Steps between two looks at the budget: few, since a step can take long.
const STEPS: u64 = 8;

impl Sliced {
    /// The most states that one pass can begin with.
    pub fn leaves(&self) -> usize {
        self.lanes() / 64
    }

    /// The phase of a state: one pass begins in one phase.
    pub fn phase(&self, state: &State) -> Option<usize> {
        self.phases.phase_of(|base| holds(state, base))
    }

    /// Plays from states that are in this phase and not terminal. Their number divides `leaves`.
    pub fn sample(
        &mut self,
        seed: u64,
        phase: usize,
        states: &[&State],
        budget: &Budget,
    ) -> Result<Vec<Sample>, Stop> {
        let bound = self.bound;
        match &mut self.width {
            Width::W1(lanes) => sample(lanes, (seed, bound, phase), states, budget),
            Width::W4(lanes) => sample(lanes, (seed, bound, phase), states, budget),
            Width::W8(lanes) => sample(lanes, (seed, bound, phase), states, budget),
        }
    }
}

fn sample<const W: usize>(
    lanes: &mut Lanes<W>,
    (seed, bound, phase): (u64, u64, usize),
    states: &[&State],
    budget: &Budget,
) -> Result<Vec<Sample>, Stop> {
    assert!(W.is_multiple_of(states.len()), "{} states share {W} elements", states.len());
    let share = W / states.len();
    let splat = |state: &State, base| if holds(state, base) { !0u64 } else { 0 };
    lanes.begin_from(seed, bound, phase, |base| {
        Word(std::array::from_fn(|e| splat(states[e / share], base)))
    });
    lanes.advance(1);
    let first = First::of(lanes, phase);
    while !lanes.is_done() {
        budget.check()?;
        lanes.advance(STEPS);
    }
    Ok((0..states.len()).map(|s| first.sample(lanes, s * share..(s + 1) * share)).collect())
}

/// What lanes drew in the first step: by role the number of legal moves less one, and the rank, both
/// in binary.
struct First<const W: usize>(Vec<Option<(Vec<Word<W>>, Vec<Word<W>>)>>);

impl<const W: usize> First<W> {
    fn of(lanes: &mut Lanes<W>, phase: usize) -> First<W> {
        let mut first = vec![None; lanes.engine().goals.len()];
        for (role, highest, rank) in lanes.drawn(phase) {
            first[role] = Some((highest, rank));
        }
        First(first)
    }

    fn sample(&self, lanes: &Lanes<W>, elements: std::ops::Range<usize>) -> Sample {
        let roles = &lanes.engine().goals;
        let mut sample = Sample { playouts: 64 * elements.len() as u64, ..Sample::default() };
        let mut from = 0;
        for (role, values) in roles.iter().enumerate() {
            let outcomes = &lanes.outcomes[from..from + values.len()];
            from += values.len();
            // Goal values added up over the lanes of a mask.
            let sum = |mask: &dyn Fn(usize) -> u64| -> f64 {
                let of = |word: &Word<W>| -> u32 {
                    elements.clone().map(|e| (word.0[e] & mask(e)).count_ones()).sum()
                };
                values.iter().zip(outcomes).map(|((v, _), word)| *v as f64 * of(word) as f64).sum()
            };
            sample.goals.push(sum(&|_| !0));
            let Some((highest, rank)) = &self.0[role] else {
                sample.first.push(Vec::new());
                continue;
            };
            let bits = highest.iter().enumerate();
            let most: u64 = bits.map(|(i, w)| (w.0[elements.start] & 1) << i).sum();
            let lanes_of = |k: u64, e: usize| {
                let agrees =
                    |(i, word): (usize, &Word<W>)| !(word.0[e] ^ (k >> i & 1).wrapping_neg());
                rank.iter().enumerate().map(agrees).fold(!0, |all, lanes| all & lanes)
            };
            let of = |k: u64| {
                let masks: [u64; W] =
                    std::array::from_fn(|e| if elements.contains(&e) { lanes_of(k, e) } else { 0 });
                let count: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
                (count as u64, sum(&|e| masks[e]))
            };
            sample.first.push((0..=most).map(of).collect());
        }
        sample
    }
}
