//! Nodes of the and-or tree: a state is looked up, its children are made in one pass, ends among them decide at
//! once, and the others are put in order.

use super::super::keys::Symmetry;
use super::known::KnownRanks;
use super::{Asker, ENDLESS, Force, ForceAnswer, ForceHalt, ForceQuestion};
use ludex_machine::{Children, Refutation};
use ludex_reason::{Move, Role};
use std::sync::Arc;

/// Expansions that are told together.
const TOLD: u64 = 64;
/// With more symmetries children are looked up one by one.
const LISTED: usize = 8;
/// What a way to an outcome counts beside the history, as a shift, and how many count.
const WAY: u32 = 40;
const MOST_WAYS: u64 = (1 << 12) - 1;
/// What a reply less counts beside the history, as a shift, and how many count.
const REPLIES: u32 = 32;
const MOST_REPLIES: u64 = (1 << 8) - 1;
/// The most that one state adds to the history.
const LESSON: u64 = 1 << 16;

/// A state that is being searched.
#[derive(Default)]
pub struct ForceFrame {
    pub row: Vec<u64>,
    /// The numbers of the state, and its key.
    pub all: Vec<u128>,
    pub key: u128,
    /// The legal moves by role, and the joint moves of them.
    pub legal: Vec<Vec<Move>>,
    joints: Vec<Move>,
    /// The role with more than one legal move.
    chooser: Option<Role>,
    children: Children,
    /// The rows of the children that are tried, each at its number, and their numbers and keys.
    pub rows: Vec<u64>,
    numbers: Vec<u128>,
    keys: Vec<u128>,
    /// The children that are tried, best first.
    pub order: Vec<(u64, u32)>,
    pub at: usize,
    /// Does the role of the scale choose here?
    pub own: bool,
    pub unknown: bool,
    /// Whether children were looked up before the first was tried, and whether an end that refuted one was met.
    probed: bool,
    met: bool,
    /// How many children at the end were put off, since other threads search them.
    later: usize,
    pub depth: u16,
    /// What had been expanded before.
    before: u64,
}

/// The frame at a place, made if there is none yet.
pub fn spare(frames: &mut Vec<ForceFrame>, at: usize, roles: usize) -> &mut ForceFrame {
    if at == frames.len() {
        frames.push(ForceFrame { legal: vec![vec![]; roles], ..ForceFrame::default() });
    }
    &mut frames[at]
}

