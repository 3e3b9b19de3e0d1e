//! `Rules` -> `Prepared`: clauses over dense ids, with what the planner must know of every relation.
//!
//! Facts are split from rules; a negated literal with variables of its own becomes a relation, so
//! that negation is always a question about a ground atom.

use super::Problem;
use super::code::Validity;
use super::store::FactStore;
use super::tuples::Tuples;
use ludex_gdl::budget::Budget;
use ludex_gdl::digraph::components;
use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Term};

/// What a game is asked.
const QUERIES: [Rel; 6] = [Rel::ROLE, Rel::INIT, Rel::LEGAL, Rel::NEXT, Rel::TERMINAL, Rel::GOAL];

/// A term of a clause: ground terms are interned.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    Var(usize),
    Term(u32),
    App(u32, Vec<Pattern>),
}

#[derive(Clone, Debug)]
pub enum Goal {
    True(Pattern),
    Does(Pattern, Pattern),
    Relation(u32, Vec<Pattern>),
}

#[derive(Clone, Debug)]
pub enum Condition {
    Pos(Goal),
    Neg(Goal),
    Distinct(Pattern, Pattern),
}

#[derive(Clone, Debug)]
pub struct PreparedClause {
    pub head: Vec<Pattern>,
    pub body: Vec<Condition>,
    /// The number of variables.
    pub vars: usize,
}

#[derive(Clone, Debug)]
pub struct PreparedRelation {
    pub arity: usize,
    pub clauses: Vec<PreparedClause>,
    /// Moved to `Statics`.
    pub facts: Tuples,
    pub level: Validity,
    /// Does it depend on what is true?
    pub on_state: bool,
    /// The strongly connected component, numbered from the bottom.
    pub component: u32,
    pub recursive: bool,
    /// Columns that must be given before the relation can be asked.
    pub needs: Vec<bool>,
    /// Made for a connective: a variable that nobody binds stands for anything.
    pub auxiliary: bool,
}

pub struct Prepared {
    pub relations: Vec<PreparedRelation>,
    /// The relations of each component, from the bottom.
    pub components: Vec<Vec<u32>>,
    /// Stands for anything.
    pub any: u32,
    /// The relation of what becomes false, if there is one.
    pub fnext: Option<Rel>,
    /// `next` and `fnext` where they are split, with the relations of what does not depend on moves.
    pub splits: Vec<(Rel, u32)>,
}

impl Prepared {
    pub fn new(
        rules: &Rules,
        fnext: Option<Rel>,
        any: u32,
        store: &mut FactStore,
        budget: &Budget,
    ) -> Result<Prepared, Problem> {
        let relations =
            rules.relations.iter().map(|r| PreparedRelation::new(r.arity, r.auxiliary)).collect();
        let (components, splits) = (Vec::new(), Vec::new());
        let mut prepared = Prepared { relations, components, any, fnext, splits };
        let mut row = Vec::new();
        for rule in &rules.rules {
            budget.check().map_err(Problem::Stopped)?;
            if rule.head.rel == Rel::TRUE || rule.head.rel == Rel::DOES {
                continue;
            }
            if rule.body.is_empty() && rule.head.args.iter().all(Term::is_ground) {
                row.clear();
                row.extend(rule.head.args.iter().map(|t| ground(t, store)));
                prepared.relations[rule.head.rel.index()].facts.intern(|i| row[i]);
                continue;
            }
            let head: Vec<Pattern> = rule.head.args.iter().map(|t| pattern(t, store)).collect();
            let mut clause = PreparedClause { head, body: Vec::new(), vars: rule.vars.len() };
            for literal in &rule.body {
                clause.body.push(condition(literal, store));
            }
            prepared.close_negation(&mut clause);
            prepared.relations[rule.head.rel.index()].clauses.push(clause);
        }
        prepared.separate_facts();
        prepared.find_components()?;
        prepared.find_levels();
        prepared.split(Rel::NEXT);
        fnext.into_iter().for_each(|rel| prepared.split(rel));
        prepared.find_needs();
        Ok(prepared)
    }

    /// `not p(x, y)` with `y` nowhere else becomes `not q(x)`, `q(x) :- p(x, y)`.
    fn close_negation(&mut self, clause: &mut PreparedClause) {
        let mut elsewhere = vec![false; clause.vars];
        clause.head.iter().for_each(|p| p.vars(&mut |v| elsewhere[v] = true));
        for c in &clause.body {
            if let Condition::Pos(goal) = c {
                goal.vars(&mut |v| elsewhere[v] = true);
            }
        }
        for c in &mut clause.body {
            let Condition::Neg(goal) = c else { continue };
            let mut shared = Vec::new();
            let mut local = false;
            goal.vars(&mut |v| match elsewhere[v] {
                true => shared.push(v),
                false => local = true,
            });
            if local {
                shared.sort_unstable();
                shared.dedup();
                let args: Vec<Pattern> = shared.into_iter().map(Pattern::Var).collect();
                let mut relation = PreparedRelation::new(args.len(), true);
                let body = vec![Condition::Pos(goal.clone())];
                relation.clauses.push(PreparedClause {
                    head: args.clone(),
                    body,
                    vars: clause.vars,
                });
                *goal = Goal::Relation(self.relations.len() as u32, args);
                self.relations.push(relation);
            }
        }
    }

