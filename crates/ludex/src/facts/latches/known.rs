//! Three-valued evaluation of a net: what follows from the propositions that are known.

use crate::net::{Gate, Lit, Net};
use std::ops::Range;

/// For every gate whether it must hold and whether it may hold.
pub struct Known {
    must: Vec<bool>,
    may: Vec<bool>,
}

impl Known {
    pub fn new(net: &Net, bases: &[Option<bool>], inputs: &[Option<bool>]) -> Known {
        let size = net.gates.len();
        let mut known = Known { must: vec![false; size], may: vec![false; size] };
        for (i, leaf) in bases.iter().chain(inputs).enumerate() {
            known.must[1 + i] = *leaf == Some(true);
            known.may[1 + i] = *leaf != Some(false);
        }
        let mut components = net.components.iter().peekable();
        let mut at = 1 + bases.len() + inputs.len();
        while at < size {
            if let Some(range) = components.next_if(|c| c.start == at) {
                while known.sweep(net, range.clone()) {}
                at = range.end;
            } else {
                known.sweep(net, at..at + 1);
                at += 1;
            }
        }
        known
    }

    fn sweep(&mut self, net: &Net, range: Range<usize>) -> bool {
        let mut changed = false;
        for g in range {
            let ((a_must, a_may), (b_must, b_may), or) = match net.gates[g] {
                Gate::And(a, b) => (self.bounds(a), self.bounds(b), false),
                Gate::Or(a, b) => (self.bounds(a), self.bounds(b), true),
                leaf => unreachable!("{leaf:?} stands before the gates"),
            };
            let (must, may) = match or {
                true => (a_must || b_must, a_may || b_may),
                false => (a_must && b_must, a_may && b_may),
            };
            changed |= must != self.must[g] || may != self.may[g];
            (self.must[g], self.may[g]) = (must, may);
        }
        changed
    }

    fn bounds(&self, lit: Lit) -> (bool, bool) {
        let (must, may) = (self.must[lit.gate()], self.may[lit.gate()]);
        if lit.negated() { (!may, !must) } else { (must, may) }
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.bounds(lit) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

/// What has its final value in a state, whatever is played from there.
pub struct Final {
    pub bases: Vec<Option<bool>>,
    /// Moves that are never made again are false; a role's only possible move is true.
    pub inputs: Vec<Option<bool>>,
    pub known: Known,
}

/// The facts that never change again from a state on: the largest set of facts whose values follow
/// from each other after any step. It is found by taking all of them as known, and taking back
/// what a step may change until no more is.
pub fn finally(net: &Net, state: &[bool]) -> Final {
    let mut bases: Vec<Option<bool>> = state.iter().copied().map(Some).collect();
    loop {
        let inputs = possible(net, &bases);
        let known = Known::new(net, &bases, &inputs);
        // Nothing is played from a terminal state.
        let mut changed = false;
        let over = known.value(net.terminal) == Some(true);
        for (base, value) in net.bases.iter().zip(&mut bases) {
            if !over && value.is_some() && known.value(base.next) != *value {
                *value = None;
                changed = true;
            }
        }
        if !changed {
            return Final { bases, inputs, known };
        }
    }
}

/// The inputs as far as they are known: an illegal move is not made, and of each role one is.
fn possible(net: &Net, bases: &[Option<bool>]) -> Vec<Option<bool>> {
    let known = Known::new(net, bases, &vec![None; net.inputs.len()]);
    let legal = |i: usize| known.value(net.inputs[i].legal) != Some(false);
    let mut inputs: Vec<Option<bool>> =
        (0..net.inputs.len()).map(|i| if legal(i) { None } else { Some(false) }).collect();
    for role in 0..net.roles.len() {
        let mut open = net.inputs_of(role).filter(|i| legal(*i));
        if let (Some(only), None) = (open.next(), open.next()) {
            inputs[only] = Some(true);
        }
    }
    inputs
}
