//! `ThreatOrder`: children first in which many facts would each be a win, of those that moves of the same side have made true
//! before and there is room for: threats, in most games. Where all children have as many, nobody asks any more.

use super::nodes::made_true;
use super::{Force, ForceQuestion};
use ludex_machine::{ThreatFact, Threats};

/// Both sides, the others first.
pub struct ThreatOrder {
    sides: [ThreatSide; 2],
    tries: Tries,
}

/// States in which something was tried, and those in which that made a difference.
#[derive(Default)]
pub struct Tries {
    tried: u64,
    useful: u64,
}

impl Tries {
    pub fn note(&mut self, useful: bool) {
        self.tried += 1;
        self.useful += u64::from(useful);
    }

    pub fn helps(&self) -> bool {
        self.tried < TRIAL || self.useful * SHARE >= self.tried
    }
}

struct ThreatSide {
    asked: Threats,
    /// By base which of the facts it is.
    place: Vec<Option<u32>>,
    /// By fact the bases that every move which made it true made false, as rows.
    room: Vec<u64>,
    /// Scratch: bases that all children of a state change.
    common: Vec<u64>,
}

/// States after which it is seen whether a try helps, and the share of them that must differ.
const TRIAL: u64 = 2_000;
const SHARE: u64 = 8;
/// Later on, facts are learned in one of so many states.
const LESSON: u64 = 16;
/// Facts of one side that are worth a try.
const MOST: usize = 128;
/// What a threat counts beside influence and history, as a shift.
const THREAT: u32 = 52;
const MOST_THREATS: u64 = (1 << 11) - 1;

impl ThreatOrder {
    pub fn new(bases: usize) -> ThreatOrder {
        let side = || ThreatSide {
            asked: Threats { rows: vec![], facts: vec![], role: 0, goals: 0..=0, counts: vec![] },
            place: vec![None; bases],
            room: vec![],
            common: vec![],
        };
        ThreatOrder { sides: [side(), side()], tries: Tries::default() }
    }
}

impl ThreatSide {
    /// Learns from what moves change. What all of them change is the turn, or a clock.
    fn learn(&mut self, before: &[u64]) {
        let words = before.len();
        self.common.clear();
        self.common.resize(words, !0);
        for after in self.asked.rows.chunks_exact(words) {
            let changed = before.iter().zip(after).map(|(a, b)| a ^ b);
            self.common.iter_mut().zip(changed).for_each(|(common, changed)| *common &= changed);
        }
        for after in self.asked.rows.chunks_exact(words) {
            for base in made_true(before, after) {
                if self.common[base / 64] >> (base % 64) & 1 == 0 {
                    let lost = |w: usize| before[w] & !after[w] & !self.common[w];
                    let Some(place) = self.place[base] else {
                        self.place[base] = Some(self.asked.facts.len() as u32);
                        self.room.extend((0..words).map(lost));
                        let fact = ThreatFact { base: base as u32, need: None };
                        self.asked.facts.push(fact);
                        continue;
                    };
                    let room = &mut self.room[place as usize * words..][..words];
                    room.iter_mut().enumerate().for_each(|(w, room)| *room &= lost(w));
                    self.asked.facts[place as usize].need = lowest(room);
                }
            }
        }
    }
}

/// The first base that holds.
fn lowest(row: &[u64]) -> Option<u32> {
    let w = row.iter().position(|word| *word != 0)?;
    Some(w as u32 * 64 + row[w].trailing_zeros())
}

impl Force<'_> {
    /// Adds to the scores of the children of a frame what threats are worth.
    pub(super) fn threaten(&mut self, at: usize, question: ForceQuestion) {
        let (frame, helps) = (&mut self.frames[at], self.threats.tries.helps());
        if frame.order.len() < 2 || !helps {
            return;
        }
        let (side, words) = (&mut self.threats.sides[usize::from(frame.own)], frame.row.len());
        side.asked.rows.clear();
        for (_, child) in &frame.order {
            side.asked.rows.extend_from_slice(&frame.rows[*child as usize * words..][..words]);
        }
        if self.expanded < TRIAL || self.expanded.is_multiple_of(LESSON) {
            side.learn(&frame.row);
        }
        if side.asked.facts.len() > MOST {
            return;
        }
        let least = self.scale.outcomes[question.rank as usize][0];
        side.asked.role = self.role;
        side.asked.goals = if frame.own { least..=i32::MAX } else { i32::MIN..=least - 1 };
        side.asked.counts.clear();
        side.asked.counts.resize(frame.order.len(), 0);
        if !self.batch.threats(&frame.row, &mut side.asked) {
            return;
        }
        let counts = &side.asked.counts;
        self.threats.tries.note(counts.iter().any(|count| *count != counts[0]));
        for ((score, _), count) in frame.order.iter_mut().zip(counts) {
            *score = score.saturating_add(u64::from(*count).min(MOST_THREATS) << THREAT);
        }
    }
}
