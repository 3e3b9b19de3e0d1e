//! `Rules` -> `Interp`: the first-order reasoner, the meaning of GDL in this project.
//!
//! Rules are compiled once into joins over indexed relations. A relation is asked with some columns
//! given, computes only what that question needs, and keeps the answers: for ever where they do not
//! depend on the state, else until the state (or the joint move) changes. Nothing is grounded, so
//! games of any size run, with recursion and stratified negation.
//!
//! `prepare.rs` turns rules into clauses over dense ids. A relation is asked through a table
//! (`code.rs`): some of its columns are given, the others wanted. `plan.rs` compiles every table
//! that is reached from the questions of a game into instructions; `order.rs` orders the literals
//! of a clause by costs guessed from `sizes.rs`. Guesses go wrong, so `tune.rs` plays random
//! matches, makes plans from what it has seen there in several ways and keeps the one that took the
//! fewest steps. `step.rs` has the instructions: nested scans over indexes, tests that go back to
//! the scan that bound their variables, and a commit that leaves scans whose variables nobody needs
//! any more at their first match. A table is answered when it is first asked and keeps its answers
//! (`memo.rs`): for ever where they are static, else until the state or the joint move changes,
//! which is one number counted up, without clearing anything. Inside a recursive component
//! (`component.rs`) a rule that asks for more waits with a copy of its slots and is resumed for
//! each answer; no terms are built to ask for, so a recursion ends wherever its facts do. Nothing
//! recurses on the stack of the program.
//!
//! Tuples (`tuples.rs`) are found by address in a dense table while that is small, else by hashing.
//! A state is the sorted list of its facts; `store.rs` loads it into linked lists, one for each
//! index that a plan uses. Clones of an engine share the list of terms, so their states and moves
//! can be exchanged. Limits and terms that grow for ever end a question with a `Problem`, which the
//! caller asks for.

mod code;
mod component;
mod memo;
mod order;
mod plan;
mod prepare;
mod residue;
mod run;
mod show;
mod sizes;
mod split;
mod statics;
mod step;
mod store;
mod terms;
mod tune;
mod tuples;
mod update;
mod work;

use crate::{Move, Role, StateMachine, Walks};
use code::Program;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, Symbol, Symbols, TermId};
use prepare::Prepared;
use run::Machine;
use statics::Statics;
use std::fmt;
use std::sync::Arc;
use store::FactStore;
use update::{Update, UpdateBase};
pub use work::Steps;

/// Why a description cannot be run, or a question could not be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A relation depends on its own negation.
    NotStratified,
    /// The rules build ever larger terms.
    TooDeep,
    /// One question took more steps than allowed.
    TooMuch,
    Stopped(Stop),
}

impl std::error::Error for Problem {}

impl From<Stop> for Problem {
    fn from(stop: Stop) -> Problem {
        Problem::Stopped(stop)
    }
}

/// A state: its facts, as terms in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactState(Box<[u32]>);

/// The reasoner of one game.
#[derive(Clone)]
pub struct Interp {
    symbols: Arc<Symbols>,
    /// Names of the relations.
    names: Arc<[Symbol]>,
    program: Arc<Program>,
    machine: Machine,
    roles: Vec<u32>,
    initial: FactState,
    queries: Queries,
    problem: Option<Problem>,
    base: UpdateBase,
    scratch: Vec<u32>,
    gone: Vec<u32>,
    merged: Vec<u32>,
}

/// The tables that the methods of `StateMachine` ask.
#[derive(Clone, Copy, Default)]
struct Queries {
    role: u32,
    init: u32,
    legal: u32,
    next: Update,
    terminal: u32,
    goal: u32,
    /// What becomes false, where the rules say that instead of what persists.
    fnext: Option<Update>,
}

impl Interp {
    /// Whole walks, compiled with this engine.
    #[inline(never)]
    pub fn walks(&mut self) -> &mut dyn Walks {
        self
    }

    pub fn new(rules: &Rules) -> Result<Interp, Problem> {
        Interp::with_budget(rules, &Budget::unlimited())
    }

    /// The budget also ends questions that are asked later; `problem` tells.
    pub fn with_budget(rules: &Rules, budget: &Budget) -> Result<Interp, Problem> {
        Interp::build(rules, None, true, budget)
    }

    /// The same, ready sooner and slower from then on: with the first plan that comes.
    pub fn hasty(rules: &Rules, budget: &Budget) -> Result<Interp, Problem> {
        Interp::build(rules, None, false, budget)
    }

    /// For rules in which `fnext` says what becomes false: the next state is the present one without
    /// that, and with what `next` derives.
    pub fn updating(rules: &Rules, fnext: Rel, budget: &Budget) -> Result<Interp, Problem> {
        Interp::build(rules, Some(fnext), true, budget)
    }

