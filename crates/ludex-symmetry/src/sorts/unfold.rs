//! Relations that only lists define, put in place of their names where they are asked.
//!
//! A relation that holds of its arguments in any order need not be written so. Where it is asked, a map may
//! exchange what stands for the arguments in one rule and not in another.

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A relation with more rules stays as it is, and so does a rule that would become more.
const MOST_RULES: usize = 64;

/// The rules with such relations put in place; `is_list` tells the lists.
pub fn unfolded(mut rules: Vec<Rule>, is_list: &dyn Fn(Rel) -> bool) -> Vec<Rule> {
    let mut meanings: FxHashMap<Rel, Vec<Rule>> = FxHashMap::default();
    for rule in rules.iter().filter(|r| !r.head.rel.is_keyword() && !is_list(r.head.rel)) {
        meanings.entry(rule.head.rel).or_default().push(rule.clone());
    }
    let plain = |r: &Rule| r.body.iter().all(|l| l.atom().is_none_or(|a| is_list(a.rel)));
    meanings.retain(|_, rules| rules.len() <= MOST_RULES && rules.iter().all(plain));
    rules = rules.into_iter().flat_map(|rule| put_in_place(rule, &meanings)).collect();
    let atoms = rules.iter().flat_map(|r| &r.body).filter_map(Literal::atom);
    let asked: FxHashSet<Rel> = atoms.map(|a| a.rel).collect();
    rules.retain(|r| !meanings.contains_key(&r.head.rel) || asked.contains(&r.head.rel));
    rules
}

fn put_in_place(rule: Rule, meanings: &FxHashMap<Rel, Vec<Rule>>) -> Vec<Rule> {
    let (mut open, mut done) = (vec![rule.clone()], Vec::new());
    while let Some(next) = open.pop() {
        let meant = |l: &Literal| match l {
            Literal::Pos(a) => meanings.get(&a.rel),
            _ => None,
        };
        match next.body.iter().enumerate().find_map(|(i, l)| Some((i, meant(l)?))) {
            Some((at, rules)) => open.extend(rules.iter().filter_map(|r| resolved(&next, at, r))),
            None => done.push(next),
        }
        if open.len() + done.len() > MOST_RULES {
            return vec![rule];
        }
    }
    done
}

/// The rule with a meaning of one of its literals in its place; none where that does not fit.
fn resolved(rule: &Rule, at: usize, meaning: &Rule) -> Option<Rule> {
    let apart = |t: &Term| shifted(t, rule.vars.len() as u32);
    let mut open: Vec<(Term, Term)> = Vec::new();
    let atom = rule.body[at].atom()?;
    open.extend(meaning.head.args.iter().map(apart).zip(atom.args.iter().cloned()));
    let mut body: Vec<Literal> = rule.body.clone();
    body.splice(at..=at, meaning.body.iter().map(|l| mapped(l, &apart)));
    let vars = rule.vars.iter().chain(&meaning.vars).cloned().collect();
    let mut found = Rule { head: rule.head.clone(), body, vars, span: rule.span };
    while let Some((a, b)) = open.pop() {
        match (a, b) {
            (a, b) if a == b => {}
            (Term::Var(v), value) | (value, Term::Var(v)) => {
                let put = |t: &Term| put(t, v, &value);
                open.iter_mut().for_each(|(a, b)| (*a, *b) = (put(a), put(b)));
                found.head.args.iter_mut().for_each(|t| *t = put(t));
                found.body.iter_mut().for_each(|l| *l = mapped(l, &put));
            }
            (Term::App(f, xs), Term::App(g, ys)) if f == g && xs.len() == ys.len() => {
                open.extend(xs.into_iter().zip(ys))
            }
            _ => return None,
        }
    }
    Some(found)
}

fn mapped(literal: &Literal, f: &dyn Fn(&Term) -> Term) -> Literal {
    let atom = |a: &Atom| Atom { rel: a.rel, args: a.args.iter().map(f).collect() };
    match literal {
        Literal::Pos(a) => Literal::Pos(atom(a)),
        Literal::Neg(a) => Literal::Neg(atom(a)),
        Literal::Distinct(a, b) => Literal::Distinct(f(a), f(b)),
    }
}

fn shifted(term: &Term, by: u32) -> Term {
    match term {
        Term::Var(v) => Term::Var(v + by),
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| shifted(t, by)).collect()),
    }
}

/// A term where a variable has a value.
pub fn put(term: &Term, variable: u32, value: &Term) -> Term {
    match term {
        Term::Var(v) if *v == variable => value.clone(),
        Term::Var(_) => term.clone(),
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| put(t, variable, value)).collect()),
    }
}
