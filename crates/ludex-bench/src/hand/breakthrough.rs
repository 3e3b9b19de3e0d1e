//! Breakthrough on 8x8: the side to move always walks up; the board is turned after each move.

use super::{Count, Random, Select, with_select};

const NOT_LEFT: u64 = !0x0101_0101_0101_0101;
const NOT_RIGHT: u64 = !0x8080_8080_8080_8080;

with_select!(run);

#[inline(always)]
fn run(playouts: u64, seed: u64, select: impl Select) -> Count {
    let mut random = Random::new(seed);
    let mut count = Count { playouts, ..Count::default() };
    for _ in 0..playouts {
        let (mut mine, mut theirs) = (0xffffu64, 0xffffu64 << 48);
        let mut steps = 0u64;
        loop {
            // 1. Where moves lead.
            let [ahead, left, right] = targets(mine, theirs);
            let (a, l, r) = (ahead.count_ones(), left.count_ones(), right.count_ones());
            if a + l + r == 0 {
                break;
            }
            // 2. One of them.
            let k = random.below(a + l + r);
            let (targets, k, shift) = if k < a {
                (ahead, k, 8)
            } else if k < a + l {
                (left, k - a, 7)
            } else {
                (right, k - a - l, 9)
            };
            let to = select(targets, k);
            // 3. Move, take, turn the board.
            mine ^= to | to >> shift;
            theirs &= !to;
            steps += 1;
            if to >> 56 != 0 || theirs == 0 {
                break;
            }
            (mine, theirs) = (theirs.swap_bytes(), mine.swap_bytes());
        }
        count.transitions += steps;
        count.goals += 100 * (steps % 2);
    }
    count
}

/// Targets straight ahead, to the left and to the right.
#[inline(always)]
pub fn targets(mine: u64, theirs: u64) -> [u64; 3] {
    let ahead = mine << 8 & !(mine | theirs);
    [ahead, (mine & NOT_LEFT) << 7 & !mine, (mine & NOT_RIGHT) << 9 & !mine]
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_are_those_of_random_play() {
        let count = super::play(50_000, 1);
        let length = count.transitions as f64 / count.playouts as f64;
        assert!((length - 64.1).abs() < 0.5, "{length}");
    }
}
