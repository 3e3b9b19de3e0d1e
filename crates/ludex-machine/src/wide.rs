//! Gates -> `Wide`: trees of two-input gates that nobody else reads become one gate with many operands.

use ludex_net::{Gate, Lit};
use std::ops::Range;

/// The kind of a wide gate and its operands.
pub struct Wide {
    pub gate: usize,
    pub or: bool,
    pub operands: Vec<Lit>,
}

/// A part of a circuit to be made of wide gates.
pub struct WidePart<'a> {
    pub gates: &'a [Gate],
    /// The gates of the part.
    pub within: &'a [bool],
    /// How often a gate of the part is read; what is not one reading only stays a gate.
    pub uses: &'a [u32],
}

impl WidePart<'_> {
    /// The gates that remain, in order, each with all operands of the trees that it alone reads.
    pub fn widen(&self) -> Vec<Wide> {
        let mut absorbed = vec![false; self.gates.len()];
        let mut wides = Vec::new();
        for gate in (0..self.gates.len()).rev() {
            let Some((or, a, b)) = operands(self.gates[gate]) else { continue };
            // Recursive components stay as they are.
            let alone = self.gates[gate].is_loop();
            if !self.within[gate] || absorbed[gate] {
                continue;
            }
            let mut wide = Wide { gate, or, operands: vec![] };
            let mut open = vec![a, b];
            while let Some(lit) = open.pop() {
                match self.melting(lit, or).filter(|_| !alone) {
                    Some(inner) => {
                        absorbed[lit.gate()] = true;
                        open.extend(inner);
                    }
                    None => wide.operands.push(lit),
                }
            }
            wides.push(wide);
        }
        wides.reverse();
        wides
    }

    /// The operands of a literal that can become part of a disjunction (or else conjunction).
    fn melting(&self, lit: Lit, or: bool) -> Option<[Lit; 2]> {
        let g = lit.gate();
        let (inner, a, b) = operands(self.gates[g])?;
        // not (x or y) is an and of not x, not y.
        let melts = (inner == or) != lit.negated();
        let melts = melts && self.within[g] && self.uses[g] == 1 && !self.gates[g].is_loop();
        melts.then_some(if lit.negated() { [!a, !b] } else { [a, b] })
    }
}

/// Whether a gate is a disjunction, and what it reads, in a loop or not.
pub fn operands(gate: Gate) -> Option<(bool, Lit, Lit)> {
    match gate {
        Gate::And(a, b) | Gate::LoopAnd(a, b) => Some((false, a, b)),
        Gate::Or(a, b) | Gate::LoopOr(a, b) => Some((true, a, b)),
        Gate::False | Gate::Base(_) | Gate::Input(_) => None,
    }
}

/// All gates that the roots need; gates of one component need each other.
pub fn cone(
    gates: &[Gate],
    components: &[Range<usize>],
    roots: impl Iterator<Item = Lit>,
) -> Vec<bool> {
    let mut cone = vec![false; gates.len()];
    roots.for_each(|lit| cone[lit.gate()] = true);
    let mut components = components.iter().rev().peekable();
    let mut g = gates.len();
    while g > 0 {
        let group = match components.next_if(|c| c.end == g) {
            Some(component) => component.clone(),
            None => g - 1..g,
        };
        if cone[group.clone()].contains(&true) {
            cone[group.clone()].fill(true);
            for (_, a, b) in group.clone().filter_map(|g| operands(gates[g])) {
                cone[a.gate()] = true;
                cone[b.gate()] = true;
            }
        }
        g = group.start;
    }
    cone
}
