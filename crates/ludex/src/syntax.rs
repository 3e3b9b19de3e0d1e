//! `Source` -> `Ast`: what the author wrote, clause by clause, in prefix KIF or infix.

use crate::source::{Report, Source, Span};

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
}

/// `head :- body`; a fact has an empty body.
pub struct Clause {
    pub head: Node,
    pub body: Vec<Node>,
    pub span: Span,
}

/// A term or a formula, with its place. Names are byte ranges of the source, spelled as written.
pub struct Node {
    pub kind: Kind,
    pub span: Span,
}

pub enum Kind {
    /// A variable; the name without `?`.
    Variable(Span),
    /// A constant, function, relation (also `distinct`): `name` or `name(args)`.
    /// `parens` is true for `(f)` without arguments, which is kept apart from `f` as a term.
    Apply {
        name: Span,
        args: Vec<Node>,
        parens: bool,
    },
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Ast {
    /// Reads a source. `syntax` none: recognised from the text. All problems go into the report;
    /// the clauses that could be read are returned all the same.
    pub fn parse(source: &Source, syntax: Option<Syntax>, report: &mut Report) -> Ast {
        assert_ne!(syntax, Some(Syntax::Infix), "not yet");
        let mut parser = Kif { source, at: 0 };
        let mut clauses = Vec::new();
        while parser.skip() {
            match parser.list() {
                Ok(e) => clause(source, e, report, &mut clauses),
                Err((span, message)) => {
                    report.error("syntax", span, message);
                    break;
                }
            }
        }
        Ast { syntax: Syntax::Kif, clauses }
    }
}

struct Expression {
    span: Span,
    list: Option<Vec<Expression>>,
}

struct Kif<'a> {
    source: &'a Source,
    at: usize,
}

impl Kif<'_> {
    fn skip(&mut self) -> bool {
        let text = self.source.text.as_bytes();
        while self.at < text.len() {
            match text[self.at] {
                b';' => {
                    while self.at < text.len() && text[self.at] != b'\n' {
                        self.at += 1
                    }
                }
                c if c.is_ascii_whitespace() => self.at += 1,
                _ => return true,
            }
        }
        false
    }

    fn list(&mut self) -> Result<Expression, (Span, String)> {
        let text = self.source.text.as_bytes();
        let start = self.at;
        let span = |end: usize| Span { start: start as u32, end: end as u32 };
        if text[start] == b')' {
            return Err((span(start + 1), "this parenthesis closes nothing".into()));
        }
        if text[start] != b'(' {
            while self.at < text.len() && !b"(); \t\r\n".contains(&text[self.at]) {
                self.at += 1
            }
            return Ok(Expression { span: span(self.at), list: None });
        }
        self.at += 1;
        let mut list = Vec::new();
        loop {
            if !self.skip() {
                return Err((span(start + 1), "this parenthesis is never closed".into()));
            }
            if text[self.at] == b')' {
                self.at += 1;
                return Ok(Expression { span: span(self.at), list: Some(list) });
            }
            list.push(self.list()?);
        }
    }
}

fn clause(source: &Source, e: Expression, report: &mut Report, out: &mut Vec<Clause>) {
    let span = e.span;
    match e.list {
        Some(list) if list.first().is_some_and(|f| f.list.is_some()) => {
            list.into_iter().for_each(|e| clause(source, e, report, out))
        }
        Some(mut list) if list.len() > 1 && text(source, list[0].span) == "<=" => {
            let body = list.split_off(2).into_iter().map(|e| node(source, e)).collect();
            let head = node(source, list.pop().expect("two elements"));
            out.push(Clause { head, body, span });
        }
        list => {
            out.push(Clause { head: node(source, Expression { span, list }), body: vec![], span })
        }
    }
}

fn node(source: &Source, e: Expression) -> Node {
    let span = e.span;
    let Some(mut list) = e.list else {
        let kind = if text(source, span).starts_with('?') {
            Kind::Variable(Span { start: span.start + 1, end: span.end })
        } else {
            Kind::Apply { name: span, args: vec![], parens: false }
        };
        return Node { kind, span };
    };
    let name = if list.is_empty() { span } else { list.remove(0).span };
    let parens = list.is_empty();
    let mut args: Vec<Node> = list.into_iter().map(|e| node(source, e)).collect();
    let kind = match text(source, name).to_ascii_lowercase().as_str() {
        "not" if args.len() == 1 => Kind::Not(Box::new(args.remove(0))),
        "and" => Kind::And(args),
        "or" => Kind::Or(args),
        _ => Kind::Apply { name, args, parens },
    };
    Node { kind, span }
}

fn text(source: &Source, span: Span) -> &str {
    &source.text[span.start as usize..span.end as usize]
}
