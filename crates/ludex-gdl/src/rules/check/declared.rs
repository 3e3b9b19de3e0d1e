//! Facts and moves that the rules make and `base` and `input` do not declare.

use super::Check;
use super::places::{Places, TruthKey, outer, terms};
use crate::rules::{Rel, Term};
use rustc_hash::FxHashSet;

/// Only what is plain from the names: a function that is not declared, or a constant where no declaration has it.
pub fn facts_and_moves(check: &mut Check, places: &Places) {
    for (declares, code, makes) in [
        (Rel::BASE, "outside-base", &[Rel::INIT, Rel::NEXT][..]),
        (Rel::INPUT, "outside-input", &[Rel::LEGAL][..]),
    ] {
        let open = |r: &crate::rules::Rule| matches!(r.head.args.last(), Some(Term::Var(_)));
        if !places.is_made(&(declares, None)) || check.rules.defining(declares).any(open) {
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
            if known && at.is_none() || places.obstacle(rule).is_some() {
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
            let name = term.and_then(outer).unwrap_or(function).0;
            check.about(check.rules.symbols.name(name));
        }
    }
}
