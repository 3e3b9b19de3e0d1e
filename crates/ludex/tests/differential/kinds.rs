//! What a game is an example of, read from its rules and from the states that are reached.

use crate::graph::Graph;
use crate::rules::{Atom, Literal, Name, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that the rules show: what recursive relations decide, and where negation looks at them.
pub fn of_rules(rules: &[Rule]) -> Vec<Name> {
    let needs = needs(rules);
    let recursive: BTreeSet<Name> =
        needs.iter().filter(|(name, all)| all.contains(*name)).map(|(name, _)| *name).collect();
    let rests = |name: Name| {
        recursive.contains(name) || needs.get(name).is_some_and(|all| !all.is_disjoint(&recursive))
    };
    let mut kinds = Vec::new();
    for (word, kind) in [
        ("legal", "moves by recursion"),
        ("goal", "goals by recursion"),
        ("terminal", "ends by recursion"),
        ("next", "steps by recursion"),
    ] {
        if rests(word) {
            kinds.push(kind);
        }
    }
    let through_moves = |name: &&Name| needs[*name].contains("does");
    if recursive.iter().any(|name| through_moves(&name)) {
        kinds.push("recursion through moves");
    }
    let mut negated = Vec::new();
    rules.iter().flat_map(|r| &r.body).for_each(|l| {
        atoms(l, &mut |a, not| {
            if not {
                negated.push(a.name);
            }
        })
    });
    if negated.iter().any(|name| rests(name)) {
        kinds.push("negation over recursion");
    }
    let under = |name: Name| -> bool {
        let own = |r: &&Rule| r.head.name == name;
        let mut found = false;
        rules.iter().filter(own).flat_map(|r| &r.body).for_each(|l| {
            atoms(l, &mut |a, not| found |= not && rests(a.name));
        });
        found
    };
    if recursive.iter().any(|name| under(name)) {
        kinds.push("recursion over negated recursion");
    }
    kinds
}

/// The relations that depend on moves.
pub fn of_moves(rules: &[Rule]) -> BTreeSet<Name> {
    let needs = needs(rules);
    needs.iter().filter(|(_, all)| all.contains("does")).map(|(name, _)| *name).collect()
}

/// Kinds that play shows.
pub fn of_play(graph: &Graph) -> Vec<Name> {
    let mut kinds = Vec::new();
    if graph.proper().any(|(node, seen)| !seen.terminal && node.steps.is_empty()) {
        kinds.push("moves run out");
    }
    let first_end = graph.proper().filter(|(_, s)| s.terminal).map(|(n, _)| n.depth).min();
    let goes_on = |end: usize| graph.proper().any(|(n, s)| !s.terminal && n.depth >= end);
    if first_end.is_some_and(goes_on) {
        kinds.push("ends in the middle");
    }
    if graph.proper().any(|(_, s)| s.terminal && s.goals.contains(&None)) {
        kinds.push("ends without one goal");
    }
    if !graph.complete {
        kinds.push("more states than are looked at");
    }
    kinds
}

/// By relation all that it depends on.
fn needs(rules: &[Rule]) -> BTreeMap<Name, BTreeSet<Name>> {
    let mut needs: BTreeMap<Name, BTreeSet<Name>> = BTreeMap::new();
    for rule in rules {
        let own = needs.entry(rule.head.name).or_default();
        rule.body.iter().for_each(|l| {
            atoms(l, &mut |a, _| {
                own.insert(a.name);
            })
        });
    }
    loop {
        let before = needs.clone();
        for all in needs.values_mut() {
            let more: Vec<Name> =
                all.iter().filter_map(|n| before.get(n)).flatten().copied().collect();
            all.extend(more);
        }
        if needs == before {
            return needs;
        }
    }
}

/// Every atom of a condition, and whether it is negated.
fn atoms(literal: &Literal, note: &mut impl FnMut(&Atom, bool)) {
    match literal {
        Literal::Is(atom) => note(atom, false),
        Literal::Not(atom) => note(atom, true),
        Literal::Distinct(..) => {}
        Literal::Or(cases) => cases.iter().flatten().for_each(|l| atoms(l, note)),
    }
}
