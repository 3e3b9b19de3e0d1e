//! `Machine`: runs the instructions of a `Program` on a store of facts.
//!
//! Asking a table for a key runs its rules depth first; scans that may have more matches stand on a
//! stack of choices, tables that are being answered on a stack of activations. The tables of a
//! recursive component are answered together: a rule that asks one of them waits, with a copy of its
//! slots, and is resumed for every answer (tabled evaluation with suspension), until nothing is left
//! on the agenda. Every other question goes to a lower component, so it is answered at once.

use super::Problem;
use super::code::*;
use super::memo::{Memo, NONE, Waiting};
use super::store::Store;
use super::tuples::Tuples;
use crate::budget::Budget;

/// A question that needs more steps is given up.
const LONGEST: u64 = 1 << 31;
/// More than anybody waits for.
pub const FULL: u64 = u64::MAX;
/// How many steps are made between two looks at the budget.
const BREATH: u64 = 1 << 16;

/// Where the program counter stands when a query is done.
const HALTED: u32 = u32::MAX - 1;

#[derive(Clone)]
pub struct Machine {
    pub store: Store,
    /// The joint move: role and action.
    pub joint: Vec<(u32, u32)>,
    /// By relation: the tuples that occurred in answers.
    pub relations: Vec<Tuples>,
    pub memos: Vec<Memo>,
    /// By level: the number that valid answers carry.
    epochs: [u32; 3],
    slots: Vec<u32>,
    choices: Vec<Choice>,
    activations: Vec<Activation>,
    agenda: Vec<Task>,
    consumers: Vec<Consumer>,
    copies: Vec<u32>,
    runs: u32,
    pub budget: Budget,
    /// Steps that may still be made.
    pub fuel: u64,
}

/// An open scan: its instruction, where it stands, and where it ends.
#[derive(Clone, Copy)]
struct Choice {
    pc: u32,
    at: u32,
    end: u32,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Answers one key of a table.
    Call,
    /// Empties the agenda of a recursive component.
    Component,
    /// Inside a component: runs the rules for a new key.
    Key,
    /// Inside a component: hands answers to consumers.
    Resume,
}

#[derive(Clone, Copy)]
struct Activation {
    kind: Kind,
    table: u32,
    key: u32,
    /// Next rule, or next consumer.
    next: u32,
    /// `Call`: the first answer. `Component`: the agenda below it.
    first: u32,
    /// What the registers held before.
    saved: Registers,
    /// `Component`: the run, consumers and copies before.
    outer: (u32, u32, u32),
}

#[derive(Clone, Copy, Default)]
struct Registers {
    pc: u32,
    /// The first slot of the rule, and the first behind it.
    base: u32,
    top: u32,
    /// The first choice of the rule.
    floor: u32,
}

#[derive(Clone, Copy)]
struct Task {
    table: u32,
    key: u32,
    new: bool,
}

/// A rule that waits: the instruction, its slots, for whom it works and the last answer it took.
#[derive(Clone, Copy)]
struct Consumer {
    pc: u32,
    table: u32,
    key: u32,
    awaited: u32,
    copy: u32,
    live: u32,
    slots: u32,
    taken: u32,
    next: u32,
}

impl Machine {
    pub fn new(store: Store, program: &Program, budget: Budget) -> Machine {
        let mut machine = Machine {
            store,
            joint: Vec::new(),
            relations: Vec::new(),
            memos: Vec::new(),
            epochs: [1; 3],
            slots: Vec::new(),
            choices: Vec::new(),
            activations: Vec::new(),
            agenda: Vec::new(),
            consumers: Vec::new(),
            copies: Vec::new(),
            runs: 0,
            budget,
            fuel: FULL,
        };
        machine.install(program);
        machine
    }

    /// Makes the machine ready for another program over the same terms.
    pub fn install(&mut self, program: &Program) {
        self.relations = program.arities.iter().map(|a| Tuples::new(*a)).collect();
        self.memos = program.tables.iter().map(Memo::new).collect();
        self.store.set_indexes(&program.indexes);
        self.new_state();
    }

