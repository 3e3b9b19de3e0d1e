//! The board of the first state: a place that is left out, or one with two values where all others have one.

use ludex_gdl::rules::{Rel, Rule, Rules, Symbol, Term};
use ludex_gdl::source::{Report, Severity, Span};
use std::collections::{BTreeMap, BTreeSet};

/// So many places are a board.
const BOARD: usize = 6;

/// Names at the arguments of a fact.
type Tuple = Vec<Symbol>;

pub fn board(rules: &Rules, facts: &[Term], found: &mut Report) {
    let mut kinds: BTreeMap<(Symbol, usize), Vec<Tuple>> = BTreeMap::new();
    for fact in facts {
        let Term::App(name, args) = fact else { continue };
        let plain = args.iter().map(constant).collect::<Option<Tuple>>();
        plain.filter(|tuple| tuple.len() > 2).into_iter().for_each(|tuple| {
            kinds.entry((*name, args.len())).or_default().push(tuple);
        });
    }
    for ((name, _), tuples) in kinds {
        twice(rules, name, &tuples, found);
        left_out(rules, name, &tuples, found);
    }
}

fn constant(term: &Term) -> Option<Symbol> {
    match term {
        Term::App(name, args) if args.is_empty() => Some(*name),
        _ => None,
    }
}

/// One place has two values, and all others have one.
fn twice(rules: &Rules, name: Symbol, tuples: &[Tuple], found: &mut Report) {
    let mut values: BTreeMap<&[Symbol], Vec<Symbol>> = BTreeMap::new();
    // A row, a column and what is there.
    for tuple in tuples.iter().filter(|tuple| tuple.len() == 3) {
        let (value, place) = tuple.split_last().expect("three arguments");
        values.entry(place).or_default().push(*value);
    }
    let several: Vec<_> = values.iter().filter(|(_, values)| values.len() > 1).collect();
    let [(place, values)] = several[..] else { return };
    let ([a, b], true) = (&values[..], tuples.len() > BOARD) else { return };
    let [a, b] = [a, b].map(|value| fact(rules, name, place, *value));
    let message = format!("{} and {} are both true at first", a.0, b.0);
    let hint = "every other place has one value there".to_string();
    let span = [a.1, b.1].into_iter().flatten().max_by_key(|span| span.start);
    found.push(Severity::Warning, "two-at-start", span, message).hint(hint);
}

/// A value fills rows and columns but for one place, which has no value at all.
fn left_out(rules: &Rules, name: Symbol, tuples: &[Tuple], found: &mut Report) {
    let mut filled: BTreeMap<Symbol, BTreeSet<&[Symbol]>> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for tuple in tuples {
        let (value, place) = tuple.split_last().expect("three arguments or more");
        filled.entry(*value).or_default().insert(place);
        places.insert(place);
    }
    for (value, filled) in filled {
        let sides = sides(&filled);
        let all: usize = sides.iter().map(BTreeSet::len).product();
        if all != filled.len() + 1 || all < BOARD || sides.iter().any(|side| side.len() < 2) {
            continue;
        }
        let Some(hole) = hole(&sides, &filled).filter(|hole| !places.contains(&hole[..])) else {
            continue;
        };
        let (missing, _) = fact(rules, name, &hole, value);
        let message = format!("{missing} is not true at first, and all around it is");
        let of = |rule: &&Rule| matches!(&rule.head.args[0], Term::App(f, _) if *f == name);
        let span = rules.defining(Rel::INIT).find(of).map(|rule| rule.span);
        let hint = "is it left out of init?";
        found.push(Severity::Warning, "hole-at-start", span, message).hint(hint);
    }
}

/// The names at each argument of places.
fn sides(places: &BTreeSet<&[Symbol]>) -> Vec<BTreeSet<Symbol>> {
    let arity = places.first().map_or(0, |place| place.len());
    (0..arity).map(|at| places.iter().map(|place| place[at]).collect()).collect()
}

/// The place that rows and columns have and the list has not: at each argument, the name that is rarer by one line.
fn hole(sides: &[BTreeSet<Symbol>], places: &BTreeSet<&[Symbol]>) -> Option<Tuple> {
    let rarest = |(at, side): (usize, &BTreeSet<Symbol>)| {
        side.iter().copied().min_by_key(|s| places.iter().filter(|p| p[at] == *s).count())
    };
    sides.iter().enumerate().map(rarest).collect()
}

/// A fact as its author writes it, and where `init` has it.
fn fact(rules: &Rules, name: Symbol, place: &[Symbol], value: Symbol) -> (String, Option<Span>) {
    let args = place.iter().chain([&value]).map(|s| Term::App(*s, vec![])).collect();
    let fact = Term::App(name, args);
    let rule = rules.defining(Rel::INIT).find(|rule| rule.head.args[0] == fact);
    let any = rule.or(rules.rules.first());
    let text = any.map_or(String::new(), |rule| rules.term_text(&fact, rule));
    (text, rule.map(|rule| rule.span))
}
