//! Play that comes back to a state: then a match need not end.
//!
//! A way back is looked for from states of random matches, on through the states that differ least from where it
//! began: moves that are taken back are found soon, whatever else could be done.

use crate::samples::Samples;
use indexmap::IndexMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Joints, Move, StateMachine};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Steps from one state, by the gates of the net.
const WORK: usize = 20_000_000;

/// How long ways back are looked for.
#[derive(Clone, Copy)]
pub struct LoopPatience {
    /// States from which they are looked for.
    roots: usize,
    /// Steps that are looked at from each.
    steps: usize,
}

impl LoopPatience {
    pub const SHORT: LoopPatience = LoopPatience { roots: 4, steps: 2_000 };
    pub const LONG: LoopPatience = LoopPatience { roots: 40, steps: 20_000 };
}

/// Joint moves to a state that was there before.
pub fn line(
    net: &Arc<Net>,
    samples: &Samples,
    patience: LoopPatience,
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
    for s in steps.iter().step_by(steps.len().div_ceil(patience.roots).max(1)) {
        let root = &samples.states[*s];
        let most = patience.steps.min(WORK / net.gates.len().max(1));
        if let Some(back) = way_back(&mut machine, root, most, budget)? {
            return Ok(Some([samples.line_to(*s), back].concat()));
        }
    }
    Ok(None)
}

/// A way from a state to itself, if it is found in so many steps.
fn way_back(
    machine: &mut Scalar,
    root: &State,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Vec<usize>>>, Stop> {
    let mut found: IndexMap<State, Option<(usize, Vec<Move>)>, FxBuildHasher> = IndexMap::default();
    found.insert(root.clone(), None);
    let mut open = BinaryHeap::from([Reverse((0, 0))]);
    let mut steps = 0;
    while let Some(Reverse((_, at))) = open.pop() {
        budget.check()?;
        let state = found.get_index(at).expect("in range").0.clone();
        if machine.terminal(&state) {
            continue;
        }
        for joint in Joints::of(machine, &state) {
            steps += 1;
            if steps > most {
                return Ok(None);
            }
            let next = machine.next(&state, &joint);
            if next == *root {
                return Ok(Some(way(&found, at, joint)));
            }
            let distance = difference(&next, root);
            if let indexmap::map::Entry::Vacant(new) = found.entry(next) {
                open.push(Reverse((distance, new.index())));
                new.insert(Some((at, joint)));
            }
        }
    }
    Ok(None)
}

/// In how many facts two states differ.
fn difference(a: &State, b: &State) -> u32 {
    a.0.iter().zip(&b.0).map(|(x, y)| (x ^ y).count_ones()).sum()
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
