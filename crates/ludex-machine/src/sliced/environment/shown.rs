//! Words of lanes -> rows of environments, as packed bits or as bytes.

use crate::env_settings::RowForm;
use crate::sliced::transpose::{SIDE, transpose};
use crate::sliced::words::Word;

/// Writes rows of columns for the first `lanes` lanes; `out` has room for them, `stride` bytes a row.
#[inline(always)]
pub fn write_rows<const W: usize>(
    columns: usize,
    column: impl Fn(usize) -> Word<W>,
    lanes: usize,
    form: RowForm,
    out: &mut [u8],
    stride: usize,
) {
    for first in (0..columns).step_by(SIDE) {
        let count = (columns - first).min(SIDE);
        let mut square = [Word::<W>::ZERO; SIDE];
        for (k, word) in square[..count].iter_mut().enumerate() {
            *word = column(first + k);
        }
        transpose(&mut square);
        let at = form.width(first);
        let bytes = form.width(count);
        for lane in 0..lanes {
            let bits = square[lane % SIDE].0[lane / SIDE];
            let place = &mut out[lane * stride + at..][..bytes];
            match form {
                RowForm::Bytes => spread(bits, place),
                RowForm::Packed => place.copy_from_slice(&bits.to_le_bytes()[..bytes]),
            }
        }
    }
}

/// One byte for each of the lowest bits.
#[inline(always)]
pub fn spread(bits: u64, out: &mut [u8]) {
    let mut chunks = out.chunks_exact_mut(8);
    let mut left = bits;
    for chunk in &mut chunks {
        chunk.copy_from_slice(&spread_byte(left as u8).to_le_bytes());
        left >>= 8;
    }
    let rest = chunks.into_remainder();
    let length = rest.len();
    rest.copy_from_slice(&spread_byte(left as u8).to_le_bytes()[..length]);
}

/// Eight bits as eight bytes: a copy in each byte, one bit of each kept, and made one.
#[inline(always)]
fn spread_byte(bits: u8) -> u64 {
    let kept = (bits as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (kept + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101
}

/// A byte for each lane.
#[inline(always)]
pub fn write_lanes<const W: usize>(word: Word<W>, out: &mut [u8]) {
    for (element, out) in word.0.iter().zip(out.chunks_mut(SIDE)) {
        spread(*element, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_bytes() {
        for bits in [0, 1, 0x80, 0xA5A5_0F0F_1234_8001, u64::MAX] {
            let mut out = [7; 61];
            spread(bits, &mut out);
            (0..61).for_each(|i| assert_eq!(out[i], (bits >> i & 1) as u8));
        }
    }
}
