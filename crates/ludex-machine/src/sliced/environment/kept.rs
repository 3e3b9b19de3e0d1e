//! States of environments, saved and restored as rows of words.

use super::EnvCircuits;
use super::block::EnvBlock;
use crate::sliced::transpose::{SIDE, transpose};
use crate::sliced::words::Word;

impl<const W: usize> EnvBlock<W> {
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Puts the lanes that are meant into the initial state.
    pub fn begin_where(&mut self, code: &EnvCircuits, is: impl Fn(usize) -> bool) {
        let mut fresh = Word::ZERO;
        for lane in (0..self.lanes).filter(|lane| is(*lane)) {
            fresh.0[lane / SIDE] |= 1 << (lane % SIDE);
        }
        self.begin(code, fresh);
    }

    /// Appends the rows of all lanes: a bit for each base, and a word that says whether the match is over.
    pub fn save(&mut self, rows: &mut Vec<u64>) {
        let (first, idle) = (rows.len(), self.idle);
        let bases = self.now.words();
        let words = bases.len().div_ceil(SIDE) + 1;
        rows.resize(first + self.lanes * words, 0);
        for (w, bases) in bases.chunks(SIDE).enumerate() {
            let mut square = [Word::<W>::ZERO; SIDE];
            square[..bases.len()].copy_from_slice(bases);
            transpose(&mut square);
            for lane in 0..self.lanes {
                rows[first + lane * words + w] = square[lane % SIDE].0[lane / SIDE];
            }
        }
        for lane in 0..self.lanes {
            let over = idle.0[lane / SIDE] >> (lane % SIDE) & 1;
            rows[first + lane * words + words - 1] = over;
        }
    }

    /// Takes the states of rows over, which must be looked at afterwards. Bits that no state can have are left out.
    pub fn restore(&mut self, code: &EnvCircuits, rows: &[u64]) {
        let now = self.now.words();
        let words = now.len().div_ceil(SIDE) + 1;
        for (w, bases) in now.chunks_mut(SIDE).enumerate() {
            let mut square = [Word::<W>::ZERO; SIDE];
            for lane in 0..self.lanes {
                square[lane % SIDE].0[lane / SIDE] = rows[lane * words + w];
            }
            transpose(&mut square);
            bases.copy_from_slice(&square[..bases.len()]);
        }
        for (word, known) in now.iter_mut().zip(&code.known) {
            *word = known.map_or(*word, Word::splat);
        }
    }

    /// Matches that were over are so again, even where their states are no ends.
    pub fn restore_ends(&mut self, rows: &[u64]) {
        let words = rows.len() / self.lanes;
        for (lane, row) in rows.chunks_exact(words).enumerate() {
            self.idle.0[lane / SIDE] |= (row[words - 1] & 1) << (lane % SIDE);
        }
    }
}
