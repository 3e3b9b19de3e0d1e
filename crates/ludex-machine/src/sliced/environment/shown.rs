//! Words of lanes -> rows of environments, as packed bits or as bytes.
//!
//! Columns are turned over in tiles of 64, and what is left at the end of a row in the smallest tile that holds it. That
//! end is written first: it may write a little too far into the rows below, which are written afterwards.

use crate::env_settings::RowForm;
use crate::sliced::transpose::{SIDE, one_round, transpose};
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
    let whole = columns / SIDE * SIDE;
    let tiles = Tiles { lanes, form, stride, close: stride == form.width(columns) };
    match columns - whole {
        0 => {}
        some if some <= 8 => tiles.write::<W, 8>(whole, some, &column, out),
        some if some <= 16 => tiles.write::<W, 16>(whole, some, &column, out),
        some if some <= 32 => tiles.write::<W, 32>(whole, some, &column, out),
        some => tiles.write::<W, SIDE>(whole, some, &column, out),
    }
    for first in (0..whole).step_by(SIDE) {
        tiles.write::<W, SIDE>(first, SIDE, &column, out);
    }
}

/// A tile that no line of the cache cuts.
#[repr(align(64))]
struct Tile<const W: usize, const R: usize>([Word<W>; R]);

impl<const W: usize, const R: usize> Tile<W, R> {
    /// Some columns from `first` on, turned over.
    #[inline(always)]
    fn turned(first: usize, count: usize, column: &impl Fn(usize) -> Word<W>) -> Tile<W, R> {
        let mut tile = Tile([Word::ZERO; R]);
        for (k, word) in tile.0.iter_mut().enumerate().take(count) {
            *word = column(first + k);
        }
        transpose(&mut tile.0);
        tile
    }

    /// The columns of a lane, the first in the lowest bit, with those of other lanes above them.
    #[inline(always)]
    fn row(&self, lane: usize) -> u64 {
        self.0[lane % R].0[lane / SIDE] >> (lane % SIDE / R * R)
    }

    /// Writes rows of `R` bits that follow each other without a gap, as many at once as a word of memory has room for.
    #[inline(always)]
    fn write_close(mut self, out: &mut [u8]) {
        // 1. The rows of following lanes come together in a word: tiles of whole rows are turned over.
        let (rows, groups) = (SIDE / R, R * R / SIDE);
        let bits = Word::elements(&mut self.0);
        match R {
            8 => {
                one_round::<W, 4, 32>(bits);
                one_round::<W, 2, 16>(bits);
                one_round::<W, 1, 8>(bits);
            }
            16 => {
                one_round::<W, 2, 32>(bits);
                one_round::<W, 1, 16>(bits);
            }
            _ => one_round::<W, 1, 32>(bits),
        }
        // 2. The words in the order of their lanes.
        for (place, bytes) in out.chunks_mut(8).enumerate() {
            let (element, place) = (place / R, place % R);
            let word = self.0[place % groups * rows + place / groups].0[element];
            let count = bytes.len();
            bytes.copy_from_slice(&word.to_le_bytes()[..count]);
        }
    }
}

/// Where tiles are written.
struct Tiles {
    lanes: usize,
    form: RowForm,
    stride: usize,
    /// Rows follow each other without a gap.
    close: bool,
}

impl Tiles {
    /// Writes `count` columns from `first` on, by tiles of `R` columns and lanes.
    #[inline(always)]
    fn write<const W: usize, const R: usize>(
        &self,
        first: usize,
        count: usize,
        column: &impl Fn(usize) -> Word<W>,
        out: &mut [u8],
    ) {
        let tile = Tile::<W, R>::turned(first, count, column);
        let out = &mut out[self.form.width(first)..];
        match (self.form, R) {
            (RowForm::Packed, 8 | 16 | 32) if self.close && 8 * self.stride == R => {
                tile.write_close(out)
            }
            (RowForm::Packed, _) => {
                self.rows::<W, R, 1>(&tile, count.div_ceil(8), out, |bits| [bits])
            }
            (RowForm::Bytes, 8) => self.rows::<W, R, 1>(&tile, count, out, spread),
            (RowForm::Bytes, 16) => self.rows::<W, R, 2>(&tile, count, out, spread),
            (RowForm::Bytes, 32) => self.rows::<W, R, 4>(&tile, count, out, spread),
            (RowForm::Bytes, _) => self.rows::<W, R, 8>(&tile, count, out, spread),
        }
    }

