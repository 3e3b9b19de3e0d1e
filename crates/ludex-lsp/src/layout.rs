//! How a file looks: laid out anew, its colours, what folds, and the lenses above its clauses.

use crate::deep::Deep;
use crate::document::{Document, Word, WordKind};
use lsp_types::{
    CodeLens, Command, FoldingRange, FoldingRangeKind, Position, Range, SemanticToken,
    SemanticTokenType, TextEdit,
};
use ludex::source::{Report, Span};
use ludex::syntax::Ast;
use serde_json::json;

/// The colours, in the order of their numbers.
pub const COLOURS: [SemanticTokenType; 6] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::STRUCT,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::COMMENT,
];

fn colour(word: &Word) -> u32 {
    match word.kind {
        _ if word.is_keyword() => 0,
        WordKind::Variable => 1,
        WordKind::Relation { .. } => 2,
        WordKind::Function(0) => 4,
        WordKind::Function(_) => 3,
    }
}

/// One edit that lays the whole text out anew; none where it cannot be read or would not change.
pub fn format(document: &Document) -> Vec<TextEdit> {
    let (source, mut report) = (&document.source, Report::default());
    let ast = Ast::parse(source, None, &mut report);
    if report.has_errors() {
        return vec![];
    }
    let text = ast.format(source, ast.syntax);
    if text == source.text {
        return vec![];
    }
    let whole = Span { start: 0, end: source.text.len() as u32 };
    vec![TextEdit::new(document.range(whole), text)]
}

/// What has a colour, and which, in the order of the text.
pub fn painted(document: &Document) -> Vec<(Span, u32)> {
    let words = document.words.iter().map(|w| (w.span, colour(w)));
    let comments = document.ast.comments.iter().map(|span| (*span, 5));
    let mut all: Vec<(Span, u32)> = words.chain(comments).collect();
    all.sort_by_key(|(span, _)| span.start);
    all
}

/// Each token relative to the one before it.
pub fn colours(document: &Document) -> Vec<SemanticToken> {
    let all = painted(document);
    let (mut tokens, mut last) = (Vec::with_capacity(all.len()), Position::new(0, 0));
    for (span, token_type) in all {
        let range = document.range(span);
        let delta_line = range.start.line - last.line;
        let from = if delta_line == 0 { last.character } else { 0 };
        tokens.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - from,
            length: range.end.character.saturating_sub(range.start.character),
            token_type,
            token_modifiers_bitset: 0,
        });
        last = range.start;
    }
    tokens
}

/// Clauses over several lines, and comments on lines that follow each other.
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    let fold = |start: u32, end: u32, kind| FoldingRange {
        start_line: start,
        end_line: end,
        kind: Some(kind),
        ..FoldingRange::default()
    };
    let mut folds = Vec::new();
    for clause in &document.ast.clauses {
        let range = document.range(clause.span);
        if range.end.line > range.start.line {
            folds.push(fold(range.start.line, range.end.line, FoldingRangeKind::Region));
        }
    }
    let lines: Vec<u32> =
        document.ast.comments.iter().map(|c| document.range(*c).start.line).collect();
    for block in lines.chunk_by(|a, b| a + 1 == *b).filter(|block| block.len() > 1) {
        folds.push(fold(block[0], block[block.len() - 1], FoldingRangeKind::Comment));
    }
    folds
}

/// Above the first rule for `legal` the number of moves now, above the first role what can be done with the game.
pub fn lenses(document: &Document, deep: Option<&Deep>) -> Vec<CodeLens> {
    let first = |name: &str| document.words.iter().find(|w| w.is_head() && w.name == name);
    let lens = |word: &Word, title: String, command: &str| {
        let line = document.range(word.span).start.line;
        let command = Command {
            title,
            command: command.into(),
            arguments: Some(vec![json!(document.uri.as_str())]),
        };
        let range = Range::new(Position::new(line, 0), Position::new(line, 0));
        CodeLens { range, command: Some(command), data: None }
    };
    let mut lenses = Vec::new();
    if let (Some(role), true) = (first("role"), document.rules.is_some()) {
        lenses.push(lens(role, "draw".into(), "ludex.draw"));
        lenses.push(lens(role, "play".into(), "ludex.play"));
    }
    if let (Some(legal), Some(deep)) = (first("legal"), deep) {
        let most = deep.legal.iter().map(|(_, count)| *count).max();
        let title = match (most, &deep.stopped) {
            (Some(_), None) => format!("legal now: {}", counts(&deep.legal)),
            _ => return lenses,
        };
        lenses.push(lens(legal, title, ""));
    }
    lenses
}

/// `9`, where only one role has a choice, else `white 3, black 3`.
fn counts(legal: &[(String, usize)]) -> String {
    let choosing: Vec<&(String, usize)> = legal.iter().filter(|(_, count)| *count != 1).collect();
    match (&choosing[..], legal) {
        ([(_, count)], _) | ([], [(_, count)]) => count.to_string(),
        ([], _) => "1 each".into(),
        (several, _) => {
            let texts: Vec<String> =
                several.iter().map(|(role, count)| format!("{role} {count}")).collect();
            texts.join(", ")
        }
    }
}
