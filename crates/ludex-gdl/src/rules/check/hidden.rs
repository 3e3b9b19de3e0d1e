//! Characters that nobody sees, or takes for others: left over from a page or a word processor.

use super::Check;
use super::names::NameIndex;
use crate::source::Span;

/// Letters of other alphabets, and those of the Latin one that look the same.
const ALIKE: [(&str, &str); 3] = [
    ("асеіјорѕухһԁԛԝАВЕНІЈКМОРЅТУХ", "aceijopsyxhdqwABEHIJKMOPSTYX"),
    ("οινΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oivABEZHIKMNOPTYX"),
    ("‐‑‒–—−", "------"),
];

/// Whether a character takes no place on the screen.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

fn alike(c: char) -> Option<char> {
    ALIKE.iter().find_map(|(others, latin)| {
        let at = others.chars().position(|other| other == c)?;
        latin.chars().nth(at)
    })
}

/// A name as it looks, if that is another one.
pub fn plain(name: &str) -> Option<String> {
    let seen = name.chars().filter(|c| !is_unseen(*c));
    let plain: String = seen.map(|c| alike(c).unwrap_or(c)).collect();
    (plain != name && !plain.is_empty()).then_some(plain)
}

/// Whether the plain name was meant: what is written has characters that take no place, or the rules have the plain
/// name, too. Whoever writes in another alphabet means its letters.
pub fn is_meant(name: &str, plain: &str, words: &NameIndex) -> bool {
    name.chars().any(is_unseen) || words.count(plain) > 0
}

pub fn tell(check: &mut Check, (name, plain): (&str, &str), within: Span) {
    let odd = name.chars().find(|c| is_unseen(*c) || alike(*c).is_some()).unwrap_or_default();
    let number = format!("U+{:04X}", u32::from(odd));
    let message = match alike(odd) {
        Some(letter) => format!("a character of {name} only looks like {letter}: it is {number}"),
        None => format!("in {plain} is a character that cannot be seen: {number}"),
    };
    let at = check.name_place(name, within);
    check.warning("hidden-character", at, message).hint(format!("write {plain}")).fix(at, plain);
    check.about(name);
    check.threads.slip(name, plain);
}
