//! A net copied with some of its propositions known: constants travel through the gates, and what no
//! output needs any more is dropped (paper 003, Definition 4.4, for true and for false propositions).

use super::circuit::Circuit;
use super::{Base, Gate, Input, Lit, Net};
use std::ops::Range;

/// A folded net, with the numbers that its bases and inputs had before.
#[derive(Clone, Debug)]
pub struct Folded {
    pub net: Net,
    pub bases: Vec<usize>,
    pub inputs: Vec<usize>,
}

impl Net {
    /// The net without the bases and inputs whose values are known. A move that is known to be
    /// illegal is an input known to be false.
    pub fn fold(&self, bases: &[Option<bool>], inputs: &[Option<bool>]) -> Folded {
        let kept = |known: &[Option<bool>]| -> Vec<usize> {
            (0..known.len()).filter(|i| known[*i].is_none()).collect()
        };
        let (kept_bases, kept_inputs) = (kept(bases), kept(inputs));
        if bases.iter().chain(inputs).all(|known| known.is_none()) {
            return Folded { net: self.clone(), bases: kept_bases, inputs: kept_inputs };
        }
        let moves = |r| kept_inputs.iter().filter(|i| self.inputs[**i].role == r).count();
        let moves: Vec<usize> = (0..self.roles.len()).map(moves).collect();
        let mut circuit = Circuit::new(kept_bases.len(), &moves);
        let mut leaves: Vec<Lit> = vec![Lit::FALSE];
        let mut number = 0;
        for known in bases.iter().chain(inputs) {
            leaves.push(known.map_or_else(
                || {
                    number += 1;
                    Lit::new(number, false)
                },
                constant,
            ));
        }
        let became = copy(self, &mut circuit, |g| leaves.get(g).copied());
        let new = |l: Lit| through(&became, l);
        let base = |b: &usize| Base { next: new(self.bases[*b].next), ..self.bases[*b].clone() };
        let input =
            |i: &usize| Input { legal: new(self.inputs[*i].legal), ..self.inputs[*i].clone() };
        let goals = self.goals.iter().map(|g| g.iter().map(|(v, l)| (*v, new(*l))).collect());
        let mut net = Net {
            name: self.name.clone(),
            roles: self.roles.clone(),
            bases: kept_bases.iter().map(base).collect(),
            inputs: kept_inputs.iter().map(input).collect(),
            terminal: new(self.terminal),
            goals: goals.collect(),
            components: circuit.components,
            gates: circuit.gates,
        };
        net.sweep_dead();
        Folded { net, bases: kept_bases, inputs: kept_inputs }
    }
}

pub fn constant(value: bool) -> Lit {
    if value { Lit::TRUE } else { Lit::FALSE }
}

/// The literal that a literal of the old net has become.
pub fn through(became: &[Lit], lit: Lit) -> Lit {
    let new = became[lit.gate()];
    if lit.negated() { !new } else { new }
}

/// Copies all gates of a net into a circuit and gives what each of them became. `given` says so
/// for every base and input, and for other gates where they are to be replaced.
pub fn copy(net: &Net, circuit: &mut Circuit, given: impl Fn(usize) -> Option<Lit>) -> Vec<Lit> {
    let mut became = vec![Lit::FALSE; net.gates.len()];
    let mut components = net.components.iter().peekable();
    let mut at = 0;
    while at < net.gates.len() {
        if let Some(range) = components.next_if(|c| c.start == at) {
            copy_component(&net.gates[range.clone()], circuit, range, &given, &mut became);
            at = range.end;
            continue;
        }
        became[at] = match (given(at), net.gates[at]) {
            (Some(lit), _) => lit,
            (None, Gate::And(a, b)) => circuit.and(through(&became, a), through(&became, b)),
            (None, Gate::Or(a, b)) => circuit.or(through(&became, a), through(&became, b)),
            (None, other) => unreachable!("{other:?} has no literal"),
        };
        at += 1;
    }
    became
}

