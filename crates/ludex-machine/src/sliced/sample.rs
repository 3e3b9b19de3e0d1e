//! States -> `Sample`s: random playouts from the leaves of a search tree, many from each in one pass.
//!
//! The lanes of a word are shared out among the states, an equal number to each. Which move a lane made
//! first is kept, so that a sample also tells the worth of every move in its state.

use super::lanes::Lanes;
use super::words::Word;
use super::{Sliced, Width};
use crate::State;
use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::Role;
use std::ops::Range;

/// Random playouts from one state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    pub playouts: u64,
    /// Goal values added up, by role. A playout that does not end in a goal adds nothing.
    pub goals: Vec<f64>,
    /// By role and by rank of its first move among the legal ones: playouts, and goal values of this
    /// role added up. Empty for roles that never have a choice in this phase.
    pub first: Vec<Vec<(u64, f64)>>,
    /// By input: the share of the playouts that made this move at any time, and that share times the goal
    /// value which its maker got on average. Empty where the engine does not tell moves.
    pub made: Vec<(f32, f32)>,
}

/// Steps between two looks at the budget: few, since a step can take long.
const STEPS: u64 = 8;
/// Every state has at least this many lanes.
const FEWEST: usize = 8;

impl Sliced {
    /// Of the last samples: moves that were chosen among several, and how many of them the same playout
    /// had made before.
    pub fn repeats(&self) -> (u64, u64) {
        match &self.width {
            Width::W1(lanes) => lanes.repeats,
            Width::W4(lanes) => lanes.repeats,
            Width::W8(lanes) => lanes.repeats,
            Width::W16(lanes) => lanes.repeats,
        }
    }

    /// The most states that one pass can begin with.
    pub fn leaves(&self) -> usize {
        self.lanes() / FEWEST
    }

    /// The phase of a state: one pass begins in one phase.
    pub fn phase(&self, state: &State) -> Option<usize> {
        self.phases.phase_of(|base| state.holds(base))
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
            Width::W16(lanes) => sample(lanes, (seed, bound, phase), states, budget),
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
    let size = 64 * W / states.len();
    let of = |(number, share): (usize, &Word<W>)| {
        let elements = number * size / 64..((number + 1) * size).div_ceil(64);
        Sample { made: made(lanes, *share, elements), ..first.sample(lanes, *share) }
    };
    Ok(shares.iter().enumerate().map(of).collect())
}

/// What the moves came to that were made in the lanes of a share, which has only these elements.
fn made<const W: usize>(
    lanes: &mut Lanes<W>,
    share: Word<W>,
    elements: Range<usize>,
) -> Vec<(f32, f32)> {
    let engine = lanes.engine().clone();
    if engine.phases.iter().all(|phase| phase.made.is_empty()) {
        return Vec::new();
    }
    let mut from = 0;
    let mut outcomes: Vec<Vec<(f32, Word<W>)>> = Vec::new();
    let playouts = share.count() as f32;
    for values in &engine.goals {
        let words = lanes.outcomes[from..].iter().map(|word| *word & share);
        let all = values.iter().map(|(value, _)| *value as f32 / playouts).zip(words);
        outcomes.push(all.filter(|(value, word)| *value != 0.0 && word.any()).collect());
        from += values.len();
    }
    let count = |a: &Word<W>, b: &Word<W>| -> u32 {
        elements.clone().map(|e| (a.0[e] & b.0[e]).count_ones()).sum()
    };
    let of = |(word, mover): (&Word<W>, &Role)| match count(word, &share) {
        0 => (0.0, 0.0),
        n => {
            let value = |(value, lanes): &(f32, Word<W>)| value * count(word, lanes) as f32;
            (n as f32 / playouts, outcomes[*mover].iter().map(value).sum())
        }
    };
    lanes.made().iter().zip(&engine.movers).map(of).collect()
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
