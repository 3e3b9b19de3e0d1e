//! `Passes`: the sliced machine for many positions at once, one lane each.
//!
//! Positions come and go as rows, one bit for each base. A question has a lane for each position, a step one
//! for each pair of a position and a joint move. Rows are turned into words of lanes and back
//! (`super::transpose`); nothing is allocated but where the answers grow.

mod children;
mod leaves;

use self::children::OnePosition;
use self::leaves::LaneLevel;
use super::backend::Backend;
#[cfg(target_arch = "x86_64")]
use super::backend::{avx2, avx512, compiled_for};
use super::engine::{Size, SlicedEngine};
use super::memory::SlotMemory;
use super::phases::Phases;
use super::plan::{Purpose, StepPart, TERMINAL};
use super::transpose::{SIDE, transpose};
use super::words::{Aligned, Word};
use crate::children::{ChildPlan, Children};
use crate::looks::{Ask, Looks};
use crate::threats::{Refutation, Threats};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::Move;
use std::sync::Arc;

/// Clones share the code and run on their own.
#[derive(Clone)]
pub struct Passes {
    width: PassWidth,
    frames: Arc<[KnownBases]>,
    /// By phase what the columns of children are.
    plans: Vec<Arc<ChildPlan>>,
    engine: Arc<SlicedEngine>,
}

#[derive(Clone)]
enum PassWidth {
    W1(PassLanes<1>),
    W4(PassLanes<4>),
    W8(PassLanes<8>),
}

/// The bases that are known in a phase, as rows.
struct KnownBases {
    known: Vec<u64>,
    values: Vec<u64>,
}

impl KnownBases {
    fn new(known: &[Option<bool>]) -> KnownBases {
        let row = |is: &dyn Fn(Option<bool>) -> bool| {
            let word = |some: &[Option<bool>]| {
                some.iter().rev().fold(0, |word, base| word << 1 | is(*base) as u64)
            };
            known.chunks(64).map(word).collect()
        };
        KnownBases { known: row(&|base| base.is_some()), values: row(&|base| base == Some(true)) }
    }

    /// Whether a state can be in the phase.
    #[inline(always)]
    fn holds(&self, row: &[u64]) -> bool {
        let mut differ = 0;
        for ((known, value), word) in self.known.iter().zip(&self.values).zip(row) {
            differ |= (word ^ value) & known;
        }
        differ == 0
    }
}

impl Passes {
    pub fn new(net: &Net, backend: Backend, budget: &Budget) -> Result<Passes, Stop> {
        budget.begin("code", 0);
        let phases = Phases::find(net);
        let engine = SlicedEngine::new(net, &phases, backend, Purpose::Positions, budget)?;
        let engine = Arc::new(engine);
        let width = match backend.lanes() / 64 {
            1 => PassWidth::W1(PassLanes::new(&engine)),
            4 => PassWidth::W4(PassLanes::new(&engine)),
            8 => PassWidth::W8(PassLanes::new(&engine)),
            other => panic!("{other} words are no width of the sliced machine"),
        };
        let frames: Arc<[KnownBases]> = phases.values.iter().map(|p| KnownBases::new(p)).collect();
        let plans = children::plans(&frames, &engine);
        Ok(Passes { width, frames, plans, engine })
    }

    /// The number of positions in one pass.
    pub fn lanes(&self) -> usize {
        self.engine.backend.lanes()
    }

    pub fn backend(&self) -> Backend {
        self.engine.backend
    }

    /// Why another back end runs than the one asked for.
    pub fn instead(&self) -> Option<&str> {
        self.engine.instead.as_deref()
    }

    pub fn size(&self) -> Size {
        self.engine.size
    }

    /// Appends what is asked about the positions of these rows.
    pub fn look(&mut self, rows: &[u64], words: usize, ask: Ask, out: &mut Looks) {
        let (lanes, frames) = (self.lanes(), self.frames.clone());
        let mut rows = rows;
        while !rows.is_empty() {
            let phase = phase_of(&frames, &rows[..words]);
            let same = rows.chunks_exact(words).take(lanes);
            let count = same.take_while(|row| frames[phase].holds(row)).count();
            let (now, rest) = rows.split_at(count * words);
            self.width.run(Pass { phase, rows: now, words, kind: PassKind::Look { ask, out } });
            rows = rest;
        }
    }

