//! `Rules` -> `FrameReach`: a superset of the facts, moves and static atoms that can occur.
//!
//! Exact instances where they are few; else the domain graph, which looks at each argument by itself.

use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Literal, Rel, Rules, Symbol, Term, TermId, Terms};
use ludex_net::domains::{DomainGraph, DomainOwner};
use ludex_net::instances::{Instances, NotGround};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Instances of the whole game are computed up to this many, and those of static relations alone.
const MOST: usize = 1_000_000;
/// More tuples of one fluent or action are not gone through.
const MOST_TUPLES: usize = 20_000;

/// A rule is written out for each value of a variable if these are no more.
const FEW: usize = 2;

type FluentName = (Symbol, usize);

/// The arguments a fluent or action can have, none where they are too many.
type ArgumentTuples = Option<Vec<Vec<TermId>>>;

/// What facts and moves can be, by an estimate from above.
pub struct FrameReach {
    terms: Terms,
    roles: Vec<Term>,
    fluents: Vec<FluentName>,
    actions: Vec<Vec<FluentName>>,
    fluent_tuples: FxHashMap<FluentName, ArgumentTuples>,
    action_tuples: FxHashMap<(usize, FluentName), ArgumentTuples>,
    /// By relation: does it depend on neither state nor moves, and are its atoms known?
    known: Vec<bool>,
    atoms: FxHashSet<(Rel, Vec<TermId>)>,
    answers: RefCell<FxHashMap<ReachQuestion, bool>>,
    /// Do the instances come from the rules as a whole, and not from single arguments?
    pub exact: bool,
    /// What could not be found out.
    pub notes: Vec<String>,
}

/// What is asked of the instances of a fluent, or of the action of a role.
type ReachQuestion = (Option<usize>, Term, Vec<Literal>);

impl FrameReach {
    /// The estimate for a game.
    pub fn new(rules: &Rules, budget: &Budget) -> Result<FrameReach, Stop> {
        budget.begin("reachable", 0);
        let mut reach = FrameReach {
            terms: Terms::default(),
            roles: vec![],
            fluents: vec![],
            actions: vec![],
            fluent_tuples: FxHashMap::default(),
            action_tuples: FxHashMap::default(),
            known: vec![false; rules.relations.len()],
            atoms: FxHashSet::default(),
            answers: RefCell::default(),
            exact: true,
            notes: vec![],
        };
        match Instances::within(rules, MOST, budget) {
            Ok(found) => reach.take_instances(rules, &found),
            Err(NotGround::Stopped(stop)) => return Err(stop),
            Err(_) => reach.take_domains(rules, budget)?,
        }
        Ok(reach)
    }

    /// The roles, in their order.
    pub fn roles(&self) -> &[Term] {
        &self.roles
    }

    /// The fluent names, by symbol.
    pub fn fluents(&self) -> &[FluentName] {
        &self.fluents
    }

    /// The action names of each role, by symbol.
    pub(crate) fn actions(&self) -> &[Vec<FluentName>] {
        &self.actions
    }

    /// Can the value of this literal be read off instances?
    pub fn knows(&self, literal: &Literal) -> bool {
        let known = |rel: Rel| self.known.get(rel.index()) == Some(&true);
        literal.atom().is_none_or(|a| known(a.rel))
    }

    fn take_instances(&mut self, rules: &Rules, found: &Instances) {
        self.terms = found.terms().clone();
        self.take_statics(rules, found);
        for args in found.atoms_of(Rel::TRUE) {
            let (name, tuple) = self.split(args[0]);
            note(&mut self.fluent_tuples, name, tuple);
        }
        for args in found.atoms_of(Rel::LEGAL) {
            let role = self.terms.to_term(args[0]);
            if let Some(role) = self.roles.iter().position(|r| *r == role) {
                let (name, tuple) = self.split(args[1]);
                note(&mut self.action_tuples, (role, name), tuple);
            }
        }
        self.fluents = self.fluent_tuples.keys().copied().collect();
        self.fluents.sort_unstable();
        self.actions = vec![vec![]; self.roles.len()];
        for (role, name) in self.action_tuples.keys() {
            self.actions[*role].push(*name);
        }
        self.actions.iter_mut().for_each(|names| names.sort_unstable());
    }

    /// The roles and the atoms of relations that depend on neither state nor moves.
    fn take_statics(&mut self, rules: &Rules, found: &Instances) {
        let dynamic = dynamic(rules);
        for (r, dynamic) in dynamic.iter().enumerate() {
            let rel = Rel(r as u32);
            if *dynamic || rel.is_given() || rel == Rel::NEXT {
                continue;
            }
            self.known[r] = true;
            self.atoms.extend(found.atoms_of(rel).map(|args| (rel, args.to_vec())));
        }
        let roles = found.atoms_of(Rel::ROLE).map(|args| found.terms().to_term(args[0]));
        self.roles = roles.collect();
    }

