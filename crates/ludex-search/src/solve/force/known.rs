//! `KnownRanks`: what the table keeps of a state, in twelve bytes.

use super::super::table::TableEntry;
use super::{ForceAnswer, ForceQuestion};
use ludex_reason::Move;

/// What a state is known to be worth.
#[derive(Clone, Copy)]
pub struct KnownRanks {
    pub least: u8,
    pub greatest: u8,
    /// The rank that was last asked for in vain, and the depths to which either side has tried.
    asked: u8,
    /// A part of the state's own number, to tell it from symmetric states.
    pub tag: u8,
    tried: [u16; 2],
    /// The chooser's move that decided; `NONE` at first.
    best: u16,
    /// Eleven bits, and by how many they are shifted.
    work: u16,
}

const NONE: u16 = u16::MAX;
const DIGITS: u32 = 11;

impl Default for KnownRanks {
    fn default() -> KnownRanks {
        let (least, greatest) = (0, 255);
        KnownRanks { least, greatest, asked: 0, tag: 0, tried: [0; 2], best: NONE, work: 0 }
    }
}

impl TableEntry for KnownRanks {
    fn work(&self) -> u32 {
        u32::from(self.work & ((1 << DIGITS) - 1)) << (self.work >> DIGITS)
    }
}

impl KnownRanks {
    /// The answer to a question within a depth, where it is known.
    pub fn answer(&self, question: ForceQuestion, depth: u16) -> Option<ForceAnswer> {
        match () {
            () if self.least >= question.rank => Some(ForceAnswer::Yes),
            () if self.greatest < question.rank => Some(ForceAnswer::No),
            () if self.asked == question.rank && self.tried[question.asker as usize] >= depth => {
                Some(ForceAnswer::Unknown)
            }
            () => None,
        }
    }

    /// Notes an answer, and the work that it took.
    pub fn note(&mut self, answer: ForceAnswer, question: ForceQuestion, depth: u16, work: u64) {
        let ForceQuestion { rank, asker } = question;
        match answer {
            ForceAnswer::Yes => self.least = self.least.max(rank),
            ForceAnswer::No => self.greatest = self.greatest.min(rank - 1),
            ForceAnswer::Unknown => {
                if self.asked != rank {
                    (self.asked, self.tried) = (rank, [0; 2]);
                }
                self.tried[asker as usize] = depth;
            }
        }
        let work = (u64::from(self.work()) + work).min(u64::from(u32::MAX)) as u32;
        let shift = (u32::BITS - work.leading_zeros()).saturating_sub(DIGITS);
        self.work = (work >> shift | shift << DIGITS) as u16;
    }

    pub fn best(&self) -> Option<Move> {
        (self.best != NONE).then_some(Move(self.best.into()))
    }

    /// Notes the move that decided. Those of a large number are not kept.
    pub fn decide(&mut self, m: Move) {
        self.best = u16::try_from(m.0).unwrap_or(NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Asker;
    use super::*;

    #[test]
    fn work_is_kept_nearly_exactly() {
        let mut known = KnownRanks::default();
        let question = ForceQuestion { rank: 1, asker: Asker::Role };
        known.note(ForceAnswer::Unknown, question, 3, 2_000);
        assert_eq!((known.work(), known.answer(question, 3)), (2_000, Some(ForceAnswer::Unknown)));
        assert_eq!(known.answer(question, 4), None);
        known.note(ForceAnswer::No, question, 4, 1 << 40);
        assert!(known.work() > u32::MAX - (1 << 22));
        assert_eq!(known.answer(question, 9), Some(ForceAnswer::No));
        assert_eq!(size_of::<KnownRanks>(), 12);
    }
}
