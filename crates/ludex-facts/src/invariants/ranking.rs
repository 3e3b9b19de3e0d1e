//! `Ranking`: weights of facts whose sum falls with every step, so that every match ends.
//!
//! Weights are found by linear programming on the changes of sampled steps and then proved of all steps:
//! the solver lists what a step can do to the facts that have a weight, and a step that the sum does not fall
//! with joins the samples. Where one sum is not enough there may be several, the first of which that changes
//! falls (a lexicographic order).

use crate::prove::{Prover, SatAnswer, Unrolling};
use crate::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// Several sums, each of facts (bases) and weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub sums: Vec<Vec<(usize, i64)>>,
}

/// What a step does to the facts: +1 for one that becomes true, -1 for one that becomes false.
type WeightChange = Vec<(usize, i64)>;

/// Sums of a ranking.
const MOST_SUMS: usize = 3;
/// Rounds of proof and new samples.
const ROUNDS: usize = 40;
/// Kinds of steps that are told apart in a proof.
const MOST_KINDS: usize = 6_000;
/// Changes that join a linear program at once.
const AT_ONCE: usize = 60;
const MOST_CHANGES: usize = 3_000;
/// Of one linear program.
const LONGEST: Duration = Duration::from_secs(2);
/// Weights are whole numbers after a multiplication by at most this.
const SCALE: i64 = 12;

impl Ranking {
    /// A ranking that is proved, with the lemmas that were used; none where none was found.
    pub fn find(
        prover: &Prover,
        samples: &Samples,
        budget: &Budget,
    ) -> Result<Option<(Ranking, Vec<usize>)>, Stop> {
        let mut changes = sampled(prover.net(), samples);
        for _ in 0..ROUNDS {
            let Some(ranking) = Ranking::of(&changes, budget)? else { return Ok(None) };
            match ranking.proved(prover)? {
                RankingProof::Proved(lemmas) => return Ok(Some((ranking, lemmas))),
                RankingProof::Open => return Ok(None),
                RankingProof::Against(more) => changes.extend(more),
            }
        }
        Ok(None)
    }

    /// One that fits these changes.
    fn of(changes: &[WeightChange], budget: &Budget) -> Result<Option<Ranking>, Stop> {
        let mut ranking = Ranking { sums: vec![] };
        let mut left: Vec<&WeightChange> = changes.iter().collect();
        while !left.is_empty() {
            if ranking.sums.len() == MOST_SUMS {
                return Ok(None);
            }
            let weights = match falling(&left, budget)? {
                Some(weights) => weights,
                None => match not_rising(&left, budget)? {
                    Some(weights) => weights,
                    None => return Ok(None),
                },
            };
            let before = left.len();
            left.retain(|change| sum(&weights, change) == 0);
            if left.len() == before {
                return Ok(None);
            }
            let mut weights: Vec<(usize, i64)> = weights.into_iter().filter(|w| w.1 != 0).collect();
            weights.sort_unstable();
            ranking.sums.push(weights);
        }
        Ok(Some(ranking))
    }

    fn weights(&self) -> Vec<FxHashMap<usize, i64>> {
        self.sums.iter().map(|sum| sum.iter().copied().collect()).collect()
    }

