//! Reversi on 8x8: moves and flips by filling along the eight directions.

use super::{Count, Random, Select, with_select};

/// The inner six columns: a line that goes sideways only passes through these.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

with_select!(run);

#[inline(always)]
fn run(playouts: u64, seed: u64, select: impl Select) -> Count {
    let mut random = Random::new(seed);
    let mut count = Count { playouts, ..Count::default() };
    for _ in 0..playouts {
        let (mut mine, mut theirs) = (0x0000_0008_1000_0000u64, 0x0000_0010_0800_0000u64);
        let (mut steps, mut passes) = (0u64, 0);
        while passes < 2 {
            let moves = moves(mine, theirs);
            if moves == 0 {
                passes += 1;
            } else {
                passes = 0;
                let square = select(moves, random.below(moves.count_ones()));
                let flipped = flips(mine, theirs, square);
                mine ^= square | flipped;
                theirs ^= flipped;
            }
            steps += 1;
            (mine, theirs) = (theirs, mine);
        }
        // The two passes that show that nobody can move are not part of the match.
        steps -= 2;
        if steps % 2 == 1 {
            (mine, theirs) = (theirs, mine);
        }
        count.transitions += steps;
        count.goals += match mine.count_ones().cmp(&theirs.count_ones()) {
            std::cmp::Ordering::Greater => 100,
            std::cmp::Ordering::Equal => 50,
            std::cmp::Ordering::Less => 0,
        };
    }
    count
}

#[inline(always)]
pub fn moves(mine: u64, theirs: u64) -> u64 {
    let inner = theirs & INNER;
    let along = |by, through| {
        let (up, down) = fill(mine, by, through);
        up << by | down >> by
    };
    let found = along(1, inner) | along(7, inner) | along(8, theirs) | along(9, inner);
    found & !(mine | theirs)
}

#[inline(always)]
pub fn flips(mine: u64, theirs: u64, square: u64) -> u64 {
    let inner = theirs & INNER;
    let along = |by, through| {
        let (up, down) = fill(square, by, through);
        let closed = |line: u64, end: u64| line & ((end & mine != 0) as u64).wrapping_neg();
        closed(up, up << by) | closed(down, down >> by)
    };
    along(1, inner) | along(7, inner) | along(8, theirs) | along(9, inner)
}

/// The squares of `through` in unbroken lines from `start`, up and down a direction.
#[inline(always)]
fn fill(start: u64, by: u32, through: u64) -> (u64, u64) {
    let mut up = start << by & through;
    let mut down = start >> by & through;
    up |= up << by & through;
    down |= down >> by & through;
    let (pairs_up, pairs_down) = (through & through << by, through & through >> by);
    up |= up << (2 * by) & pairs_up;
    down |= down >> (2 * by) & pairs_down;
    up |= up << (2 * by) & pairs_up;
    down |= down >> (2 * by) & pairs_down;
    (up, down)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Perft of the standard start position, passes counted as moves.
    fn perft(mine: u64, theirs: u64, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut left = moves(mine, theirs);
        let mut total = 0;
        while left != 0 {
            let square = left & left.wrapping_neg();
            left ^= square;
            let flipped = flips(mine, theirs, square);
            total += perft(theirs ^ flipped, mine ^ square ^ flipped, depth - 1);
        }
        total
    }

    #[test]
    fn moves_and_flips_give_the_known_counts() {
        let counts: Vec<u64> =
            (1..=6).map(|d| perft(0x0000_0008_1000_0000, 0x0000_0010_0800_0000, d)).collect();
        assert_eq!(counts, [4, 12, 56, 244, 1396, 8200]);
    }

    #[test]
    fn lengths_are_those_of_random_play() {
        let count = play(20_000, 1);
        let length = count.transitions as f64 / count.playouts as f64;
        assert!((length - 60.5).abs() < 1.0, "{length}");
    }
}
