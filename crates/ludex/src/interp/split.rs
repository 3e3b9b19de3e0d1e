//! Where the rules of an update are split, and what is kept there for a joint move.
//!
//! The split is before the first instruction that asks the state.

use super::code::{Arg, Op, Program};
use super::plan::Planner;
use super::residue::{Guard, Residue, Solution, Tail};
use super::run::{Machine, Registers};
use super::store::Store;

impl Planner<'_> {
    /// Splits the last rule, which begins at `start`.
    pub(super) fn split(&mut self, start: usize) {
        let (mut depth, mut live, mut pc) = (0, 0, start);
        while !self.asks_state(pc) {
            let op = self.program.ops[pc];
            depth = match op {
                Op::ScanRows { .. } | Op::ScanTable { .. } | Op::ScanRoles { .. } => depth + 1,
                Op::Commit { depth } => depth,
                _ => depth,
            };
            live = live.max(self.program.set_by(op));
            pc += 1;
        }
        self.program.ops.insert(pc, Op::Split { depth, live });
    }

    /// Does the instruction depend on the state? The end of a rule counts as such.
    fn asks_state(&self, pc: usize) -> bool {
        match self.program.ops[pc] {
            Op::Fact { .. } | Op::FactTerm { .. } | Op::ScanFacts { .. } => true,
            Op::ScanState { .. } | Op::Await { .. } | Op::Emit { .. } => true,
            Op::Ask { table, .. } | Op::ScanTable { table, .. } => {
                let relation = self.program.tables[table as usize].relation;
                self.prepared.relations[relation as usize].on_state
            }
            _ => false,
        }
    }
}

impl Program {
    /// The first slot behind those that the instruction sets.
    fn set_by(&self, op: Op) -> u32 {
        match op {
            Op::Build { out, .. } | Op::ScanDoes { out, .. } => out + 1,
            Op::Take { functor, out, .. } => out + self.widths[functor as usize],
            Op::ScanRoles { role_out, out } => role_out.max(out) + 1,
            Op::ScanRows { outs, .. } | Op::ScanTable { outs, .. } => {
                self.outs(outs).iter().map(|(_, slot)| slot + 1).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

impl Machine {
    /// A rule is at its split, with some open scans and set slots: keeps how it goes on from `pc`.
    pub(super) fn keep(
        &mut self,
        program: &Program,
        mut pc: u32,
        (depth, live): (u32, u32),
        at: &Registers,
    ) {
        let table = self.activations.last().expect("a rule is running").table;
        let group = program.tables[table as usize].split.expect("a split table");
        let mut slots = self.slots[at.base as usize..at.top as usize].to_vec();
        let mut tests = Vec::new();
        while let Some(guard) = self.guard(program, pc, &slots) {
            tests.push(guard);
            pc += 1;
        }
        let plain = self.store.plain_tail(program, pc, &mut slots);
        let Residue { solutions, guards, values, .. } = &mut self.residues[group as usize];
        let from = guards.len() as u32;
        guards.extend(tests);
        let first = values.len() as u32;
        let tail = match plain {
            Some(Plain::Answer(term)) => Tail::Answer(term),
            Some(Plain::Facts(functor, index, key)) => {
                values.extend_from_slice(&key);
                Tail::Facts { functor, index, first, width: key.len() as u32 }
            }
            None => {
                values.extend_from_slice(&slots[..live as usize]);
                Tail::Resume { pc, depth, slots: at.top - at.base, first, live }
            }
        };
        solutions.push(Solution { table, guards: (from, guards.len() as u32), tail });
    }

    /// The instruction as a test of one fact.
    fn guard(&mut self, program: &Program, pc: u32, slots: &[u32]) -> Option<Guard> {
        match program.ops[pc as usize] {
            Op::Fact { functor, args, negated, .. } => {
                let args = program.values(args);
                let fact = self.store.build_shallow(functor, |i| args[i].value(slots))?;
                Some(Guard { fact, negated })
            }
            Op::FactTerm { arg, negated, .. } => Some(Guard { fact: arg.value(slots), negated }),
            _ => None,
        }
    }
}

/// The end of a rule for which no instructions need to be run.
enum Plain {
    Answer(u32),
    /// Functor, index and key.
    Facts(u32, u32, Vec<u32>),
}

impl Store {
    fn plain_tail(&mut self, program: &Program, mut pc: u32, slots: &mut [u32]) -> Option<Plain> {
        loop {
            match program.ops[pc as usize] {
                Op::Commit { .. } => {}
                Op::Build { functor, args, out } => {
                    let args = program.values(args);
                    let term = self.build_shallow(functor, |i| args[i].value(slots))?;
                    slots[out as usize] = term;
                }
                Op::Emit { args } => {
                    return Some(Plain::Answer(program.values(args)[0].value(slots)));
                }
                Op::ScanFacts { .. } => return self.listed(program, pc, slots),
                _ => return None,
            }
            pc += 1;
        }
    }

    /// A scan that gives nothing but the facts themselves.
    fn listed(&self, program: &Program, pc: u32, slots: &[u32]) -> Option<Plain> {
        let ops = &program.ops[pc as usize..];
        let (
            Op::ScanFacts { functor, index, key, outs, .. },
            Op::Build { functor: built, args, out },
        ) = (ops[0], ops[1])
        else {
            return None;
        };
        let Op::Emit { args: emitted } = ops[2] else { return None };
        if built != functor || program.values(emitted) != [Arg::slot(out)] {
            return None;
        }
        let columns = &program.indexes[functor as usize][index as usize];
        let (key, outs) = (program.values(key), program.outs(outs));
        let same = |column: usize, arg: &Arg| match columns.iter().position(|c| *c == column) {
            Some(i) => arg == &key[i],
            None => outs.contains(&(column as u32, arg.0)),
        };
        let whole = program.values(args).iter().enumerate().all(|(c, arg)| same(c, arg));
        whole.then(|| Plain::Facts(functor, index, key.iter().map(|a| a.value(slots)).collect()))
    }
}
