//! `Word`: one bit for each lane, `Aligned`: memory of words, and `WordRandom`: words of random bits, and uniform ranks from them.

use ludex_reason::Random;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// `64 * W` lanes. Lane `l` is bit `l % 64` of element `l / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Word<const W: usize>(pub [u64; W]);

impl<const W: usize> Word<W> {
    pub const LANES: usize = 64 * W;
    pub const ZERO: Word<W> = Word([0; W]);
    pub const ONES: Word<W> = Word([!0; W]);

    /// The elements of words, one word after the other.
    #[inline(always)]
    pub fn elements(words: &mut [Word<W>]) -> &mut [u64] {
        // SAFETY: a word is `W` u64s and nothing else.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len() * W) }
    }

    #[inline(always)]
    pub fn splat(value: bool) -> Word<W> {
        if value { Word::ONES } else { Word::ZERO }
    }

    #[inline(always)]
    pub fn any(self) -> bool {
        self.0.iter().fold(0, |all, x| all | x) != 0
    }

    #[inline(always)]
    pub fn count(self) -> u64 {
        self.0.iter().map(|x| x.count_ones() as u64).sum()
    }

    #[cfg(test)]
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The lowest `n` of the lanes in this word.
    pub fn lowest(self, mut n: u64) -> Word<W> {
        let mut kept = Word::ZERO;
        for (from, to) in self.0.iter().zip(&mut kept.0) {
            let mut rest = *from;
            while rest != 0 && n > 0 {
                *to |= rest & rest.wrapping_neg();
                rest &= rest - 1;
                n -= 1;
            }
        }
        kept
    }
}

impl<const W: usize> BitAnd for Word<W> {
    type Output = Word<W>;
    #[inline(always)]
    fn bitand(mut self, other: Word<W>) -> Word<W> {
        for i in 0..W {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl<const W: usize> BitOr for Word<W> {
    type Output = Word<W>;
    #[inline(always)]
    fn bitor(mut self, other: Word<W>) -> Word<W> {
        for i in 0..W {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl<const W: usize> BitXor for Word<W> {
    type Output = Word<W>;
    #[inline(always)]
    fn bitxor(mut self, other: Word<W>) -> Word<W> {
        for i in 0..W {
            self.0[i] ^= other.0[i];
        }
        self
    }
}

impl<const W: usize> Not for Word<W> {
    type Output = Word<W>;
    #[inline(always)]
    fn not(mut self) -> Word<W> {
        for i in 0..W {
            self.0[i] = !self.0[i];
        }
        self
    }
}

/// Words at an address that every back end can use.
#[derive(Clone)]
pub struct Aligned<const W: usize> {
    chunks: Vec<Chunk>,
    len: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Chunk([u64; 8]);

impl<const W: usize> Aligned<W> {
    pub fn new(len: usize) -> Aligned<W> {
        Aligned { chunks: vec![Chunk([0; 8]); (len * W).div_ceil(8).max(1)], len }
    }

    #[inline(always)]
    pub fn words(&mut self) -> &mut [Word<W>] {
        // SAFETY: `new` made chunks of 8 u64s for at least `len * W`, and a word is `W` u64s.
        unsafe { std::slice::from_raw_parts_mut(self.chunks.as_mut_ptr().cast(), self.len) }
    }

    /// The same memory as words of another width.
    #[inline(always)]
    pub fn cast<const V: usize>(&mut self) -> &mut [Word<V>] {
        let len = self.len * W / V;
        // SAFETY: as above: `len * V` u64s are no more than those of all words.
        unsafe { std::slice::from_raw_parts_mut(self.chunks.as_mut_ptr().cast(), len) }
    }
}

/// RomuTrio (Overton 2020), one generator for each element of a word.
#[derive(Clone, Debug)]
pub struct WordRandom<const W: usize> {
    x: [u64; W],
    y: [u64; W],
    z: [u64; W],
}

impl<const W: usize> WordRandom<W> {
    pub fn new(seed: u64) -> WordRandom<W> {
        let mut first = Random::new(seed);
        let mut random = WordRandom { x: [0; W], y: [0; W], z: [0; W] };
        for i in 0..W {
            random.x[i] = first.bits();
            random.y[i] = first.bits();
            random.z[i] = first.bits();
        }
        (0..16).for_each(|_| {
            random.word();
        });
        random
    }

    #[inline(always)]
    pub fn word(&mut self) -> Word<W> {
        let mut out = Word::ZERO;
        for i in 0..W {
            let (x, y, z) = (self.x[i], self.y[i], self.z[i]);
            self.x[i] = z.wrapping_mul(15241094284759029579);
            self.y[i] = y.wrapping_sub(x).rotate_left(12);
            self.z[i] = z.wrapping_sub(y).rotate_left(44);
            out.0[i] = x;
        }
        out
    }

    /// In every lane a number drawn uniformly from `0..=highest`, both in binary. Random bits, as many
    /// as `highest` has, are drawn again in the lanes where they exceed it, so the draw is exact.
    /// Lanes outside `live` hold any number.
    #[inline(always)]
    pub fn ranks(&mut self, highest: &[Word<W>], live: Word<W>, rank: &mut [Word<W>]) {
        let mut wanted = Word::ONES;
        loop {
            let (mut above, mut exceeds, mut equal) = (Word::ZERO, Word::ZERO, Word::ONES);
            for (rank, highest) in rank.iter_mut().zip(highest).rev() {
                above = above | *highest;
                let drawn = self.word() & above;
                exceeds = exceeds | (equal & drawn & !*highest);
                equal = equal & !(drawn ^ *highest);
                *rank = (*rank & !wanted) | (drawn & wanted);
            }
            wanted = wanted & exceeds & live;
            if !wanted.any() {
                return;
            }
        }
    }
}
