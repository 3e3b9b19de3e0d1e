//! `Program` -> all reachable atoms and the instances of its clauses: semi-naive evaluation.
//!
//! Relations that depend on neither state nor moves are evaluated first, in the order of their
//! dependencies and with negation. All others are evaluated together with negation dropped, `true`
//! from `init` and `next`, `does` from `legal`; every instance of a clause is met exactly once, when
//! the last of its atoms is new, and kept as a ground rule.

use super::components::components;
use super::plan::{BuildAtom, Plan, Rows, Step, plans};
use super::program::Program;
use super::store::{NONE, Store};
use super::{Literal, NotGround};
use crate::budget::Budget;
use crate::rules::{self, Rel, TermId};

/// A game with more atoms and instances is not grounded: the network would be of no use.
const MOST: usize = 24_000_000;
/// A game that needs more rows to be gone through is not grounded.
const MOST_ROWS: u64 = 3_000_000_000;

/// Atoms of the evaluation and the instances found.
pub struct Evaluated {
    pub store: Store,
    pub instances: Instances,
}

/// Rows of different length in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    pub heads: Vec<u32>,
    /// `ends[i]`: where the conditions of instance `i` end.
    pub ends: Vec<usize>,
    pub literals: Vec<Literal>,
}

impl Instances {
    pub fn push(&mut self, head: u32, body: &[Literal]) {
        self.heads.push(head);
        self.literals.extend_from_slice(body);
        self.ends.push(self.literals.len());
    }

    pub fn body(&self, i: usize) -> &[Literal] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.literals[start..self.ends[i]]
    }
}

pub fn evaluate(program: &Program, budget: &Budget) -> Result<Evaluated, NotGround> {
    let mut eval = Eval {
        store: Store::new(program.relations),
        instances: Instances::default(),
        env: vec![],
        trail: vec![],
        args: vec![],
        keys: vec![],
        ticks: 0,
        budget,
    };
    for group in static_groups(program) {
        let mut growing = vec![false; program.relations];
        group.iter().for_each(|r| growing[r.index()] = true);
        eval.fixpoint(program, &growing)?;
    }
    for atom in eval.store.derived(Rel::INIT).to_vec() {
        eval.derive_as(Rel::TRUE, atom);
    }
    for atom in eval.store.derived(Rel::LEGAL).to_vec() {
        eval.does(atom);
    }
    for atom in eval.store.derived(Rel::NEXT).to_vec() {
        eval.derive_as(Rel::TRUE, atom);
    }
    eval.fixpoint(program, &program.dynamic)?;
    Ok(Evaluated { store: eval.store, instances: eval.instances })
}

/// The static relations in groups that depend on each other, lower ones first.
fn static_groups(program: &Program) -> Vec<Vec<Rel>> {
    let mut edges = vec![Vec::new(); program.relations];
    for clause in &program.clauses {
        for part in &clause.body {
            if let rules::Literal::Pos(a) | rules::Literal::Neg(a) = &part.literal {
                edges[clause.head.rel.index()].push(a.rel.0);
            }
        }
    }
    let groups = components(program.relations, |r| &edges[r as usize]);
    let rels = groups.into_iter().map(|g| g.into_iter().map(Rel).collect::<Vec<Rel>>());
    rels.filter(|g| !program.dynamic[g[0].index()]).collect()
}

struct Eval<'a> {
    store: Store,
    instances: Instances,
    /// Values of the variables, atoms of the conditions, scratch for arguments and keys.
    env: Vec<u32>,
    trail: Vec<u32>,
    args: Vec<TermId>,
    keys: Vec<u32>,
    /// Rows gone through.
    ticks: u64,
    budget: &'a Budget,
}

