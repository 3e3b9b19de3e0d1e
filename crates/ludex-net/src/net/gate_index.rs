//! `GateIndex`: where a gate stands in the list of a circuit's gates.
//!
//! A table of open addressing with one word for a gate: its hash, by which others are told apart without
//! looking at them, and its number. Building circuits is mostly asking here. Gates are made after those
//! they read, so a gate stands near the later one of its operands: what is asked for next is near what was
//! asked for before. Where the words there are taken it stands anywhere.

use super::{Gate, Lit};

#[derive(Clone, Default)]
pub struct GateIndex {
    /// The hash of a gate, and its number and one; 0 where there is none.
    words: Vec<u64>,
    taken: usize,
}

/// Words of the table in which a gate stands near its operand.
const NEAR: usize = 12;

impl GateIndex {
    /// The number of a gate in the list, to the end of which it is added if it is not there.
    pub fn find_or_push(&mut self, gate: Gate, gates: &mut Vec<Gate>) -> usize {
        if self.words.len() < 2 * (self.taken + 1) {
            self.grow(gates);
        }
        let hash = hash(gate);
        let same =
            |word: u64| (word >> 32) as u32 == hash && gates[(word as u32 - 1) as usize] == gate;
        let at = self.find(gate, hash, same);
        if self.words[at] != 0 {
            return (self.words[at] as u32 - 1) as usize;
        }
        self.words[at] = (hash as u64) << 32 | (gates.len() + 1) as u64;
        self.taken += 1;
        gates.push(gate);
        gates.len() - 1
    }

    /// The index of a list in which the first of equal gates counts.
    pub fn of(gates: &[Gate]) -> GateIndex {
        let mut index = GateIndex::default();
        let mut seen: Vec<Gate> = Vec::with_capacity(gates.len());
        for gate in gates {
            let number = seen.len();
            if index.find_or_push(*gate, &mut seen) != number {
                seen.push(*gate);
            }
        }
        index
    }

    /// Where a gate stands or belongs.
    fn find(&self, gate: Gate, hash: u32, same: impl Fn(u64) -> bool) -> usize {
        let mask = self.words.len() - 1;
        let fits = |at: usize| self.words[at] == 0 || same(self.words[at]);
        let near = 2 * later_operand(gate) + (hash as usize & 1);
        for at in near..near + NEAR {
            if fits(at & mask) {
                return at & mask;
            }
        }
        let mut at = ((hash as u64 * self.words.len() as u64) >> 32) as usize;
        while !fits(at) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self, gates: &[Gate]) {
        let size = (2 * self.words.len()).max(64);
        let words = std::mem::replace(&mut self.words, vec![0; size]);
        for word in words.into_iter().filter(|w| *w != 0) {
            let gate = gates[(word as u32 - 1) as usize];
            let at = self.find(gate, (word >> 32) as u32, |_| false);
            self.words[at] = word;
        }
    }
}

/// The number of the later of the gates that a gate reads.
fn later_operand(gate: Gate) -> usize {
    match gate {
        Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b) => {
            a.gate().max(b.gate())
        }
        Gate::Base(n) | Gate::Input(n) => n as usize,
        Gate::False => 0,
    }
}

fn hash(gate: Gate) -> u32 {
    let (kind, a, b): (u64, u32, u32) = match gate {
        Gate::False => (0, 0, 0),
        Gate::Base(b) => (1, b, 0),
        Gate::Input(i) => (2, i, 0),
        Gate::And(Lit(a), Lit(b)) => (3, a, b),
        Gate::Or(Lit(a), Lit(b)) => (4, a, b),
        Gate::LoopAnd(Lit(a), Lit(b)) => (5, a, b),
        Gate::LoopOr(Lit(a), Lit(b)) => (6, a, b),
    };
    let key = (a as u64) << 32 | b as u64;
    let factor = 0xd6e8_feb8_6659_fd93 + 2 * kind;
    let product = (key ^ 0x9e37_79b9_7f4a_7c15) as u128 * factor as u128;
    (product as u64 ^ (product >> 64) as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_have_one_number_and_others_their_own() {
        let (mut index, mut gates) = (GateIndex::default(), Vec::new());
        let gate = |n: u32| match n % 2 {
            0 => Gate::And(Lit(n / 2 % 70), Lit(n / 140)),
            _ => Gate::Or(Lit(n / 2 % 70), Lit(n / 140)),
        };
        for _ in 0..2 {
            for n in 0..20_000 {
                assert_eq!(index.find_or_push(gate(n), &mut gates), n as usize);
            }
        }
        assert_eq!(gates.len(), 20_000);
        let mut again = GateIndex::of(&[Gate::Base(3), Gate::Base(3), gate(8)]);
        let mut list = vec![Gate::Base(3), Gate::Base(3), gate(8)];
        assert_eq!(again.find_or_push(Gate::Base(3), &mut list), 0);
        assert_eq!(again.find_or_push(gate(8), &mut list), 2);
        assert_eq!(again.find_or_push(gate(9), &mut list), 3);
    }
}