    fn split(&self, term: TermId) -> (FluentName, Vec<TermId>) {
        let args = self.terms.args(term);
        ((self.terms.functor(term), args.len()), args.to_vec())
    }

    /// The game is too large: static relations by themselves, and domains of single arguments.
    fn take_domains(&mut self, rules: &Rules, budget: &Budget) -> Result<(), Stop> {
        self.exact = false;
        self.notes.push("facts and moves from the domain graph: the instances are too many".into());
        let dynamic = dynamic(rules);
        let mut statics = rules.clone();
        statics.rules.retain(|r| !dynamic[r.head.rel.index()]);
        match Instances::within(&statics, MOST, budget) {
            Ok(found) => {
                self.terms = found.terms().clone();
                self.take_statics(rules, &found);
            }
            Err(NotGround::Stopped(stop)) => return Err(stop),
            Err(_) => self.roles_as_written(rules),
        }
        // Declarations may lack something, so they do not count.
        let mut undeclared = rules.clone();
        undeclared.rules.retain(|r| r.head.rel != Rel::BASE && r.head.rel != Rel::INPUT);
        let graph = DomainGraph::new(&undeclared);
        self.fluents = names(&graph, Rel::TRUE, 1);
        for name in self.fluents.clone() {
            let tuples = self.product(&graph, name);
            self.fluent_tuples.insert(name, tuples);
        }
        self.actions = self.roles.iter().map(|role| actions_of(rules, &graph, role)).collect();
        for role in 0..self.roles.len() {
            for name in self.actions[role].clone() {
                let tuples = self.product(&graph, name);
                self.action_tuples.insert((role, name), tuples);
            }
        }
        Ok(())
    }

    fn roles_as_written(&mut self, rules: &Rules) {
        let heads = rules.defining(Rel::ROLE).map(|r| r.head.args[0].clone());
        self.roles = heads.filter(Term::is_ground).collect();
    }

    /// All combinations of constants that the arguments can be.
    fn product(&mut self, graph: &DomainGraph, (f, arity): FluentName) -> ArgumentTuples {
        let mut tuples = vec![vec![]];
        for argument in 1..=arity as u32 {
            let domain = graph.domain(DomainOwner::Function(f, arity as u32), argument);
            if domain.iter().any(|d| d.1 > 0) || tuples.len() * domain.len() > MOST_TUPLES {
                return None;
            }
            let values: Vec<TermId> = domain.iter().map(|d| self.terms.intern(d.0, &[])).collect();
            let longer = |tuple: &Vec<TermId>| -> Vec<Vec<TermId>> {
                values.iter().map(|v| tuple.iter().copied().chain([*v]).collect()).collect()
            };
            tuples = tuples.iter().flat_map(longer).collect();
        }
        Some(tuples)
    }

    /// Has a fluent (or the action of a role) an instance that can occur and for which the literals,
    /// all of them known and over its variables, are true? True where that cannot be told.
    pub fn possible(&self, role: Option<usize>, term: &Term, literals: &[Literal]) -> bool {
        let Some((args, tuples)) = self.tuples(role, term) else { return true };
        let question = (role, term.clone(), literals.to_vec());
        if let Some(answer) = self.answers.borrow().get(&question) {
            return *answer;
        }
        let answer = self.instances(args, tuples, literals).next().is_some();
        self.answers.borrow_mut().insert(question, answer);
        answer
    }

    /// A variable of the literals that has only few values in such instances, and more in others.
    pub(crate) fn few_values(
        &self,
        role: Option<usize>,
        term: &Term,
        literals: &[Literal],
    ) -> Option<(u32, Vec<Term>)> {
        let (args, tuples) = self.tuples(role, term)?;
        let mut vars = Vec::new();
        literals.iter().for_each(|l| l.for_each_var(&mut |v| vars.push(v)));
        vars.sort_unstable();
        vars.dedup();
        let values = |v: u32, literals| {
            let mut values: Vec<TermId> = Vec::new();
            for instance in self.instances(args, tuples, literals) {
                let value = instance.iter().find(|(w, _)| *w == v)?.1;
                if !values.contains(&value) {
                    values.push(value);
                }
                if values.len() > FEW {
                    return None;
                }
            }
            values.sort_unstable();
            Some(values)
        };
        let few = |v: u32| {
            let left = values(v, literals)?;
            (values(v, &[]).as_ref() != Some(&left)).then_some((v, left))
        };
        let (v, left) = vars.into_iter().filter_map(few).min_by_key(|(_, left)| left.len())?;
        Some((v, left.into_iter().map(|t| self.terms.to_term(t)).collect()))
    }

