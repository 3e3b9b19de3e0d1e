//! What a literal of a net depends on.

use super::{Gate, Lit, Net};
use rustc_hash::FxHashSet;

impl Net {
    /// Whether a literal depends on inputs, by the wires that lead to it.
    pub fn reads_inputs(&self, lit: Lit) -> bool {
        let mut seen = vec![false; self.gates.len()];
        let mut open = vec![lit.gate()];
        while let Some(g) = open.pop() {
            if std::mem::replace(&mut seen[g], true) {
                continue;
            }
            match self.gates[g] {
                Gate::Input(_) => return true,
                Gate::And(a, b) | Gate::Or(a, b) => open.extend([a.gate(), b.gate()]),
                _ => (),
            }
        }
        false
    }

    /// The bases that a literal reads; none where it reads more gates than so many, or inputs.
    pub fn reads(&self, lit: Lit, most: usize) -> Option<Vec<usize>> {
        let mut seen = FxHashSet::default();
        let (mut open, mut bases) = (vec![lit.gate()], Vec::new());
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            match self.gates[g] {
                Gate::False => {}
                Gate::Base(b) => bases.push(b as usize),
                Gate::Input(_) => return None,
                Gate::And(a, b) | Gate::Or(a, b) => open.extend([a.gate(), b.gate()]),
            }
            if seen.len() > most {
                return None;
            }
        }
        bases.sort_unstable();
        Some(bases)
    }

    /// The literals that all hold where this one does, as far as it is a conjunction.
    pub fn conditions(&self, lit: Lit) -> Vec<Lit> {
        let (mut open, mut found) = (vec![lit], Vec::new());
        while let Some(lit) = open.pop() {
            match (self.gates[lit.gate()], lit.negated()) {
                (Gate::And(a, b), false) => open.extend([a, b]),
                (Gate::Or(a, b), true) => open.extend([!a, !b]),
                _ => found.push(lit),
            }
        }
        found
    }

    /// For every gate how many gates it reads, counted once for every way; recursive ones read any
    /// number.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = vec![0; self.gates.len()];
        self.components.iter().for_each(|c| sizes[c.clone()].fill(u32::MAX));
        for (g, gate) in self.gates.iter().enumerate() {
            if let Gate::And(a, b) | Gate::Or(a, b) = gate {
                let both = sizes[a.gate()].saturating_add(sizes[b.gate()]);
                sizes[g] = sizes[g].max(both.saturating_add(1));
            }
        }
        sizes
    }
}
