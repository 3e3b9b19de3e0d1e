//! Conditions that always hold, because what they deny is never true.

use super::names::NameIndex;
use super::never::{needs_nothing_known, never_there, only_ever};
use super::places::{NamePlaces, asked, outer, terms};
use super::{Check, variable_text};
use crate::rules::{Literal, Rel, Rule, Symbol, Term};

/// Larger games were made by a program.
const MOST: usize = 5_000;

pub fn conditions(check: &mut Check, words: &NameIndex, places: &NamePlaces) {
    if check.rules.rules.len() > MOST {
        return;
    }
    for (i, rule) in check.rules() {
        if places.obstacle(i, rule).is_some() {
            continue;
        }
        for (j, literal) in rule.body.iter().enumerate() {
            match literal {
                Literal::Neg(_) => denied(check, (words, places), (i, j), rule),
                Literal::Distinct(a, b) => told_apart(check, (words, places), (i, j), [a, b]),
                Literal::Pos(_) => {}
            }
        }
    }
}

fn denied(
    check: &mut Check,
    (words, places): (&NameIndex, &NamePlaces),
    (i, j): (usize, usize),
    rule: &Rule,
) {
    let Some(atom) = rule.body[j].atom() else { return };
    let key = asked(atom);
    if places.is_open(atom.rel) {
        return;
    }
    let given = matches!(key, (Rel::TRUE | Rel::DOES, Some(_)));
    if given && !places.is_made(&key) {
        let alone = key.1.is_some_and(|(name, _)| is_alone(check, words, name));
        if alone {
            never_given(check, words, (i, j), rule);
        }
        return;
    }
    let strange = |(at, term): (usize, _)| !places.fits((i, rule), &key, at, term);
    let Some(at) = terms(atom, key).enumerate().position(strange) else { return };
    let name = terms(atom, key).nth(at).and_then(outer);
    let text = check.rules.atom_text(atom, rule);
    let message = format!("this condition always holds: {text} is never true");
    let hint = only_ever(check, places, key, at);
    check.warning("idle-condition", check.literal_span(i, j), message).hint(hint);
    if let Some(name) = name {
        never_there(check, (words, places), check.last(), (key, at, name), i);
    }
}

/// Whether a name stands in one place only. What stands elsewhere, too, may be denied with care.
fn is_alone(check: &Check, words: &NameIndex, name: Symbol) -> bool {
    words.count(check.rules.symbols.name(name)) == 1
}

/// Nothing makes such a fact, or gives such a move.
fn never_given(check: &mut Check, words: &NameIndex, (i, j): (usize, usize), rule: &Rule) {
    let Some(atom) = rule.body[j].atom() else { return };
    let text = check.rules.atom_text(atom, rule);
    let message = format!("this condition always holds: {text} is never true");
    let hint = match atom.rel {
        Rel::TRUE => "no init or next makes such a fact",
        _ => "no legal gives such a move",
    };
    check.warning("idle-condition", check.literal_span(i, j), message).hint(hint);
    needs_nothing_known(check, words, check.last(), (i, j), true);
}

/// A constant that the other term can never be.
fn told_apart(
    check: &mut Check,
    (words, places): (&NameIndex, &NamePlaces),
    (i, j): (usize, usize),
    terms: [&Term; 2],
) {
    let rule = &check.rules.rules[i];
    let (variable, constant) = match terms {
        [Term::Var(v), Term::App(c, args)] | [Term::App(c, args), Term::Var(v)]
            if args.is_empty() =>
        {
            (*v, *c)
        }
        _ => return,
    };
    if is_alone(check, words, constant) && !places.can_be((i, rule), variable, constant) {
        let name = check.rules.symbols.name(constant);
        let variable = variable_text(check.ast, &rule.vars[variable as usize]);
        let message = format!("this condition always holds: {variable} is never {name}");
        check.warning("idle-condition", check.literal_span(i, j), message);
        check.about(name);
    }
}
