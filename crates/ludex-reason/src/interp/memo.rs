//! `Memo`: what a table has answered so far, key by key.

use super::code::{Mode, QueryTable};
use super::tuples::Tuples;

pub const NONE: u32 = u32::MAX;

#[derive(Clone)]
pub struct Memo {
    pub keys: Tuples,
    /// By key.
    pub entries: Vec<MemoEntry>,
    /// `All`: rows of the relation, those of one key together. Of a split table: terms.
    pub answers: Vec<u32>,
    /// `Recursive`: rows and the number of the next answer to the same key.
    pub links: Vec<(u32, u32)>,
    /// By row of the relation: the epoch in which it was last an answer.
    seen: Vec<u32>,
    /// `Recursive`, by key: who waits for its answers.
    pub waiting: Vec<Waiting>,
    /// The epoch of `answers` and `links`.
    epoch: u32,
    /// Keys answered and answers found, ever.
    pub asked: u64,
    pub found: u64,
}

/// Valid in one epoch. `Exists`: `first` is 1 for yes. `All`: a range of answers.
/// `Recursive`: the first and the last link.
#[derive(Clone, Copy, Default)]
pub struct MemoEntry {
    pub epoch: u32,
    pub first: u32,
    pub last: u32,
}

/// The consumers of a key in one run of its component.
#[derive(Clone, Copy)]
pub struct Waiting {
    pub run: u32,
    pub first: u32,
    pub woken: bool,
}

impl Memo {
    pub fn new(table: &QueryTable) -> Memo {
        Memo {
            keys: Tuples::new(table.columns.len()),
            entries: Vec::new(),
            answers: Vec::new(),
            links: Vec::new(),
            seen: Vec::new(),
            waiting: Vec::new(),
            epoch: 0,
            asked: 0,
            found: 0,
        }
    }

    #[inline]
    pub fn key(&mut self, value: impl Fn(usize) -> u32) -> u32 {
        let key = self.keys.intern(value);
        if key as usize >= self.entries.len() {
            self.entries.push(MemoEntry::default());
            self.waiting.push(Waiting { run: 0, first: NONE, woken: false });
        }
        key
    }

    /// Begins the answers to a key.
    #[inline]
    pub fn begin(&mut self, epoch: u32) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.answers.clear();
            self.links.clear();
        }
        self.asked += 1;
    }

    /// Ends the answers to a key that began at `first`.
    #[inline]
    pub fn end(&mut self, key: u32, mode: Mode, first: u32) {
        let last = self.answers.len() as u32;
        let first = if mode == Mode::Exists { 0 } else { first };
        self.found += (last - first) as u64;
        self.entries[key as usize] = MemoEntry { epoch: self.epoch, first, last };
    }

    /// `Recursive`: the key is known from now on, without answers yet.
    pub fn open(&mut self, key: u32) {
        self.entries[key as usize] = MemoEntry { epoch: self.epoch, first: NONE, last: NONE };
    }

    /// Is this row a new answer?
    #[inline]
    pub fn is_new(&mut self, row: u32) -> bool {
        if row as usize >= self.seen.len() {
            self.seen.resize(row as usize + 1, 0);
        }
        std::mem::replace(&mut self.seen[row as usize], self.epoch) != self.epoch
    }

    /// An answer, if it is new.
    #[inline]
    pub fn add(&mut self, row: u32) {
        if self.is_new(row) {
            self.answers.push(row);
        }
    }

    pub fn link(&mut self, key: u32, row: u32) {
        let link = self.links.len() as u32;
        self.links.push((row, NONE));
        self.found += 1;
        let entry = &mut self.entries[key as usize];
        if entry.first == NONE {
            entry.first = link;
        } else {
            self.links[entry.last as usize].1 = link;
        }
        entry.last = link;
    }

    pub fn forget(&mut self) {
        self.epoch = 0;
        self.seen.fill(0);
        self.entries.fill(MemoEntry::default());
    }
}
