//! Facts and moves that the rules make and `base` and `input` do not declare.

use super::kept::asks;
use super::names::NameIndex;
use super::places::{NamePlaces, TruthKey, outer, terms};
use super::{Check, near};
use crate::rules::{Rel, Rule, Symbol, Term};
use rustc_hash::FxHashSet;

/// Only what is plain from the names: a function that is not declared, or a constant where no declaration has it.
pub fn facts_and_moves(check: &mut Check, words: &NameIndex, places: &NamePlaces) {
    for (declares, code, makes) in [
        (Rel::BASE, "outside-base", &[Rel::INIT, Rel::NEXT][..]),
        (Rel::INPUT, "outside-input", &[Rel::LEGAL][..]),
    ] {
        // What is not declared because of another mistake is told with that.
        let unclear = |(i, rule): (usize, &Rule)| {
            let open = matches!(rule.head.args.last(), Some(Term::Var(_)));
            rule.head.rel == declares && (open || places.obstacle(i, rule).is_some())
        };
        if !places.is_made(&(declares, None)) || check.rules().any(unclear) {
            continue;
        }
        let mut told = FxHashSet::default();
        for (i, rule) in check.rules() {
            let made = rule.head.args.last().and_then(outer);
            let Some(function) = made.filter(|_| makes.contains(&rule.head.rel)) else { continue };
            let key: TruthKey = (declares, Some(function));
            let strange = |(at, term): (usize, &Term)| !places.fits((i, rule), &key, at, term);
            let at = terms(&rule.head, key).enumerate().position(strange);
            let known = places.is_made(&key);
            if known && at.is_none() || places.obstacle(i, rule).is_some() {
                continue;
            }
            let term = at.and_then(|at| terms(&rule.head, key).nth(at));
            if !told.insert((function, term.and_then(outer))) {
                continue;
            }
            let Some(made) = rule.head.args.last() else { continue };
            let (text, word) = (check.rules.term_text(made, rule), check.name(declares));
            let hint = match term {
                Some(term) => {
                    let term = check.rules.term_text(term, rule);
                    format!("no {word} has {term} in this place")
                }
                None => {
                    let name = check.rules.symbols.name(function.0);
                    format!("there is no {word} for {name} with {} arguments", function.1)
                }
            };
            let message = format!("{text} is not declared by {word}");
            check.warning(code, check.head_span(i), message).hint(hint);
            // A variable that has no name to be there stands in the wrong place.
            if term.is_some_and(|term| outer(term).is_none()) {
                check.about(check.rules.symbols.name(function.0));
                continue;
            }
            let (name, arity) = term.and_then(outer).unwrap_or(function);
            let name = check.rules.symbols.name(name);
            check.about(name);
            let last = rule.head.args.len() - 1;
            let known = match at {
                Some(at) => places.at(&key, at),
                None => places.at(&(declares, None), last),
            };
            let known = known.unwrap_or_default();
            let known = known.iter().map(|(n, a)| (check.rules.symbols.name(*n), *a, 1));
            let Some(meant) = near::meant(name, arity, known) else { continue };
            if words.count(meant) >= words.count(name) {
                check.did_you_mean(check.last(), (name, meant), check.head_span(i));
            }
        }
    }
}

/// Names of facts and moves, and constants in them, that stand in a declaration only, beside others that it does not
/// have.
pub fn names(check: &mut Check, words: &NameIndex, places: &NamePlaces) {
    for (declares, given) in [(Rel::BASE, Rel::TRUE), (Rel::INPUT, Rel::DOES)] {
        for (i, rule) in check.rules().filter(|(_, rule)| rule.head.rel == declares) {
            let Some(function) = rule.head.args.last().and_then(outer) else { continue };
            let (declared, made) = ((declares, Some(function)), (given, Some(function)));
            let last = rule.head.args.len() - 1;
            if places.is_open(given) {
                break;
            }
            if !places.is_made(&made) {
                let all = ((declares, None), (given, None), last);
                odd_name(check, (words, places), (i, function), all);
                continue;
            }
            for (at, term) in terms(&rule.head, declared).enumerate() {
                let strange = outer(term).filter(|_| !places.allows(&made, at, term));
                strange.into_iter().for_each(|name| {
                    odd_name(check, (words, places), (i, name), (declared, made, at));
                });
            }
        }
    }
}

