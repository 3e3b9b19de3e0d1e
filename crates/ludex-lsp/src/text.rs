//! Places as editors count them: lines from 0, columns in units of UTF-16.

use lsp_types::{Position, Range};
use ludex::source::Span;

/// The starts of the lines of a text. Lines end as editors end them: LF, CR and LF, or CR.
pub struct Lines {
    starts: Vec<u32>,
    /// Then a byte is a unit, and long lines need not be counted through.
    ascii: bool,
}

impl Lines {
    pub fn of(text: &str) -> Lines {
        let (bytes, mut starts) = (text.as_bytes(), vec![0]);
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Lines { starts, ascii: text.is_ascii() }
    }

    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = (offset as usize).min(text.len());
        let line = self.starts.partition_point(|s| *s as usize <= offset) - 1;
        let start = self.starts[line] as usize;
        if self.ascii {
            return Position::new(line as u32, (offset - start) as u32);
        }
        let before = &text[start..floor(text, offset)];
        Position::new(line as u32, before.encode_utf16().count() as u32)
    }

    pub fn range(&self, text: &str, span: Span) -> Range {
        Range::new(self.position(text, span.start), self.position(text, span.end))
    }

    /// The offset of a position; one beyond the end of its line or of the text is the end.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return text.len() };
        let start = *start as usize;
        let end = self.starts.get(position.line as usize + 1).map_or(text.len(), |e| *e as usize);
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        if self.ascii {
            return start + line.len().min(position.character as usize);
        }
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= position.character as usize {
                return start + at;
            }
            units += c.len_utf16();
        }
        start + line.len()
    }
}

/// The nearest boundary of a character at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = "(a \u{1F600} é)\r\n;x\ry";
        let lines = Lines::of(text);
        let at = text.find('é').unwrap() as u32;
        assert_eq!(lines.position(text, at), Position::new(0, 6));
        assert_eq!(lines.offset(text, Position::new(0, 6)), at as usize);
        // Inside a pair, beyond the line, beyond the text.
        assert_eq!(lines.offset(text, Position::new(0, 4)), 7);
        assert_eq!(lines.offset(text, Position::new(0, 99)), text.find('\r').unwrap());
        assert_eq!(lines.offset(text, Position::new(9, 0)), text.len());
        assert_eq!(lines.position(text, text.len() as u32), Position::new(2, 1));
    }

    #[test]
    fn every_offset_comes_back() {
        let text = "a\n\u{1F600}b\r\n\n(é)";
        let lines = Lines::of(text);
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_control()) {
            let position = lines.position(text, at as u32);
            assert_eq!(lines.offset(text, position), at, "{c}");
        }
    }
}
