//! `Ast` -> text in either syntax: one clause after the other, long ones one condition on a line.
//!
//! `Ast::format` also keeps the comments of the source, the blank lines between clauses, and facts of one
//! relation beside each other where their author put them on one line.

mod infix;
mod kif;

use super::{Ast, Clause, Node, NodeKind, Syntax};
use crate::source::{Source, Span};
use std::fmt;

/// What fits into so many columns stands on one line.
const WIDTH: usize = 100;
const INDENT: usize = 4;

impl Ast {
    /// The clauses without comments, one beginning on each line.
    pub fn text(&self, syntax: Syntax) -> String {
        let mut printer = Printer::new(self, syntax);
        for clause in &self.clauses {
            printer.clause(clause);
            printer.newline();
        }
        printer.out
    }

    /// The text of the source this was read from, laid out anew, with its comments.
    pub fn format(&self, source: &Source, syntax: Syntax) -> String {
        let mut printer = Printer::new(self, syntax);
        printer.source = &source.text;
        printer.comments = &self.comments;
        let mut before: Option<&Clause> = None;
        for clause in &self.clauses {
            printer.comments_between(clause.span.start);
            let alike = before.is_some_and(|b| printer.are_alike(b, clause));
            if !alike || !printer.goes_on(clause) {
                printer.separate(clause.span.start);
                printer.clause(clause);
            }
            printer.comments_before(clause.span.end);
            printer.done = clause.span.end;
            before = Some(clause);
        }
        printer.comments_between(u32::MAX);
        printer.newline();
        printer.out
    }
}

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(self.syntax))
    }
}

struct Printer<'a> {
    ast: &'a Ast,
    syntax: Syntax,
    out: String,
    indent: usize,
    /// Where the present line begins in `out`.
    line: usize,
    source: &'a str,
    /// The comments still to come.
    comments: &'a [Span],
    /// The end, in the source, of the last clause or comment printed outside clauses.
    done: u32,
    /// A comment ends the present line: what follows must begin another.
    ended: bool,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast, syntax: Syntax) -> Printer<'a> {
        let out = String::new();
        let (indent, line, done, ended) = (0, 0, 0, false);
        Printer { ast, syntax, out, indent, line, source: "", comments: &[], done, ended }
    }

    fn clause(&mut self, clause: &Clause) {
        match self.syntax {
            Syntax::Kif => self.kif_clause(clause),
            Syntax::Infix => self.infix_clause(clause),
        }
    }

    fn last_of(&self, clause: &Clause) -> Node {
        *self.ast.list(clause.body).last().unwrap_or(&clause.head)
    }

    fn put(&mut self, text: &str) {
        if self.ended {
            self.newline();
        }
        self.out.push_str(text);
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.ended = false;
    }

    /// Runs `write` on the text if what it adds stays on the line; else takes it back.
    fn on_line(
        &mut self,
        last: &Node,
        end: u32,
        write: impl FnOnce(&mut Flat) -> Option<()>,
    ) -> bool {
        if self.has_comments(last, end) {
            return false;
        }
        self.put("");
        let length = self.out.len();
        let room = (self.line + WIDTH).max(length);
        let mut flat = Flat { ast: self.ast, out: std::mem::take(&mut self.out), room };
        let fits = write(&mut flat).is_some() && flat.out.len() <= room;
        self.out = flat.out;
        if !fits {
            self.out.truncate(length);
        }
        fits
    }

    /// Whether a comment must stand within what ends at `end` and has `last` as its last part. What
    /// follows the last name on its line can as well follow the parentheses or the full stop.
    fn has_comments(&self, last: &Node, end: u32) -> bool {
        let Some(comment) = self.comments.first() else { return false };
        let within = self.syntax == Syntax::Kif && self.begins_line(*comment);
        comment.start < if within { end } else { self.last_name(last) }
    }

    /// The end of the last name or variable in a node.
    fn last_name(&self, node: &Node) -> u32 {
        let mut node = node;
        while let Some(last) = self.ast.list(node.list()).last() {
            node = last;
        }
        node.span.end
    }

    /// The comments of a clause that stand before this place.
    fn comments_before(&mut self, place: u32) {
        while let Some(comment) = self.next_comment(place) {
            if self.begins_line(comment) || self.ended {
                self.newline();
            } else {
                self.out.push(' ');
            }
            self.comment(comment);
        }
    }

    /// The comments outside clauses up to this place.
    fn comments_between(&mut self, place: u32) {
        while let Some(comment) = self.next_comment(place) {
            if self.begins_line(comment) || self.out.is_empty() || self.ended {
                self.separate(comment.start);
            } else {
                self.out.push(' ');
            }
            self.comment(comment);
            self.done = comment.end;
        }
    }

    fn next_comment(&mut self, place: u32) -> Option<Span> {
        let (first, rest) = self.comments.split_first()?;
        if first.start >= place {
            return None;
        }
        self.comments = rest;
        Some(*first)
    }

    fn begins_line(&self, comment: Span) -> bool {
        let before = self.source[..comment.start as usize].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// A comment with the mark of the syntax that is printed.
    fn comment(&mut self, comment: Span) {
        let text = &self.source[comment.start as usize..comment.end as usize];
        let words = text.trim_start_matches([';', '%']);
        let mark = if self.syntax == Syntax::Kif { ';' } else { '%' };
        self.out.extend(text[..text.len() - words.len()].chars().map(|_| mark));
        self.out.push_str(words);
        self.ended = true;
    }

    /// Whether two clauses are facts of the same relation.
    fn are_alike(&self, a: &Clause, b: &Clause) -> bool {
        let relation = |c: &Clause| match c.head.kind {
            NodeKind::Apply { name, .. } if c.body.is_empty() => Some(name),
            _ => None,
        };
        relation(a).is_some() && relation(a) == relation(b)
    }

    /// Prints a fact that the author put beside the one before it on the same line, if it fits there.
    fn goes_on(&mut self, clause: &Clause) -> bool {
        let between = &self.source[self.done as usize..clause.span.start as usize];
        if self.ended || self.out.is_empty() || between.contains('\n') {
            return false;
        }
        let (length, line, comments) = (self.out.len(), self.line, self.comments);
        self.out.push(' ');
        self.clause(clause);
        let fits = self.line == line && self.out.len() - line <= WIDTH && !self.ended;
        if !fits {
            self.out.truncate(length);
            (self.line, self.comments, self.ended) = (line, comments, false);
        }
        fits
    }

    /// Goes to a new line for what stands at `place`, after a blank line if the source has one.
    fn separate(&mut self, place: u32) {
        if self.out.is_empty() {
            return;
        }
        let between = &self.source[self.done as usize..place as usize];
        if between.matches('\n').count() > 1 {
            self.out.push('\n');
        }
        self.newline();
    }
}

/// Text on one line; writing gives up where there is no more room.
struct Flat<'a> {
    ast: &'a Ast,
    out: String,
    room: usize,
}

impl Flat<'_> {
    fn put(&mut self, text: &str) -> Option<()> {
        self.out.push_str(text);
        (self.out.len() <= self.room).then_some(())
    }
}
