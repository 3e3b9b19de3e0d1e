//! `TranspositionTable`: a transposition table of bounded size, by keys of 128 bits.
//!
//! Keys are sums of random numbers (Zobrist); two states of a search get the same one with a
//! probability far below that of a fault of the machine, so states themselves are not kept.

/// What is known of a state.
pub trait TableEntry: Copy + Default {
    /// The states below it that were expanded: what it would cost to find out again.
    fn work(&self) -> u32;
}

pub struct TranspositionTable<E> {
    slots: Vec<(u128, E)>,
    used: usize,
    /// The most slots that there may be.
    most: usize,
}

/// Slots that a key may stand in.
const WINDOW: usize = 12;
const SMALLEST: usize = 1 << 12;

impl<E: TableEntry> TranspositionTable<E> {
    /// A table that grows up to so many bytes.
    pub fn new(bytes: usize) -> TranspositionTable<E> {
        // While it grows the old table stands beside the new one.
        let slots = bytes / size_of::<(u128, E)>() * 2 / 3;
        let most = (slots.max(SMALLEST) + 1).next_power_of_two() / 2;
        TranspositionTable { slots: vec![(0, E::default()); SMALLEST], used: 0, most }
    }

    pub fn get(&self, key: u128) -> Option<&E> {
        let first = self.first(key);
        let window = (first..first + WINDOW).map(|at| &self.slots[at & (self.slots.len() - 1)]);
        // Slots are filled from the first on.
        let mut filled = window.take_while(|slot| slot.0 != 0);
        filled.find(|slot| slot.0 == key).map(|slot| &slot.1)
    }

    /// Keeps an entry, if need be in the place of the one that took the least work.
    pub fn put(&mut self, key: u128, entry: E) {
        if self.used * 4 > self.slots.len() * 3 && self.slots.len() < self.most {
            self.grow();
        }
        let first = self.first(key);
        let mut least = (u32::MAX, first & (self.slots.len() - 1));
        for at in first..first + WINDOW {
            let at = at & (self.slots.len() - 1);
            let slot = &mut self.slots[at];
            if slot.0 == key || slot.0 == 0 {
                self.used += (slot.0 == 0) as usize;
                *slot = (key, entry);
                return;
            }
            if slot.1.work() < least.0 {
                least = (slot.1.work(), at);
            }
        }
        if self.slots.len() < self.most {
            self.grow();
            return self.put(key, entry);
        }
        self.slots[least.1] = (key, entry);
    }

    fn first(&self, key: u128) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![(0, E::default()); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for (key, entry) in old.into_iter().filter(|slot| slot.0 != 0) {
            self.put(key, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl TableEntry for u32 {
        fn work(&self) -> u32 {
            *self
        }
    }

    #[test]
    fn a_full_table_keeps_what_took_most_work() {
        let mut table: TranspositionTable<u32> = TranspositionTable::new(1);
        let key = |i: u32| (i as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        (0..200_000).for_each(|i| table.put(key(i), i));
        assert_eq!(table.get(key(199_999)), Some(&199_999));
        assert_eq!(table.get(key(0)), None);
        assert!(table.slots.len() <= SMALLEST);
    }

    #[test]
    fn a_growing_table_keeps_everything() {
        let mut table: TranspositionTable<u32> = TranspositionTable::new(1 << 26);
        let key = |i: u32| (i as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        (0..200_000).for_each(|i| table.put(key(i), i));
        assert!((0..200_000).all(|i| table.get(key(i)) == Some(&i)));
    }
}
