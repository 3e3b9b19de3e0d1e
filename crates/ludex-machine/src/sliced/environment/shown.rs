//! Words of lanes -> rows of environments, as packed bits or as bytes.

use crate::env_settings::RowForm;
use crate::sliced::transpose::{SIDE, transpose};
use crate::sliced::words::Word;

/// Squares that are turned over together.
const TOGETHER: usize = 8;

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
    // One square is made in less time than eight.
    match columns <= SIDE {
        true => write_squares::<W, 1>(columns, column, lanes, form, out, stride),
        false => write_squares::<W, TOGETHER>(columns, column, lanes, form, out, stride),
    }
}

#[inline(always)]
fn write_squares<const W: usize, const T: usize>(
    columns: usize,
    column: impl Fn(usize) -> Word<W>,
    lanes: usize,
    form: RowForm,
    out: &mut [u8],
    stride: usize,
) {
    // Short rows that follow each other may write a little too far: the next row comes after it.
    let close = stride == form.width(columns) && columns <= T * SIDE;
    for first in (0..columns).step_by(T * SIDE) {
        let count = (columns - first).min(T * SIDE);
        let mut squares = [[Word::<W>::ZERO; SIDE]; T];
        for (w, square) in squares[..count.div_ceil(SIDE)].iter_mut().enumerate() {
            for (k, word) in square.iter_mut().enumerate().take(count - w * SIDE) {
                *word = column(first + w * SIDE + k);
            }
            transpose(square);
        }
        for lane in 0..lanes {
            let words = squares.iter().map(|square| square[lane % SIDE].0[lane / SIDE]);
            let row = &mut out[lane * stride + form.width(first)..];
            match form {
                RowForm::Packed => write_packed(words, count, close, row),
                RowForm::Bytes => write_bytes(words, count, close, row),
            }
        }
    }
}

/// Bits as they are. With `close` up to 7 bytes too many are written where there is room.
#[inline(always)]
fn write_packed(words: impl Iterator<Item = u64>, count: usize, close: bool, row: &mut [u8]) {
    for (w, word) in words.enumerate().take(count.div_ceil(SIDE)) {
        let (at, bits) = (8 * w, (count - w * SIDE).min(SIDE));
        let (bytes, some) = (word.to_le_bytes(), bits.div_ceil(8));
        match (close || bits == SIDE) && row.len() >= at + 8 {
            true => row[at..at + 8].copy_from_slice(&bytes),
            false => row[at..at + some].copy_from_slice(&bytes[..some]),
        }
    }
}

/// A byte for each bit, in the same way.
#[inline(always)]
fn write_bytes(words: impl Iterator<Item = u64>, count: usize, close: bool, row: &mut [u8]) {
    for (w, word) in words.enumerate().take(count.div_ceil(SIDE)) {
        let (at, bits) = (w * SIDE, (count - w * SIDE).min(SIDE));
        let end = at + bits.next_multiple_of(8);
        match close && row.len() >= end {
            true => spread(word, &mut row[at..end]),
            false => spread(word, &mut row[at..at + bits]),
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
    if !rest.is_empty() {
        let length = rest.len();
        rest.copy_from_slice(&spread_byte(left as u8).to_le_bytes()[..length]);
    }
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
    use crate::sliced::words::WordRandom;

    /// Rows of every number of columns, close to each other or not.
    #[test]
    fn rows_have_the_bits_of_their_columns() {
        let mut random = WordRandom::<4>::new(7);
        let all: Vec<Word<4>> = (0..1100).map(|_| random.word()).collect();
        for (columns, lanes, apart) in
            [(1, 256, 0), (29, 200, 0), (64, 256, 3), (130, 77, 0), (1100, 5, 0)]
        {
            for form in [RowForm::Bytes, RowForm::Packed] {
                let stride = form.width(columns) + apart;
                let mut out = vec![7; lanes * stride];
                write_rows(columns, |k| all[k], lanes, form, &mut out, stride);
                for (lane, k) in (0..lanes).flat_map(|lane| (0..columns).map(move |k| (lane, k))) {
                    let bit = match form {
                        RowForm::Bytes => out[lane * stride + k],
                        RowForm::Packed => out[lane * stride + k / 8] >> (k % 8) & 1,
                    };
                    assert_eq!(bit, all[k].get(lane) as u8, "{columns} {form:?} {lane} {k}");
                }
            }
        }
    }

    #[test]
    fn bits_become_bytes() {
        for bits in [0, 1, 0x80, 0xA5A5_0F0F_1234_8001, u64::MAX] {
            let mut out = [7; 61];
            spread(bits, &mut out);
            (0..61).for_each(|i| assert_eq!(out[i], (bits >> i & 1) as u8));
        }
    }
}
