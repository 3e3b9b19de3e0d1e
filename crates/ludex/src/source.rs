//! A text with places in it (`Source`, `Span`) and all complaints about it (`Report`).
//!
//! Every pass collects its complaints into one `Report`; a front renders them once.

use std::fmt::Write;

/// A text and the name under which its author knows it.
pub struct Source {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
}

/// A half-open range of bytes of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// One thing that is wrong, with its place and what to do about it.
#[derive(Clone, Debug)]
pub struct Complaint {
    pub severity: Severity,
    /// A stable kebab-case name of the check, for example `unsafe-variable`.
    pub code: &'static str,
    pub message: String,
    pub span: Option<Span>,
    pub hint: Option<String>,
}

/// The complaints of one or more passes, in the order found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub complaints: Vec<Complaint>,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let starts =
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// Line and column, both from 1, columns counted in characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|s| *s <= offset) - 1;
        let before = &self.text.as_bytes()[self.line_starts[line] as usize..offset as usize];
        (line + 1, String::from_utf8_lossy(before).chars().count() + 1)
    }

    /// The text of a line (from 1) without its line end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1] as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |e| *e as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

impl Report {
    pub fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Complaint {
        self.push(Severity::Error, code, Some(span), message.into())
    }

    pub fn warning(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Complaint {
        self.push(Severity::Warning, code, Some(span), message.into())
    }

    /// A complaint about the file as a whole.
    pub fn push(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: String,
    ) -> &mut Complaint {
        self.complaints.push(Complaint { severity, code, message, span, hint: None });
        self.complaints.last_mut().expect("just pushed")
    }

    pub fn has_errors(&self) -> bool {
        self.complaints.iter().any(|c| c.severity == Severity::Error)
    }

    /// Every complaint with file, line, column, the source line, a caret and the hint.
    pub fn render(&self, source: &Source) -> String {
        let mut out = String::new();
        for c in &self.complaints {
            let kind = if c.severity == Severity::Error { "error" } else { "warning" };
            let Some(span) = c.span else {
                let _ = writeln!(out, "{}: {kind}[{}]: {}", source.name, c.code, c.message);
                continue;
            };
            let (line, column) = source.position(span.start);
            let _ =
                writeln!(out, "{}:{line}:{column}: {kind}[{}]: {}", source.name, c.code, c.message);
            let _ = writeln!(out, "  {}\n  {}^", source.line(line), " ".repeat(column - 1));
        }
        out
    }
}

impl Complaint {
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Complaint {
        self.hint = Some(hint.into());
        self
    }
}
