//! `Source` -> `Ast`: what the author wrote, clause by clause, in prefix KIF or infix; and back.
//!
//! The tree is flat: the arguments of a node stand side by side in one arena, names are interned,
//! and nesting is limited to `MAX_DEPTH`, so that any pass may walk the tree by recursion.
//!
//! An `Ast` is flat: the arguments of a node stand side by side in one arena (`Ast::list`), names
//! are interned (`Ast::name`), a node has 24 bytes. `recognise.rs` says which syntax a text is in,
//! or that it is no game at all. The KIF parser keeps open lists on a stack of its own, the infix
//! parser recurses; both stop at a depth of 1000, so that every later pass may recurse. What is
//! wrong with a clause is reported and reading goes on at the next (`kif/repair.rs`,
//! `infix/repair.rs`): a clause that is still open when the next begins is read a second time with
//! an eye on columns, to find the line where the parenthesis is missing. Every name of KIF can be
//! written in infix, in quotes where need be, and `_` keeps being `_` there; so either syntax can
//! be turned into the other and back. `fuzz/` has targets for cargo-fuzz.

mod space;
mod build;
mod kif;
pub(crate) mod infix;
mod recognise;
mod needed;
mod print;

pub use build::AstBuilder;

use crate::source::{Report, Source, Span};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::fmt;

/// How deep lists may nest.
pub const MAX_DEPTH: usize = 1000;
/// After so many errors the rest of a file is not read.
const MAX_ERRORS: usize = 1000;

/// The two ways to write GDL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Kif,
    Infix,
}

/// The clauses of a file as they were written.
pub struct Ast {
    pub syntax: Syntax,
    pub clauses: Vec<Clause>,
    /// Where the comments stand, from their mark to the end of the line.
    pub comments: Vec<Span>,
    nodes: Vec<Node>,
    names: IndexSet<Box<str>, FxBuildHasher>,
}

/// `head :- body`; a fact has an empty body. The head is always a `NodeKind::Apply`.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    pub head: Node,
    pub body: List,
    pub span: Span,
}

/// A term or a formula, with its place.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub kind: NodeKind,
    pub span: Span,
}

/// A formula is an `Apply` or a connective of formulas; a term is a `Variable` or an `Apply`.
#[derive(Clone, Copy, Debug)]
pub enum NodeKind {
    /// The name without `?`. `anonymous`: written `_` in infix, with a name of its own here.
    Variable {
        name: Name,
        anonymous: bool,
    },
    /// A constant, function, relation (also `distinct`): `name` or `name(args)`.
    /// `parens` is true for `(f)` without arguments, which is kept apart from `f` as a term.
    Apply {
        name: Name,
        args: List,
        parens: bool,
    },
    /// One formula.
    Not(List),
    And(List),
    Or(List),
}

/// A name of an `Ast`, spelled as written: equal numbers, equal spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// Nodes that stand side by side: the arguments of a node or the body of a clause.
#[derive(Clone, Copy, Debug, Default)]
pub struct List {
    start: u32,
    len: u32,
}

impl Syntax {
    /// The syntax that a text is written in.
    pub fn of(text: &str) -> Syntax {
        recognise::recognise(text)
    }
}

impl Ast {
    /// Reads a source. `syntax` none: recognised from the text. All problems go into the report;
    /// the clauses that could be read are returned all the same.
    pub fn parse(source: &Source, syntax: Option<Syntax>, report: &mut Report) -> Ast {
        let before = report.complaints.len();
        if let Some(what) = recognise::foreign(&source.text) {
            recognise::complain_foreign(what, report);
            return AstBuilder::new(syntax.unwrap_or(Syntax::Kif)).finish();
        }
        if recognise::no_text(source, report) {
            return AstBuilder::new(syntax.unwrap_or(Syntax::Kif)).finish();
        }
        source.line_ends(report);
        let ast = match syntax.unwrap_or_else(|| recognise::recognise(&source.text)) {
            Syntax::Kif => kif::parse(source, report),
            Syntax::Infix => infix::parse(source, report),
        };
        recognise::judge(source, &ast, syntax.is_some(), before, report);
        report.complaints[before..].sort_by_key(|c| c.span.map(|s| s.start));
        ast
    }

    pub fn list(&self, list: List) -> &[Node] {
        &self.nodes[list.start as usize..][..list.len as usize]
    }

    pub fn name(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    /// Names are `Name(0)` … `Name(names() - 1)`.
    pub fn names(&self) -> usize {
        self.names.len()
    }
}

impl Node {
    /// What the node holds: arguments or parts; empty for a variable.
    pub fn list(&self) -> List {
        match self.kind {
            NodeKind::Variable { .. } => List::default(),
            NodeKind::Apply { args: list, .. }
            | NodeKind::Not(list)
            | NodeKind::And(list)
            | NodeKind::Or(list) => list,
        }
    }
}

impl List {
    pub fn len(self) -> usize {
        self.len as usize
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Syntax::Kif => "KIF",
            Syntax::Infix => "infix",
        })
    }
}

/// `and`, `or`, `not` in any letter case.
fn is_connective(text: &str) -> bool {
    ["and", "or", "not"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn connective_in_term(report: &mut Report, syntax: Syntax, text: &str, span: Span) {
    let message = format!("`{text}` inside a term is an ordinary function, not a connective");
    report.warning("connective-in-term", span, message).hint(match syntax {
        Syntax::Kif => "a connective goes around atoms: (not (true a)), not (true (not a))",
        Syntax::Infix => "a connective goes around atoms: ~true(a), not true(not(a))",
    });
}
