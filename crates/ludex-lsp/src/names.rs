//! Where a name is defined and where it stands, and another name for it.

use crate::document::{Document, Word, WordKind};
use lsp_types::{Location, Position, TextEdit, WorkspaceEdit};
use ludex::syntax::Syntax;
use std::collections::HashMap;
use std::fmt;

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

/// Why a name stays as it is.
#[derive(Debug)]
pub enum Unrenamed {
    /// There is none at this place.
    NoName,
    Keyword(String),
    /// Something else has the new name.
    Taken(String),
    /// The new name cannot be written.
    NoWord(String),
    SmallVariable,
}

impl fmt::Display for Unrenamed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unrenamed::NoName => write!(f, "there is no name here"),
            Unrenamed::Keyword(name) => write!(f, "{name} is a word of GDL and keeps its name"),
            Unrenamed::Taken(name) => write!(f, "{name} is another name already"),
            Unrenamed::NoWord(name) => write!(f, "{name:?} cannot be a name of GDL"),
            Unrenamed::SmallVariable => write!(f, "a variable begins with a capital letter"),
        }
    }
}

impl std::error::Error for Unrenamed {}

/// The changes that give a name another spelling everywhere, or why that cannot be.
#[allow(clippy::mutable_key_type)]
pub fn rename(document: &Document, at: Position, to: &str) -> Result<WorkspaceEdit, Unrenamed> {
    let word = document.word_at(at).ok_or(Unrenamed::NoName)?;
    if word.is_keyword() {
        return Err(Unrenamed::Keyword(word.name.clone()));
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
        return Err(Unrenamed::Taken(to.into()));
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
fn spelled(syntax: Syntax, to: &str, variable: bool) -> Result<String, Unrenamed> {
    let name = bare(to);
    let odd = |c: char| c.is_whitespace() || c.is_control() || "();'".contains(c);
    if name.is_empty() || name.contains(odd) {
        return Err(Unrenamed::NoWord(to.into()));
    }
    let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let small = name.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    let capital = name.starts_with(|c: char| c.is_uppercase());
    Ok(match (syntax, variable) {
        (Syntax::Kif, true) => format!("?{name}"),
        (Syntax::Kif, false) => name.to_string(),
        (Syntax::Infix, true) if word && capital => name.to_string(),
        (Syntax::Infix, true) => return Err(Unrenamed::SmallVariable),
        (Syntax::Infix, false) if word && small => name.to_string(),
        (Syntax::Infix, false) => format!("'{name}'"),
    })
}