    /// Lists what steps do to the facts with a weight.
    fn proved(&self, prover: &Prover) -> Result<RankingProof, Stop> {
        let net = prover.net();
        let (mut steps, switches) = prover.any_move();
        let mut bases: Vec<usize> = self.sums.iter().flatten().map(|w| w.0).collect();
        bases.sort_unstable();
        bases.dedup();
        // All facts, since a step with which the sum does not fall is told as a whole.
        let all = (0..net.bases.len())
            .map(|b| [net.base_lit(b), net.bases[b].next].map(|lit| steps.at(0, lit)));
        let all: Vec<[i32; 2]> = all.collect();
        let lits: Vec<[i32; 3]> = bases.iter().map(|b| changing(&mut steps, all[*b])).collect();
        let (weights, mut against) = (self.weights(), Vec::new());
        for _ in 0..MOST_KINDS {
            match steps.solve(&switches, prover.effort)? {
                SatAnswer::Unknown => return Ok(RankingProof::Open),
                SatAnswer::Unsat if against.is_empty() => {
                    let used = (0..switches.len()).filter(|i| steps.needed(switches[*i]));
                    return Ok(RankingProof::Proved(used.collect()));
                }
                SatAnswer::Unsat => return Ok(RankingProof::Against(against)),
                SatAnswer::Sat => {}
            }
            let change = change(net, &steps);
            let falls = weights.iter().map(|w| sum(w, &change)).find(|s| *s != 0);
            if falls.is_none_or(|s| s > 0) {
                against.push(change);
                if against.len() == AT_ONCE {
                    return Ok(RankingProof::Against(against));
                }
            }
            // Another kind of step: of one of these facts another change.
            let holds =
                |b: &usize| [net.base_lit(*b), net.bases[*b].next].map(|lit| steps.holds(0, lit));
            let other =
                bases.iter().zip(&lits).flat_map(|(b, [now, next, changes])| match holds(b) {
                    [true, false] => vec![-now, *next],
                    [false, true] => vec![*now, -next],
                    _ => vec![*changes],
                });
            let other: Vec<i32> = other.collect();
            steps.clause(other);
        }
        match against.is_empty() {
            true => Ok(RankingProof::Open),
            false => Ok(RankingProof::Against(against)),
        }
    }

    /// The most steps that a match can take, where `groups` are disjoint sets of facts of which at most one is
    /// true, with whether one always is. None where that is out of all measure.
    pub fn longest(&self, net: &Net, groups: &[(&[usize], bool)]) -> Option<usize> {
        let mut all: u128 = 1;
        for sum in &self.sums {
            let weights: FxHashMap<usize, i64> = sum.iter().copied().collect();
            let [least, most] = [-1, 1].map(|sign| extreme(&weights, groups, sign));
            let initial: i64 = sum.iter().filter(|w| net.bases[w.0].initial).map(|w| w.1).sum();
            // The first sum only falls, the others may begin anew.
            let from = if all == 1 { initial } else { most };
            all = all.checked_mul((from - least + 1) as u128)?;
        }
        usize::try_from(all - 1).ok().filter(|steps| *steps <= MOST_STEPS)
    }
}

/// A longer bound says nothing.
const MOST_STEPS: usize = 1_000_000_000;

enum RankingProof {
    Proved(Vec<usize>),
    /// Steps with which it does not fall.
    Against(Vec<WeightChange>),
    Open,
}

/// A fact now, after the step, and that it changes.
fn changing(steps: &mut Unrolling, [now, next]: [i32; 2]) -> [i32; 3] {
    let changes = steps.fresh();
    steps.clause([-changes, now, next]);
    steps.clause([-changes, -now, -next]);
    [now, next, changes]
}

/// The greatest sum that is possible, or the least with sign -1.
fn extreme(weights: &FxHashMap<usize, i64>, groups: &[(&[usize], bool)], sign: i64) -> i64 {
    let mut grouped: FxHashSet<usize> = FxHashSet::default();
    let mut total = 0;
    let weight = |b: &usize| sign * weights.get(b).copied().unwrap_or(0);
    for (bases, always) in groups {
        let best = bases.iter().map(weight).max().unwrap_or(0);
        total += if *always { best } else { best.max(0) };
        grouped.extend(*bases);
    }
    let single = weights.keys().filter(|b| !grouped.contains(b));
    sign * (total + single.map(|b| weight(b).max(0)).sum::<i64>())
}

fn sum(weights: &FxHashMap<usize, i64>, change: &WeightChange) -> i64 {
    change.iter().map(|(b, d)| d * weights.get(b).copied().unwrap_or(0)).sum()
}

fn change(net: &Net, steps: &Unrolling) -> WeightChange {
    let change = |b: usize| {
        let [now, next] =
            [net.base_lit(b), net.bases[b].next].map(|lit| steps.holds(0, lit) as i64);
        (b, next - now)
    };
    (0..net.bases.len()).map(change).filter(|c| c.1 != 0).collect()
}

