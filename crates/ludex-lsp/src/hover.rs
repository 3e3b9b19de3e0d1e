//! What is known of the name at a position, and what a complaint there means.

use crate::deep::Deep;
use crate::document::{Document, Word, WordKind};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};
use ludex::explain::explain;
use ludex::source::{Complaint, Report};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Members of a domain that are shown.
const SHOWN: usize = 12;

pub fn hover(
    document: &Document,
    deep: Option<&Deep>,
    report: &Report,
    position: Position,
) -> Option<Hover> {
    let at = document.offset(position);
    let mut text = String::new();
    let word = document.word_at(position);
    if let Some(word) = word {
        about(document, deep, word, &mut text);
    }
    let holds = |c: &&Complaint| c.span.is_some_and(|s| s.start <= at && at <= s.end);
    let all = report.complaints.iter().flat_map(|c| std::iter::once(c).chain(&c.follows));
    let mut told = BTreeSet::new();
    for complaint in all.filter(holds).filter(|c| told.insert(c.code)) {
        let _ = writeln!(text, "\n---\n**{}**: {}\n", complaint.code, complaint.message);
        text.push_str(explain(complaint.code).unwrap_or(""));
        text.push('\n');
    }
    let value = text.trim().to_string();
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    let range = word.map(|w| document.range(w.span));
    (!text.trim().is_empty()).then_some(Hover { contents, range })
}

/// Writes what a name is, its domain, what it depends on and what depends on it.
fn about(document: &Document, deep: Option<&Deep>, word: &Word, out: &mut String) {
    let (name, arity, kind) = match word.kind {
        WordKind::Variable => {
            let _ = writeln!(out, "variable `{}` of this clause", word.name);
            return;
        }
        WordKind::Function(0) => (&word.name, 0, "constant"),
        WordKind::Function(arity) => (&word.name, arity, "function"),
        WordKind::Relation { arity, .. } => (&word.name, arity, "relation"),
    };
    let of_gdl = keyword(name).filter(|_| word.is_keyword());
    let kind = if of_gdl.is_some() { "keyword" } else { kind };
    let times = document.words.iter().filter(|w| w.is_same(word)).count();
    let often = if times == 1 { "once".to_string() } else { format!("{times} times") };
    let _ = writeln!(out, "**{name}/{arity}** {kind}, {often} in this file\n");
    if let Some(text) = of_gdl {
        let _ = writeln!(out, "{text}\n");
    }
    let domain = deep.and_then(|d| d.domains.get(&(name.clone(), arity)));
    for (at, members) in domain.into_iter().flatten().enumerate() {
        let _ = writeln!(out, "- argument {}: {}", at + 1, list(members));
    }
    if matches!(word.kind, WordKind::Relation { .. }) {
        depends(document, word, out);
    }
}

fn list(members: &[String]) -> String {
    let shown: Vec<String> = members.iter().take(SHOWN).map(|m| format!("`{m}`")).collect();
    match members.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The relations of the bodies below its heads, and those in whose bodies it stands.
fn depends(document: &Document, word: &Word, out: &mut String) {
    let relations =
        || document.words.iter().filter(|w| matches!(w.kind, WordKind::Relation { .. }));
    let heads: BTreeSet<u32> =
        relations().filter(|w| w.is_head() && w.is_same(word)).map(|w| w.clause).collect();
    let bodies: BTreeSet<u32> =
        relations().filter(|w| !w.is_head() && w.is_same(word)).map(|w| w.clause).collect();
    let below: BTreeSet<&str> = relations()
        .filter(|w| !w.is_head() && heads.contains(&w.clause))
        .map(|w| w.name.as_str())
        .collect();
    let above: BTreeSet<&str> = relations()
        .filter(|w| w.is_head() && bodies.contains(&w.clause))
        .map(|w| w.name.as_str())
        .collect();
    for (what, names) in [("depends on", below), ("used by", above)] {
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().map(String::from).collect();
            let _ = writeln!(out, "- {what}: {}", list(&names));
        }
    }
}

/// What a word of GDL means.
pub fn keyword(name: &str) -> Option<&'static str> {
    Some(match name {
        "role" => "`role ROLE`: who plays.",
        "base" => "`base FACT`: a fact that can ever be true.",
        "input" => "`input ROLE MOVE`: a move that can ever be legal.",
        "init" => "`init FACT`: what is true in the first state.",
        "true" => "`true FACT`: the fact is true in the present state.",
        "does" => "`does ROLE MOVE`: the role makes this move now.",
        "next" => "`next FACT`: what is true after the move. All else is forgotten.",
        "legal" => "`legal ROLE MOVE`: the role may make this move.",
        "goal" => "`goal ROLE VALUE`: what the role gets, from 0 to 100.",
        "terminal" => "`terminal`: the match is over.",
        "distinct" => "`distinct TERM TERM`: the two are not the same.",
        "sees" => "`sees ROLE WHAT`: hidden information (GDL-II), not supported.",
        _ => return None,
    })
}
