//! The children of one position in one pass: all lanes hold the position, and each makes a move of its own.
//!
//! Nothing is transposed: what changed since the position before is written into the lanes, and the
//! children leave them by columns (`crate::children`).

use super::*;
use crate::children::{ChildPlan, Children, GROUP};
use crate::sliced::engine::PhaseInfo;
use crate::threats::Refutation;
use std::ops::Range;

impl Passes {
    /// The children of a position after joint moves: how many there are, their ends, and the goals there. False for a
    /// position that the circuits are not made for: no match comes to it.
    pub fn children(&mut self, row: &[u64], joints: &[Move], out: &mut Children) -> bool {
        let Some(phase) = self.frames.iter().position(|frame| frame.holds(row)) else {
            return false;
        };
        let next = (phase + 1) % self.frames.len();
        out.begin(&self.plans[next], joints.len() / self.engine.goals.len());
        let kind = PassKind::Children { joints, next, out };
        self.width.run(Pass { phase, rows: row, words: row.len(), kind });
        true
    }

    /// Counts the facts that would each be a win in the children of a position. False as for `children`, and where they
    /// do not fit into one pass.
    pub fn threats(&mut self, row: &[u64], threats: &mut Threats) -> bool {
        let width = threats.counts.len().next_power_of_two();
        let fits = width <= SIDE && width * threats.facts.len() <= self.lanes();
        let Some(phase) = self.frames.iter().position(|frame| fits && frame.holds(row)) else {
            return false;
        };
        let (phase, kind) = ((phase + 1) % self.frames.len(), PassKind::Threats { threats });
        self.width.run(Pass { phase, rows: row, words: row.len(), kind });
        true
    }

    /// Which of the children that were made and shown last have a reply that ends the match with a goal as is asked for,
    /// while the role that waits has no choice: bits by child. None where that does not fit into a few passes.
    pub fn refuted(&mut self, ask: &Refutation, out: &Children) -> Option<u64> {
        let mut found = None;
        let kind = PassKind::Refuted { ask, out, found: &mut found };
        self.width.run(Pass { phase: 0, rows: &[], words: 0, kind });
        found
    }

    /// The rows and, where they are wanted, the legal moves of the children that were made last.
    pub fn show(&mut self, legal: bool, out: &mut Children) {
        self.width.run(Pass { phase: 0, rows: &[], words: 0, kind: PassKind::Show { legal, out } });
    }
}

/// What the columns of children in each phase are.
pub(super) fn plans(frames: &[KnownBases], engine: &SlicedEngine) -> Vec<Arc<ChildPlan>> {
    let plan = |(frame, phase): (&KnownBases, &PhaseInfo)| {
        let of_role = |open: &Vec<(u32, u32)>| open.iter().map(|(input, _)| *input).collect();
        let moves = phase.legal.iter().map(of_role).collect();
        ChildPlan::new(engine.initial.len(), (&frame.known, &frame.values), moves).into()
    };
    frames.iter().zip(&engine.phases).map(plan).collect()
}

/// Lanes that all hold one position.
#[derive(Clone)]
pub(super) struct OnePosition<const W: usize> {
    lanes: Aligned<W>,
    /// Scratch: what lanes held before facts were added.
    kept: Vec<Word<W>>,
    /// The position that they hold.
    row: Vec<u64>,
    /// The phase of the children that were made last, and whether their goals were asked for.
    next: usize,
    goals: bool,
    /// Joint replies, a move of each role one after the other, and in which children each can be made.
    replies: Vec<Move>,
    children: Vec<u64>,
}

/// Passes that the replies to all children may take.
const MOST_PASSES: usize = 2;

impl<const W: usize> OnePosition<W> {
    pub(super) fn new(bases: usize) -> OnePosition<W> {
        let row = vec![0; bases.div_ceil(64)];
        OnePosition {
            lanes: Aligned::new(bases),
            kept: vec![],
            row,
            next: 0,
            goals: false,
            replies: vec![],
            children: vec![],
        }
    }

