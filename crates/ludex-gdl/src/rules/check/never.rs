//! Rules that can never fire because something they need is never true.

use super::names::NameIndex;
use super::places::{NamePlaces, Obstacle, Outer, PassedOver, TruthKey, asked, keys_made, terms};
use super::{Check, near, variable_text, walk, walk_list};
use crate::rules::{Atom, Literal, Rel, Rule, Term};
use crate::source::Span;
use crate::syntax::infix::write_variable;
use crate::syntax::{Node, NodeKind, Syntax};
use rustc_hash::{FxHashMap, FxHashSet};

pub fn fires(check: &mut Check, words: &NameIndex, places: &NamePlaces) {
    let rules = &check.rules.rules;
    let stopped = |(i, rule): (usize, &Rule)| Some((i, places.obstacle(i, rule)?));
    let failing: Vec<(usize, Obstacle)> = rules.iter().enumerate().filter_map(stopped).collect();
    let first = check.report.complaints.len();
    failing.iter().for_each(|(i, obstacle)| complain(check, places, *i, *obstacle));
    // What needs a relation whose rules cannot fire follows from why they cannot.
    let mut makers: FxHashMap<TruthKey, Vec<usize>> = FxHashMap::default();
    for (at, (i, _)) in failing.iter().enumerate() {
        for key in keys_made(&rules[*i].head) {
            makers.entry(key).or_default().push(at);
        }
    }
    let mut told = FxHashSet::default();
    for (at, (i, obstacle)) in failing.iter().enumerate() {
        let (rule, complaint) = (&rules[*i], first + at);
        let Some(atom) = rule.body[obstacle.literal()].atom() else { continue };
        let key = asked(atom);
        let failed = makers.get(&key).map_or(&[][..], Vec::as_slice);
        match obstacle {
            Obstacle::Nothing(j) => match failed.first() {
                Some(maker) => {
                    check.threads.after(complaint, first + maker);
                    if let Some(Term::App(f, _)) = atom.args.last() {
                        check.threads.about(complaint, check.rules.symbols.name(*f));
                    }
                }
                None => needs_nothing_known(check, words, complaint, (*i, *j), told.insert(key)),
            },
            Obstacle::Never(_, slot, name) => {
                never_there(check, (words, places), complaint, (key, *slot, *name), *i);
            }
            Obstacle::NoValue(..) => {}
        }
    }
    if rules.len() <= FOLLOWED {
        consequences(check, &failing, first);
    }
}

/// In larger games, and after so many causes, it is not found out what follows from what.
const FOLLOWED: usize = 10_000;
const CAUSES: usize = 8;

/// Takes one cause after the other away: the rules that could fire then follow from it.
fn consequences(check: &mut Check, failing: &[(usize, Obstacle)], first: usize) {
    let rules = &check.rules.rules;
    let cause = |(i, obstacle): &(usize, Obstacle)| {
        let key = rules[*i].body[obstacle.literal()].atom().map(asked);
        match obstacle {
            Obstacle::Nothing(_) => (0, key, None, 0),
            Obstacle::Never(_, slot, name) => (1, key, Some((*slot, *name)), 0),
            Obstacle::NoValue(j, _) => (2, key, None, (i << 16) | j),
        }
    };
    let mut left: Vec<usize> = (0..failing.len()).collect();
    let mut passed_over = PassedOver::default();
    for _ in 0..CAUSES {
        let Some(root) = left.iter().min_by_key(|at| (cause(&failing[**at]).0, **at)).copied()
        else {
            return;
        };
        let same = |at: &usize| cause(&failing[*at]) == cause(&failing[root]);
        let condition = |at: &usize| (failing[*at].0, failing[*at].1.literal());
        passed_over.extend(left.iter().filter(|at| same(at)).map(condition));
        let places = NamePlaces::of(rules, passed_over.clone());
        let fires = |at: &usize| places.obstacle(failing[*at].0, &rules[failing[*at].0]).is_none();
        for at in left.iter().filter(|at| **at != root && (same(at) || fires(at))) {
            check.threads.after(first + at, first + root);
        }
        left.retain(|at| !same(at) && !fires(at));
    }
}

/// So many names are listed.
const LISTED: usize = 6;

