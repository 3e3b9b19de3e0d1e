//! Play that comes back to a state: then a match need not end.

use crate::samples::Samples;
use indexmap::IndexMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Joints, Move, StateMachine};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;

/// States from which ways back are looked for, and states on these ways.
const ROOTS: usize = 40;
const NEAR: usize = 1_500;

/// Joint moves to a state that was there before.
pub fn line(
    net: &Arc<Net>,
    samples: &Samples,
    budget: &Budget,
) -> Result<Option<Vec<Vec<usize>>>, Stop> {
    let mut seen: FxHashMap<&State, usize> = FxHashMap::default();
    for (s, state) in samples.states.iter().enumerate() {
        if seen.insert(state, s).is_some() {
            return Ok(Some(samples.line_to(s)));
        }
        if samples.joints[s].is_empty() {
            seen.clear();
        }
    }
    let mut machine = Scalar::within(net.clone(), budget)?;
    let steps: Vec<usize> = samples.steps().collect();
    for s in steps.iter().step_by(steps.len().div_ceil(ROOTS).max(1)) {
        budget.check()?;
        if let Some(back) = way_back(&mut machine, &samples.states[*s]) {
            return Ok(Some([samples.line_to(*s), back].concat()));
        }
    }
    Ok(None)
}

/// The shortest way from a state to itself, if it is found near by.
fn way_back(machine: &mut Scalar, root: &State) -> Option<Vec<Vec<usize>>> {
    let mut found: IndexMap<State, Option<(usize, Vec<Move>)>, FxBuildHasher> = IndexMap::default();
    found.insert(root.clone(), None);
    let mut at = 0;
    while at < found.len() && found.len() < NEAR {
        let state = found.get_index(at).expect("in range").0.clone();
        if !machine.terminal(&state) {
            for joint in Joints::of(machine, &state) {
                let next = machine.next(&state, &joint);
                if next == *root {
                    return Some(way(&found, at, joint));
                }
                found.entry(next).or_insert(Some((at, joint)));
            }
        }
        at += 1;
    }
    None
}

fn way(
    found: &IndexMap<State, Option<(usize, Vec<Move>)>, FxBuildHasher>,
    mut at: usize,
    last: Vec<Move>,
) -> Vec<Vec<usize>> {
    let mut way = vec![last];
    while let Some((before, joint)) = &found[at] {
        way.push(joint.clone());
        at = *before;
    }
    way.reverse();
    way.iter().map(|joint| joint.iter().map(|m| m.0 as usize).collect()).collect()
}
