//! `StateStore`: the states of a search side by side in memory, each with the way that led to it.

use super::sweep::row_words;
use ludex_machine::State;
use ludex_reason::Move;
use rustc_hash::FxHashSet;
use std::ops::Range;

pub struct StateStore {
    /// Those of a row, one at least, and of a state.
    words: usize,
    of_state: usize,
    states: Vec<u64>,
    /// For every state the one before it and the move made there; itself at the start.
    before: Vec<(u32, Move)>,
    seen: FxHashSet<u128>,
}

impl StateStore {
    pub fn new(like: &State) -> StateStore {
        let of_state = like.0.len();
        let words = row_words(of_state * 64);
        StateStore { words, of_state, states: vec![], before: vec![], seen: FxHashSet::default() }
    }

    /// Adds a state, unless one with its key is there already.
    pub fn insert(&mut self, key: u128, row: &[u64], before: Option<(usize, Move)>) -> bool {
        let new = self.seen.insert(key);
        if new {
            let own = self.before.len();
            let (at, m) = before.unwrap_or((own, Move(0)));
            self.before.push((at as u32, m));
            self.states.extend_from_slice(row);
            self.states.resize((own + 1) * self.words, 0);
        }
        new
    }

    /// Tells states apart by other keys from now on.
    pub fn rekey(&mut self, key: impl FnMut(&[u64]) -> u128) {
        self.seen = self.states.chunks(self.words).map(key).collect();
    }

    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// The rows of states side by side.
    pub fn rows(&self, some: Range<usize>) -> &[u64] {
        &self.states[some.start * self.words..some.end * self.words]
    }

    pub fn state(&self, at: usize) -> State {
        State(self.states[at * self.words..][..self.of_state].into())
    }

    /// The moves that lead to a state.
    pub fn line(&self, mut at: usize) -> Vec<Vec<Move>> {
        let mut line = Vec::new();
        while self.before[at].0 as usize != at {
            line.push(vec![self.before[at].1]);
            at = self.before[at].0 as usize;
        }
        line.reverse();
        line
    }
}
