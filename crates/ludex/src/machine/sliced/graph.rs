//! `Net` -> `Graph`: the and/xor graph of one phase, with the phase's constants folded in.
//!
//! Nodes are hashed and simplified as they are made; a `Lit` is a node or its negation, as in the net.
//! A variable is a place in memory. A recursive component becomes feedback variables: each has the
//! literal of its next sweep, and the least fixpoint is reached by sweeping from all false.

use super::plan::Slot;
use crate::net::{Gate, Lit, Net};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Node 0 alone.
    False,
    Var(Slot),
    And(Lit, Lit),
    Xor(Lit, Lit),
}

/// A variable of a recursive component: `slot` holds it, `next` is its value after one more sweep.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    pub component: usize,
    pub slot: Slot,
    pub next: Lit,
}

#[derive(Debug)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub feedback: Vec<Feedback>,
    hash: FxHashMap<Node, u32>,
}

impl Graph {
    pub fn new() -> Graph {
        Graph { nodes: vec![Node::False], feedback: Vec::new(), hash: FxHashMap::default() }
    }

    pub fn var(&mut self, slot: Slot) -> Lit {
        self.node(Node::Var(slot))
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(lit) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return lit;
        }
        self.node(Node::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.negated() ^ b.negated();
        let (a, b) = (Lit::new(a.gate(), false), Lit::new(b.gate(), false));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let positive = match (a, b) {
            (a, b) if a == b => Lit::FALSE,
            (Lit::FALSE, b) => b,
            _ => self.node(Node::Xor(a, b)),
        };
        if negated { !positive } else { positive }
    }

    /// `a + b + c`: the sum bit and the carry.
    pub fn add(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, c), self.majority(a, b, c))
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let both = self.and(a, b);
        let one = self.xor(a, b);
        let carried = self.and(one, c);
        self.or(both, carried)
    }

    /// The disjunction as a balanced tree.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::FALSE,
            [lit] => *lit,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    /// `a & b` where `b` is a conjunction, or the negation of one, that mentions `a`.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(x, y) = self.nodes[b.gate()] else { return None };
        match b.negated() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Lit::FALSE),
            true if a == !x || a == !y => Some(a),
            true if a == x => Some(self.and(a, !y)),
            true if a == y => Some(self.and(a, !x)),
            _ => None,
        }
    }

    fn node(&mut self, node: Node) -> Lit {
        let nodes = &mut self.nodes;
        let id = *self.hash.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        });
        Lit::new(id as usize, false)
    }
}

/// Copies cones of a net into a graph, each gate once.
pub struct Import<'a> {
    net: &'a Net,
    /// The graph's literal of every gate of the net, once it has one.
    lits: Vec<Option<Lit>>,
}

impl<'a> Import<'a> {
    /// `bases` are the graph's literals of the base propositions.
    pub fn new(net: &'a Net, bases: &[Lit]) -> Import<'a> {
        let mut lits = vec![None; net.gates.len()];
        lits[0] = Some(Lit::FALSE);
        for (base, lit) in bases.iter().enumerate() {
            lits[1 + base] = Some(*lit);
        }
        Import { net, lits }
    }

    pub fn set_input(&mut self, input: usize, lit: Lit) {
        self.lits[self.net.input_lit(input).gate()] = Some(lit);
    }

    /// The graph's literal of a literal of the net. `slots` gives places for feedback variables.
    pub fn lit(&mut self, graph: &mut Graph, root: Lit, slots: &mut dyn FnMut() -> Slot) -> Lit {
        let mut stack = vec![root.gate()];
        while let Some(&gate) = stack.last() {
            if self.lits[gate].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let component = self.component(gate);
            match component {
                Some(c) => self.component_operands(c, &mut stack),
                None => self.operands(gate, &mut stack),
            }
            if stack.len() == before {
                match component {
                    Some(c) => self.close_component(graph, c, slots),
                    None => self.lits[gate] = Some(self.copy(graph, gate)),
                }
            }
        }
        self.map(root)
    }

    /// The component that a gate belongs to.
    fn component(&self, gate: usize) -> Option<usize> {
        let components = &self.net.components;
        let c = components.partition_point(|range| range.end <= gate);
        (c < components.len() && components[c].contains(&gate)).then_some(c)
    }

    fn operands(&self, gate: usize, out: &mut Vec<usize>) {
        if let Gate::And(a, b) | Gate::Or(a, b) = self.net.gates[gate] {
            out.extend([a.gate(), b.gate()].iter().filter(|g| self.lits[**g].is_none()));
        }
    }

    fn component_operands(&self, component: usize, out: &mut Vec<usize>) {
        let range = self.net.components[component].clone();
        let before = out.len();
        range.clone().for_each(|gate| self.operands(gate, out));
        let mut kept = before;
        for i in before..out.len() {
            if !range.contains(&out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Makes the gates of a component whose operands outside are known: an operand that stands at or
    /// after its user is a feedback variable.
    fn close_component(&mut self, graph: &mut Graph, c: usize, slots: &mut dyn FnMut() -> Slot) {
        let range = self.net.components[c].clone();
        let mut cut = Vec::new();
        for gate in range.clone() {
            let mut operands = Vec::new();
            self.operands(gate, &mut operands);
            for back in operands.into_iter().filter(|g| *g >= gate && range.contains(g)) {
                if self.lits[back].is_none() {
                    let slot = slots();
                    self.lits[back] = Some(graph.var(slot));
                    cut.push((back, slot));
                }
            }
        }
        for gate in range {
            self.lits[gate] = Some(self.copy(graph, gate));
        }
        for (gate, slot) in cut {
            let next = self.lits[gate].expect("just swept");
            graph.feedback.push(Feedback { component: c, slot, next });
            self.lits[gate] = Some(graph.var(slot));
        }
    }

    fn copy(&self, graph: &mut Graph, gate: usize) -> Lit {
        match self.net.gates[gate] {
            Gate::And(a, b) => graph.and(self.map(a), self.map(b)),
            Gate::Or(a, b) => graph.or(self.map(a), self.map(b)),
            other => unreachable!("{other:?} is given"),
        }
    }

    fn map(&self, lit: Lit) -> Lit {
        let positive = self.lits[lit.gate()].expect("operands come first");
        if lit.negated() { !positive } else { positive }
    }
}
