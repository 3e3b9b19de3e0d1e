//! Wide gates -> `Costs`: what it takes to keep them up or to ask for them, in a few random states.

use super::turns::Turns;
use super::wide::{Wide, operands};
use ludex_net::{Gate, Lit, Net};

/// The values of all gates, one bit for each of the states.
pub struct Costs {
    /// Before moves are made, and after.
    still: Vec<u64>,
    moved: Vec<u64>,
    /// The states that are followed by the next one.
    followed: u64,
    /// All of the states.
    all: u64,
}

impl Costs {
    /// `gates` are those of the net, and more after them.
    pub fn new(net: &Net, gates: &[Gate], turns: &Turns) -> Costs {
        let bits = |holds: &dyn Fn(usize) -> bool| {
            (0..turns.states.len()).fold(0, |bits, s| bits | (holds(s) as u64) << s)
        };
        let base = |b: usize| bits(&|s| turns.states[s].bases[b]);
        let made = |i: usize| bits(&|s| turns.states[s].joint.contains(&i));
        Costs {
            still: values(net, gates, &base, &|_| 0),
            moved: values(net, gates, &base, &made),
            followed: bits(&|s| turns.states[s].followed),
            all: bits(&|_| true),
        }
    }

    /// How many operands of gates change all together, where they are kept up.
    pub fn kept(&self, wides: &[Wide]) -> u32 {
        wides.iter().map(|w| self.changes(w)).sum()
    }

    fn changes(&self, wide: &Wide) -> u32 {
        let changes = |lit: &Lit| {
            let (still, moved) = (self.still[lit.gate()], self.moved[lit.gate()]);
            (still ^ moved).count_ones() + ((moved ^ still >> 1) & self.followed).count_ones()
        };
        wide.operands.iter().map(changes).sum()
    }

    /// Per gate, at how many operands one looks where literals are asked for in some of the states.
    pub fn looks(&self, wides: &[Wide], literals: impl Iterator<Item = (Lit, u64)>) -> Vec<u32> {
        let mut asked = vec![0; self.still.len()];
        literals.for_each(|(lit, states)| asked[lit.gate()] |= states);
        let mut looks = vec![0; wides.len()];
        for (wide, looks) in wides.iter().zip(&mut looks).rev() {
            let mut open = asked[wide.gate];
            for lit in &wide.operands {
                *looks += open.count_ones();
                asked[lit.gate()] |= open;
                open &= !self.ending(wide, *lit);
            }
        }
        looks
    }

    /// The gates that are better kept up than asked for. `held` are those that are kept up already.
    pub fn better_kept(&self, wides: &[Wide], looks: &[u32], held: &mut [bool]) -> Vec<Lit> {
        let mut better = Vec::new();
        for (wide, looks) in wides.iter().zip(looks) {
            let ready = wide.operands.iter().all(|lit| held[lit.gate()]);
            if ready && self.changes(wide) < *looks {
                held[wide.gate] = true;
                better.push(Lit::new(wide.gate, false));
            }
        }
        better
    }

    /// Puts operands first that often make the rest needless, for a low price.
    pub fn order(&self, wides: &mut [Wide]) {
        let states = self.all.count_ones() as f32;
        let mut price = vec![1.0; self.still.len()];
        for wide in wides {
            let worth =
                |lit: &Lit| (self.ending(wide, *lit).count_ones() as f32 + 0.5) / price[lit.gate()];
            let mut order: Vec<(f32, Lit)> = wide.operands.iter().map(|l| (worth(l), *l)).collect();
            order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            wide.operands = order.into_iter().map(|o| o.1).collect();
            let mut open = self.all;
            for lit in &wide.operands {
                price[wide.gate] += price[lit.gate()] * open.count_ones() as f32 / states;
                open &= !self.ending(wide, *lit);
            }
        }
    }

    /// The states in which an operand decides the gate.
    fn ending(&self, wide: &Wide, lit: Lit) -> u64 {
        let flip = if lit.negated() == wide.or { self.all } else { 0 };
        self.still[lit.gate()] ^ flip
    }
}

fn values(
    net: &Net,
    gates: &[Gate],
    base: &dyn Fn(usize) -> u64,
    input: &dyn Fn(usize) -> u64,
) -> Vec<u64> {
    let mut values = vec![0; gates.len()];
    let mut components = net.components.iter().peekable();
    let mut at = 0;
    while at < gates.len() {
        let group = components.next_if(|c| c.start == at).cloned().unwrap_or(at..at + 1);
        at = group.end;
        while group.clone().fold(false, |changed, g| {
            let value = |lit: Lit| values[lit.gate()] ^ (lit.negated() as u64).wrapping_neg();
            let new = match (gates[g], operands(gates[g])) {
                (Gate::Base(b), _) => base(b as usize),
                (Gate::Input(i), _) => input(i as usize),
                (_, Some((true, a, b))) => value(a) | value(b),
                (_, Some((false, a, b))) => value(a) & value(b),
                _ => 0,
            };
            std::mem::replace(&mut values[g], new) != new || changed
        }) && group.len() > 1
        {}
    }
    values
}