/// A name that stands in one declaration only and is near one that is made and not declared there.
fn odd_name(
    check: &mut Check,
    (words, places): (&NameIndex, &NamePlaces),
    (i, (name, arity)): (usize, (Symbol, usize)),
    (declared, made, at): (TruthKey, TruthKey, usize),
) {
    let name = check.rules.symbols.name(name);
    let known = places.at(&declared, at).unwrap_or_default();
    let made = places.at(&made, at).unwrap_or_default();
    // Another rule may declare what is meant, for other arguments.
    let new = made.iter().filter(|other| (arity > 0 || !known.contains(other)) && other.1 == arity);
    let new = new.map(|(n, a)| (check.rules.symbols.name(*n), *a, 1));
    let Some(meant) = near::meant(name, arity, new).filter(|_| words.count(name) == 1) else {
        return;
    };
    let (word, span) = (check.name(declared.0), check.head_span(i));
    let message = format!("{name} is used in this {word} only: no rule makes it");
    check.warning("odd-name", span, message);
    check.about(name);
    check.did_you_mean(check.last(), (name, meant), span);
}

/// Moves that `input` declares and `legal` never gives.
pub fn never_given(check: &mut Check, places: &NamePlaces) {
    let mut told = FxHashSet::default();
    if places.is_open(Rel::DOES) {
        return;
    }
    for (i, rule) in check.rules().filter(|(_, rule)| rule.head.rel == Rel::INPUT) {
        let Some(function) = rule.head.args.last().and_then(outer) else { continue };
        if places.is_made(&(Rel::DOES, Some(function))) || !told.insert(function) {
            continue;
        }
        let made = check.rules.defining(Rel::LEGAL).filter_map(|r| outer(&r.head.args[1]));
        let name = check.rules.symbols.name(function.0);
        // Rules that cannot fire are told of themselves.
        if !made.into_iter().any(|f| f == function) && !check.threads.is_told(name) {
            let message = format!("input declares the move {name}, and no legal gives it");
            let hint = "is a rule for legal missing?";
            check.warning("unused-input", check.head_span(i), message).hint(hint);
            check.about(name);
        }
    }
}

/// Facts that `base` declares and nothing makes, though others of their kind are: every rule keeps what is there, and a
/// name at one of their arguments is never there.
pub fn never_made(check: &mut Check, places: &NamePlaces) {
    let mut told = FxHashSet::default();
    for (i, rule) in check.rules().filter(|(_, rule)| rule.head.rel == Rel::BASE) {
        let Some(function) = rule.head.args.last().and_then(outer) else { continue };
        if !told.insert(function) || !only_kept(check, function) {
            continue;
        }
        let (declared, made) = ((Rel::BASE, Some(function)), (Rel::TRUE, Some(function)));
        let missing = (0..function.1).find_map(|slot| {
            let (all, real) = (places.at(&declared, slot)?, places.at(&made, slot)?);
            all.into_iter().find(|name| !real.contains(name))
        });
        let Some((missing, _)) = missing else { continue };
        let [name, missing] = [function.0, missing].map(|symbol| check.rules.symbols.name(symbol));
        let message =
            format!("base declares {name} with {missing}, and no rule for next makes a new {name}");
        let hint = format!("rules for next only keep {name} as it is: say how moves change it");
        check.warning("not-changed", check.head_span(i), message).hint(hint);
        check.about(name);
    }
}

/// Whether rules for `next` speak of such facts, and each asks for the very fact that it makes.
fn only_kept(check: &Check, function: (Symbol, usize)) -> bool {
    let mut next = check
        .rules
        .defining(Rel::NEXT)
        .filter(|rule| rule.head.args.last().and_then(outer) == Some(function))
        .peekable();
    let keeps = |rule: &Rule| asks(rule).any(|fact| *fact == rule.head.args[0]);
    next.peek().is_some() && next.all(keeps)
}
