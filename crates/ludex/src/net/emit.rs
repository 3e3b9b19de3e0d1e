//! Logic -> circuit of gates with two operands, operands first.

use super::circuit::Circuit;
use super::logic::Logic;
use super::pairs::Pairs;
use super::{Gate, Lit, Net};
use crate::budget::{Budget, Stop};
use rustc_hash::FxHashMap;

/// Atoms that depend on each other: the leaf that stands for each, the rules without an atom of
/// the component, and the rules with some (the conditions outside, and the atoms inside).
pub struct Component {
    pub atoms: Vec<(Lit, Lit, Vec<Mixed>)>,
}

pub type Mixed = (Lit, Vec<Lit>);

pub struct Emit<'a> {
    components: &'a [Component],
    /// The component of a leaf.
    component_of: FxHashMap<usize, usize>,
    lits: Vec<Vec<Lit>>,
}

impl<'a> Emit<'a> {
    pub fn new(logic: &Logic, components: &'a [Component], outputs: &[Lit]) -> Emit<'a> {
        let mut component_of = FxHashMap::default();
        let mut roots = outputs.to_vec();
        for (i, component) in components.iter().enumerate() {
            for (leaf, ..) in &component.atoms {
                component_of.insert(leaf.gate(), i);
            }
            roots.extend(outside(component));
        }
        let mut pairs = Pairs::new(logic, &roots);
        pairs.share();
        Emit { components, component_of, lits: pairs.lits }
    }

    /// The circuit, and the outputs in it.
    pub fn circuit(
        &self,
        bases: usize,
        inputs: usize,
        outputs: &[Lit],
        budget: &Budget,
    ) -> Result<(Circuit, Vec<Lit>), Stop> {
        let mut circuit = Circuit::new(bases, inputs);
        let mut made: Vec<Option<Lit>> = vec![None; self.lits.len()];
        (0..1 + bases + inputs).for_each(|leaf| made[leaf] = Some(Lit::new(leaf, false)));
        let mut stack: Vec<usize> = Vec::new();
        let mut out = Vec::with_capacity(outputs.len());
        for output in outputs {
            stack.push(output.gate());
            while let Some(node) = stack.last().copied() {
                if made[node].is_some() {
                    stack.pop();
                    continue;
                }
                let before = stack.len();
                self.for_each_operand(node, |l| {
                    if made[l.gate()].is_none() {
                        stack.push(l.gate());
                    }
                });
                if stack.len() == before {
                    budget.check()?;
                    self.make(node, &mut circuit, &mut made);
                    stack.pop();
                }
            }
            out.push(value(&made, *output));
        }
        Ok((circuit, out))
    }

    fn for_each_operand(&self, node: usize, mut f: impl FnMut(Lit)) {
        match self.component_of.get(&node) {
            Some(c) => outside(&self.components[*c]).for_each(f),
            None => self.lits[node].iter().rev().for_each(|l| f(*l)),
        }
    }

    fn make(&self, node: usize, circuit: &mut Circuit, made: &mut [Option<Lit>]) {
        match self.component_of.get(&node) {
            Some(c) => component(&self.components[*c], circuit, made),
            None => {
                let lits = self.lits[node].iter().map(|l| value(made, *l)).collect();
                made[node] = Some(circuit.and_all(lits));
            }
        }
    }
}

fn value(made: &[Option<Lit>], lit: Lit) -> Lit {
    let value = made[lit.gate()].expect("operands come first");
    if lit.negated() { !value } else { value }
}

/// The literals of a component that are not its own.
fn outside(component: &Component) -> impl Iterator<Item = Lit> {
    component.atoms.iter().flat_map(|(_, from_outside, mixed)| {
        std::iter::once(*from_outside).chain(mixed.iter().map(|(condition, _)| *condition))
    })
}

/// Adds a component: a range of gates that begins with one gate per atom.
fn component(component: &Component, circuit: &mut Circuit, made: &mut [Option<Lit>]) {
    let start = circuit.gates.len();
    for (i, (leaf, ..)) in component.atoms.iter().enumerate() {
        made[leaf.gate()] = Some(Lit::new(start + i, false));
        circuit.gates.push(Gate::False);
    }
    for (i, (_, from_outside, mixed)) in component.atoms.iter().enumerate() {
        let mut ors = vec![value(made, *from_outside)];
        for (condition, within) in mixed {
            let all = within.iter().fold(value(made, *condition), |all, l| {
                circuit.raw(Gate::And(all, value(made, *l)))
            });
            ors.push(all);
        }
        let last = ors.pop().expect("at least one");
        let rest = ors.into_iter().reduce(|a, b| circuit.raw(Gate::Or(a, b)));
        circuit.gates[start + i] = Gate::Or(rest.unwrap_or(Lit::FALSE), last);
    }
    let end = circuit.gates.len();
    circuit.components.push(start..end);
}

impl Net {
    /// Removes the gates that no output needs.
    pub(super) fn sweep_dead(&mut self) {
        let leaves = 1 + self.bases.len() + self.inputs.len();
        let mut live = vec![false; self.gates.len()];
        let mut stack: Vec<Lit> = Vec::new();
        self.for_each_output(|l| stack.push(*l));
        while let Some(l) = stack.pop() {
            if std::mem::replace(&mut live[l.gate()], true) {
                continue;
            }
            if let Gate::And(a, b) | Gate::Or(a, b) = self.gates[l.gate()] {
                stack.extend([a, b]);
            }
        }
        live[..leaves].fill(true);
        let mut number = Vec::with_capacity(live.len() + 1);
        let mut count = 0;
        for l in &live {
            number.push(count);
            count += *l as usize;
        }
        number.push(count);
        let rename = |l: &mut Lit| *l = Lit::new(number[l.gate()], l.negated());
        let mut alive = live.iter();
        self.gates.retain(|_| *alive.next().expect("one per gate"));
        for gate in &mut self.gates {
            if let Gate::And(a, b) | Gate::Or(a, b) = gate {
                rename(a);
                rename(b);
            }
        }
        self.for_each_output(rename);
        self.components.iter_mut().for_each(|c| *c = number[c.start]..number[c.end]);
        self.components.retain(|c| !c.is_empty());
    }

    /// Calls `f` on every literal that leaves the circuit.
    fn for_each_output(&mut self, mut f: impl FnMut(&mut Lit)) {
        self.bases.iter_mut().for_each(|b| f(&mut b.next));
        self.inputs.iter_mut().for_each(|i| f(&mut i.legal));
        f(&mut self.terminal);
        self.goals.iter_mut().flatten().for_each(|g| f(&mut g.1));
    }
}
