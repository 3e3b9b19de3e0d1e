//! `RankTable`: a transposition table that threads share without a lock, of what is known of the ranks of states.
//!
//! As in `solve/table.rs` a bucket is one line of the cache with three entries, and what took the least work goes first. An entry
//! is three words, which are read and written one by one. The first holds the key, changed by the two others (Hyatt and Mann,
//! 2002), so that an entry of which two threads have written parts fits no key. Only a table that nobody shares grows.

use super::known::KnownRanks;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};

pub struct RankTable {
    buckets: Vec<RankBucket>,
    used: AtomicUsize,
    /// The buckets at first, and the most that there may be.
    least: usize,
    most: usize,
}

const PLACES: usize = 3;

/// Entries that are filled from the first on.
#[derive(Default)]
#[repr(C, align(64))]
struct RankBucket {
    /// The lower halves of the keys, changed by what stands beside them; 0 where there is none.
    keys: [AtomicU64; PLACES],
    firsts: [AtomicU64; PLACES],
    seconds: [AtomicU32; PLACES],
    /// Ten bits of the upper half of each key that say where it stands in a larger table.
    further: AtomicU32,
}

/// The fewest buckets, and how much a table can grow.
const SMALLEST: usize = 1 << 10;
const GROWTH: usize = 10;
const FURTHER: u32 = (1 << GROWTH) - 1;

impl RankTable {
    /// A table that grows up to so many bytes.
    pub fn new(bytes: usize) -> RankTable {
        // While it grows the old table, a quarter, stands beside the new one.
        let buckets = bytes / size_of::<RankBucket>() * 4 / 5;
        let most = (buckets.max(SMALLEST) + 1).next_power_of_two() / 2;
        let least = SMALLEST.max(most >> GROWTH);
        RankTable { buckets: empty(least), used: AtomicUsize::new(0), least, most }
    }

    /// Fetches what a key will be looked up in.
    #[inline]
    pub fn prefetch(&self, key: u128) {
        let bucket = &self.buckets[self.place(key)];
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the address is that of a bucket; fetching it changes nothing.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bucket;
    }

    #[inline]
    pub fn get(&self, key: u128) -> Option<KnownRanks> {
        let (bucket, kept) = (&self.buckets[self.place(key)], kept(key));
        (0..PLACES).map(|at| bucket.read(at)).find(|(key, _)| *key == kept).map(|(_, known)| known)
    }

    /// Keeps an entry, if need be in the place of the one that took the least work.
    pub fn put(&self, key: u128, known: KnownRanks) {
        let further = ((key >> 64) as usize / self.least) as u32 & FURTHER;
        self.insert(self.place(key), kept(key), further, known);
    }

    /// Whether it should be larger, and may be.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.buckets.len() < self.most && self.used.load(Relaxed) * 2 > self.buckets.len() * PLACES
    }

    /// Makes it four times as large.
    pub fn grow(&mut self) {
        let larger = (self.buckets.len() * 4).min(self.most);
        let old = std::mem::replace(&mut self.buckets, empty(larger));
        *self.used.get_mut() = 0;
        for (place, bucket) in old.iter().enumerate() {
            let all = bucket.further.load(Relaxed);
            for at in (0..PLACES).filter(|at| bucket.keys[*at].load(Relaxed) != 0) {
                let further = all >> (at * GROWTH) & FURTHER;
                let place = place % self.least + further as usize * self.least;
                let (key, known) = bucket.read(at);
                self.insert(place & (larger - 1), key, further, known);
            }
        }
    }

    /// Makes it so large that nothing need be left away in a search of so many states.
    pub fn reserve(&mut self, states: u64) {
        while self.buckets.len() < self.most && states > self.buckets.len() as u64 {
            self.grow();
        }
    }

    fn insert(&self, place: usize, key: u64, further: u32, known: KnownRanks) {
        let bucket = &self.buckets[place];
        let free = |at: &usize| bucket.keys[*at].load(Relaxed) == 0;
        let at = match (0..PLACES).find(|at| free(at) || bucket.read(*at).0 == key) {
            Some(at) => at,
            None => (0..PLACES).min_by_key(|at| bucket.read(*at).1.work()).expect("three"),
        };
        if free(&at) {
            self.used.fetch_add(1, Relaxed);
        }
        let shift = at * GROWTH;
        let others = bucket.further.load(Relaxed) & !(FURTHER << shift);
        bucket.further.store(others | further << shift, Relaxed);
        let (first, second) = known.words();
        bucket.keys[at].store(key ^ mark(first, second), Relaxed);
        bucket.firsts[at].store(first, Relaxed);
        bucket.seconds[at].store(second, Relaxed);
    }

    #[inline(always)]
    fn place(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.buckets.len() - 1)
    }
}

impl RankBucket {
    /// The key at a place, as far as what stands beside it belongs to it.
    #[inline(always)]
    fn read(&self, at: usize) -> (u64, KnownRanks) {
        let (first, second) = (self.firsts[at].load(Relaxed), self.seconds[at].load(Relaxed));
        let key = self.keys[at].load(Relaxed) ^ mark(first, second);
        (key, KnownRanks::of_words(first, second))
    }
}

fn empty(buckets: usize) -> Vec<RankBucket> {
    (0..buckets).map(|_| RankBucket::default()).collect()
}

/// What a key is changed by; of two entries that differ it is another.
#[inline(always)]
fn mark(first: u64, second: u32) -> u64 {
    first ^ u64::from(second).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The half of a key that is kept; never 0.
#[inline(always)]
fn kept(key: u128) -> u64 {
    key as u64 | 1
}

#[cfg(test)]
mod tests {
    use super::super::{Asker, ForceAnswer, ForceQuestion};
    use super::*;

    fn key(i: u64) -> u128 {
        (u128::from(i) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    /// An entry that tells its number.
    fn known(i: u64) -> KnownRanks {
        let mut known = KnownRanks::default();
        let question = ForceQuestion { rank: 1, asker: Asker::Role };
        known.note(ForceAnswer::Unknown, question, i as u16, i);
        known
    }

    #[test]
    fn a_growing_table_keeps_nearly_everything() {
        let mut table = RankTable::new(1 << 25);
        for i in 0..100_000 {
            if table.is_full() {
                table.grow();
            }
            table.put(key(i), known(i));
        }
        let kept = (0..100_000).filter(|i| table.get(key(*i)) == Some(known(*i))).count();
        assert!(kept > 75_000, "{kept}");
        assert!((0..100_000).all(|i| table.get(key(i)).is_none_or(|found| found == known(i))));
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let table = RankTable::new(0);
        let write = |thread: u64| {
            for i in (0..200_000).map(|i| i * 7 % 5_000) {
                if let Some(found) = table.get(key(i)) {
                    assert!(found == known(i) || found == known(i + 5_000), "{i}");
                }
                table.put(key(i), known(i + 5_000 * thread));
            }
        };
        std::thread::scope(|scope| {
            let write = &write;
            let threads = [0, 1].map(|thread| scope.spawn(move || write(thread)));
            threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
        });
        // There are places for 3,072.
        let kept = (0..5_000).filter(|i| table.get(key(*i)).is_some()).count();
        assert!(kept > 2_000, "{kept}");
    }
}
