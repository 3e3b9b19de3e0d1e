//! Where a name is defined and where it stands, and another name for it.

use crate::document::{Document, Word, WordKind};
use lsp_types::{Location, Position, TextEdit, WorkspaceEdit};
use ludex::syntax::Syntax;
use std::collections::HashMap;

/// The heads of a relation; for a fact or move the rules that make it; for a constant its first place; for a
/// variable its first place in the clause.
pub fn definition(document: &Document, position: Position) -> Vec<Location> {
    let Some(word) = document.word_at(position) else { return vec![] };
    let same: Vec<&Word> = document.words.iter().filter(|w| w.is_same(word)).collect();
    let heads = |w: &&&Word| match w.kind {
        WordKind::Relation { .. } => w.is_head(),
        WordKind::Function(arity) => arity > 0 && is_made(document, w),
        WordKind::Variable => false,
    };
    let defining: Vec<&Word> = same.iter().filter(heads).copied().collect();
    let found = if defining.is_empty() { &same[..1.min(same.len())] } else { &defining[..] };
    locations(document, found)
}

/// Whether a function is what the head of its clause makes: `init`, `next`, `legal`, `base`, `input`.
fn is_made(document: &Document, word: &Word) -> bool {
    let makes = ["init", "next", "legal", "base", "input"];
    let inside = word.inside.as_ref().is_some_and(|(name, _)| makes.contains(&name.as_str()));
    let clause = &document.ast.clauses[word.clause as usize];
    inside && word.span.end <= clause.head.span.end
}

pub fn references(document: &Document, position: Position, declaration: bool) -> Vec<Location> {
    let Some(word) = document.word_at(position) else { return vec![] };
    let same = document.words.iter().filter(|w| w.is_same(word));
    let asked: Vec<&Word> = same.filter(|w| declaration || !w.is_head()).collect();
    locations(document, &asked)
}

fn locations(document: &Document, words: &[&Word]) -> Vec<Location> {
    let location = |w: &&Word| Location::new(document.uri.clone(), document.range(w.span));
    words.iter().map(location).collect()
}

/// The changes that give a name another spelling everywhere, or why that cannot be.
#[allow(clippy::mutable_key_type)]
pub fn rename(document: &Document, at: Position, to: &str) -> Result<WorkspaceEdit, String> {
    let word = document.word_at(at).ok_or("there is no name here")?;
    if word.is_keyword() {
        return Err(format!("{} is a word of GDL and keeps its name", word.name));
    }
    let variable = word.kind == WordKind::Variable;
    let text = spelled(document.ast.syntax, to, variable)?;
    let renamed = Word {
        name: bare(&text).to_lowercase(),
        span: word.span,
        kind: word.kind,
        clause: word.clause,
        inside: None,
    };
    if renamed.name != word.name && document.words.iter().any(|w| w.is_same(&renamed)) {
        return Err(format!("{to} is another name already"));
    }
    let same = document.words.iter().filter(|w| w.is_same(word));
    let edits = same.map(|w| TextEdit::new(document.range(w.span), text.clone())).collect();
    let changes = HashMap::from([(document.uri.clone(), edits)]);
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

fn bare(text: &str) -> &str {
    text.trim_start_matches('?').trim_matches('\'')
}

/// A name or variable as the syntax writes it.
fn spelled(syntax: Syntax, to: &str, variable: bool) -> Result<String, String> {
    let name = bare(to);
    let odd = |c: char| c.is_whitespace() || c.is_control() || "();'".contains(c);
    if name.is_empty() || name.contains(odd) {
        return Err(format!("{to:?} cannot be a name of GDL"));
    }
    let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let small = name.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    let capital = name.starts_with(|c: char| c.is_uppercase());
    Ok(match (syntax, variable) {
        (Syntax::Kif, true) => format!("?{name}"),
        (Syntax::Kif, false) => name.to_string(),
        (Syntax::Infix, true) if word && capital => name.to_string(),
        (Syntax::Infix, true) => return Err("a variable begins with a capital letter".into()),
        (Syntax::Infix, false) if word && small => name.to_string(),
        (Syntax::Infix, false) => format!("'{name}'"),
    })
}