/// The different changes of the sampled steps.
fn sampled(net: &Net, samples: &Samples) -> Vec<WeightChange> {
    let mut seen: FxHashSet<WeightChange> = FxHashSet::default();
    let mut changes = Vec::new();
    for s in samples.steps() {
        let change = |b: usize| (b, samples.holds(s + 1, b) as i64 - samples.holds(s, b) as i64);
        let change: WeightChange = (0..net.bases.len()).map(change).filter(|c| c.1 != 0).collect();
        if seen.insert(change.clone()) {
            changes.push(change);
        }
    }
    changes.truncate(MOST_CHANGES);
    changes
}

type Weights = FxHashMap<usize, i64>;

/// Small weights whose sum falls with every change.
fn falling(changes: &[&WeightChange], budget: &Budget) -> Result<Option<Weights>, Stop> {
    let mut active: Vec<usize> = (0..changes.len().min(AT_ONCE)).collect();
    loop {
        budget.check()?;
        let mut program = LinearProgram::new(OptimizationDirection::Minimize, 1.0);
        for at in &active {
            program.limit(changes[*at], None);
        }
        let Some(weights) = program.solved(|w| active.iter().all(|at| sum(w, changes[*at]) < 0))
        else {
            return Ok(None);
        };
        let wrong = (0..changes.len()).filter(|at| sum(&weights, changes[*at]) >= 0);
        let wrong: Vec<usize> = wrong.take(AT_ONCE).collect();
        if wrong.is_empty() {
            return Ok(Some(weights));
        }
        active.extend(wrong);
    }
}

/// Weights whose sum rises with no change, and falls with as many as possible.
fn not_rising(changes: &[&WeightChange], budget: &Budget) -> Result<Option<Weights>, Stop> {
    budget.check()?;
    let mut program = LinearProgram::new(OptimizationDirection::Maximize, -1e-4);
    for change in changes {
        let falls = program.problem.add_var(1.0, (0.0, 1.0));
        program.limit(change, Some(falls));
    }
    let fits = |w: &Weights| changes.iter().all(|change| sum(w, change) <= 0);
    Ok(program.solved(fits).filter(|w| w.values().any(|v| *v != 0)))
}

/// A linear program for weights: each is the difference of two variables that are not negative.
struct LinearProgram {
    problem: Problem,
    cost: f64,
    weights: FxHashMap<usize, [Variable; 2]>,
}

impl LinearProgram {
    fn new(direction: OptimizationDirection, cost: f64) -> LinearProgram {
        let mut problem = Problem::new(direction);
        problem.set_time_limit(LONGEST);
        LinearProgram { problem, cost, weights: FxHashMap::default() }
    }

    /// The sum falls by one with this change, or by what another variable says.
    fn limit(&mut self, change: &WeightChange, by: Option<Variable>) {
        let mut row = Vec::new();
        for (b, d) in change {
            let cost = self.cost;
            let (problem, weights) = (&mut self.problem, &mut self.weights);
            let new = || [0; 2].map(|_| problem.add_var(cost, (0.0, 1e4)));
            let [plus, minus] = *weights.entry(*b).or_insert_with(new);
            row.extend([(plus, *d as f64), (minus, -*d as f64)]);
        }
        row.extend(by.map(|by| (by, 1.0)));
        let most = if by.is_some() { 0.0 } else { -1.0 };
        self.problem.add_constraint(&row[..], ComparisonOp::Le, most);
    }

    /// Whole numbers that fit.
    fn solved(&self, fits: impl Fn(&Weights) -> bool) -> Option<Weights> {
        let Ok(SolveOutcome::Solution(solution)) = self.problem.solve() else { return None };
        let scaled = |scale: i64| -> Weights {
            let value = |[plus, minus]: &[Variable; 2]| solution[*plus] - solution[*minus];
            let whole = |v: f64| (v * scale as f64).round() as i64;
            self.weights.iter().map(|(b, vars)| (*b, whole(value(vars)))).collect()
        };
        (1..=SCALE).map(scaled).find(fits)
    }
}
