//! `Net` -> `Wiring`: wide gates with their fan-out, the form in which changes travel.
//!
//! Trees of two-input gates that nobody else reads become one wide gate. Every node has a counter
//! whose top bit is its value: an `or` starts at `0x7fff_ffff`, an `and` of n at `0x8000_0000 - n`, and
//! each true operand adds one. A change of an operand is then one addition, whatever the kind of gate
//! (the idea of forward dead reckoning in the player Sancho).

use crate::net::{Gate, Lit, Net};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Nodes stand in topological order (recursive components aside): bases, inputs, then gates.
pub struct Wiring {
    /// Counters where every base and input is false.
    pub rest: Vec<u32>,
    /// Output bits where every base and input is false.
    pub rest_outputs: Vec<u64>,
    /// Readers of node i: `edges[first_edge[i]..first_edge[i + 1]]`, each `2 * node + negated`.
    pub edges: Vec<u32>,
    pub first_edge: Vec<u32>,
    /// Output bits that follow node i, as `edges`. A bit flips when its node does.
    pub taps: Vec<u32>,
    pub first_tap: Vec<u32>,
    /// Bases that so many moves need that they are asked for when moves are listed: a base, and the
    /// output bits that count only while it is true.
    pub guards: Vec<(usize, Vec<u64>)>,
    /// Nodes evaluated together to their least fixpoint.
    pub components: Vec<Range<usize>>,
    /// The node of a gate of the net that was kept, with its polarity.
    nodes: Vec<u32>,
    pub bases: usize,
}

/// The kind of a wide gate and its operands, as literals of the net.
struct Wide {
    gate: usize,
    or: bool,
    operands: Vec<Lit>,
}

impl Wiring {
    pub fn new(net: &Net) -> Wiring {
        let fixed = 1 + net.bases.len() + net.inputs.len();
        let mut wides = widen(net, fixed);
        let guards = guards(net, &mut wides);
        let mut nodes = vec![u32::MAX; net.gates.len()];
        (1..fixed).for_each(|g| nodes[g] = g as u32 - 1);
        wides.iter().enumerate().for_each(|(i, w)| nodes[w.gate] = (fixed - 1 + i) as u32);
        let count = fixed - 1 + wides.len();
        let pairs = wides.iter().flat_map(|w| w.operands.iter().map(|o| (*o, nodes[w.gate])));
        let pairs = pairs.map(|(o, reader)| (nodes[o.gate()], reader << 1 | o.negated() as u32));
        let (edges, first_edge) = by_node(count, pairs.collect());
        let outputs = outputs(net);
        let taps = outputs.iter().enumerate().filter(|(_, o)| o.gate() != 0);
        let (taps, first_tap) =
            by_node(count, taps.map(|(i, o)| (nodes[o.gate()], i as u32)).collect());
        let components =
            net.components.iter().map(|c| nodes[c.start] as usize..nodes[c.end - 1] as usize + 1);
        let components = components.collect();
        let mut wiring = Wiring {
            rest: vec![0; count],
            rest_outputs: vec![0; outputs.len().div_ceil(64)],
            edges,
            first_edge,
            taps,
            first_tap,
            guards,
            components,
            nodes,
            bases: net.bases.len(),
        };
        wiring.settle(&wides, &outputs);
        wiring
    }

    /// The node whose counter shows this gate.
    pub fn node(&self, gate: usize) -> usize {
        self.nodes[gate] as usize
    }

    pub fn readers(&self, node: usize) -> &[u32] {
        &self.edges[self.first_edge[node] as usize..self.first_edge[node + 1] as usize]
    }

    pub fn taps_of(&self, node: usize) -> &[u32] {
        &self.taps[self.first_tap[node] as usize..self.first_tap[node + 1] as usize]
    }

    /// Sets counters and outputs for the state in which all bases and inputs are false.
    fn settle(&mut self, wides: &[Wide], outputs: &[Lit]) {
        let first = self.rest.len() - wides.len();
        let wide = |node: usize| &wides[node - first];
        let mut node = first;
        let mut components = self.components.clone().into_iter().peekable();
        while node < self.rest.len() {
            let group = components.next_if(|c| c.start == node).unwrap_or(node..node + 1);
            (group.clone()).for_each(|n| self.rest[n] = self.start(wide(n)));
            while group.clone().any(|n| {
                let counter = self.counter(wide(n));
                std::mem::replace(&mut self.rest[n], counter) != counter
            }) {}
            node = group.end;
        }
        for (i, o) in outputs.iter().enumerate() {
            self.rest_outputs[i / 64] |= (self.holds(*o) as u64) << (i % 64);
        }
    }

    fn start(&self, wide: &Wide) -> u32 {
        if wide.or { 0x7fff_ffff } else { 0x8000_0000 - wide.operands.len() as u32 }
    }

    fn counter(&self, wide: &Wide) -> u32 {
        self.start(wide) + wide.operands.iter().filter(|o| self.holds(**o)).count() as u32
    }

