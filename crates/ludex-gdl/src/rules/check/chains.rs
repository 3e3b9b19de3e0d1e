//! Lists of numbers with one number wrong: chains such as `succ` in which a step is missing or leads elsewhere.

use super::Check;
use crate::rules::{Rel, Rule, Term};
use crate::syntax::Syntax;
use std::collections::{BTreeMap, BTreeSet};

/// So many steps show what the others should be; fewer only what one between them should be.
const ENOUGH: usize = 4;
const FEW: usize = 2;

pub fn numbers(check: &mut Check) {
    let mut facts: BTreeMap<Rel, Vec<usize>> = BTreeMap::new();
    for (i, rule) in check.rules() {
        if rule.body.is_empty() && (1..=2).contains(&rule.head.args.len()) {
            facts.entry(rule.head.rel).or_default().push(i);
        }
    }
    for (rel, facts) in facts {
        let rules = check.rules.rules.as_slice();
        if facts.len() <= FEW || check.rules.defining(rel).count() > facts.len() {
            continue;
        }
        let tuples = facts.iter().map(|i| tuple(check, &rules[*i])).collect::<Option<Vec<_>>>();
        for (stem, (facts, tuples)) in tuples.map_or_else(BTreeMap::new, |t| by_stem(&facts, t)) {
            match tuples[0].len() {
                1 => list(check, (rel, &stem), (&facts, &tuples)),
                _ => chain(check, (rel, &stem), (&facts, &steps(&tuples))),
            }
        }
    }
}

/// What names begin with, and their numbers. Single letters count as numbers, too.
type Stem = (String, bool);
type Step = (i64, i64);

fn tuple(check: &Check, rule: &Rule) -> Option<Vec<(Stem, i64)>> {
    let number = |term: &Term| {
        let Term::App(name, args) = term else { return None };
        let name = check.rules.symbols.name(*name);
        if let ([letter], true) = (name.as_bytes(), args.is_empty())
            && letter.is_ascii_lowercase()
        {
            return Some(((String::new(), true), i64::from(*letter)));
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: i32 = name[stem.len()..].parse().ok().filter(|_| args.is_empty())?;
        Some(((stem.to_string(), false), number.into()))
    };
    rule.head.args.iter().map(number).collect()
}

/// The facts of each stem and their numbers; none where a fact has two. A board has letters and numbers.
fn by_stem(
    facts: &[usize],
    tuples: Vec<Vec<(Stem, i64)>>,
) -> BTreeMap<Stem, (Vec<usize>, Vec<Vec<i64>>)> {
    let mut by_stem: BTreeMap<Stem, (Vec<usize>, Vec<Vec<i64>>)> = BTreeMap::new();
    for (fact, tuple) in facts.iter().zip(tuples) {
        let stem = tuple[0].0.clone();
        if tuple.iter().any(|(other, _)| *other != stem) {
            return BTreeMap::new();
        }
        let of_stem = by_stem.entry(stem).or_default();
        of_stem.0.push(*fact);
        of_stem.1.push(tuple.into_iter().map(|(_, number)| number).collect());
    }
    by_stem.retain(|_, (facts, _)| facts.len() > FEW);
    by_stem
}

fn steps(tuples: &[Vec<i64>]) -> Vec<Step> {
    tuples.iter().map(|tuple| (tuple[0], tuple[1])).collect()
}

/// A list of numbers that follow each other, but for one.
fn list(check: &mut Check, (rel, stem): (Rel, &Stem), (facts, tuples): (&[usize], &[Vec<i64>])) {
    let numbers: BTreeSet<i64> = tuples.iter().map(|tuple| tuple[0]).collect();
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return };
    if numbers.len() < ENOUGH - 1 || last - first > numbers.len() as i64 {
        return;
    }
    let missing: Vec<i64> = (*first..=*last).filter(|n| !numbers.contains(n)).collect();
    let twice = (0..tuples.len()).find(|i| tuples[i + 1..].contains(&tuples[*i]));
    let twice = twice.filter(|_| numbers.len() + 1 == tuples.len());
    let text = |number: i64| fact_text(check, rel, &[name(stem, number)]);
    match (&missing[..], twice) {
        ([gap], None) => {
            let before = tuples.iter().position(|tuple| tuple[0] == gap - 1).unwrap_or(0);
            missing_after(check, facts[before], (text(gap - 1), text(*gap)));
        }
        ([gap], Some(one)) => tell(check, facts[one], (text(tuples[one][0]), text(*gap))),
        ([], Some(one)) => {
            let message = format!("{} is twice in a list of numbers", text(tuples[one][0]));
            let hint = "is one of them meant to be another number?";
            check.warning("broken-chain", check.head_span(facts[one]), message).hint(hint);
        }
        _ => {}
    }
}

