//! What a literal of a net depends on, and what it is made of.

use super::{Gate, Lit, Net};
use rustc_hash::FxHashSet;

/// The gates that read each gate.
pub struct Readers {
    /// Those of gate `g` stand from `starts[g]` to `starts[g + 1]`.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Readers {
    pub fn new(net: &Net) -> Readers {
        let reads = || {
            let operands = |(g, gate): (usize, &Gate)| match gate.operands() {
                Some((a, b)) => [(g, Some(a.gate())), (g, Some(b.gate()))],
                None => [(g, None); 2],
            };
            let all = net.gates.iter().enumerate().flat_map(operands);
            all.filter_map(|(g, of)| Some((g as u32, of?)))
        };
        let mut starts = vec![0u32; net.gates.len() + 2];
        reads().for_each(|(_, of)| starts[of + 2] += 1);
        for g in 2..starts.len() {
            starts[g] += starts[g - 1];
        }
        let mut all = vec![0; *starts.last().expect("not empty") as usize];
        for (g, of) in reads() {
            all[starts[of + 1] as usize] = g;
            starts[of + 1] += 1;
        }
        Readers { starts, all }
    }

    pub fn of(&self, gate: usize) -> &[u32] {
        &self.all[self.starts[gate] as usize..self.starts[gate + 1] as usize]
    }
}

impl Net {
    /// Whether a literal depends on inputs, by the wires that lead to it.
    pub fn reads_inputs(&self, lit: Lit) -> bool {
        self.reads_any(lit, |gate| matches!(gate, Gate::Input(_)))
    }

    /// Whether a literal depends on a recursive component.
    pub fn reads_loops(&self, lit: Lit) -> bool {
        self.reads_any(lit, Gate::is_loop)
    }

    fn reads_any(&self, lit: Lit, wanted: impl Fn(Gate) -> bool) -> bool {
        let mut seen = vec![false; self.gates.len()];
        let mut open = vec![lit.gate()];
        while let Some(g) = open.pop() {
            if std::mem::replace(&mut seen[g], true) {
                continue;
            }
            let gate = self.gates[g];
            if wanted(gate) {
                return true;
            }
            open.extend(gate.operands().into_iter().flat_map(|(a, b)| [a.gate(), b.gate()]));
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
                Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b) => {
                    open.extend([a.gate(), b.gate()])
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        bases.sort_unstable();
        Some(bases)
    }

    /// The literals whose conjunction a literal is.
    pub fn conjuncts(&self, lit: Lit) -> Vec<Lit> {
        self.operands(lit, true)
    }

    /// The operands of the conjunction (or disjunction) that a literal is, itself if it is neither.
    pub fn operands(&self, lit: Lit, conjunction: bool) -> Vec<Lit> {
        let (mut open, mut found, mut seen) = (vec![lit], Vec::new(), FxHashSet::default());
        while let Some(lit) = open.pop() {
            if !seen.insert(lit) {
                continue;
            }
            match self.gate_of(lit) {
                Some((a, b, and)) if and == conjunction => open.extend([a, b]),
                _ if lit == Lit::TRUE && conjunction => {}
                _ if lit == Lit::FALSE && !conjunction => {}
                _ => found.push(lit),
            }
        }
        found.sort_unstable();
        found
    }

    /// A literal as a conjunction (true) or disjunction of two; none for leaves and recursive gates.
    pub fn gate_of(&self, lit: Lit) -> Option<(Lit, Lit, bool)> {
        match (self.gates[lit.gate()], lit.negated()) {
            (Gate::And(a, b), false) => Some((a, b, true)),
            (Gate::Or(a, b), true) => Some((!a, !b, true)),
            (Gate::Or(a, b), false) => Some((a, b, false)),
            (Gate::And(a, b), true) => Some((!a, !b, false)),
            (Gate::False | Gate::Base(_) | Gate::Input(_), _) => None,
            (Gate::LoopAnd(..) | Gate::LoopOr(..), _) => None,
        }
    }

    /// For every gate how many gates it reads, counted once for every way; recursive ones read any
    /// number.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = vec![0; self.gates.len()];
        for (g, gate) in self.gates.iter().enumerate() {
            sizes[g] = match gate {
                Gate::False | Gate::Base(_) | Gate::Input(_) => 0,
                Gate::LoopAnd(..) | Gate::LoopOr(..) => u32::MAX,
                Gate::And(a, b) | Gate::Or(a, b) => {
                    sizes[a.gate()].saturating_add(sizes[b.gate()]).saturating_add(1)
                }
            };
        }
        sizes
    }
}
