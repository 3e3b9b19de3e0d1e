//! KIF text -> `Ast`. No recursion: the open lists are frames on a stack.
//!
//! A list is classified by its first symbol and by what holds it. A clause that is not closed when
//! the next one begins is reported where its parenthesis is likely to be missing (`repair`).

mod repair;
mod token;

use super::{Ast, AstBuilder, List, MAX_DEPTH, MAX_ERRORS, Name, NodeKind, Syntax};
use crate::source::{Complaint, Report, Source, Span};
use token::{KifToken, KifTokens};

/// How often a clause that seems unclosed is read again, with an eye on columns.
const MAX_REREADS: usize = 20;

pub fn parse(source: &Source, report: &mut Report) -> Ast {
    let mut parser = KifParser {
        source,
        report,
        tokens: KifTokens::new(&source.text),
        build: AstBuilder::new(Syntax::Kif),
        frames: vec![],
        wrappers: 0,
        clause: ClauseStart::default(),
        here: Span::default(),
        last: Span::default(),
        errors: 0,
        rereads: 0,
    };
    parser.run();
    parser.build.finish()
}

struct KifParser<'a> {
    source: &'a Source,
    report: &'a mut Report,
    tokens: KifTokens<'a>,
    build: AstBuilder,
    frames: Vec<OpenList>,
    /// How many of the frames hold clauses: `((role x) (role y))` is the same as its clauses.
    wrappers: usize,
    clause: ClauseStart,
    /// The present token and the one before it.
    here: Span,
    last: Span,
    errors: usize,
    rereads: usize,
}

/// Where the present clause began, and what is known about it.
#[derive(Default)]
struct ClauseStart {
    open: Span,
    broken: bool,
    /// A parenthesis at the column of the clause begins the next clause.
    by_column: bool,
    /// The end of a line after which the layout is that of a list already closed.
    suspect: Option<Span>,
}

/// An open list, and how many nodes, or clauses around which it stands, there were before it.
struct OpenList {
    open: Span,
    mark: usize,
    holds: Holds,
}

/// What the first symbol of a list makes of it.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// The first symbol is still to come.
    Unknown,
    Clauses,
    Rule,
    Not,
    And,
    Or,
    Arguments(Name),
}