fn complain(check: &mut Check, places: &NamePlaces, i: usize, obstacle: Obstacle) {
    let rule = &check.rules.rules[i];
    let j = obstacle.literal();
    let span = check.literal_span(i, j);
    let variable = |v: u32| variable_text(check.ast, &rule.vars[v as usize]);
    let Some(atom) = rule.body[j].atom() else {
        let Obstacle::NoValue(_, v) = obstacle else { return };
        let v = variable(v);
        let message = format!("this rule can never fire: no other value of {v} is left");
        check.warning("never-fires", span, message);
        return;
    };
    let (text, key) = (check.rules.atom_text(atom, rule), asked(atom));
    let (message, hint) = match obstacle {
        Obstacle::Nothing(_) => (
            format!("this rule can never fire: {text} is never true"),
            match atom.rel {
                Rel::TRUE => "no init or next makes such a fact".to_string(),
                Rel::DOES => "no legal gives such a move".to_string(),
                _ => "no rule for it can fire".to_string(),
            },
        ),
        Obstacle::Never(_, slot, _) => (
            format!("this rule can never fire: {text} is never true"),
            only_ever(check, places, key, slot),
        ),
        Obstacle::NoValue(_, v) => {
            let slot = terms(atom, key).position(|t| *t == Term::Var(v)).unwrap_or(0);
            let message = format!(
                "this rule can never fire: no value of {} fits all its conditions",
                variable(v)
            );
            (message, only_ever(check, places, key, slot))
        }
    };
    check.warning("never-fires", span, message).hint(hint);
}

/// What can stand at an argument, in words.
pub fn only_ever(check: &Check, places: &NamePlaces, key: TruthKey, slot: usize) -> String {
    const NTH: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let symbols = &check.rules.symbols;
    let names = places.at(&key, slot).unwrap_or_default();
    let text = |(name, arity): &Outer| match arity {
        0 => symbols.name(*name).to_string(),
        _ => format!("{}(…)", symbols.name(*name)),
    };
    let mut list: Vec<String> = names.iter().take(LISTED).map(text).collect();
    list.extend((names.len() > LISTED).then(|| "…".to_string()));
    let list = list.join(", ");
    match key {
        (Rel::TRUE | Rel::DOES, None) => format!("there is only {list}"),
        (Rel::DOES, Some(_)) if slot == 0 => format!("only {list} can make such a move"),
        (rel, function) => {
            let name = function.map_or(check.name(rel), |(f, _)| symbols.name(f));
            let nth = slot - usize::from(rel == Rel::DOES);
            let nth = NTH.get(nth).map_or(format!("{}th", nth + 1), |n| n.to_string());
            format!("the {nth} argument of {name} is only ever {list}")
        }
    }
}

/// A name stands where it never is: a slip, a variable without its mark, or the cause lies elsewhere.
pub fn never_there(
    check: &mut Check,
    (words, places): (&NameIndex, &NamePlaces),
    complaint: usize,
    (key, slot, (name, arity)): (TruthKey, usize, Outer),
    i: usize,
) {
    let name = check.rules.symbols.name(name);
    let number = name.parse::<i64>().is_ok();
    let about = if number { format!("{key:?} {slot} {name}") } else { name.to_string() };
    check.threads.about(complaint, &about);
    if let (Rel::TRUE, Some((function, _))) = key {
        check.threads.about(complaint, check.rules.symbols.name(function));
    }
    let Some(span) = check.report.complaints[complaint].span else { return };
    let known = places.at(&key, slot).unwrap_or_default();
    let known = known.iter().map(|(n, a)| (check.rules.symbols.name(*n), *a));
    let known: Vec<_> = known.map(|(n, a)| (n, a, words.count(n))).collect();
    match near::meant(name, arity, known.into_iter()) {
        Some(meant) if words.count(meant) >= words.count(name) => {
            check.did_you_mean(complaint, (name, meant), span);
        }
        None if arity == 0 && !number => variable_meant(check, words, (complaint, span), name, i),
        _ => {}
    }
}

