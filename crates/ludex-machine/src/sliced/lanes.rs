//! `Lanes`: the playouts that run side by side on an engine, and the loop that advances them.

mod rollout;

use super::Totals;
use super::backend::Backend;
#[cfg(target_arch = "x86_64")]
use super::backend::{avx2, avx512, compiled_for};
use super::engine::SlicedEngine;
use super::memory::SlotMemory;
use super::plan::{STUCK, StepPart, TERMINAL};
use super::words::{Aligned, Word, WordRandom};
use std::sync::Arc;

#[derive(Clone)]
pub struct Lanes<const W: usize> {
    engine: Arc<SlicedEngine>,
    now: Aligned<W>,
    /// No slot: the next state takes the place of the present one.
    next: Aligned<W>,
    work: Aligned<W>,
    /// The state that lanes begin with, by base, and its phase.
    starts: Aligned<W>,
    start_phase: usize,
    /// A lane may begin in a terminal state.
    starts_terminal: bool,
    phase: usize,
    /// Lanes in the middle of a playout.
    live: Word<W>,
    /// Lanes that may begin a playout.
    wanted: Word<W>,
    /// Live lanes that were live when the present epoch of `bound` steps began.
    old: Word<W>,
    bound: u64,
    steps: u64,
    random: WordRandom<W>,
    /// Terminal states that wait for their goals, by the first phase with these, and their lanes.
    parked: Vec<(Aligned<W>, Word<W>)>,
    /// Playouts that may still begin.
    pub remaining: u64,
    pub totals: Totals,
    /// By role and goal value, as in the engine: the lanes whose last playout came to it. Only where
    /// every lane has a state of its own to begin with.
    pub outcomes: Vec<Word<W>>,
    /// By input, the lanes whose last playout made the move. Only where the engine tells moves, and
    /// every lane has a state of its own to begin with.
    made: Aligned<W>,
    /// Moves that roles chose among several, and how many of them the same playout had made before;
    /// counted where `made` is.
    pub repeats: (u64, u64),
}

impl<const W: usize> Lanes<W> {
    pub fn new(engine: Arc<SlicedEngine>) -> Lanes<W> {
        let bases = engine.initial.len();
        let totals = Totals::new(&engine.goals);
        let parks = if engine.shape.parked { engine.phases.len() } else { 0 };
        Lanes {
            parked: vec![(Aligned::new(bases), Word::ZERO); parks],
            now: Aligned::new(bases),
            next: Aligned::new(0),
            work: Aligned::new(engine.work_slots),
            starts: Aligned::new(bases),
            start_phase: 0,
            starts_terminal: false,
            phase: 0,
            live: Word::ZERO,
            wanted: Word::ONES,
            old: Word::ZERO,
            bound: u64::MAX,
            steps: 0,
            random: WordRandom::new(0),
            remaining: 0,
            totals,
            outcomes: Vec::new(),
            made: Aligned::new(engine.movers.len()),
            repeats: (0, 0),
            engine,
        }
    }

    pub const LANES: usize = Word::<W>::LANES;

    /// Prepares a run of playouts from the initial state.
    pub fn begin(&mut self, seed: u64, playouts: u64, bound: u64) {
        let engine = self.engine.clone();
        for (word, value) in self.starts.words().iter_mut().zip(&engine.initial) {
            *word = Word::splat(*value);
        }
        self.wanted = Word::ONES;
        self.restart(seed, playouts, bound, 0);
        self.outcomes.clear();
    }

    /// Prepares a run of one playout in each lane. States come as one bit for each base, with the lanes
    /// that begin there.
    pub fn begin_from<'a>(
        &mut self,
        seed: u64,
        bound: u64,
        phase: usize,
        states: impl Iterator<Item = (&'a [u64], Word<W>)>,
    ) {
        let starts = self.starts.words();
        starts.fill(Word::ZERO);
        for (state, lanes) in states {
            for (w, word) in state.iter().enumerate() {
                let mut left = *word;
                while left != 0 {
                    let base = w * 64 + left.trailing_zeros() as usize;
                    starts[base] = starts[base] | lanes;
                    left &= left - 1;
                }
            }
        }
        self.wanted = Word::ONES;
        self.restart(seed, Self::LANES as u64, bound, phase);
        self.outcomes.clear();
        self.outcomes.resize(self.engine.goals.iter().map(Vec::len).sum(), Word::ZERO);
        self.made.words().fill(Word::ZERO);
        self.repeats = (0, 0);
    }

    fn restart(&mut self, seed: u64, playouts: u64, bound: u64, phase: usize) {
        self.random = WordRandom::new(seed);
        self.totals = Totals::new(&self.engine.goals);
        (self.live, self.old) = (Word::ZERO, Word::ZERO);
        self.parked.iter_mut().for_each(|park| park.1 = Word::ZERO);
        (self.start_phase, self.phase) = (phase, phase);
        (self.steps, self.bound, self.remaining) = (0, bound, playouts);
        std::mem::swap(&mut self.now, &mut self.starts);
        self.run(StepPart::End);
        std::mem::swap(&mut self.now, &mut self.starts);
        self.starts_terminal = (self.work.words()[TERMINAL as usize] & self.wanted).any();
    }

