//! Sums of weights asked of all steps: the solver lists what a step can do to the facts that have a weight.

use super::{AT_ONCE, RankingProof, WeightChange, WeightSum, Weights, change, falls, weighted};
use crate::prove::{Prover, SatAnswer, Unrolling};
use ludex_gdl::budget::Stop;
use ludex_net::Net;

/// Kinds of steps that are told apart.
const MOST_KINDS: usize = 6_000;

/// Do these sums fall with every step?
pub(super) fn ask(prover: &Prover, sums: &[WeightSum]) -> Result<RankingProof, Stop> {
    let net = prover.net();
    let (mut steps, switches) = prover.any_moves(1);
    let bases = weighted(sums);
    // All facts, since a step with which the sum does not fall is told as a whole.
    let all = (0..net.bases.len())
        .map(|b| [net.base_lit(b), net.bases[b].next].map(|lit| steps.at(0, lit)));
    let all: Vec<[i32; 2]> = all.collect();
    let lits: Vec<[i32; 3]> = bases.iter().map(|b| changing(&mut steps, all[*b])).collect();
    let weights: Vec<Weights> = sums.iter().map(|s| s.iter().copied().collect()).collect();
    let mut against = Vec::new();
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
        let change = seen(net, &steps);
        if !falls(&weights, &change) {
            against.push(change);
            if against.len() == AT_ONCE {
                return Ok(RankingProof::Against(against));
            }
        }
        // Another kind of step: of one of these facts another change.
        let holds =
            |b: &usize| [net.base_lit(*b), net.bases[*b].next].map(|lit| steps.holds(0, lit));
        let other = bases.iter().zip(&lits).flat_map(|(b, [now, next, changes])| match holds(b) {
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

/// What the step of a model does.
fn seen(net: &Net, steps: &Unrolling) -> WeightChange {
    let before = |b: usize| steps.holds(0, net.base_lit(b));
    change(before, |b| steps.holds(0, net.bases[b].next), net.bases.len())
}

/// A fact now, after the step, and that it changes.
fn changing(steps: &mut Unrolling, [now, next]: [i32; 2]) -> [i32; 3] {
    let changes = steps.fresh();
    steps.clause([-changes, now, next]);
    steps.clause([-changes, -now, -next]);
    [now, next, changes]
}
