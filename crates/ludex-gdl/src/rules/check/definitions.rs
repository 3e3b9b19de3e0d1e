//! Relations that are used but never defined, or defined but never used, and what was likely meant.

use super::names::{NameIndex, NameUses, is_keyword};
use super::{Check, near};
use crate::rules::{Atom, KEYWORDS, Literal, Rel, Rule, Term};
use crate::source::Span;
use crate::syntax::{NodeKind, Syntax};

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

/// A name, its arity, and how often it stands anywhere.
type NamedRelation<'a> = (&'a str, usize, usize);

/// The relations of a game.
struct KnownRelations<'a> {
    words: &'a NameIndex,
    defined: Vec<NamedRelation<'a>>,
    asked: Vec<NamedRelation<'a>>,
}

pub fn definitions(check: &mut Check, words: &NameIndex) {
    let of = |of| words.relations(check.ast, of).collect();
    let relations = KnownRelations { words, defined: of(|u| u.head), asked: of(|u| u.body) };
    for word in words.iter().filter(|w| !w.is_keyword()) {
        let (heads, bodies) = (word.places(|u| u.head), word.places(|u| u.body));
        let has = |places: &[(usize, Span)], arity| places.iter().any(|(a, _)| *a == arity);
        for (arity, span) in bodies.iter().filter(|(a, _)| !has(&heads, *a)) {
            undefined(check, &relations, word, (*arity, *span), heads.first().map(|h| h.0));
        }
        for (arity, span) in heads.iter().filter(|(a, _)| !has(&bodies, *a)) {
            unused(check, &relations, word, (*arity, *span), bodies.is_empty());
        }
    }
}

fn undefined(
    check: &mut Check,
    relations: &KnownRelations,
    word: &NameUses,
    (arity, span): (usize, Span),
    other: Option<usize>,
) {
    let name = word.text(check.ast);
    let message = format!("{name}/{arity} is used but never defined, so it is never true");
    let as_fact = is_fact(check, (name, arity)).then(|| wrapped(check, "true", span));
    let complaint = check.warning("undefined-relation", span, message);
    if let Some(hint) = of_other_languages(name) {
        complaint.hint(hint);
    } else if let Some(other) = other {
        complaint.hint(format!("{name}/{other} is defined"));
    } else if word.is_function(arity) {
        complaint.hint(format!("{name} is a function elsewhere: is true(…) missing around it?"));
        if let Some(text) = as_fact {
            complaint.fix(span, text);
        }
    } else {
        check.about(name);
        let keywords = ASKED.iter().map(|(word, arity)| (*word, *arity, 0));
        let known = relations.defined.iter().copied().chain(keywords);
        let Some(meant) = near::meant(name, arity, known) else { return };
        // Where the other stands less often and nobody asks for it, that is the slip: see `unused`.
        let given = ASKED.iter().any(|(word, _)| *word == meant);
        let words = relations.words;
        if words.is_asked(meant) || given || words.count(meant) >= word.count() {
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
    relations: &KnownRelations,
    word: &NameUses,
    (arity, span): (usize, Span),
    never: bool,
) {
    let (words, name) = (relations.words, word.text(check.ast));
    check.warning("unused-relation", span, format!("{name}/{arity} is defined but never used"));
    check.about(name);
    if never && word.is_function(arity) && is_fact(check, (name, arity)) {
        made_without_word(check, span);
        return;
    }
    if !never {
        return;
    }
    let keywords = KEYWORDS.iter().map(|(word, arity)| (*word, *arity, 0));
    let used = relations.asked.iter().filter(|(other, _, count)| {
        // One of many heads is misspelled, or the only one.
        match words.is_defined(other) {
            true => word.count() == 1 && *count > 2,
            false => word.count() < *count,
        }
    });
    let Some(meant) = near::meant(name, arity, used.copied().chain(keywords)) else { return };
    if is_far(words, (name, arity), meant) || makes_no_fact(check, words, (name, meant)) {
        return;
    }
    check.did_you_mean(check.last(), (name, meant), span);
    if is_keyword(meant) {
        made_by(check, name);
    }
}

/// Whether a condition asks for facts of this name, or a rule makes them.
fn is_fact(check: &Check, (name, arity): (&str, usize)) -> bool {
    let same = |term: &Term| match term {
        Term::App(f, args) => {
            args.len() == arity && check.rules.symbols.name(*f).eq_ignore_ascii_case(name)
        }
        Term::Var(_) => false,
    };
    let speaks = |atom: &Atom| {
        matches!(atom.rel, Rel::TRUE | Rel::INIT | Rel::NEXT) && atom.args.last().is_some_and(same)
    };
    let bodies = |rule: &Rule| rule.body.iter().filter_map(Literal::atom).any(speaks);
    check.rules.rules.iter().any(|rule| speaks(&rule.head) || bodies(rule))
}

/// A text with a word around it.
fn wrapped(check: &Check, word: &str, span: Span) -> String {
    let inner = check.source.slice(span);
    match check.ast.syntax {
        Syntax::Kif => format!("({word} {inner})"),
        Syntax::Infix => format!("{word}({inner})"),
    }
}

/// The last complaint is about a relation that nobody asks for; facts of its name are asked for.
fn made_without_word(check: &mut Check, head: Span) {
    let clause = check.ast.clauses.iter().find(|c| c.head.span == head);
    let word = match clause.is_some_and(|c| c.body.is_empty()) {
        true => "init",
        false => "next",
    };
    let text = wrapped(check, word, head);
    let last = check.last();
    check.report.complaints[last]
        .hint(format!("conditions ask for it with true: is {word}(…) missing around it?"))
        .fix(head, text);
}

/// Relations that are defined but never used are often meant to be there: only what is very near, and a
/// keyword only at its arity, is taken for a slip.
fn is_far(words: &NameIndex, (name, arity): (&str, usize), meant: &str) -> bool {
    let keyword = KEYWORDS.iter().find(|(word, _)| *word == meant);
    let arity_differs = keyword.is_some_and(|(_, n)| *n != arity);
    let most = if words.is_defined(meant) { 1 } else { 2 };
    arity_differs || near::near(name, meant) > Some(most)
}

/// Whether the one clause of a relation that is near `init` or `next` would make what no other rule speaks of.
fn makes_no_fact(check: &Check, words: &NameIndex, (name, meant): (&str, &str)) -> bool {
    let alone = words.count(name) == 1;
    let made = check.ast.clauses.iter().find_map(|clause| match clause.head.kind {
        NodeKind::Apply { name: head, args, .. }
            if check.ast.name(head).eq_ignore_ascii_case(name) =>
        {
            check.ast.list(args).last()
        }
        _ => None,
    });
    let Some(NodeKind::Apply { name: fact, .. }) = made.map(|node| node.kind) else { return false };
    alone && matches!(meant, "init" | "next") && words.count(check.ast.name(fact)) < 2
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