impl KifParser<'_> {
    fn run(&mut self) {
        while self.errors <= MAX_ERRORS {
            let Some((token, span)) = self.tokens.next(|c| self.build.comment(c)) else {
                if self.end() {
                    return;
                }
                continue;
            };
            self.here = span;
            match token {
                KifToken::Open => self.open(span),
                KifToken::Close => self.close(span),
                KifToken::Symbol => self.symbol(span),
            }
            self.last = self.here;
        }
        let message = format!("more than {MAX_ERRORS} errors: the rest of the file is not read");
        self.report.error("too-many-errors", self.last, message);
    }

    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Complaint {
        self.errors += 1;
        self.clause.broken = true;
        self.report.error(code, span, message)
    }

    fn at_clause(&self) -> bool {
        self.frames.len() == self.wrappers
    }

    fn open(&mut self, span: Span) {
        if !self.at_clause() && self.next_clause_begins(span) && !self.unclosed(Some(span)) {
            return;
        }
        if self.clause.by_column && self.clause.suspect.is_none() {
            self.clause.suspect = self.laid_out_as_closed(span);
        }
        if self.frames.last().is_some_and(|f| f.holds == Holds::Unknown) {
            self.list_first(span);
        }
        if self.frames.len() >= MAX_DEPTH {
            return self.too_deep(span);
        }
        if self.at_clause() {
            self.clause = ClauseStart { open: span, ..ClauseStart::default() };
        }
        self.frames.push(OpenList { open: span, mark: self.build.mark(), holds: Holds::Unknown });
    }

    /// A list whose first element is a list.
    fn list_first(&mut self, span: Span) {
        let depth = self.frames.len();
        if self.wrappers + 1 == depth {
            let wrapper = &mut self.frames[self.wrappers];
            (wrapper.holds, wrapper.mark) = (Holds::Clauses, self.build.clauses());
            self.wrappers += 1;
            return;
        }
        self.frames[depth - 1].holds = Holds::And;
        self.error("name-expected", span, "a list begins with a name, not with another list")
            .hint("write (and …) for several conditions, or remove one pair of parentheses");
    }

    /// A list of clauses stands around all of them, or nobody meant it.
    fn end_wrapper(&mut self, frame: &OpenList, span: Span) {
        self.wrappers -= 1;
        if self.wrappers == 0 && frame.mark > 0 {
            self.build.forget_clauses(frame.mark);
            let message = "a clause begins with a name or an arrow, not with a list";
            self.error("name-expected", span, message)
                .hint("a rule begins with an arrow: (<= HEAD CONDITION …)");
        }
    }

    fn close(&mut self, span: Span) {
        let Some(frame) = self.frames.pop() else { return self.closes_nothing(span) };
        let span = frame.open.to(span);
        match frame.holds {
            Holds::Clauses => return self.end_wrapper(&frame, span),
            Holds::Unknown => {
                self.error("empty-list", span, "this list is empty")
                    .hint("a list begins with a name: (name argument …)");
            }
            Holds::Rule => self.rule(&frame, span),
            Holds::Not => self.negation(&frame, span),
            Holds::And | Holds::Or => {
                let parts = self.build.gather(frame.mark);
                let and = frame.holds == Holds::And;
                self.build.push(if and { NodeKind::And(parts) } else { NodeKind::Or(parts) }, span);
            }
            Holds::Arguments(name) => {
                let args = self.build.gather(frame.mark);
                self.build.push(NodeKind::Apply { name, args, parens: args.is_empty() }, span);
            }
        }
        if self.at_clause() {
            self.end_clause(&frame, span);
        }
    }

    fn end_clause(&mut self, frame: &OpenList, span: Span) {
        if matches!(frame.holds, Holds::Not | Holds::And | Holds::Or) && !self.clause.broken {
            self.error("connective-as-clause", span, "a connective is neither a fact nor a rule")
                .hint("a rule is (<= head condition …): does a parenthesis before this one close it too early?");
        }
        if self.clause.broken {
            return self.build.drop(frame.mark);
        }
        self.build.clause(frame.mark, span);
    }

    fn rule(&mut self, frame: &OpenList, span: Span) {
        let (message, place) = match self.build.opened(frame.mark).map(|n| (n.kind, n.span)) {
            Some((NodeKind::Apply { .. }, _)) => return,
            Some((_, place)) => ("the head of a rule must be a single atom", place),
            None => ("this rule has no head", span),
        };
        if !self.clause.broken {
            self.error("rule-head", place, message)
                .hint("write (<= (name argument …) condition …)");
        }
    }

    fn negation(&mut self, frame: &OpenList, span: Span) {
        let parts = self.build.gather(frame.mark);
        if parts.len() != 1 {
            let message = format!("`not` takes one condition, here it has {}", parts.len());
            let hint = match parts.len() {
                0 => "write (not (name argument …))",
                _ => "write (not (and …)) or (not (or …)), or negate each condition by itself",
            };
            self.error("not-arity", span, message).hint(hint);
        }
        self.build.push(NodeKind::Not(parts), span);
    }

    fn symbol(&mut self, span: Span) {
        if self.at_clause() {
            return self.lonely(span);
        }
        let text = self.source.slice(span);
        let depth = self.frames.len();
        let frame = &self.frames[depth - 1];
        match frame.holds {
            Holds::Unknown => {
                let holds = self.first(text, span);
                self.frames[depth - 1].holds = holds;
            }
            Holds::Arguments(_) => self.term(text, span),
            _ => self.condition(text, span),
        }
    }

    /// What a list holds whose first symbol this is.
    fn first(&mut self, text: &str, span: Span) -> Holds {
        let parent = self.frames.len().checked_sub(2).map(|i| self.frames[i].holds);
        let in_term = matches!(parent, Some(Holds::Arguments(_)));
        let connective = connective(text);
        match text {
            "<=" if self.wrappers + 1 == self.frames.len() => return Holds::Rule,
            "<=" => {
                self.error("nested-rule", span, "a rule cannot stand inside another list");
            }
            ":-" => {
                self.error("infix-in-kif", span, "`:-` belongs to the infix syntax")
                    .hint("in KIF a rule is (<= head condition …)");
                return Holds::Rule;
            }
            _ if self.wrappers + 1 == self.frames.len() && OTHER_ARROWS.contains(&text) => {
                self.error("other-arrow", span, format!("`{text}` is not an arrow in KIF"))
                    .hint("a rule is (<= head condition …), the head first")
                    .fix(span, "<=");
                return Holds::Rule;
            }
            _ if self.wrappers + 1 == self.frames.len() && text.starts_with("<=") => {
                let head = text.trim_start_matches("<=");
                self.error("other-arrow", span, format!("a space is missing in `{text}`"))
                    .hint("a rule is (<= head condition …)")
                    .fix(span, format!("<= {head}"));
            }
            _ if text.starts_with('?') => {
                let message = "a variable cannot be the name of a relation or function";
                let bare = text.trim_start_matches('?');
                self.error("variable-as-name", span, message)
                    .hint(format!("a name has no `?`: ({bare} …)"))
                    .fix(span, bare);
            }
            _ => match connective {
                Some(holds) if !in_term => return holds,
                Some(_) => super::connective_in_term(self.report, Syntax::Kif, text, span),
                None => (),
            },
        }
        Holds::Arguments(self.build.name(text))
    }

    fn term(&mut self, text: &str, span: Span) {
        if text == "?" {
            self.error("variable-name", span, "`?` alone is not a variable: its name is missing");
        } else if matches!(text, ":-" | "<=") && self.is_first_of_clause() {
            self.arrow_inside(text, span);
        } else if let Some(bare) = in_quotes(text) {
            let message = format!("the quotes are part of the name {text}");
            self.report
                .warning("quoted-name", span, message)
                .hint(format!("KIF has no quotes: write {bare}"))
                .fix(span, bare);
        }
        if let Some(bare) = text.strip_suffix(',') {
            let message = format!("the comma is part of the name `{text}`");
            self.report
                .warning("comma-in-name", span, message)
                .hint(format!("KIF separates arguments by blanks: write `{bare}`"));
        }
        let kind = match text.strip_prefix('?') {
            Some(name) => NodeKind::Variable { name: self.build.name(name), anonymous: false },
            None => self.constant(text),
        };
        self.build.push(kind, span);
    }

    fn constant(&mut self, text: &str) -> NodeKind {
        NodeKind::Apply { name: self.build.name(text), args: List::default(), parens: false }
    }

    fn condition(&mut self, text: &str, span: Span) {
        let frame = self.frames.last().expect("a list is open");
        let is_head = frame.holds == Holds::Rule && self.build.mark() == frame.mark;
        if is_head && text.starts_with('?') {
            let message = format!("the head of this rule is the variable {text}");
            self.error("variable-as-head", span, message).hint(format!(
                "the head says what the rule is about: (<= (next {text}) …), (<= (name {text}) …)"
            ));
        } else if text.starts_with('?') {
            self.error("variable-as-atom", span, "a variable cannot be a condition")
                .hint(format!("did you mean (true {text})?"));
        } else if text == ":-" || text == "<=" {
            self.arrow_inside(text, span);
        } else if matches!(text, "&" | "|" | "~") {
            self.error("infix-in-kif", span, format!("`{text}` belongs to the infix syntax"))
                .hint("KIF writes (and a b), (or a b), (not a)");
        } else if connective(text).is_some() {
            self.error("connective-in-list", span, format!("`{text}` must come first in its list"))
                .hint(format!("write ({text} …)"));
        }
        let kind = self.constant(text);
        self.build.push(kind, span);
    }

    /// Whether the next element is the second of a clause's own list, behind its name.
    fn is_first_of_clause(&self) -> bool {
        let own = self.frames.len() == self.wrappers + 1;
        own && self.frames.last().is_some_and(|f| f.mark == self.build.mark())
    }

    fn arrow_inside(&mut self, text: &str, span: Span) {
        self.error("arrow-in-list", span, format!("`{text}` is in the middle of a list"))
            .hint("in KIF a rule is (<= head condition …), with the arrow first");
    }

    /// A symbol outside every list.
    fn lonely(&mut self, span: Span) {
        let text = self.source.slice(span);
        self.clause = ClauseStart { open: span, ..ClauseStart::default() };
        match text {
            "<=" => {
                self.error("arrow-outside", span, "`<=` is outside a list")
                    .hint("the parenthesis comes first: (<= head condition …)");
            }
            ":-" | "&" | "|" | "~" | "." | "," => self.infix_line(span),
            _ if self.source.text[span.end as usize..].starts_with('(') => self.infix_line(span),
            _ if is_comment_mark(text) => {
                self.error("comment-mark", span, "a comment begins with `;` in KIF");
                self.skip_line();
            }
            _ if text.starts_with(['[', '{', '（', '［', '｛']) => {
                let message = format!("`{text}` is not a list: lists have round parentheses");
                self.error("unexpected", span, message).hint("write (name argument …)");
                self.skip_line();
            }
            _ if self.closes_more_than_it_opens(span) => {
                let message = format!("`(` is missing before `{text}`");
                self.error("unbalanced", span, message).hint(format!("write ({text} …)"));
                self.skip_line();
            }
            _ if text.starts_with('?') => {
                self.error("variable-as-clause", span, "a variable is outside every list");
            }
            _ => {
                let message = format!("`{text}` is outside every list; it is read as a fact");
                self.report
                    .warning("lonely-name", span, message)
                    .hint(format!("write ({text}), or look for a parenthesis too many before it"));
                let mark = self.build.mark();
                let kind = self.constant(text);
                self.build.push(kind, span);
                self.build.clause(mark, span);
            }
        }
    }

    /// Whether the rest of the line has a `)` too many.
    fn closes_more_than_it_opens(&self, span: Span) -> bool {
        let rest = self.source.text[span.end as usize..].lines().next().unwrap_or("");
        let code = rest.split(';').next().unwrap_or("");
        code.matches(')').count() > code.matches('(').count()
    }

    /// The end of the text: true if it is the end, false if a clause is to be read again.
    fn end(&mut self) -> bool {
        if !self.at_clause() && !self.unclosed(None) {
            return false;
        }
        if let Some(wrapper) = self.frames.first() {
            let span = wrapper.open;
            self.error("unbalanced", span, "this parenthesis around the clauses is never closed")
                .hint("add `)` at the end of the file, or remove this one");
        }
        true
    }
}

/// Arrows of other languages.
const OTHER_ARROWS: [&str; 8] = ["=>", "->", "<-", "<--", "<==", "==>", "=<", ":="];

/// What other languages begin a comment with.
fn is_comment_mark(text: &str) -> bool {
    ["%", "#", "//", "/*", "--"].iter().any(|mark| text.starts_with(mark))
}

/// What stands between the quotes of other languages, or beside one of them. A name may end with a prime.
fn in_quotes(text: &str) -> Option<&str> {
    const QUOTES: [char; 8] = ['"', '\'', '“', '”', '‘', '’', '`', '|'];
    let bare = match text.strip_prefix(QUOTES) {
        Some(rest) => rest.strip_suffix(QUOTES).unwrap_or(rest),
        None => text.strip_suffix(['"', '”', '|'])?,
    };
    (!bare.is_empty()).then_some(bare)
}

fn connective(text: &str) -> Option<Holds> {
    match text.len() {
        2 if text.eq_ignore_ascii_case("or") => Some(Holds::Or),
        3 if text.eq_ignore_ascii_case("and") => Some(Holds::And),
        3 if text.eq_ignore_ascii_case("not") => Some(Holds::Not),
        _ => None,
    }
}
