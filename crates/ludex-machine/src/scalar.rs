//! `Net` -> `Scalar`: the engine for search trees; only what changes between two states is propagated.
//!
//! The machine stands in one state. Asked about another it flips the bases that differ, and the flips
//! travel through the wiring in topological order, so that each node is touched once. The legal moves
//! are kept up as bits by the same flips. A move changes the bases that it touches and no others: the
//! frame problem, solved in the net.
//!
//! It stands in one state. Asked about another it flips the bases that differ, and changes travel
//! through counters, one addition for each reader (`wiring.rs`), level by level (`values.rs`). Only
//! the legal moves and the end of the game are kept up in this way.
//!
//! - `turns.rs`: guesses from a few random states who waits while another moves, and what changes
//!   often. A wrong guess costs time only.
//! - `effects.rs`: cofactors transitions by moves: for nearly all moves a base stays as it is, for
//!   a few it becomes a constant or a condition over the state. So a move is a few bits to clear
//!   and to set, and inputs leave the circuit. Bases that depend on the state after many moves
//!   (hex's connections), and those that two roles decide at once, stay in it.
//! - `guards.rs`: takes what changes at every step and many moves need (whose turn it is) out of
//!   legality: it is asked for when moves are listed.
//! - `lazy.rs`: goals and conditions of effects, evaluated from above when they are asked for.
//! - `wide.rs`: trees of two-input gates become gates with many operands, which is what counters
//!   are good at.
//! - `parts.rs`: which gates are kept up from state to state and which are asked for: by
//!   `costs.rs`, which counts changes and looks in a few random states, and orders the operands of
//!   what is asked for.
//! - `layout.rs`: puts the parts together.

use super::layout::{Layout, RestEffect};
use super::lazy::{Answers, LazyOperand};
use super::state::State;
use super::values::Values;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::{Move, Role, StateMachine, Walks};
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone)]
pub struct Scalar {
    net: Arc<Net>,
    layout: Arc<Layout>,
    /// The inputs of every role.
    roles: Vec<Range<usize>>,
    values: Values,
    answers: Answers,
    /// The bases as they stand in the values.
    now: State,
    /// The inputs that are on in the values.
    joint: Vec<Move>,
}

impl Scalar {
    /// Whole walks, compiled with this engine.
    #[inline(never)]
    pub fn walks(&mut self) -> &mut dyn Walks {
        self
    }

    pub fn new(net: Arc<Net>) -> Scalar {
        Scalar::within(net, &Budget::unlimited()).expect("nothing stops it")
    }

    /// The same with an end: the machine of a large net takes seconds to make.
    pub fn within(net: Arc<Net>, budget: &Budget) -> Result<Scalar, Stop> {
        let layout = Arc::new(Layout::new(&net, budget)?);
        Ok(Scalar {
            values: Values::new(&layout.wiring),
            answers: layout.lazy.answers(net.inputs.len()),
            now: State(vec![0; layout.initial.len()].into()),
            joint: Vec::new(),
            roles: (0..net.roles.len()).map(|r| net.inputs_of(r)).collect(),
            net,
            layout,
        })
    }

    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Brings the machine into a state.
    pub fn load(&mut self, state: &State) {
        if *state == self.now {
            return;
        }
        self.clear_joint();
        let wiring = &self.layout.wiring;
        for (w, now) in self.now.0.iter_mut().enumerate() {
            let mut changed = state.0[w] ^ *now;
            while changed != 0 {
                self.values.flip(wiring, w * 64 + changed.trailing_zeros() as usize);
                changed &= changed - 1;
            }
            *now = state.0[w];
        }
        self.values.propagate(wiring);
        self.answers.forget();
    }

    fn clear_joint(&mut self) {
        while let Some(m) = self.joint.pop() {
            self.values.flip(&self.layout.wiring, self.layout.wiring.bases + m.0 as usize);
        }
    }

    /// Makes a joint move in the values.
    fn make(&mut self, joint: &[Move]) {
        if self.joint != joint {
            self.clear_joint();
            let wiring = &self.layout.wiring;
            joint.iter().for_each(|m| self.values.flip(wiring, wiring.bases + m.0 as usize));
            self.joint.extend_from_slice(joint);
            self.values.propagate(wiring);
        }
    }

