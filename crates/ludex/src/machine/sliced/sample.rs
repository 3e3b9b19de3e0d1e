//! States -> `Sample`s: random playouts from the leaves of a search tree, many from each in one pass.
//!
//! The lanes of a word are shared out among the states, an equal number to each. Which move a lane made
//! first is kept, so that a sample also tells the worth of every move in its state.

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
/// Every state has at least this many lanes.
const FEWEST: usize = 8;

impl Sliced {
    /// The most states that one pass can begin with.
    pub fn leaves(&self) -> usize {
        self.lanes() / FEWEST
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
        assert!(self.leaves().is_multiple_of(states.len()), "{} states", states.len());
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
    let shares: Vec<Word<W>> = (0..states.len()).map(|s| share(s, states.len())).collect();
    lanes.begin_from(seed, bound, phase, states.iter().map(|s| &*s.0).zip(shares.iter().copied()));
    lanes.advance(1);
    let first = First::of(lanes, phase);
    while !lanes.is_done() {
        budget.check()?;
        lanes.advance(STEPS);
    }
    Ok(shares.iter().map(|share| first.sample(lanes, *share)).collect())
}

/// The lanes of one state among `count`.
fn share<const W: usize>(state: usize, count: usize) -> Word<W> {
    let size = 64 * W / count;
    let (from, to) = (state * size, (state + 1) * size);
    let below = |lane: usize, e: usize| match lane.saturating_sub(64 * e) {
        bits if bits < 64 => (1u64 << bits) - 1,
        _ => !0,
    };
    Word(std::array::from_fn(|e| below(to, e) & !below(from, e)))
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

    /// What the playouts in these lanes came to.
    fn sample(&self, lanes: &Lanes<W>, share: Word<W>) -> Sample {
        let mut sample = Sample { playouts: share.count(), ..Sample::default() };
        let mut from = 0;
        for (role, values) in lanes.engine().goals.iter().enumerate() {
            let outcomes = values.iter().zip(&lanes.outcomes[from..from + values.len()]);
            from += values.len();
            let sum = |among: Word<W>| -> f64 {
                let of = |((value, _), lanes): (&(i32, u32), &Word<W>)| {
                    *value as f64 * (*lanes & among).count() as f64
                };
                outcomes.clone().map(of).sum()
            };
            sample.goals.push(sum(share));
            let Some((highest, rank)) = &self.0[role] else {
                sample.first.push(Vec::new());
                continue;
            };
            // All lanes of a share have as many moves.
            let bits = highest.iter().enumerate();
            let most: u64 = bits.map(|(i, word)| ((*word & share).any() as u64) << i).sum();
            let of = |k: u64| {
                let digits = rank.iter().enumerate();
                let drew = digits.fold(share, |lanes, (i, word)| match k >> i & 1 {
                    1 => lanes & *word,
                    _ => lanes & !*word,
                });
                (drew.count(), sum(drew))
            };
            sample.first.push((0..=most).map(of).collect());
        }
        sample
    }
}
