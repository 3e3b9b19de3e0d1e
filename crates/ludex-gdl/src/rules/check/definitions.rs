//! Relations that are used but never defined, or defined but never used, and what was likely meant.

use super::names::{NameIndex, NameUses, is_keyword};
use super::{Check, near};
use crate::rules::KEYWORDS;
use crate::source::Span;
use crate::syntax::NodeKind;

/// Words of GDL that may stand in a body.
const ASKED: [(&str, usize); 8] = [
    ("not", 1),
    ("true", 1),
    ("does", 2),
    ("role", 1),
    ("distinct", 2),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
];

pub fn definitions(check: &mut Check, words: &NameIndex) {
    for word in words.iter().filter(|w| !w.is_keyword()) {
        let (heads, bodies) = (word.places(|u| u.head), word.places(|u| u.body));
        let has = |places: &[(usize, Span)], arity| places.iter().any(|(a, _)| *a == arity);
        for (arity, span) in bodies.iter().filter(|(a, _)| !has(&heads, *a)) {
            undefined(check, words, word, (*arity, *span), heads.first().map(|h| h.0));
        }
        for (arity, span) in heads.iter().filter(|(a, _)| !has(&bodies, *a)) {
            unused(check, words, word, (*arity, *span), bodies.is_empty());
        }
    }
}

fn undefined(
    check: &mut Check,
    words: &NameIndex,
    word: &NameUses,
    (arity, span): (usize, Span),
    other: Option<usize>,
) {
    let (ast, name) = (check.ast, word.text(check.ast));
    let message = format!("{name}/{arity} is used but never defined, so it is never true");
    let complaint = check.warning("undefined-relation", span, message);
    if let Some(hint) = of_other_languages(name) {
        complaint.hint(hint);
    } else if let Some(other) = other {
        complaint.hint(format!("{name}/{other} is defined"));
    } else if word.is_function(arity) {
        complaint.hint(format!("{name} is a function elsewhere: is true(…) missing around it?"));
    } else {
        check.about(name);
        let keywords = ASKED.iter().map(|(word, arity)| (*word, *arity, 0));
        let known = words.relations(ast, |u| u.head).chain(keywords);
        let Some(meant) = near::meant(name, arity, known) else { return };
        // Where the other stands less often and nobody asks for it, that is the slip: see `unused`.
        let asked = words.relations(ast, |u| u.body).any(|(w, _, _)| w == meant);
        let given = ASKED.iter().any(|(word, _)| *word == meant);
        if asked || given || words.count(ast, meant) >= word.count() {
            check.did_you_mean(check.last(), (name, meant), span);
        }
        return;
    }
    check.about(name);
}

/// Relations that other languages have.
fn of_other_languages(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "!=" | "/=" | "\\=" | "<>" | "neq" | "different" | "unequal" | "diff" => {
            Some("did you mean distinct?")
        }
        "=" | "==" | "eq" | "equal" | "equals" | "same" => Some(
            "GDL has no equations: write the same variable twice; distinct says that two terms differ",
        ),
        "<" | ">" | ">=" | "=<" | "+" | "-" | "*" | "is" => {
            Some("GDL does not calculate: list the results as facts, such as succ")
        }
        _ => None,
    }
}

fn unused(
    check: &mut Check,
    words: &NameIndex,
    word: &NameUses,
    (arity, span): (usize, Span),
    never: bool,
) {
    let (ast, name) = (check.ast, word.text(check.ast));
    check.warning("unused-relation", span, format!("{name}/{arity} is defined but never used"));
    check.about(name);
    if !never {
        return;
    }
    let keywords = KEYWORDS.iter().map(|(word, arity)| (*word, *arity, 0));
    let used = words.relations(ast, |u| u.body).filter(|(other, _, count)| {
        let defined = words.relations(ast, |u| u.head).any(|(w, _, _)| w == *other);
        // One of many heads is misspelled, or the only one.
        if defined { word.count() == 1 && *count > 2 } else { word.count() < *count }
    });
    let Some(meant) = near::meant(name, arity, used.chain(keywords)) else { return };
    if is_far(check, words, (name, arity), meant) || makes_no_fact(check, words, (name, meant)) {
        return;
    }
    check.did_you_mean(check.last(), (name, meant), span);
    if is_keyword(meant) {
        made_by(check, name);
    }
}

/// Relations that are defined but never used are often meant to be there: only what is very near, and a
/// keyword only at its arity, is taken for a slip.
fn is_far(check: &Check, words: &NameIndex, (name, arity): (&str, usize), meant: &str) -> bool {
    let keyword = KEYWORDS.iter().find(|(word, _)| *word == meant);
    let arity_differs = keyword.is_some_and(|(_, n)| *n != arity);
    let defined = words.relations(check.ast, |u| u.head).any(|(w, _, _)| w == meant);
    arity_differs || near::near(name, meant) > Some(if defined { 1 } else { 2 })
}

/// Whether the one clause of a relation that is near `init` or `next` would make what no other rule speaks of.
fn makes_no_fact(check: &Check, words: &NameIndex, (name, meant): (&str, &str)) -> bool {
    let alone = words.count(check.ast, name) == 1;
    let made = check.ast.clauses.iter().find_map(|clause| match clause.head.kind {
        NodeKind::Apply { name: head, args, .. }
            if check.ast.name(head).eq_ignore_ascii_case(name) =>
        {
            check.ast.list(args).last()
        }
        _ => None,
    });
    let Some(NodeKind::Apply { name: fact, .. }) = made.map(|node| node.kind) else { return false };
    alone && matches!(meant, "init" | "next") && words.count(check.ast, check.ast.name(fact)) < 2
}

/// What the clauses of a misspelled `init`, `next` or `legal` would have made is missed because of the slip.
fn made_by(check: &mut Check, name: &str) {
    for clause in &check.ast.clauses {
        let NodeKind::Apply { name: head, args, .. } = clause.head.kind else { continue };
        let last = check.ast.list(args).last();
        if let (true, Some(NodeKind::Apply { name: made, .. })) =
            (check.ast.name(head).eq_ignore_ascii_case(name), last.map(|n| n.kind))
        {
            let made = check.ast.name(made);
            check.threads.slip(name, made);
        }
    }
}
