//! The instructions: `forward` runs them until one fails, `retry` takes the next match of a scan.

use super::code::*;
use super::memo::NONE;
use super::run::{Machine, OpenScan, Registers};

impl Machine {
    /// Runs instructions. False: one failed, and of the open scans those that may help are left.
    /// True: the query is done.
    #[inline]
    pub(super) fn forward(
        &mut self,
        program: &Program,
        at: &mut Registers,
        steps: &mut u64,
    ) -> bool {
        let mut pc = at.pc;
        loop {
            *steps += 1;
            let slots = &mut self.slots[at.base as usize..];
            // 1. Tests leave `ok` and where to go back to; scans with a match go on by themselves.
            let (ok, fail) = match program.ops[pc as usize] {
                Op::Halt => return true,
                Op::Same { a, b, fail } => (a.value(slots) == b.value(slots), fail),
                Op::Differ { a, b, fail } => (a.value(slots) != b.value(slots), fail),
                Op::Build { functor, args, out } => {
                    let args = program.values(args);
                    let term = self.store.build(functor, |i| args[i].value(slots));
                    slots[out as usize] = term;
                    (true, 0)
                }
                Op::Take { slot, functor, out, fail } => {
                    let row = self.store.row_in(slots[slot as usize], functor);
                    if let Some(row) = row {
                        let row = self.store.functors[functor as usize].tuples.row(row);
                        slots[out as usize..out as usize + row.len()].copy_from_slice(row);
                    }
                    (row.is_some(), fail)
                }
                Op::Fact { functor, args, negated, fail } => {
                    let args = program.values(args);
                    let term = self.store.find(functor, |i| args[i].value(slots));
                    (term.is_some_and(|t| self.store.is_true(t)) != negated, fail)
                }
                Op::FactTerm { arg, negated, fail } => {
                    (self.store.is_true(arg.value(slots)) != negated, fail)
                }
                Op::Does { role, action, negated, fail } => {
                    let wanted = (role.value(slots), action.value(slots));
                    (self.joint.contains(&wanted) != negated, fail)
                }
                Op::Row { stored, args, negated, fail } => {
                    let args = program.values(args);
                    let rows = &program.stored[stored as usize].tuples;
                    (rows.find(|i| args[i].value(slots)).is_some() != negated, fail)
                }
                Op::Ask { table, key, negated, fail } => {
                    let args = program.values(key);
                    let key = self.memos[table as usize].key(|i| args[i].value(slots));
                    if !self.is_answered(program, table, key) {
                        at.pc = pc;
                        self.begin(program, table, key, at);
                        return false;
                    }
                    (self.has_answer(program, table, key) != negated, fail)
                }
                Op::ScanDoes { role, out, fail } => {
                    let role = role.value(slots);
                    let action = self.joint.iter().find(|j| j.0 == role);
                    if let Some((_, action)) = action {
                        slots[out as usize] = *action;
                    }
                    (action.is_some(), fail)
                }
                Op::ScanFacts { functor, index, key, outs, fail } => {
                    let args = program.values(key);
                    let row = self.store.first(functor, index, |i| args[i].value(slots));
                    if row != NONE {
                        let f = &self.store.functors[functor as usize];
                        let next = f.after(index, row);
                        self.choices.push(OpenScan { pc, at: next, end: 0 });
                        bind(program.outs(outs), f.tuples.row(row), slots);
                    }
                    (row != NONE, fail)
                }
                Op::ScanRows { stored, index, key, outs, fail } => {
                    let args = program.values(key);
                    let stored = &program.stored[stored as usize];
                    let index = &stored.indexes[index as usize];
                    let key = index.keys.find(|i| args[i].value(slots));
                    if let Some(key) = key {
                        let first = index.starts[key as usize];
                        let end = index.starts[key as usize + 1];
                        self.choices.push(OpenScan { pc, at: after(first, end), end });
                        let row = index.rows[first as usize];
                        bind(program.outs(outs), stored.tuples.row(row), slots);
                    }
                    (key.is_some(), fail)
                }
                Op::ScanTable { table, key, fail, .. } => {
                    let args = program.values(key);
                    let key = self.memos[table as usize].key(|i| args[i].value(slots));
                    if !self.is_answered(program, table, key) {
                        at.pc = pc;
                        self.begin(program, table, key, at);
                        return false;
                    }
                    if self.has_answer(program, table, key) {
                        let entry = self.memos[table as usize].entries[key as usize];
                        self.choices.push(OpenScan { pc, at: entry.first, end: entry.last });
                        return false;
                    }
                    (false, fail)
                }
                Op::ScanState { .. } | Op::ScanRoles { .. } => {
                    let states = matches!(program.ops[pc as usize], Op::ScanState { .. });
                    let end = if states { self.store.facts.len() } else { self.joint.len() } as u32;
                    let first = if end == 0 { NONE } else { 0 };
                    self.choices.push(OpenScan { pc, at: first, end });
                    return false;
                }
                Op::Await { table, key, live, .. } => {
                    let args = program.values(key);
                    let key = self.memos[table as usize].key(|i| args[i].value(slots));
                    at.pc = pc;
                    self.wait(program, table, key, live, at);
                    return false;
                }
                Op::Split { depth, live } => {
                    if self.recording {
                        self.keep(program, pc + 1, (depth, live), at);
                        return false;
                    }
                    (true, 0)
                }
                Op::Commit { depth } => {
                    self.choices.truncate((at.floor + depth) as usize);
                    (true, 0)
                }
                Op::Emit { args } => {
                    if !self.emit(program, args, at) {
                        return false;
                    }
                    // An answer was all that was wanted: the question is asked again.
                    pc = at.pc;
                    continue;
                }
            };
            // 2. Only scans that bound a variable of the test can help.
            if !ok {
                self.choices.truncate((at.floor + fail) as usize);
                return false;
            }
            pc += 1;
        }
    }