    pub fn load(&mut self, facts: &[u32]) {
        if facts.last().is_some_and(|f| !self.store.knows(*f)) {
            self.store.catch_up();
        }
        self.store.load(facts);
        self.joint.clear();
        self.new_state();
    }

    pub fn set_joint(&mut self, joint: impl Iterator<Item = (u32, u32)>) {
        self.joint.clear();
        self.joint.extend(joint);
        self.new_epoch(Level::Joint);
    }

    fn new_state(&mut self) {
        self.new_epoch(Level::State);
        self.new_epoch(Level::Joint);
    }

    fn new_epoch(&mut self, level: Level) {
        let epoch = &mut self.epochs[level as usize];
        if *epoch == u32::MAX {
            *epoch = 1;
            self.memos.iter_mut().for_each(Memo::forget);
        }
        self.epochs[level as usize] += 1;
    }

    /// Calls `f` on every answer of a table to a key, as a row of its relation. Of a table that only
    /// knows whether there is one, the key must be the row.
    pub fn answers(
        &mut self,
        program: &Program,
        table: u32,
        key: &[u32],
        mut f: impl FnMut(&[u32]),
    ) -> Result<(), Problem> {
        let asked = self.ask(program, table, key)?;
        let t = &program.tables[table as usize];
        let memo = &self.memos[table as usize];
        let rows = &self.relations[t.relation as usize];
        let entry = memo.entries[asked as usize];
        match t.mode {
            // All is given, so the only answer there can be is the key itself.
            Mode::Exists if entry.first == 1 => f(key),
            Mode::Exists => (),
            Mode::All => {
                let range = entry.first as usize..entry.last as usize;
                memo.answers[range].iter().for_each(|r| f(rows.row(*r)));
            }
            Mode::Recursive => {
                let mut link = entry.first;
                while link != NONE {
                    f(rows.row(memo.links[link as usize].0));
                    link = memo.links[link as usize].1;
                }
            }
        }
        Ok(())
    }

    /// Has the table an answer to the key?
    pub fn holds(&mut self, program: &Program, table: u32, key: &[u32]) -> Result<bool, Problem> {
        let key = self.ask(program, table, key)?;
        Ok(self.has_answer(program, table, key))
    }

    fn ask(&mut self, program: &Program, table: u32, key: &[u32]) -> Result<u32, Problem> {
        let key = self.memos[table as usize].key(|i| key[i]);
        if !self.is_answered(program, table, key) {
            self.run(program, table, key)?;
        }
        Ok(key)
    }

    #[inline]
    fn is_answered(&self, program: &Program, table: u32, key: u32) -> bool {
        let epoch = self.epochs[program.tables[table as usize].level as usize];
        self.memos[table as usize].entries[key as usize].epoch == epoch
    }

    #[inline]
    fn has_answer(&self, program: &Program, table: u32, key: u32) -> bool {
        let entry = self.memos[table as usize].entries[key as usize];
        match program.tables[table as usize].mode {
            Mode::Exists => entry.first == 1,
            Mode::All => entry.first != entry.last,
            Mode::Recursive => entry.first != NONE,
        }
    }

    fn run(&mut self, program: &Program, table: u32, key: u32) -> Result<(), Problem> {
        let mut at = Registers::default();
        let mut breath = BREATH.min(self.fuel);
        let mut breaths = 0;
        self.begin(program, table, key, &mut at);
        let mut failed = true;
        loop {
            if breath == 0 {
                breaths += 1;
                breath = self.breathe(breaths)?;
            }
            breath -= 1;
            failed = !if !failed {
                self.step(program, &mut at)
            } else if self.choices.len() > at.floor as usize {
                // A step failed: the innermost open scan of the rule goes on, ...
                self.retry(program, &mut at)
            } else {
                // ... or the rule is done and the activation goes on.
                self.proceed(program, &mut at)
            };
            if failed && at.pc == HALTED {
                self.fuel -= BREATH.min(self.fuel) - breath;
                return self.check_depth();
            }
        }
    }

