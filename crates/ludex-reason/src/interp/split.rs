//! Where the rules of an update are split, and what is kept there for a joint move.
//!
//! The split is before the first instruction that asks the state.

use super::code::{Arg, Op, Program};
use super::plan::Planner;
use super::residue::{Guard, Residue, ResidueSolution, Tail};
use super::run::{Machine, Registers};
use super::store::FactStore;

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

/// What a rule still has to do behind its split.
enum RuleRest {
    /// Nothing, because it cannot succeed.
    Fails,
    Answer(u32),
    /// It gives the facts of a functor that an index has for a key.
    Facts(u32, u32, Vec<u32>),
    /// Instructions must be run, from here and with these slots set.
    Run(u32, u32),
}

impl Machine {
    /// A rule is at its split, with some open scans and set slots: keeps how it goes on from `pc`.
    pub(super) fn keep(
        &mut self,
        program: &Program,
        pc: u32,
        (depth, live): (u32, u32),
        at: &Registers,
    ) {
        let table = self.activations.last().expect("a rule is running").table;
        let group = program.tables[table as usize].split.expect("a split table");
        let mut slots = self.slots[at.base as usize..at.top as usize].to_vec();
        let mut tests = Vec::new();
        let rest = self.store.rest(program, (pc, live), &self.joint, &mut slots, &mut tests);
        let Residue { solutions, guards, values, .. } = &mut self.residues[group as usize];
        let first = values.len() as u32;
        let tail = match rest {
            RuleRest::Fails => return,
            RuleRest::Answer(term) => Tail::Answer(term),
            RuleRest::Facts(functor, index, key) => {
                values.extend_from_slice(&key);
                Tail::Facts { functor, index, first, width: key.len() as u32 }
            }
            RuleRest::Run(pc, live) => {
                values.extend_from_slice(&slots[..live as usize]);
                Tail::Resume { pc, depth, slots: at.top - at.base, first, live }
            }
        };
        let from = guards.len() as u32;
        guards.extend(tests);
        solutions.push(ResidueSolution { table, guards: (from, guards.len() as u32), tail });
    }
}

impl FactStore {
    /// Does what does not depend on the state, and notes which facts are asked for.
    fn rest(
        &mut self,
        program: &Program,
        (mut pc, mut live): (u32, u32),
        joint: &[(u32, u32)],
        slots: &mut [u32],
        tests: &mut Vec<Guard>,
    ) -> RuleRest {
        loop {
            let op = program.ops[pc as usize];
            let holds = match op {
                Op::Same { a, b, .. } => a.value(slots) == b.value(slots),
                Op::Differ { a, b, .. } => a.value(slots) != b.value(slots),
                Op::Does { role, action, negated, .. } => {
                    joint.contains(&(role.value(slots), action.value(slots))) != negated
                }
                Op::Row { stored, args, negated, .. } => {
                    let args = program.values(args);
                    let rows = &program.stored[stored as usize].tuples;
                    rows.find(|i| args[i].value(slots)).is_some() != negated
                }
                Op::Fact { functor, args, negated, .. } => {
                    let args = program.values(args);
                    let Some(fact) = self.build_shallow(functor, |i| args[i].value(slots)) else {
                        return RuleRest::Run(pc, live);
                    };
                    tests.push(Guard { fact, negated });
                    true
                }
                Op::FactTerm { arg, negated, .. } => {
                    tests.push(Guard { fact: arg.value(slots), negated });
                    true
                }
                Op::Build { functor, args, out } => {
                    let args = program.values(args);
                    let Some(term) = self.build_shallow(functor, |i| args[i].value(slots)) else {
                        return RuleRest::Run(pc, live);
                    };
                    slots[out as usize] = term;
                    live = live.max(out + 1);
                    true
                }
                Op::Commit { .. } => true,
                Op::Emit { args } => return RuleRest::Answer(program.values(args)[0].value(slots)),
                Op::ScanFacts { .. } => {
                    return listed(program, pc, slots).unwrap_or(RuleRest::Run(pc, live));
                }
                _ => return RuleRest::Run(pc, live),
            };
            if !holds {
                return RuleRest::Fails;
            }
            pc += 1;
        }
    }
}

/// A scan that gives nothing but the facts themselves.
fn listed(program: &Program, pc: u32, slots: &[u32]) -> Option<RuleRest> {
    let [Op::ScanFacts { functor, index, key, outs, .. }, build, emit] =
        *program.ops.get(pc as usize..pc as usize + 3)?
    else {
        return None;
    };
    let (Op::Build { functor: built, args, out }, Op::Emit { args: emitted }) = (build, emit)
    else {
        return None;
    };
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
    whole.then(|| RuleRest::Facts(functor, index, key.iter().map(|a| a.value(slots)).collect()))
}