    /// Appends the rows of the states after joint moves, one move of each role, in the positions that
    /// `parents` number, and what is asked about them, where they are wanted.
    pub fn follow(
        &mut self,
        rows: &[u64],
        words: usize,
        (parents, moves): (&[u32], &[Move]),
        mut out: Option<&mut Vec<u64>>,
        mut asked: Option<(Ask, &mut Looks)>,
    ) {
        let (lanes, frames, roles) = (self.lanes(), self.frames.clone(), self.engine.goals.len());
        let row = |parent: u32| &rows[parent as usize * words..][..words];
        let mut done = 0;
        while done < parents.len() {
            let phase = phase_of(&frames, row(parents[done]));
            let mut last = parents[done];
            let same = parents[done..].iter().take(lanes).take_while(|parent| {
                let known = **parent == last;
                last = **parent;
                known || frames[phase].holds(row(last))
            });
            let count = same.count();
            let end = done + count;
            let kind = PassKind::Follow {
                parents: &parents[done..end],
                moves: &moves[done * roles..end * roles],
                next: (phase + 1) % frames.len(),
                frame: &frames[(phase + 1) % frames.len()],
                out: out.as_mut().map(|out| {
                    let after = out.len();
                    out.resize(after + count * words, 0);
                    &mut out[after..]
                }),
                asked: asked.as_mut().map(|(ask, looks)| (*ask, &mut **looks)),
            };
            self.width.run(Pass { phase, rows, words, kind });
            done = end;
        }
    }
}

impl PassWidth {
    fn run(&mut self, job: Pass) {
        match self {
            PassWidth::W1(lanes) => lanes.run(job),
            PassWidth::W4(lanes) => lanes.run(job),
            PassWidth::W8(lanes) => lanes.run(job),
        }
    }
}

fn phase_of(frames: &[KnownBases], row: &[u64]) -> usize {
    frames.iter().position(|frame| frame.holds(row)).expect("a state of the game")
}

/// One pass.
struct Pass<'a> {
    phase: usize,
    rows: &'a [u64],
    words: usize,
    kind: PassKind<'a>,
}

enum PassKind<'a> {
    Look {
        ask: Ask,
        out: &'a mut Looks,
    },
    Follow {
        parents: &'a [u32],
        moves: &'a [Move],
        /// The next phase, and what is known there.
        next: usize,
        frame: &'a KnownBases,
        out: Option<&'a mut [u64]>,
        asked: Option<(Ask, &'a mut Looks)>,
    },
    /// How many paths there are.
    Leaves {
        steps: usize,
        found: &'a mut Option<u64>,
    },
    /// Of the one position that is given.
    Children {
        joints: &'a [Move],
        next: usize,
        out: &'a mut Children,
    },
    /// The same children with other facts.
    Threats {
        threats: &'a mut Threats,
    },
    /// The children of the same children.
    Refuted {
        ask: &'a Refutation,
        out: &'a Children,
        found: &'a mut Option<u64>,
    },
    /// The same children once more.
    Show {
        legal: bool,
        out: &'a mut Children,
    },
}

#[derive(Clone)]
struct PassLanes<const W: usize> {
    engine: Arc<SlicedEngine>,
    now: Aligned<W>,
    next: Aligned<W>,
    work: Aligned<W>,
    one: OnePosition<W>,
    /// The steps of paths that are only counted.
    levels: Vec<LaneLevel<W>>,
    /// By role, lane and word, which of its moves are legal.
    legal: Vec<Vec<u64>>,
}

impl<const W: usize> PassLanes<W> {
    fn new(engine: &Arc<SlicedEngine>) -> PassLanes<W> {
        let bases = engine.initial.len();
        PassLanes {
            now: Aligned::new(bases),
            next: Aligned::new(bases),
            work: Aligned::new(engine.work_slots),
            one: OnePosition::new(bases),
            levels: vec![],
            legal: vec![Vec::new(); engine.goals.len()],
            engine: engine.clone(),
        }
    }

