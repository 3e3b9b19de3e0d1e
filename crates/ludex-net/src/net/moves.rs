//! `Moves`: what functions of one role's move are in the making of a circuit.
//!
//! Every role makes exactly one move, so a disjunction of most of its moves is the negation of a
//! disjunction of the few others. That is what frame rules ("any move that does not touch this
//! square") come to, and it makes their circuits small.

use super::Lit;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// The moves of a role for which a literal is true: these gates, or all but these.
#[derive(Clone)]
pub struct MoveSet {
    pub role: usize,
    pub inverted: bool,
    pub gates: Rc<[u32]>,
}

#[derive(Clone)]
pub struct Moves {
    /// The gates of every role's inputs, one role after the other.
    roles: Vec<Range<usize>>,
    sets: FxHashMap<Lit, MoveSet>,
    /// Per gate, whether there is a set for it.
    known: Vec<bool>,
    /// Gates in all sets together, which is kept within bounds.
    size: usize,
}

const MOST: usize = 20_000_000;

impl Moves {
    /// `first` is the first input's gate, `inputs` the number of every role's inputs.
    pub fn new(first: usize, inputs: &[usize]) -> Moves {
        let mut end = first;
        let range = |n: &usize| {
            end += n;
            end - n..end
        };
        let roles = inputs.iter().map(range).collect();
        let mut known = vec![false; first];
        known.resize(end, true);
        Moves { roles, sets: FxHashMap::default(), known, size: 0 }
    }

    /// Is a literal known to depend on one role's move alone?
    pub fn knows(&self, lit: Lit) -> bool {
        self.known.get(lit.gate()).copied().unwrap_or_default()
    }

    pub fn roles(&self) -> usize {
        self.roles.len()
    }

    /// The moves that make a literal true, where it is known to depend on one role's move alone.
    pub fn set(&self, lit: Lit) -> Option<MoveSet> {
        let positive = Lit::new(lit.gate(), false);
        let mut set = match self.roles.iter().position(|r| r.contains(&lit.gate())) {
            Some(role) => MoveSet { role, inverted: false, gates: Rc::new([lit.gate() as u32]) },
            None => self.sets.get(&positive)?.clone(),
        };
        set.inverted ^= lit.negated();
        Some(set)
    }

    pub fn record(&mut self, lit: Lit, set: &MoveSet) {
        if self.size < MOST && lit.gate() != 0 {
            self.size += set.gates.len();
            let positive = Lit::new(lit.gate(), false);
            let set = MoveSet { inverted: set.inverted != lit.negated(), ..set.clone() };
            self.sets.insert(positive, set);
            self.known.resize(self.known.len().max(lit.gate() + 1), false);
            self.known[lit.gate()] = true;
        }
    }

    /// The union of sets of one role, as the shorter of its two forms.
    pub fn union(&self, sets: &[MoveSet]) -> MoveSet {
        let role = sets[0].role;
        let mut all: Vec<u32> = Vec::new();
        sets.iter().filter(|s| !s.inverted).for_each(|s| all.extend(&s.gates[..]));
        all.sort_unstable();
        all.dedup();
        // What every inverted set leaves out, less what the others have.
        let mut inverted = sets.iter().filter(|s| s.inverted);
        if let Some(first) = inverted.next() {
            let rest: Vec<&MoveSet> = inverted.collect();
            let out = |g: &&u32| {
                all.binary_search(g).is_err()
                    && rest.iter().all(|s| s.gates.binary_search(g).is_ok())
            };
            let gates = first.gates.iter().filter(out).copied().collect();
            return MoveSet { role, inverted: true, gates };
        }
        let range = self.roles[role].clone();
        if 2 * all.len() <= range.len() {
            return MoveSet { role, inverted: false, gates: all.into() };
        }
        let others = range.map(|g| g as u32).filter(|g| all.binary_search(g).is_err());
        MoveSet { role, inverted: true, gates: others.collect() }
    }
}
