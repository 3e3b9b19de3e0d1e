//! Clauses as KIF.

use super::{Flat, INDENT, Printer};
use crate::syntax::{Clause, Node, NodeKind};

impl Printer<'_> {
    pub fn kif_clause(&mut self, clause: &Clause) {
        if clause.body.is_empty() {
            return self.kif_fact(clause);
        }
        let last = self.last_of(clause);
        if self.on_line(&last, clause.span.end, |flat| flat.kif_rule(clause)) {
            return;
        }
        self.put("(<= ");
        self.kif_node(&clause.head);
        self.kif_lines(self.ast.list(clause.body), clause.span.end);
    }

    /// A relation without arguments is a list all the same: `(open)`.
    fn kif_fact(&mut self, clause: &Clause) {
        let bare = clause.head.list().is_empty();
        match clause.head.kind {
            NodeKind::Apply { name, .. } if bare => {
                self.put("(");
                self.put(self.ast.name(name));
                self.put(")");
            }
            _ => self.kif_node(&clause.head),
        }
    }

    fn kif_node(&mut self, node: &Node) {
        if self.on_line(node, node.span.end, |flat| flat.kif(node)) {
            return;
        }
        let (opening, parens) = match node.kind {
            NodeKind::Variable { name, .. } => (format!("?{}", self.ast.name(name)), false),
            NodeKind::Apply { name, args, parens } => {
                (self.ast.name(name).to_string(), parens || !args.is_empty())
            }
            NodeKind::Not(_) => ("not".into(), true),
            NodeKind::And(_) => ("and".into(), true),
            NodeKind::Or(_) => ("or".into(), true),
        };
        if !parens {
            return self.put(&opening);
        }
        self.put("(");
        self.put(&opening);
        self.kif_lines(self.ast.list(node.list()), node.span.end);
    }

    /// The rest of a list, one element on a line, and its parenthesis. A comment after the last
    /// element is left for after the parenthesis, unless it has a line of its own.
    fn kif_lines(&mut self, nodes: &[Node], end: u32) {
        self.indent += INDENT;
        for node in nodes {
            self.comments_before(node.span.start);
            self.newline();
            self.kif_node(node);
        }
        if self.comments.first().is_some_and(|c| self.begins_line(*c)) {
            self.comments_before(end);
        }
        self.put(")");
        self.indent -= INDENT;
    }
}

impl Flat<'_> {
    fn kif_rule(&mut self, clause: &Clause) -> Option<()> {
        self.put("(<= ")?;
        self.kif(&clause.head)?;
        self.kif_rest(self.ast.list(clause.body))
    }

    fn kif(&mut self, node: &Node) -> Option<()> {
        let opening = match node.kind {
            NodeKind::Variable { name, .. } => {
                self.put("?")?;
                return self.put(self.ast.name(name));
            }
            NodeKind::Apply { name, args, parens } => {
                let name = self.ast.name(name);
                if args.is_empty() && !parens {
                    return self.put(name);
                }
                name
            }
            NodeKind::Not(_) => "not",
            NodeKind::And(_) => "and",
            NodeKind::Or(_) => "or",
        };
        self.put("(")?;
        self.put(opening)?;
        self.kif_rest(self.ast.list(node.list()))
    }

    fn kif_rest(&mut self, nodes: &[Node]) -> Option<()> {
        for node in nodes {
            self.put(" ")?;
            self.kif(node)?;
        }
        self.put(")")
    }
}