    fn build(
        rules: &Rules,
        fnext: Option<Rel>,
        tuned: bool,
        budget: &Budget,
    ) -> Result<Interp, Problem> {
        let mut symbols = rules.symbols.clone();
        let mut store = FactStore::new(symbols.len());
        // No author can write this name.
        let any = store.constant(symbols.intern("( )"));
        let mut prepared = Prepared::new(rules, fnext, any, &mut store, budget)?;
        let mut machine = Machine::new(store, &Program::default(), budget.clone());
        let statics = Statics::new(&mut prepared, &mut machine, !tuned)?;
        let mut interp = Interp {
            symbols: Arc::new(symbols),
            names: rules.relations.iter().map(|r| r.name).collect(),
            program: Arc::default(),
            machine,
            roles: Vec::new(),
            initial: FactState(Box::new([])),
            queries: Queries::default(),
            problem: None,
            base: UpdateBase::default(),
            scratch: Vec::new(),
            gone: Vec::new(),
            merged: Vec::new(),
        };
        interp.first_plan(&prepared, &statics)?;
        if tuned {
            interp.tune(&prepared, &statics)?;
        }
        Ok(interp)
    }

    /// From now on questions end with this budget.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.machine.budget = budget.clone();
    }

    /// What went wrong in a question since the last call; its answer was incomplete.
    pub fn problem(&mut self) -> Option<Problem> {
        self.problem.take()
    }

    /// All goal values of a role, as the rules give them: one, where they are right.
    pub(crate) fn goal_texts(&mut self, state: &FactState, role: Role) -> Vec<String> {
        self.load(state);
        let (mut values, key, table) = (Vec::new(), [self.roles[role]], self.queries.goal);
        let result = self.machine.answers(&self.program, table, &key, |row| values.push(row[1]));
        let known = self.note(result);
        known.map_or(vec![], |_| values.iter().map(|v| self.text(*v)).collect())
    }

    /// Makes the state the present one. Questions about the same state share their answers.
    fn load(&mut self, state: &FactState) {
        if self.machine.store.facts[..] != state.0[..] {
            self.machine.load(&state.0);
            self.base.known = false;
        }
    }

    fn note<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|p| self.problem = Some(p)).ok()
    }

    fn text(&self, term: u32) -> String {
        self.machine.store.all_terms().text(&self.symbols, TermId(term), false)
    }
}

impl StateMachine for Interp {
    type State = FactState;

    fn roles(&self) -> usize {
        self.roles.len()
    }

    fn initial(&mut self) -> FactState {
        self.initial.clone()
    }

    fn terminal(&mut self, state: &FactState) -> bool {
        self.load(state);
        let result = self.machine.holds(&self.program, self.queries.terminal, &[]);
        self.note(result).unwrap_or(true)
    }

    fn legal(&mut self, state: &FactState, role: Role, out: &mut Vec<Move>) {
        self.load(state);
        let key = [self.roles[role]];
        let table = self.queries.legal;
        let result = self.machine.answers(&self.program, table, &key, |row| out.push(Move(row[1])));
        self.note(result);
    }

    fn next(&mut self, state: &FactState, joint: &[Move]) -> FactState {
        self.load(state);
        let moves = joint.iter().map(|m| m.0);
        self.machine.set_joint(self.roles.iter().copied().zip(moves));
        self.successor()
    }

    fn goal(&mut self, state: &FactState, role: Role) -> Option<i32> {
        match &self.goal_texts(state, role)[..] {
            [value] => value.parse().ok(),
            _ => None,
        }
    }

    fn role_text(&self, role: Role) -> String {
        self.text(self.roles[role])
    }

    fn move_text(&self, _role: Role, m: Move) -> String {
        self.text(m.0)
    }

    fn fact_texts(&self, state: &FactState) -> Vec<String> {
        let mut texts: Vec<String> = state.0.iter().map(|f| self.text(*f)).collect();
        texts.sort_unstable();
        texts
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::NotStratified => f.write_str("a relation depends on its own negation"),
            Problem::TooDeep => {
                let depth = store::MAX_DEPTH;
                write!(
                    f,
                    "the rules build terms that nest deeper than {depth}, or far too large ones"
                )
            }
            Problem::TooMuch => f.write_str("one question took too many steps"),
            Problem::Stopped(stop) => stop.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::source::Source;

    #[test]
    fn clones_understand_moves_of_each_other() {
        let text = "(role r) (init (n z)) (<= (legal r (go (s ?x))) (true (n ?x)))
            (<= (next (n ?y)) (does r (go ?y))) (<= terminal (true (n end))) (goal r 0)";
        let (rules, _) = Rules::read(&Source::new("count", text), None).unwrap();
        let mut one = Interp::hasty(&rules, &Budget::unlimited()).unwrap();
        let (mut other, third) = (one.clone(), one.clone());
        let (mut state, mut moves) = (one.initial(), vec![]);
        for _ in 0..3 {
            moves.clear();
            one.legal(&state, 0, &mut moves);
            state = other.next(&state, &moves);
        }
        assert_eq!(other.fact_texts(&state), ["(n (s (s (s z))))"]);
        assert_eq!(third.move_text(0, moves[0]), "(go (s (s (s z))))");
        assert_eq!(third.fact_texts(&state), other.fact_texts(&state));
    }
}
