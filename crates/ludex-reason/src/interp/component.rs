//! What the machine does between rules: the next rule of a table, and the agenda of a component.
//!
//! The tables of a recursive component are answered together: a rule that asks one of them waits,
//! with a copy of its slots, and is resumed for every answer (tabled evaluation with suspension),
//! until nothing is left on the agenda. Every other question goes to a lower component, so it is
//! answered at once.

use super::code::{Args, Mode, Op, Program};
use super::memo::{NONE, Waiting};
use super::run::{Activation, Consumer, Machine, OpenScan, Registers, RuleTask, TaskKind};

impl Machine {
    /// Begins to answer a key that is not answered yet; the question is asked again at the end.
    #[inline]
    pub(super) fn begin(&mut self, program: &Program, table: u32, key: u32, at: &mut Registers) {
        let t = &program.tables[table as usize];
        let epoch = self.epochs[t.level as usize];
        let memo = &mut self.memos[table as usize];
        memo.begin(epoch);
        let outer = (self.runs, self.consumers.len() as u32, self.copies.len() as u32);
        let saved = *at;
        at.base = at.top;
        at.floor = self.choices.len() as u32;
        let (kind, first) = if t.mode == Mode::Recursive {
            (TaskKind::Component, self.agenda.len() as u32)
        } else {
            (TaskKind::Call, memo.answers.len() as u32)
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
        self.agenda.push(RuleTask { table, key, new: true });
    }

    /// The rule is done: the next rule, consumer or task. False: it has to be looked for again.
    #[inline]
    pub(super) fn proceed(&mut self, program: &Program, at: &mut Registers) -> bool {
        let activation = self.activations.last_mut().expect("a query is running");
        let Activation { kind, table, key, next, first, .. } = *activation;
        match kind {
            TaskKind::Call | TaskKind::Key => {
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
                if let TaskKind::Key = kind {
                    return false;
                }
                self.memos[table as usize].end(key, t.mode, first);
                true
            }
            TaskKind::Component => self.next_task(first, at),
            TaskKind::Residue(group) => {
                self.next_solution(group, at);
                true
            }
            TaskKind::Resume => {
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
        let RuleTask { table, key, new } = self.agenda.pop().expect("not at the bottom");
        let kind = if new { TaskKind::Key } else { TaskKind::Resume };
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
        self.choices.push(OpenScan { pc: c.pc, at: number, end: 0 });
    }

    pub(super) fn answer_after(&self, table: u32, key: u32, taken: u32) -> u32 {
        let memo = &self.memos[table as usize];
        match taken {
            NONE => memo.entries[key as usize].first,
            taken => memo.links[taken as usize].1,
        }
    }

    /// The rule waits for the answers to a key of its own component.
    pub(super) fn wait(
        &mut self,
        program: &Program,
        table: u32,
        key: u32,
        live: u32,
        at: &Registers,
    ) {
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
            self.agenda.push(RuleTask { table, key, new: false });
        }
    }

    /// The number of the run to which the task at the top belongs.
    fn run_of_component(&self) -> u32 {
        self.activations[self.activations.len() - 2].outer.0.wrapping_add(1)
    }

    /// A rule has an answer. True: go on at `at`; false: look for more.
    #[inline]
    pub(super) fn emit(&mut self, program: &Program, args: Args, at: &mut Registers) -> bool {
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
        let row = match t.split {
            Some(_) => args[0].value(slots),
            None => self.relations[t.relation as usize].intern(|i| args[i].value(slots)),
        };
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
            self.agenda.push(RuleTask { table, key, new: false });
        }
        false
    }
}
