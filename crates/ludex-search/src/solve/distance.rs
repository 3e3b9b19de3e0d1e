//! `Distance`: how many facts at least must change before a condition holds, if each were free to.

use ludex_machine::State;
use ludex_net::{Gate, Lit, Net};

pub struct Distance<'n> {
    net: &'n Net,
    /// The gates that the condition depends on, in order.
    gates: Vec<usize>,
    roots: Vec<Lit>,
    /// Per gate what it takes to make it true, and false.
    costs: Vec<(u32, u32)>,
}

impl<'n> Distance<'n> {
    /// To any one of these literals.
    pub fn new(net: &'n Net, roots: impl Iterator<Item = Lit>) -> Distance<'n> {
        let roots: Vec<Lit> = roots.collect();
        let mut needed = vec![false; net.gates.len()];
        let mut open: Vec<usize> = roots.iter().map(|l| l.gate()).collect();
        while let Some(g) = open.pop() {
            if !std::mem::replace(&mut needed[g], true)
                && let Gate::And(a, b) | Gate::Or(a, b) = net.gates[g]
            {
                open.extend([a.gate(), b.gate()]);
            }
        }
        let gates = (0..needed.len()).filter(|g| needed[*g]).collect();
        Distance { net, gates, roots, costs: vec![(0, 0); net.gates.len()] }
    }

    pub fn of(&mut self, state: &State) -> u32 {
        for g in &self.gates {
            let cost = |l: Lit| {
                let (yes, no) = self.costs[l.gate()];
                if l.negated() { (no, yes) } else { (yes, no) }
            };
            self.costs[*g] = match self.net.gates[*g] {
                Gate::False => (NEVER, 0),
                // What a loop takes is not looked at: it counts as free.
                Gate::Input(_) | Gate::LoopAnd(..) | Gate::LoopOr(..) => (0, 0),
                Gate::Base(b) => match state.holds(b as usize) {
                    true => (0, 1),
                    false => (1, 0),
                },
                Gate::And(a, b) => {
                    let (a, b) = (cost(a), cost(b));
                    ((a.0 + b.0).min(NEVER), a.1.min(b.1))
                }
                Gate::Or(a, b) => {
                    let (a, b) = (cost(a), cost(b));
                    (a.0.min(b.0), (a.1 + b.1).min(NEVER))
                }
            };
        }
        let cost = |l: &Lit| {
            let (yes, no) = self.costs[l.gate()];
            if l.negated() { no } else { yes }
        };
        self.roots.iter().map(cost).min().unwrap_or(0)
    }
}

const NEVER: u32 = 1 << 30;