    fn check_depth(&mut self) -> Result<(), Problem> {
        match std::mem::take(&mut self.store.too_deep) {
            true => Err(self.abandon(Problem::TooDeep)),
            false => Ok(()),
        }
    }

    /// Takes the next portion of fuel.
    #[cold]
    fn breathe(&mut self, breaths: u64) -> Result<u64, Problem> {
        if let Err(stop) = self.budget.check() {
            return Err(self.abandon(Problem::Stopped(stop)));
        }
        self.fuel -= BREATH.min(self.fuel);
        match BREATH.min(self.fuel) {
            0 => Err(self.abandon(Problem::TooMuch)),
            _ if breaths * BREATH >= LONGEST => Err(self.abandon(Problem::TooMuch)),
            breath => Ok(breath),
        }
    }

    /// Forgets a query that was left in the middle, with all that it found.
    fn abandon(&mut self, problem: Problem) -> Problem {
        self.choices.clear();
        self.activations.clear();
        self.agenda.clear();
        self.consumers.clear();
        self.copies.clear();
        self.memos.iter_mut().for_each(Memo::forget);
        problem
    }

    /// Begins to answer a key that is not answered yet; the question is asked again at the end.
    fn begin(&mut self, program: &Program, table: u32, key: u32, at: &mut Registers) {
        let t = &program.tables[table as usize];
        let epoch = self.epochs[t.level as usize];
        let memo = &mut self.memos[table as usize];
        memo.begin(epoch);
        let outer = (self.runs, self.consumers.len() as u32, self.copies.len() as u32);
        let saved = *at;
        at.base = at.top;
        at.floor = self.choices.len() as u32;
        let (kind, first) = if t.mode == Mode::Recursive {
            (Kind::Component, self.agenda.len() as u32)
        } else {
            (Kind::Call, memo.answers.len() as u32)
        };
        self.activations.push(Activation { kind, table, key, next: 0, first, saved, outer });
        if t.mode == Mode::Recursive {
            self.runs = self.runs.wrapping_add(1);
            self.open_key(table, key);
        } else {
            self.load_key(table, key, at.base);
        }
    }

    fn load_key(&mut self, table: u32, key: u32, base: u32) {
        let values = self.memos[table as usize].keys.row(key);
        let end = base as usize + values.len();
        if self.slots.len() < end {
            self.slots.resize(end, 0);
        }
        self.slots[base as usize..end].copy_from_slice(values);
    }

    fn open_key(&mut self, table: u32, key: u32) {
        self.memos[table as usize].open(key);
        self.agenda.push(Task { table, key, new: true });
    }

    /// The rule is done: the next rule, consumer or task. False: a scan is to be retried.
    fn proceed(&mut self, program: &Program, at: &mut Registers) -> bool {
        let activation = self.activations.last_mut().expect("a query is running");
        let Activation { kind, table, key, next, first, .. } = *activation;
        match kind {
            Kind::Call | Kind::Key => {
                let t = &program.tables[table as usize];
                if let Some(entry) = t.rules.get(next as usize) {
                    activation.next += 1;
                    at.top = at.base + entry.slots;
                    at.pc = entry.start;
                    if self.slots.len() < at.top as usize {
                        self.slots.resize(at.top as usize, 0);
                    }
                    return true;
                }
                *at = activation.saved;
                self.activations.pop();
                if let Kind::Key = kind {
                    return false;
                }
                self.memos[table as usize].end(key, t.mode, first);
                true
            }
            Kind::Component => self.next_task(first, at),
            Kind::Resume => {
                self.resume(program, at);
                false
            }
        }
    }

    fn next_task(&mut self, bottom: u32, at: &mut Registers) -> bool {
        if self.agenda.len() == bottom as usize {
            let Activation { saved, outer, .. } = self.activations.pop().expect("the component");
            *at = saved;
            self.consumers.truncate(outer.1 as usize);
            self.copies.truncate(outer.2 as usize);
            return true;
        }
        let Task { table, key, new } = self.agenda.pop().expect("not at the bottom");
        let kind = if new { Kind::Key } else { Kind::Resume };
        let mut next = 0;
        if new {
            self.load_key(table, key, at.base);
        } else {
            let waiting = &mut self.memos[table as usize].waiting[key as usize];
            waiting.woken = false;
            next = waiting.first;
        }
        let (saved, outer) = (*at, (0, 0, 0));
        self.activations.push(Activation { kind, table, key, next, first: 0, saved, outer });
        false
    }

