//! `TranspositionTable`: a transposition table of bounded size, by keys of 128 bits.
//!
//! Keys are sums of random numbers (Zobrist), and states themselves are not kept. One half of a key says in
//! which bucket it stands, the other half is kept and compared: in a search of 10^9 states the
//! probability that two are ever taken for one is about 10^-10. A bucket has three entries, so that with entries of
//! twelve bytes it is one line of the cache.

/// What is known of a state.
pub trait TableEntry: Copy + Default {
    /// The states below it that were expanded: what it would cost to find out again.
    fn work(&self) -> u32;
}

pub struct TranspositionTable<E> {
    buckets: Vec<Bucket<E>>,
    used: usize,
    /// The buckets at first, and the most that there may be.
    least: usize,
    most: usize,
}

const PLACES: usize = 3;

/// Entries that are filled from the first on.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Bucket<E> {
    /// The lower halves of the keys; 0 where there is none.
    keys: [u64; PLACES],
    entries: [E; PLACES],
    /// Ten bits of the upper half of each key that say where it stands in a larger table.
    further: u32,
}

/// The fewest buckets, and how much a table can grow.
const SMALLEST: usize = 1 << 10;
const GROWTH: usize = 10;

impl<E: TableEntry> TranspositionTable<E> {
    /// A table that grows up to so many bytes.
    pub fn new(bytes: usize) -> TranspositionTable<E> {
        // While it grows the old table, a quarter, stands beside the new one.
        let buckets = bytes / size_of::<Bucket<E>>() * 4 / 5;
        let most = (buckets.max(SMALLEST) + 1).next_power_of_two() / 2;
        let least = SMALLEST.max(most >> GROWTH);
        TranspositionTable { buckets: vec![Bucket::default(); least], used: 0, least, most }
    }

    #[inline]
    pub fn get(&self, key: u128) -> Option<&E> {
        let (bucket, kept) = (&self.buckets[self.place(key)], kept(key));
        let at = bucket.keys.iter().position(|k| *k == kept)?;
        Some(&bucket.entries[at])
    }

    /// Keeps an entry, if need be in the place of the one that took the least work.
    pub fn put(&mut self, key: u128, entry: E) {
        if self.used * 2 > self.buckets.len() * PLACES && self.buckets.len() < self.most {
            self.grow();
        }
        let further = ((key >> 64) as usize / self.least) as u32 & ((1 << GROWTH) - 1);
        self.insert(self.place(key), kept(key), further, entry);
    }

    fn insert(&mut self, place: usize, key: u64, further: u32, entry: E) {
        let bucket = &mut self.buckets[place];
        let at = match bucket.keys.iter().position(|k| *k == key || *k == 0) {
            Some(at) => at,
            None => (0..PLACES).min_by_key(|at| bucket.entries[*at].work()).expect("three"),
        };
        self.used += (bucket.keys[at] == 0) as usize;
        let shift = at * GROWTH;
        bucket.further = bucket.further & !(((1 << GROWTH) - 1) << shift) | further << shift;
        (bucket.keys[at], bucket.entries[at]) = (key, entry);
    }

    #[inline(always)]
    fn place(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.buckets.len() - 1)
    }

    fn grow(&mut self) {
        let larger = (self.buckets.len() * 4).min(self.most);
        let old = std::mem::replace(&mut self.buckets, vec![Bucket::default(); larger]);
        self.used = 0;
        for (place, bucket) in old.iter().enumerate() {
            for at in (0..PLACES).filter(|at| bucket.keys[*at] != 0) {
                let further = bucket.further >> (at * GROWTH) & ((1 << GROWTH) - 1);
                let place = place % self.least + further as usize * self.least;
                let place = place & (larger - 1);
                self.insert(place, bucket.keys[at], further, bucket.entries[at]);
            }
        }
    }
}

/// The half of a key that is kept; never 0.
#[inline(always)]
fn kept(key: u128) -> u64 {
    key as u64 | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    impl TableEntry for u32 {
        fn work(&self) -> u32 {
            *self
        }
    }

    fn key(i: u32) -> u128 {
        (i as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let mut table: TranspositionTable<u32> = TranspositionTable::new(1);
        (0..200_000).for_each(|i| table.put(key(i), i));
        assert_eq!(table.get(key(199_999)), Some(&199_999));
        assert_eq!(table.get(key(0)), None);
        assert!(table.buckets.len() <= SMALLEST);
    }

    #[test]
    fn a_growing_table_keeps_nearly_everything() {
        let mut table: TranspositionTable<u32> = TranspositionTable::new(1 << 27);
        (0..200_000).for_each(|i| table.put(key(i), i));
        let kept = (0..200_000).filter(|i| table.get(key(*i)) == Some(i)).count();
        assert!(kept > 150_000, "{kept}");
        assert!((0..200_000).all(|i| table.get(key(i)).is_none_or(|found| *found == i)));
    }
}