/// A constant that stands in one rule only and has the name of a variable.
fn variable_meant(
    check: &mut Check,
    words: &NameIndex,
    (complaint, span): (usize, Span),
    name: &str,
    i: usize,
) {
    let is = |v: &String| v.eq_ignore_ascii_case(name);
    let (ast, mut here) = (check.ast, 0);
    let clause = &ast.clauses[check.places[i].clause as usize];
    let mut look = |node: &Node| {
        if let NodeKind::Apply { name: n, .. } = node.kind {
            here += usize::from(ast.name(n).eq_ignore_ascii_case(name));
        }
    };
    walk(ast, &clause.head, &mut look);
    walk_list(ast, clause.body, &mut look);
    let in_rule = check.rules.rules[i].vars.iter().any(is);
    let elsewhere = || words.is_variable(check.rules, name);
    if !(in_rule || words.count(name) == here && elsewhere()) {
        return;
    }
    let variable = match check.ast.syntax {
        Syntax::Kif => format!("?{name}"),
        Syntax::Infix => {
            let mut text = String::new();
            write_variable(name, &mut text);
            text
        }
    };
    let place = check.name_span(name, span);
    let complaint = &mut check.report.complaints[complaint];
    let hint = complaint.hint.take().unwrap_or_default();
    complaint.hint(format!("{hint}; did you mean the variable {variable}?"));
    place.into_iter().for_each(|place| {
        complaint.fix(place, &variable);
    });
}

/// A rule needs what no rule at all is about: the root of what follows from it. `first`: it was not yet said.
pub fn needs_nothing_known(
    check: &mut Check,
    words: &NameIndex,
    complaint: usize,
    (i, j): (usize, usize),
    first: bool,
) {
    let Some(atom) = check.rules.rules[i].body[j].atom() else { return };
    let symbols = &check.rules.symbols;
    let (name, arity) = match (atom.rel, atom.args.last()) {
        (Rel::TRUE | Rel::DOES, Some(Term::App(f, args))) => (symbols.name(*f), args.len()),
        (Rel::TRUE | Rel::DOES, _) => return,
        (rel, _) => return check.threads.about(complaint, check.name(rel)),
    };
    check.threads.about(complaint, name);
    if !first {
        return;
    }
    let made = made(check, atom.rel);
    let known = made.iter().map(|m| (m.0, m.1, words.count(m.0)));
    let Some(meant) = near::meant(name, arity, known) else {
        if let Some((_, other, _)) = made.iter().find(|m| m.0.eq_ignore_ascii_case(name)) {
            let hint = format!("{name} has {other} arguments elsewhere, here {arity}");
            check.report.complaints[complaint].hint(hint);
        }
        return;
    };
    let span = check.literal_span(i, j);
    let asked = is_asked(check, atom.rel, meant);
    if !asked && words.count(meant) < words.count(name) {
        let head = made.iter().find(|m| m.0 == meant).map_or(span, |m| m.2);
        let message = format!("{meant} is used nowhere else");
        check.warning("odd-name", head, message);
        check.about(meant);
        return check.did_you_mean(check.last(), (meant, name), head);
    }
    check.did_you_mean(complaint, (name, meant), span);
}

/// What init and next make, or what legal gives: name, arity, place.
fn made<'a>(check: &Check<'a>, given: Rel) -> Vec<(&'a str, usize, Span)> {
    let makes = |rel: Rel| match given {
        Rel::TRUE => matches!(rel, Rel::INIT | Rel::NEXT),
        _ => rel == Rel::LEGAL,
    };
    let heads = check.rules().filter(|(_, rule)| makes(rule.head.rel));
    heads
        .filter_map(|(i, rule)| match rule.head.args.last()? {
            Term::App(f, args) => {
                Some((check.rules.symbols.name(*f), args.len(), check.head_span(i)))
            }
            Term::Var(_) => None,
        })
        .collect()
}

/// Whether any rule asks for a fact or move of this name.
fn is_asked(check: &Check, given: Rel, name: &str) -> bool {
    let about = |atom: &Atom| match atom.args.last() {
        Some(Term::App(f, _)) => check.rules.symbols.name(*f) == name,
        _ => true,
    };
    let mut atoms = check.rules.rules.iter().flat_map(|r| &r.body).filter_map(Literal::atom);
    atoms.any(|atom| atom.rel == given && about(atom))
}
