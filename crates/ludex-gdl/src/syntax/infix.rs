//! Infix text -> `Ast`: clauses `head :- conditions`, with or without a full stop.
//!
//! Conditions are joined by `&` or `,` and, weaker, by `|`, `;` or `or`. The depth of the recursion
//! is limited by `MAX_DEPTH`. After an error reading goes on at the next clause: after a full stop,
//! or at a line that begins no further right than the clause did.

mod repair;
mod token;

pub(crate) use token::{write_name, write_variable};

use super::{Ast, AstBuilder, List, MAX_DEPTH, MAX_ERRORS, NodeKind, Syntax, is_connective};
use crate::source::{Complaint, Report, Source, Span};
use token::{InfixToken, InfixTokens, unquote};

pub fn parse(source: &Source, report: &mut Report) -> Ast {
    let mut parser = InfixParser {
        source,
        report,
        tokens: InfixTokens::new(&source.text),
        build: AstBuilder::new(Syntax::Infix),
        ahead: (InfixToken::End, Span::default()),
        last: Span::default(),
        joint: Span::default(),
        depth: 0,
        commas: true,
        errors: 0,
        anonymous: Anonymous::default(),
    };
    parser.advance();
    parser.run();
    parser.build.finish()
}

struct InfixParser<'a> {
    source: &'a Source,
    report: &'a mut Report,
    tokens: InfixTokens<'a>,
    build: AstBuilder,
    /// The next token and the place of the one before it.
    ahead: (InfixToken, Span),
    last: Span,
    /// The last `&` or `|` outside parentheses.
    joint: Span,
    depth: usize,
    /// Whether a comma joins conditions here (in `or(a, b)` it does not).
    commas: bool,
    errors: usize,
    anonymous: Anonymous,
}

/// Names for the variables written `_`: numbers above any that the text uses.
#[derive(Default)]
struct Anonymous {
    floor: Option<u64>,
    in_clause: u64,
}

/// What is left of a clause with an error that has been reported.
struct Broken;

type Parsed<T = ()> = Result<T, Broken>;