    /// The innermost open scan binds its next match, or is closed (false).
    #[inline]
    pub(super) fn retry(&mut self, program: &Program, at: &mut Registers) -> bool {
        let choice = self.choices.last_mut().expect("an open scan");
        if choice.at == NONE {
            self.choices.pop();
            return false;
        }
        at.pc = choice.pc + 1;
        let slots = &mut self.slots[at.base as usize..];
        match program.ops[choice.pc as usize] {
            Op::ScanFacts { functor, index, outs, .. } => {
                let f = &self.store.functors[functor as usize];
                let row = f.tuples.row(choice.at);
                choice.at = f.after(index, choice.at);
                bind(program.outs(outs), row, slots);
            }
            Op::ScanRows { stored, index, outs, .. } => {
                let stored = &program.stored[stored as usize];
                let row = stored.indexes[index as usize].rows[choice.at as usize];
                choice.at = after(choice.at, choice.end);
                bind(program.outs(outs), stored.tuples.row(row), slots);
            }
            Op::ScanTable { table, outs, .. } => {
                let t = &program.tables[table as usize];
                let memo = &self.memos[table as usize];
                let row = if t.mode == Mode::Recursive {
                    let (row, next) = memo.links[choice.at as usize];
                    choice.at = next;
                    row
                } else {
                    let row = memo.answers[choice.at as usize];
                    choice.at = after(choice.at, choice.end);
                    row
                };
                bind(program.outs(outs), self.relations[t.relation as usize].row(row), slots);
            }
            Op::ScanState { out } => {
                slots[out as usize] = self.store.facts[choice.at as usize];
                choice.at = after(choice.at, choice.end);
            }
            Op::ScanRoles { role_out, out } => {
                let (role, action) = self.joint[choice.at as usize];
                slots[role_out as usize] = role;
                slots[out as usize] = action;
                choice.at = after(choice.at, choice.end);
            }
            Op::Await { table, outs, .. } => {
                let number = choice.at;
                return self.take_answer(program, table, outs, number, at);
            }
            op => unreachable!("not a scan: {op:?}"),
        }
        true
    }

    /// A consumer goes on, as it was when it began to wait, with the next answer.
    fn take_answer(
        &mut self,
        program: &Program,
        table: u32,
        outs: Outs,
        number: u32,
        at: &Registers,
    ) -> bool {
        let c = self.consumers[number as usize];
        let link = self.answer_after(table, c.awaited, c.taken);
        if link == NONE {
            self.choices.pop();
            return false;
        }
        self.consumers[number as usize].taken = link;
        let row = self.memos[table as usize].links[link as usize].0;
        let relation = program.tables[table as usize].relation;
        let copy = &self.copies[c.copy as usize..][..c.live as usize];
        let slots = &mut self.slots[at.base as usize..];
        slots[..copy.len()].copy_from_slice(copy);
        bind(program.outs(outs), self.relations[relation as usize].row(row), slots);
        true
    }
}

/// The place after one in a range, `NONE` at its end.
#[inline]
fn after(at: u32, end: u32) -> u32 {
    if at + 1 == end { NONE } else { at + 1 }
}

#[inline]
fn bind(outs: &[(u32, u32)], row: &[u32], slots: &mut [u32]) {
    for (column, slot) in outs {
        slots[*slot as usize] = row[*column as usize];
    }
}
