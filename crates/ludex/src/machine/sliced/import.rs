//! `Net` -> `Graph`: copies cones, with the constants of a phase folded in and disjunctions factored.

use super::factor::factored;
use super::graph::{Feedback, Graph};
use super::plan::Slot;
use crate::net::{Gate, Lit, Net};
use rustc_hash::FxHashMap;

/// Copies cones of a net into a graph, each gate once.
pub struct Import<'a> {
    net: &'a Net,
    /// The graph's literal of every gate of the net, once it has one.
    lits: Vec<Option<Lit>>,
    /// How often a gate is an operand in the net, by gate of the net and by node of the graph.
    fanout: Vec<u32>,
    fanout_of_node: FxHashMap<usize, u32>,
    recursive: Vec<bool>,
}

impl<'a> Import<'a> {
    /// `bases` are the graph's literals of the base propositions.
    pub fn new(net: &'a Net, bases: &[Lit]) -> Import<'a> {
        let mut lits = vec![None; net.gates.len()];
        lits[0] = Some(Lit::FALSE);
        for (base, lit) in bases.iter().enumerate() {
            lits[1 + base] = Some(*lit);
        }
        let mut fanout = vec![0; net.gates.len()];
        for gate in &net.gates {
            if let Gate::And(a, b) | Gate::Or(a, b) = gate {
                fanout[a.gate()] += 1;
                fanout[b.gate()] += 1;
            }
        }
        let mut recursive = vec![false; net.gates.len()];
        net.components.iter().for_each(|range| recursive[range.clone()].fill(true));
        let mut fanout_of_node = FxHashMap::default();
        for (base, lit) in bases.iter().enumerate() {
            fanout_of_node.insert(lit.gate(), fanout[1 + base]);
        }
        Import { net, lits, fanout, fanout_of_node, recursive }
    }

    pub fn set_input(&mut self, input: usize, lit: Lit) {
        let gate = self.net.input_lit(input).gate();
        self.lits[gate] = Some(lit);
        self.fanout_of_node.insert(lit.gate(), self.fanout[gate]);
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
            match (component, self.net.gates[gate]) {
                (Some(c), _) => self.component_operands(c, &mut stack),
                (None, Gate::Or(..)) => {
                    let lits = self.terms(gate).into_iter().flatten();
                    stack.extend(lits.map(Lit::gate).filter(|g| self.lits[*g].is_none()));
                }
                _ => self.operands(gate, &mut stack),
            }
            if stack.len() == before {
                match (component, self.net.gates[gate]) {
                    (Some(c), _) => self.close_component(graph, c, slots),
                    (None, Gate::Or(..)) => {
                        self.lits[gate] = Some(self.disjunction(graph, gate));
                    }
                    _ => self.lits[gate] = Some(self.copy(graph, gate)),
                }
                let node = self.lits[gate].expect("just made").gate();
                *self.fanout_of_node.entry(node).or_default() += self.fanout[gate];
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

    /// A disjunction as conjunctions of literals, through gates that are used only there.
    fn terms(&self, or: usize) -> Vec<Vec<Lit>> {
        let (mut leaves, mut terms) = (Vec::new(), Vec::new());
        self.leaves(or, true, &mut leaves);
        for leaf in leaves {
            if self.is_product(leaf) {
                let mut term = Vec::new();
                self.leaves(leaf.gate(), false, &mut term);
                terms.push(term);
            } else {
                terms.push(vec![leaf]);
            }
        }
        terms
    }

    /// A conjunction that is used only here, or that is so small that it may be taken apart.
    fn is_product(&self, lit: Lit) -> bool {
        let Gate::And(a, b) = self.net.gates[lit.gate()] else { return false };
        let given = self.net.bases.len() + self.net.inputs.len();
        let small = a.gate() <= given && b.gate() <= given && !lit.negated();
        self.is_private(lit) || (small && !self.recursive[lit.gate()])
    }

    /// The operands of a gate and of the private gates of the same kind below it.
    fn leaves(&self, gate: usize, or: bool, out: &mut Vec<Lit>) {
        let mut stack = vec![gate];
        while let Some(gate) = stack.pop() {
            let (Gate::And(a, b) | Gate::Or(a, b)) = self.net.gates[gate] else { unreachable!() };
            for lit in [a, b] {
                let same = match self.net.gates[lit.gate()] {
                    Gate::And(..) => !or,
                    Gate::Or(..) => or,
                    _ => false,
                };
                if same && (self.is_private(lit) || (!or && self.is_product(lit))) {
                    stack.push(lit.gate());
                } else {
                    out.push(lit);
                }
            }
        }
    }

    fn is_private(&self, lit: Lit) -> bool {
        let gate = lit.gate();
        !lit.negated()
            && self.fanout[gate] == 1
            && !self.recursive[gate]
            && self.lits[gate].is_none()
    }

    fn disjunction(&self, graph: &mut Graph, gate: usize) -> Lit {
        let map = |term: Vec<Lit>| term.into_iter().map(|lit| self.map(lit)).collect();
        let terms = self.terms(gate).into_iter().map(map).collect();
        factored(graph, terms, &|lit| {
            self.fanout_of_node.get(&lit.gate()).copied().unwrap_or_default()
        })
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
