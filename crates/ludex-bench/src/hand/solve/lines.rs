//! Tic-tac-toe on a larger square, solved: a whole row, column or diagonal wins.

use super::HandTable;

/// Cells are bits, row by row.
pub struct Lines {
    size: u32,
    board: u64,
    /// The lines, and the cells with most lines first.
    lines: Vec<u64>,
    order: Vec<u64>,
    table: HandTable,
    pub nodes: u64,
}

// What is known of a position.
const NO_LOSS: u64 = 1;
const WIN: u64 = 2;
const LOSS: u64 = 3;
const NO_WIN: u64 = 4;

impl Lines {
    /// A board of at most 25 cells, with a table of so many bytes.
    pub fn new(size: u32, bytes: usize) -> Lines {
        let line = |cell: &dyn Fn(u32) -> u32| (0..size).fold(0u64, |bits, n| bits | 1 << cell(n));
        let mut lines = vec![line(&|n| n * (size + 1)), line(&|n| (n + 1) * (size - 1))];
        for k in 0..size {
            lines.extend([line(&|n| k * size + n), line(&|n| n * size + k)]);
        }
        let through = |cell: &u64| lines.iter().filter(|l| **l & cell != 0).count();
        let mut order: Vec<u64> = (0..size * size).map(|n| 1 << n).collect();
        order.sort_by_key(|cell| std::cmp::Reverse(through(cell)));
        let (board, table) = ((1 << (size * size)) - 1, HandTable::new(bytes));
        Lines { size, board, lines, order, table, nodes: 0 }
    }

    /// The first player's value: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn solve(&mut self) -> i8 {
        self.search(0, 0, -1, 1)
    }

    /// The value for the side to move.
    fn search(&mut self, mine: u64, theirs: u64, mut alpha: i8, mut beta: i8) -> i8 {
        self.nodes += 1;
        let free = self.board & !(mine | theirs);
        if free == 0 {
            return 0;
        }
        if self.wins(mine) & free != 0 {
            return 1;
        }
        let threats = self.wins(theirs) & free;
        if threats & threats.wrapping_sub(1) != 0 {
            return -1;
        }
        let moves = if threats == 0 { free } else { threats };
        let key = mine | theirs << (self.size * self.size);
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
        let (low, mut best) = (alpha, -1);
        for n in 0..self.order.len() {
            let cell = self.order[n];
            if moves & cell == 0 {
                continue;
            }
            best = best.max(-self.search(theirs, mine | cell, -beta, -alpha));
            alpha = alpha.max(best);
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

    /// The cells that are missing in lines of one side.
    fn wins(&self, side: u64) -> u64 {
        let missing = self.lines.iter().map(|line| line & !side);
        missing.filter(|cells| cells & cells.wrapping_sub(1) == 0).fold(0, |all, cell| all | cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_wins() {
        assert_eq!([3, 4].map(|size| Lines::new(size, 1 << 20).solve()), [0, 0]);
    }
}
