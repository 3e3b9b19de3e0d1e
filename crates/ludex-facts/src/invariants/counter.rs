//! Counters: exactly-one groups whose facts follow each other and never come back.

use crate::prove::{Prover, SatAnswer};
use ludex_gdl::budget::Stop;

/// The largest group that is looked at.
const MOST_FACTS: usize = 2_000;

/// The most steps that a match can take if the group is a counter: the longest way through its facts
/// by steps that are possible; none where they go round in a circle, or where too much is open.
pub fn longest(prover: &Prover, bases: &[usize]) -> Result<Option<usize>, Stop> {
    if bases.len() > MOST_FACTS {
        return Ok(None);
    }
    let Some(successors) = successors(prover, bases)? else { return Ok(None) };
    // Depth of a fact: the longest way from it, found when all its successors have one.
    let mut depth: Vec<Option<usize>> = vec![None; bases.len()];
    for _ in 0..bases.len() {
        let mut changed = false;
        for fact in 0..bases.len() {
            let mut below = successors[fact].iter().map(|s| depth[*s].map(|d| d + 1));
            if depth[fact].is_none() {
                depth[fact] = below.try_fold(0, |m, d| Some(m.max(d?)));
                changed |= depth[fact].is_some();
            }
        }
        if !changed {
            break;
        }
    }
    let initial = bases.iter().position(|b| prover.net().bases[*b].initial);
    Ok(initial.and_then(|i| depth[i]))
}

/// For every fact those that can be true a step later. None where the solver gave up.
fn successors(prover: &Prover, bases: &[usize]) -> Result<Option<Vec<Vec<usize>>>, Stop> {
    let net = prover.net();
    let mut steps = prover.any_state(true);
    let after: Vec<i32> = bases.iter().map(|b| steps.at(0, net.bases[*b].next)).collect();
    let mut found = Vec::new();
    for base in bases {
        let mut next: Vec<usize> = Vec::new();
        let now = steps.at(0, net.base_lit(*base));
        let another = steps.fresh();
        loop {
            match steps.solve(&[now, another], prover.effort)? {
                SatAnswer::Unsat => break,
                SatAnswer::Unknown => return Ok(None),
                SatAnswer::Sat => {
                    let hit = bases.iter().position(|b| steps.holds(0, net.bases[*b].next));
                    let Some(hit) = hit else { return Ok(None) };
                    next.push(hit);
                    steps.clause([-another, -after[hit]]);
                }
            }
        }
        found.push(next);
    }
    Ok(Some(found))
}