fn missing_after(check: &mut Check, fact: usize, (before, gap): (String, String)) {
    let message = format!("{gap} is missing after {before}");
    let hint = "what comes before it and what follows are there";
    check.warning("broken-chain", check.head_span(fact), message).hint(hint);
}

fn name((stem, letter): &Stem, number: i64) -> String {
    match letter {
        true => char::from(number as u8).to_string(),
        false => format!("{stem}{number}"),
    }
}

/// All but one step go from a number to the next, or all but one to the one before.
fn chain(check: &mut Check, (rel, stem): (Rel, &Stem), (facts, steps): (&[usize], &[Step])) {
    for by in [1, -1] {
        let right: BTreeSet<Step> = steps.iter().copied().filter(|(a, b)| a + by == *b).collect();
        let wrong: Vec<usize> = (0..steps.len()).filter(|i| !right.contains(&steps[*i])).collect();
        let (Some(first), Some(last)) = (right.first(), right.last()) else { continue };
        if last.0 - first.0 > right.len() as i64 {
            continue;
        }
        let within = first.0..=last.0;
        let missing: Vec<Step> =
            within.map(|a| (a, a + by)).filter(|s| !right.contains(s)).collect();
        let text = |(a, b): Step| fact_text(check, rel, &[name(stem, a), name(stem, b)]);
        match (&wrong[..], &missing[..]) {
            ([_], [_]) if right.len() >= FEW => {
                let Some(meant) = meant(steps[wrong[0]], (&right, &missing), by) else { continue };
                tell(check, facts[wrong[0]], (text(steps[wrong[0]]), text(meant)));
            }
            _ if right.len() < ENOUGH => {}
            ([], [gap]) => {
                let before = steps.iter().position(|s| s.1 == gap.0).unwrap_or(0);
                missing_after(check, facts[before], (text(steps[before]), text(*gap)));
            }
            ([one], []) => {
                let Some(meant) = meant(steps[*one], (&right, &[]), by) else { continue };
                tell(check, facts[*one], (text(steps[*one]), text(meant)));
            }
            _ => {}
        }
    }
}

/// The step that a wrong one was meant to be: it shares a number with it, and is missing or goes on at an end.
fn meant((a, b): Step, (right, missing): (&BTreeSet<Step>, &[Step]), by: i64) -> Option<Step> {
    let near = [(a, a + by), (b - by, b), (b, a)];
    let numbers: BTreeSet<i64> = right.iter().flat_map(|(a, b)| [*a, *b]).collect();
    let ends = [*numbers.first()?, *numbers.last()?];
    // Counters that stay at their end or begin anew are meant so.
    if missing.is_empty() && ends.contains(&a) && ends.contains(&b) {
        return None;
    }
    let open = |step: &Step| match missing {
        [] => ends.contains(&step.0) != ends.contains(&step.1) && !right.contains(step),
        [gap] => step == gap,
        _ => false,
    };
    near.into_iter().filter(|(a, b)| a + by == *b).find(open)
}

fn fact_text(check: &Check, rel: Rel, arguments: &[String]) -> String {
    let name = check.name(rel);
    match check.ast.syntax {
        Syntax::Kif => format!("({name} {})", arguments.join(" ")),
        Syntax::Infix => format!("{name}({})", arguments.join(",")),
    }
}

fn tell(check: &mut Check, fact: usize, (wrong, meant): (String, String)) {
    let span = check.head_span(fact);
    let message = format!("{wrong} breaks a chain of numbers: {meant} is missing");
    let complaint = check.warning("broken-chain", span, message);
    complaint.hint(format!("did you mean {meant}?")).fix(span, &meant);
}
