//! The reference evaluation of a net: every gate in order, components to their least fixpoint.

use super::{Gate, Lit, Net};

impl Net {
    /// The value of every gate.
    pub fn evaluate(&self, bases: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values = vec![false; self.gates.len()];
        let mut components = self.components.iter().peekable();
        let mut at = 0;
        while at < self.gates.len() {
            if let Some(range) = components.next_if(|c| c.start == at) {
                while self.sweep(range.clone(), bases, inputs, &mut values) {}
                at = range.end;
            } else {
                self.sweep(at..at + 1, bases, inputs, &mut values);
                at += 1;
            }
        }
        values
    }

    /// Evaluates a range of gates once; true if a value changed.
    fn sweep(
        &self,
        range: std::ops::Range<usize>,
        bases: &[bool],
        inputs: &[bool],
        values: &mut [bool],
    ) -> bool {
        let mut changed = false;
        for g in range {
            let value = |l: Lit| values[l.gate()] != l.negated();
            let new = match self.gates[g] {
                Gate::False => false,
                Gate::Base(b) => bases[b as usize],
                Gate::Input(i) => inputs[i as usize],
                Gate::And(a, b) => value(a) && value(b),
                Gate::Or(a, b) => value(a) || value(b),
            };
            changed |= new != values[g];
            values[g] = new;
        }
        changed
    }

    /// The value of a literal, given the values of the gates.
    pub fn holds(values: &[bool], lit: Lit) -> bool {
        values[lit.gate()] != lit.negated()
    }
}
