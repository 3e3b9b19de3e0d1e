//! What can stand at a position: words of GDL with their arities, relations, and the constants that belong there.

use crate::deep::Deep;
use crate::document::{Document, WordKind, is_keyword};
use crate::hover::keyword;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, Position};
use ludex::rules::KEYWORDS;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are offered at most.
const MOST: usize = 500;

pub fn complete(document: &Document, deep: Option<&Deep>, at: Position) -> Vec<CompletionItem> {
    let offset = document.offset(at) as usize;
    let place = Around::of(&document.source.text[..offset], document.is_infix());
    let mut items = match &place.inside {
        Some((name, argument)) if !expects_atoms(name) => {
            terms(document, deep, (name.as_str(), *argument))
        }
        _ => atoms(document),
    };
    items.truncate(MOST);
    items
}

/// Lists whose elements are conditions.
fn expects_atoms(name: &str) -> bool {
    matches!(name, "<=" | "and" | "or" | "not" | "")
}

/// What a position is inside of: the name of the innermost open list, and the number of the argument.
struct Around {
    inside: Option<(String, usize)>,
}

impl Around {
    /// From the text before the position, back to the beginning of its clause.
    fn of(before: &str, infix: bool) -> Around {
        let from = clause_start(before);
        let mut open: Vec<(String, usize)> = Vec::new();
        let (mut word, mut fresh) = (String::new(), false);
        for c in before[from..].chars() {
            match c {
                '(' if infix => open.push((std::mem::take(&mut word).to_lowercase(), 0)),
                '(' => {
                    open.push((String::new(), 0));
                    fresh = true;
                }
                ')' => {
                    open.pop();
                    // The list that ended was an argument of the one around it.
                    if let (false, Some(last)) = (infix, open.last_mut()) {
                        last.1 += 1;
                    }
                }
                ',' if infix => open.last_mut().into_iter().for_each(|last| last.1 += 1),
                c if c.is_whitespace() || "&|~.:-".contains(c) && infix => {
                    if let (false, Some(last)) = (infix || word.is_empty(), open.last_mut()) {
                        if fresh {
                            last.0 = word.to_lowercase();
                        } else {
                            last.1 += 1;
                        }
                        fresh = false;
                    }
                    word.clear();
                    continue;
                }
                c => {
                    word.push(c);
                    continue;
                }
            }
            if !infix && c == ')' || c == ',' {
                word.clear();
            }
        }
        // The first word of a list is its name.
        let inside = if !infix && fresh { None } else { open.pop() };
        Around { inside }
    }
}

/// Clauses begin at the beginning of a line; a position deep in a file looks no further back.
fn clause_start(before: &str) -> usize {
    let mut starts = before.match_indices('\n').map(|(at, _)| at + 1);
    let begins = |at: &usize| !before[*at..].starts_with([' ', '\t', '\n', '\r', ')']);
    starts.rfind(begins).unwrap_or(0)
}

/// Words of GDL and relations.
fn atoms(document: &Document) -> Vec<CompletionItem> {
    let distinct = [("distinct", 2)];
    let words = KEYWORDS.iter().chain(&distinct).filter(|(word, _)| *word != "sees");
    let item = |name: &str, arity: usize, kind| CompletionItem {
        label: name.to_string(),
        kind: Some(kind),
        detail: Some(format!("{name}/{arity}")),
        documentation: keyword(name).map(|text| Documentation::String(text.into())),
        ..CompletionItem::default()
    };
    let mut items: Vec<CompletionItem> =
        words.map(|(word, arity)| item(word, *arity, CompletionItemKind::KEYWORD)).collect();
    for word in ["and", "or", "not"] {
        items.push(CompletionItem::new_simple(word.into(), "connective".into()));
    }
    let relations: BTreeSet<(&str, usize)> = document
        .words
        .iter()
        .filter_map(|w| match w.kind {
            WordKind::Relation { arity, .. } => Some((w.name.as_str(), arity)),
            _ => None,
        })
        .filter(|(name, _)| !is_keyword(name))
        .collect();
    let relations = relations.into_iter();
    items.extend(relations.map(|(name, arity)| item(name, arity, CompletionItemKind::FUNCTION)));
    items
}

/// What stands at this argument elsewhere or is in its domain first, then all other constants and functions.
fn terms(
    document: &Document,
    deep: Option<&Deep>,
    (name, argument): (&str, usize),
) -> Vec<CompletionItem> {
    // By name: its arity, and 0 where it belongs here.
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for word in &document.words {
        let WordKind::Function(arity) = word.kind else { continue };
        let here = word.inside.as_ref().is_some_and(|(n, at)| n == name && *at == argument);
        let entry = found.entry(&word.name).or_insert((arity, 1));
        entry.1 = entry.1.min(usize::from(!here));
    }
    let domains = deep.into_iter().flat_map(|d| &d.domains).filter(|((n, _), _)| n == name);
    for member in domains.filter_map(|(_, arguments)| arguments.get(argument)).flatten() {
        let (member, arity) = member.split_once('/').unwrap_or((member, "0"));
        found.insert(member, (arity.parse().unwrap_or(0), 0));
    }
    let mut items: Vec<(usize, CompletionItem)> = found
        .into_iter()
        .map(|(name, (arity, rank))| {
            let kind = match arity {
                0 => CompletionItemKind::ENUM_MEMBER,
                _ => CompletionItemKind::STRUCT,
            };
            let item = CompletionItem {
                label: name.to_string(),
                kind: Some(kind),
                detail: Some(if arity == 0 {
                    "constant".into()
                } else {
                    format!("{name}/{arity}")
                }),
                sort_text: Some(format!("{rank}{name}")),
                ..CompletionItem::default()
            };
            (rank, item)
        })
        .collect();
    items.sort_by_key(|(rank, _)| *rank);
    items.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str, infix: bool) -> Option<(String, usize)> {
        Around::of(text, infix).inside
    }

    #[test]
    fn the_innermost_list_and_the_argument_are_found() {
        let some = |name: &str, at| Some((name.to_string(), at));
        assert_eq!(inside("(role a)\n(<= (next (cell 1 ", false), some("cell", 1));
        assert_eq!(inside("(<= (next (cell 1 b)) (tr", false), None);
        assert_eq!(inside("(<= terminal ", false), some("<=", 1));
        assert_eq!(inside("(legal white ", false), some("legal", 1));
        assert_eq!(inside("next(cell(1,", true), some("cell", 1));
        assert_eq!(inside("next(p) :- true(", true), some("true", 0));
        assert_eq!(inside("next(p) :- tr", true), None);
        assert_eq!(inside("", false), None);
    }
}
