//! `SlotMemory`: the slots that a part of a step reads and writes.

use super::plan::WordSlot;
use super::words::{Aligned, Word};

/// The memory of a run, by kind of slot. It begins where every back end can load from.
pub struct SlotMemory<'a, const W: usize> {
    now: &'a mut [Word<W>],
    next: &'a mut [Word<W>],
    work: &'a mut [Word<W>],
}

impl<'a, const W: usize> SlotMemory<'a, W> {
    #[inline(always)]
    pub fn new<const V: usize>(
        now: &'a mut Aligned<V>,
        next: &'a mut Aligned<V>,
        work: &'a mut Aligned<V>,
    ) -> SlotMemory<'a, W> {
        SlotMemory { now: now.cast(), next: next.cast(), work: work.cast() }
    }

    /// Present state, next state, work.
    #[inline(always)]
    pub fn slots(&mut self) -> [&mut [Word<W>]; 3] {
        [self.now, self.next, self.work]
    }

    #[inline(always)]
    pub fn get(&self, slot: WordSlot) -> Word<W> {
        match slot {
            WordSlot::Now(i) => self.now[i as usize],
            WordSlot::Next(i) => self.next[i as usize],
            WordSlot::Work(i) => self.work[i as usize],
        }
    }

    #[inline(always)]
    pub fn set(&mut self, slot: WordSlot, word: Word<W>) {
        match slot {
            WordSlot::Now(i) => self.now[i as usize] = word,
            WordSlot::Next(i) => self.next[i as usize] = word,
            WordSlot::Work(i) => self.work[i as usize] = word,
        }
    }
}
