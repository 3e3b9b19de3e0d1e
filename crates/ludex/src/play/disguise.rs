//! `Disguise`: other words for the names of a match, so that a player cannot rely on names.

use ludex_gdl::rules::{KEYWORDS, is_chance};
use ludex_reason::Random;
use rustc_hash::FxHashMap;

/// A one-to-one map of names, made up as they are met. Numbers, keywords and the name of chance stay.
pub struct Disguise {
    words: FxHashMap<String, String>,
    names: FxHashMap<String, String>,
    random: Random,
}

impl Disguise {
    /// Other names for everything, the same ones for the same seed.
    pub fn new(seed: u64) -> Disguise {
        let (words, names) = (FxHashMap::default(), FxHashMap::default());
        Disguise { words, names, random: Random::new(seed) }
    }

    /// The text in disguise.
    pub fn hide(&mut self, text: &str) -> String {
        each_symbol(text, |symbol| match stays(symbol) {
            true => symbol.into(),
            false => self.word(symbol),
        })
    }

    /// The text that is meant. Words that were never made up stay as they are.
    pub fn reveal(&self, text: &str) -> String {
        each_symbol(text, |symbol| {
            let name = self.names.get(&symbol.to_lowercase());
            name.map_or(symbol, String::as_str).into()
        })
    }

    fn word(&mut self, name: &str) -> String {
        let folded = name.to_lowercase();
        if let Some(word) = self.words.get(&folded) {
            return word.clone();
        }
        let mut word = String::new();
        while word.len() < 6 || self.names.contains_key(&word) || stays(&word) {
            word.push(b"bdfgklmnprstvz"[self.random.below(14)].into());
            word.push(b"aeiou"[self.random.below(5)].into());
        }
        self.names.insert(word.clone(), name.into());
        self.words.insert(folded, word.clone());
        word
    }
}

fn stays(symbol: &str) -> bool {
    let same = |word: &str| symbol.eq_ignore_ascii_case(word);
    let keyword = is_chance(symbol) || KEYWORDS.iter().any(|(word, _)| same(word));
    let connective = ["<=", "and", "or", "not", "distinct", "nil"].into_iter().any(same);
    keyword || connective || symbol.starts_with('?') || symbol.parse::<f64>().is_ok()
}

/// The text with every symbol replaced.
fn each_symbol(text: &str, mut replace: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '(' | ')')) {
        let symbol = part.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        if !symbol.is_empty() {
            out.push_str(&replace(symbol));
        }
        out.push_str(&part[symbol.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_keeps_its_name() {
        let hidden = Disguise::new(1).hide("(role Random) (role x) (legal random (roll 1))");
        assert!(hidden.starts_with("(role Random) (role ") && hidden.contains("(legal random ("));
        assert!(!hidden.contains("roll") && !hidden.contains(" x)"), "{hidden}");
    }

    #[test]
    fn names_are_hidden_and_come_back() {
        let mut disguise = Disguise::new(1);
        let rules = "(role x) (<= (legal ?w (Mark ?x 12)) (true (cell ?x b)) (not (mark x)))";
        let hidden = disguise.hide(rules);
        assert_eq!(disguise.reveal(&hidden), rules.replace("(mark", "(Mark"));
        for stays in ["(role ", "(<= (legal ?w (", " ?x 12))", "(true (", "(not ("] {
            assert!(hidden.contains(stays), "{stays} in {hidden}");
        }
        for name in ["Mark", "mark", "cell", " x)"] {
            assert!(!hidden.contains(name), "{name} in {hidden}");
        }
        assert_eq!(disguise.hide("(MARK x)"), disguise.hide("(mark X)"));
        assert_eq!(disguise.reveal("(unheard of)"), "(unheard of)");
        assert_eq!(Disguise::new(1).hide(rules), hidden);
    }
}