impl Eval<'_> {
    /// Evaluates the clauses of the growing relations until nothing new comes.
    fn fixpoint(&mut self, program: &Program, growing: &[bool]) -> Result<(), NotGround> {
        let mut rounds: Vec<Plan> = Vec::new();
        for clause in program.clauses.iter().filter(|c| growing[c.head.rel.index()]) {
            for plan in plans(clause, growing, &program.dynamic, &mut self.store) {
                if plan.delta.is_some() { rounds.push(plan) } else { self.run(&plan)? }
            }
        }
        self.store.all_new(growing);
        while self.store.turn() {
            for plan in &rounds {
                let view = &self.store.views[plan.delta.expect("of a round")];
                if view.old < view.all {
                    self.run(plan)?;
                }
            }
        }
        Ok(())
    }

    fn run(&mut self, plan: &Plan) -> Result<(), NotGround> {
        self.env.resize(self.env.len().max(plan.vars), NONE);
        self.trail.resize(self.trail.len().max(plan.recorded), NONE);
        self.step(plan, 0)
    }

    fn step(&mut self, plan: &Plan, at: usize) -> Result<(), NotGround> {
        let Some(step) = plan.steps.get(at) else { return self.emit(plan) };
        match step {
            Step::Match { view, rows, index, key, .. } => {
                let (from, to) = {
                    let v = &self.store.views[*view];
                    match rows {
                        Rows::New => (v.old, v.all),
                        Rows::Old => (0, v.old),
                        Rows::All => (0, v.all),
                    }
                };
                let Some(index) = index else {
                    for row in from..to {
                        if self.take(plan, at, row)? {
                            break;
                        }
                    }
                    return Ok(());
                };
                self.keys.clear();
                for k in key {
                    let value = k.value(&self.env, &mut self.store.terms).0;
                    self.keys.push(value);
                }
                let mut row = self.store.views[*view].first(*index, &self.keys);
                while row != NONE && row >= from {
                    if row < to && self.take(plan, at, row)? {
                        break;
                    }
                    row = self.store.views[*view].next(*index, row);
                }
                Ok(())
            }
            Step::Absent(atom) => {
                let atom = self.build(atom);
                if self.store.atoms.derived(atom) { Ok(()) } else { self.step(plan, at + 1) }
            }
            Step::Distinct(a, b) => {
                let a = a.value(&self.env, &mut self.store.terms);
                let b = b.value(&self.env, &mut self.store.terms);
                if a == b { Ok(()) } else { self.step(plan, at + 1) }
            }
        }
    }

    /// Goes on with one row of a view. True: no other row is needed.
    fn take(&mut self, plan: &Plan, at: usize, row: u32) -> Result<bool, NotGround> {
        let Step::Match { view, binds, checks, record, once, .. } = &plan.steps[at] else {
            unreachable!("only matches have rows")
        };
        self.ticks += 1;
        if self.ticks.is_multiple_of(4096) {
            self.check()?;
        }
        let view = &self.store.views[*view];
        let columns = view.row(row);
        for (column, var) in binds {
            self.env[*var as usize] = columns[*column];
        }
        if checks.iter().any(|(c, v)| self.env[*v as usize] != columns[*c]) {
            return Ok(false);
        }
        if let Some(slot) = record {
            self.trail[*slot] = view.atom(row);
        }
        self.step(plan, at + 1)?;
        Ok(*once)
    }

    /// Derives the head and keeps the instance.
    fn emit(&mut self, plan: &Plan) -> Result<(), NotGround> {
        let head = self.build(&plan.head);
        if plan.keep {
            let trail = &self.trail[..plan.recorded];
            self.instances.literals.extend(trail.iter().map(|a| Literal(a << 1)));
            for atom in &plan.negative {
                let atom = self.build(atom);
                self.instances.literals.push(Literal(atom << 1 | 1));
            }
            self.instances.heads.push(head);
            self.instances.ends.push(self.instances.literals.len());
        }
        if self.store.derive(head) {
            match plan.head.rel {
                Rel::NEXT => self.derive_as(Rel::TRUE, head),
                Rel::LEGAL => self.does(head),
                _ => {}
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), NotGround> {
        self.budget.check()?;
        let size = self.store.atoms.len() + self.instances.heads.len();
        if size > MOST || self.ticks > MOST_ROWS { Err(NotGround::TooLarge) } else { Ok(()) }
    }

    fn build(&mut self, atom: &BuildAtom) -> u32 {
        self.args.clear();
        for arg in &atom.args {
            let value = arg.value(&self.env, &mut self.store.terms);
            self.args.push(value);
        }
        self.store.atoms.intern(atom.rel, &self.args)
    }

    /// Derives the atom of another relation with the same arguments.
    fn derive_as(&mut self, rel: Rel, atom: u32) {
        self.args.clear();
        self.args.extend_from_slice(self.store.atoms.args(atom));
        let atom = self.store.atoms.intern(rel, &self.args);
        self.store.derive(atom);
    }

    /// A role may do what is legal for it; others may not.
    fn does(&mut self, legal: u32) {
        let role = self.store.atoms.args(legal)[0];
        let role = self.store.atoms.intern(Rel::ROLE, &[role]);
        if self.store.atoms.derived(role) {
            self.derive_as(Rel::DOES, legal);
        }
    }
}