/// Replaces gates of a circuit by what `given` says, and gives what each of its gates becomes. Only
/// what depends on a replaced one is made anew, behind all others.
pub fn replace(circuit: &mut Circuit, given: impl Fn(usize) -> Option<Lit>) -> Vec<Lit> {
    let same = |g: usize| Lit::new(g, false);
    let mut became: Vec<Lit> = (0..circuit.gates.len()).map(same).collect();
    let components = circuit.components.clone();
    let mut components = components.iter().peekable();
    let mut at = 0;
    while at < became.len() {
        let component = components.next_if(|c| c.start == at);
        let range = component.cloned().unwrap_or(at..at + 1);
        at = range.end;
        let replaced = |lit: Lit| became[lit.gate()] != same(lit.gate());
        let differs = |g: usize| {
            let operands = circuit.gates[g].operands();
            given(g).is_some() || operands.is_some_and(|(a, b)| replaced(a) || replaced(b))
        };
        if !range.clone().any(differs) {
            continue;
        }
        if component.is_some() {
            let gates = circuit.gates[range.clone()].to_vec();
            copy_component(&gates, circuit, &range, &given, &mut became);
            continue;
        }
        let g = range.start;
        became[g] = match (given(g), circuit.gates[g]) {
            (Some(lit), _) => lit,
            (None, Gate::And(a, b)) => circuit.and(through(&became, a), through(&became, b)),
            (None, Gate::Or(a, b)) => circuit.or(through(&became, a), through(&became, b)),
            (None, other) => unreachable!("{other:?} reads nothing, or is in a component"),
        };
    }
    became
}

/// Copies the gates of a recursive component, which stands at this range, that are not constant now.
pub fn copy_component(
    gates: &[Gate],
    circuit: &mut Circuit,
    range: &Range<usize>,
    given: &impl Fn(usize) -> Option<Lit>,
    became: &mut [Lit],
) {
    // What holds even if nothing open does, and what can hold if all that is open does.
    let least = fixpoint(gates, range, given, became, false);
    let most = fixpoint(gates, range, given, became, true);
    let start = circuit.gates.len();
    let mut open = Vec::new();
    for (i, g) in range.clone().enumerate() {
        became[g] = match (given(g), least[i], most[i]) {
            (Some(lit), _, _) => lit,
            (None, true, _) => Lit::TRUE,
            (None, _, false) => Lit::FALSE,
            (None, false, true) => {
                open.push(g);
                Lit::new(start + open.len() - 1, false)
            }
        };
    }
    for g in &open {
        let gate = match gates[*g - range.start] {
            Gate::LoopAnd(a, b) => match (through(became, a), through(became, b)) {
                (Lit::TRUE, x) | (x, Lit::TRUE) => Gate::LoopAnd(x, x),
                (a, b) => Gate::LoopAnd(a, b),
            },
            Gate::LoopOr(a, b) => match (through(became, a), through(became, b)) {
                (Lit::FALSE, x) | (x, Lit::FALSE) => Gate::LoopOr(x, x),
                (a, b) => Gate::LoopOr(a, b),
            },
            other => unreachable!("{other:?} in a component"),
        };
        circuit.gates.push(gate);
    }
    if !open.is_empty() {
        circuit.components.push(start..start + open.len());
    }
}

/// The least fixpoint of a component, where literals that are not constant have the value `open`.
fn fixpoint(
    gates: &[Gate],
    range: &Range<usize>,
    given: &impl Fn(usize) -> Option<Lit>,
    became: &[Lit],
    open: bool,
) -> Vec<bool> {
    let value = |lit: Lit| match lit {
        Lit::TRUE => true,
        Lit::FALSE => false,
        _ => open,
    };
    let mut holds: Vec<bool> = range.clone().map(|g| given(g).is_some_and(&value)).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (i, g) in range.clone().enumerate() {
            let of = |l: Lit, holds: &[bool]| match range.contains(&l.gate()) {
                true => holds[l.gate() - range.start],
                false => value(through(became, l)),
            };
            let new = match gates[i] {
                Gate::LoopAnd(a, b) => of(a, &holds) && of(b, &holds),
                Gate::LoopOr(a, b) => of(a, &holds) || of(b, &holds),
                other => unreachable!("{other:?} in a component"),
            };
            if new && !holds[i] && given(g).is_none() {
                holds[i] = true;
                changed = true;
            }
        }
    }
    holds
}