    /// Writes the bases that differ from the position before.
    #[inline(always)]
    fn load(&mut self, row: &[u64]) {
        let lanes = self.lanes.words();
        for (w, (now, word)) in self.row.iter_mut().zip(row).enumerate() {
            let mut changed = *now ^ word;
            *now = *word;
            while changed != 0 {
                let base = changed.trailing_zeros() as usize;
                lanes[w * 64 + base] = Word::splat(word >> base & 1 == 1);
                changed &= changed - 1;
            }
        }
    }

    /// Turns what differs between the position and its children round, each in its lanes.
    #[inline(always)]
    fn change(&mut self, rows: &[u64], lanes_of: impl Fn(usize) -> Word<W>) {
        let lanes = self.lanes.words();
        for (child, after) in rows.chunks_exact(self.row.len().max(1)).enumerate() {
            for (w, (now, next)) in self.row.iter().zip(after).enumerate() {
                let mut changed = now ^ next;
                while changed != 0 {
                    let word = &mut lanes[w * 64 + changed.trailing_zeros() as usize];
                    *word = *word ^ lanes_of(child);
                    changed &= changed - 1;
                }
            }
        }
    }
}

impl<const W: usize> PassLanes<W> {
    #[inline(always)]
    pub(super) fn children(
        &mut self,
        phase: usize,
        row: &[u64],
        (joints, next): (&[Move], usize),
        out: &mut Children,
    ) {
        self.one.load(row);
        let roles = self.engine.goals.len();
        let passes = joints.chunks(Word::<W>::LANES * roles);
        let several = passes.len() > 1;
        for (pass, joints) in passes.enumerate() {
            self.give_children(joints, true);
            let mut memory =
                SlotMemory::<W>::new(&mut self.one.lanes, &mut self.now, &mut self.work);
            self.engine.run(phase, StepPart::Next, &mut memory);
            self.give_children(joints, false);
            let (first, lanes) = (pass * Word::<W>::LANES, joints.len() / roles);
            self.part(next, StepPart::End);
            let terminal = self.work.words()[TERMINAL as usize] & super::first::<W>(lanes);
            for (element, ends) in terminal.0.iter().take(lanes.div_ceil(SIDE)).enumerate() {
                out.ends(first / SIDE + element, *ends);
            }
            (self.one.next, self.one.goals) = (next, terminal.any());
            if terminal.any() {
                self.part(next, StepPart::Goals);
                self.goals_of(terminal, first, out);
            }
            if several {
                self.show(first, lanes, true, out);
            }
        }
        out.shown(several);
    }

    /// Gives each child its moves. Few children stand side by side again and again, so that each has lanes for its own
    /// children.
    #[inline(always)]
    fn give_children(&mut self, joints: &[Move], value: bool) {
        let roles = self.engine.goals.len();
        let count = joints.len() / roles;
        if count > SIDE {
            return self.give(joints, value);
        }
        let given = &mut self.work.words()[self.engine.given as usize..];
        let every = every(count.next_power_of_two());
        for (child, joint) in joints.chunks_exact(roles).enumerate() {
            for m in joint {
                let word = &mut given[m.0 as usize];
                *word = if value { *word | Word([every << child; W]) } else { Word::ZERO };
            }
        }
    }

