//! The reference evaluation of a net: every gate in order, components to their least fixpoint.

use super::{Gate, Lit, Net};
use ludex_reason::canonical;
use rustc_hash::FxHashMap;
use std::fmt;

/// A fact that is no base of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoBase(pub String);

impl fmt::Display for NoBase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} can never be true", self.0)
    }
}

impl std::error::Error for NoBase {}

impl Net {
    /// The state, one bit per base, whose true facts have these texts.
    pub fn state_of(&self, facts: &[String]) -> Result<Vec<bool>, NoBase> {
        let index: FxHashMap<String, usize> =
            self.bases.iter().enumerate().map(|(i, b)| (canonical(&b.name), i)).collect();
        let mut state = vec![false; self.bases.len()];
        for fact in facts {
            let base = index.get(&canonical(fact)).ok_or_else(|| NoBase(fact.clone()))?;
            state[*base] = true;
        }
        Ok(state)
    }

    /// The state after a joint move, given as inputs in role order.
    pub fn successor(&self, state: &[bool], joint: &[usize]) -> Vec<bool> {
        let mut inputs = vec![false; self.inputs.len()];
        joint.iter().for_each(|&i| inputs[i] = true);
        let values = self.evaluate(state, &inputs);
        self.bases.iter().map(|b| Net::holds(&values, b.next)).collect()
    }

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
                Gate::And(a, b) | Gate::LoopAnd(a, b) => value(a) && value(b),
                Gate::Or(a, b) | Gate::LoopOr(a, b) => value(a) || value(b),
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