    /// Lanes that are in the middle of a playout, or could begin one.
    pub fn is_done(&self) -> bool {
        !self.live.any() && self.remaining == 0
    }

    /// Makes up to `steps` steps in all lanes.
    pub fn advance(&mut self, steps: u64) {
        match self.engine.backend {
            Backend::Portable(_) => self.advance_here(steps),
            // Each is compiled for its own width alone.
            // SAFETY: an engine has this back end only where `Backend::missing` found all features of the
            // list that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 if const { W == 4 || W == 16 } => unsafe { self.advance_avx2(steps) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 if const { W == 8 || W == 16 } => unsafe { self.advance_avx512(steps) },
            _ => unreachable!("no such back end of this width here"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx2! { compiled_for
        fn advance_avx2(&mut self, steps: u64) {
            self.advance_here(steps);
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx512! { compiled_for
        fn advance_avx512(&mut self, steps: u64) {
            self.advance_here(steps);
        }
    }

    #[inline(always)]
    fn advance_here(&mut self, steps: u64) {
        for _ in 0..steps {
            if !self.step() {
                return;
            }
        }
        // The last playouts may have ended in the last step.
        if self.is_done() {
            self.settle();
        }
    }

    /// One step of all lanes; false where nothing is left to do.
    #[inline(always)]
    fn step(&mut self) -> bool {
        // 1. Playouts that ended, and new ones where the phase is theirs.
        let merged = self.engine.shape.merged;
        if !merged {
            self.run(StepPart::End);
            self.end();
        }
        if !self.live.any() {
            self.phase = self.start_phase;
        }
        if self.phase == self.start_phase && self.remaining > 0 {
            self.refill();
            if self.starts_terminal && !merged {
                self.run(StepPart::End);
                self.end();
            }
        }
        if !self.live.any() && self.remaining == 0 {
            self.settle();
            return false;
        }
        // 2. Legal moves; a lane where a role has none ends without goals.
        self.run(StepPart::Count);
        if merged {
            self.end();
        }
        let stuck = self.work.words()[STUCK as usize] & self.live;
        if stuck.any() {
            self.totals.stuck += stuck.count();
            self.live = self.live & !stuck;
        }
        // 3. Moves.
        self.draw();
        self.totals.transitions += self.live.count();
        // 4. The next state.
        self.run(StepPart::Next);
        self.note_moves();
        self.phase += 1;
        if self.phase == self.engine.phases.len() {
            self.phase = 0;
        }
        self.watch_length();
        true
    }

    #[inline(always)]
    fn run(&mut self, part: StepPart) {
        let mut memory = SlotMemory::<W>::new(&mut self.now, &mut self.next, &mut self.work);
        self.engine.run(self.phase, part, &mut memory);
    }

    #[inline(always)]
    fn end(&mut self) {
        let ended = self.work.words()[TERMINAL as usize] & self.live;
        if !ended.any() {
            return;
        }
        self.totals.playouts += ended.count();
        self.live = self.live & !ended;
        if self.engine.shape.parked {
            self.park(ended);
        } else {
            self.run(StepPart::Goals);
            self.tally(ended);
        }
    }

    /// Keeps the states of these lanes; where a lane has one already, goals are due.
    #[inline(always)]
    fn park(&mut self, ended: Word<W>) {
        let goals = self.engine.phases[self.phase].goals;
        if (self.parked[goals].1 & ended).any() {
            self.flush(goals);
        }
        let (states, waiting) = &mut self.parked[goals];
        *waiting = *waiting | ended;
        let (now, states) = (self.now.words(), states.words());
        for base in &self.engine.phases[self.phase].goal_bases {
            let base = *base as usize;
            states[base] = (states[base] & !ended) | (now[base] & ended);
        }
    }

    /// Counts the goals of the states parked in a phase.
    #[inline(always)]
    fn flush(&mut self, phase: usize) {
        let waiting = std::mem::replace(&mut self.parked[phase].1, Word::ZERO);
        if waiting.any() {
            std::mem::swap(&mut self.now, &mut self.parked[phase].0);
            let present = std::mem::replace(&mut self.phase, phase);
            self.run(StepPart::Goals);
            self.phase = present;
            std::mem::swap(&mut self.now, &mut self.parked[phase].0);
            self.tally(waiting);
        }
    }

    #[inline(always)]
    fn tally(&mut self, ended: Word<W>) {
        let work = self.work.words();
        let mut first = 0;
        for (role, values) in self.engine.goals.iter().enumerate() {
            let (mut one, mut more) = (Word::ZERO, Word::ZERO);
            for (_, slot) in values {
                let goal = work[*slot as usize] & ended;
                more = more | (one & goal);
                one = one | goal;
            }
            let scored = one & !more;
            self.totals.unscored[role] += ended.count() - scored.count();
            for (k, (_, slot)) in values.iter().enumerate() {
                self.totals.goals[role][k].1 += (work[*slot as usize] & scored).count();
            }
            let outcomes = self.outcomes.iter_mut().skip(first);
            for (outcome, (_, slot)) in outcomes.zip(values) {
                *outcome = *outcome | (work[*slot as usize] & scored);
            }
            first += values.len();
        }
    }

    #[inline(always)]
    fn refill(&mut self) {
        let mut fresh = self.wanted & !self.live;
        if !fresh.any() {
            return;
        }
        if fresh.count() > self.remaining {
            fresh = fresh.lowest(self.remaining);
        }
        self.remaining -= fresh.count();
        let (now, starts) = (self.now.words(), self.starts.words());
        for base in &self.engine.phases[self.phase].open {
            let base = *base as usize;
            now[base] = (now[base] & !fresh) | (starts[base] & fresh);
        }
        self.live = self.live | fresh;
        self.old = self.old & !fresh;
    }

    #[inline(always)]
    fn draw(&mut self) {
        let work = self.work.words();
        for draw in &self.engine.phases[self.phase].draws {
            let bits = draw.bits as usize;
            let (highest, rank) = work[draw.highest as usize..].split_at_mut(bits);
            debug_assert_eq!(draw.rank, draw.highest + draw.bits);
            self.random.ranks(highest, self.live, &mut rank[..bits]);
        }
    }

    #[inline(always)]
    fn note_moves(&mut self) {
        let (work, all) = (self.work.words(), self.made.words());
        let phase = &self.engine.phases[self.phase];
        for (draw, moves) in phase.draws.iter().zip(&phase.made) {
            let highest = &work[draw.highest as usize..][..draw.bits as usize];
            let chose = highest.iter().fold(Word::ZERO, |any, bit| any | *bit) & self.live;
            let mut again = Word::ZERO;
            for (input, slot) in moves {
                let (made, now) = (&mut all[*input as usize], work[*slot as usize] & self.live);
                again = again | (*made & now);
                *made = *made | now;
            }
            self.repeats.0 += chose.count();
            self.repeats.1 += (again & chose).count();
        }
    }

    /// Ends playouts longer than the bound, within the next `bound` steps.
    #[inline(always)]
    fn watch_length(&mut self) {
        self.steps += 1;
        if self.steps == self.bound {
            let overlong = self.live & self.old;
            self.totals.overlong += overlong.count();
            self.live = self.live & !overlong;
            (self.steps, self.old) = (0, self.live);
        }
    }

    /// Counts the goals that wait.
    pub fn settle(&mut self) {
        (0..self.parked.len()).for_each(|phase| self.flush(phase));
    }

    /// After a step that began in this phase: by role that chose, its number of moves less one and the
    /// rank that was drawn, both in binary.
    pub fn drawn(&mut self, phase: usize) -> Vec<(usize, Vec<Word<W>>, Vec<Word<W>>)> {
        let work = self.work.words();
        let number = |slot: u32, bits: u32| work[slot as usize..(slot + bits) as usize].to_vec();
        let draws = self.engine.phases[phase].draws.iter();
        draws.map(|d| (d.role, number(d.highest, d.bits), number(d.rank, d.bits))).collect()
    }

    /// By input, the lanes that made the move.
    pub fn made(&mut self) -> &[Word<W>] {
        self.made.words()
    }

    pub fn engine(&self) -> &Arc<SlicedEngine> {
        &self.engine
    }
}

/// What tests look at.
#[cfg(test)]
impl<const W: usize> Lanes<W> {
    /// The phase in which the last step began.
    pub fn last_phase(&self) -> usize {
        let phases = self.engine.phases.len();
        (self.phase + phases - 1) % phases
    }

    pub fn is_live(&self, lane: usize) -> bool {
        self.live.get(lane)
    }

    /// The bases of a lane's present state.
    pub fn bases(&mut self, lane: usize) -> Vec<bool> {
        let words = self.now.words().iter();
        let known = self.engine.phases[self.phase].known.iter();
        known.zip(words).map(|(known, word)| known.unwrap_or_else(|| word.get(lane))).collect()
    }

    /// The ranks that a lane drew in its last step, by draw of the phase before.
    pub fn ranks(&mut self, lane: usize) -> Vec<u64> {
        let phase = self.last_phase();
        let work = self.work.words();
        let number = |slot: u32, bits: u32| {
            (0..bits).map(|i| (work[(slot + i) as usize].get(lane) as u64) << i).sum()
        };
        self.engine.phases[phase].draws.iter().map(|d| number(d.rank, d.bits)).collect()
    }
}
