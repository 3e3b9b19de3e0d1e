//! `Moves`: what functions of one role's move are in the making of a circuit.
//!
//! Every role makes exactly one move, so a disjunction of most of its moves is the negation of a
//! disjunction of the few others. That is what frame rules ("any move that does not touch this
//! square") come to, and it makes their circuits small.

use super::Lit;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The moves of a role for which a literal is true: these, by their numbers, or all but these.
#[derive(Clone, Debug)]
pub struct Set {
    pub role: usize,
    pub inverted: bool,
    pub moves: Rc<[u32]>,
}

#[derive(Debug, Default)]
pub struct Moves {
    /// Every role's moves. Exactly one of them is true.
    roles: Vec<Vec<Lit>>,
    sets: FxHashMap<Lit, Set>,
    /// Moves in all sets together, which is kept within bounds.
    size: usize,
}

const MOST: usize = 20_000_000;

impl Moves {
    /// Adds a role with its moves.
    pub fn add(&mut self, moves: Vec<Lit>) {
        let role = self.roles.len();
        for (number, lit) in moves.iter().enumerate() {
            let moves = Rc::new([number as u32]);
            self.record(*lit, &Set { role, inverted: false, moves });
        }
        self.roles.push(moves);
    }

    pub fn roles(&self) -> usize {
        self.roles.len()
    }

    /// The moves that make a literal true, where it is known to depend on one role's move alone.
    pub fn set(&self, lit: Lit) -> Option<Set> {
        let mut set = self.sets.get(&Lit::new(lit.gate(), false))?.clone();
        set.inverted ^= lit.negated();
        Some(set)
    }

    /// The role whose move alone a literal depends on.
    pub fn role(&self, lit: Lit) -> Option<usize> {
        Some(self.sets.get(&Lit::new(lit.gate(), false))?.role)
    }

    pub fn record(&mut self, lit: Lit, set: &Set) {
        if self.size < MOST && lit.gate() != 0 {
            self.size += set.moves.len();
            let positive = Lit::new(lit.gate(), false);
            let set = Set { inverted: set.inverted != lit.negated(), ..set.clone() };
            self.sets.entry(positive).or_insert(set);
        }
    }

    /// The moves that a set names, whether as its members or as the others.
    pub fn named(&self, set: &Set) -> Vec<Lit> {
        set.moves.iter().map(|m| self.roles[set.role][*m as usize]).collect()
    }

    /// The union of sets of one role, as the shorter of its two forms.
    pub fn union(&self, sets: &[Set]) -> Set {
        let role = sets[0].role;
        let mut all: Vec<u32> = Vec::new();
        sets.iter().filter(|s| !s.inverted).for_each(|s| all.extend(&s.moves[..]));
        all.sort_unstable();
        all.dedup();
        // What every inverted set leaves out, less what the others have.
        let mut inverted = sets.iter().filter(|s| s.inverted);
        if let Some(first) = inverted.next() {
            let rest: Vec<&Set> = inverted.collect();
            let out = |m: &&u32| {
                all.binary_search(m).is_err()
                    && rest.iter().all(|s| s.moves.binary_search(m).is_ok())
            };
            let moves = first.moves.iter().filter(out).copied().collect();
            return Set { role, inverted: true, moves };
        }
        let count = self.roles[role].len();
        if 2 * all.len() <= count {
            return Set { role, inverted: false, moves: all.into() };
        }
        let others = (0..count as u32).filter(|m| all.binary_search(m).is_err());
        Set { role, inverted: true, moves: others.collect() }
    }
}
