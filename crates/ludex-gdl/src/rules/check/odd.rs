//! Constants that stand in one place only and are a slip of the pen away from another.

use super::names::NameIndex;
use super::{Check, near};
use crate::rules::{Rel, Term};
use crate::source::Span;
use crate::syntax::{Clause, Node, NodeKind};

/// Where more names than this stand only once, they are made by a program, or a list.
const MOST: usize = 100;
/// Constants with shorter names are near each other by chance.
const SHORT: usize = 4;
/// In so long names one letter makes no other word.
const LONG: usize = 7;

pub fn names(check: &mut Check, words: &NameIndex) {
    let ast = check.ast;
    let known: Vec<(&str, usize, usize, Span)> = words
        .iter()
        .filter(|w| !w.is_keyword())
        .filter_map(|w| {
            let (arity, span) = w.function()?;
            Some((w.text(ast), arity, w.count(), span))
        })
        .collect();
    let long = |name: &str, arity: usize| name.len() + arity.min(1) >= SHORT;
    let odd: Vec<_> = known.iter().filter(|(_, _, count, _)| *count == 1).collect();
    if odd.iter().filter(|(name, arity, ..)| long(name, *arity)).count() > MOST {
        return;
    }
    for (name, arity, _, span) in odd {
        let usual = known.iter().filter(|(other, n, count, _)| {
            let apart = long(name, *arity) && long(other, *n) || is_role(check, other);
            n == arity
                && *count > 1
                && apart
                && near::near(name, other) == Some(1)
                && is_slip(name, other)
        });
        let usual = usual.map(|(other, n, count, _)| (*other, *n, *count));
        let Some(meant) = near::meant(name, *arity, usual) else { continue };
        if check.threads.is_told(name) || is_role(check, name) || together(check, *span, meant) {
            continue;
        }
        let message = format!("{name} is used nowhere else in these rules");
        check.warning("odd-name", *span, message);
        check.about(name);
        check.did_you_mean(check.last(), (name, meant), *span);
    }
}

/// Whether letters were exchanged, left out or doubled. Short words that differ in one letter, such as black
/// and blank, are words.
fn is_slip(name: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    name.len() != other.len() || name.len() >= LONG || sorted(name) == sorted(other)
}

/// Roles that nothing speaks of are told elsewhere.
fn is_role(check: &Check, name: &str) -> bool {
    check.rules.defining(Rel::ROLE).any(|rule| match &rule.head.args[..] {
        [Term::App(role, _)] => check.rules.symbols.name(*role).eq_ignore_ascii_case(name),
        _ => false,
    })
}

/// Whether the other name stands beside this place, as another argument of the same: then both are meant.
fn together(check: &Check, place: Span, other: &str) -> bool {
    let (ast, mut found) = (check.ast, false);
    let is_other = |n: &Node| match n.kind {
        NodeKind::Apply { name, .. } => ast.name(name).eq_ignore_ascii_case(other),
        _ => false,
    };
    let mut look = |node: &Node| {
        let beside = ast.list(node.list());
        found |= beside.iter().any(|n| n.span == place) && beside.iter().any(is_other);
    };
    let around = |c: &&Clause| c.span.start <= place.start && place.end <= c.span.end;
    for clause in ast.clauses.iter().filter(around) {
        super::walk(ast, &clause.head, &mut look);
        super::walk_list(ast, clause.body, &mut look);
    }
    found
}
