//! Values that can be judged from the rules alone: goals, roles, repetitions.

use super::{Check, near};
use crate::rules::{Atom, Rel, Rule, Term, is_chance, unify};
use crate::source::Span;
use crate::syntax::NodeKind;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A goal value is an integer from 0 to 100.
pub fn goals(check: &mut Check) {
    for (i, rule) in check.rules() {
        let (Rel::GOAL, [_, value]) = (rule.head.rel, &rule.head.args[..]) else { continue };
        let fine = match value {
            Term::Var(_) => true,
            Term::App(s, args) => {
                let number = check.rules.symbols.name(*s).parse::<u32>();
                args.is_empty() && number.is_ok_and(|n| n <= 100)
            }
        };
        if !fine {
            let text = check.rules.term_text(value, rule);
            let message = format!("the goal value {text} is not an integer from 0 to 100");
            check.warning("goal-value", argument_span(check, i, 1), message);
        }
    }
}

/// The place of an argument of a rule's head.
fn argument_span(check: &Check, rule: usize, argument: usize) -> Span {
    let head = &check.ast.clauses[check.places[rule].clause as usize].head;
    let NodeKind::Apply { args, .. } = head.kind else { return head.span };
    check.ast.list(args).get(argument).map_or(head.span, |n| n.span)
}

fn is_chance_term(check: &Check, role: &Term) -> bool {
    matches!(role, Term::App(name, args) if args.is_empty() && is_chance(check.rules.symbols.name(*name)))
}

/// Roles that the rules speak of but that do not play, and roles that cannot move or win.
pub fn roles(check: &mut Check) {
    let facts: Vec<(usize, &Term)> = check
        .rules
        .rules
        .iter()
        .enumerate()
        .filter(|(_, r)| r.head.rel == Rel::ROLE)
        .map(|(i, r)| (i, &r.head.args[0]))
        .collect();
    if facts.is_empty() || facts.iter().any(|(_, t)| !t.is_ground()) {
        return;
    }
    let known: FxHashSet<&Term> = facts.iter().map(|(_, t)| *t).collect();
    unknown_roles(check, &known);
    for (rel, code) in [(Rel::LEGAL, "role-without-moves"), (Rel::GOAL, "role-without-goal")] {
        let subjects: Vec<&Term> = check.rules.defining(rel).map(|r| &r.head.args[0]).collect();
        if subjects.is_empty() {
            continue;
        }
        for (i, role) in &facts {
            // Chance needs no goal.
            if rel == Rel::GOAL && is_chance_term(check, role) {
                continue;
            }
            if !subjects.iter().any(|s| unify::equal(s, role) != Some(false)) {
                let word = check.name(rel);
                let role = check.rules.term_text(role, &check.rules.rules[*i]);
                let message = format!("no rule for {word} is about the role {role}");
                check.warning(code, check.head_span(*i), message);
                check.about(&role);
            }
        }
    }
}

fn unknown_roles(check: &mut Check, known: &FxHashSet<&Term>) {
    let speaks = |a: &Atom| match a.rel {
        Rel::LEGAL | Rel::GOAL | Rel::DOES | Rel::INPUT | Rel::ROLE => {
            let role = &a.args[0];
            let may_be = |known: &&Term| unify::equal(known, role) != Some(false);
            !matches!(role, Term::Var(_)) && !known.iter().any(may_be)
        }
        _ => false,
    };
    for (i, rule) in check.rules() {
        let body = rule.body.iter().enumerate().filter_map(|(j, l)| Some((Some(j), l.atom()?)));
        let atoms = std::iter::once((None, &rule.head)).chain(body);
        for (j, atom) in atoms.filter(|(_, a)| speaks(a)) {
            let span = j.map_or(check.head_span(i), |j| check.literal_span(i, j));
            let role = check.rules.term_text(&atom.args[0], rule);
            let message = format!("{role} is not a role of this game");
            let complaint = check.warning("unknown-role", span, message);
            let second = atom.args.get(1);
            if second.is_some_and(|s| matches!(s, Term::Var(_)) || known.contains(s)) {
                complaint.hint("the role comes first, then the move or the value");
            }
            check.about(&role);
            let roles = known.iter().filter_map(|t| match t {
                Term::App(name, args) => Some((check.rules.symbols.name(*name), args.len(), 1)),
                Term::Var(_) => None,
            });
            if let Some(meant) = near::meant(&role, 0, roles) {
                check.did_you_mean(check.last(), (&role, meant), span);
            }
        }
    }
}

/// Clauses that say again what was said before.
pub fn duplicates(check: &mut Check) {
    let hash = |(i, rule): (usize, &Rule)| {
        let mut hasher = FxHasher::default();
        (&rule.head, &rule.body).hash(&mut hasher);
        (hasher.finish(), i)
    };
    let mut hashed: Vec<(u64, usize)> = check.rules().map(hash).collect();
    hashed.sort_unstable();
    for group in hashed.chunk_by(|a, b| a.0 == b.0).filter(|g| g.len() > 1) {
        let mut seen = FxHashMap::default();
        for (_, i) in group {
            let rule = &check.rules.rules[*i];
            let first = *seen.entry((&rule.head, &rule.body)).or_insert(*i);
            if check.places[first].clause != check.places[*i].clause {
                told_twice(check, first, *i);
            }
        }
    }
}

fn told_twice(check: &mut Check, first: usize, again: usize) {
    let rules = &check.rules.rules;
    let (line, _) = check.source.position(rules[first].span.start);
    let what = if rules[again].body.is_empty() { "fact" } else { "rule" };
    let message = format!("this {what} is already on line {line}");
    check.warning("duplicate-rule", rules[again].span, message);
}
