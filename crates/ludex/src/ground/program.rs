//! `Rules` -> `Program`: the rules a grounding evaluates, made safe, and split along their variables.

use super::NotGround;
use super::split;
use crate::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use rustc_hash::FxHashMap;

/// A literal of a body. A guard only restricts which instances are made; it is no condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part {
    pub literal: Literal,
    pub guard: bool,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub head: Atom,
    pub body: Vec<Part>,
    /// The number of variables.
    pub vars: u32,
}

/// The clauses that matter for the game, with the relations that were made for them.
pub struct Program {
    pub clauses: Vec<Clause>,
    /// The number of relations; those from `Rules::relations.len()` on were made here.
    pub relations: usize,
    /// Per relation: whether it depends on the state or the moves.
    pub dynamic: Vec<bool>,
}

/// What a game consists of; all else matters only as far as these use it.
const OUTPUTS: [Rel; 6] = [Rel::ROLE, Rel::INIT, Rel::NEXT, Rel::LEGAL, Rel::GOAL, Rel::TERMINAL];

impl Program {
    pub fn new(rules: &Rules) -> Result<Program, NotGround> {
        let mut made = Made { relations: rules.relations.len(), ..Made::default() };
        for (rule, needed) in rules.rules.iter().zip(needed(rules)) {
            if needed {
                let clause = safe(rule, &mut made).map_err(|var| NotGround::Unsafe {
                    rule: rules.rule_text(rule),
                    variable: rule.vars[var as usize].clone(),
                })?;
                split::split(clause, &mut made);
            }
        }
        let dynamic = dynamic(&made);
        Ok(Program { clauses: made.clauses, relations: made.relations, dynamic })
    }
}

/// Clauses and relations in the making. Equal bodies get one relation.
#[derive(Default)]
pub struct Made {
    pub clauses: Vec<Clause>,
    relations: usize,
    by_body: FxHashMap<(Vec<Part>, u32), Rel>,
}

impl Made {
    /// A new relation over `vars`, defined by the body; its atom. Made once for equal bodies.
    pub fn relation(&mut self, vars: &[u32], body: Vec<Part>) -> Atom {
        let mut names = vars.to_vec();
        for part in &body {
            part.literal.for_each_var(&mut |v| {
                if !names.contains(&v) {
                    names.push(v)
                }
            });
        }
        let rename = |v: u32| Term::Var(names.iter().position(|n| *n == v).expect("noted") as u32);
        let mut body: Vec<Part> = body
            .iter()
            .map(|p| Part { literal: map_literal(&p.literal, &rename), guard: p.guard })
            .collect();
        body.sort();
        let arity = vars.len() as u32;
        let next = Rel(self.relations as u32);
        let rel = *self.by_body.entry((body.clone(), arity)).or_insert(next);
        if rel == next {
            self.relations += 1;
            let head = Atom { rel, args: (0..arity).map(Term::Var).collect() };
            self.clauses.push(Clause { head, body, vars: names.len() as u32 });
        }
        Atom { rel, args: vars.iter().map(|v| Term::Var(*v)).collect() }
    }
}

/// A clause in which every variable stands in a positive literal. A variable that stands only in
/// one negated atom means "for no value". An error is a variable that cannot be bound.
fn safe(rule: &Rule, made: &mut Made) -> Result<Clause, u32> {
    let mut bound = vec![false; rule.vars.len()];
    for literal in &rule.body {
        if let Literal::Pos(_) = literal {
            literal.for_each_var(&mut |v| bound[v as usize] = true);
        }
    }
    let mut body = Vec::new();
    for literal in &rule.body {
        let mut vars = Vec::new();
        literal.for_each_var(&mut |v| vars.push(v));
        let literal = match literal {
            Literal::Neg(atom) if vars.iter().any(|v| !bound[*v as usize]) => {
                vars.retain(|v| bound[*v as usize]);
                vars.sort_unstable();
                vars.dedup();
                let inner = Part { literal: Literal::Pos(atom.clone()), guard: false };
                Literal::Neg(made.relation(&vars, vec![inner]))
            }
            Literal::Distinct(..) if vars.iter().any(|v| !bound[*v as usize]) => {
                return Err(vars.into_iter().find(|v| !bound[*v as usize]).expect("just seen"));
            }
            other => other.clone(),
        };
        body.push(Part { literal, guard: false });
    }
    let mut unbound = None;
    Literal::Pos(rule.head.clone()).for_each_var(&mut |v| {
        if !bound[v as usize] {
            unbound = Some(v)
        }
    });
    match unbound {
        Some(v) => Err(v),
        None => Ok(Clause { head: rule.head.clone(), body, vars: rule.vars.len() as u32 }),
    }
}

/// Which rules can matter: those of the outputs and of what their bodies use.
fn needed(rules: &Rules) -> Vec<bool> {
    let mut of_head = vec![Vec::new(); rules.relations.len()];
    for (i, rule) in rules.rules.iter().enumerate() {
        of_head[rule.head.rel.index()].push(i);
    }
    let mut seen = vec![false; rules.relations.len()];
    let mut stack: Vec<Rel> = OUTPUTS.to_vec();
    let mut needed = vec![false; rules.rules.len()];
    while let Some(rel) = stack.pop() {
        if std::mem::replace(&mut seen[rel.index()], true) {
            continue;
        }
        for i in &of_head[rel.index()] {
            needed[*i] = true;
            for literal in &rules.rules[*i].body {
                if let Literal::Pos(a) | Literal::Neg(a) = literal {
                    stack.push(a.rel);
                }
            }
        }
    }
    // Facts about `true` and `does` are no part of the language; both are given.
    for (rule, needed) in rules.rules.iter().zip(&mut needed) {
        *needed &= rule.head.rel != Rel::TRUE && rule.head.rel != Rel::DOES;
    }
    needed
}

fn dynamic(made: &Made) -> Vec<bool> {
    let mut dynamic = vec![false; made.relations];
    dynamic[Rel::TRUE.index()] = true;
    dynamic[Rel::DOES.index()] = true;
    loop {
        let mut changed = false;
        for clause in &made.clauses {
            let uses = |p: &Part| match &p.literal {
                Literal::Pos(a) | Literal::Neg(a) => dynamic[a.rel.index()],
                Literal::Distinct(..) => false,
            };
            if !dynamic[clause.head.rel.index()] && clause.body.iter().any(uses) {
                dynamic[clause.head.rel.index()] = true;
                changed = true;
            }
        }
        if !changed {
            return dynamic;
        }
    }
}

fn map_literal(literal: &Literal, rename: &impl Fn(u32) -> Term) -> Literal {
    let atom =
        |a: &Atom| Atom { rel: a.rel, args: a.args.iter().map(|t| map_term(t, rename)).collect() };
    match literal {
        Literal::Pos(a) => Literal::Pos(atom(a)),
        Literal::Neg(a) => Literal::Neg(atom(a)),
        Literal::Distinct(a, b) => Literal::Distinct(map_term(a, rename), map_term(b, rename)),
    }
}

fn map_term(term: &Term, rename: &impl Fn(u32) -> Term) -> Term {
    match term {
        Term::Var(v) => rename(*v),
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| map_term(t, rename)).collect()),
    }
}
