//! The tokens of infix, and how names and variables are written in it.
//!
//! A plain name begins with a lower-case letter or is a whole number; any other name of KIF stands
//! in single quotes (a quote in it is doubled). A variable begins with an upper-case letter or `_`,
//! or is a name of any kind after `?`.

use crate::source::Span;
use crate::syntax::space::{blank, line_comment};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfixToken {
    Name,
    Quoted,
    Variable,
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    Arrow,
    Unequal,
    Stop,
    /// A name that needs quotes.
    Odd,
    /// A quote without its partner.
    Unquoted,
    End,
}

pub struct InfixTokens<'a> {
    text: &'a str,
    pub at: usize,
}

impl<'a> InfixTokens<'a> {
    pub fn new(text: &'a str) -> InfixTokens<'a> {
        InfixTokens { text, at: 0 }
    }

    pub fn next(&mut self, comment: impl FnMut(Span)) -> (InfixToken, Span) {
        self.skip(comment);
        let start = self.at;
        let (token, length) = token(&self.text[start..]);
        self.at += length;
        (token, Span { start: start as u32, end: self.at as u32 })
    }

    fn skip(&mut self, mut comment: impl FnMut(Span)) {
        loop {
            self.at += blank(&self.text[self.at..]);
            if !self.text[self.at..].starts_with('%') {
                return;
            }
            self.at = line_comment(self.text, self.at, &mut comment);
        }
    }
}

const SIGNS: [(&str, InfixToken); 14] = [
    (":-", InfixToken::Arrow),
    ("<=", InfixToken::Arrow),
    ("\\=", InfixToken::Unequal),
    ("!=", InfixToken::Unequal),
    ("\\+", InfixToken::Not),
    ("(", InfixToken::Open),
    (")", InfixToken::Close),
    (",", InfixToken::Comma),
    ("&", InfixToken::And),
    ("|", InfixToken::Or),
    (";", InfixToken::Or),
    ("~", InfixToken::Not),
    (".", InfixToken::Stop),
    ("", InfixToken::End),
];

/// The token at the start of the text and its length.
fn token(text: &str) -> (InfixToken, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if first == '\'' {
        return quoted(text);
    }
    if first == '?' {
        return variable(text);
    }
    let word = word(text);
    if plain_name(&text[..word]) {
        return (InfixToken::Name, word);
    }
    if first == '_' || first.is_uppercase() {
        return (
            if text[..word].chars().all(inner) { InfixToken::Variable } else { InfixToken::Odd },
            word,
        );
    }
    let sign = SIGNS.iter().find(|(sign, token)| match token {
        InfixToken::End => text.is_empty(),
        _ => text.starts_with(sign),
    });
    match sign {
        Some((sign, token)) => (*token, sign.len()),
        None => (InfixToken::Odd, word.max(first.len_utf8())),
    }
}

/// The length of what could have been meant as one word.
fn word(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || "(),&|;~%'.:<\\!=?\u{feff}".contains(c);
    text.find(ends).unwrap_or(text.len())
}

fn quoted(text: &str) -> (InfixToken, usize) {
    let mut rest = text[1..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '\'' if rest.peek().is_some_and(|(_, c)| *c == '\'') => {
                rest.next();
            }
            '\'' => return (InfixToken::Quoted, at + 2),
            '\n' => return (InfixToken::Unquoted, at + 1),
            _ => (),
        }
    }
    (InfixToken::Unquoted, text.len())
}

fn variable(text: &str) -> (InfixToken, usize) {
    match quoted_part(&text[1..]) {
        Some((token, length)) => (token, length + 1),
        None => {
            let word = word(&text[1..]);
            let plain = word > 0 && text[1..1 + word].chars().all(inner);
            (if plain { InfixToken::Variable } else { InfixToken::Odd }, word + 1)
        }
    }
}

fn quoted_part(text: &str) -> Option<(InfixToken, usize)> {
    let (token, length) = text.starts_with('\'').then(|| quoted(text))?;
    Some((if token == InfixToken::Quoted { InfixToken::Variable } else { token }, length))
}

fn inner(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn plain_name(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let begins = text.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_uppercase());
    number || begins && text.chars().all(inner)
}

/// What stands between quotes, or the text itself where there are none.
pub fn unquote(text: &str) -> Cow<'_, str> {
    match text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        Some(inner) if inner.contains('\'') => inner.replace("''", "'").into(),
        Some(inner) => inner.into(),
        None => text.into(),
    }
}

/// A name as infix writes it.
pub(crate) fn write_name(name: &str, out: &mut String) {
    if plain_name(name) && !matches!(name, "not" | "and" | "or") {
        out.push_str(name);
    } else {
        write_quoted(name, out);
    }
}

fn write_quoted(name: &str, out: &mut String) {
    out.push('\'');
    out.push_str(&name.replace('\'', "''"));
    out.push('\'');
}

/// A variable as infix writes it: upper case does not change it, since GDL minds no letter case.
pub(crate) fn write_variable(name: &str, out: &mut String) {
    let first = name.chars().next().unwrap_or(' ');
    let plain = name.chars().all(inner);
    if plain && first.is_ascii_lowercase() {
        out.push(first.to_ascii_uppercase());
        out.push_str(&name[1..]);
    } else if plain && (first.is_uppercase() || first == '_' && name.len() > 1) {
        out.push_str(name);
    } else if plain {
        out.push('?');
        out.push_str(name);
    } else {
        out.push('?');
        write_quoted(name, out);
    }
}
