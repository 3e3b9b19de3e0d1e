//! `GroundingProgram` -> all reachable atoms and the instances of its clauses: semi-naive evaluation.
//!
//! Relations that depend on neither state nor moves are evaluated first, in the order of their
//! dependencies and with negation. All others are evaluated together with negation dropped, `true`
//! from `init` and `next`, `does` from `legal`; every instance of a clause is met exactly once, when
//! the last of its atoms is new, and kept as a ground rule.

use super::growth::is_endless;
use super::plan::{self, BuildAtom, JoinPlan, JoinStep, Window, plans};
use super::program::{GroundingProgram, ProgramClause, Scope};
use super::store::{AtomStore, NONE};
use super::{GroundLiteral, NotGround};
use ludex_gdl::budget::Budget;
use ludex_gdl::digraph::components;
use ludex_gdl::rules::{self, LARGEST_TERM, Rel, Rules, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;

/// A game with more atoms and instances is not grounded: the network would be of no use.
pub const MOST: usize = 36_000_000;
/// Conditions of all instances together.
const MOST_LITERALS: usize = 2_000_000_000;
/// A game that needs more rows to be gone through is not grounded.
const MOST_ROWS: u64 = 3_000_000_000;

/// All atoms found and the ground rules among them.
pub struct Instances {
    pub store: AtomStore,
    pub rows: Rows,
}

/// Where nothing bounds the terms it is given up much sooner: only few of them are ever of use.
const MOST_ENDLESS: usize = 20_000;

/// Relations that hold this share of all that was found are heavy.
const HEAVY_SHARE: usize = 500;
/// The size at which heavy relations are looked for.
const LARGE: usize = 4_000_000;
/// The size at which arguments that say nothing are left out, where there are any.
const MIDDLING: usize = 100_000;

impl Instances {
    /// All that the rules of a game can derive. Where that is much, relations with many atoms or
    /// instances are derived only where another rule asks for them, and choices are made in blocks.
    pub(crate) fn of_game(rules: &Rules, budget: &Budget) -> Result<Instances, NotGround> {
        let mut all = GroundingProgram::new(rules, Scope::Game, budget)?;
        if is_endless(rules) {
            let found = evaluate(&all, MOST_ENDLESS, budget, |_| ());
            return found.map_err(Early::of_endless);
        }
        if let Some(program) = all.freed()
            && matches!(evaluate(&all, MIDDLING, budget, |_| ()), Err(Early::Grown(_)))
        {
            all = program;
        }
        let mut found = evaluate(&all, LARGE, budget, |_| ());
        if let Err(Early::Grown(part)) = &found
            && !part.has_facts()
            && let Some(program) = GroundingProgram::constrained(rules, &part.heavy(&all), budget)?
        {
            all = program;
            found = evaluate(&all, LARGE, budget, |_| ());
        }
        let mut heavy = match found {
            Ok(found) => return Ok(found.unfolded(&all, budget)),
            Err(Early::Failed(why)) => return Err(why),
            Err(Early::Grown(found)) => found.heavy(&all),
        };
        let all = all.covered(budget)?.unwrap_or(all);
        heavy.resize(all.relations, false);
        Instances::of(&all.on_demand(&heavy), budget)
    }

    /// The same with fewer instances, where large fixed relations are better not made.
    fn unfolded(self, program: &GroundingProgram, budget: &Budget) -> Instances {
        let Some(program) = program.unfolded(&self) else { return self };
        match evaluate(&program, self.rows.heads.len(), budget, |_| ()) {
            Ok(found) if found.rows.heads.len() < self.rows.heads.len() / 2 => found,
            _ => self,
        }
    }

    /// All that any rule can derive.
    pub fn of_everything(rules: &Rules, budget: &Budget) -> Result<Instances, NotGround> {
        Instances::within(rules, MOST, budget)
    }

    pub fn of(program: &GroundingProgram, budget: &Budget) -> Result<Instances, NotGround> {
        evaluate(program, MOST, budget, |_| ()).map_err(Early::why)
    }

    /// All that any rule can derive, given up where it is more than `most` atoms and instances.
    pub fn within(rules: &Rules, most: usize, budget: &Budget) -> Result<Instances, NotGround> {
        let program = GroundingProgram::new(rules, Scope::Everything, budget)?;
        if is_endless(rules) {
            let found = evaluate(&program, most.min(MOST_ENDLESS), budget, |_| ());
            return found.map_err(Early::of_endless);
        }
        evaluate(&program, most, budget, |_| ()).map_err(Early::why)
    }

    /// All that follows from given facts without negative conditions.
    pub(crate) fn of_plus(
        rules: &Rules,
        budget: &Budget,
        given: impl FnOnce(&mut AtomStore),
    ) -> Result<Instances, NotGround> {
        let program = GroundingProgram::new(rules, Scope::Plus, budget)?;
        evaluate(&program, MOST, budget, given).map_err(Early::why)
    }

    pub fn terms(&self) -> &Terms {
        &self.store.terms
    }

    /// The arguments of the atoms of a relation, in the order found.
    pub fn atoms_of(&self, rel: Rel) -> impl Iterator<Item = &[TermId]> {
        self.store.derived(rel).iter().map(|a| self.store.atoms.args(*a))
    }

    /// How many terms with each function, by name and arity, occur in the atoms.
    pub(crate) fn function_counts(&self) -> FxHashMap<(Symbol, u32), usize> {
        let terms = &self.store.terms;
        let mut seen = vec![false; terms.len()];
        let mut stack: Vec<TermId> = Vec::new();
        let mut counts = FxHashMap::default();
        for a in 0..self.store.atoms.len() as u32 {
            if self.store.atoms.derived(a) {
                stack.extend_from_slice(self.store.atoms.args(a));
            }
            while let Some(t) = stack.pop() {
                if !std::mem::replace(&mut seen[t.0 as usize], true) {
                    let args = terms.args(t);
                    *counts.entry((terms.functor(t), args.len() as u32)).or_insert(0) += 1;
                    stack.extend_from_slice(args);
                }
            }
        }
        counts
    }

    /// The atoms of a relation as text, without its name, sorted.
    pub fn texts_without_name(&self, rules: &Rules, rel: Rel) -> Vec<String> {
        let text = |t: &TermId| self.store.terms.text(&rules.symbols, *t, false);
        let join = |args: &[TermId]| args.iter().map(text).collect::<Vec<_>>().join(" ");
        let mut texts: Vec<String> = self.atoms_of(rel).map(join).collect();
        texts.sort();
        texts
    }

    /// Has the evaluation come to the facts that change?
    fn has_facts(&self) -> bool {
        !self.store.derived(Rel::TRUE).is_empty()
    }

    /// The relations, no keywords, with a large share of the atoms and instances found.
    fn heavy(&self, program: &GroundingProgram) -> Vec<bool> {
        let mut sizes = vec![0usize; program.relations];
        let rel = |a: u32| self.store.atoms.rel(a).index();
        let atoms = (0..self.store.atoms.len() as u32).map(rel);
        let heads = self.rows.heads.iter().map(|h| rel(*h));
        atoms.chain(heads).filter(|r| *r < program.relations).for_each(|r| sizes[r] += 1);
        let all: usize = sizes.iter().sum();
        let first = program.used_by(&[Rel::INIT, Rel::ROLE]);
        // What is finished before the state comes in is no burden, unless it is not even finished.
        let started = self.has_facts();
        let heavy = |(rel, size): (usize, usize)| {
            let matters = !first[rel] && (program.dynamic[rel] || !started);
            matters && !Rel(rel as u32).is_keyword() && size > all / HEAVY_SHARE
        };
        sizes.into_iter().enumerate().map(heavy).collect()
    }
}

/// A clause is planned anew when its rows have grown this many times: sizes decide the order of joins.
const REPLAN: usize = 4;

/// Ground rules: heads and bodies of different length in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub heads: Vec<u32>,
    /// `ends[i]`: where the conditions of rule `i` end.
    pub ends: Vec<usize>,
    pub literals: Vec<GroundLiteral>,
}

