//! Sampled states -> `WatchedMoves`: what every legal move changes in them.

use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Batch, Scalar};
use ludex_net::Net;
use ludex_reason::{Move, Role, StateMachine};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// All moves in some states.
#[derive(Default)]
pub struct WatchedMoves {
    pub states: Vec<WatchedState>,
    /// Of each transition the bases that change.
    changes: Vec<u32>,
    ends: Vec<usize>,
    pub stopped: Option<Stop>,
}

/// A state with the moves in it.
pub struct WatchedState {
    /// Its number among the samples.
    pub sample: usize,
    /// The only role that has a choice, or else the only one whose move is not idle; none where there is none.
    pub chooser: Option<Role>,
    /// The moves of a state where nobody has a choice.
    forced: Vec<Move>,
    pub transitions: Range<usize>,
}

/// So many transitions are enough, and so many changes by them.
const MOST: usize = 150_000;
const MOST_CHANGES: usize = 20_000_000;

impl WatchedMoves {
    pub fn transitions(&self) -> usize {
        self.ends.len()
    }

    pub fn changes(&self, transition: usize) -> &[u32] {
        let start = if transition == 0 { 0 } else { self.ends[transition - 1] };
        &self.changes[start..self.ends[transition]]
    }

    /// Makes all moves of one role after the other, the others' being those of the sample or their first, in
    /// states from all over the samples.
    pub fn new(
        net: &Arc<Net>,
        samples: &Samples,
        batch: &mut Batch,
        budget: &Budget,
    ) -> Result<WatchedMoves, Stop> {
        let mut scalar = Scalar::within(net.clone(), budget)?;
        let mut watched = WatchedMoves::default();
        // The moves that roles had to make while another one chose.
        let mut idle: FxHashSet<Move> = FxHashSet::default();
        for sample in spread(samples.states.len()) {
            if watched.transitions() >= MOST || watched.changes.len() >= MOST_CHANGES {
                break;
            }
            if let Err(stop) = budget.check() {
                watched.stopped = Some(stop);
                break;
            }
            if !samples.terminal[sample] {
                watched.visit(sample, samples, &mut scalar, batch, &mut idle);
            }
        }
        for state in watched.states.iter_mut().filter(|state| !state.forced.is_empty()) {
            let busy = |role: &Role| !idle.contains(&state.forced[*role]);
            let mut busy = (0..state.forced.len()).filter(busy);
            state.chooser = busy.next().filter(|_| busy.next().is_none());
        }
        Ok(watched)
    }

    fn visit(
        &mut self,
        sample: usize,
        samples: &Samples,
        scalar: &mut Scalar,
        batch: &mut Batch,
        idle: &mut FxHashSet<Move>,
    ) {
        let state = &samples.states[sample];
        let legal: Vec<Vec<Move>> = (0..scalar.roles())
            .map(|role| {
                let mut moves = Vec::new();
                scalar.legal(state, role, &mut moves);
                moves
            })
            .collect();
        if legal.iter().any(Vec::is_empty) {
            return;
        }
        let firsts: Vec<Move> = match &samples.joints[sample][..] {
            [] => legal.iter().map(|moves| moves[0]).collect(),
            joint => joint.to_vec(),
        };
        let choosing: Vec<Role> = (0..legal.len()).filter(|r| legal[*r].len() > 1).collect();
        let (mut row, mut next) = (Vec::new(), Vec::new());
        batch.push(state, &mut row);
        let joints = joints(&firsts, &legal, &choosing);
        batch.follow(&row, &vec![0; joints.len() / firsts.len()], &joints, &mut next);
        let start = self.transitions();
        for after in next.chunks_exact(row.len()) {
            self.note(&row, after);
        }
        let chooser = if let [one] = choosing[..] { Some(one) } else { None };
        if let Some(one) = chooser {
            idle.extend((0..legal.len()).filter(|role| *role != one).map(|role| legal[role][0]));
        }
        let forced = if choosing.is_empty() { firsts } else { vec![] };
        let transitions = start..self.transitions();
        self.states.push(WatchedState { sample, chooser, forced, transitions });
    }

    fn note(&mut self, before: &[u64], after: &[u64]) {
        for (word, (a, b)) in before.iter().zip(after).enumerate() {
            let mut differ = a ^ b;
            while differ != 0 {
                self.changes.push(word as u32 * 64 + differ.trailing_zeros());
                differ &= differ - 1;
            }
        }
        self.ends.push(self.changes.len());
    }
}

/// The joint moves in which one role varies.
fn joints(firsts: &[Move], legal: &[Vec<Move>], choosing: &[Role]) -> Vec<Move> {
    let mut joints = Vec::new();
    for role in choosing {
        for m in &legal[*role] {
            let at = joints.len();
            joints.extend_from_slice(firsts);
            joints[at + role] = *m;
        }
    }
    if joints.is_empty() { firsts.to_vec() } else { joints }
}

/// The numbers below `count`, the first first, far ones after each other.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let stride = [997, 991, 983].into_iter().find(|s| !count.is_multiple_of(*s)).unwrap_or(1);
    (0..count).map(move |i| i * stride % count)
}
