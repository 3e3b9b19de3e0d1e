//! `KnownRanks`: what the table keeps of a state, in twelve bytes.

use super::{ForceAnswer, ForceQuestion};
use ludex_reason::Move;

/// What a state is known to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl KnownRanks {
    /// The states below it that were expanded: what it would cost to find out again.
    pub fn work(&self) -> u32 {
        unpack(self.work)
    }

    /// The same as two words.
    pub fn words(&self) -> (u64, u32) {
        let [role, others] = self.tried.map(u64::from);
        let bytes = u32::from_le_bytes([self.least, self.greatest, self.asked, self.tag]);
        let second = u32::from(self.best) | u32::from(self.work) << 16;
        (u64::from(bytes) | role << 32 | others << 48, second)
    }

    pub fn of_words(first: u64, second: u32) -> KnownRanks {
        let [least, greatest, asked, tag] = (first as u32).to_le_bytes();
        let tried = [(first >> 32) as u16, (first >> 48) as u16];
        let (best, work) = (second as u16, (second >> 16) as u16);
        KnownRanks { least, greatest, asked, tag, tried, best, work }
    }

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
        self.work = pack(work);
    }

    pub fn best(&self) -> Option<Move> {
        (self.best != NONE).then_some(Move(self.best.into()))
    }

    /// Notes the move that decided. Those of a large number are not kept.
    pub fn decide(&mut self, m: Move) {
        self.best = u16::try_from(m.0).unwrap_or(NONE);
    }
}

/// A number in eleven bits, and by how many they are shifted.
fn pack(number: u32) -> u16 {
    let shift = (u32::BITS - number.leading_zeros()).saturating_sub(DIGITS);
    (number >> shift | shift << DIGITS) as u16
}

fn unpack(packed: u16) -> u32 {
    u32::from(packed & ((1 << DIGITS) - 1)) << (packed >> DIGITS)
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
        let (first, second) = known.words();
        assert_eq!(KnownRanks::of_words(first, second), known);
    }
}
