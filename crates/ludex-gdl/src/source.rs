//! A text with places in it (`Source`, `Span`) and all complaints about it (`Report`).
//!
//! Every pass collects its complaints into one `Report`; a front renders them once.

mod render;

use std::fmt;

/// A text and the name under which its author knows it.
#[derive(Clone)]
pub struct Source {
    pub name: String,
    pub text: String,
    line_starts: Vec<u32>,
    /// Where the first line ended with CR alone, if most did; the text has line feeds there.
    lone_cr: Option<u32>,
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
    /// A change of the text that would mend it.
    pub fix: Option<Fix>,
    /// What would not be said but for this.
    pub follows: Vec<Complaint>,
}

/// A change of a text: what stands at the span is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub span: Span,
    pub text: String,
}

/// A word or message that cannot be read, and why, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread(pub String);

/// The complaints of one or more passes, in the order found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub complaints: Vec<Complaint>,
}

impl Source {
    /// `text` is shorter than 4 GiB (`from_bytes` checks it).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let mut text: String = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "places in a source are 32 bits wide");
        let lone_cr = lone_cr(&text);
        if lone_cr.is_some() {
            text = text.replace('\r', "\n");
        }
        let starts =
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(starts).collect();
        Source { name: name.into(), text, line_starts, lone_cr }
    }

    /// A text from a file. UTF-16 is known by its first two bytes; other bytes that are not UTF-8 are read as Latin-1,
    /// with a warning that says where: old files have such letters in their comments.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>, report: &mut Report) -> Source {
        if bytes.len() >= u32::MAX as usize {
            let message = "the file is larger than 4 GiB, which is more than can be read";
            report.push(Severity::Error, "too-large", None, message.into());
            return Source::new(name, "");
        }
        if let Some(text) = from_utf_16(&bytes) {
            let message = "the file is UTF-16, which other programs may not read";
            report
                .push(Severity::Warning, "not-utf-8", None, message.into())
                .hint("save the file as UTF-8");
            return Source::new(name, text);
        }
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => return Source::new(name, text),
            Err(error) => error.into_bytes(),
        };
        let (text, first, count) = from_latin_1(&bytes);
        if bytes.contains(&0) {
            // No text at all: the parser says so in one message.
            return Source::new(name, text);
        }
        let end = first + text[first..].chars().next().map_or(0, char::len_utf8);
        let span = Span { start: first as u32, end: end as u32 };
        let more = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        let byte = bytes[first];
        let message = format!("the byte 0x{byte:02x} is not UTF-8; read as Latin-1{more}");
        report.warning("not-utf-8", span, message).hint("save the file as UTF-8");
        Source::new(name, text)
    }

    /// Says that lines end with CR alone.
    pub(crate) fn line_ends(&self, report: &mut Report) {
        let Some(at) = self.lone_cr else { return };
        let message = "lines end with CR alone; other programs may read one long line, or a comment without end";
        report
            .warning("cr-line-ends", Span { start: at, end: at }, message)
            .hint("save the file with line feeds (LF, or CR and LF); `ludex fmt` does");
    }

    /// Line and column, both from 1, columns counted in characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|s| *s <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let before = &self.text.as_bytes()[start..self.text.len().min(offset as usize)];
        (line + 1, before.iter().filter(|b| **b & 0xC0 != 0x80).count() + 1)
    }

    /// The text of a line (from 1) without its line end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line - 1] as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |e| *e as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misread {}

impl From<String> for Misread {
    fn from(why: String) -> Misread {
        Misread(why)
    }
}

impl fmt::Display for Report {
    /// What is wrong, without the places, which only the source tells.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let messages: Vec<&str> = self.complaints.iter().map(|c| c.message.as_str()).collect();
        f.write_str(&messages.join("; "))
    }
}

impl std::error::Error for Report {}

impl Report {
    /// The same in other words.
    pub fn reword(&mut self, words: &dyn Fn(&str) -> String) {
        self.complaints.iter_mut().for_each(|c| c.reword(words));
    }

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

    /// A complaint with a place, or about the file as a whole.
    pub fn push(
        &mut self,
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: String,
    ) -> &mut Complaint {
        let (hint, fix, follows) = (None, None, vec![]);
        self.complaints.push(Complaint { severity, code, message, span, hint, fix, follows });
        self.complaints.last_mut().expect("just pushed")
    }

    pub fn has_errors(&self) -> bool {
        self.complaints.iter().any(|c| c.severity == Severity::Error)
    }
}

impl Complaint {
    /// The same in other words, with all that follows from it.
    fn reword(&mut self, words: &dyn Fn(&str) -> String) {
        self.message = words(&self.message);
        self.hint = self.hint.as_deref().map(words);
        self.follows.iter_mut().for_each(|c| c.reword(words));
    }

    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Complaint {
        self.hint = Some(hint.into());
        self
    }

    /// Replaces what stands at the span.
    pub fn fix(&mut self, span: Span, text: impl Into<String>) -> &mut Complaint {
        self.fix = Some(Fix { span, text: text.into() });
        self
    }
}

impl Span {
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end }
    }
}

/// The first CR, where more lines end with CR alone than with a line feed.
fn lone_cr(text: &str) -> Option<u32> {
    let first = text.find('\r')?;
    let feeds = text.matches('\n').count();
    let alone = text.matches('\r').count() - text.matches("\r\n").count();
    (alone > feeds).then_some(first as u32)
}

/// The text of a file whose first two bytes say that it is UTF-16, if it is.
fn from_utf_16(bytes: &[u8]) -> Option<String> {
    let of_pair: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| of_pair([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

/// The text, the offset of the first byte that is not UTF-8 (the same in both), and how many.
fn from_latin_1(bytes: &[u8]) -> (String, usize, usize) {
    let (mut text, mut first, mut count) = (String::with_capacity(bytes.len()), None, 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            first.get_or_insert(text.len());
            count += 1;
            text.push(char::from(*byte));
        }
    }
    (text, first.unwrap_or(0), count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("x", "a\r\n\té(b\n");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(6), (2, 3));
        assert_eq!(source.line(1), "a");
        assert_eq!(source.line(2), "\té(b");
        assert_eq!(source.position(source.text.len() as u32), (3, 1));
    }

    #[test]
    fn lines_that_end_with_cr_alone_are_lines() {
        let (source, mut report) = (Source::new("x", "; a\r(b)\r"), Report::default());
        assert_eq!(source.position(4), (2, 1));
        assert_eq!(source.text, "; a\n(b)\n");
        source.line_ends(&mut report);
        assert_eq!(report.complaints[0].code, "cr-line-ends");
        for text in ["a\r\nb\r\n", "a\rb\nc\n", "a\nb", ""] {
            let mut report = Report::default();
            Source::new("x", text).line_ends(&mut report);
            assert!(report.complaints.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_named() {
        let mut report = Report::default();
        let source = Source::from_bytes("x", b"; caf\xe9\n(role \xff)".to_vec(), &mut report);
        assert_eq!(source.text, "; café\n(role ÿ)");
        let complaint = &report.complaints[0];
        assert_eq!(source.position(complaint.span.unwrap().start), (1, 6));
        assert!(complaint.message.contains("0xe9") && complaint.message.contains("1 more"));
        assert!(!report.has_errors());
    }
}