    /// Lists the joint replies to children that are not over, and where each can be made. False where they are too many.
    #[inline(always)]
    fn list_replies(&mut self, ask: &Refutation, children: &Children) -> bool {
        let PassLanes { engine, work, one, .. } = self;
        let open = &engine.phases[one.next].legal;
        let work = work.words();
        let legal = |slot: u32| work[slot as usize].0[0];
        let (mut once, mut twice) = (0, 0);
        for (_, slot) in &open[ask.waiting] {
            twice |= once & legal(*slot);
            once |= legal(*slot);
        }
        let live = !children.terminal_bits() & !twice & (!0 >> (SIDE - children.len()));
        one.replies.clear();
        one.children.clear();
        let [first, second] = &open[..] else { return false };
        let blocks = Word::<W>::LANES / children.len().next_power_of_two();
        for (a, slot) in first {
            let of_first = live & legal(*slot);
            for (b, slot) in second.iter().filter(|_| of_first != 0) {
                let both = of_first & legal(*slot);
                if both != 0 {
                    one.replies.extend([Move(*a), Move(*b)]);
                    one.children.push(both);
                }
            }
            if one.children.len() > MOST_PASSES * blocks {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    pub(super) fn refuted(&mut self, ask: &Refutation, children: &Children) -> Option<u64> {
        if children.is_empty() || children.len() > SIDE || !self.list_replies(ask, children) {
            return None;
        }
        let width = children.len().next_power_of_two();
        let blocks = Word::<W>::LANES / width;
        let mut all = 0;
        for first in (0..self.one.children.len()).step_by(blocks) {
            let some = first..self.one.children.len().min(first + blocks);
            let valid = self.give_replies(some.clone(), width, true);
            self.part(self.one.next, StepPart::Next);
            self.give_replies(some, width, false);
            let wins = self.ends_as_asked(ask) & valid;
            all |= wins.0.iter().fold(0, |all, element| all | element);
        }
        let mut far = SIDE / 2;
        while far >= width {
            all |= all >> far;
            far /= 2;
        }
        Some(all & (!0 >> (SIDE - children.len())))
    }

    /// Gives each block of lanes its reply; the lanes in which it can be made.
    #[inline(always)]
    fn give_replies(&mut self, some: Range<usize>, width: usize, value: bool) -> Word<W> {
        let given = &mut self.work.words()[self.engine.given as usize..];
        let mut valid = Word::ZERO;
        for (block, reply) in some.enumerate() {
            let (element, shift) = (block * width / SIDE, block * width % SIDE);
            valid.0[element] |= self.one.children[reply] << shift;
            for m in &self.one.replies[2 * reply..2 * reply + 2] {
                let bits = &mut given[m.0 as usize].0[element];
                let lanes = !0 >> (SIDE - width) << shift;
                *bits = if value { *bits | lanes } else { 0 };
            }
        }
        valid
    }

    /// The lanes of the next positions that are ends with exactly one goal value, which is as asked for.
    #[inline(always)]
    fn ends_as_asked(&mut self, ask: &Refutation) -> Word<W> {
        let phase = (self.one.next + 1) % self.engine.phases.len();
        let mut memory = SlotMemory::<W>::new(&mut self.next, &mut self.now, &mut self.work);
        self.engine.run(phase, StepPart::End, &mut memory);
        let terminal = self.work.words()[TERMINAL as usize];
        if !terminal.any() {
            return terminal;
        }
        let mut memory = SlotMemory::<W>::new(&mut self.next, &mut self.now, &mut self.work);
        self.engine.run(phase, StepPart::Goals, &mut memory);
        let (mut wanted, mut once, mut twice) = (Word::ZERO, Word::ZERO, Word::ZERO);
        for (value, slot) in &self.engine.goals[ask.role] {
            let holds = self.work.words()[*slot as usize];
            twice = twice | once & holds;
            once = once | holds;
            if ask.goals.contains(value) {
                wanted = wanted | holds;
            }
        }
        terminal & wanted & !twice
    }

    /// The lanes of all children stand side by side, once for each fact that is added.
    #[inline(always)]
    pub(super) fn threats(&mut self, phase: usize, row: &[u64], threats: &mut Threats) {
        let Threats { rows, facts, role, goals, counts } = threats;
        let width = counts.len().next_power_of_two();
        let every = every(width);
        let lanes_of = |child: usize| Word::<W>([every << child; W]);
        self.one.load(row);
        self.one.change(rows, lanes_of);
        let lanes = self.one.lanes.words();
        self.one.kept.clear();
        for (n, fact) in facts.iter().enumerate() {
            let element = n * width / SIDE;
            let room = fact.need.map_or(!0, |need| lanes[need as usize].0[element]);
            let word = &mut lanes[fact.base as usize];
            self.one.kept.push(*word);
            word.0[element] |= room & !0 >> (SIDE - width) << (n * width % SIDE);
        }
        let mut memory = SlotMemory::<W>::new(&mut self.one.lanes, &mut self.next, &mut self.work);
        self.engine.run(phase, StepPart::End, &mut memory);
        let terminal =
            self.work.words()[TERMINAL as usize] & super::first::<W>(facts.len() * width);
        let mut wins = Word::ZERO;
        if terminal.any() {
            let mut memory =
                SlotMemory::<W>::new(&mut self.one.lanes, &mut self.next, &mut self.work);
            self.engine.run(phase, StepPart::Goals, &mut memory);
            for (_, slot) in self.engine.goals[*role].iter().filter(|(v, _)| goals.contains(v)) {
                wins = wins | self.work.words()[*slot as usize] & terminal;
            }
        }
        for (child, count) in counts.iter_mut().enumerate() {
            *count = (wins & lanes_of(child)).count() as u32;
        }
        let lanes = self.one.lanes.words();
        // Facts that are listed twice get their first value back.
        for (fact, word) in facts.iter().zip(&self.one.kept).rev() {
            lanes[fact.base as usize] = *word;
        }
        self.one.change(rows, lanes_of);
    }

    /// Takes children out of their lanes.
    #[inline(always)]
    pub(super) fn show(&mut self, first: usize, lanes: usize, legal: bool, out: &mut Children) {
        let next = self.one.next;
        if legal {
            if self.one.goals {
                // What it shares with legal moves is lost.
                self.part(next, StepPart::End);
            }
            self.part(next, StepPart::Count);
        }
        for group in 0..lanes.div_ceil(GROUP) {
            let to = first / GROUP + group;
            columns(self.now.words(), group, out.bases(to));
            for (role, open) in self.engine.phases[next].legal.iter().enumerate() {
                if legal && !open.is_empty() {
                    let words = &self.work.words()[open[0].1 as usize..][..open.len()];
                    columns(words, group, out.moves(to, role));
                }
            }
        }
    }

    #[inline(always)]
    fn goals_of(&mut self, terminal: Word<W>, first: usize, out: &mut Children) {
        let work = self.work.words();
        for (element, mut left) in terminal.0.into_iter().enumerate() {
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let holds = |slot: u32| work[slot as usize].0[element] >> lane & 1 == 1;
                for (role, values) in self.engine.goals.iter().enumerate() {
                    let mut goals = values.iter().filter(|(_, slot)| holds(*slot)).map(|(v, _)| *v);
                    let goal = goals.next().filter(|_| goals.next().is_none());
                    out.end(first + element * SIDE + lane as usize, role, goal);
                }
            }
        }
    }
}

/// The lowest bit of each so many.
#[inline(always)]
fn every(width: usize) -> u64 {
    !0 / (!0 >> (SIDE - width))
}

/// Eight lanes of some words as bytes, eight to a word.
#[inline(always)]
fn columns<const W: usize>(words: &[Word<W>], group: usize, out: &mut [u64]) {
    let (element, shift) = (group / 8, group % 8 * 8);
    let byte = |word: &Word<W>| word.0[element] >> shift & 0xff;
    for (eight, out) in words.chunks(8).zip(out) {
        *out = match eight {
            [a, b, c, d, e, f, g, h] => {
                let low = byte(a) | byte(b) << 8 | byte(c) << 16 | byte(d) << 24;
                let high = byte(e) | byte(f) << 8 | byte(g) << 16 | byte(h) << 24;
                low | high << 32
            }
            few => few.iter().rev().fold(0, |all, word| all << 8 | byte(word)),
        };
    }
}
