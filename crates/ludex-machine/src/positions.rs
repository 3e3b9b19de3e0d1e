//! `Positions`: different positions, numbered as they came, and found again by what they are.
//!
//! The rows stand one after the other, so that they are what a `Batch` takes. Beside them is an open table
//! of their numbers with 32 bits of their hashes. The place in the table is given by the upper bits of these
//! 32, so the table grows in one sweep without looking at a row. Many positions are put in at once: the
//! places of all are fetched before the first is looked at.

#[derive(Clone, Debug)]
pub struct Positions {
    words: usize,
    rows: Vec<u64>,
    /// Hash and number plus one, or 0; a power of two of them.
    slots: Vec<u64>,
}

/// The first size of the table.
const LEAST: usize = 1 << 10;
/// Positions that are put in together.
const TOGETHER: usize = 64;

impl Positions {
    /// None, of so many words each.
    pub fn new(words: usize) -> Positions {
        Positions { words, rows: Vec::new(), slots: vec![0; LEAST] }
    }

    pub fn len(&self) -> usize {
        self.rows.len() / self.words
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The words of all.
    pub fn all(&self) -> &[u64] {
        &self.rows
    }

    pub fn row(&self, number: usize) -> &[u64] {
        &self.rows[number * self.words..][..self.words]
    }

    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.slots.fill(0);
    }

    /// Puts in the positions of these rows; `numbers` become theirs. Those that are new get the next numbers.
    pub fn insert(&mut self, rows: &[u64], numbers: &mut Vec<u32>) {
        numbers.clear();
        // The loops of short rows are unrolled.
        match self.words {
            1 => self.insert_all(rows, 1, numbers),
            2 => self.insert_all(rows, 2, numbers),
            3 => self.insert_all(rows, 3, numbers),
            4 => self.insert_all(rows, 4, numbers),
            words => self.insert_all(rows, words, numbers),
        }
    }

    #[inline(always)]
    fn insert_all(&mut self, rows: &[u64], words: usize, numbers: &mut Vec<u32>) {
        let mut hashes = [0; TOGETHER];
        for rows in rows.chunks(TOGETHER * words) {
            self.reserve(rows.len() / words);
            let hashes = &mut hashes[..rows.len() / words];
            let shift = self.shift();
            for (row, place) in rows.chunks_exact(words).zip(&mut *hashes) {
                *place = hash(row);
                prefetch(&self.slots, (*place >> shift) as usize);
            }
            for hash in &*hashes {
                let slot = self.slots[(hash >> shift) as usize];
                prefetch(&self.rows, (slot as u32).wrapping_sub(1) as usize * words);
            }
            for (row, hash) in rows.chunks_exact(words).zip(&*hashes) {
                numbers.push(self.place(row, words, *hash));
            }
        }
    }

    /// Makes room for so many positions in all.
    pub fn expect(&mut self, positions: usize) {
        self.reserve(positions.saturating_sub(self.len()));
    }

    /// The number of a position that is there.
    pub fn find(&self, row: &[u64]) -> Option<u32> {
        self.probe(row, self.words, hash(row)).ok()
    }

    #[inline(always)]
    fn place(&mut self, row: &[u64], words: usize, hash: u32) -> u32 {
        match self.probe(row, words, hash) {
            Ok(number) => number,
            Err(at) => {
                let number =
                    u32::try_from(self.rows.len() / words).expect("fewer than 2^32 positions");
                self.slots[at] = u64::from(hash) << 32 | u64::from(number + 1);
                self.rows.extend_from_slice(row);
                number
            }
        }
    }

    /// The number of a position, or the free place for it.
    #[inline(always)]
    fn probe(&self, row: &[u64], words: usize, hash: u32) -> Result<u32, usize> {
        let mut at = (hash >> self.shift()) as usize;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            let number = slot as u32 - 1;
            if (slot >> 32) as u32 == hash {
                let found = &self.rows[number as usize * words..][..words];
                if is_same(found, row) {
                    return Ok(number);
                }
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// What hashes lose to become places.
    #[inline(always)]
    fn shift(&self) -> u32 {
        32 - self.slots.len().trailing_zeros()
    }

    /// Makes room, so that at most two thirds of the table are taken.
    fn reserve(&mut self, more: usize) {
        let wanted = (self.len() + more) * 3 / 2;
        if wanted <= self.slots.len() {
            return;
        }
        let size = wanted.next_power_of_two();
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        let shift = self.shift();
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            let mut at = ((slot >> 32) as u32 >> shift) as usize;
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// Positions are short: comparing them takes less than a call.
#[inline(always)]
fn is_same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// The upper half of products with odd constants, folded word by word.
#[inline(always)]
fn hash(row: &[u64]) -> u32 {
    let mut hash: u64 = 0x9E37_79B9_7F4A_7C15;
    for word in row {
        let product = u128::from(hash ^ word) * 0xD6E8_FEB8_6659_FD93_u128;
        hash = product as u64 ^ (product >> 64) as u64;
    }
    (hash.wrapping_mul(0xE703_7ED1_A0B4_28DB) >> 32) as u32
}

/// Fetches what will be looked at soon.
#[inline(always)]
pub fn prefetch(values: &[u64], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(value) = values.get(at) {
        // SAFETY: the address is that of a value; fetching it changes nothing.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn rows_are_numbered_as_a_map_numbers_them() {
        let mut random = ludex_reason::Random::new(5);
        let (mut rows, mut numbers) = (Positions::new(2), vec![]);
        let mut map: FxHashMap<[u64; 2], u32> = FxHashMap::default();
        for _ in 0..40 {
            let some: Vec<[u64; 2]> =
                (0..700).map(|_| [random.below(90) as u64, random.below(90) as u64 + 1]).collect();
            rows.insert(some.as_flattened(), &mut numbers);
            for (row, number) in some.iter().zip(&numbers) {
                let count = map.len() as u32;
                assert_eq!(number, map.entry(*row).or_insert(count));
            }
        }
        assert!(map.len() > 7_000, "most of 8100");
        assert_eq!(rows.len(), map.len());
        map.iter().for_each(|(row, number)| assert_eq!(rows.find(row), Some(*number)));
        map.iter().for_each(|(row, number)| assert_eq!(rows.row(*number as usize), row));
        assert_eq!(rows.find(&[0, 0]), None);
        rows.clear();
        assert!(rows.is_empty() && rows.find(&[1, 1]).is_none());
    }
}