    /// Opens the scan of the next consumer, or ends the task.
    fn resume(&mut self, program: &Program, at: &mut Registers) {
        let activation = self.activations.last_mut().expect("a task is running");
        let number = activation.next;
        if number == NONE {
            *at = activation.saved;
            self.activations.pop();
            return;
        }
        let c = self.consumers[number as usize];
        activation.next = c.next;
        let Op::Await { table, .. } = program.ops[c.pc as usize] else {
            unreachable!("consumers wait at Await")
        };
        if self.answer_after(table, c.awaited, c.taken) == NONE {
            return;
        }
        let activation = self.activations.last_mut().expect("a task is running");
        (activation.table, activation.key) = (c.table, c.key);
        at.top = at.base + c.slots;
        if self.slots.len() < at.top as usize {
            self.slots.resize(at.top as usize, 0);
        }
        let copy = &self.copies[c.copy as usize..][..c.live as usize];
        self.slots[at.base as usize..][..copy.len()].copy_from_slice(copy);
        self.choices.push(Choice { pc: c.pc, at: number, end: 0 });
    }

    fn answer_after(&self, table: u32, key: u32, taken: u32) -> u32 {
        let memo = &self.memos[table as usize];
        match taken {
            NONE => memo.entries[key as usize].first,
            taken => memo.links[taken as usize].1,
        }
    }

    /// The rule waits for the answers to a key of its own component.
    fn wait(&mut self, program: &Program, table: u32, key: u32, live: u32, at: &Registers) {
        let t = &program.tables[table as usize];
        let epoch = self.epochs[t.level as usize];
        let memo = &mut self.memos[table as usize];
        if memo.entries[key as usize].epoch != epoch {
            memo.begin(epoch);
            self.open_key(table, key);
        }
        let run = self.run_of_component();
        let memo = &mut self.memos[table as usize];
        let waiting = &mut memo.waiting[key as usize];
        if waiting.run != run {
            *waiting = Waiting { run, first: NONE, woken: false };
        }
        let activation = self.activations.last().expect("a task is running");
        let number = self.consumers.len() as u32;
        let copy = self.copies.len() as u32;
        let base = at.base as usize;
        self.copies.extend_from_slice(&self.slots[base..base + live as usize]);
        self.consumers.push(Consumer {
            pc: at.pc,
            table: activation.table,
            key: activation.key,
            awaited: key,
            copy,
            live,
            slots: at.top - at.base,
            taken: NONE,
            next: waiting.first,
        });
        waiting.first = number;
        if memo.entries[key as usize].first != NONE && !waiting.woken {
            waiting.woken = true;
            self.agenda.push(Task { table, key, new: false });
        }
    }

    /// The number of the run to which the task at the top belongs.
    fn run_of_component(&self) -> u32 {
        self.activations[self.activations.len() - 2].outer.0.wrapping_add(1)
    }

    /// A rule has an answer. True: go on at `at`; false: look for more.
    #[inline]
    fn emit(&mut self, program: &Program, args: Args, at: &mut Registers) -> bool {
        let activation = *self.activations.last().expect("a rule is running");
        let (table, key) = (activation.table, activation.key);
        let t = &program.tables[table as usize];
        if t.mode == Mode::Exists {
            self.choices.truncate(at.floor as usize);
            let memo = &mut self.memos[table as usize];
            memo.end(key, Mode::Exists, 0);
            memo.entries[key as usize].first = 1;
            memo.found += 1;
            self.activations.pop();
            *at = activation.saved;
            return true;
        }
        let args = &program.args[args.start as usize..][..args.len as usize];
        let slots = &self.slots[at.base as usize..];
        let row = self.relations[t.relation as usize].intern(|i| args[i].value(slots));
        let memo = &mut self.memos[table as usize];
        if !memo.is_new(row) {
            return false;
        }
        if t.mode == Mode::All {
            memo.answers.push(row);
            return false;
        }
        memo.link(key, row);
        let run = self.run_of_component();
        let waiting = &mut self.memos[table as usize].waiting[key as usize];
        if waiting.run == run && !waiting.woken && waiting.first != NONE {
            waiting.woken = true;
            self.agenda.push(Task { table, key, new: false });
        }
        false
    }

