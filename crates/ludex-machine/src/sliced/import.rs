//! `Net` -> `SlicedGraph`: copies cones, with the constants of a phase folded in and disjunctions factored.

use super::graph::{Feedback, SlicedGraph};
use super::plan::WordSlot;
use ludex_net::{Gate, Gates, Lit, Net, factored};
use rustc_hash::FxHashMap;

mod selected;

/// The widest disjunction that is multiplied out, and into how many products one is where that is much.
const WIDEST: usize = 8;
const DEEP: usize = 64;

/// Copies cones of a net into a graph, each gate once.
pub struct Import<'a> {
    net: &'a Net,
    /// The graph's literal of every gate of the net, once it has one.
    lits: Vec<Option<Lit>>,
    /// How often a gate is an operand in the net, by gate of the net and by node of the graph.
    fanout: Vec<u32>,
    fanout_of_node: FxHashMap<usize, u32>,
}

impl<'a> Import<'a> {
    /// `bases` are the graph's literals of the base propositions.
    pub fn new(net: &'a Net, bases: &[Lit]) -> Import<'a> {
        let mut lits = vec![None; net.gates.len()];
        lits[0] = Some(Lit::FALSE);
        for (base, lit) in bases.iter().enumerate() {
            lits[1 + base] = Some(*lit);
        }
        let fanout = vec![0; net.gates.len()];
        Import { net, lits, fanout, fanout_of_node: FxHashMap::default() }
    }

    /// Counts how often gates are used in the cones of `roots`, as far as they are not constant by
    /// what is known so far.
    pub fn count_uses(&mut self, roots: &[Lit]) {
        let constant = self.constants();
        self.fanout.fill(0);
        let mut seen = vec![false; self.net.gates.len()];
        let mut stack: Vec<usize> = roots.iter().map(|lit| lit.gate()).collect();
        while let Some(gate) = stack.pop() {
            if constant[gate].is_some() || std::mem::replace(&mut seen[gate], true) {
                continue;
            }
            if let Some((a, b)) = self.net.gates[gate].operands() {
                for operand in [a.gate(), b.gate()] {
                    self.fanout[operand] += 1;
                    stack.push(operand);
                }
            }
        }
        for (gate, lit) in self.lits.iter().enumerate() {
            if let Some(lit) = lit {
                self.fanout_of_node.insert(lit.gate(), self.fanout[gate]);
            }
        }
    }

    fn constants(&self) -> Vec<Option<bool>> {
        let mut constant: Vec<Option<bool>> = Vec::with_capacity(self.net.gates.len());
        for (gate, lit) in self.lits.iter().enumerate() {
            let of =
                |lit: Lit| constant.get(lit.gate()).copied().flatten().map(|v| v ^ lit.negated());
            constant.push(match (lit, self.net.gates[gate]) {
                (Some(lit), _) => (lit.gate() == 0).then_some(*lit == Lit::TRUE),
                (None, Gate::And(a, b)) => match (of(a), of(b)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                },
                (None, Gate::Or(a, b)) => match (of(a), of(b)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                },
                (None, Gate::LoopAnd(..) | Gate::LoopOr(..)) => None,
                (None, Gate::False | Gate::Base(_) | Gate::Input(_)) => None,
            });
        }
        constant
    }

    pub fn set_input(&mut self, input: usize, lit: Lit) {
        self.lits[self.net.input_lit(input).gate()] = Some(lit);
    }

    /// The graph's literal of a literal of the net. `slots` gives places for feedback variables.
    pub fn lit(
        &mut self,
        graph: &mut SlicedGraph,
        root: Lit,
        slots: &mut dyn FnMut() -> WordSlot,
    ) -> Lit {
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
                    let lits = self.terms(gate, DEEP).into_iter().flatten();
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
        if let Some((a, b)) = self.net.gates[gate].operands() {
            out.extend([a.gate(), b.gate()].iter().filter(|g| self.lits[**g].is_none()));
        }
    }

    /// A disjunction as conjunctions of literals, through gates that are used only there.
    fn terms(&self, or: usize, room: usize) -> Vec<Vec<Lit>> {
        let (mut leaves, mut terms) = (Vec::new(), Vec::new());
        self.leaves(or, true, &mut leaves);
        leaves.into_iter().for_each(|leaf| self.distribute(self.factors(leaf), room, &mut terms));
        terms
    }

    fn factors(&self, lit: Lit) -> Vec<Lit> {
        let mut factors = Vec::new();
        match self.is_product(lit) {
            true => self.leaves(lit.gate(), false, &mut factors),
            false => factors.push(lit),
        }
        factors
    }

    /// Appends a product; a small disjunction in it that is used only there is multiplied out, since
    /// factoring may find a bracket that is shared, and where there is room more of them.
    fn distribute(&self, term: Vec<Lit>, room: usize, terms: &mut Vec<Vec<Lit>>) {
        let is_sum =
            |lit: &Lit| matches!(self.net.gates[lit.gate()], Gate::Or(..)) && self.is_private(*lit);
        if let Some(at) = term.iter().position(is_sum) {
            let mut sum = Vec::new();
            self.leaves(term[at].gate(), true, &mut sum);
            if sum.len() <= room.min(WIDEST) {
                for lit in &sum {
                    let mut product = term.clone();
                    product.splice(at..=at, self.factors(*lit));
                    self.distribute(product, room / sum.len(), terms);
                }
                return;
            }
        }
        terms.push(term);
    }

    /// A conjunction that is used only here, or that is so small that it may be taken apart.
    fn is_product(&self, lit: Lit) -> bool {
        let Gate::And(a, b) = self.net.gates[lit.gate()] else { return false };
        let given = self.net.bases.len() + self.net.inputs.len();
        let small = a.gate() <= given && b.gate() <= given && !lit.negated();
        self.is_private(lit) || small
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
                    Gate::LoopAnd(..) | Gate::LoopOr(..) => false,
                    Gate::False | Gate::Base(_) | Gate::Input(_) => false,
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
            && !self.net.gates[gate].is_loop()
            && self.lits[gate].is_none()
    }

    /// A disjunction, of what is multiplied out little or as far as there is room: whichever needs fewer
    /// nodes that are not there yet.
    fn disjunction(&mut self, graph: &mut SlicedGraph, gate: usize) -> Lit {
        let (deep, flat) = (self.terms(gate, DEEP), self.terms(gate, WIDEST));
        let same = deep == flat;
        let map = |term: Vec<Lit>| term.into_iter().map(|lit| self.map(lit)).collect();
        let before = graph.nodes.len();
        let lit = self.factored(graph, deep.into_iter().map(map).collect());
        if same {
            return lit;
        }
        let between = graph.nodes.len();
        let mut terms = Vec::new();
        for term in flat {
            terms.push(term.into_iter().map(|lit| self.inner(graph, lit)).collect());
        }
        let other = self.factored(graph, terms);
        if graph.nodes.len() - between < between - before { other } else { lit }
    }

    /// The graph's literal of a literal that is known, or of a gate that is used only here.
    fn inner(&mut self, graph: &mut SlicedGraph, lit: Lit) -> Lit {
        if self.lits[lit.gate()].is_none() {
            let inside = match self.net.gates[lit.gate()] {
                Gate::Or(..) => self.disjunction(graph, lit.gate()),
                _ => {
                    let factors = self.factors(Lit::new(lit.gate(), false));
                    let lits: Vec<Lit> =
                        factors.into_iter().map(|lit| self.inner(graph, lit)).collect();
                    graph.conjunction(lits)
                }
            };
            self.lits[lit.gate()] = Some(inside);
        }
        self.map(lit)
    }

    fn factored(&self, graph: &mut SlicedGraph, terms: Vec<Vec<Lit>>) -> Lit {
        if terms.is_empty() {
            return Lit::FALSE;
        }
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
    fn close_component(
        &mut self,
        graph: &mut SlicedGraph,
        c: usize,
        slots: &mut dyn FnMut() -> WordSlot,
    ) {
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
        let component = graph.feedback.last().map_or(0, |last| last.component + 1);
        for (gate, slot) in cut {
            let next = self.lits[gate].expect("just swept");
            graph.feedback.push(Feedback { component, slot, next });
            self.lits[gate] = Some(graph.var(slot));
        }
    }

    fn copy(&self, graph: &mut SlicedGraph, gate: usize) -> Lit {
        match self.net.gates[gate] {
            Gate::And(a, b) | Gate::LoopAnd(a, b) => graph.and(self.map(a), self.map(b)),
            Gate::Or(a, b) | Gate::LoopOr(a, b) => graph.or(self.map(a), self.map(b)),
            other => unreachable!("{other:?} is given"),
        }
    }

    fn map(&self, lit: Lit) -> Lit {
        let positive = self.lits[lit.gate()].expect("operands come first");
        if lit.negated() { !positive } else { positive }
    }
}
