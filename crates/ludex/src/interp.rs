//! `Rules` -> `Interp`: the first-order reasoner, the meaning of GDL in this project.
//!
//! Rules are compiled once into joins over indexed relations. A relation is asked with some columns
//! given, computes only what that question needs, and keeps the answers: for ever where they do not
//! depend on the state, else until the state (or the joint move) changes. Nothing is grounded, so
//! games of any size run, with recursion and stratified negation.

mod code;
mod memo;
mod plan;
mod prepare;
mod run;
mod sizes;
mod store;
mod tuples;

use crate::budget::{Budget, Stop};
use crate::game::{Game, Move, Random, Role};
use crate::rules::{Rel, Rules, Symbols, TermId};
use code::{Program, Stored};
use plan::Planner;
use prepare::Prepared;
use run::Machine;
use sizes::Sizes;
use std::fmt;
use std::sync::Arc;
use store::Store;

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

/// A state: its facts, as terms in ascending order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Box<[u32]>);

/// The reasoner of one game.
#[derive(Clone)]
pub struct Interp {
    symbols: Arc<Symbols>,
    program: Arc<Program>,
    machine: Machine,
    roles: Vec<u32>,
    initial: State,
    queries: Queries,
    problem: Option<Problem>,
    scratch: Vec<u32>,
}

/// The tables that the methods of `Game` ask.
#[derive(Clone, Copy)]
struct Queries {
    role: u32,
    init: u32,
    legal: u32,
    next: u32,
    terminal: u32,
    goal: u32,
}

/// Limits for computing a static relation in advance; beyond them it is asked like any other.
const STATIC_FUEL: u64 = 4_000_000;
const STATIC_ROWS: usize = 400_000;
/// How often the plan is made, and what is looked at in between.
const PLANS: usize = 3;
const SAMPLE_FUEL: u64 = 1_000_000;
const SAMPLE_STATES: usize = 200;
const SAMPLE_SIZE: usize = 20;
/// A question that needs more steps is given up.
const QUERY_FUEL: u64 = 20_000_000_000;

impl Interp {
    pub fn new(rules: &Rules) -> Result<Interp, Problem> {
        Interp::with_budget(rules, &Budget::unlimited())
    }

    /// The budget also ends questions that are asked later; `problem` tells.
    pub fn with_budget(rules: &Rules, budget: &Budget) -> Result<Interp, Problem> {
        let mut store = Store::new();
        let mut symbols = rules.symbols.clone();
        // No author can write this name.
        let any = store.constant(symbols.intern("( )"));
        let prepared = Prepared::new(rules, any, &mut store)?;
        let mut machine = Machine::new(store, &Program::default(), budget.clone());
        let (stored, rows) = evaluate_statics(&prepared, &mut machine)?;
        machine.fuel = QUERY_FUEL;
        let mut interp = Interp {
            symbols: Arc::new(symbols),
            program: Arc::default(),
            machine,
            roles: Vec::new(),
            initial: State(Box::new([])),
            queries: Queries { role: 0, init: 0, legal: 0, next: 0, terminal: 0, goal: 0 },
            problem: None,
            scratch: Vec::new(),
        };
        interp.plan(&prepared, &stored, rows.clone(), &Sizes::default());
        interp.find_start()?;
        let mut states = vec![interp.initial.clone()];
        // The plan is made again with what its forerunner has seen: a first plan may be so bad
        // that it does not get far.
        for round in 0..PLANS {
            let sizes = interp.sizes(&states);
            interp.plan(&prepared, &stored, rows.clone(), &sizes);
            if round + 1 < PLANS {
                states = interp.wander(SAMPLE_FUEL)?;
            }
        }
        Ok(interp)
    }

    /// The states of random matches, as far as the fuel lasts.
    fn wander(&mut self, fuel: u64) -> Result<Vec<State>, Problem> {
        let mut random = Random::new(1);
        let mut states = Vec::new();
        let mut moves = Vec::new();
        self.machine.fuel = fuel;
        let mut state = self.initial.clone();
        while states.len() < SAMPLE_STATES && self.problem.is_none() {
            states.push(state.clone());
            let over = self.terminal(&state);
            let mut joint = Vec::new();
            for role in 0..self.roles() {
                moves.clear();
                self.legal(&state, role, &mut moves);
                self.goal(&state, role);
                if !moves.is_empty() {
                    joint.push(moves[random.below(moves.len())]);
                }
            }
            let stuck = joint.len() < self.roles();
            state = if over || stuck { self.initial() } else { self.next(&state, &joint) };
        }
        self.machine.fuel = QUERY_FUEL;
        match self.problem.take() {
            Some(problem @ Problem::Stopped(_)) => Err(problem),
            _ => Ok(states),
        }
    }

    /// What the tables have answered, and how the facts are spread in some of the states.
    fn sizes(&mut self, states: &[State]) -> Sizes {
        let mut sizes = Sizes::default();
        for (table, memo) in self.program.tables.iter().zip(&self.machine.memos) {
            sizes.note_answers(table.relation, &table.columns, memo.asked, memo.found);
        }
        for state in states.iter().step_by(states.len().div_ceil(SAMPLE_SIZE)) {
            self.machine.load(&state.0);
            sizes.sample(&self.machine.store);
        }
        sizes
    }

    /// What went wrong in a question since the last call; its answer was incomplete.
    pub fn problem(&mut self) -> Option<Problem> {
        self.problem.take()
    }

