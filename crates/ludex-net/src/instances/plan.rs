//! `ProgramClause` -> `JoinPlan`: in which order its literals are joined, and by which index.

use super::program::{BodyLiteral, ProgramClause};
use super::store::{AtomStore, TermPattern};
use ludex_gdl::rules::{Atom, Literal, Rel, Symbol, Term, TermId, Terms};

/// A term to be built from the values of the variables.
#[derive(Clone, Debug)]
pub enum Build {
    Var(u32),
    Ground(TermId),
    App(Symbol, Vec<Build>),
}

impl Build {
    pub fn new(term: &Term, terms: &mut Terms) -> Build {
        match term {
            Term::Var(v) => Build::Var(*v),
            Term::App(f, args) => {
                let args: Vec<Build> = args.iter().map(|a| Build::new(a, terms)).collect();
                let ground = |b: &Build| match b {
                    Build::Ground(t) => Some(*t),
                    _ => None,
                };
                match args.iter().map(ground).collect::<Option<Vec<TermId>>>() {
                    Some(args) => Build::Ground(terms.intern(*f, &args)),
                    None => Build::App(*f, args),
                }
            }
        }
    }

    pub fn value(&self, env: &[u32], terms: &mut Terms) -> TermId {
        match self {
            Build::Var(v) => TermId(env[*v as usize]),
            Build::Ground(t) => *t,
            Build::App(f, args) if args.len() <= 8 => {
                let mut values = [TermId(0); 8];
                for (v, a) in values.iter_mut().zip(args) {
                    *v = a.value(env, terms);
                }
                terms.intern(*f, &values[..args.len()])
            }
            Build::App(f, args) => {
                let values: Vec<TermId> = args.iter().map(|a| a.value(env, terms)).collect();
                terms.intern(*f, &values)
            }
        }
    }
}

/// An atom to be built.
#[derive(Clone, Debug)]
pub struct BuildAtom {
    pub rel: Rel,
    pub args: Vec<Build>,
}

impl BuildAtom {
    fn new(atom: &Atom, terms: &mut Terms) -> BuildAtom {
        BuildAtom { rel: atom.rel, args: atom.args.iter().map(|t| Build::new(t, terms)).collect() }
    }
}

/// Which rows of a view a step sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    New,
    Old,
    All,
}

#[derive(Clone, Debug)]
pub enum JoinStep {
    /// Goes through the rows of a view.
    Match {
        view: usize,
        rows: Window,
        /// The index by the columns that are bound; none: a scan.
        index: Option<usize>,
        key: Vec<Build>,
        /// Columns that bind a variable, and columns that must equal one bound in the same row.
        binds: Vec<(usize, u32)>,
        checks: Vec<(usize, u32)>,
        /// Where the atom is noted as a condition.
        record: Option<usize>,
        /// One row is enough: nothing bound here is used.
        once: bool,
    },
    /// Goes on only if the atom of a finished relation was not derived.
    Absent(BuildAtom),
    Distinct(Build, Build),
}

#[derive(Clone, Debug)]
pub struct JoinPlan {
    /// The view whose new rows the plan goes through; none: the plan runs once.
    pub delta: Option<usize>,
    pub steps: Vec<JoinStep>,
    pub head: BuildAtom,
    /// The number of positive conditions, and the negative ones.
    pub recorded: usize,
    pub negative: Vec<BuildAtom>,
    pub vars: usize,
    /// Whether instances are conditions of their head (else the head is static or a guard).
    pub keep: bool,
    /// Whether `true` and `does` follow from what is derived.
    pub feeds: bool,
}

/// The plans of a clause: one for each literal of a growing relation, or one in all.
pub fn plans(
    clause: &ProgramClause,
    growing: &[bool],
    dynamic: &[bool],
    store: &mut AtomStore,
) -> Vec<JoinPlan> {
    let is_delta =
        |p: &BodyLiteral| matches!(&p.literal, Literal::Pos(a) if growing[a.rel.index()]);
    let deltas: Vec<usize> =
        (0..clause.body.len()).filter(|i| is_delta(&clause.body[*i])).collect();
    if deltas.is_empty() {
        return vec![JoinPlanner::new(clause, growing, dynamic, store, None).plan()];
    }
    let plan = |d: &usize| JoinPlanner::new(clause, growing, dynamic, store, Some(*d)).plan();
    deltas.iter().map(plan).collect()
}