    /// A relation with facts and rules takes the facts from a relation of their own. So do the
    /// keywords, which are asked through their rules even where they have only facts.
    fn separate_facts(&mut self) {
        for r in 0..self.relations.len() {
            let next = self.relations.len() as u32;
            let relation = &mut self.relations[r];
            let asked = Rel(r as u32).is_keyword() || self.fnext == Some(Rel(r as u32));
            let stays = relation.clauses.is_empty() && !asked;
            if relation.facts.len() == 0 || stays {
                continue;
            }
            let args: Vec<Pattern> = (0..relation.arity).map(Pattern::Var).collect();
            let body = vec![Condition::Pos(Goal::Relation(next, args.clone()))];
            relation.clauses.insert(0, PreparedClause { vars: args.len(), head: args, body });
            let mut facts = PreparedRelation::new(relation.arity, false);
            std::mem::swap(&mut facts.facts, &mut relation.facts);
            self.relations.push(facts);
        }
    }

    fn find_components(&mut self) -> Result<(), Problem> {
        let below: Vec<Vec<u32>> = self.relations.iter().map(|r| r.asks()).collect();
        for members in components(below.len(), |r| &below[r as usize]).iter() {
            let recursive = members.len() > 1 || below[members[0] as usize].contains(&members[0]);
            for m in members {
                self.relations[*m as usize].component = self.components.len() as u32;
                self.relations[*m as usize].recursive = recursive;
            }
            self.components.push(members.to_vec());
        }
        self.refuse_negation_inside()
    }

    fn refuse_negation_inside(&self) -> Result<(), Problem> {
        for r in &self.relations {
            for c in r.clauses.iter().flat_map(|c| &c.body) {
                if let Condition::Neg(Goal::Relation(q, _)) = c
                    && self.relations[*q as usize].component == r.component
                {
                    return Err(Problem::NotStratified);
                }
            }
        }
        Ok(())
    }

    fn find_levels(&mut self) {
        for component in self.components.clone() {
            let clauses = component.iter().flat_map(|r| &self.relations[*r as usize].clauses);
            let level = clauses.clone().map(|c| self.level(c)).max().unwrap_or(Validity::Static);
            let on_state = clauses.flat_map(|c| &c.body).any(|c| match c.goal() {
                Some(Goal::Relation(q, _)) => self.relations[*q as usize].on_state,
                goal => matches!(goal, Some(Goal::True(_))),
            });
            for r in component {
                let relation = &mut self.relations[r as usize];
                (relation.level, relation.on_state) = (level, on_state);
            }
        }
    }

    /// The rules of `next` (or `fnext`) that do not ask for moves become a relation of their own: its
    /// answers hold for all moves that are tried in a state.
    fn split(&mut self, rel: Rel) {
        if self.relations.iter().any(|r| r.asks().contains(&rel.0)) {
            return;
        }
        let clauses = std::mem::take(&mut self.relations[rel.0 as usize].clauses);
        let (moving, still): (Vec<_>, Vec<_>) =
            clauses.into_iter().partition(|c| self.level(c) == Validity::Joint);
        let relation = &mut self.relations[rel.0 as usize];
        relation.clauses = moving;
        let mut rest = PreparedRelation::new(relation.arity, relation.auxiliary);
        rest.level = still.iter().map(|c| self.level(c)).max().unwrap_or(Validity::Static);
        rest.clauses = still;
        rest.component = self.components.len() as u32;
        self.components.push(vec![self.relations.len() as u32]);
        self.splits.push((rel, self.relations.len() as u32));
        self.relations.push(rest);
    }

    fn level(&self, clause: &PreparedClause) -> Validity {
        let level = |c: &Condition| match c.goal() {
            None => Validity::Static,
            Some(Goal::True(_)) => Validity::State,
            Some(Goal::Does(..)) => Validity::Joint,
            Some(Goal::Relation(q, _)) => self.relations[*q as usize].level,
        };
        clause.body.iter().map(level).max().unwrap_or(Validity::Static)
    }

