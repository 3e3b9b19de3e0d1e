//! Legal moves and what a person types -> the moves that may be meant.

use super::Move;
use super::view::{canonical, find_move};

/// The moves that fit a text best: one where it is clear what is meant, several where it is not. A text is a
/// move in any spelling, a part of it as words (`mark 2 2`, `2 2`), or its places in one word (`e2e4`,
/// `e2-e4`).
pub fn moves_meant(legal: &[(Move, String)], text: &str) -> Vec<Move> {
    if let Some(exact) = find_move(legal, text) {
        return vec![exact];
    }
    let wanted = words(text);
    if wanted.is_empty() {
        return vec![];
    }
    let glued = glue(&wanted);
    let tests: [Test; 6] = [
        &|name| name == wanted,
        &|name| name[1..] == wanted,
        &|name| name.ends_with(&wanted),
        &|name| (1..name.len()).any(|from| glue(&name[from..]) == glued),
        &|name| name.windows(wanted.len()).any(|part| part == wanted),
        &|name| runs(name).any(|run| glue(run) == glued),
    ];
    let named: Vec<(Move, Vec<String>)> = legal.iter().map(|(m, name)| (*m, words(name))).collect();
    let fitting = |test: &Test| -> Vec<Move> {
        named.iter().filter(|(_, name)| test(name)).map(|(m, _)| *m).collect()
    };
    tests.iter().map(fitting).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The moves that have a text among their words, or in them put together: what `/b2` shows.
pub fn moves_with(legal: &[(Move, String)], part: &str) -> Vec<Move> {
    let part = glue(&words(part));
    let has = |(_, name): &&(Move, String)| glue(&words(name)).contains(&part);
    legal.iter().filter(has).map(|(m, _)| *m).collect()
}

/// Does a move with these names fit?
type Test<'a> = &'a dyn Fn(&[String]) -> bool;

/// The names in a move, in lower case, without parentheses.
pub fn words(text: &str) -> Vec<String> {
    let plain = canonical(text).replace(['(', ')'], " ");
    plain.split_whitespace().map(String::from).collect()
}

/// Words as one, without the signs that people put between places.
fn glue(words: &[String]) -> String {
    let sign = |c: &char| !matches!(c, '-' | ':' | '_');
    words.iter().flat_map(|word| word.chars()).filter(sign).collect()
}

fn runs(words: &[String]) -> impl Iterator<Item = &[String]> {
    let ends = move |from: usize| (from + 1..=words.len()).map(move |to| &words[from..to]);
    (0..words.len()).flat_map(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal(names: &[&str]) -> Vec<(Move, String)> {
        (0..).map(Move).zip(names.iter().map(|name| name.to_string())).collect()
    }

    fn meant(names: &[&str], text: &str) -> Vec<u32> {
        moves_meant(&legal(names), text).into_iter().map(|m| m.0).collect()
    }

    #[test]
    fn a_part_that_is_clear_is_enough() {
        let marks = ["(mark 1 2)", "(mark 2 2)", "(mark 1 12)", "noop"];
        assert_eq!(meant(&marks, "2 2"), [1]);
        assert_eq!(meant(&marks, "mark 1 12"), [2]);
        assert_eq!(meant(&marks, "mark(1,2)"), [0]);
        assert_eq!(meant(&marks, "noop"), [3]);
        assert_eq!(meant(&marks, "mark"), [0, 1, 2]);
        assert_eq!(meant(&marks, "5 5"), [0; 0]);
        assert_eq!(meant(&marks, ""), [0; 0]);
    }

    #[test]
    fn two_places_may_be_one_word() {
        let chess =
            ["(move wp e 2 e 4)", "(move wp e 2 e 3)", "(move wn g 1 f 3)", "(castle e1 g1)"];
        assert_eq!(meant(&chess, "e2e4"), [0]);
        assert_eq!(meant(&chess, "E2-E3"), [1]);
        assert_eq!(meant(&chess, "f3"), [2]);
        assert_eq!(meant(&chess, "wn"), [2]);
        assert_eq!(meant(&chess, "e2"), [0, 1]);
        assert_eq!(meant(&chess, "e1g1"), [3]);
    }

    #[test]
    fn a_filter_looks_into_words_and_between_them() {
        let chess = legal(&["(move wp b 2 b 4)", "(move wp a 2 a 3)", "(move wn b 1 c 3)"]);
        assert_eq!(moves_with(&chess, "b2"), [Move(0)]);
        assert_eq!(moves_with(&chess, "wp"), [Move(0), Move(1)]);
        assert_eq!(moves_with(&chess, "").len(), 3);
    }
}