    /// One instruction. False: it failed, and of the open scans those that may help are left.
    #[inline]
    fn step(&mut self, program: &Program, at: &mut Registers) -> bool {
        let op = program.ops[at.pc as usize];
        let slots = &self.slots[at.base as usize..];
        let values = |a: Args| {
            let args = &program.args[a.start as usize..][..a.len as usize];
            move |i: usize| args[i].value(slots)
        };
        let (ok, fail) = match op {
            Op::Halt => {
                at.pc = HALTED;
                return false;
            }
            Op::Same { a, b, fail } => (a.value(slots) == b.value(slots), fail),
            Op::Differ { a, b, fail } => (a.value(slots) != b.value(slots), fail),
            Op::Build { functor, args, out } => {
                let args = &program.args[args.start as usize..][..args.len as usize];
                let term = self.store.build(functor, |i| args[i].value(slots));
                self.slots[(at.base + out) as usize] = term;
                (true, 0)
            }
            Op::Take { slot, functor, out, fail } => {
                match self.store.row_in(slots[slot as usize], functor) {
                    Some(row) => {
                        let row = self.store.functors[functor as usize].tuples.row(row);
                        let out = (at.base + out) as usize;
                        self.slots[out..out + row.len()].copy_from_slice(row);
                        (true, fail)
                    }
                    None => (false, fail),
                }
            }
            Op::Fact { functor, args, negated, fail } => {
                let term = self.store.find(functor, values(args));
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
                let rows = &program.stored[stored as usize].tuples;
                (rows.find(values(args)).is_some() != negated, fail)
            }
            Op::Ask { table, key, negated, fail } => {
                let key = self.memos[table as usize].key(values(key));
                if !self.is_answered(program, table, key) {
                    self.begin(program, table, key, at);
                    at.pc = u32::MAX;
                    return false;
                }
                (self.has_answer(program, table, key) != negated, fail)
            }
            Op::ScanDoes { role, out, fail } => {
                let role = role.value(slots);
                match self.joint.iter().find(|j| j.0 == role) {
                    Some(j) => {
                        self.slots[(at.base + out) as usize] = j.1;
                        (true, fail)
                    }
                    None => (false, fail),
                }
            }
            Op::ScanFacts { functor, index, key, fail, .. } => {
                let row = self.store.first(functor, index, values(key));
                if row != NONE {
                    self.choices.push(Choice { pc: at.pc, at: row, end: 0 });
                    return self.retry(program, at);
                }
                (false, fail)
            }
            Op::ScanState { .. } => {
                let end = self.store.facts.len() as u32;
                self.choices.push(Choice { pc: at.pc, at: 0, end });
                return self.retry(program, at);
            }
            Op::ScanRoles { .. } => {
                let end = self.joint.len() as u32;
                self.choices.push(Choice { pc: at.pc, at: 0, end });
                return self.retry(program, at);
            }
            Op::ScanRows { stored, index, key, fail, .. } => {
                let index = &program.stored[stored as usize].indexes[index as usize];
                if let Some(key) = index.keys.find(values(key)) {
                    let (at_row, end) =
                        (index.starts[key as usize], index.starts[key as usize + 1]);
                    self.choices.push(Choice { pc: at.pc, at: at_row, end });
                    return self.retry(program, at);
                }
                (false, fail)
            }
            Op::ScanTable { table, key, fail, .. } => {
                let key = self.memos[table as usize].key(values(key));
                if !self.is_answered(program, table, key) {
                    self.begin(program, table, key, at);
                    at.pc = u32::MAX;
                    return false;
                }
                if self.has_answer(program, table, key) {
                    let entry = self.memos[table as usize].entries[key as usize];
                    self.choices.push(Choice { pc: at.pc, at: entry.first, end: entry.last });
                    return self.retry(program, at);
                }
                (false, fail)
            }
            Op::Await { table, key, live, .. } => {
                let key = self.memos[table as usize].key(values(key));
                self.wait(program, table, key, live, at);
                return false;
            }
            Op::Commit { depth } => {
                self.choices.truncate((at.floor + depth) as usize);
                (true, 0)
            }
            Op::Emit { args } => return self.emit(program, args, at),
        };
        if ok {
            at.pc += 1;
        } else {
            self.choices.truncate((at.floor + fail) as usize);
            at.pc = u32::MAX;
        }
        ok
    }

