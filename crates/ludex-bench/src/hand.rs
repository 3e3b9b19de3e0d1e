//! Hand-written bitboard engines, one playout at a time: the limit to reach.
//!
//! Each game gives a function that plays random matches from the initial state with uniformly chosen
//! moves and counts them. They use what a good programmer would: bit boards, shifts, a bit-select
//! instruction where the processor has one, and no memory beyond registers and a small table.

pub mod breakthrough;
pub mod connectfour;
pub mod perft;
pub mod reversi;
pub mod solve;
pub mod tictactoe;
pub mod uct;

/// What was played.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Count {
    pub playouts: u64,
    pub transitions: u64,
    /// Sum of the first player's goal values.
    pub goals: u64,
}

/// A small fast generator (wyrand).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03)
    }

    /// A number below `n`.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let word = (product >> 64) as u64 ^ product as u64;
        ((u64::from(word as u32) * u64::from(n)) >> 32) as u32
    }
}

/// The place of the k-th set bit of a mask, as a mask.
pub trait Select: Fn(u64, u32) -> u64 {}
impl<F: Fn(u64, u32) -> u64> Select for F {}

/// Runs a game's generic function with the fastest bit-select that the processor has.
macro_rules! with_select {
    ($run:ident) => {
        pub fn play(playouts: u64, seed: u64) -> $crate::hand::Count {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
                fn fast(playouts: u64, seed: u64) -> $crate::hand::Count {
                    $run(playouts, seed, |mask, k| core::arch::x86_64::_pdep_u64(1 << k, mask))
                }
                if is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("lzcnt")
                {
                    // SAFETY: all features that it is compiled for were just detected.
                    return unsafe { fast(playouts, seed) };
                }
            }
            $run(playouts, seed, |mut mask, k| {
                (0..k).for_each(|_| mask &= mask - 1);
                mask & mask.wrapping_neg()
            })
        }
    };
}
pub(crate) use with_select;