    fn plan(
        &mut self,
        prepared: &Prepared,
        stored: &[Option<u32>],
        rows: Vec<Stored>,
        sizes: &Sizes,
    ) {
        let functors = self.machine.store.functors.len();
        let mut planner = Planner::new(prepared, stored, rows, sizes, functors);
        self.queries = Queries {
            role: planner.table(Rel::ROLE.0, &[], false),
            init: planner.table(Rel::INIT.0, &[], false),
            legal: planner.table(Rel::LEGAL.0, &[0], false),
            next: planner.table(Rel::NEXT.0, &[], false),
            terminal: planner.table(Rel::TERMINAL.0, &[], true),
            goal: planner.table(Rel::GOAL.0, &[0], false),
        };
        self.program = Arc::new(planner.finish());
        self.machine.install(&self.program);
    }

    fn find_start(&mut self) -> Result<(), Problem> {
        let Interp { machine, program, queries, roles, .. } = self;
        machine.load(&[]);
        machine.answers(program, queries.role, &[], |row| roles.push(row[0]))?;
        let mut facts = Vec::new();
        machine.answers(program, queries.init, &[], |row| facts.push(row[0]))?;
        facts.sort_unstable();
        self.initial = State(facts.into());
        Ok(())
    }

    /// Makes the state the present one. Questions about the same state share their answers.
    fn load(&mut self, state: &State) {
        if self.machine.store.facts[..] != state.0[..] {
            self.machine.load(&state.0);
        }
    }

    fn note<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        result.map_err(|p| self.problem = Some(p)).ok()
    }

    fn text(&self, term: u32) -> String {
        self.machine.store.terms.text(&self.symbols, TermId(term), false)
    }
}

impl Game for Interp {
    type State = State;

    fn roles(&self) -> usize {
        self.roles.len()
    }

    fn initial(&mut self) -> State {
        self.initial.clone()
    }

    fn terminal(&mut self, state: &State) -> bool {
        self.load(state);
        let result = self.machine.holds(&self.program, self.queries.terminal, &[]);
        self.note(result).unwrap_or(true)
    }

    fn legal(&mut self, state: &State, role: Role, out: &mut Vec<Move>) {
        self.load(state);
        let key = [self.roles[role]];
        let table = self.queries.legal;
        let result = self.machine.answers(&self.program, table, &key, |row| out.push(Move(row[1])));
        self.note(result);
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        self.load(state);
        let moves = joint.iter().map(|m| m.0);
        self.machine.set_joint(self.roles.iter().copied().zip(moves));
        let mut facts = std::mem::take(&mut self.scratch);
        facts.clear();
        let table = self.queries.next;
        let result = self.machine.answers(&self.program, table, &[], |row| facts.push(row[0]));
        self.note(result);
        facts.sort_unstable();
        let next = State(facts[..].into());
        self.scratch = facts;
        next
    }

    fn goal(&mut self, state: &State, role: Role) -> Option<i32> {
        self.load(state);
        let mut values = Vec::new();
        let key = [self.roles[role]];
        let table = self.queries.goal;
        let result = self.machine.answers(&self.program, table, &key, |row| values.push(row[1]));
        self.note(result)?;
        match values[..] {
            [value] => self.text(value).parse().ok(),
            _ => None,
        }
    }

    fn role_text(&self, role: Role) -> String {
        self.text(self.roles[role])
    }

    fn move_text(&self, _role: Role, m: Move) -> String {
        self.text(m.0)
    }

    fn fact_texts(&self, state: &State) -> Vec<String> {
        let mut texts: Vec<String> = state.0.iter().map(|f| self.text(*f)).collect();
        texts.sort_unstable();
        texts
    }
}

/// Computes the relations that depend on neither state nor moves, from the bottom, as far as the
/// limits allow. Returns the number of each relation's rows, and the rows.
fn evaluate_statics(
    prepared: &Prepared,
    machine: &mut Machine,
) -> Result<(Vec<Option<u32>>, Vec<Stored>), Problem> {
    let mut stored = vec![None; prepared.relations.len()];
    let mut rows: Vec<Stored> = Vec::new();
    let sizes = Sizes::default();
    machine.fuel = STATIC_FUEL;
    for &r in prepared.components.iter().flatten() {
        let relation = &prepared.relations[r as usize];
        let tuples = if relation.clauses.is_empty() {
            Some(relation.facts.clone())
        } else if relation.level != code::Level::Static || relation.needs.contains(&true) {
            None
        } else {
            let functors = machine.store.functors.len();
            let mut planner = Planner::new(prepared, &stored, rows, &sizes, functors);
            let table = planner.table(r, &[], false);
            let program = planner.finish();
            machine.install(&program);
            let tuples = evaluate(&program, table, machine)?;
            rows = program.stored;
            tuples
        };
        if let Some(tuples) = tuples {
            stored[r as usize] = Some(rows.len() as u32);
            rows.push(Stored::new(tuples));
        }
    }
    Ok((stored, rows))
}

/// All tuples of a relation, or none where there are too many.
fn evaluate(
    program: &Program,
    table: u32,
    machine: &mut Machine,
) -> Result<Option<tuples::Tuples>, Problem> {
    let arity = program.arities[program.tables[table as usize].relation as usize];
    let mut tuples = tuples::Tuples::new(arity);
    let result = machine.answers(program, table, &[], |row| {
        tuples.intern(|i| row[i]);
    });
    match result {
        Ok(()) if tuples.len() <= STATIC_ROWS => Ok(Some(tuples)),
        Ok(()) | Err(Problem::TooMuch | Problem::TooDeep) => Ok(None),
        Err(problem) => Err(problem),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::NotStratified => f.write_str("a relation depends on its own negation"),
            Problem::TooDeep => {
                write!(f, "the rules build terms nested deeper than {}", store::MAX_DEPTH)
            }
            Problem::TooMuch => f.write_str("one question took too many steps"),
            Problem::Stopped(stop) => stop.fmt(f),
        }
    }
}