struct JoinPlanner<'a> {
    clause: &'a ProgramClause,
    growing: &'a [bool],
    dynamic: &'a [bool],
    store: &'a mut AtomStore,
    delta: Option<usize>,
    bound: Vec<bool>,
    waiting: Vec<usize>,
    steps: Vec<JoinStep>,
    recorded: usize,
}

impl<'a> JoinPlanner<'a> {
    fn new(
        clause: &'a ProgramClause,
        growing: &'a [bool],
        dynamic: &'a [bool],
        store: &'a mut AtomStore,
        delta: Option<usize>,
    ) -> JoinPlanner<'a> {
        let bound = vec![false; clause.vars as usize];
        let waiting = (0..clause.body.len()).filter(|i| Some(*i) != delta).collect();
        JoinPlanner {
            clause,
            growing,
            dynamic,
            store,
            delta,
            bound,
            waiting,
            steps: vec![],
            recorded: 0,
        }
    }

    fn plan(mut self) -> JoinPlan {
        let delta = self.delta.map(|d| self.join(d));
        let mut negative = Vec::new();
        self.filters(&mut negative);
        while let Some(next) = self.cheapest() {
            self.waiting.retain(|w| *w != next);
            self.join(next);
            self.filters(&mut negative);
        }
        assert!(self.waiting.is_empty(), "an unsafe clause");
        let clause = self.clause;
        let head = BuildAtom::new(&clause.head, &mut self.store.terms);
        let guard = !clause.body.is_empty() && clause.body.iter().all(|p| p.guard);
        let mut plan = JoinPlan {
            delta,
            steps: self.steps,
            head,
            recorded: self.recorded,
            negative,
            vars: clause.vars as usize,
            keep: self.dynamic[clause.head.rel.index()] && !guard,
            feeds: self.dynamic[Rel::TRUE.index()],
        };
        mark_once(&mut plan);
        plan
    }

    /// Takes in every waiting filter whose variables are bound.
    fn filters(&mut self, negative: &mut Vec<BuildAtom>) {
        for w in std::mem::take(&mut self.waiting) {
            let literal = &self.clause.body[w].literal;
            let mut ready = !matches!(literal, Literal::Pos(_));
            literal.for_each_var(&mut |v| ready &= self.bound[v as usize]);
            if !ready {
                self.waiting.push(w);
                continue;
            }
            let terms = &mut self.store.terms;
            match literal {
                Literal::Neg(a) if self.dynamic[a.rel.index()] => {
                    if !self.clause.body[w].guard {
                        negative.push(BuildAtom::new(a, terms))
                    }
                }
                Literal::Neg(a) => self.steps.push(JoinStep::Absent(BuildAtom::new(a, terms))),
                Literal::Distinct(a, b) => {
                    self.steps.push(JoinStep::Distinct(Build::new(a, terms), Build::new(b, terms)))
                }
                Literal::Pos(_) => unreachable!("not a filter"),
            }
        }
    }

    /// The positive literal with the fewest rows to go through, by estimate.
    fn cheapest(&mut self) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for w in self.waiting.clone() {
            let Literal::Pos(atom) = &self.clause.body[w].literal else { continue };
            if self.only_filters(w) {
                continue;
            }
            let cost = self.estimate(atom);
            if best.is_none_or(|(c, _)| cost < c) {
                best = Some((cost, w));
            }
        }
        best.map(|(_, w)| w)
    }

    /// A guard of one argument waits until a condition has bound it: its values, though few, are values
    /// of that condition and would all be tried with all others.
    fn only_filters(&self, at: usize) -> bool {
        let clause = self.clause;
        let Literal::Pos(Atom { args, .. }) = &clause.body[at].literal else { return false };
        let [Term::Var(var)] = args[..] else { return false };
        let binds = |w: &usize| {
            let mut found = false;
            let literal = &clause.body[*w].literal;
            literal.for_each_var(&mut |v| found |= v == var);
            found && !clause.body[*w].guard && matches!(literal, Literal::Pos(_))
        };
        clause.body[at].guard && !self.bound[var as usize] && self.waiting.iter().any(binds)
    }

    fn estimate(&mut self, atom: &Atom) -> f64 {
        let (view, holes) = view_of(self.store, atom);
        let free = |t: &Term| matches!(t, Term::Var(v) if !self.bound[*v as usize]);
        if self.growing[atom.rel.index()] && self.store.views[view].len() == 0 {
            return 16f64.powi(holes.iter().filter(|t| free(t)).count() as i32);
        }
        let view = &self.store.views[view];
        let mut rows = view.len() as f64;
        for (column, t) in holes.iter().enumerate() {
            if !free(t) {
                rows /= view.distinct(column).max(1) as f64;
            }
        }
        rows
    }

    /// Adds the step that matches a positive literal; its view.
    fn join(&mut self, at: usize) -> usize {
        let clause = self.clause;
        let Literal::Pos(atom) = &clause.body[at].literal else { unreachable!("positive") };
        let (view, holes) = view_of(self.store, atom);
        let (mut columns, mut key) = (Vec::new(), Vec::new());
        let (mut binds, mut checks) = (Vec::new(), Vec::new());
        for (column, t) in holes.into_iter().enumerate() {
            match t {
                Term::Var(v) if binds.iter().any(|(_, b)| b == v) => checks.push((column, *v)),
                Term::Var(v) if !self.bound[*v as usize] => binds.push((column, *v)),
                _ => {
                    columns.push(column);
                    key.push(Build::new(t, &mut self.store.terms));
                }
            }
        }
        for (_, v) in &binds {
            self.bound[*v as usize] = true;
        }
        let grows = self.growing[atom.rel.index()];
        let rows = match self.delta {
            Some(d) if d == at => Window::New,
            Some(d) if grows && at > d => Window::Old,
            _ => Window::All,
        };
        let index = (!columns.is_empty()).then(|| self.store.views[view].index(&columns));
        let recorded = self.dynamic[atom.rel.index()] && !clause.body[at].guard;
        let record = recorded.then_some(self.recorded);
        self.recorded += recorded as usize;
        let once = false;
        self.steps.push(JoinStep::Match { view, rows, index, key, binds, checks, record, once });
        view
    }
}

