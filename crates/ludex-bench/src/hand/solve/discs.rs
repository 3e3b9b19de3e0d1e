//! Connect four on a small board, solved: columns of bits, the topmost always empty.
//!
//! Alpha-beta with a table. Wins in one, forced answers and moves that give the other side a win are seen by bit
//! operations before a move is made; of the others those that make most threats come first.

use super::HandTable;

/// A position is the discs of the side to move and all discs.
pub struct Discs {
    height: u32,
    bottom: u64,
    board: u64,
    /// The columns, the middle first.
    columns: Vec<u64>,
    table: HandTable,
    pub nodes: u64,
}

// What is known of a position.
const NO_LOSS: u64 = 1;
const WIN: u64 = 2;
const LOSS: u64 = 3;
const NO_WIN: u64 = 4;

impl Discs {
    /// A board, with a table of so many bytes.
    pub fn new(width: u32, height: u32, bytes: usize) -> Discs {
        let bottom = (0..width).fold(0, |bits, x| bits | 1 << (x * (height + 1)));
        let mut order: Vec<u32> = (0..width).collect();
        order.sort_by_key(|x| (2 * x + 1).abs_diff(width));
        let column = |x: &u32| ((1 << height) - 1) << (x * (height + 1));
        Discs {
            height,
            bottom,
            board: bottom * ((1 << height) - 1),
            columns: order.iter().map(column).collect(),
            table: HandTable::new(bytes),
            nodes: 0,
        }
    }

    /// The first player's value: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn solve(&mut self) -> i8 {
        self.search(0, 0, -1, 1)
    }

    /// The value for the side to move, which has no win in one.
    fn search(&mut self, mine: u64, all: u64, mut alpha: i8, mut beta: i8) -> i8 {
        self.nodes += 1;
        let possible = (all + self.bottom) & self.board;
        if possible == 0 {
            return 0;
        }
        let threats = self.wins(mine ^ all, all);
        let forced = possible & threats;
        let moves = if forced == 0 { possible } else { forced };
        if forced & forced.wrapping_sub(1) != 0 {
            return -1;
        }
        // A disc under a threat lets the other side have it.
        let moves = moves & !(threats >> 1);
        if moves == 0 {
            return -1;
        }
        let key = mine + all + self.bottom;
        match self.table.get(key) {
            WIN => return 1,
            LOSS => return -1,
            NO_LOSS => alpha = alpha.max(0),
            NO_WIN => beta = beta.min(0),
            _ => {}
        }
        if alpha >= beta {
            return alpha;
        }
        let mut tried = [(0u32, 0u64); 16];
        let mut count = 0;
        for n in 0..self.columns.len() {
            let square = moves & self.columns[n];
            if square != 0 {
                let score = self.wins(mine | square, all | square).count_ones();
                // Few moves: they are put in by insertion, the earlier ones first where they are equal.
                let mut at = count;
                while at > 0 && tried[at - 1].0 < score {
                    tried[at] = tried[at - 1];
                    at -= 1;
                }
                tried[at] = (score, square);
                count += 1;
            }
        }
        let (low, mut best) = (alpha, -1);
        for (_, square) in &tried[..count] {
            let all = all | square;
            let value = -self.search(mine ^ all ^ square, all, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            1 => WIN,
            -1 => LOSS,
            _ if best > low => NO_LOSS,
            _ => NO_WIN,
        };
        self.table.put(key, bound);
        best
    }

    /// The empty squares that give four in a line, whether discs can be dropped there now or not.
    fn wins(&self, mine: u64, all: u64) -> u64 {
        let h = self.height;
        let mut found = mine << 1 & mine << 2 & mine << 3;
        for d in [h, h + 1, h + 2] {
            let pair = mine << d & mine << (2 * d);
            found |= pair & mine << (3 * d) | pair & mine >> d;
            let pair = mine >> d & mine >> (2 * d);
            found |= pair & mine << d | pair & mine >> (3 * d);
        }
        found & self.board & !all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_known_ones() {
        let value = |width, height| Discs::new(width, height, 1 << 20).solve();
        assert_eq!([value(4, 4), value(5, 4), value(4, 5), value(6, 4)], [0, 0, 0, -1]);
    }
}
