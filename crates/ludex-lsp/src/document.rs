//! One open file: its text, its clauses as far as they can be read, every name in it, and the complaints.

use crate::text::Lines;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};
use ludex::policy::Policy;
use ludex::rules::{KEYWORDS, Rules};
use ludex::source::{Report, Source, Span};
use ludex::syntax::{Ast, Node, NodeKind, Syntax};

pub struct Document {
    pub uri: Uri,
    pub version: i32,
    pub source: Source,
    pub lines: Lines,
    pub ast: Ast,
    /// None where something is wrong that no engine could run.
    pub rules: Option<Rules>,
    pub report: Report,
    pub policy: Policy,
    /// Every name and variable, in the order of the text.
    pub words: Vec<Word>,
}

/// A name or variable at a place.
pub struct Word {
    pub span: Span,
    /// In lower case, since letter case makes no difference.
    pub name: String,
    pub kind: WordKind,
    pub clause: u32,
    /// The name that this is an argument of, and which, from 0.
    pub inside: Option<(String, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A relation with its arity; in a head it is defined.
    Relation {
        arity: usize,
        head: bool,
    },
    /// A constant has arity 0.
    Function(usize),
    Variable,
}

impl Document {
    pub fn new(uri: Uri, version: i32, text: String) -> Document {
        let name = uri.path().as_str().rsplit('/').next().unwrap_or("game").to_string();
        let lines = Lines::of(&text);
        let source = Source::new(name, text);
        let (rules, mut report) = match Rules::read(&source, None) {
            Ok((rules, report)) => (Some(rules), report),
            Err(report) => (None, report),
        };
        let ast = Ast::parse(&source, None, &mut Report::default());
        let policy = Policy::of_comments(&source, &mut report);
        let words = Collector::words(&source, &ast);
        Document { uri, version, source, lines, ast, rules, report, policy, words }
    }

    /// The text after changes, each of which is to the text that the one before it left.
    pub fn changed(&self, changes: Vec<TextDocumentContentChangeEvent>) -> String {
        let mut text = self.source.text.clone();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                continue;
            };
            let lines = Lines::of(&text);
            let (start, end) = (lines.offset(&text, range.start), lines.offset(&text, range.end));
            text.replace_range(start..end.max(start), &change.text);
        }
        text
    }

    pub fn range(&self, span: Span) -> Range {
        self.lines.range(&self.source.text, span)
    }

    pub fn offset(&self, position: Position) -> u32 {
        self.lines.offset(&self.source.text, position) as u32
    }

    /// The name or variable at a position, also just behind its last letter.
    pub fn word_at(&self, position: Position) -> Option<&Word> {
        let at = self.offset(position);
        let before = self.words.partition_point(|w| w.span.start <= at);
        let word = &self.words[before.checked_sub(1)?];
        (at <= word.span.end).then_some(word)
    }

    pub fn is_infix(&self) -> bool {
        self.ast.syntax == Syntax::Infix
    }
}

impl Word {
    pub fn is_keyword(&self) -> bool {
        matches!(self.kind, WordKind::Relation { .. }) && is_keyword(&self.name)
    }

    /// Whether two words are one thing: a relation, a function or a constant of the rules, or a variable of one
    /// clause.
    pub fn is_same(&self, other: &Word) -> bool {
        let kind = match (self.kind, other.kind) {
            (WordKind::Relation { arity: a, .. }, WordKind::Relation { arity: b, .. }) => a == b,
            (WordKind::Variable, WordKind::Variable) => self.clause == other.clause,
            (a, b) => a == b,
        };
        kind && self.name == other.name
    }

    pub fn is_head(&self) -> bool {
        matches!(self.kind, WordKind::Relation { head: true, .. })
    }
}

pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|(word, _)| *word == name) || name == "distinct"
}

struct Collector<'a> {
    source: &'a Source,
    ast: &'a Ast,
    words: Vec<Word>,
    clause: u32,
}

impl Collector<'_> {
    fn words(source: &Source, ast: &Ast) -> Vec<Word> {
        let mut collector = Collector { source, ast, words: vec![], clause: 0 };
        for (at, clause) in ast.clauses.iter().enumerate() {
            collector.clause = at as u32;
            collector.atom(&clause.head, true);
            ast.list(clause.body).iter().for_each(|n| collector.formula(n));
        }
        collector.words.sort_by_key(|w| w.span.start);
        collector.words
    }

    fn formula(&mut self, node: &Node) {
        match node.kind {
            NodeKind::Not(list) | NodeKind::And(list) | NodeKind::Or(list) => {
                self.ast.list(list).iter().for_each(|n| self.formula(n));
            }
            _ => self.atom(node, false),
        }
    }

    fn atom(&mut self, node: &Node, head: bool) {
        let NodeKind::Apply { name, args, .. } = node.kind else { return };
        let kind = WordKind::Relation { arity: args.len(), head };
        self.apply(node, name, kind, None);
    }

    fn term(&mut self, node: &Node, inside: (String, usize)) {
        match node.kind {
            NodeKind::Variable { name, anonymous: false } => {
                let name = self.ast.name(name).to_lowercase();
                self.push(node.span, name, WordKind::Variable, Some(inside));
            }
            NodeKind::Apply { name, args, .. } => {
                self.apply(node, name, WordKind::Function(args.len()), Some(inside))
            }
            _ => {}
        }
    }

    fn apply(
        &mut self,
        node: &Node,
        name: ludex::syntax::Name,
        kind: WordKind,
        inside: Option<(String, usize)>,
    ) {
        let name = self.ast.name(name).to_lowercase();
        if let Some(span) = self.name_span(node.span, &name) {
            self.push(span, name.clone(), kind, inside);
        }
        for (at, node) in self.ast.list(node.list()).iter().enumerate() {
            self.term(node, (name.clone(), at));
        }
    }

    fn push(&mut self, span: Span, name: String, kind: WordKind, inside: Option<(String, usize)>) {
        self.words.push(Word { span, name, kind, clause: self.clause, inside });
    }

    /// Where the name of a node stands: after the parenthesis in KIF, first in infix, and nowhere in `a \\= b`.
    fn name_span(&self, span: Span, name: &str) -> Option<Span> {
        let text = self.source.slice(span);
        let inner = text.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let start = span.start + (text.len() - inner.len()) as u32;
        let end = match inner.strip_prefix('\'') {
            Some(quoted) => quoted.find('\'')? + 2,
            None => {
                let ends = |c: char| c.is_whitespace() || "(),.;&|%".contains(c);
                inner.find(ends).unwrap_or(inner.len())
            }
        };
        let written = inner[..end].trim_matches('\'').to_lowercase();
        // A full stop or a sign may be part of a name in KIF.
        let end = if self.ast.syntax == Syntax::Kif { kif_end(inner) } else { end };
        let whole = inner[..end].to_lowercase();
        let is_name = written == name || whole == name;
        is_name.then_some(Span { start, end: start + end as u32 })
    }
}

fn kif_end(text: &str) -> usize {
    text.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(text.len())
}
