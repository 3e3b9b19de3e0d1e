//! Sums of weights asked of all steps, one after the other: are there some with which they do not fall?
//!
//! A sum is added up fact by fact. Steps change few facts, so only small values on the way are told apart; what goes
//! beyond counts as anything, and where that is what the solver finds, more values are.

use super::{AT_ONCE, RankingProof, WeightChange, WeightSum, Weights, change, falls, weighted};
use crate::prove::{Prover, SatAnswer, Unrolling};
use ludex_gdl::budget::Stop;
use ludex_net::Net;
use std::collections::BTreeMap;

pub(super) struct AddedSums<'p> {
    prover: &'p Prover,
    play: Unrolling<'p>,
    steps: usize,
    /// For each lemma, to be assumed.
    lemmas: Vec<i32>,
}

/// The values of a sum, each with a literal that is true if it comes to that.
type SumValues = BTreeMap<i64, i32>;

/// What may be added up, in literals.
const MOST_VALUES: i64 = 400_000;
/// Values on the way, by the greatest weight.
const FIRST_WINDOW: i64 = 4;
const WIDER: i64 = 4;

/// What the solver finds where sums do not fall.
enum FoundSteps {
    Change(WeightChange),
    None,
    Unknown,
}

impl<'p> AddedSums<'p> {
    pub fn new(prover: &'p Prover, steps: usize) -> AddedSums<'p> {
        let (play, lemmas) = prover.any_moves(steps);
        AddedSums { prover, play, steps, lemmas }
    }

    /// Do these sums fall in all steps?
    pub fn ask(&mut self, sums: &[WeightSum]) -> Result<RankingProof, Stop> {
        if sums.is_empty() {
            // No steps were seen.
            return Ok(RankingProof::Open);
        }
        let greatest = sums.iter().flatten().map(|w| w.1.abs()).max().unwrap_or(1);
        let most = sums.iter().map(|s| s.iter().map(|w| w.1.abs()).sum()).max().unwrap_or(1);
        let terms = sums.iter().map(|s| s.len() as i64).sum::<i64>();
        let mut window = FIRST_WINDOW * greatest;
        while window.min(most) * terms <= MOST_VALUES {
            match self.ask_within(sums, window)? {
                RankingProof::Open if window < most => window *= WIDER,
                answer => return Ok(answer),
            }
        }
        Ok(RankingProof::Open)
    }

    /// The same with values up to this told apart; open where that is not enough.
    fn ask_within(&mut self, sums: &[WeightSum], window: i64) -> Result<RankingProof, Stop> {
        let weights: Vec<Weights> = sums.iter().map(|s| s.iter().copied().collect()).collect();
        let values: Vec<SumValues> = sums.iter().map(|sum| self.values(sum, window)).collect();
        let asked = self.play.fresh();
        let (mut used, mut against) = (vec![false; self.lemmas.len()], Vec::new());
        for first in 0..sums.len() {
            let mut assumed = self.lemmas.clone();
            assumed.extend(rising(&values, first).chain([asked]));
            loop {
                match self.model(&assumed)? {
                    FoundSteps::Unknown => return Ok(RankingProof::Open),
                    FoundSteps::None => break,
                    FoundSteps::Change(change) => {
                        if falls(&weights, &change) {
                            return Ok(if against.is_empty() {
                                RankingProof::Open
                            } else {
                                RankingProof::Against(against)
                            });
                        }
                        self.another(&change, sums, asked);
                        against.push(change);
                    }
                }
                if against.len() == AT_ONCE {
                    return Ok(RankingProof::Against(against));
                }
            }
            for (used, lemma) in used.iter_mut().zip(&self.lemmas) {
                *used |= self.play.needed(*lemma);
            }
        }
        self.play.clause([-asked]);
        Ok(match against.is_empty() {
            true => RankingProof::Proved((0..used.len()).filter(|i| used[*i]).collect()),
            false => RankingProof::Against(against),
        })
    }

    /// A fact before and after the steps.
    fn fact(&mut self, base: usize) -> [i32; 2] {
        let net = self.prover.net();
        let now = self.play.at(0, net.base_lit(base));
        [now, self.play.at(self.steps - 1, net.bases[base].next)]
    }

    /// What a sum changes by, as far as it is small.
    fn values(&mut self, sum: &[(usize, i64)], window: i64) -> SumValues {
        let nothing = self.play.fresh();
        self.play.clause([nothing]);
        let mut values = SumValues::from([(0, nothing)]);
        for (base, weight) in sum {
            let [now, next] = self.fact(*base);
            let mut more = SumValues::new();
            for (value, so_far) in values {
                for (by, other) in [
                    (0, [now, next]),
                    (0, [-now, -next]),
                    (*weight, [now, -next]),
                    (-*weight, [-now, next]),
                ] {
                    if (value + by).abs() <= window {
                        let to = *more.entry(value + by).or_insert_with(|| self.play.fresh());
                        self.play.clause([-so_far, other[0], other[1], to]);
                    }
                }
            }
            values = more;
        }
        values
    }

    /// What changes in a model.
    fn model(&mut self, assumed: &[i32]) -> Result<FoundSteps, Stop> {
        Ok(match self.play.solve(assumed, self.prover.effort)? {
            SatAnswer::Unknown => FoundSteps::Unknown,
            SatAnswer::Unsat => FoundSteps::None,
            SatAnswer::Sat => FoundSteps::Change(self.seen()),
        })
    }

    /// The steps of the model, played on the net.
    fn seen(&self) -> WeightChange {
        let net = self.prover.net();
        let before: Vec<bool> = (0..net.bases.len())
            .map(|b| {
                self.play.is_encoded(0, net.base_lit(b)) && self.play.holds(0, net.base_lit(b))
            })
            .collect();
        let mut after = before.clone();
        for t in 0..self.steps {
            let mut made = vec![false; net.inputs.len()];
            self.play.joint(t).into_iter().for_each(|i| made[i] = true);
            let values = net.evaluate(&after, &made);
            after = net.bases.iter().map(|b| Net::holds(&values, b.next)).collect();
        }
        change(|b| before[b], |b| after[b], net.bases.len())
    }

    /// From now on another change, of one of the facts that have a weight.
    fn another(&mut self, change: &WeightChange, sums: &[WeightSum], asked: i32) {
        let mut other = vec![-asked];
        for base in weighted(sums) {
            let [now, next] = self.fact(base);
            match change.iter().find(|c| c.0 == base) {
                Some((_, 1)) => other.extend([now, -next]),
                Some(_) => other.extend([-now, next]),
                None => {
                    let changes = self.play.fresh();
                    self.play.clause([-changes, now, next]);
                    self.play.clause([-changes, -now, -next]);
                    other.push(changes);
                }
            }
        }
        self.play.clause(other);
    }
}

/// The sums before this one do not change, and it rises; the last one does not fall.
fn rising(values: &[SumValues], sum: usize) -> impl Iterator<Item = i32> {
    let last = sum + 1 == values.len();
    let zero = values[..sum].iter().flat_map(|v| v.iter().filter(|(value, _)| **value != 0));
    let rises = values[sum].iter().filter(move |(value, _)| **value < !last as i64);
    zero.chain(rises).map(|(_, lit)| -lit)
}