impl InfixParser<'_> {
    fn run(&mut self) {
        while self.ahead.0 != InfixToken::End {
            if self.errors > MAX_ERRORS {
                let message = format!("more than {MAX_ERRORS} errors: the rest is not read");
                self.report.error("too-many-errors", self.ahead.1, message);
                return;
            }
            let (start, mark) = (self.ahead.1, self.build.mark());
            self.depth = 0;
            self.commas = true;
            self.anonymous.in_clause = 0;
            if self.clause(start, mark).is_err() {
                self.build.drop(mark);
                self.recover(start);
            }
        }
    }

    fn advance(&mut self) -> Span {
        self.last = self.ahead.1;
        self.ahead = self.tokens.next(|c| self.build.comment(c));
        self.last
    }

    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Complaint {
        self.errors += 1;
        self.report.error(code, span, message)
    }

    fn clause(&mut self, start: Span, mark: usize) -> Parsed {
        self.head()?;
        self.other_arrow()?;
        let rule = self.ahead.0 == InfixToken::Arrow;
        if rule {
            self.advance();
            self.depth = 1;
            self.joint = Span::default();
            self.conditions(mark + 1)?;
            self.joins_next_clause()?;
        }
        let span = start.to(self.last);
        match self.ahead.0 {
            InfixToken::Stop => {
                self.advance();
            }
            InfixToken::Name | InfixToken::Quoted if rule => self.begins_clause(start)?,
            InfixToken::End | InfixToken::Name | InfixToken::Quoted | InfixToken::Odd => (),
            _ => return self.unexpected("the next clause"),
        }
        self.build.clause(mark, span);
        Ok(())
    }

    fn head(&mut self) -> Parsed {
        let (token, span) = self.ahead;
        let text = self.source.slice(span);
        match token {
            InfixToken::Odd if is_comment_mark(text) => return self.comment_mark(span),
            InfixToken::Name | InfixToken::Quoted | InfixToken::Odd => (),
            InfixToken::Variable => return self.variable_head(span),
            InfixToken::Open => {
                self.error("kif-in-infix", span, "a clause does not begin with a parenthesis")
                    .hint("write name(argument, …) :- condition & …; --syntax kif reads KIF");
                return Err(Broken);
            }
            InfixToken::Or if text == ";" => return self.comment_mark(span),
            _ => return self.unexpected("a clause"),
        }
        if is_connective(&unquote(text)) {
            self.error("connective-as-clause", span, format!("`{text}` cannot be a head"));
            return Err(Broken);
        }
        self.atom()
    }

    /// Pushes what stands between here and the end of a body or group: conditions joined by `&`,
    /// or one `Or`.
    fn conditions(&mut self, mark: usize) -> Parsed {
        self.conjunction()?;
        if !self.at_or() {
            return Ok(());
        }
        self.close_and(mark);
        while self.at_or() {
            self.join();
            let part = self.build.mark();
            self.conjunction()?;
            self.close_and(part);
        }
        self.close(mark, NodeKind::Or);
        Ok(())
    }

    fn conjunction(&mut self) -> Parsed {
        self.literal()?;
        while self.at_and() {
            self.join();
            self.literal()?;
        }
        Ok(())
    }

    fn join(&mut self) {
        let joint = self.advance();
        if self.depth == 1 {
            self.joint = joint;
        }
    }

    fn at_or(&self) -> bool {
        self.ahead.0 == InfixToken::Or || self.at_word("or")
    }

    fn at_and(&self) -> bool {
        let comma = self.ahead.0 == InfixToken::Comma && self.commas;
        comma || self.ahead.0 == InfixToken::And || self.at_word("and")
    }

    fn at_word(&self, word: &str) -> bool {
        self.ahead.0 == InfixToken::Name && self.source.slice(self.ahead.1) == word
    }

    /// Makes one node of the conditions since the mark, an `And` unless there is only one.
    fn close_and(&mut self, mark: usize) {
        if self.build.mark() != mark + 1 {
            self.close(mark, NodeKind::And);
        }
    }

    fn close(&mut self, mark: usize, kind: fn(List) -> NodeKind) {
        let start = self.build.opened(mark).map_or(self.last, |n| n.span);
        let parts = self.build.gather(mark);
        self.build.push(kind(parts), start.to(self.last));
    }

    fn literal(&mut self) -> Parsed {
        let (token, span) = self.ahead;
        match token {
            InfixToken::Not => self.negation(span),
            InfixToken::Open => self.group(),
            _ if self.at_word("not") => self.negation(span),
            InfixToken::Name | InfixToken::Quoted
                if is_connective(&unquote(self.source.slice(span))) =>
            {
                self.connective(span)
            }
            InfixToken::Name | InfixToken::Quoted | InfixToken::Odd | InfixToken::Variable => {
                self.atom()
            }
            _ => self.condition_expected(),
        }
    }

    fn negation(&mut self, span: Span) -> Parsed {
        self.advance();
        self.deeper(span)?;
        let mark = self.build.mark();
        self.literal()?;
        let inner = self.build.gather(mark);
        self.build.push(NodeKind::Not(inner), span.to(self.last));
        self.depth -= 1;
        Ok(())
    }

    fn group(&mut self) -> Parsed {
        let (open, mark, commas) = (self.advance(), self.build.mark(), self.commas);
        self.deeper(open)?;
        self.commas = true;
        self.conditions(mark)?;
        self.commas = commas;
        self.close_and(mark);
        self.expect_close(open)?;
        self.depth -= 1;
        Ok(())
    }

    /// `and(a, b)`, `or()` and the like; a name in quotes is the same before a parenthesis.
    fn connective(&mut self, span: Span) -> Parsed {
        let word = unquote(self.source.slice(span)).to_ascii_lowercase();
        self.advance();
        if self.ahead.0 != InfixToken::Open {
            self.error("connective-as-atom", span, format!("`{word}` cannot be a condition"));
            return Err(Broken);
        }
        if word == "not" {
            return self.negation_of_group(span);
        }
        let (open, mark, commas) = (self.advance(), self.build.mark(), self.commas);
        self.deeper(span)?;
        self.commas = false;
        while self.ahead.0 != InfixToken::Close {
            let part = self.build.mark();
            self.conditions(part)?;
            self.close_and(part);
            if self.ahead.0 != InfixToken::Comma {
                break;
            }
            self.advance();
        }
        self.expect_close(open)?;
        self.commas = commas;
        let parts = self.build.gather(mark);
        let kind = if word == "and" { NodeKind::And(parts) } else { NodeKind::Or(parts) };
        self.build.push(kind, span.to(self.last));
        self.depth -= 1;
        Ok(())
    }

    fn negation_of_group(&mut self, span: Span) -> Parsed {
        let mark = self.build.mark();
        self.deeper(span)?;
        self.group()?;
        let inner = self.build.gather(mark);
        self.build.push(NodeKind::Not(inner), span.to(self.last));
        self.depth -= 1;
        Ok(())
    }

    /// An atom, or two terms that are unequal.
    fn atom(&mut self) -> Parsed {
        let (mark, span) = (self.build.mark(), self.ahead.1);
        self.term(true)?;
        if self.ahead.0 == InfixToken::Unequal {
            self.advance();
            self.term(false)?;
            let args = self.build.gather(mark);
            let name = self.build.name("distinct");
            self.build.push(NodeKind::Apply { name, args, parens: false }, span.to(self.last));
            return Ok(());
        }
        let text = self.source.slice(span);
        match self.build.opened(mark).map(|n| n.kind) {
            Some(NodeKind::Variable { .. }) => {
                self.variable_condition(span);
                Err(Broken)
            }
            Some(NodeKind::Apply { args, parens: false, .. })
                if args.is_empty() && is_sign(&unquote(text)) =>
            {
                self.error("reserved-name", span, format!("{text} cannot be a condition"));
                Err(Broken)
            }
            _ => Ok(()),
        }
    }

    fn term(&mut self, atom: bool) -> Parsed {
        let (token, span) = self.ahead;
        match token {
            InfixToken::Variable => return self.variable(),
            InfixToken::Name | InfixToken::Quoted => (),
            InfixToken::Odd => self.needs_quotes(span),
            InfixToken::Unquoted => {
                self.error("unclosed-quote", span, "the closing quote is missing on this line");
                return Err(Broken);
            }
            _ => return self.unexpected("a term"),
        }
        self.advance();
        let text = unquote(self.source.slice(span));
        if token == InfixToken::Quoted && !is_name(&text) {
            self.error("not-a-name", span, "this cannot be a name of GDL").hint(
                "a name has no blanks, parentheses or semicolons and does not begin with `?`",
            );
            return Err(Broken);
        }
        if self.ahead.0 != InfixToken::Open {
            let name = self.build.name(&text);
            self.build.push(NodeKind::Apply { name, args: List::default(), parens: false }, span);
            return Ok(());
        }
        self.arguments(&text, span, atom)
    }

    fn arguments(&mut self, text: &str, span: Span, atom: bool) -> Parsed {
        if matches!(text, "<=" | ":-") {
            self.error("reserved-name", span, format!("`{text}` cannot have arguments"));
            return Err(Broken);
        }
        if is_connective(text) && !atom {
            super::connective_in_term(self.report, Syntax::Infix, text, span);
        }
        let (open, mark) = (self.advance(), self.build.mark());
        self.deeper(span)?;
        while self.ahead.0 != InfixToken::Close {
            self.term(false)?;
            if self.ahead.0 != InfixToken::Comma {
                break;
            }
            self.advance();
            if self.ahead.0 == InfixToken::Close {
                return self.unexpected("an argument");
            }
        }
        self.expect_close(open)?;
        let args = self.build.gather(mark);
        let name = self.build.name(text);
        let parens = args.is_empty();
        self.build.push(NodeKind::Apply { name, args, parens }, span.to(self.last));
        self.depth -= 1;
        Ok(())
    }

    fn variable(&mut self) -> Parsed {
        let span = self.advance();
        let text = self.source.slice(span);
        if text == "_" {
            let name = self.anonymous.next(&self.source.text);
            let name = self.build.name(&name);
            self.build.push(NodeKind::Variable { name, anonymous: true }, span);
            return Ok(());
        }
        let name = unquote(text.strip_prefix('?').unwrap_or(text));
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "();".contains(c)) {
            self.error("not-a-name", span, "this cannot be the name of a variable");
            return Err(Broken);
        }
        let name = self.build.name(&name);
        self.build.push(NodeKind::Variable { name, anonymous: false }, span);
        Ok(())
    }

    fn deeper(&mut self, span: Span) -> Parsed {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return Ok(());
        }
        self.error("too-deep", span, format!("nested more than {MAX_DEPTH} deep"));
        Err(Broken)
    }
}

impl Anonymous {
    fn next(&mut self, text: &str) -> String {
        let floor = *self.floor.get_or_insert_with(|| {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            let numbers = words.filter_map(|w| w.strip_prefix('_')?.parse::<u32>().ok());
            numbers.max().map_or(0, u64::from)
        });
        self.in_clause += 1;
        format!("_{}", floor + self.in_clause)
    }
}

/// What other languages begin a comment with.
fn is_comment_mark(text: &str) -> bool {
    ["#", "//", "/*", "--"].iter().any(|mark| text.starts_with(mark))
}

/// Whether KIF can hold this as a name.
fn is_name(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c == '\u{feff}' || "();".contains(c);
    !text.is_empty() && !text.starts_with('?') && !text.contains(odd)
}

/// Signs and words that are no condition by themselves in either syntax.
fn is_sign(text: &str) -> bool {
    is_connective(text) || matches!(text, "<=" | ":-" | "&" | "|" | "~")
}
