//! `TupleTable`: from tuples of numbers to a number, for tables that are read at random places.
//!
//! While the values of a tuple fit together into 64 bits they are its key: a tuple is found with one look
//! at the table, and never compared elsewhere. Values that need more bits than those before make the keys
//! anew; tuples that do not fit are keyed by their hash and compared with what they stand for.

use super::store::NONE;

#[derive(Default)]
pub struct TupleTable {
    /// Key and number; `NONE` where there is none. As many as a power of two.
    entries: Vec<(u64, u32)>,
    taken: usize,
    /// How many bits the values of each column have in a key.
    widths: Vec<u32>,
    /// Do the values not fit into a key?
    hashed: bool,
}

impl TupleTable {
    /// The number of a tuple, `NONE` where there is none yet, which the caller then sets.
    /// `value(n, c)`: the value in column `c` of the tuple with number `n`.
    pub fn entry<V: Copy + Into<u32>>(
        &mut self,
        tuple: &[V],
        value: impl Fn(u32, usize) -> u32,
    ) -> &mut u32 {
        if 4 * (self.taken + 1) > 3 * self.entries.len() {
            self.grow();
        }
        let key = match self.key(tuple) {
            Some(key) => key,
            None => self.widen(tuple, &value),
        };
        let at = self.find(key, tuple, &value);
        self.taken += (self.entries[at].1 == NONE) as usize;
        self.entries[at].0 = key;
        &mut self.entries[at].1
    }

    /// The number of a tuple; `NONE` where there is none.
    pub fn get<V: Copy + Into<u32>>(&self, tuple: &[V], value: impl Fn(u32, usize) -> u32) -> u32 {
        match self.key(tuple) {
            Some(key) if self.taken > 0 => self.entries[self.find(key, tuple, &value)].1,
            _ => NONE,
        }
    }

    /// Where a tuple stands or belongs.
    fn find<V: Copy + Into<u32>>(
        &self,
        key: u64,
        tuple: &[V],
        value: &impl Fn(u32, usize) -> u32,
    ) -> usize {
        let mut at = self.place(key);
        loop {
            let (other, number) = self.entries[at];
            let equal = || tuple.iter().enumerate().all(|(c, v)| value(number, c) == (*v).into());
            if number == NONE || (other == key && (!self.hashed || equal())) {
                return at;
            }
            at = (at + 1) & (self.entries.len() - 1);
        }
    }

    /// The key of a tuple; none if its values have more bits than keys provide for.
    fn key<V: Copy + Into<u32>>(&self, tuple: &[V]) -> Option<u64> {
        let fits = self.widths.len() == tuple.len();
        let tuple = tuple.iter().map(|v| -> u32 { (*v).into() });
        if self.hashed {
            return Some(tuple.fold(0, |key, v| mixed(key ^ v as u64)));
        }
        let (mut key, mut over) = (0, 0);
        for (value, width) in tuple.zip(&self.widths) {
            over |= value as u64 >> width;
            key = key << width | value as u64;
        }
        (fits && over == 0).then_some(key)
    }

    /// Makes all keys anew with room for the values of one more tuple, and gives its key.
    fn widen<V: Copy + Into<u32>>(
        &mut self,
        tuple: &[V],
        value: &impl Fn(u32, usize) -> u32,
    ) -> u64 {
        self.widths.resize(tuple.len(), 0);
        for (value, width) in tuple.iter().zip(&mut self.widths) {
            *width = (*width).max(u32::BITS - (*value).into().leading_zeros());
        }
        self.hashed = self.widths.iter().sum::<u32>() > u64::BITS;
        let mut other = vec![0; tuple.len()];
        let old = std::mem::take(&mut self.entries);
        self.entries = vec![(0, NONE); old.len()];
        for (_, number) in old.into_iter().filter(|e| e.1 != NONE) {
            (0..tuple.len()).for_each(|c| other[c] = value(number, c));
            let key = self.key(&other).expect("within the widths");
            self.put(key, number);
        }
        self.key(tuple).expect("within the widths")
    }

    fn grow(&mut self) {
        let size = (2 * self.entries.len()).max(8);
        let old = std::mem::replace(&mut self.entries, vec![(0, NONE); size]);
        old.into_iter().filter(|e| e.1 != NONE).for_each(|(key, number)| self.put(key, number));
    }

    /// Puts in what is not there yet.
    fn put(&mut self, key: u64, number: u32) {
        let mut at = self.place(key);
        while self.entries[at].1 != NONE {
            at = (at + 1) & (self.entries.len() - 1);
        }
        self.entries[at] = (key, number);
    }

    fn place(&self, key: u64) -> usize {
        mixed(key) as usize & (self.entries.len() - 1)
    }
}

/// A number whose lower bits depend on all bits of another.
fn mixed(key: u64) -> u64 {
    let product = (key ^ 0x9e37_79b9_7f4a_7c15) as u128 * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers tuples twice, once new and once known.
    fn check(tuples: &[Vec<u32>]) {
        let mut table = TupleTable::default();
        let value = |n: u32, c: usize| tuples[n as usize][c];
        for (n, tuple) in tuples.iter().enumerate() {
            assert_eq!(table.get(tuple, value), NONE);
            let entry = table.entry(tuple, value);
            assert_eq!(*entry, NONE);
            *entry = n as u32;
        }
        for (n, tuple) in tuples.iter().enumerate() {
            assert_eq!(table.get(tuple, value), n as u32);
            assert_eq!(*table.entry(tuple, value), n as u32);
        }
    }

    #[test]
    fn tuples_keep_their_numbers_as_values_grow() {
        let small = (0..500).flat_map(|a| (0..9).map(move |b| vec![b, a, b * a]));
        let wide = (0..500).map(|a| vec![a << 20, u32::MAX - 1 - a, 7]);
        check(&small.clone().collect::<Vec<_>>());
        check(&small.chain(wide).collect::<Vec<_>>());
        check(&[vec![]]);
    }
}
