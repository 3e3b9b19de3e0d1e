//! What may depend on what: the state, the moves, and nothing on its own negation.

use super::Check;
use crate::digraph::Components;
use crate::rules::strata::DependencyGraph;
use crate::rules::{Literal, Rel};

/// `init`, `base`, `input` and `role` are fixed before the first state; `legal`, `goal` and
/// `terminal` before the moves.
pub fn state_and_moves(check: &mut Check, graph: &DependencyGraph) {
    for rel in [Rel::ROLE, Rel::INIT, Rel::BASE, Rel::INPUT] {
        for on in [Rel::TRUE, Rel::DOES, Rel::NEXT] {
            forbid(
                check,
                graph,
                rel,
                on,
                "depends-on-state",
                "it must be known before the first state",
            );
        }
    }
    for rel in [Rel::LEGAL, Rel::GOAL, Rel::TERMINAL] {
        forbid(
            check,
            graph,
            rel,
            Rel::DOES,
            "depends-on-move",
            "it must be known before the players move",
        );
    }
}

fn forbid(
    check: &mut Check,
    graph: &DependencyGraph,
    rel: Rel,
    on: Rel,
    code: &'static str,
    why: &str,
) {
    let Some(path) = graph.path(rel.0, |r| r == on.0, |_| true) else { return };
    let [.., last, _] = path[..] else { return };
    let Some((rule, literal)) = check.dependency(Rel(last), on, None) else { return };
    let names: Vec<&str> = path.iter().map(|r| check.name(Rel(*r))).collect();
    let (from, to) = (check.name(rel), check.name(on));
    let way = if path.len() > 2 { format!(" ({})", names.join(" -> ")) } else { String::new() };
    let message = format!("{from} depends on {to}{way}; {why}");
    check.error(code, check.literal_span(rule, literal), message);
}

/// Negation must be stratified: no relation may depend on its own negation.
pub fn negation(check: &mut Check, graph: &DependencyGraph, components: &Components) {
    let mut told = vec![false; graph.len()];
    for (i, rule) in check.rules() {
        for (j, literal) in rule.body.iter().enumerate() {
            let (Literal::Neg(atom), head) = (literal, rule.head.rel) else { continue };
            let component = components.of[head.index()] as usize;
            if !components.same(head.0, atom.rel.0) || std::mem::replace(&mut told[component], true)
            {
                continue;
            }
            let back = (atom.rel == head).then(|| vec![head.0]);
            let back = back.or_else(|| {
                graph.path(atom.rel.0, |r| r == head.0, |r| components.same(r, head.0))
            });
            let back = back.expect("a component is connected");
            let mut names: Vec<&str> = back.iter().map(|r| check.name(Rel(*r))).collect();
            names.insert(0, check.name(head));
            let way = names.join(" -> ").replacen("-> ", "-> not ", 1);
            let message = format!("{} depends on its own negation: {way}", check.name(head));
            check
                .error("unstratified-negation", check.literal_span(i, j), message)
                .hint("such rules have no clear meaning: break the circle, for example by way of the state");
        }
    }
}
