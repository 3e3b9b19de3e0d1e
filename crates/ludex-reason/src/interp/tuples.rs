//! `Tuples`: ground tuples of one width, each once, numbered in the order they were first met.
//!
//! While the columns are small a tuple is found by its address in a table with one cell for every
//! combination of values (each column adds an offset that is looked up by value); when that table
//! would be mostly empty, by hashing. Both grow as new values and tuples arrive.

const NONE: u32 = u32::MAX;
/// A dense table of this size is always allowed, whatever the number of tuples.
const SMALL: u64 = 1 << 14;
const LARGE: u64 = 1 << 24;

#[derive(Clone, Debug)]
pub struct Tuples {
    width: usize,
    len: usize,
    /// The tuples, one after the other.
    values: Vec<u32>,
    /// Dense, by column and value: the rank of the value times the stride of the column, or `NONE`.
    offsets: Vec<Vec<u32>>,
    columns: Vec<Column>,
    /// Dense: number of the tuple by address, or `NONE`. Hashed: open addressing.
    cells: Vec<u32>,
    dense: bool,
}

#[derive(Clone, Debug, Default)]
struct Column {
    /// The values by rank.
    ranks: Vec<u32>,
    stride: usize,
    capacity: usize,
}

impl Tuples {
    pub fn new(width: usize) -> Tuples {
        let mut tuples = Tuples {
            width,
            len: 0,
            values: Vec::new(),
            offsets: vec![Vec::new(); width],
            columns: vec![Column::default(); width],
            cells: Vec::new(),
            dense: true,
        };
        tuples.lay_out();
        tuples
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub fn value(&self, row: u32, column: usize) -> u32 {
        self.values[row as usize * self.width + column]
    }

    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// The number of the tuple whose value at column `i` is `value(i)`.
    #[inline]
    pub fn find(&self, value: impl Fn(usize) -> u32) -> Option<u32> {
        if !self.dense {
            return self.find_hashed(value);
        }
        let mut address = 0usize;
        for (i, offsets) in self.offsets.iter().enumerate() {
            match offsets.get(value(i) as usize) {
                Some(&offset) if offset != NONE => address += offset as usize,
                _ => return None,
            }
        }
        let row = self.cells[address];
        (row != NONE).then_some(row)
    }

    /// The number of the tuple, which is added where it is new.
    #[inline]
    pub fn intern(&mut self, value: impl Fn(usize) -> u32) -> u32 {
        match self.find(&value) {
            Some(row) => row,
            None => self.add(&value),
        }
    }

    #[cold]
    fn add(&mut self, value: &impl Fn(usize) -> u32) -> u32 {
        let row = self.len as u32;
        for i in 0..self.width {
            self.values.push(value(i));
        }
        self.len += 1;
        if self.dense {
            self.add_dense(row);
        } else {
            self.add_hashed(row);
        }
        row
    }

    fn add_dense(&mut self, row: u32) {
        let mut full = false;
        let values = &self.values[row as usize * self.width..];
        for ((column, offsets), value) in self.columns.iter_mut().zip(&mut self.offsets).zip(values)
        {
            let at = *value as usize;
            if offsets.get(at).is_none_or(|o| *o == NONE) {
                if offsets.len() <= at {
                    offsets.resize(at + 1, NONE);
                }
                offsets[at] = (column.ranks.len() * column.stride) as u32;
                column.ranks.push(*value);
                full |= column.ranks.len() > column.capacity;
            }
        }
        if full {
            return self.lay_out();
        }
        let address = self.address(row);
        self.cells[address] = row;
    }

    fn address(&self, row: u32) -> usize {
        let values = &self.values[row as usize * self.width..];
        self.offsets.iter().zip(values).map(|(o, v)| o[*v as usize] as usize).sum()
    }

    fn set_offsets(&mut self) {
        let mut stride = 1;
        for (column, offsets) in self.columns.iter_mut().zip(&mut self.offsets) {
            column.stride = stride;
            for (rank, value) in column.ranks.iter().enumerate() {
                offsets[*value as usize] = (rank * stride) as u32;
            }
            stride *= column.capacity;
        }
    }

    /// Chooses new capacities and puts every tuple in its place.
    fn lay_out(&mut self) {
        let mut size = 1u64;
        for column in &mut self.columns {
            if column.ranks.len() > column.capacity {
                column.capacity = (column.ranks.len() + column.ranks.len() / 4).max(2);
            }
            size = size.saturating_mul(column.capacity.max(1) as u64);
        }
        if size > SMALL && (size > LARGE || size > 64 * self.len as u64) {
            return self.hash_all();
        }
        self.set_offsets();
        self.cells.clear();
        self.cells.resize(size as usize, NONE);
        for row in 0..self.len as u32 {
            let address = self.address(row);
            self.cells[address] = row;
        }
    }

    fn hash_all(&mut self) {
        self.dense = false;
        self.columns = Vec::new();
        self.offsets = Vec::new();
        self.cells.clear();
        self.cells.resize((self.len * 4).next_power_of_two().max(16), NONE);
        for row in 0..self.len as u32 {
            self.place(row);
        }
    }

    fn add_hashed(&mut self, row: u32) {
        if self.len * 2 > self.cells.len() {
            self.hash_all();
        } else {
            self.place(row);
        }
    }

    fn place(&mut self, row: u32) {
        let mask = self.cells.len() - 1;
        let mut at = hash(self.row(row).iter().copied()) as usize & mask;
        while self.cells[at] != NONE {
            at = (at + 1) & mask;
        }
        self.cells[at] = row;
    }

    fn find_hashed(&self, value: impl Fn(usize) -> u32) -> Option<u32> {
        let mask = self.cells.len() - 1;
        let mut at = hash((0..self.width).map(&value)) as usize & mask;
        loop {
            let row = self.cells[at];
            if row == NONE {
                return None;
            }
            if self.row(row).iter().enumerate().all(|(i, v)| *v == value(i)) {
                return Some(row);
            }
            at = (at + 1) & mask;
        }
    }
}

fn hash(values: impl Iterator<Item = u32>) -> u64 {
    let h =
        values.fold(0u64, |h, v| (h.rotate_left(5) ^ v as u64).wrapping_mul(0x517c_c1b7_2722_0a95));
    (h ^ (h >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a hash map, through growth and the change from dense to hashed.
    #[test]
    fn agrees_with_a_map() {
        for (width, range) in [(0, 1), (1, 50), (2, 300), (3, 7), (4, 90)] {
            let mut tuples = Tuples::new(width);
            let mut map = std::collections::HashMap::new();
            let mut x = 1u32;
            for _ in 0..3000 {
                let tuple: Vec<u32> = (0..width)
                    .map(|_| {
                        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
                        (x >> 8) % range
                    })
                    .collect();
                assert_eq!(tuples.find(|i| tuple[i]), map.get(&tuple).copied());
                let next = map.len() as u32;
                let row = *map.entry(tuple.clone()).or_insert(next);
                assert_eq!(tuples.intern(|i| tuple[i]), row);
                assert_eq!(tuples.row(row), tuple);
            }
            assert_eq!(tuples.len(), map.len());
        }
    }
}