    /// The arguments of a term, and those it can have.
    fn tuples<'a>(
        &'a self,
        role: Option<usize>,
        term: &'a Term,
    ) -> Option<(&'a [Term], &'a [Vec<TermId>])> {
        let Term::App(f, args) = term else { return None };
        let tuples = match role {
            None => self.fluent_tuples.get(&(*f, args.len())),
            Some(role) => self.action_tuples.get(&(role, (*f, args.len()))),
        };
        let tuples = tuples?.as_deref()?;
        (tuples.len() <= MOST_TUPLES).then_some((args, tuples))
    }

    /// The values of the variables in those of the tuples for which the literals are true.
    fn instances<'a>(
        &'a self,
        args: &'a [Term],
        tuples: &'a [Vec<TermId>],
        literals: &'a [Literal],
    ) -> impl Iterator<Item = Vec<(u32, TermId)>> + 'a {
        tuples.iter().filter_map(move |tuple| {
            let mut values = Vec::new();
            let mut pairs = args.iter().zip(tuple);
            let fits = pairs.all(|(p, t)| self.fits(p, *t, &mut values));
            (fits && literals.iter().all(|l| self.holds(l, &values))).then_some(values)
        })
    }

    fn fits(&self, pattern: &Term, term: TermId, values: &mut Vec<(u32, TermId)>) -> bool {
        match pattern {
            Term::Var(v) => match values.iter().find(|(w, _)| w == v) {
                Some((_, value)) => *value == term,
                None => {
                    values.push((*v, term));
                    true
                }
            },
            Term::App(f, args) => {
                let inner = self.terms.args(term);
                self.terms.functor(term) == *f
                    && inner.len() == args.len()
                    && args.iter().zip(inner).all(|(p, t)| self.fits(p, *t, values))
            }
        }
    }

    fn holds(&self, literal: &Literal, values: &[(u32, TermId)]) -> bool {
        match literal {
            // A term that occurs nowhere differs from all that do.
            Literal::Distinct(a, b) => match (self.value(a, values), self.value(b, values)) {
                (None, None) => true,
                (a, b) => a != b,
            },
            Literal::Pos(atom) | Literal::Neg(atom) => {
                let args: Option<Vec<TermId>> =
                    atom.args.iter().map(|t| self.value(t, values)).collect();
                let derived = args.is_some_and(|args| self.atoms.contains(&(atom.rel, args)));
                derived == matches!(literal, Literal::Pos(_))
            }
        }
    }

    fn value(&self, term: &Term, values: &[(u32, TermId)]) -> Option<TermId> {
        match term {
            Term::Var(v) => values.iter().find(|(w, _)| w == v).map(|(_, t)| *t),
            Term::App(f, args) => {
                let args: Option<Vec<TermId>> =
                    args.iter().map(|t| self.value(t, values)).collect();
                self.terms.find(*f, &args?)
            }
        }
    }
}

fn note<K: std::hash::Hash + Eq>(
    tuples: &mut FxHashMap<K, ArgumentTuples>,
    name: K,
    tuple: Vec<TermId>,
) {
    let known = tuples.entry(name).or_insert_with(|| Some(vec![]));
    if let Some(list) = known {
        list.push(tuple);
        if list.len() > MOST_TUPLES {
            *known = None;
        }
    }
}

/// By relation: does it depend on the state or the moves?
pub fn dynamic(rules: &Rules) -> Vec<bool> {
    let mut dynamic = vec![false; rules.relations.len()];
    [Rel::TRUE, Rel::DOES].iter().for_each(|r| dynamic[r.index()] = true);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in &rules.rules {
            let asks = rule.body.iter().filter_map(Literal::atom).any(|a| dynamic[a.rel.index()]);
            let head = &mut dynamic[rule.head.rel.index()];
            changed |= asks && !*head;
            *head |= asks;
        }
    }
    dynamic
}

fn names(graph: &DomainGraph, rel: Rel, argument: u32) -> Vec<FluentName> {
    let domain = graph.domain(DomainOwner::Predicate(rel), argument).iter();
    let mut names: Vec<FluentName> = domain.map(|(f, n)| (*f, *n as usize)).collect();
    names.sort_unstable();
    names
}

/// The action names in the heads of the rules for `legal` that can speak of the role.
fn actions_of(rules: &Rules, graph: &DomainGraph, role: &Term) -> Vec<FluentName> {
    let mut found = Vec::new();
    for rule in rules.defining(Rel::LEGAL) {
        match (&rule.head.args[0], &rule.head.args[1]) {
            (r @ Term::App(..), _) if r != role => {}
            (_, Term::App(f, args)) => found.push((*f, args.len())),
            (_, Term::Var(_)) => found.extend(names(graph, Rel::LEGAL, 2)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
