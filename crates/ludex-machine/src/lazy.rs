//! Gates -> `Lazy`: a part of a circuit that is evaluated when it is asked for, as far as needed.
//!
//! Goals, the conditions of a move's effects, and transitions in which two moves meet are asked for
//! rarely, so that keeping them up from state to state would be wasted.

use super::wide::Wide;
use super::wiring::Wiring;
use ludex_net::{Lit, Net};
use std::ops::Range;

/// What can be asked: `index << 3 | kind << 1 | negated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LazyOperand(u32);

const NODE: u32 = 0;
const WIRED: u32 = 1;
const INPUT: u32 = 2;
const FALSE: u32 = 3;

impl LazyOperand {
    fn new(index: usize, kind: u32) -> LazyOperand {
        LazyOperand((index as u32) << 3 | kind << 1)
    }
}

pub struct Lazy {
    /// Where the operands of each node begin, and whether it is an `or`.
    nodes: Vec<(u32, bool)>,
    operands: Vec<LazyOperand>,
    /// What stands for a gate.
    gates: Vec<LazyOperand>,
    components: Vec<Range<usize>>,
    /// Asked from below instead of from above: recursive, or too deep for the stack.
    all_at_once: bool,
}

/// Answers for one state and joint move.
#[derive(Clone, Default)]
pub struct Answers {
    /// Per node the number of the question at which it was answered, and the answer.
    known: Vec<u32>,
    question: u32,
    inputs: Vec<u64>,
}

/// Nodes on a path beyond which the stack is spared.
const DEEPEST: u32 = 2_000;

impl Lazy {
    pub fn new(net: &Net, wides: &[Wide], wiring: &Wiring, gates: usize) -> Lazy {
        let first_input = 1 + net.bases.len();
        let mut place: Vec<LazyOperand> = (0..gates)
            .map(|g| {
                wiring.node(g).map_or(LazyOperand::new(0, FALSE), |n| LazyOperand::new(n, WIRED))
            })
            .collect();
        (0..net.inputs.len()).for_each(|i| place[first_input + i] = LazyOperand::new(i, INPUT));
        wides.iter().enumerate().for_each(|(i, w)| place[w.gate] = LazyOperand::new(i, NODE));
        let here = |c: &&Range<usize>| wides.binary_search_by_key(&c.start, |w| w.gate).is_ok();
        let component = |c: &Range<usize>| {
            let at = |g| wides.partition_point(|w| w.gate < g);
            at(c.start)..at(c.end)
        };
        let mut lazy = Lazy {
            nodes: vec![],
            operands: vec![],
            gates: place,
            components: net.components.iter().filter(here).map(component).collect(),
            all_at_once: false,
        };
        let mut depth: Vec<u32> = Vec::new();
        for wide in wides {
            lazy.nodes.push((lazy.operands.len() as u32, wide.or));
            let operands: Vec<LazyOperand> =
                wide.operands.iter().map(|l| lazy.operand(*l)).collect();
            let nodes = operands.iter().filter(|o| o.0 >> 1 & 3 == NODE).map(|o| o.0 >> 3);
            let below = nodes.filter_map(|n| depth.get(n as usize)).max();
            depth.push(below.map_or(1, |d| d + 1));
            lazy.operands.extend(operands);
        }
        lazy.nodes.push((lazy.operands.len() as u32, false));
        lazy.all_at_once = !lazy.components.is_empty() || depth.iter().any(|d| *d > DEEPEST);
        lazy
    }

    pub fn operand(&self, lit: Lit) -> LazyOperand {
        LazyOperand(self.gates[lit.gate()].0 | lit.negated() as u32)
    }

    pub fn answers(&self, inputs: usize) -> Answers {
        // No node has an answer to the first question yet.
        Answers {
            known: vec![0; self.nodes.len()],
            question: 1,
            inputs: vec![0; inputs.div_ceil(64)],
        }
    }

    fn operands(&self, node: usize) -> &[LazyOperand] {
        &self.operands[self.nodes[node].0 as usize..self.nodes[node + 1].0 as usize]
    }
}

impl Answers {
    /// Forgets everything: the state or the joint move is another.
    pub fn forget(&mut self) {
        self.question += 1;
        if self.question == 1 << 31 {
            self.known.fill(0);
            self.question = 1;
        }
    }

    /// Makes or takes back a move.
    pub fn flip(&mut self, input: usize) {
        self.inputs[input / 64] ^= 1 << (input % 64);
    }

    /// The value of an operand; `counters` are those of the wiring.
    pub fn ask(&mut self, lazy: &Lazy, counters: &[u32], operand: LazyOperand) -> bool {
        if lazy.all_at_once && self.known.first().is_some_and(|k| k >> 1 != self.question) {
            self.sweep(lazy, counters);
        }
        self.value(lazy, counters, operand)
    }

    /// Asks for the next value of bases.
    pub fn set(
        &mut self,
        lazy: &Lazy,
        counters: &[u32],
        words: &mut [u64],
        bases: &[(u32, LazyOperand)],
    ) {
        for (base, operand) in bases {
            let bit = 1 << (base % 64);
            let value = self.ask(lazy, counters, *operand);
            let word = &mut words[*base as usize / 64];
            *word = if value { *word | bit } else { *word & !bit };
        }
    }

    fn value(&mut self, lazy: &Lazy, counters: &[u32], operand: LazyOperand) -> bool {
        let index = (operand.0 >> 3) as usize;
        let value = match operand.0 >> 1 & 3 {
            NODE if self.known[index] >> 1 == self.question => self.known[index] & 1 == 1,
            NODE => {
                let value = self.gate(lazy, counters, index);
                self.known[index] = self.question << 1 | value as u32;
                value
            }
            WIRED => counters[index] >> 31 == 1,
            INPUT => self.inputs[index / 64] >> (index % 64) & 1 == 1,
            _ => false,
        };
        value != (operand.0 & 1 == 1)
    }

    fn gate(&mut self, lazy: &Lazy, counters: &[u32], node: usize) -> bool {
        let or = lazy.nodes[node].1;
        lazy.operands(node).iter().any(|o| self.value(lazy, counters, *o) == or) == or
    }

    /// Answers every node, in order, components up to their least fixpoint.
    fn sweep(&mut self, lazy: &Lazy, counters: &[u32]) {
        let mut node = 0;
        let mut components = lazy.components.iter().peekable();
        while node + 1 < lazy.nodes.len() {
            let group = components.next_if(|c| c.start == node).cloned().unwrap_or(node..node + 1);
            self.known[group.clone()].fill(self.question << 1);
            while group.clone().fold(false, |changed, n| {
                let value = self.question << 1 | self.gate(lazy, counters, n) as u32;
                std::mem::replace(&mut self.known[n], value) != value || changed
            }) {}
            node = group.end;
        }
    }
}
