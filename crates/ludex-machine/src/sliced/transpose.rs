//! Rows of positions <-> words of lanes: squares of 64 by 64 bits turned over, as many side by side as a word has elements.
//!
//! Recursive halving (Warren, Hacker's Delight, 7-3): six rounds exchange the upper right with the lower
//! left quarter of ever smaller squares. Each round is plain shifts and masks on whole words, which the
//! compiler does with the vector unit that it may use.

use super::words::Word;

/// The rows of a square.
pub const SIDE: usize = 64;

/// Before, bit `l` of element `e` of word `r` is row `r` of lane `64 e + l`; afterwards it is row `l` of
/// lane `64 e + r`.
#[inline(always)]
pub fn transpose<const W: usize>(square: &mut [Word<W>; SIDE]) {
    rounds::<W, 32>(square, 0x0000_0000_FFFF_FFFF, 0x0000_FFFF_0000_FFFF);
    rounds::<W, 8>(square, 0x00FF_00FF_00FF_00FF, 0x0F0F_0F0F_0F0F_0F0F);
    rounds::<W, 2>(square, 0x3333_3333_3333_3333, 0x5555_5555_5555_5555);
}

/// The rounds of distance `FAR` and of half of it, with four rows in registers.
#[inline(always)]
fn rounds<const W: usize, const FAR: usize>(square: &mut [Word<W>; SIDE], far: u64, near: u64) {
    let half = FAR / 2;
    for group in (0..SIDE).step_by(2 * FAR) {
        for row in group..group + half {
            let (mut a, mut b) = (square[row], square[row + half]);
            let (mut c, mut d) = (square[row + FAR], square[row + FAR + half]);
            exchange::<W>(&mut a, &mut c, FAR, far);
            exchange::<W>(&mut b, &mut d, FAR, far);
            exchange::<W>(&mut a, &mut b, half, near);
            exchange::<W>(&mut c, &mut d, half, near);
            (square[row], square[row + half]) = (a, b);
            (square[row + FAR], square[row + FAR + half]) = (c, d);
        }
    }
}

#[inline(always)]
fn exchange<const W: usize>(upper: &mut Word<W>, lower: &mut Word<W>, far: usize, mask: u64) {
    for (upper, lower) in upper.0.iter_mut().zip(&mut lower.0) {
        let change = (*upper >> far ^ *lower) & mask;
        *upper ^= change << far;
        *lower ^= change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliced::words::WordRandom;

    #[test]
    fn every_bit_is_moved_to_its_place() {
        let mut random = WordRandom::<4>::new(3);
        let before: [Word<4>; SIDE] = std::array::from_fn(|_| random.word());
        let mut after = before;
        transpose(&mut after);
        for (row, element, lane) in (0..64 * 4 * 64).map(|i| (i % 64, i / 64 % 4, i / 256)) {
            let was = before[row].0[element] >> lane & 1;
            assert_eq!(after[lane].0[element] >> row & 1, was, "{row} {element} {lane}");
        }
        transpose(&mut after);
        assert_eq!(after, before);
    }
}
