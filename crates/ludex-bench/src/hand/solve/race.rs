//! Breakthrough on a small board, solved: rows of bits; the side to move always moves up, so the board is turned round
//! after every move.

use super::HandTable;

pub struct Race {
    width: u32,
    height: u32,
    not_left: u64,
    not_right: u64,
    table: HandTable,
    pub nodes: u64,
}

const WIN: u64 = 1;
const LOSS: u64 = 2;

impl Race {
    /// A board of at most 30 squares, with a table of so many bytes.
    pub fn new(width: u32, height: u32, bytes: usize) -> Race {
        let column = (0..height).fold(0, |bits, y| bits | 1 << (y * width));
        let board = (1 << (width * height)) - 1;
        Race {
            width,
            height,
            not_left: board & !column,
            not_right: board & !(column << (width - 1)),
            table: HandTable::new(bytes),
            nodes: 0,
        }
    }

    /// Does the first side win? Both begin with two rows of pieces.
    pub fn solve(&mut self) -> bool {
        let home = (1 << (2 * self.width)) - 1;
        self.wins(home, home << ((self.height - 2) * self.width))
    }

    /// Does the side that is to move win?
    fn wins(&mut self, mine: u64, theirs: u64) -> bool {
        self.nodes += 1;
        let last = (self.height - 1) * self.width;
        let ahead = mine << self.width & !(mine | theirs);
        let left = (mine & self.not_left) << (self.width - 1) & !mine;
        let right = (mine & self.not_right) << (self.width + 1) & !mine;
        if (ahead | left | right) >> last & ((1 << self.width) - 1) != 0 {
            return true;
        }
        let key = mine | theirs << (self.width * self.height);
        match self.table.get(key) {
            WIN => return true,
            LOSS => return false,
            _ => {}
        }
        // Captures first, and the foremost pieces first among equals.
        let steps = [(left, self.width - 1), (right, self.width + 1), (ahead, self.width)];
        let mut found = false;
        for captures in [true, false] {
            for (targets, step) in steps {
                let mut targets = if captures { targets & theirs } else { targets & !theirs };
                while targets != 0 && !found {
                    let to = 1 << (63 - targets.leading_zeros());
                    targets ^= to;
                    let (mine, theirs) = (mine ^ (to | to >> step), theirs & !to);
                    found = theirs == 0 || !self.wins(self.turned(theirs), self.turned(mine));
                }
            }
        }
        self.table.put(key, if found { WIN } else { LOSS });
        found
    }

    /// The board seen from the other side: all bits in reverse, which mirrors it too.
    fn turned(&self, bits: u64) -> u64 {
        bits.reverse_bits() >> (64 - self.width * self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_side_wins_on_four_by_five() {
        assert!(!Race::new(4, 5, 1 << 24).solve());
    }
}
