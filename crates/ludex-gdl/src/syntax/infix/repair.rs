//! What is wrong with a clause in infix, and where reading goes on after it.

use super::token::InfixToken;
use super::{Broken, InfixParser, Parsed};
use crate::source::Span;

impl InfixParser<'_> {
    /// After conditions comes `:-`: the last of them is the head of the next clause.
    pub(super) fn joins_next_clause(&mut self) -> Parsed {
        if self.ahead.0 != InfixToken::Arrow {
            return Ok(());
        }
        if self.joint == Span::default() {
            return self.unexpected("the next clause");
        }
        let joint = self.joint;
        let message = format!("this `{}` joins nothing", self.source.slice(joint));
        self.error("dangling-joint", joint, message)
            .hint("another clause begins after it: take it away");
        self.build.forget_comments(joint.end);
        self.tokens.at = joint.end as usize;
        self.advance();
        self.last = Span::default();
        Err(Broken)
    }

    /// A rule without a full stop ends where the next clause begins: not deeper in the page.
    pub(super) fn begins_clause(&mut self, start: Span) -> Parsed {
        let (line, column) = self.source.position(self.ahead.1.start);
        let (_, first) = self.source.position(start.start);
        let (last_line, _) = self.source.position(self.last.start);
        if line > last_line && column <= first {
            return Ok(());
        }
        let message = "a condition follows without `&` or `|` between";
        self.error("joint-expected", self.ahead.1, message)
            .hint("or is it the next clause? Then end the one before it with a full stop");
        Err(Broken)
    }

    /// A clause begins with a variable: its head, or a relation's name with a capital letter.
    pub(super) fn variable_head(&mut self, span: Span) -> Parsed {
        let text = self.source.slice(span);
        if self.source.text[span.end as usize..].starts_with('(') {
            let name = text.trim_start_matches('?');
            let message = format!("a clause begins with a relation; `{text}` is a variable");
            self.error("variable-as-name", span, message)
                .hint(format!("names begin with a lower-case letter or are quoted: '{name}'"))
                .fix(span, name.to_lowercase());
            return Err(Broken);
        }
        let message = format!("the head of this rule is the variable {text}");
        self.error("variable-as-head", span, message).hint(format!(
            "the head says what the rule is about: next({text}) :- …, name({text}) :- …"
        ));
        Err(Broken)
    }

    pub(super) fn needs_quotes(&mut self, span: Span) {
        let text = self.source.slice(span);
        let message = format!("`{text}` cannot stand here without quotes");
        self.error("needs-quotes", span, message)
            .hint(format!("as a name it is written '{}'", text.replace('\'', "''")));
    }

    pub(super) fn expect_close(&mut self, open: Span) -> Parsed {
        if self.ahead.0 == InfixToken::Close {
            self.advance();
            return Ok(());
        }
        let (line, column) = self.source.position(open.start);
        let place = Span { start: self.last.end, end: self.last.end };
        let message =
            format!("`)` is missing here for the parenthesis on line {line}, column {column}");
        self.error("unbalanced", place, message);
        Err(Broken)
    }

    pub(super) fn condition_expected(&mut self) -> Parsed {
        let before = self.source.slice(self.last);
        let span = self.last;
        if !matches!(self.ahead.0, InfixToken::End | InfixToken::Stop) || span == Span::default() {
            return self.unexpected("a condition");
        }
        self.error("condition-expected", span, format!("a condition is missing after `{before}`"))
            .hint(match before {
                ":-" | "<=" => "a fact has no arrow: name(argument, …).".to_string(),
                _ => format!("take the `{before}` away or add the condition"),
            });
        Err(Broken)
    }

    pub(super) fn unexpected<T>(&mut self, what: &str) -> Parsed<T> {
        let (token, span) = self.ahead;
        let text = self.source.slice(span);
        let found = match token {
            InfixToken::End => "the file ends".to_string(),
            _ => format!("there is `{text}`"),
        };
        let hint = match token {
            InfixToken::Close if what.ends_with("clause") => {
                "this `)` closes nothing: take it away or look for a missing `(`"
            }
            InfixToken::Stop => "a full stop ends a clause; is a `)` missing before it?",
            InfixToken::Arrow if self.source.slice(self.last) == "(" => {
                "this looks like KIF; a file is in one syntax throughout"
            }
            _ => "",
        };
        let complaint = self.error("unexpected", span, format!("{found} where {what} is expected"));
        if !hint.is_empty() {
            complaint.hint(hint);
        }
        Err(Broken)
    }

    /// Passes over the rest of a broken clause that began at `start`.
    pub(super) fn recover(&mut self, start: Span) {
        let (_, column) = self.source.position(start.start);
        if self.ahead.1 == start {
            self.advance();
        }
        // Set by `joins_next_clause`: the next clause is already ahead.
        if self.last == Span::default() {
            return;
        }
        loop {
            match self.ahead.0 {
                InfixToken::End => return,
                InfixToken::Stop => {
                    self.advance();
                    return;
                }
                InfixToken::Name | InfixToken::Quoted if self.begins_line(column) => return,
                _ => self.advance(),
            };
        }
    }

    /// Whether the token ahead is the first of its line and stands no further right than this.
    pub(super) fn begins_line(&self, column: usize) -> bool {
        let before = &self.source.text[..self.ahead.1.start as usize];
        let blank = before.trim_end_matches([' ', '\t']);
        let first = blank.is_empty() || blank.ends_with('\n');
        first && self.source.position(self.ahead.1.start).1 <= column
    }
}
