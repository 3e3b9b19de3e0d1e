//! Hex on a small rhombus, solved: rows of bits, one bit more than cells in each, so that shifts do not run over.

use super::HandTable;

/// The first side joins left and right, the second bottom and top.
pub struct Hex {
    size: u32,
    /// The cells, the middle first.
    order: Vec<u64>,
    left: u64,
    bottom: u64,
    table: HandTable,
    pub nodes: u64,
}

const WIN: u64 = 1;
const LOSS: u64 = 2;

impl Hex {
    /// A board, with a table of so many bytes.
    pub fn new(size: u32, bytes: usize) -> Hex {
        let place = |n: &u32| 1 << (n / size * (size + 1) + n % size);
        let mut cells: Vec<u32> = (0..size * size).collect();
        let far = |n: u32| (2 * n + 1).abs_diff(size);
        cells.sort_by_key(|n| far(n / size) + far(n % size));
        Hex {
            size,
            order: cells.iter().map(place).collect(),
            left: (0..size).fold(0, |bits, y| bits | 1 << (y * (size + 1))),
            bottom: (1 << size) - 1,
            table: HandTable::new(bytes),
            nodes: 0,
        }
    }

    /// Does the first side win?
    pub fn solve(&mut self) -> bool {
        self.wins([0, 0], 0)
    }

    /// Does the side that is to move win? Each cell has a bit for either side in the key.
    fn wins(&mut self, stones: [u64; 2], side: usize) -> bool {
        self.nodes += 1;
        let key = stones[0] | stones[1] << (self.size * (self.size + 1));
        match self.table.get(key) {
            WIN => return true,
            LOSS => return false,
            _ => {}
        }
        let mut found = false;
        for n in 0..self.order.len() {
            let cell = self.order[n];
            if (stones[0] | stones[1]) & cell != 0 {
                continue;
            }
            let mut after = stones;
            after[side] |= cell;
            if self.joins(after[side], side) || !self.wins(after, 1 - side) {
                found = true;
                break;
            }
        }
        self.table.put(key, if found { WIN } else { LOSS });
        found
    }

    fn joins(&self, stones: u64, side: usize) -> bool {
        let row = self.size + 1;
        let far = match side {
            0 => self.left << (self.size - 1),
            _ => self.bottom << (row * (self.size - 1)),
        };
        let mut joined = stones & if side == 0 { self.left } else { self.bottom };
        loop {
            let up = joined << 1 | joined << row | joined << (row - 1);
            let down = joined >> 1 | joined >> row | joined >> (row - 1);
            let more = (joined | up | down) & stones;
            if more & far != 0 || more == joined {
                return more & far != 0;
            }
            joined = more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_side_wins() {
        (1..=4).for_each(|size| assert!(Hex::new(size, 1 << 20).solve(), "{size}"));
    }
}
