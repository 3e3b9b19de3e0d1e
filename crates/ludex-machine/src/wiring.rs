//! Gates -> `Wiring`: wide gates with their fan-out, the form in which changes travel.
//!
//! Every node has a counter whose top bit is its value: an `or` starts one step below `0x8000_0000`, an
//! `and` of n operands n steps, and each true operand adds a step. A change of an operand is then one
//! addition, whatever the kind of gate (the idea of forward dead reckoning in the player Sancho).
//!
//! A recursive component reads what lies outside through entries: nodes of its own with one operand.
//! A gate inside may lose one support and keep another without turning, and yet that other one may
//! be support in a circle; an entry turns whenever something outside does.

use super::wide::Wide;
use ludex_net::{Lit, Net};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a true operand adds to a counter. The bits below are free for marks.
pub const STEP: u32 = 4;

/// Nodes stand in topological order (recursive components aside): bases, inputs, then gates.
pub struct Wiring {
    /// Counters where every base and input is false.
    pub rest: Vec<u32>,
    /// Output bits where every base and input is false.
    pub rest_outputs: Vec<u64>,
    /// Where each node's part of `fan` begins.
    first: Vec<u32>,
    /// Per node the number of its readers and of its taps, its readers, each `2 * node + negated`, and
    /// its taps: output bits that follow the node. A bit flips when its node does. Side by side, so
    /// that a node takes few lines of the cache.
    fan: Vec<u32>,
    /// Per node how many gates stand between it and the bases at most; a component is on one level.
    pub level: Vec<u32>,
    /// How many gates are on the levels before each level.
    pub levels: Vec<u32>,
    /// Nodes evaluated together to their least fixpoint.
    components: Vec<Range<usize>>,
    /// Whether there is a component on a level.
    recursive: Vec<bool>,
    /// The node of a gate that was kept.
    nodes: Vec<u32>,
    pub bases: usize,
}

impl Wiring {
    /// `outputs` are followed bit by bit, constants among them.
    pub fn new(net: &Net, gates: usize, wides: Vec<Wide>, outputs: &[Lit]) -> Wiring {
        let bases = net.bases.len();
        let (wides, components) = with_entries(&net.components, gates, wides);
        let entries = wides.iter().filter(|w| w.gate >= gates).count();
        let mut nodes = vec![u32::MAX; gates + entries];
        let leaves = bases + net.inputs.len();
        (0..leaves).for_each(|leaf| nodes[leaf + 1] = leaf as u32);
        wides.iter().enumerate().for_each(|(i, w)| nodes[w.gate] = (leaves + i) as u32);
        let count = leaves + wides.len();
        let pairs = wides.iter().flat_map(|w| w.operands.iter().map(|o| (*o, nodes[w.gate])));
        let pairs = pairs.map(|(o, reader)| (nodes[o.gate()], 0, reader << 1 | o.negated() as u32));
        let taps = outputs.iter().enumerate().filter(|(_, o)| o.gate() != 0);
        let taps = taps.map(|(i, o)| (nodes[o.gate()], 1, i as u32));
        let (fan, first) = by_node(count, pairs.chain(taps).collect());
        let components = components.iter().map(|c| leaves + c.start..leaves + c.end).collect();
        let mut wiring = Wiring {
            rest: vec![0; count],
            rest_outputs: vec![0; outputs.len().div_ceil(64)],
            first,
            fan,
            level: vec![0; count],
            levels: vec![],
            components,
            recursive: vec![],
            nodes,
            bases,
        };
        wiring.settle(&wides, outputs);
        wiring.count_levels(leaves);
        wiring.check(leaves);
        wiring
    }

    /// Sees that all is there which is then looked up unchecked, here and in `Values`.
    fn check(&self, leaves: usize) {
        let (count, bits) = (self.rest.len(), 64 * self.rest_outputs.len());
        assert!(self.first.len() >= count && self.level.len() == count);
        for first in &self.first[..count] {
            let fan = &self.fan[*first as usize..];
            let (readers, taps) = (fan[0] as usize, fan[1] as usize);
            let (readers, taps) = fan[2..2 + readers + taps].split_at(readers);
            assert!(readers.iter().all(|edge| (leaves..count).contains(&(*edge as usize >> 1))));
            assert!(taps.iter().all(|tap| (*tap as usize) < bits));
        }
        let mut ends = self.levels.clone();
        self.level[leaves..].iter().for_each(|level| ends[*level as usize] += 1);
        let next = self.levels.iter().skip(1).copied().chain([count as u32]);
        assert!(ends.iter().zip(next).all(|(end, next)| *end <= next));
    }

    /// The node whose counter shows this gate, where there is one.
    pub fn node(&self, gate: usize) -> Option<usize> {
        (self.nodes[gate] != u32::MAX).then_some(self.nodes[gate] as usize)
    }

    pub fn readers(&self, node: usize) -> &[u32] {
        self.fan_of(node).0
    }

    /// The readers and taps of a node.
    #[inline]
    pub fn fan_of(&self, node: usize) -> (&[u32], &[u32]) {
        let first = self.first[node] as usize;
        // SAFETY: `check` saw that both numbers and so many elements after them are there for every node,
        // and `first` has been looked up.
        unsafe {
            let readers = *self.fan.get_unchecked(first) as usize;
            let taps = *self.fan.get_unchecked(first + 1) as usize;
            self.fan
                .get_unchecked(first + 2..first + 2 + readers + taps)
                .split_at_unchecked(readers)
        }
    }

