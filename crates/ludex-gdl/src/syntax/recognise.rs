//! Which syntax a text is written in, and whether it is a game description at all.

use super::{Ast, Clause, NodeKind, Syntax};
use crate::source::{Report, Severity, Source, Span};

/// So many lines decide.
const LINES: usize = 200;
const WORDS: [&str; 9] =
    ["role", "base", "input", "init", "next", "legal", "goal", "terminal", "<="];
const EXAMPLE: &str =
    "rules look like (<= (legal ?p noop) (role ?p)) in KIF, legal(P,noop) :- role(P) in infix";

/// KIF lines begin with a parenthesis, infix lines have `:-` or `name(`.
pub fn recognise(text: &str) -> Syntax {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lines = text.lines().map(str::trim_start).filter(|l| !l.starts_with([';', '%']));
    let (mut kif, mut infix) = (0, 0);
    for line in lines.take(LINES) {
        let name = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        let call = name > 0 && line[name..].starts_with('(');
        kif += usize::from(line.starts_with(['(', ')', '?']) || line.starts_with("<="));
        infix += usize::from(call || line.contains(":-"));
    }
    let kif_first = text.starts_with(['(', ';']);
    if kif > infix || kif == infix && kif_first { Syntax::Kif } else { Syntax::Infix }
}

/// What a text is that begins like no rules do.
pub fn foreign(text: &str) -> Option<&'static str> {
    let control = |c: char| c.is_control() && !matches!(c, '\t'..='\r' | '\x1a' | '\u{85}');
    let odd = text.chars().take(4096).filter(|c| control(*c)).count();
    if odd * 20 > text.len().min(4096) {
        return Some("it looks like binary data");
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let mut first = text.chars();
    match (first.next()?, first.next().unwrap_or(' ')) {
        ('<', '!' | '?' | 'a'..='z' | 'A'..='Z') => Some("it looks like HTML or XML"),
        ('{' | '[', _) => Some("it looks like JSON"),
        ('#', '!') => Some("it looks like a script"),
        ('%', 'P') if text.starts_with("%PDF") => Some("it looks like PDF"),
        _ => None,
    }
}

/// Says where a text that begins like rules has a byte that no text has.
pub fn no_text(source: &Source, report: &mut Report) -> bool {
    let Some(at) = source.text.find('\0') else { return false };
    let span = Span { start: at as u32, end: at as u32 + 1 };
    let message = "this is no text: here is a byte that is zero";
    report.error("not-gdl", span, message).hint("remove it, or save the file as UTF-8 text");
    true
}

pub fn complain_foreign(what: &str, report: &mut Report) {
    let message = format!("this is not a game description: {what}");
    report.push(Severity::Error, "not-gdl", None, message).hint(EXAMPLE);
}

/// Looks at what was read. A file without rules gets one complaint, in place of those from
/// `before` on that came of reading it as what it is not.
pub fn judge(source: &Source, ast: &Ast, asked: bool, before: usize, report: &mut Report) {
    let mine = &report.complaints[before..];
    let errors = mine.iter().filter(|c| c.severity == Severity::Error).count();
    if ast.clauses.is_empty() && errors == 0 {
        let what = if ast.comments.is_empty() { "it is empty" } else { "it has only comments" };
        let message = format!("there are no rules in this file: {what}");
        report.push(Severity::Error, "empty", None, message).hint(EXAMPLE);
        return;
    }
    let bare = ast.clauses.iter().filter(|c| is_bare(source, c)).count();
    let noise = errors + bare;
    if noise * 2 <= ast.clauses.len() {
        return;
    }
    let place = mine.iter().find_map(|c| c.span);
    let place = place.or(ast.clauses.first().map(|c| c.span));
    let other = recognise(&source.text);
    if noise > 4 * words(&source.text) {
        replace(report, before, place, "not-gdl", "this is not a game description".into());
    } else if asked && other != ast.syntax {
        let message = format!("this cannot be read as {}; it looks like {other}", ast.syntax);
        replace(report, before, place, "wrong-syntax", message);
    }
}

fn replace(report: &mut Report, from: usize, span: Option<Span>, code: &'static str, text: String) {
    report.complaints.truncate(from);
    report.push(Severity::Error, code, span, text).hint(EXAMPLE);
}

/// A word by itself, as in prose.
fn is_bare(source: &Source, clause: &Clause) -> bool {
    let NodeKind::Apply { args, parens, .. } = clause.head.kind else { return false };
    let stop = source.text[clause.span.end as usize..].starts_with('.');
    clause.body.is_empty() && args.is_empty() && !parens && !stop
}

/// How many keywords of GDL stand where one of the two syntaxes has them, and arrows.
fn words(text: &str) -> usize {
    let arrows = text.matches(":-").count();
    let lower = text.to_ascii_lowercase();
    let count = |word: &str| {
        let at = lower.match_indices(word);
        let kif = |i: usize| lower[..i].trim_end_matches(' ').ends_with('(');
        let infix = |i: usize| lower[i + word.len()..].starts_with('(');
        at.filter(|(i, _)| kif(*i) || infix(*i)).count()
    };
    arrows + WORDS.iter().map(|w| count(w)).sum::<usize>()
}
