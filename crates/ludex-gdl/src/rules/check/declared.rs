//! Facts and moves that the rules make and `base` and `input` do not declare.

use super::places::{NamePlaces, TruthKey, outer, terms};
use super::{Check, near};
use crate::rules::{Rel, Rule, Term};
use rustc_hash::FxHashSet;

/// Only what is plain from the names: a function that is not declared, or a constant where no declaration has it.
pub fn facts_and_moves(check: &mut Check, places: &NamePlaces) {
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
            let strange = |(at, term): (usize, &Term)| !places.allows(&key, at, term);
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
                    format!("{term} stands in no {word} at this place")
                }
                None => {
                    let name = check.rules.symbols.name(function.0);
                    format!("there is no {word} for {name} with {} arguments", function.1)
                }
            };
            let message = format!("{text} is not declared by {word}");
            check.warning(code, check.head_span(i), message).hint(hint);
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
            if let Some(meant) = near::meant(name, arity, known) {
                check.did_you_mean(check.last(), (name, meant), check.head_span(i));
            }
        }
    }
}