    fn run(&mut self, job: Pass) {
        match self.engine.backend {
            Backend::Portable(_) => self.run_here(job),
            // Each is compiled for its own width alone.
            // SAFETY: an engine has this back end only where `Backend::missing` found all features of the
            // list that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 if const { W == 4 } => unsafe { self.run_avx2(job) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 if const { W == 8 } => unsafe { self.run_avx512(job) },
            _ => unreachable!("no such back end of this width here"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx2! { compiled_for
        fn run_avx2(&mut self, job: Pass) {
            self.run_here(job);
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx512! { compiled_for
        fn run_avx512(&mut self, job: Pass) {
            self.run_here(job);
        }
    }

    #[inline(always)]
    fn run_here(&mut self, job: Pass) {
        let Pass { phase, rows, words, kind } = job;
        match kind {
            PassKind::Look { ask, out } => {
                let lanes = rows.len() / words;
                self.load(rows, words, lanes, |lane| lane);
                self.look(phase, lanes, ask, out);
            }
            PassKind::Follow { parents, moves, next, frame, out, asked } => {
                self.load(rows, words, parents.len(), |lane| parents[lane] as usize);
                self.give(moves, true);
                self.part(phase, StepPart::Next);
                self.give(moves, false);
                if let Some(out) = out {
                    self.store(frame, out, words);
                }
                if let Some((ask, looks)) = asked {
                    std::mem::swap(&mut self.now, &mut self.next);
                    self.look(next, parents.len(), ask, looks);
                }
            }
            PassKind::Leaves { steps, found } => {
                let lanes = rows.len() / words;
                self.load(rows, words, lanes, |lane| lane);
                *found = self.leaves(phase, lanes, steps);
            }
            PassKind::Children { joints, next, out } => {
                self.children(phase, rows, (joints, next), out);
            }
            PassKind::Threats { threats } => self.threats(phase, rows, threats),
            PassKind::Refuted { ask, out, found } => *found = self.refuted(ask, out),
            PassKind::Show { legal, out } => self.show(0, out.len(), legal, out),
        }
    }

    #[inline(always)]
    fn part(&mut self, phase: usize, part: StepPart) {
        let mut memory = SlotMemory::<W>::new(&mut self.now, &mut self.next, &mut self.work);
        self.engine.run(phase, part, &mut memory);
    }

    /// Puts rows into the lanes of the present state.
    #[inline(always)]
    fn load(&mut self, rows: &[u64], words: usize, lanes: usize, row: impl Fn(usize) -> usize) {
        let now = self.now.words();
        for (w, bases) in now.chunks_mut(SIDE).enumerate() {
            let mut square = [Word::<W>::ZERO; SIDE];
            for first in (0..lanes).step_by(SIDE) {
                for lane in first..lanes.min(first + SIDE) {
                    square[lane - first].0[first / SIDE] = rows[row(lane) * words + w];
                }
            }
            transpose(&mut square);
            bases.copy_from_slice(&square[..bases.len()]);
        }
    }

    /// Takes the rows of the next states out of their lanes.
    #[inline(always)]
    fn store(&mut self, frame: &KnownBases, out: &mut [u64], words: usize) {
        let (next, lanes) = (self.next.words(), out.len() / words);
        for (w, bases) in next.chunks(SIDE).enumerate() {
            let square = turned(bases);
            let (known, values) = (frame.known[w], frame.values[w]);
            for first in (0..lanes).step_by(SIDE) {
                for lane in first..lanes.min(first + SIDE) {
                    let bits = square[lane - first].0[first / SIDE];
                    out[lane * words + w] = bits & !known | values;
                }
            }
        }
    }

    /// Makes the moves of every lane true, or false again.
    #[inline(always)]
    fn give(&mut self, moves: &[Move], value: bool) {
        let given = &mut self.work.words()[self.engine.given as usize..];
        for (lane, joint) in moves.chunks_exact(self.engine.goals.len()).enumerate() {
            for m in joint {
                let bits = &mut given[m.0 as usize].0[lane / SIDE];
                *bits = if value { *bits | 1 << (lane % SIDE) } else { 0 };
            }
        }
    }

    #[inline(always)]
    fn look(&mut self, phase: usize, lanes: usize, ask: Ask, out: &mut Looks) {
        if ask.goals {
            self.part(phase, StepPart::Goals);
            self.goals(lanes, out);
        }
        self.part(phase, StepPart::End);
        let terminal = self.work.words()[TERMINAL as usize];
        out.terminal.extend((0..lanes).map(|l| terminal.0[l / SIDE] >> (l % SIDE) & 1 == 1));
        if ask.legal || ask.count {
            self.part(phase, StepPart::Count);
        }
        if ask.count {
            out.count += self.count(phase, lanes, terminal);
        }
        if ask.legal {
            self.legal(phase, lanes);
            self.list(phase, lanes, out);
        }
    }

    #[inline(always)]
    fn goals(&mut self, lanes: usize, out: &mut Looks) {
        let work = self.work.words();
        for lane in 0..lanes {
            let holds = |slot: u32| work[slot as usize].0[lane / SIDE] >> (lane % SIDE) & 1 == 1;
            for values in &self.engine.goals {
                let mut goals = values.iter().filter(|(_, slot)| holds(*slot)).map(|(v, _)| *v);
                out.goals.push(goals.next().filter(|_| goals.next().is_none()));
            }
        }
    }

    /// The joint moves of the lanes that are not terminal. Where one role alone can ever choose they are
    /// counted as they stand.
    #[inline(always)]
    fn count(&mut self, phase: usize, lanes: usize, terminal: Word<W>) -> u64 {
        let engine = self.engine.clone();
        let open = &engine.phases[phase].legal;
        let mut live = !terminal & first::<W>(lanes);
        let work = self.work.words();
        for role in open.iter().filter(|role| role.len() < 2) {
            live = live & role.first().map_or(Word::ZERO, |(_, slot)| work[*slot as usize]);
        }
        let mut choosing = open.iter().filter(|role| role.len() > 1);
        match (choosing.next(), choosing.next()) {
            (None, _) => live.count(),
            (Some(role), None) => {
                role.iter().map(|(_, slot)| (work[*slot as usize] & live).count()).sum()
            }
            _ => {
                self.legal(phase, lanes);
                let of_lane = |lane: usize| -> u64 {
                    let of_role = |(role, rows): (&Vec<(u32, u32)>, &Vec<u64>)| {
                        let words = role.len().div_ceil(SIDE);
                        let row = &rows[lane * words..][..words];
                        row.iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
                    };
                    open.iter().zip(&self.legal).map(of_role).product()
                };
                let is_live = |lane: &usize| live.0[lane / SIDE] >> (lane % SIDE) & 1 == 1;
                (0..lanes).filter(is_live).map(of_lane).sum()
            }
        }
    }

    /// Turns the legal moves into rows.
    #[inline(always)]
    fn legal(&mut self, phase: usize, lanes: usize) {
        let work = self.work.words();
        for (open, rows) in self.engine.phases[phase].legal.iter().zip(&mut self.legal) {
            let words = open.len().div_ceil(SIDE);
            rows.resize(lanes * words, 0);
            for (w, open) in open.chunks(SIDE).enumerate() {
                let square = turned(&work[open[0].1 as usize..][..open.len()]);
                for first in (0..lanes).step_by(SIDE) {
                    for lane in first..lanes.min(first + SIDE) {
                        rows[lane * words + w] = square[lane - first].0[first / SIDE];
                    }
                }
            }
        }
    }

    /// Lists them, position by position and role by role.
    #[inline(always)]
    fn list(&mut self, phase: usize, lanes: usize, out: &mut Looks) {
        for lane in 0..lanes {
            for (open, rows) in self.engine.phases[phase].legal.iter().zip(&self.legal) {
                let words = open.len().div_ceil(SIDE);
                for (w, word) in rows[lane * words..][..words].iter().enumerate() {
                    let mut left = *word;
                    while left != 0 {
                        let place = w * SIDE + left.trailing_zeros() as usize;
                        out.moves.push(Move(open[place].0));
                        left &= left - 1;
                    }
                }
                out.ends.push(out.moves.len() as u32);
            }
        }
    }
}

/// The first lanes.
#[inline(always)]
fn first<const W: usize>(lanes: usize) -> Word<W> {
    Word(std::array::from_fn(|element| match lanes.saturating_sub(element * SIDE) {
        some if some < SIDE => (1 << some) - 1,
        _ => !0,
    }))
}

/// Up to 64 words as rows of lanes.
#[inline(always)]
fn turned<const W: usize>(words: &[Word<W>]) -> [Word<W>; SIDE] {
    let mut square = [Word::ZERO; SIDE];
    square[..words.len()].copy_from_slice(words);
    transpose(&mut square);
    square
}
