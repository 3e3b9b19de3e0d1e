//! `RolloutLanes`: environments on the circuits of playouts.

use super::EnvCircuits;
use super::block::EnvBlock;
use crate::sliced::Totals;
use crate::sliced::lanes::Lanes;
use crate::sliced::transpose::SIDE;
use crate::sliced::words::Word;

/// Memory for it, one for each thread.
#[derive(Clone)]
pub struct RolloutLanes<const W: usize>(Lanes<W>);

impl<const W: usize> RolloutLanes<W> {
    pub fn new(code: &EnvCircuits) -> RolloutLanes<W> {
        RolloutLanes(Lanes::new(code.playouts.clone()))
    }

    /// Random steps of a block. What is over begins anew first.
    pub fn play(&mut self, code: &EnvCircuits, block: &mut EnvBlock<W>, steps: u64) -> Totals {
        block.begin(code, block.idle);
        let mut used = Word::ZERO;
        (0..block.lanes).for_each(|lane| used.0[lane / SIDE] |= 1 << (lane % SIDE));
        self.0.play_on(&mut block.now, &code.phases, used, steps, &mut block.random)
    }
}
