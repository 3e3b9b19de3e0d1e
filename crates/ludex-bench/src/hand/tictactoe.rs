//! Tic-tac-toe on two words of nine bits.

use super::{Count, Random, Select, with_select};

const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Bit m of the table: do the squares m hold a line?
const WON: [u64; 8] = {
    let mut table = [0; 8];
    let mut mask = 0;
    while mask < 512 {
        let mut line = 0;
        while line < 8 {
            if mask & LINES[line] == LINES[line] {
                table[(mask / 64) as usize] |= 1 << (mask % 64);
            }
            line += 1;
        }
        mask += 1;
    }
    table
};

with_select!(run);

#[inline(always)]
fn run(playouts: u64, seed: u64, select: impl Select) -> Count {
    let mut random = Random::new(seed);
    let mut count = Count { playouts, ..Count::default() };
    for _ in 0..playouts {
        let (mut mine, mut theirs) = (0u64, 0u64);
        let mut left = 9;
        let goal = loop {
            mine |= select(0o777 & !(mine | theirs), random.below(left));
            left -= 1;
            if WON[(mine / 64) as usize & 7] >> (mine % 64) & 1 == 1 {
                break if left % 2 == 0 { 100 } else { 0 };
            }
            if left == 0 {
                break 50;
            }
            (mine, theirs) = (theirs, mine);
        };
        count.transitions += 9 - u64::from(left);
        count.goals += goal;
    }
    count
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_and_goals_are_those_of_random_play() {
        let count = super::play(200_000, 1);
        let length = count.transitions as f64 / count.playouts as f64;
        let goal = count.goals as f64 / count.playouts as f64;
        assert!((length - 7.63).abs() < 0.02, "{length}");
        // First player wins 58.5 %, draws 12.7 %.
        assert!((goal - 64.8).abs() < 0.5, "{goal}");
    }
}
