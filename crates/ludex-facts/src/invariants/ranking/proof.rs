//! Sums of weights asked of all steps: is there one with which they do not fall?
//!
//! A sum is added up fact by fact. Steps change few facts, so only small values on the way are told apart; what goes
//! beyond counts as anything, and where that is what the solver finds, more values are.

use super::{AT_ONCE, FactChange, Weights, change, sum};
use crate::prove::{Prover, SatAnswer, Unrolling};
use ludex_gdl::budget::Stop;
use ludex_net::Net;
use std::collections::BTreeMap;

/// What a question about sums comes to.
pub(super) enum Question {
    /// They always fall, by these lemmas.
    Proved(Vec<usize>),
    /// Changes with which they do not fall.
    Against(Vec<FactChange>),
    Open,
}

pub(super) struct Proof<'p> {
    prover: &'p Prover,
    play: Unrolling<'p>,
    steps: usize,
    /// For each lemma, to be assumed.
    lemmas: Vec<i32>,
}

/// The values of a sum, each with a literal that is true if it comes to that.
type Values = BTreeMap<i64, i32>;

/// What may be added up, in literals.
const MOST_VALUES: i64 = 400_000;
/// Values on the way, by the greatest weight.
const FIRST_WINDOW: i64 = 4;
const WIDER: i64 = 4;

/// What the solver finds where sums do not fall.
enum Model {
    Change(FactChange),
    None,
    Unknown,
}

impl<'p> Proof<'p> {
    pub fn new(prover: &'p Prover, steps: usize) -> Proof<'p> {
        let (play, lemmas) = prover.any_moves(steps);
        Proof { prover, play, steps, lemmas }
    }

    /// Do these sums fall in all steps?
    pub fn ask(&mut self, sums: &[Vec<(usize, i64)>]) -> Result<Question, Stop> {
        let greatest = sums.iter().flatten().map(|w| w.1.abs()).max().unwrap_or(1);
        let most = sums.iter().map(|s| s.iter().map(|w| w.1.abs()).sum()).max().unwrap_or(1);
        let terms = sums.iter().map(|s| s.len() as i64).sum::<i64>();
        let mut window = FIRST_WINDOW * greatest;
        while window.min(most) * terms <= MOST_VALUES {
            match self.ask_within(sums, window)? {
                Question::Open if window < most => window *= WIDER,
                answer => return Ok(answer),
            }
        }
        Ok(Question::Open)
    }

    /// The same with values up to this told apart; open where that is not enough.
    fn ask_within(&mut self, sums: &[Vec<(usize, i64)>], window: i64) -> Result<Question, Stop> {
        let weights: Vec<Weights> = sums.iter().map(|s| s.iter().copied().collect()).collect();
        let values: Vec<Values> = sums.iter().map(|sum| self.values(sum, window)).collect();
        let asked = self.play.fresh();
        let (mut used, mut against) = (vec![false; self.lemmas.len()], Vec::new());
        for first in 0..sums.len() {
            let mut assumed = self.lemmas.clone();
            assumed.extend(rising(&values, first).chain([asked]));
            loop {
                match self.model(&assumed)? {
                    Model::Unknown => return Ok(Question::Open),
                    Model::None => break,
                    Model::Change(change) => {
                        let of = weights.iter().map(|w| sum(w, &change)).find(|s| *s != 0);
                        if of.is_some_and(|s| s < 0) {
                            return Ok(if against.is_empty() {
                                Question::Open
                            } else {
                                Question::Against(against)
                            });
                        }
                        self.another(&change, sums, asked);
                        against.push(change);
                    }
                }
                if against.len() == AT_ONCE {
                    return Ok(Question::Against(against));
                }
            }
            for (used, lemma) in used.iter_mut().zip(&self.lemmas) {
                *used |= self.play.needed(*lemma);
            }
        }
        self.play.clause([-asked]);
        Ok(match against.is_empty() {
            true => Question::Proved((0..used.len()).filter(|i| used[*i]).collect()),
            false => Question::Against(against),
        })
    }

    /// A fact before and after the steps.
    fn fact(&mut self, base: usize) -> [i32; 2] {
        let net = self.prover.net();
        let now = self.play.at(0, net.base_lit(base));
        [now, self.play.at(self.steps - 1, net.bases[base].next)]
    }

    /// What a sum changes by, as far as it is small.
    fn values(&mut self, sum: &[(usize, i64)], window: i64) -> Values {
        let nothing = self.play.fresh();
        self.play.clause([nothing]);
        let mut values = Values::from([(0, nothing)]);
        for (base, weight) in sum {
            let [now, next] = self.fact(*base);
            let mut more = Values::new();
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
    fn model(&mut self, assumed: &[i32]) -> Result<Model, Stop> {
        Ok(match self.play.solve(assumed, self.prover.effort)? {
            SatAnswer::Unknown => Model::Unknown,
            SatAnswer::Unsat => Model::None,
            SatAnswer::Sat => Model::Change(self.seen()),
        })
    }

    /// The steps of the model, played on the net.
    fn seen(&self) -> FactChange {
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
    fn another(&mut self, change: &FactChange, sums: &[Vec<(usize, i64)>], asked: i32) {
        let mut bases: Vec<usize> = sums.iter().flatten().map(|w| w.0).collect();
        bases.sort_unstable();
        bases.dedup();
        let mut other = vec![-asked];
        for base in bases {
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
fn rising(values: &[Values], sum: usize) -> impl Iterator<Item = i32> {
    let last = sum + 1 == values.len();
    let zero = values[..sum].iter().flat_map(|v| v.iter().filter(|(value, _)| **value != 0));
    let rises = values[sum].iter().filter(move |(value, _)| **value < !last as i64);
    zero.chain(rises).map(|(_, lit)| -lit)
}
