//! Clauses as infix: `&`, `|`, `~` between conditions, a full stop after every clause.

use super::{Flat, INDENT, Printer};
use crate::syntax::infix::{write_name, write_variable};
use crate::syntax::{Ast, Clause, Name, Node, NodeKind};

impl Printer<'_> {
    pub fn infix_clause(&mut self, clause: &Clause) {
        let last = self.last_of(clause);
        if self.on_line(&last, clause.span.end, |flat| flat.infix_clause(clause)) {
            return;
        }
        self.infix_node(&clause.head, true);
        if !clause.body.is_empty() {
            self.put(" :-");
            self.indent += INDENT;
            let (joint, parts) = body(self.ast, clause);
            self.infix_lines(parts, joint, true);
            self.indent -= INDENT;
        }
        self.put(".");
    }

    /// Nodes on lines of their own with a sign after each but the last.
    fn infix_lines(&mut self, nodes: &[Node], joint: &str, formula: bool) {
        for (i, node) in nodes.iter().enumerate() {
            self.comments_before(node.span.start);
            self.newline();
            self.infix_node(node, formula);
            if i + 1 < nodes.len() {
                self.put(joint.trim_end());
            }
        }
    }

    fn infix_node(&mut self, node: &Node, formula: bool) {
        if self.on_line(node, node.span.end, |flat| flat.infix(node, formula)) {
            return;
        }
        let nodes = self.ast.list(node.list());
        let (opening, joint) = match node.kind {
            NodeKind::Variable { name, anonymous } => {
                return self.put(&variable_text(self.ast, name, anonymous));
            }
            NodeKind::Apply { name, .. } => (name_text(self.ast, name), ","),
            NodeKind::Not(_) => {
                self.put("~");
                self.comments_before(nodes[0].span.start);
                return self.infix_node(&nodes[0], true);
            }
            NodeKind::And(_) | NodeKind::Or(_) => connective(node.kind, nodes.len()),
        };
        self.put(&opening);
        if let NodeKind::Apply { args, parens, .. } = node.kind
            && args.is_empty()
            && (formula || !parens)
        {
            return;
        }
        self.put("(");
        self.indent += INDENT;
        self.infix_lines(nodes, joint, !matches!(node.kind, NodeKind::Apply { .. }));
        self.put(")");
        self.indent -= INDENT;
    }
}

impl Flat<'_> {
    fn infix_clause(&mut self, clause: &Clause) -> Option<()> {
        self.infix(&clause.head, true)?;
        if !clause.body.is_empty() {
            self.put(" :- ")?;
            let (joint, parts) = body(self.ast, clause);
            self.infix_rest(parts, joint, true)?;
        }
        self.put(".")
    }

    /// A relation without arguments has no parentheses; a term may have.
    fn infix(&mut self, node: &Node, formula: bool) -> Option<()> {
        let nodes = self.ast.list(node.list());
        match node.kind {
            NodeKind::Variable { name, anonymous } => {
                self.put(&variable_text(self.ast, name, anonymous))
            }
            NodeKind::Apply { name, parens, .. } => {
                self.put(&name_text(self.ast, name))?;
                if nodes.is_empty() && (formula || !parens) {
                    return Some(());
                }
                self.put("(")?;
                self.infix_rest(nodes, ",", false)?;
                self.put(")")
            }
            NodeKind::Not(_) => {
                self.put("~")?;
                self.infix(&nodes[0], true)
            }
            NodeKind::And(_) | NodeKind::Or(_) => {
                let (opening, joint) = connective(node.kind, nodes.len());
                self.put(&opening)?;
                self.put("(")?;
                self.infix_rest(nodes, joint, true)?;
                self.put(")")
            }
        }
    }

    fn infix_rest(&mut self, nodes: &[Node], joint: &str, formula: bool) -> Option<()> {
        for (i, node) in nodes.iter().enumerate() {
            if i > 0 {
                self.put(joint)?;
            }
            self.infix(node, formula)?;
        }
        Some(())
    }
}

/// What joins the conditions of a rule, and they. A lone `or` needs no parentheses.
fn body<'a>(ast: &'a Ast, clause: &Clause) -> (&'static str, &'a [Node]) {
    let nodes = ast.list(clause.body);
    match nodes {
        [Node { kind: NodeKind::Or(parts), .. }] if parts.len() > 1 => (" | ", ast.list(*parts)),
        _ => (" & ", nodes),
    }
}

/// What stands before the parenthesis of a connective, and between its parts. With fewer than two
/// parts there is nothing to join, so the word says which it is.
fn connective(kind: NodeKind, parts: usize) -> (String, &'static str) {
    let (word, joint) =
        if matches!(kind, NodeKind::And(_)) { ("and", " & ") } else { ("or", " | ") };
    (if parts > 1 { String::new() } else { word.to_string() }, joint)
}

fn name_text(ast: &Ast, name: Name) -> String {
    let mut text = String::new();
    write_name(ast.name(name), &mut text);
    text
}

fn variable_text(ast: &Ast, name: Name, anonymous: bool) -> String {
    let mut text = String::new();
    match anonymous {
        true => text.push('_'),
        false => write_variable(ast.name(name), &mut text),
    }
    text
}