    /// Asks for every transition: the roles do not take turns after all.
    fn ask_transitions(&mut self, joint: &[Move], words: &mut [u64]) {
        self.answers.forget();
        joint.iter().for_each(|m| self.answers.flip(m.0 as usize));
        let layout = &self.layout;
        self.answers.set(&layout.lazy, &self.values.counters, words, &layout.transitions);
        joint.iter().for_each(|m| self.answers.flip(m.0 as usize));
        self.answers.forget();
    }
}

impl StateMachine for Scalar {
    type State = State;

    fn roles(&self) -> usize {
        self.net.roles.len()
    }

    fn initial(&mut self) -> State {
        State(self.layout.initial.clone().into())
    }

    fn terminal(&mut self, state: &State) -> bool {
        self.load(state);
        self.answers.ask(&self.layout.lazy, &self.values.counters, self.layout.terminal)
    }

    fn legal(&mut self, state: &State, role: Role, out: &mut Vec<Move>) {
        self.load(state);
        let layout = &self.layout;
        let inputs = &self.roles[role];
        let words = inputs.start / 64..inputs.end.div_ceil(64);
        let first = layout.legal;
        for s in (first + words.start) / 64..(first + words.end).div_ceil(64) {
            let mut some =
                self.values.summary[s] & within(s, &(first + words.start..first + words.end));
            while some != 0 {
                let w = s * 64 + some.trailing_zeros() as usize - first;
                some &= some - 1;
                // Without branches: no one can tell whose turn it is.
                let shut = |base: usize| (self.values.holds(base) as u64).wrapping_sub(1);
                let closed = layout.guards.iter().fold(0, |all, g| all | g.1[w] & shut(g.0));
                let mut left = self.values.outputs[first + w] & within(w, inputs) & !closed;
                while left != 0 {
                    out.push(Move((w * 64 + left.trailing_zeros() as usize) as u32));
                    left &= left - 1;
                }
            }
        }
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        self.load(state);
        if self.layout.wired {
            self.make(joint);
        }
        let Scalar { layout, values, answers, now, .. } = self;
        let (rest, changing) = match &layout.waiting {
            None => (&layout.rest[0], joint),
            Some(waiting) => match mover(joint, waiting) {
                Some(role) => (&layout.rest[role], &joint[role..role + 1]),
                None => (&layout.rest[0], &[][..]),
            },
        };
        let moved = values.outputs[rest.first..].iter().zip(&rest.same).zip(&now.0);
        let mut words: Box<[u64]> = moved.map(|((moved, same), now)| moved | now & same).collect();
        for m in changing {
            let RestEffect { bits, asked } = &layout.moves[m.0 as usize];
            for (word, clear, set) in bits {
                words[*word as usize] = words[*word as usize] & !clear | set;
            }
            answers.set(&layout.lazy, &values.counters, &mut words, asked);
        }
        if changing.is_empty() {
            self.ask_transitions(joint, &mut words);
        }
        State(words)
    }

    fn goal(&mut self, state: &State, role: Role) -> Option<i32> {
        self.load(state);
        let Scalar { layout, values, answers, .. } = self;
        let holds = |g: &&(i32, LazyOperand)| answers.ask(&layout.lazy, &values.counters, g.1);
        let mut goals = layout.goals[role].iter().filter(holds).map(|g| g.0);
        goals.next().filter(|_| goals.next().is_none())
    }

    fn role_text(&self, role: Role) -> String {
        self.net.roles[role].clone()
    }

    fn move_text(&self, _: Role, m: Move) -> String {
        self.net.inputs[m.0 as usize].name.clone()
    }

    fn fact_texts(&self, state: &State) -> Vec<String> {
        let bases = (0..self.net.bases.len()).filter(|b| state.holds(*b));
        bases.map(|b| self.net.bases[b].name.clone()).collect()
    }
}

/// The one role that moves while all others wait.
fn mover(joint: &[Move], waiting: &[usize]) -> Option<Role> {
    let moves = |role: &Role| joint[*role].0 as usize != waiting[*role];
    let mut movers = (0..joint.len()).filter(moves);
    let mover = movers.next().unwrap_or(0);
    movers.next().is_none().then_some(mover)
}

/// The bits of word `w` that lie in a range.
fn within(w: usize, range: &Range<usize>) -> u64 {
    let low = if range.start > w * 64 { u64::MAX << (range.start - w * 64) } else { u64::MAX };
    let high = if range.end < w * 64 + 64 { (1u64 << (range.end - w * 64)) - 1 } else { u64::MAX };
    low & high
}
