//! The tokens of KIF: parentheses and symbols; white space and comments lie between them.

use crate::source::Span;
use crate::syntax::space::{blank, line_comment};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KifToken {
    Open,
    Close,
    Symbol,
}

/// Cuts a text into tokens. Comments are handed to a function as they are passed.
pub struct KifTokens<'a> {
    text: &'a str,
    pub at: usize,
}

impl<'a> KifTokens<'a> {
    pub fn new(text: &'a str) -> KifTokens<'a> {
        KifTokens { text, at: 0 }
    }

    pub fn next(&mut self, comment: impl FnMut(Span)) -> Option<(KifToken, Span)> {
        self.skip(comment);
        let start = self.at;
        let token = match *self.text.as_bytes().get(start)? {
            b'(' => KifToken::Open,
            b')' => KifToken::Close,
            _ => {
                self.at += symbol_length(&self.text[start..]);
                return Some((KifToken::Symbol, span(start, self.at)));
            }
        };
        self.at += 1;
        Some((token, span(start, self.at)))
    }

    fn skip(&mut self, mut comment: impl FnMut(Span)) {
        loop {
            self.at += blank(&self.text[self.at..]);
            if self.text.as_bytes().get(self.at) != Some(&b';') {
                return;
            }
            self.at = line_comment(self.text, self.at, &mut comment);
        }
    }
}

fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

fn symbol_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        match b {
            b' ' | b'\t'..=b'\r' | b'(' | b')' | b';' => break,
            0xC2.. if blank(&text[at..]) > 0 => break,
            _ => at += 1,
        }
    }
    at
}
