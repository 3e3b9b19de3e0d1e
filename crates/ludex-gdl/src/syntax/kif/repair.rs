//! What is wrong with parentheses, where it is likely to have gone wrong, and where reading goes on.

use super::token::KifToken;
use super::{Holds, KifParser, MAX_REREADS};
use crate::source::Span;
use crate::syntax::MAX_DEPTH;

impl KifParser<'_> {
    pub(super) fn closes_nothing(&mut self, span: Span) {
        let (from, to) = (self.clause.open, self.last);
        let complaint = self.report.error("unbalanced", span, "this `)` closes nothing");
        if from != to {
            let (line, _) = self.source.position(from.start);
            let (end, column) = self.source.position(to.start);
            complaint.hint(format!(
                "the clause before it, begun on line {line}, was closed on line {end}, column \
                 {column}: remove this `)` or one of those before it"
            ));
        }
        self.errors += 1;
    }

    /// Whether this parenthesis begins a clause although one is open.
    pub(super) fn next_clause_begins(&self, span: Span) -> bool {
        let rest = &self.source.text[span.end as usize..];
        if !rest.starts_with("<=") && !self.clause.by_column {
            return false;
        }
        let word = rest.split([' ', '\t', '\r', '\n', '(', ')']).next().unwrap_or("");
        if word == "<=" {
            return true;
        }
        let (line, column) = self.source.position(span.start);
        let (first_line, first_column) = self.source.position(self.clause.open.start);
        let fact = matches!(self.frames[self.wrappers].holds, Holds::Arguments(_));
        let heads = ["init", "next", "base", "input"];
        let head = heads.iter().any(|h| word.eq_ignore_ascii_case(h));
        self.clause.by_column && (column <= first_column || fact && line == first_line && head)
    }

    /// The place before this parenthesis if it begins a line and stands no further right than the
    /// list that it is in.
    pub(super) fn laid_out_as_closed(&self, span: Span) -> Option<Span> {
        let (line, column) = self.source.position(span.start);
        let (last_line, _) = self.source.position(self.last.start);
        let (_, list_column) = self.source.position(self.frames.last()?.open.start);
        let place = Span { start: self.last.end, end: self.last.end };
        (line > last_line && column <= list_column).then_some(place)
    }

    /// The present clause is still open when the next one begins or the file ends. The first time
    /// it is read again, now minding columns: true if it has been reported and given up.
    pub(super) fn unclosed(&mut self, next: Option<Span>) -> bool {
        if !self.clause.by_column && self.rereads < MAX_REREADS {
            self.rereads += 1;
            self.tokens.at = self.clause.open.end as usize;
            self.here = self.clause.open;
            self.build.drop(self.frames[self.wrappers].mark);
            self.build.forget_comments(self.clause.open.end);
            self.frames.truncate(self.wrappers + 1);
            self.frames[self.wrappers].holds = Holds::Unknown;
            self.clause.by_column = true;
            self.clause.broken = false;
            return false;
        }
        self.report_unclosed(next);
        self.build.drop(self.frames[self.wrappers].mark);
        self.frames.truncate(self.wrappers);
        true
    }

    pub(super) fn report_unclosed(&mut self, next: Option<Span>) {
        let missing = self.frames.len() - self.wrappers;
        let (line, _) = self.source.position(self.clause.open.start);
        let when = match next {
            Some(next) => {
                format!("the next clause begins on line {}", self.source.position(next.start).0)
            }
            None => "the file ends".into(),
        };
        let end = Span { start: self.last.end, end: self.last.end };
        let place = self.clause.suspect.unwrap_or(end);
        let message = format!(
            "`)` is missing here: the clause begun on line {line} is still open when {when}"
        );
        self.error("unbalanced", place, message)
            .hint(format!("add `{}`", ")".repeat(missing.min(20))));
    }

    pub(super) fn too_deep(&mut self, span: Span) {
        if self.at_clause() {
            let message = format!("lists are nested more than {MAX_DEPTH} deep");
            self.error("too-deep", span, message);
            self.tokens.at = self.source.text.len();
            self.wrappers = 0;
            return self.frames.clear();
        }
        if !self.clause.by_column && !self.unclosed(None) {
            return;
        }
        let message = format!("lists are nested more than {MAX_DEPTH} deep");
        self.error("too-deep", span, message).hint("is a `)` missing before this place?");
        self.skip_clause();
    }

    /// Passes over the rest of the present clause.
    pub(super) fn skip_clause(&mut self) {
        let mut depth = self.frames.len() + 1 - self.wrappers;
        while depth > 0 {
            match self.tokens.next(|c| self.build.comment(c)) {
                Some((KifToken::Open, _)) => depth += 1,
                Some((KifToken::Close, _)) => depth -= 1,
                Some((KifToken::Symbol, _)) => (),
                None => break,
            }
        }
        self.build.drop(self.frames[self.wrappers].mark);
        self.frames.truncate(self.wrappers);
    }

    pub(super) fn infix_line(&mut self, span: Span) {
        let message =
            format!("`{}` is not a clause: this looks like infix", self.source.slice(span));
        self.error("infix-in-kif", span, message).hint(
            "in KIF a fact is (name argument …), a rule is (<= head condition …); \
             a file is in one syntax throughout",
        );
        self.skip_line();
    }

    pub(super) fn skip_line(&mut self) {
        let rest = &self.source.text[self.tokens.at..];
        self.tokens.at += rest.find('\n').unwrap_or(rest.len());
    }
}