    /// The component that a node on a level belongs to.
    #[inline]
    pub fn component(&self, level: usize, node: usize) -> Option<&Range<usize>> {
        if !self.recursive[level] {
            return None;
        }
        let at = self.components.partition_point(|c| c.end <= node);
        self.components.get(at).filter(|c| c.contains(&node))
    }

    /// The most readers of a node.
    pub fn widest_fan(&self) -> usize {
        self.first.iter().map(|first| self.fan[*first as usize] as usize).max().unwrap_or(0)
    }

    /// Sets counters and outputs for the state in which all bases and inputs are false.
    fn settle(&mut self, wides: &[Wide], outputs: &[Lit]) {
        let leaves = self.rest.len() - wides.len();
        let wide = |node: usize| &wides[node - leaves];
        let mut node = leaves;
        let mut components = self.components.clone().into_iter().peekable();
        while node < self.rest.len() {
            let group = components.next_if(|c| c.start == node).unwrap_or(node..node + 1);
            (group.clone()).for_each(|n| self.rest[n] = start(wide(n)));
            while group.clone().any(|n| {
                let counter = self.counter(wide(n));
                std::mem::replace(&mut self.rest[n], counter) != counter
            }) {}
            self.place(&wides[group.start - leaves..group.end - leaves], group.clone());
            node = group.end;
        }
        for (i, o) in outputs.iter().enumerate() {
            self.rest_outputs[i / 64] |= (self.holds(*o) as u64) << (i % 64);
        }
    }

    /// Puts nodes on the level after those of their operands.
    fn place(&mut self, wides: &[Wide], nodes: Range<usize>) {
        let operands = wides.iter().flat_map(|w| &w.operands).filter(|o| o.gate() != 0);
        let below = operands.map(|o| self.nodes[o.gate()] as usize).filter(|n| !nodes.contains(n));
        let level = below.map(|n| self.level[n] + 1).max().unwrap_or(1);
        self.level[nodes].fill(level);
    }

    fn count_levels(&mut self, leaves: usize) {
        let count = self.level.iter().max().map_or(0, |last| *last as usize + 1);
        self.recursive = vec![false; count];
        self.components.iter().for_each(|c| self.recursive[self.level[c.start] as usize] = true);
        let mut of_level = vec![0; count];
        self.level[leaves..].iter().for_each(|level| of_level[*level as usize] += 1);
        let before = |before: &mut u32, of: u32| Some(std::mem::replace(before, *before + of));
        self.levels = of_level.into_iter().scan(0, before).collect();
    }

    fn counter(&self, wide: &Wide) -> u32 {
        start(wide) + STEP * wide.operands.iter().filter(|o| self.holds(**o)).count() as u32
    }

    fn holds(&self, lit: Lit) -> bool {
        let value = lit.gate() != 0 && self.rest[self.nodes[lit.gate()] as usize] >> 31 == 1;
        value != lit.negated()
    }
}

/// The wide gates with the entries of every component in front of it, numbered from `free` on; and
/// where each component stands among them.
fn with_entries(
    components: &[Range<usize>],
    mut free: usize,
    wides: Vec<Wide>,
) -> (Vec<Wide>, Vec<Range<usize>>) {
    let (mut all, mut places): (Vec<Wide>, Vec<Range<usize>>) = Default::default();
    let mut rest = wides.into_iter().peekable();
    for component in components {
        all.extend(std::iter::from_fn(|| rest.next_if(|w| w.gate < component.start)));
        let inside = std::iter::from_fn(|| rest.next_if(|w| w.gate < component.end));
        let mut inside: Vec<Wide> = inside.collect();
        let start = all.len();
        let mut entries: FxHashMap<Lit, Lit> = FxHashMap::default();
        for operand in inside.iter_mut().flat_map(|w| &mut w.operands) {
            if operand.gate() != 0 && !component.contains(&operand.gate()) {
                *operand = *entries.entry(*operand).or_insert_with(|| {
                    all.push(Wide { gate: free, or: true, operands: vec![*operand] });
                    free += 1;
                    Lit::new(free - 1, false)
                });
            }
        }
        all.extend(inside);
        places.extend((all.len() > start).then_some(start..all.len()));
    }
    all.extend(rest);
    (all, places)
}

fn start(wide: &Wide) -> u32 {
    0x8000_0000 - STEP * if wide.or { 1 } else { wide.operands.len() as u32 }
}

/// Sorts by node: per node how many elements with second part 0 and with 1 there are, and the third
/// parts of them all; and where each node begins.
fn by_node(count: usize, mut list: Vec<(u32, u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    list.sort_unstable();
    let (mut fan, mut first) = (Vec::with_capacity(list.len() + 2 * count), Vec::new());
    let mut rest = &list[..];
    for node in 0..count as u32 {
        first.push(fan.len() as u32);
        let (own, others) = rest.split_at(rest.partition_point(|e| e.0 <= node));
        let readers = own.partition_point(|e| e.1 == 0);
        fan.extend([readers as u32, (own.len() - readers) as u32]);
        fan.extend(own.iter().map(|e| e.2));
        rest = others;
    }
    (fan, first)
}