    fn holds(&self, lit: Lit) -> bool {
        let value = lit.gate() != 0 && self.rest[self.node(lit.gate())] >> 31 == 1;
        value != lit.negated()
    }
}

/// The transitions of all bases, then the legality of all inputs.
fn outputs(net: &Net) -> Vec<Lit> {
    net.bases.iter().map(|b| b.next).chain(net.inputs.iter().map(|i| i.legal)).collect()
}

/// The gates that remain, each with all operands of the trees below it that only it reads.
fn widen(net: &Net, fixed: usize) -> Vec<Wide> {
    let uses = uses(net);
    let mut alone = vec![false; net.gates.len()];
    net.components.iter().for_each(|c| alone[c.clone()].fill(true));
    let mut absorbed = vec![false; net.gates.len()];
    let mut wides = Vec::new();
    for gate in (fixed..net.gates.len()).rev() {
        if absorbed[gate] || (uses[gate] == 0 && !alone[gate]) {
            continue;
        }
        let (or, a, b) = operands(net.gates[gate]);
        let mut wide = Wide { gate, or, operands: vec![] };
        let mut open = vec![a, b];
        while let Some(lit) = open.pop() {
            let (g, inner) = (lit.gate(), net.gates[lit.gate()]);
            // not (x or y) is an and of not x, not y.
            let melts = match inner {
                Gate::Or(..) => or != lit.negated(),
                Gate::And(..) => or == lit.negated(),
                _ => false,
            };
            if melts && uses[g] == 1 && !alone[g] && !alone[gate] {
                absorbed[g] = true;
                let (_, a, b) = operands(inner);
                open.extend(if lit.negated() { [!a, !b] } else { [a, b] });
            } else {
                wide.operands.push(lit);
            }
        }
        wides.push(wide);
    }
    wides.reverse();
    wides
}

/// At most so many guards, each for at least so many moves.
const MOST_GUARDS: usize = 8;
const LEAST_MOVES: usize = 8;

/// Takes the bases that most moves need (whose turn it is) out of the gates of legality.
fn guards(net: &Net, wides: &mut [Wide]) -> Vec<(usize, Vec<u64>)> {
    let uses = uses(net);
    let place: FxHashMap<usize, usize> =
        wides.iter().enumerate().map(|(i, w)| (w.gate, i)).collect();
    // Moves whose legality is a conjunction that nothing else reads.
    let own = |i: &usize| {
        let legal = net.inputs[*i].legal;
        let wide =
            *place.get(&legal.gate()).filter(|_| !legal.negated() && uses[legal.gate()] == 2)?;
        (!wides[wide].or).then_some((*i, wide))
    };
    let mut open: Vec<(usize, usize)> =
        (0..net.inputs.len()).collect::<Vec<_>>().iter().filter_map(own).collect();
    let mut guards = Vec::new();
    while guards.len() < MOST_GUARDS {
        let mut counts = vec![0; net.bases.len()];
        let bases = |w: &Wide| -> Vec<usize> {
            let base = |l: &Lit| (1..=net.bases.len()).contains(&l.gate()) && !l.negated();
            w.operands.iter().filter(|l| base(l)).map(|l| l.gate() - 1).collect()
        };
        open.iter().for_each(|(_, w)| bases(&wides[*w]).iter().for_each(|b| counts[*b] += 1));
        let Some(base) = (0..counts.len()).max_by_key(|b| counts[*b]) else { break };
        if counts[base] < LEAST_MOVES {
            break;
        }
        let mut bits = vec![0; (net.bases.len() + net.inputs.len()).div_ceil(64)];
        open.retain(|(input, wide)| {
            let operands = &mut wides[*wide].operands;
            let needs = operands.contains(&net.base_lit(base));
            if needs {
                operands.retain(|l| *l != net.base_lit(base));
                let bit = net.bases.len() + input;
                bits[bit / 64] |= 1 << (bit % 64);
            }
            !needs
        });
        guards.push((base, bits));
    }
    guards
}

fn operands(gate: Gate) -> (bool, Lit, Lit) {
    match gate {
        Gate::And(a, b) => (false, a, b),
        Gate::Or(a, b) => (true, a, b),
        _ => unreachable!("bases and inputs come first"),
    }
}

/// How many gates and outputs read a gate.
fn uses(net: &Net) -> Vec<u32> {
    let mut uses = vec![0u32; net.gates.len()];
    for gate in &net.gates {
        if let Gate::And(a, b) | Gate::Or(a, b) = gate {
            uses[a.gate()] += 1;
            uses[b.gate()] += 1;
        }
    }
    let goals = net.goals.iter().flatten().map(|g| g.1);
    for lit in outputs(net).into_iter().chain(goals).chain([net.terminal]) {
        uses[lit.gate()] += 2;
    }
    uses
}

/// Sorts pairs by their first element into one list with the place where each node's part begins.
fn by_node(count: usize, mut pairs: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    let first = (0..=count as u32).map(|n| pairs.partition_point(|p| p.0 < n) as u32).collect();
    (pairs.into_iter().map(|p| p.1).collect(), first)
}
