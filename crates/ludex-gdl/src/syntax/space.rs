//! What lies between tokens in both syntaxes: white space and comments to the end of the line.

use crate::source::Span;

/// The length of the white space at the start of the text. Blanks that come with text copied from
/// web pages and byte order marks count as white space.
pub fn blank(text: &str) -> usize {
    let mut at = 0;
    for &b in text.as_bytes() {
        match b {
            b' ' | b'\t'..=b'\r' => at += 1,
            0x80.. => return at + wide_blank(&text[at..]),
            _ => break,
        }
    }
    at
}

#[cold]
fn wide_blank(text: &str) -> usize {
    text.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(text.len())
}

/// Passes over the comment that begins at `at`; gives the offset of the line's end.
pub fn line_comment(text: &str, at: usize, comment: &mut impl FnMut(Span)) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let shown = at + text[at..end].trim_end().len();
    comment(Span { start: at as u32, end: shown as u32 });
    end
}
