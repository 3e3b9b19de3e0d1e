//! `Residue`: what is left of the rules of an update when the joint move is known.
//!
//! The rules of `next` and `fnext` that ask for moves begin with what depends on moves and nothing
//! else. That part is run once for every joint move; its solutions are kept, and a state in which
//! the same moves are made goes on from them. What is left is often a test of some facts, or a list
//! of facts in an index, for which the instructions need not be run again.

use super::Problem;
use super::code::{Mode, Program, UpdateGroup};
use super::memo::NONE;
use super::run::{Activation, Machine, OpenScan, Registers, TaskKind};
use super::tuples::Tuples;

/// A joint move with more solutions is not worth keeping.
const MANY: u32 = 1 << 10;
/// Values that are kept before all is forgotten.
const FULL: usize = 1 << 20;
/// After so many joint moves it is seen whether they come again.
const TRIAL: u32 = 1 << 12;

#[derive(Clone)]
pub struct Residue {
    /// The joint moves met so far, by the action of each role.
    moves: Tuples,
    /// By joint move: where its solutions begin; one more for the end.
    starts: Vec<u32>,
    pub(super) solutions: Vec<ResidueSolution>,
    pub(super) guards: Vec<Guard>,
    pub(super) values: Vec<u32>,
    met: u32,
    met_again: u32,
    off: bool,
}

/// A way in which a table may come to answers.
#[derive(Clone, Copy)]
pub struct ResidueSolution {
    pub table: u32,
    /// A range of guards.
    pub guards: (u32, u32),
    pub tail: Tail,
}

/// A fact that must be true, or false.
#[derive(Clone, Copy)]
pub struct Guard {
    pub fact: u32,
    pub negated: bool,
}

#[derive(Clone, Copy)]
pub enum Tail {
    /// The answer is this term.
    Answer(u32),
    /// The answers are the true facts of a functor with a key.
    Facts { functor: u32, index: u32, first: u32, width: u32 },
    /// The answers are found by going on at `pc`, with these open scans and values.
    Resume { pc: u32, depth: u32, slots: u32, first: u32, live: u32 },
}

impl Residue {
    pub fn new(roles: usize) -> Residue {
        Residue {
            moves: Tuples::new(roles),
            starts: vec![0],
            solutions: Vec::new(),
            guards: Vec::new(),
            values: Vec::new(),
            met: 0,
            met_again: 0,
            off: false,
        }
    }

    fn find(&mut self, joint: &[(u32, u32)]) -> Option<u32> {
        if self.moves.width() != joint.len() || self.values.len() + self.solutions.len() > FULL {
            *self = Residue::new(joint.len());
        }
        let found = self.moves.find(|i| joint[i].1);
        self.met += 1;
        self.met_again += found.is_some() as u32;
        if self.met == TRIAL {
            self.off = self.met_again < TRIAL / 2;
            (self.met, self.met_again) = (0, 0);
        }
        found
    }

    /// All solutions of a joint move are there.
    fn end(&mut self, joint: &[(u32, u32)]) -> u32 {
        let (before, end) = (self.begun(), self.solutions.len() as u32);
        self.starts.push(end);
        self.off |= end - before > MANY;
        self.moves.intern(|i| joint[i].1)
    }

    fn begun(&self) -> u32 {
        self.starts[self.starts.len() - 1]
    }
}

impl Machine {
    /// Answers the tables of a group.
    pub(super) fn derive(&mut self, program: &Program, group: UpdateGroup) -> Result<(), Problem> {
        let tables = &program.split[group as usize];
        let joint = if group == UpdateGroup::Moving { &self.joint[..] } else { &[] };
        let residue = &mut self.residues[group as usize];
        let found = residue.find(joint);
        if residue.off {
            return tables.iter().try_for_each(|t| self.run(program, *t, 0));
        }
        let number = match found {
            Some(number) => number as usize,
            None => self.record(program, group)? as usize,
        };
        let starts = &self.residues[group as usize].starts;
        let (from, to) = (starts[number], starts[number + 1]);
        for table in tables {
            let epoch = self.epochs[program.tables[*table as usize].level as usize];
            self.memos[*table as usize].begin(epoch);
        }
        self.take_all(program, group, from, to)?;
        for table in tables {
            self.memos[*table as usize].end(0, Mode::All, 0);
        }
        Ok(())
    }

    /// Runs the rules as far as they depend on the joint move only.
    fn record(&mut self, program: &Program, group: UpdateGroup) -> Result<u32, Problem> {
        self.recording = true;
        let tables = &program.split[group as usize];
        let result = tables.iter().try_for_each(|t| self.run(program, *t, 0));
        self.recording = false;
        let residue = &mut self.residues[group as usize];
        if result.is_err() {
            residue.solutions.truncate(residue.begun() as usize);
        }
        let joint = if group == UpdateGroup::Moving { &self.joint[..] } else { &[] };
        result.map(|()| residue.end(joint))
    }

    fn take_all(
        &mut self,
        program: &Program,
        group: UpdateGroup,
        from: u32,
        to: u32,
    ) -> Result<(), Problem> {
        let next = self.take(group, from, to);
        if next == to {
            return Ok(());
        }
        let at = Registers::default();
        let (kind, table, saved, outer) = (TaskKind::Residue(group), 0, at, (0, 0, 0));
        let (key, first) = (to, 0);
        self.activations.push(Activation { kind, table, key, next, first, saved, outer });
        self.drive(program, at)
    }

    /// Takes the answers of solutions, up to one for which instructions must be run.
    #[inline]
    fn take(&mut self, group: UpdateGroup, mut next: u32, end: u32) -> u32 {
        let Machine { residues, store, memos, .. } = self;
        let residue = &residues[group as usize];
        while next < end {
            let ResidueSolution { table, guards, tail } = residue.solutions[next as usize];
            let guards = &residue.guards[guards.0 as usize..guards.1 as usize];
            if guards.iter().all(|g| store.is_true(g.fact) != g.negated) {
                let memo = &mut memos[table as usize];
                match tail {
                    Tail::Answer(term) => memo.add(term),
                    Tail::Facts { functor, index, first, width } => {
                        let key = &residue.values[first as usize..][..width as usize];
                        store.each(functor, index, key, |term| memo.add(term));
                    }
                    Tail::Resume { .. } => return next,
                }
            }
            next += 1;
        }
        next
    }

    /// Goes on with the next solution for which instructions must be run, or ends.
    #[inline]
    pub(super) fn next_solution(&mut self, group: UpdateGroup, at: &mut Registers) {
        let Activation { next, key: end, saved, .. } = *self.activations.last().expect("it runs");
        let next = self.take(group, next, end);
        if next == end {
            *at = saved;
            self.activations.pop();
            return;
        }
        let residue = &self.residues[group as usize];
        let solution = residue.solutions[next as usize];
        let activation = self.activations.last_mut().expect("it runs");
        (activation.next, activation.table) = (next + 1, solution.table);
        let Tail::Resume { pc, depth, slots, first, live } = solution.tail else {
            unreachable!("the others are taken")
        };
        (at.pc, at.top) = (pc, at.base + slots);
        if self.slots.len() < at.top as usize {
            self.slots.resize(at.top as usize, 0);
        }
        let values = &residue.values[first as usize..][..live as usize];
        self.slots[at.base as usize..][..values.len()].copy_from_slice(values);
        // The scans before the split are at their end.
        self.choices.extend((0..depth).map(|_| OpenScan { pc: 0, at: NONE, end: 0 }));
    }
}