    /// The innermost open scan binds its next match, or is closed. False: it had none.
    #[inline]
    fn retry(&mut self, program: &Program, at: &mut Registers) -> bool {
        let choice = self.choices.last_mut().expect("an open scan");
        let pc = choice.pc;
        at.pc = u32::MAX;
        let slots = &mut self.slots[at.base as usize..];
        let outs = |o: Outs| program.outs[o.start as usize..][..o.len as usize].iter();
        match program.ops[pc as usize] {
            Op::ScanFacts { functor, index, outs: o, .. } => {
                let row = choice.at;
                if row == NONE {
                    self.choices.pop();
                    return false;
                }
                let f = &self.store.functors[functor as usize];
                choice.at = f.after(index, row);
                let row = f.tuples.row(row);
                outs(o).for_each(|(c, s)| slots[*s as usize] = row[*c as usize]);
            }
            Op::ScanRows { stored, index, outs: o, .. } => {
                if choice.at == choice.end {
                    self.choices.pop();
                    return false;
                }
                let stored = &program.stored[stored as usize];
                let row = stored.indexes[index as usize].rows[choice.at as usize];
                choice.at += 1;
                let row = stored.tuples.row(row);
                outs(o).for_each(|(c, s)| slots[*s as usize] = row[*c as usize]);
            }
            Op::ScanState { out } => {
                if choice.at == choice.end {
                    self.choices.pop();
                    return false;
                }
                slots[out as usize] = self.store.facts[choice.at as usize];
                choice.at += 1;
            }
            Op::ScanRoles { role_out, out } => {
                if choice.at == choice.end {
                    self.choices.pop();
                    return false;
                }
                let (role, action) = self.joint[choice.at as usize];
                slots[role_out as usize] = role;
                slots[out as usize] = action;
                choice.at += 1;
            }
            Op::ScanTable { table, outs: o, .. } => {
                let t = &program.tables[table as usize];
                let memo = &self.memos[table as usize];
                let row = if t.mode == Mode::Recursive {
                    if choice.at == NONE {
                        self.choices.pop();
                        return false;
                    }
                    let (row, next) = memo.links[choice.at as usize];
                    choice.at = next;
                    row
                } else {
                    if choice.at == choice.end {
                        self.choices.pop();
                        return false;
                    }
                    choice.at += 1;
                    memo.answers[choice.at as usize - 1]
                };
                let row = self.relations[t.relation as usize].row(row);
                outs(o).for_each(|(c, s)| slots[*s as usize] = row[*c as usize]);
            }
            Op::Await { table, outs: o, .. } => {
                let number = choice.at as usize;
                let c = self.consumers[number];
                let link = self.answer_after(table, c.awaited, c.taken);
                if link == NONE {
                    self.choices.pop();
                    return false;
                }
                self.consumers[number].taken = link;
                let row = self.memos[table as usize].links[link as usize].0;
                let relation = program.tables[table as usize].relation;
                let row = self.relations[relation as usize].row(row);
                // The rule goes on as it was when it began to wait.
                let copy = &self.copies[c.copy as usize..][..c.live as usize];
                let slots = &mut self.slots[at.base as usize..];
                slots[..copy.len()].copy_from_slice(copy);
                outs(o).for_each(|(c, s)| slots[*s as usize] = row[*c as usize]);
            }
            op => unreachable!("not a scan: {op:?}"),
        }
        at.pc = pc + 1;
        true
    }
}
