//! What is wrong with a clause in infix, and where reading goes on after it.

use super::token::InfixToken;
use super::{Broken, InfixParser, Parsed};
use crate::source::Span;

const NO_ARITHMETIC: &str = "GDL does not calculate: list the results as facts, such as succ(1,2)";

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
            .hint("another clause begins after it: remove it");
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
        let quoted = format!("as a name it is written '{}'", text.replace('\'', "''"));
        let hint = match text.chars().next() {
            Some('!' | '-' | '¬') => format!("not is written ~ or not; {quoted}"),
            Some('&' | '∧') => "conditions are joined by one & or ,".into(),
            _ if text.contains(['+', '*', '/', '<', '>', '=']) => {
                format!("{NO_ARITHMETIC}; {quoted}")
            }
            Some('"') => format!("quotes are single: '{}'", text.trim_matches('"')),
            _ => quoted,
        };
        self.error("needs-quotes", span, message).hint(hint);
    }

    /// A comment of another language: the rest of its line is passed over.
    pub(super) fn comment_mark(&mut self, span: Span) -> Parsed {
        let text = self.source.slice(span);
        let mark: String = text.chars().take_while(|c| !c.is_alphanumeric()).collect();
        self.error("comment-mark", span, format!("a clause does not begin with `{mark}`"))
            .hint("a comment begins with `%` in infix");
        let rest = &self.source.text[span.end as usize..];
        self.tokens.at = span.end as usize + rest.find('\n').unwrap_or(rest.len());
        self.advance();
        self.last = Span::default();
        Err(Broken)
    }

    /// A sign where the arrow belongs.
    pub(super) fn other_arrow(&mut self) -> Parsed {
        let start = self.ahead.1.start as usize;
        let sign = &self.source.text[start..];
        let line = |at: u32| self.source.position(at).0;
        let length = match self.ahead.0 {
            InfixToken::Odd => sign.find(|c: char| !":-<>=".contains(c)).unwrap_or(sign.len()),
            // A clause of its own has a line of its own, or a full stop before it.
            InfixToken::Name if line(self.last.start) == line(self.ahead.1.start) => {
                ["if", "when", "where"].iter().find(|w| self.at_word(w)).map_or(0, |w| w.len())
            }
            _ => 0,
        };
        if length == 0 {
            return Ok(());
        }
        let span = Span { start: start as u32, end: (start + length) as u32 };
        let message = format!("`{}` is not an arrow in infix", self.source.slice(span));
        self.error("other-arrow", span, message)
            .hint("a rule is head :- condition & …, the head first")
            .fix(span, ":-");
        Err(Broken)
    }

    /// A variable where a condition belongs: often a comparison, or arithmetic.
    pub(super) fn variable_condition(&mut self, span: Span) {
        let text = self.source.slice(span);
        let next = self.source.slice(self.ahead.1);
        let hint = match next.chars().next() {
            Some('=') => format!(
                "GDL has no equations: write the same variable twice, or {text} \\= … for unequal"
            ),
            Some('<' | '>' | '+' | '-' | '*') => NO_ARITHMETIC.into(),
            _ if next == "is" || next == "mod" => NO_ARITHMETIC.into(),
            _ => format!("did you mean true({text}), or {text} \\= …?"),
        };
        self.error("variable-as-atom", span, "a variable cannot be a condition").hint(hint);
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
                _ => format!("remove the `{before}` or add the condition"),
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
                "this `)` closes nothing: remove it or look for a missing `(`"
            }
            InfixToken::Stop => "a full stop ends a clause; is a `)` missing before it?",
            InfixToken::And | InfixToken::Or if self.source.slice(self.last) == text => {
                "one sign is enough to join two conditions"
            }
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
