//! Paths counted by hand-written programs, each move made but the last, which is counted: the limit to reach.

use cozy_chess::Board;

/// The number of paths of so many moves in connect four on 7 columns and 6 rows.
pub fn connect_four(depth: usize) -> u64 {
    if depth == 0 { 1 } else { drop_discs(0, 0, depth) }
}

// Columns of seven bits, the seventh always empty.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const TOP: u64 = BOTTOM << 5;

fn drop_discs(mine: u64, all: u64, depth: usize) -> u64 {
    let mut open = TOP & !all;
    if depth == 1 {
        return u64::from(open.count_ones());
    }
    let mut count = 0;
    while open != 0 {
        let column = (open & open.wrapping_neg()) >> 5;
        open &= open - 1;
        // Adding a column's bottom bit carries into its first empty square.
        let square = (all + column) & !all & (column * 0x3f);
        if !super::connectfour::four(mine | square) {
            count += drop_discs((mine | square) ^ (all | square), all | square, depth - 1);
        }
    }
    count
}

/// The same in breakthrough on 8x8.
pub fn breakthrough(depth: usize) -> u64 {
    if depth == 0 { 1 } else { walk(0xffff, 0xffff << 48, depth) }
}

fn walk(mine: u64, theirs: u64, depth: usize) -> u64 {
    let [ahead, left, right] = super::breakthrough::targets(mine, theirs);
    if depth == 1 {
        return [ahead, left, right].iter().map(|to| u64::from(to.count_ones())).sum();
    }
    let mut count = 0;
    for (mut targets, shift) in [(ahead, 8), (left, 7), (right, 9)] {
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            targets &= targets - 1;
            let (mine, theirs) = (mine ^ (to | to >> shift), theirs & !to);
            if to >> 56 == 0 && theirs != 0 {
                count += walk(theirs.swap_bytes(), mine.swap_bytes(), depth - 1);
            }
        }
    }
    count
}

/// The same in chess, by the crate `cozy-chess`.
pub fn chess(depth: usize) -> u64 {
    if depth == 0 { 1 } else { below(&Board::default(), depth) }
}

fn below(board: &Board, depth: usize) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
        } else {
            for m in moves {
                let mut after = board.clone();
                after.play_unchecked(m);
                count += below(&after, depth - 1);
            }
        }
        false
    });
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_known_ones() {
        assert_eq!(connect_four(8), 5_673_234);
        assert_eq!(breakthrough(5), 6_182_818);
        assert_eq!(chess(4), 197_281);
        assert_eq!([connect_four(0), breakthrough(1), chess(1)], [1, 22, 20]);
    }
}