/// A step that binds only what is used nowhere later, and notes no condition, needs one row.
fn mark_once(plan: &mut JoinPlan) {
    let mut used = vec![false; plan.vars];
    let mut note = |b: &Build| note_vars(b, &mut used);
    plan.head.args.iter().for_each(&mut note);
    plan.negative.iter().flat_map(|a| &a.args).for_each(&mut note);
    for step in plan.steps.iter_mut().rev() {
        match step {
            JoinStep::Match { binds, key, record, once, .. } => {
                *once = record.is_none() && binds.iter().all(|(_, v)| !used[*v as usize]);
                key.iter().for_each(|b| note_vars(b, &mut used));
            }
            JoinStep::Absent(a) => a.args.iter().for_each(|b| note_vars(b, &mut used)),
            JoinStep::Distinct(a, b) => {
                note_vars(a, &mut used);
                note_vars(b, &mut used);
            }
        }
    }
}

fn note_vars(build: &Build, used: &mut [bool]) {
    match build {
        Build::Var(v) => used[*v as usize] = true,
        Build::Ground(_) => {}
        Build::App(_, args) => args.iter().for_each(|a| note_vars(a, used)),
    }
}

/// The view through which a literal sees its relation, and what fills its holes.
fn view_of<'t>(store: &mut AtomStore, atom: &'t Atom) -> (usize, Vec<&'t Term>) {
    let mut holes = Vec::new();
    let shapes = atom.args.iter().map(|t| TermPattern::of(t, &mut holes)).collect();
    (store.view(atom.rel, shapes), holes)
}