    /// A head variable that the body does not bind must be given by whoever asks.
    fn find_needs(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for r in 0..self.relations.len() {
                for c in 0..self.relations[r].clauses.len() {
                    let clause = &self.relations[r].clauses[c];
                    let bound = self.bound_by_body(clause);
                    let head = clause.head.iter();
                    let unbound: Vec<bool> = head.map(|p| !p.all_vars(&bound)).collect();
                    let needs = &mut self.relations[r].needs;
                    for (need, unbound) in needs.iter_mut().zip(unbound) {
                        changed |= unbound && !*need;
                        *need |= unbound;
                    }
                }
            }
        }
    }

    fn bound_by_body(&self, clause: &PreparedClause) -> Vec<bool> {
        let mut bound = vec![false; clause.vars];
        let mut changed = true;
        while changed {
            changed = false;
            for c in &clause.body {
                let Condition::Pos(goal) = c else { continue };
                if !self.ready(goal, &bound) {
                    continue;
                }
                goal.vars(&mut |v| {
                    changed |= !bound[v];
                    bound[v] = true;
                });
            }
        }
        bound
    }

    /// By relation: whether the questions of a game lead to it.
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.relations.len()];
        let mut pending: Vec<u32> = QUERIES.iter().chain(&self.fnext).map(|r| r.0).collect();
        pending.extend(self.splits.iter().map(|(_, part)| part));
        while let Some(r) = pending.pop() {
            if !std::mem::replace(&mut used[r as usize], true) {
                pending.extend(self.relations[r as usize].asks());
            }
        }
        used
    }

    /// Are the columns given that must be?
    pub fn ready(&self, goal: &Goal, bound: &[bool]) -> bool {
        let Goal::Relation(q, args) = goal else { return true };
        let needs = &self.relations[*q as usize].needs;
        args.iter().zip(needs).all(|(p, need)| !need || p.all_vars(bound))
    }
}

impl PreparedRelation {
    fn new(arity: usize, auxiliary: bool) -> PreparedRelation {
        PreparedRelation {
            arity,
            clauses: Vec::new(),
            facts: Tuples::new(arity),
            level: Validity::Static,
            on_state: false,
            component: 0,
            recursive: false,
            needs: vec![false; arity],
            auxiliary,
        }
    }

    fn asks(&self) -> Vec<u32> {
        let goals = self.clauses.iter().flat_map(|c| &c.body).filter_map(Condition::goal);
        goals.filter_map(|g| if let Goal::Relation(q, _) = g { Some(*q) } else { None }).collect()
    }
}

impl Condition {
    pub fn goal(&self) -> Option<&Goal> {
        match self {
            Condition::Pos(g) | Condition::Neg(g) => Some(g),
            Condition::Distinct(..) => None,
        }
    }

    pub fn all_vars(&self, bound: &[bool]) -> bool {
        let mut all = true;
        self.vars(&mut |v| all &= bound[v]);
        all
    }

    pub fn vars(&self, f: &mut impl FnMut(usize)) {
        match self {
            Condition::Pos(g) | Condition::Neg(g) => g.vars(f),
            Condition::Distinct(a, b) => {
                a.vars(f);
                b.vars(f)
            }
        }
    }
}

impl Goal {
    pub fn vars(&self, f: &mut impl FnMut(usize)) {
        match self {
            Goal::True(p) => p.vars(f),
            Goal::Does(r, m) => {
                r.vars(f);
                m.vars(f)
            }
            Goal::Relation(_, args) => args.iter().for_each(|p| p.vars(f)),
        }
    }
}

impl Pattern {
    pub fn vars(&self, f: &mut impl FnMut(usize)) {
        match self {
            Pattern::Var(v) => f(*v),
            Pattern::Term(_) => {}
            Pattern::App(_, args) => args.iter().for_each(|p| p.vars(f)),
        }
    }

    pub fn all_vars(&self, bound: &[bool]) -> bool {
        let mut all = true;
        self.vars(&mut |v| all &= bound[v]);
        all
    }
}

fn condition(literal: &Literal, store: &mut FactStore) -> Condition {
    match literal {
        Literal::Pos(atom) => Condition::Pos(goal(atom, store)),
        Literal::Neg(atom) => Condition::Neg(goal(atom, store)),
        Literal::Distinct(a, b) => Condition::Distinct(pattern(a, store), pattern(b, store)),
    }
}

fn goal(atom: &Atom, store: &mut FactStore) -> Goal {
    let mut args: Vec<Pattern> = atom.args.iter().map(|t| pattern(t, store)).collect();
    match atom.rel {
        Rel::TRUE => Goal::True(args.remove(0)),
        Rel::DOES => {
            let action = args.remove(1);
            Goal::Does(args.remove(0), action)
        }
        rel => Goal::Relation(rel.0, args),
    }
}

fn ground(term: &Term, store: &mut FactStore) -> u32 {
    let Pattern::Term(term) = pattern(term, store) else { unreachable!("it has no variables") };
    term
}

pub fn pattern(term: &Term, store: &mut FactStore) -> Pattern {
    let Term::App(symbol, args) = term else {
        let Term::Var(v) = term else { unreachable!("a term is a variable or an application") };
        return Pattern::Var(*v as usize);
    };
    if args.is_empty() {
        return Pattern::Term(store.constant(*symbol));
    }
    let functor = store.functor(*symbol, args.len());
    let args: Vec<Pattern> = args.iter().map(|t| pattern(t, store)).collect();
    let ground: Option<Vec<u32>> =
        args.iter().map(|p| if let Pattern::Term(t) = p { Some(*t) } else { None }).collect();
    match ground {
        Some(terms) => Pattern::Term(store.build(functor, |i| terms[i])),
        None => Pattern::App(functor, args),
    }
}
