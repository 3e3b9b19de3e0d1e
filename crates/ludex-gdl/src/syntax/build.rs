//! Puts an `Ast` together from the leaves up: nodes are pushed, then gathered by what holds them.

use super::{Ast, Clause, List, Name, Node, NodeKind, Syntax};
use crate::source::Span;

/// An `Ast` in the making and the nodes that nothing holds yet.
pub struct AstBuilder {
    ast: Ast,
    open: Vec<Node>,
}

impl AstBuilder {
    pub fn new(syntax: Syntax) -> AstBuilder {
        let ast = Ast {
            syntax,
            clauses: vec![],
            comments: vec![],
            nodes: vec![],
            names: Default::default(),
        };
        AstBuilder { ast, open: vec![] }
    }

    pub fn name(&mut self, text: &str) -> Name {
        if let Some(at) = self.ast.names.get_index_of(text) {
            return Name(at as u32);
        }
        let (at, _) = self.ast.names.insert_full(text.into());
        Name(at as u32)
    }

    pub fn push(&mut self, kind: NodeKind, span: Span) {
        self.open.push(Node { kind, span });
    }

    /// How many nodes are open: what is pushed from now on can be gathered by this mark.
    pub fn mark(&self) -> usize {
        self.open.len()
    }

    /// The nodes pushed since the mark, as one list.
    pub fn gather(&mut self, mark: usize) -> List {
        let start = self.ast.nodes.len() as u32;
        self.ast.nodes.extend(self.open.drain(mark..));
        List { start, len: self.ast.nodes.len() as u32 - start }
    }

    /// Forgets the nodes pushed since the mark.
    pub fn drop(&mut self, mark: usize) {
        self.open.truncate(mark);
    }

    /// The node pushed as `index`-th, if it is still open.
    pub fn opened(&self, index: usize) -> Option<Node> {
        self.open.get(index).copied()
    }

    /// Makes a clause of the nodes pushed since the mark: the head, then the body.
    pub fn clause(&mut self, mark: usize, span: Span) {
        let body = self.gather(mark + 1);
        let head = self.open.pop().expect("a head was pushed");
        self.ast.clauses.push(Clause { head, body, span });
    }

    /// How many clauses there are by now.
    pub fn clauses(&self) -> usize {
        self.ast.clauses.len()
    }

    /// Forgets the clauses after the first ones.
    pub fn forget_clauses(&mut self, from: usize) {
        self.ast.clauses.truncate(from);
    }

    pub fn comment(&mut self, span: Span) {
        self.ast.comments.push(span);
    }

    /// Forgets the comments from a place on: they will be read again.
    pub(crate) fn forget_comments(&mut self, from: u32) {
        while self.ast.comments.pop_if(|c| c.start >= from).is_some() {}
    }

    pub fn finish(self) -> Ast {
        self.ast
    }
}