    /// Writes the first `width` bytes of what each row of a tile is seen as, and the others where they do no harm: in rows
    /// below, or nowhere. The last rows have no room for that.
    #[inline(always)]
    fn rows<const W: usize, const R: usize, const N: usize>(
        &self,
        tile: &Tile<W, R>,
        width: usize,
        out: &mut [u8],
        seen_as: impl Fn(u64) -> [u64; N],
    ) {
        let room = out.len().checked_sub(8 * N).map_or(0, |room| room / self.stride + 1);
        let whole = if self.close || width == 8 * N { self.lanes.min(room) } else { 0 };
        for first in (0..whole).step_by(R) {
            for (row, lane) in tile.0.iter().zip(first..whole) {
                let words = seen_as(row.0[first / SIDE] >> (first % SIDE));
                copy(&words, &mut out[lane * self.stride..][..8 * N]);
            }
        }
        for lane in whole..self.lanes {
            copy(&seen_as(tile.row(lane)), &mut out[lane * self.stride..][..width]);
        }
    }
}

/// Writes for the first `lanes` lanes the number of the column that has a one, every `stride` numbers; lanes that have none
/// are left as they are.
#[inline(always)]
pub fn write_numbers<const W: usize>(
    columns: usize,
    column: impl Fn(usize) -> Word<W>,
    lanes: usize,
    out: &mut [i32],
    stride: usize,
) {
    for first in (0..columns).step_by(SIDE) {
        match columns - first {
            some if some <= 16 => number_tile::<W, 16>(first, some, &column, lanes, out, stride),
            some => number_tile::<W, SIDE>(first, some.min(SIDE), &column, lanes, out, stride),
        }
    }
}

#[inline(always)]
fn number_tile<const W: usize, const R: usize>(
    first: usize,
    count: usize,
    column: &impl Fn(usize) -> Word<W>,
    lanes: usize,
    out: &mut [i32],
    stride: usize,
) {
    let tile = Tile::<W, R>::turned(first, count, column);
    for (lane, out) in out.iter_mut().step_by(stride).enumerate().take(lanes) {
        let bits = tile.row(lane) & (!0 >> (SIDE - R));
        if bits != 0 {
            *out = (first + bits.trailing_zeros() as usize) as i32;
        }
    }
}

/// As many bytes of the words as there is room for.
#[inline(always)]
fn copy<const N: usize>(words: &[u64; N], row: &mut [u8]) {
    for (word, bytes) in words.iter().zip(row.chunks_mut(8)) {
        let count = bytes.len();
        bytes.copy_from_slice(&word.to_le_bytes()[..count]);
    }
}

/// One byte for each of the lowest bits: a copy of eight bits in each byte of a word, one bit of each kept, and made one.
#[inline(always)]
fn spread<const N: usize>(bits: u64) -> [u64; N] {
    let mut words = [0u64; N];
    for (k, word) in words.iter_mut().enumerate() {
        let half = (bits >> (8 * k) & 0xFF) * 0x0101_0101;
        let kept = (half | half << 32) & 0x8040_2010_0804_0201;
        *word = (kept + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101;
    }
    words
}

/// A byte for each lane.
#[inline(always)]
pub fn write_lanes<const W: usize>(word: Word<W>, out: &mut [u8]) {
    if !word.any() {
        out.fill(0);
        return;
    }
    for (element, out) in word.0.iter().zip(out.chunks_mut(SIDE)) {
        copy(&spread::<8>(*element), out);
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
        for (columns, lanes, apart) in [
            (1, 256, 0),
            (10, 255, 0),
            (12, 90, 5),
            (29, 200, 0),
            (64, 256, 3),
            (100, 9, 1),
            (130, 77, 0),
            (1100, 5, 0),
        ] {
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
    fn lanes_have_the_number_of_their_one() {
        let mut random = WordRandom::<4>::new(9);
        for columns in [1, 7, 16, 17, 64, 70, 200] {
            let drawn: Vec<usize> =
                (0..256).map(|_| random.word().0[0] as usize % (columns + 1)).collect();
            let column = |k: usize| {
                let mut word = Word::<4>::ZERO;
                let own = (0..256).filter(|lane| drawn[*lane] == k);
                own.for_each(|lane| word.0[lane / SIDE] |= 1 << (lane % SIDE));
                word
            };
            let mut out = vec![-1; 3 * 250];
            write_numbers(columns, column, 250, &mut out[1..], 3);
            for (place, number) in out.iter().enumerate() {
                let own = drawn[place / 3];
                let is = if place % 3 == 1 && own < columns { own as i32 } else { -1 };
                assert_eq!(*number, is, "{columns} {place}");
            }
        }
    }

    #[test]
    fn bits_become_bytes() {
        for bits in [0, 1, 0x80, 0xA5A5_0F0F_1234_8001, u64::MAX] {
            let mut out = [7; 61];
            copy(&spread::<8>(bits), &mut out);
            (0..61).for_each(|i| assert_eq!(out[i], (bits >> i & 1) as u8));
        }
    }
}
