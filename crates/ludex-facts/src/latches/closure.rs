//! What follows at once from one fact: constants pushed through a net from a single base.

use ludex_net::{Gate, Lit, Net};

/// Values that follow from what is known in every state, and a stack of those that were assumed.
pub struct Closure<'n> {
    net: &'n Net,
    values: Vec<Option<bool>>,
    readers: Vec<Vec<u32>>,
    /// Inputs by the gate of their legality.
    moves: Vec<Vec<u32>>,
    trail: Vec<usize>,
}

impl<'n> Closure<'n> {
    /// `constants`: bases whose value never changes.
    pub fn new(net: &'n Net, constants: &[Option<bool>]) -> Closure<'n> {
        let mut readers = vec![Vec::new(); net.gates.len()];
        for (g, gate) in net.gates.iter().enumerate() {
            if let Some((a, b)) = gate.operands() {
                readers[a.gate()].push(g as u32);
                readers[b.gate()].push(g as u32);
            }
        }
        let mut moves = vec![Vec::new(); net.gates.len()];
        for (i, input) in net.inputs.iter().enumerate() {
            moves[input.legal.gate()].push(i as u32);
        }
        let values = vec![None; net.gates.len()];
        let mut closure = Closure { net, values, readers, moves, trail: vec![] };
        closure.set(Lit::TRUE);
        let known = constants.iter().enumerate();
        known.for_each(|(b, v)| {
            if let Some(v) = v {
                let base = net.base_lit(b);
                closure.set(if *v { base } else { !base });
            }
        });
        closure.trail.clear();
        closure
    }

    /// The value of `goal` in every state in which `assumed` holds, if that is seen.
    pub fn value(&mut self, assumed: Lit, goal: Lit) -> Option<bool> {
        self.set(assumed);
        let value = self.of(goal);
        while let Some(g) = self.trail.pop() {
            self.values[g] = None;
        }
        value
    }

    fn of(&self, lit: Lit) -> Option<bool> {
        self.values[lit.gate()].map(|v| v != lit.negated())
    }

    fn set(&mut self, lit: Lit) {
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            let g = lit.gate();
            if self.values[g].is_some() {
                continue;
            }
            self.values[g] = Some(!lit.negated());
            self.trail.push(g);
            for i in &self.moves[g] {
                let legal = self.net.inputs[*i as usize].legal;
                if self.of(legal) == Some(false) {
                    open.push(!self.net.input_lit(*i as usize));
                }
            }
            for r in &self.readers[g] {
                if let Some(value) = self.gate(*r as usize) {
                    open.push(Lit::new(*r as usize, !value));
                }
            }
        }
    }

    fn gate(&self, g: usize) -> Option<bool> {
        let (a, b, or) = match self.net.gates[g] {
            // What follows in a loop by its gates, follows in its least fixpoint.
            Gate::And(a, b) | Gate::LoopAnd(a, b) => (a, b, false),
            Gate::Or(a, b) | Gate::LoopOr(a, b) => (a, b, true),
            Gate::False | Gate::Base(_) | Gate::Input(_) => return None,
        };
        match (self.of(a), self.of(b)) {
            (Some(x), _) | (_, Some(x)) if x == or => Some(or),
            (Some(_), Some(_)) => Some(!or),
            _ => None,
        }
    }
}
