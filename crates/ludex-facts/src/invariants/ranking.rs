//! `Ranking`: weights of facts whose sum falls, so that every match ends.
//!
//! Weights are found by linear programming on the changes of sampled steps and then proved of all steps: a step with
//! which the sum does not fall joins the samples. Where one sum is not enough there may be several, the first of which
//! that changes falls (a lexicographic order). Where a role may have to pass, it is the change in several steps, one
//! after the other, with which they fall. What steps can do is listed where that is soon done, else sums are added up in
//! the solver.

mod added;
mod listed;
mod weights;

use crate::prove::Prover;
use crate::samples::Samples;
use added::AddedSums;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use rustc_hash::{FxHashMap, FxHashSet};
use weights::{falling, not_rising};

/// Facts (bases) and weights.
type WeightSum = Vec<(usize, i64)>;

/// Several sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub sums: Vec<WeightSum>,
    /// In how many steps, one after the other, they fall.
    pub steps: usize,
}

/// What steps do to the facts: +1 for one that becomes true, -1 for one that becomes false.
type WeightChange = Vec<(usize, i64)>;
type Weights = FxHashMap<usize, i64>;

/// Sums of a ranking.
const MOST_SUMS: usize = 3;
/// Steps after which the sums are compared.
const MOST_STEPS: usize = 3;
/// Rounds of proof and new samples.
const ROUNDS: usize = 40;
/// Changes that join a linear program at once.
const AT_ONCE: usize = 60;
const MOST_CHANGES: usize = 3_000;
/// A longer bound says nothing.
const LONGEST: usize = 1_000_000_000;

/// What a question about sums comes to.
enum RankingProof {
    /// They always fall, by these lemmas.
    Proved(Vec<usize>),
    /// Changes with which they do not fall.
    Against(Vec<WeightChange>),
    Open,
}

/// What a search for weights comes to.
enum RankingSearch {
    Found(Ranking, Vec<usize>),
    /// No weights fit what was seen.
    Impossible,
    Open,
}

impl Ranking {
    /// A ranking that is proved, with the lemmas that were used; none where none was found.
    pub fn find(
        prover: &Prover,
        samples: &Samples,
        budget: &Budget,
    ) -> Result<Option<(Ranking, Vec<usize>)>, Stop> {
        for steps in 1..=prover.net().roles.len().min(MOST_STEPS) {
            let mut changes = sampled(prover.net(), samples, steps);
            let mut found = RankingSearch::Open;
            if steps == 1 {
                let mut ask = |sums: &[WeightSum]| listed::ask(prover, sums);
                found = search(&mut changes, steps, &mut ask, budget)?;
            }
            if matches!(found, RankingSearch::Open) {
                let mut added = AddedSums::new(prover, steps);
                found = search(&mut changes, steps, &mut |sums| added.ask(sums), budget)?;
            }
            if let RankingSearch::Found(ranking, lemmas) = found {
                return Ok(Some((ranking, lemmas)));
            }
        }
        Ok(None)
    }

    /// The most steps that a match can take, where `groups` are disjoint sets of facts of which at most one is
    /// true, with whether one always is. None where that is out of all measure.
    pub fn longest(&self, net: &Net, groups: &[(&[usize], bool)]) -> Option<usize> {
        let mut all: u128 = 1;
        for sum in &self.sums {
            let weights: Weights = sum.iter().copied().collect();
            let [least, most] = [-1, 1].map(|sign| extreme(&weights, groups, sign));
            let initial: i64 = sum.iter().filter(|w| net.bases[w.0].initial).map(|w| w.1).sum();
            // The first sum only falls, the others may begin anew.
            let from = if all == 1 { initial } else { most };
            all = all.checked_mul((from - least + 1) as u128)?;
        }
        let longest = all.checked_mul(self.steps as u128)? - 1;
        usize::try_from(longest).ok().filter(|steps| *steps <= LONGEST)
    }
}

/// Weights that fit the changes, asked about until the answer is no more change.
fn search(
    changes: &mut Vec<WeightChange>,
    steps: usize,
    ask: &mut dyn FnMut(&[WeightSum]) -> Result<RankingProof, Stop>,
    budget: &Budget,
) -> Result<RankingSearch, Stop> {
    for _ in 0..ROUNDS {
        let Some(sums) = fitting(changes, budget)? else { return Ok(RankingSearch::Impossible) };
        match ask(&sums)? {
            RankingProof::Proved(lemmas) => {
                return Ok(RankingSearch::Found(Ranking { sums, steps }, lemmas));
            }
            RankingProof::Open => return Ok(RankingSearch::Open),
            RankingProof::Against(more) => changes.extend(more),
        }
    }
    Ok(RankingSearch::Open)
}

/// Sums that fall with these changes.
fn fitting(changes: &[WeightChange], budget: &Budget) -> Result<Option<Vec<WeightSum>>, Stop> {
    let mut sums = Vec::new();
    let mut left: Vec<&WeightChange> = changes.iter().collect();
    while !left.is_empty() {
        if sums.len() == MOST_SUMS {
            return Ok(None);
        }
        let weights = match falling(&left, budget)? {
            Some(weights) => Some(weights),
            None => not_rising(&left, budget)?,
        };
        let Some(weights) = weights else { return Ok(None) };
        let before = left.len();
        left.retain(|change| sum(&weights, change) == 0);
        if left.len() == before {
            return Ok(None);
        }
        let mut weights: WeightSum = weights.into_iter().filter(|w| w.1 != 0).collect();
        weights.sort_unstable();
        sums.push(weights);
    }
    Ok(Some(sums))
}

/// The facts that have a weight.
fn weighted(sums: &[WeightSum]) -> Vec<usize> {
    let mut bases: Vec<usize> = sums.iter().flatten().map(|w| w.0).collect();
    bases.sort_unstable();
    bases.dedup();
    bases
}

/// Does the first of these sums that changes fall?
fn falls(weights: &[Weights], change: &WeightChange) -> bool {
    weights.iter().map(|w| sum(w, change)).find(|s| *s != 0).is_some_and(|s| s < 0)
}

/// The greatest sum that is possible, or the least with sign -1.
fn extreme(weights: &Weights, groups: &[(&[usize], bool)], sign: i64) -> i64 {
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

fn sum(weights: &Weights, change: &WeightChange) -> i64 {
    change.iter().map(|(b, d)| d * weights.get(b).copied().unwrap_or(0)).sum()
}

/// The facts that differ between two states.
fn change(
    before: impl Fn(usize) -> bool,
    after: impl Fn(usize) -> bool,
    bases: usize,
) -> WeightChange {
    let change = |b: usize| (b, after(b) as i64 - before(b) as i64);
    (0..bases).map(change).filter(|c| c.1 != 0).collect()
}

/// The different changes in so many sampled steps.
fn sampled(net: &Net, samples: &Samples, steps: usize) -> Vec<WeightChange> {
    let mut seen: FxHashSet<WeightChange> = FxHashSet::default();
    let mut changes = Vec::new();
    let goes_on = |s: &usize| samples.joints[*s..*s + steps].iter().all(|joint| !joint.is_empty());
    for s in (0..samples.states.len().saturating_sub(steps)).filter(goes_on) {
        let holds = |at: usize| move |b: usize| samples.holds(at, b);
        let change = change(holds(s), holds(s + steps), net.bases.len());
        if seen.insert(change.clone()) {
            changes.push(change);
        }
    }
    changes.truncate(MOST_CHANGES);
    changes
}
