//! Values that can be judged from the rules alone: goals, roles, repetitions.

use super::{Check, near};
use crate::rules::{Atom, Literal, Rel, Rule, Symbol, Term, is_chance, unify};
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

/// A value that is one off what every other role gets, and that no other role gets.
pub fn odd_goals(check: &mut Check) {
    let mut values: Vec<(usize, &Term, i64)> = Vec::new();
    for (i, rule) in check.rules() {
        let (Rel::GOAL, [role, Term::App(value, args)]) = (rule.head.rel, &rule.head.args[..])
        else {
            continue;
        };
        let number = check.rules.symbols.name(*value).parse().ok().filter(|_| args.is_empty());
        let (Some(number), true) = (number, role.is_ground()) else { return };
        values.push((i, role, number));
    }
    let has = |own: bool, of: &Term, value: i64| {
        values.iter().any(|(_, role, v)| (*role == of) == own && *v == value)
    };
    let mut odd = Vec::new();
    for (i, role, value) in &values {
        let meant = [value - 1, value + 1].into_iter().find(|v| v % 5 == 0 && has(false, role, *v));
        let alone = *value <= 100 && !has(false, role, *value);
        odd.extend(
            meant.filter(|v| alone && !has(true, role, *v)).map(|meant| (*i, *value, meant)),
        );
    }
    one_goal(check, &values);
    for (i, value, meant) in odd {
        let message = format!("only this role gets {value}, where others get {meant}");
        let span = argument_span(check, i, 1);
        check
            .warning("odd-goal", span, message)
            .hint(format!("did you mean {meant}?"))
            .fix(span, meant.to_string());
    }
}

/// A role that can only get 0, where others have several values.
fn one_goal(check: &mut Check, values: &[(usize, &Term, i64)]) {
    let of = |role: &Term| {
        let own = values.iter().filter(|(_, r, _)| *r == role).map(|(_, _, value)| *value);
        own.collect::<FxHashSet<i64>>()
    };
    let several = values.iter().any(|(_, role, _)| of(role).len() > 1);
    let one = values.iter().find(|(_, role, v)| several && *v == 0 && of(role).len() == 1);
    if let Some((i, role, _)) = one {
        let role = check.rules.term_text(role, &check.rules.rules[*i]);
        let message = format!("{role} can only get 0, and others more");
        let hint = format!("is a goal of {role} missing, or said of another role?");
        check.warning("odd-goal", check.head_span(*i), message).hint(hint);
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
    unknown_turns(check, &known);
    for (rel, code) in [(Rel::LEGAL, "role-without-moves"), (Rel::GOAL, "role-without-goal")] {
        let subjects: FxHashSet<&Term> =
            check.rules.defining(rel).map(|r| &r.head.args[0]).collect();
        if subjects.is_empty() {
            continue;
        }
        for (i, role) in &facts {
            // Chance needs no goal.
            if rel == Rel::GOAL && is_chance_term(check, role) {
                continue;
            }
            let may_be = |subject: &&Term| unify::equal(subject, role) != Some(false);
            if !subjects.contains(role) && !subjects.iter().any(may_be) {
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
            let named = !matches!(role, Term::Var(_)) && !known.contains(role);
            named && !known.iter().any(may_be)
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
            near_role(check, &role, known, span);
        }
    }
}

/// Facts that say whose turn it is, of one who does not play: `legal` asks for such a fact of its role.
fn unknown_turns(check: &mut Check, known: &FxHashSet<&Term>) {
    let asks = |rule: &'_ Rule| {
        let role = rule.head.args.first().filter(|r| matches!(r, Term::Var(_))).cloned();
        let facts = rule.body.iter().filter_map(Literal::atom).filter(|a| a.rel == Rel::TRUE);
        let of_role = facts.filter_map(|a| match &a.args[0] {
            Term::App(f, args) if args.len() == 1 && Some(&args[0]) == role.as_ref() => Some(*f),
            _ => None,
        });
        of_role.collect::<Vec<_>>()
    };
    let turns: FxHashSet<Symbol> = check.rules.defining(Rel::LEGAL).flat_map(asks).collect();
    for (i, rule) in check.rules() {
        let [Term::App(f, args)] = &rule.head.args[..] else { continue };
        let makes = matches!(rule.head.rel, Rel::INIT | Rel::NEXT) && turns.contains(f);
        let ([role @ Term::App(..)], true) = (&args[..], makes) else { continue };
        if !known.contains(role) {
            let (role, fact) = (check.rules.term_text(role, rule), check.rules.symbols.name(*f));
            let message =
                format!("{role} is not a role of this game, and {fact} says whose turn it is");
            check.warning("unknown-role", check.head_span(i), message);
            near_role(check, &role, known, check.head_span(i));
        }
    }
}

/// The role that was likely meant.
fn near_role(check: &mut Check, role: &str, known: &FxHashSet<&Term>, span: Span) {
    check.about(role);
    let roles = known.iter().filter_map(|t| match t {
        Term::App(name, args) => Some((check.rules.symbols.name(*name), args.len(), 1)),
        Term::Var(_) => None,
    });
    if let Some(meant) = near::meant(role, 0, roles) {
        check.did_you_mean(check.last(), (role, meant), span);
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
