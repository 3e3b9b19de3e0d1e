//! `Net` -> `Reach`: the reachable states of a game, all of them where they fit a limit.

use indexmap::IndexMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Joints, Move, StateMachine};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

/// States in the order found, breadth first, so that lines to them are shortest.
pub(crate) struct Reach {
    /// For every state where it was found: the number of a state and the joint move made there.
    states: IndexMap<State, Option<(usize, Vec<Move>)>, FxBuildHasher>,
    /// Whether these are all.
    pub complete: bool,
}

impl Reach {
    /// Visits states until all are known, or `most`, or `wrong` says that one is what was looked
    /// for; its number is given back.
    pub fn search(
        net: &Arc<Net>,
        most: usize,
        budget: &Budget,
        mut wrong: impl FnMut(&mut Scalar, &State) -> bool,
    ) -> Result<(Reach, Option<usize>), Stop> {
        let mut machine = Scalar::within(net.clone(), budget)?;
        let mut reach = Reach { states: IndexMap::default(), complete: true };
        reach.states.insert(machine.initial(), None);
        let mut at = 0;
        while at < reach.states.len() {
            budget.check()?;
            let state = reach.states.get_index(at).expect("in range").0.clone();
            if wrong(&mut machine, &state) {
                return Ok((reach, Some(at)));
            }
            if !machine.terminal(&state) {
                reach.visit(&mut machine, at, &state, most);
            }
            at += 1;
        }
        Ok((reach, None))
    }

    fn visit(&mut self, machine: &mut Scalar, at: usize, state: &State, most: usize) {
        for joint in Joints::of(machine, state) {
            if self.states.len() >= most {
                self.complete = false;
                return;
            }
            let next = machine.next(state, &joint);
            self.states.entry(next).or_insert(Some((at, joint)));
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The joint moves that lead to a state, as inputs of the net.
    pub fn line_to(&self, state: usize) -> Vec<Vec<usize>> {
        let (mut line, mut at) = (Vec::new(), state);
        while let Some((before, joint)) = &self.states[at] {
            line.push(joint.iter().map(|m| m.0 as usize).collect());
            at = *before;
        }
        line.reverse();
        line
    }
}
