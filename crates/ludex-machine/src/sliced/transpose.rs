//! Rows of positions <-> words of lanes: tiles of bits turned over, as many side by side as a word has room for.
//!
//! Recursive halving (Warren, Hacker's Delight, 7-3): rounds exchange the upper right with the lower left quarter of ever
//! smaller squares. Each round is plain shifts and masks on elements that follow each other in memory, so that the
//! compiler does it with the vector unit that it may use, and never by gathering.

use super::words::Word;

/// The rows of the largest tile.
pub const SIDE: usize = 64;

/// Turns tiles of `R` by `R` bits over, where `R` is 8, 16, 32 or 64. Before, bit `R t + l` of element `e` of word `r` is
/// row `r` of lane `64 e + R t + l`; afterwards it is row `l` of lane `64 e + R t + r`.
#[inline(always)]
pub fn transpose<const W: usize, const R: usize>(tiles: &mut [Word<W>; R]) {
    let bits = Word::elements(tiles);
    match R {
        64 => two_rounds::<W, 32, 16>(bits),
        32 => one_round::<W, 16, 16>(bits),
        _ => {}
    }
    match R {
        8 => one_round::<W, 4, 4>(bits),
        _ => two_rounds::<W, 8, 4>(bits),
    }
    two_rounds::<W, 2, 1>(bits);
}

/// The rounds of distance `FAR` and of half of it, with four rows in registers.
#[inline(always)]
fn two_rounds<const W: usize, const FAR: usize, const HALF: usize>(bits: &mut [u64]) {
    for group in bits.chunks_exact_mut(2 * FAR * W) {
        let (upper, lower) = group.split_at_mut(FAR * W);
        let (a, b) = upper.split_at_mut(HALF * W);
        let (c, d) = lower.split_at_mut(HALF * W);
        for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
            exchange::<FAR>(a, c);
            exchange::<FAR>(b, d);
            exchange::<HALF>(a, b);
            exchange::<HALF>(c, d);
        }
    }
}

/// Exchanges fields of `FAR` bits of rows that are `APART` from each other: which of two rows, with which of two fields.
#[inline(always)]
pub fn one_round<const W: usize, const APART: usize, const FAR: usize>(bits: &mut [u64]) {
    for group in bits.chunks_exact_mut(2 * APART * W) {
        let (upper, lower) = group.split_at_mut(APART * W);
        upper.iter_mut().zip(lower).for_each(|(a, b)| exchange::<FAR>(a, b));
    }
}

#[inline(always)]
fn exchange<const FAR: usize>(upper: &mut u64, lower: &mut u64) {
    // The lower half of every group of twice so many bits.
    let mask = !0 / ((1u64 << FAR) + 1);
    let change = (*upper >> FAR ^ *lower) & mask;
    *upper ^= change << FAR;
    *lower ^= change;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliced::words::WordRandom;

    #[test]
    fn every_bit_is_moved_to_its_place() {
        every_bit::<8>();
        every_bit::<16>();
        every_bit::<32>();
        every_bit::<64>();
    }

    fn every_bit<const R: usize>() {
        let mut random = WordRandom::<4>::new(3);
        let before: [Word<4>; R] = std::array::from_fn(|_| random.word());
        let mut after = before;
        transpose(&mut after);
        for (row, element, bit) in (0..R * 4 * 64).map(|i| (i % R, i / R % 4, i / R / 4)) {
            let was = before[row].0[element] >> bit & 1;
            let (tile, lane) = (bit / R * R, bit % R);
            assert_eq!(after[lane].0[element] >> (tile + row) & 1, was, "{row} {element} {bit}");
        }
        transpose(&mut after);
        assert_eq!(after, before);
    }
}
