//! `Machine`: runs the instructions of a `Program` on a store of facts.
//!
//! Asking a table for a key runs its rules depth first; scans that may have more matches stand on a
//! stack of choices, tables that are being answered on a stack of activations. `step.rs` has the
//! instructions, `component.rs` what happens between rules.

use super::Problem;
use super::code::*;
use super::memo::{Memo, NONE};
use super::residue::Residue;
use super::store::FactStore;
use super::tuples::Tuples;
use ludex_gdl::budget::Budget;

/// A question that needs more steps is given up.
const LONGEST: u64 = 1 << 31;
/// More than anybody waits for.
pub const FULL: u64 = u64::MAX;
/// How many steps are made between two looks at the budget.
const BREATH: u64 = 1 << 16;

#[derive(Clone)]
pub struct Machine {
    pub store: FactStore,
    /// The joint move: role and action.
    pub joint: Vec<(u32, u32)>,
    /// By relation: the tuples that occurred in answers.
    pub relations: Vec<Tuples>,
    pub memos: Vec<Memo>,
    /// By group.
    pub(super) residues: [Residue; 2],
    /// Are rules run up to their split, to keep what they find?
    pub(super) recording: bool,
    /// By level: the number that valid answers carry.
    pub(super) epochs: [u32; 3],
    pub(super) slots: Vec<u32>,
    pub(super) choices: Vec<OpenScan>,
    pub(super) activations: Vec<Activation>,
    pub(super) agenda: Vec<RuleTask>,
    pub(super) consumers: Vec<Consumer>,
    pub(super) copies: Vec<u32>,
    pub(super) runs: u32,
    pub budget: Budget,
    /// Steps that may still be made.
    pub fuel: u64,
}

/// An open scan: its instruction, where it stands (`NONE`: at the end), and where it ends.
#[derive(Clone, Copy)]
pub(super) struct OpenScan {
    pub pc: u32,
    pub at: u32,
    pub end: u32,
}

#[derive(Clone, Copy)]
pub(super) enum TaskKind {
    /// Answers one key of a table.
    Call,
    /// Empties the agenda of a recursive component.
    Component,
    /// Inside a component: runs the rules for a new key.
    Key,
    /// Inside a component: hands answers to consumers.
    Resume,
    /// Goes on with what is left of rules for a joint move.
    Residue(UpdateGroup),
}

#[derive(Clone, Copy)]
pub(super) struct Activation {
    pub kind: TaskKind,
    pub table: u32,
    pub key: u32,
    /// Next rule, consumer or solution (up to `key`).
    pub next: u32,
    /// `Call`: the first answer. `Component`: the agenda below it.
    pub first: u32,
    /// What the registers held before.
    pub saved: Registers,
    /// `Component`: the run, consumers and copies before.
    pub outer: (u32, u32, u32),
}

#[derive(Clone, Copy, Default)]
pub(super) struct Registers {
    pub pc: u32,
    /// The first slot of the rule, and the first behind it.
    pub base: u32,
    pub top: u32,
    /// The first choice of the rule.
    pub floor: u32,
}

#[derive(Clone, Copy)]
pub(super) struct RuleTask {
    pub table: u32,
    pub key: u32,
    pub new: bool,
}

/// A rule that waits: the instruction, its slots, for whom it works and the last answer it took.
#[derive(Clone, Copy)]
pub(super) struct Consumer {
    pub pc: u32,
    pub table: u32,
    pub key: u32,
    pub awaited: u32,
    pub copy: u32,
    pub live: u32,
    pub(super) slots: u32,
    pub taken: u32,
    pub next: u32,
}

impl Machine {
    pub fn new(store: FactStore, program: &Program, budget: Budget) -> Machine {
        let mut machine = Machine {
            store,
            joint: Vec::new(),
            relations: Vec::new(),
            memos: Vec::new(),
            residues: [Residue::new(0), Residue::new(0)],
            recording: false,
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
        self.residues = [Residue::new(0), Residue::new(0)];
        for table in program.split.iter().flatten() {
            self.memos[*table as usize].key(|_| unreachable!("there is but one key"));
        }
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
        if self.joint.iter().any(|(_, m)| !self.store.knows(*m)) {
            self.store.catch_up();
        }
        self.new_epoch(Validity::Joint);
    }

    fn new_state(&mut self) {
        self.new_epoch(Validity::State);
        self.new_epoch(Validity::Joint);
    }

    fn new_epoch(&mut self, level: Validity) {
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
                let row =
                    |r| if t.split.is_some() { std::slice::from_ref(r) } else { rows.row(*r) };
                memo.answers[range].iter().for_each(|r| f(row(r)));
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
            match program.tables[table as usize].split {
                Some(group) => self.derive(program, group)?,
                None => self.run(program, table, key)?,
            }
        }
        Ok(key)
    }

    #[inline]
    pub(super) fn is_answered(&self, program: &Program, table: u32, key: u32) -> bool {
        let epoch = self.epochs[program.tables[table as usize].level as usize];
        self.memos[table as usize].entries[key as usize].epoch == epoch
    }

    #[inline]
    pub(super) fn has_answer(&self, program: &Program, table: u32, key: u32) -> bool {
        let entry = self.memos[table as usize].entries[key as usize];
        match program.tables[table as usize].mode {
            Mode::Exists => entry.first == 1,
            Mode::All => entry.first != entry.last,
            Mode::Recursive => entry.first != NONE,
        }
    }

    pub(super) fn run(&mut self, program: &Program, table: u32, key: u32) -> Result<(), Problem> {
        let mut at = Registers::default();
        self.begin(program, table, key, &mut at);
        self.drive(program, at)
    }

    /// Runs until the query is done.
    pub(super) fn drive(&mut self, program: &Program, mut at: Registers) -> Result<(), Problem> {
        let mut steps = 0;
        let mut breaths = 0;
        loop {
            // A step failed: the innermost open scan of the rule goes on, or the activation does.
            let found = match self.choices.len() > at.floor as usize {
                true => self.retry(program, &mut at),
                false => self.proceed(program, &mut at),
            };
            steps += 1;
            if found && self.forward(program, &mut at, &mut steps) {
                self.fuel = self.fuel.saturating_sub(steps);
                return self.check_depth();
            }
            if steps >= BREATH.min(self.fuel) {
                breaths += 1;
                self.breathe(steps, breaths)?;
                steps = 0;
            }
        }
    }

    fn check_depth(&mut self) -> Result<(), Problem> {
        match std::mem::take(&mut self.store.too_deep) {
            true => Err(self.abandon(Problem::TooDeep)),
            false => Ok(()),
        }
    }

    /// Looks at the limits after some steps.
    #[cold]
    fn breathe(&mut self, steps: u64, breaths: u64) -> Result<(), Problem> {
        if let Err(stop) = self.budget.check() {
            return Err(self.abandon(Problem::Stopped(stop)));
        }
        self.fuel = self.fuel.saturating_sub(steps);
        match self.fuel == 0 || breaths * BREATH >= LONGEST {
            true => Err(self.abandon(Problem::TooMuch)),
            false => Ok(()),
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
}