impl Rows {
    pub fn push(&mut self, head: u32, body: &[GroundLiteral]) {
        self.heads.push(head);
        self.literals.extend_from_slice(body);
        self.ends.push(self.literals.len());
    }

    pub fn body(&self, i: usize) -> &[GroundLiteral] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.literals[start..self.ends[i]]
    }
}

/// How an evaluation ended early: with what it had found, where it grew too large.
pub enum Early {
    Failed(NotGround),
    Grown(Box<Instances>),
}

impl Early {
    fn why(self) -> NotGround {
        match self {
            Early::Failed(why) => why,
            Early::Grown(_) => NotGround::TooLarge,
        }
    }

    /// Where nothing bounds the terms.
    fn of_endless(self) -> NotGround {
        match self {
            Early::Failed(why) => why,
            Early::Grown(_) => NotGround::Endless,
        }
    }
}

/// Evaluates a program from given facts. `most`: atoms and instances at which it gives up.
pub fn evaluate(
    program: &GroundingProgram,
    most: usize,
    budget: &Budget,
    given: impl FnOnce(&mut AtomStore),
) -> Result<Instances, Early> {
    let mut eval = Eval {
        found: Instances { store: AtomStore::new(program.relations), rows: Rows::default() },
        env: vec![],
        trail: vec![],
        args: vec![],
        keys: vec![],
        ticks: 0,
        most,
        budget,
    };
    given(&mut eval.found.store);
    match eval.all(program).and_then(|()| eval.check_terms()) {
        Ok(()) => Ok(eval.found),
        Err(NotGround::TooLarge) => Err(Early::Grown(Box::new(eval.found))),
        Err(why) => Err(Early::Failed(why)),
    }
}