impl Force<'_> {
    /// Answers for a child of a frame, or makes a frame of it.
    pub(super) fn enter(
        &mut self,
        top: usize,
        child: usize,
        question: ForceQuestion,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        spare(&mut self.frames, top + 1, self.field.roles);
        let [frame, above] = &mut self.frames[top..top + 2] else { unreachable!("two frames") };
        let words = frame.row.len();
        above.row.clear();
        above.row.extend_from_slice(&frame.rows[child * words..][..words]);
        above.depth = below(frame.depth);
        if frame.probed {
            let listed = frame.all.len();
            above.all.clear();
            above.all.extend_from_slice(&frame.numbers[child * listed..][..listed]);
            above.key = frame.keys[child];
        } else {
            self.keys.step(&frame.row, &above.row, &frame.all, &mut above.all);
            self.saving.looked += 1;
            above.key = self.keys.key(&above.all, &above.row);
        }
        if let Some(answer) = self.look_up(top + 1, question) {
            return Ok(Some(answer));
        }
        let [frame, above] = &mut self.frames[top..top + 2] else { unreachable!("two frames") };
        for (role, legal) in above.legal.iter_mut().enumerate() {
            legal.clear();
            frame.children.legal(child, role, legal);
        }
        self.open(top + 1, question)
    }

    /// What the table, the way to the state and its latches say.
    pub(super) fn look_up(&mut self, at: usize, question: ForceQuestion) -> Option<ForceAnswer> {
        let frame = &self.frames[at];
        if let Some(known) = self.table.get(frame.key)
            && let Some(answer) = known.answer(question, frame.depth)
        {
            if known.tag != frame.all[0] as u8 {
                self.saving.saved += u64::from(known.work());
            }
            return Some(answer);
        }
        if self.path.as_ref().is_some_and(|path| path.contains(&frame.key)) {
            self.repeated = true;
            return Some(ForceAnswer::Unknown);
        }
        let potential = self.potential.as_mut()?;
        let answer = match potential.ranks(&frame.row)? {
            (least, _) if least >= question.rank => ForceAnswer::Yes,
            (_, greatest) if greatest < question.rank => ForceAnswer::No,
            _ => return None,
        };
        potential.helped();
        Some(answer)
    }

    /// Expands the state of a frame: an answer if its ends decide.
    pub(super) fn open(
        &mut self,
        at: usize,
        question: ForceQuestion,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        self.budget.check()?;
        if self.expanded >= self.most || self.crew.as_ref().is_some_and(|crew| crew.is_through()) {
            return Err(ForceHalt::Enough);
        }
        self.frames[at].before = self.expanded;
        self.expanded += 1;
        if self.expanded.is_multiple_of(TOLD) {
            self.budget.advance(TOLD);
        }
        if self.saving.pays_not(self.expanded, self.keys.mode) {
            self.keys.switch_off();
        }
        if !self.joints(at)? {
            self.field.stuck += 1;
            let state = self.batch.state(&self.frames[at].row);
            return self.end(&state, question).map(Some);
        }
        let frame = &mut self.frames[at];
        let moves = (&frame.row[..], &frame.joints[..]);
        self.batch.children(&mut self.field.machine, moves, &mut frame.children);
        let answer = match self.ends(at, question)? {
            None => self.compare(at, question),
            some => {
                self.meet(at);
                some
            }
        };
        match (answer, &mut self.path, &self.crew) {
            (Some(answer), ..) => self.leave(at, answer, question),
            (None, Some(path), _) => {
                path.insert(self.frames[at].key);
            }
            (None, None, Some(crew)) => crew.enter(self.frames[at].key),
            _ => {}
        }
        Ok(answer)
    }

    /// The joint moves of a frame. False where a role has no move.
    fn joints(&mut self, at: usize) -> Result<bool, ForceHalt> {
        let frame = &mut self.frames[at];
        frame.joints.clear();
        let count: usize = frame.legal.iter().map(Vec::len).product();
        frame.joints.resize(count * frame.legal.len(), Move(0));
        // Role by role: its move stays the same while those of later roles go round.
        let (roles, mut still) = (frame.legal.len(), count);
        for (role, legal) in frame.legal.iter().enumerate().filter(|_| count > 0) {
            still /= legal.len();
            let mut places = frame.joints[role..].iter_mut().step_by(roles);
            for m in legal.iter().cycle().take(count / still) {
                places.by_ref().take(still).for_each(|place| *place = *m);
            }
        }
        let mut choosers = (0..frame.legal.len()).filter(|role| frame.legal[*role].len() > 1);
        frame.chooser = choosers.next();
        let chance = self.field.chance;
        if count > 0
            && (choosers.next().is_some() || frame.chooser.is_some_and(|c| chance == Some(c)))
        {
            return Err(ForceHalt::Together);
        }
        frame.own = frame.chooser.is_none_or(|chooser| chooser == self.role);
        if count > 0 && self.keys.mode == Symmetry::Moves {
            let (keep, roles) = (&mut self.saving.keep, frame.legal.len());
            self.keys.least_moves(&frame.all, roles, &frame.joints, keep);
            let mut number = 0..;
            frame.joints.retain(|_| keep[number.next().expect("without end") / roles]);
        }
        Ok(count > 0)
    }

    /// Lists the children of a frame that are to be tried: none of the ends, which may decide.
    fn ends(
        &mut self,
        at: usize,
        question: ForceQuestion,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        let frame = &mut self.frames[at];
        (frame.at, frame.unknown, frame.met, frame.later) = (0, false, false, 0);
        frame.order.clear();
        for child in 0..frame.children.len() {
            if !frame.children.is_terminal(child) {
                frame.order.push((0, child as u32));
                continue;
            }
            let goal = |role: Role| frame.children.goal(child, role);
            let own = goal(self.role);
            let other = if self.scale.alone { Some(0) } else { goal(1 - self.role) };
            self.field.without_goal += u64::from(own.is_none()) + u64::from(other.is_none());
            let rank = self.scale.rank([own.unwrap_or(0), other.unwrap_or(0)]);
            let reached = rank.ok_or(ForceHalt::OffScale)? >= question.rank;
            if reached == frame.own {
                frame.order.clear();
                frame.order.push((0, child as u32));
                frame.at = 1;
                return Ok(Some(if reached { ForceAnswer::Yes } else { ForceAnswer::No }));
            }
        }
        if frame.order.is_empty() {
            return Ok(Some(if frame.own { ForceAnswer::No } else { ForceAnswer::Yes }));
        }
        Ok((frame.depth == 1).then_some(ForceAnswer::Unknown))
    }

    /// Leaves away the children whose answers are seen at once, and puts the most promising of the others first.
    fn compare(&mut self, at: usize, question: ForceQuestion) -> Option<ForceAnswer> {
        self.show(at);
        self.number(at);
        self.refute(at, question);
        if let Some(answer) = self.sift(at, question) {
            return Some(answer);
        }
        if self.frames[at].order.len() < 2 {
            return None;
        }
        self.score(at);
        self.threaten(at, question);
        let frame = &mut self.frames[at];
        frame.order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        None
    }

    /// Makes the rows of the children that are tried.
    fn show(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        let words = frame.row.len();
        self.batch.show(true, &mut frame.children);
        frame.rows.resize(frame.children.len() * words, 0);
        for (_, child) in &frame.order {
            let child = *child as usize;
            frame.children.row(child, &mut frame.rows[child * words..][..words]);
        }
    }

    /// Numbers the children, and has the table fetch what is known of them.
    fn number(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        frame.probed = self.keys.listed <= LISTED;
        if !frame.probed {
            return;
        }
        let (words, listed) = (frame.row.len(), frame.all.len());
        frame.numbers.resize(frame.children.len() * listed, 0);
        frame.keys.resize(frame.children.len(), 0);
        for (_, child) in &frame.order {
            let child = *child as usize;
            let row = &frame.rows[child * words..][..words];
            let numbers = &mut frame.numbers[child * listed..][..listed];
            self.keys.step_to(&frame.row, row, &frame.all, numbers);
            frame.keys[child] = self.keys.key(numbers, row);
            self.table.prefetch(frame.keys[child]);
        }
        self.saving.looked += frame.order.len() as u64;
    }

    /// Leaves away the children that a reply refutes: what is left answers a threat, in most games.
    fn refute(&mut self, at: usize, question: ForceQuestion) {
        let frame = &mut self.frames[at];
        if self.field.chance.is_some() || !self.refuting.helps() {
            return;
        }
        let [below, least] =
            [question.rank - 1, question.rank].map(|r| self.scale.outcomes[r as usize][0]);
        if below == least {
            // The goal of the other role tells them apart.
            return;
        }
        let ask = Refutation {
            role: self.role,
            goals: if frame.own { i32::MIN..=least - 1 } else { least..=i32::MAX },
            waiting: if frame.own { self.role } else { 1 - self.role },
        };
        if let Some(refuted) = self.batch.refuted(&ask, &frame.children) {
            self.refuting.note(refuted != 0);
            frame.order.retain(|(_, child)| refuted >> child & 1 == 0);
        }
    }

    /// The influence of what the children have made true, how few replies they leave, and the history; the move that
    /// decided before comes first.
    fn score(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        // Of a symmetric state it would be another.
        let own = |known: &KnownRanks| known.tag == frame.all[0] as u8;
        let best = self.table.get(frame.key).filter(own).and_then(|known| known.best());
        let (words, roles) = (frame.row.len(), frame.legal.len());
        let side = usize::from(frame.own);
        let (history, influence) = (&self.history[side], &self.influence[side]);
        for (score, child) in &mut frame.order {
            let child = *child as usize;
            let (mut ways, mut lessons) = (0, 0);
            for base in made_true(&frame.row, &frame.rows[child * words..][..words]) {
                (ways, lessons) = (ways + influence[base], lessons + u64::from(history[base]));
            }
            let replies = (0..roles).map(|role| {
                self.replies.clear();
                frame.children.legal(child, role, &mut self.replies);
                self.replies.len() as u64
            });
            let free = MOST_REPLIES - replies.max().unwrap_or(0).min(MOST_REPLIES);
            let lessons = lessons.min((1 << REPLIES) - 1);
            *score = ways.min(MOST_WAYS) << WAY | free << REPLIES | lessons;
            if let Some(chooser) = frame.chooser
                && best == Some(frame.joints[child * roles + chooser])
            {
                *score = u64::MAX;
            }
        }
    }

    /// Where an end refutes the state of a frame at once, the frame below it tries those moves next that take away
    /// what the refuting move needed: a forced answer, in most games.
    fn meet(&mut self, at: usize) {
        let Some([frame, above]) = self.frames[at.saturating_sub(1)..].get_mut(..2) else { return };
        if at == 0 || above.at == 0 || frame.met || frame.order.len() < frame.at + 2 {
            return;
        }
        frame.met = true;
        self.batch.show(false, &mut above.children);
        let words = frame.row.len();
        above.rows.resize(words.max(above.rows.len()), 0);
        above.children.row(above.order[0].1 as usize, &mut above.rows[..words]);
        let lost = |before: &[u64], after: &[u64], w: usize| before[w] & !after[w];
        frame.order[frame.at..].sort_by_key(|(_, sibling)| {
            let row = &frame.rows[*sibling as usize * words..][..words];
            let both = |w| lost(&frame.row, row, w) & lost(&above.row, &above.rows, w);
            (0..words).all(|w| both(w) == 0)
        });
    }

    /// Puts off children that other threads are searching.
    pub(super) fn put_off(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        let Some(crew) = self.crew.as_ref().filter(|_| frame.probed && frame.at > 0) else {
            return;
        };
        while frame.at + frame.later < frame.order.len()
            && crew.is_open(frame.keys[frame.order[frame.at].1 as usize])
        {
            frame.order[frame.at..].rotate_left(1);
            frame.later += 1;
        }
    }

    /// Leaves away the children whose answers are known, unless one decides (enhanced transposition cut-offs).
    fn sift(&mut self, at: usize, question: ForceQuestion) -> Option<ForceAnswer> {
        let frame = &mut self.frames[at];
        if !frame.probed {
            return None;
        }
        let depth = below(frame.depth);
        let mut kept = 0;
        for n in 0..frame.order.len() {
            let child = frame.order[n].1 as usize;
            let known = self.table.get(frame.keys[child]);
            let Some((known, answer)) = known.and_then(|k| Some((k, k.answer(question, depth)?)))
            else {
                frame.order[kept] = frame.order[n];
                kept += 1;
                continue;
            };
            if known.tag != frame.numbers[child * frame.all.len()] as u8 {
                self.saving.saved += u64::from(known.work());
            }
            let needed = if frame.own { ForceAnswer::Yes } else { ForceAnswer::No };
            if answer == needed {
                frame.at = n + 1;
                return Some(answer);
            }
            frame.unknown |= answer == ForceAnswer::Unknown;
        }
        frame.order.truncate(kept);
        // The asker needs all children of the other side.
        let all = frame.own == (question.asker == Asker::Others);
        (frame.unknown && all).then_some(ForceAnswer::Unknown)
    }

    /// Keeps the answer of a frame.
    pub(super) fn leave(&mut self, top: usize, answer: ForceAnswer, question: ForceQuestion) {
        let frame = &self.frames[top];
        if let Some(path) = &mut self.path {
            path.remove(&frame.key);
        }
        if let Some(crew) = &self.crew {
            crew.leave(frame.key);
        }
        let work = self.expanded - frame.before;
        let decided = (answer == ForceAnswer::Yes) == frame.own && answer != ForceAnswer::Unknown;
        if work == 1 {
            // It is found out again as fast as it is looked up.
            return;
        }
        let mut known = self.table.get(frame.key).unwrap_or_default();
        known.tag = frame.all[0] as u8;
        known.note(answer, question, frame.depth, work);
        if let Some(chooser) = frame.chooser
            && decided
        {
            let child = frame.order[frame.at - 1].1 as usize;
            known.decide(frame.joints[child * frame.legal.len() + chooser]);
            let words = frame.row.len();
            let row = &frame.rows[child * words..][..words];
            let history = &mut self.history[usize::from(frame.own)];
            for base in made_true(&frame.row, row) {
                history[base] = history[base].saturating_add(work.min(LESSON) as u32);
            }
        }
        let key = frame.key;
        self.keep(key, known);
    }

    /// Puts an entry into the table, which grows where nobody shares it.
    fn keep(&mut self, key: u128, known: KnownRanks) {
        if self.table.is_full()
            && let Some(table) = Arc::get_mut(&mut self.table)
        {
            table.grow();
        }
        self.table.put(key, known);
    }
}

/// The bases that hold in a row and not in the one before.
pub fn made_true<'r>(before: &'r [u64], after: &'r [u64]) -> impl Iterator<Item = usize> + 'r {
    before.iter().zip(after).enumerate().flat_map(|(w, (before, after))| {
        let mut left = after & !before;
        std::iter::from_fn(move || {
            let base = (left != 0).then(|| w * 64 + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            base
        })
    })
}

/// The depth that is left for children.
fn below(depth: u16) -> u16 {
    if depth == ENDLESS { ENDLESS } else { depth - 1 }
}
