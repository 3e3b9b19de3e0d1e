//! Connect four on 8 columns and 6 rows: columns of seven bits, the seventh always empty.

use super::{Count, Random, Select, with_select};

const BOTTOM: u64 = 0x0002_0408_1020_4081 | 1 << 49;
const TOP: u64 = BOTTOM << 5;

with_select!(run);

#[inline(always)]
fn run(playouts: u64, seed: u64, select: impl Select) -> Count {
    let mut random = Random::new(seed);
    let mut count = Count { playouts, ..Count::default() };
    for _ in 0..playouts {
        let (mut mine, mut all) = (0u64, 0u64);
        let mut steps = 0;
        let goal = loop {
            let open = TOP & !all;
            if open == 0 {
                break 50;
            }
            let column = select(open, random.below(open.count_ones())) >> 5;
            // Adding a column's bottom bit carries into its first empty square.
            let square = (all + column) & !all & (column * 0x3f);
            mine |= square;
            all |= square;
            steps += 1;
            if four(mine) {
                break if steps % 2 == 1 { 100 } else { 0 };
            }
            mine ^= all;
        };
        count.transitions += steps;
        count.goals += goal;
    }
    count
}

#[inline(always)]
pub fn four(board: u64) -> bool {
    let along = |d: u32| {
        let pairs = board & board >> d;
        pairs & pairs >> (2 * d)
    };
    along(1) | along(6) | along(7) | along(8) != 0
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_are_those_of_random_play() {
        let count = super::play(100_000, 1);
        let length = count.transitions as f64 / count.playouts as f64;
        assert!((length - 22.3).abs() < 0.3, "{length}");
    }
}