/// The static relations in groups that depend on each other, lower ones first.
fn static_groups(program: &GroundingProgram) -> Vec<Vec<Rel>> {
    let mut edges = vec![Vec::new(); program.relations];
    for clause in &program.clauses {
        for part in &clause.body {
            if let rules::Literal::Pos(a) | rules::Literal::Neg(a) = &part.literal {
                edges[clause.head.rel.index()].push(a.rel.0);
            }
        }
    }
    let groups = components(program.relations, |r| &edges[r as usize]);
    let rels = groups.iter().map(|g| g.iter().copied().map(Rel).collect::<Vec<Rel>>());
    rels.filter(|g| !program.dynamic[g[0].index()]).collect()
}

struct Eval<'a> {
    found: Instances,
    /// Values of the variables, atoms of the conditions, scratch for arguments and keys.
    env: Vec<u32>,
    trail: Vec<u32>,
    args: Vec<TermId>,
    keys: Vec<u32>,
    /// Rows gone through.
    ticks: u64,
    most: usize,
    budget: &'a Budget,
}

impl Eval<'_> {
    /// Static relations first, then all others together.
    fn all(&mut self, program: &GroundingProgram) -> Result<(), NotGround> {
        for group in static_groups(program) {
            let mut growing = vec![false; program.relations];
            group.iter().for_each(|r| growing[r.index()] = true);
            self.fixpoint(program, &growing)?;
        }
        if !program.dynamic[Rel::TRUE.index()] {
            return Ok(());
        }
        for rel in [Rel::INIT, Rel::NEXT] {
            for atom in self.found.store.derived(rel).to_vec() {
                self.derive_as(Rel::TRUE, atom);
            }
        }
        for atom in self.found.store.derived(Rel::LEGAL).to_vec() {
            self.does(atom);
        }
        self.fixpoint(program, &program.dynamic)
    }

    /// Evaluates the clauses of the growing relations until nothing new comes.
    fn fixpoint(&mut self, program: &GroundingProgram, growing: &[bool]) -> Result<(), NotGround> {
        let mut rounds: Vec<(&ProgramClause, Vec<JoinPlan>, usize)> = Vec::new();
        for clause in program.clauses.iter().filter(|c| growing[c.head.rel.index()]) {
            let plans = plans(clause, growing, &program.dynamic, &mut self.found.store);
            if plans[0].delta.is_some() {
                rounds.push((clause, plans, 0))
            } else {
                self.run(&plans[0])?
            }
        }
        self.found.store.all_new(growing);
        while self.found.store.turn() {
            for (clause, plans, planned) in &mut rounds {
                let rows = self.rows_of(plans);
                if rows > *planned * REPLAN {
                    *plans = plan::plans(clause, growing, &program.dynamic, &mut self.found.store);
                    *planned = rows;
                }
                for plan in plans.iter() {
                    let view = &self.found.store.views[plan.delta.expect("of a round")];
                    if view.old < view.all {
                        self.run(plan)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The rows of the views that grow under these plans.
    fn rows_of(&self, plans: &[JoinPlan]) -> usize {
        let views = plans.iter().filter_map(|p| p.delta);
        views.map(|v| self.found.store.views[v].all as usize).sum()
    }

    fn run(&mut self, plan: &JoinPlan) -> Result<(), NotGround> {
        self.env.resize(self.env.len().max(plan.vars), NONE);
        self.trail.resize(self.trail.len().max(plan.recorded), NONE);
        self.step(plan, 0)
    }

    fn step(&mut self, plan: &JoinPlan, at: usize) -> Result<(), NotGround> {
        let Some(step) = plan.steps.get(at) else { return self.emit(plan) };
        match step {
            JoinStep::Match { view, rows, index, key, .. } => {
                let (from, to) = {
                    let v = &self.found.store.views[*view];
                    match rows {
                        Window::New => (v.old, v.all),
                        Window::Old => (0, v.old),
                        Window::All => (0, v.all),
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
                    let value = k.value(&self.env, &mut self.found.store.terms).0;
                    self.keys.push(value);
                }
                let mut row = self.found.store.views[*view].first(*index, &self.keys);
                while row != NONE && row >= from {
                    if row < to && self.take(plan, at, row)? {
                        break;
                    }
                    row = self.found.store.views[*view].next(*index, row);
                }
                Ok(())
            }
            JoinStep::Absent(atom) => {
                let atom = self.build(atom);
                if self.found.store.atoms.derived(atom) { Ok(()) } else { self.step(plan, at + 1) }
            }
            JoinStep::Distinct(a, b) => {
                let a = a.value(&self.env, &mut self.found.store.terms);
                let b = b.value(&self.env, &mut self.found.store.terms);
                if a == b { Ok(()) } else { self.step(plan, at + 1) }
            }
        }
    }

    /// Goes on with one row of a view. True: no other row is needed.
    fn take(&mut self, plan: &JoinPlan, at: usize, row: u32) -> Result<bool, NotGround> {
        let JoinStep::Match { view, binds, checks, record, once, .. } = &plan.steps[at] else {
            unreachable!("only matches have rows")
        };
        self.ticks += 1;
        if self.ticks.is_multiple_of(4096) {
            self.check()?;
        }
        let view = &self.found.store.views[*view];
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
    fn emit(&mut self, plan: &JoinPlan) -> Result<(), NotGround> {
        let head = self.build(&plan.head);
        if plan.keep {
            let trail = &self.trail[..plan.recorded];
            self.found.rows.literals.extend(trail.iter().map(|a| GroundLiteral(a << 1)));
            for atom in &plan.negative {
                let atom = self.build(atom);
                self.found.rows.literals.push(GroundLiteral(atom << 1 | 1));
            }
            self.found.rows.heads.push(head);
            self.found.rows.ends.push(self.found.rows.literals.len());
        }
        if self.found.store.derive(head) && plan.feeds {
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
        let size = self.found.store.atoms.len() + self.found.rows.heads.len();
        let large = size > self.most || self.found.rows.literals.len() > MOST_LITERALS;
        if large || self.ticks > MOST_ROWS { Err(NotGround::TooLarge) } else { self.check_terms() }
    }

    /// Terms whose texts no memory holds are given up.
    fn check_terms(&self) -> Result<(), NotGround> {
        let long = self.found.store.terms.largest() > LARGEST_TERM;
        if long { Err(NotGround::TooLarge) } else { Ok(()) }
    }

    fn build(&mut self, atom: &BuildAtom) -> u32 {
        self.args.clear();
        for arg in &atom.args {
            let value = arg.value(&self.env, &mut self.found.store.terms);
            self.args.push(value);
        }
        self.found.store.atoms.intern(atom.rel, &self.args)
    }

    /// Derives the atom of another relation with the same arguments.
    fn derive_as(&mut self, rel: Rel, atom: u32) {
        self.args.clear();
        self.args.extend_from_slice(self.found.store.atoms.args(atom));
        let atom = self.found.store.atoms.intern(rel, &self.args);
        self.found.store.derive(atom);
    }

    /// A role may do what is legal for it; others may not.
    fn does(&mut self, legal: u32) {
        let role = self.found.store.atoms.args(legal)[0];
        let role = self.found.store.atoms.intern(Rel::ROLE, &[role]);
        if self.found.store.atoms.derived(role) {
            self.derive_as(Rel::DOES, legal);
        }
    }
}
