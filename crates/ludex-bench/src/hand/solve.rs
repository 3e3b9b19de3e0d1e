//! Small games solved by hand-written programs: alpha-beta on bitboards with a table that forgets.

pub mod discs;
pub mod hex;
pub mod lines;
pub mod race;

/// Keys of positions with a few bits each of what is known, newer ones in the place of older ones.
pub struct HandTable(Vec<u64>);

impl HandTable {
    /// A table of so many bytes, rounded down to a power of two.
    pub fn new(bytes: usize) -> HandTable {
        HandTable(vec![0; (bytes / 8 + 1).next_power_of_two() / 2])
    }

    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & (self.0.len() - 1)
    }

    /// The three bits that are kept with a key below 2^61; 0 where nothing is.
    pub fn get(&self, key: u64) -> u64 {
        let entry = self.0[self.place(key)];
        if entry >> 3 == key { entry & 7 } else { 0 }
    }

    pub fn put(&mut self, key: u64, bits: u64) {
        let place = self.place(key);
        self.0[place] = key << 3 | bits;
    }
}
