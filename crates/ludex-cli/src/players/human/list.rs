//! `MoveList`: legal moves in the order of their numbers, as columns; a line that was typed -> a move.

use crate::Session;
use crate::terminal::width;
use ludex::picture::natural;
use ludex::reason::{Move, find_move, moves_meant, moves_with, words};
use std::cmp::Ordering;
use std::fmt;

pub struct MoveList {
    /// Sorted, numbers as numbers.
    moves: Vec<(Move, String)>,
    /// What to type for each: its place in the list, or the number that it speaks of.
    labels: Vec<String>,
}

impl MoveList {
    pub fn new(legal: &[(Move, String)]) -> MoveList {
        let mut moves = legal.to_vec();
        moves.sort_by(|(_, a), (_, b)| by_words(&words(a), &words(b)));
        let labels = own_numbers(&moves)
            .unwrap_or_else(|| (1..=moves.len()).map(|number| number.to_string()).collect());
        MoveList { moves, labels }
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The moves as the person writes them.
    pub fn worded(&self, session: &Session) -> Vec<(Move, String)> {
        self.moves.iter().map(|(m, text)| (*m, session.worded(text))).collect()
    }

    /// The move that is meant, or what to say about the line.
    pub fn understand(&self, line: &str) -> Result<String, String> {
        if let Some(part) = line.strip_prefix('/') {
            return Err(self.told(&moves_with(&self.moves, part), part));
        }
        if let Some(exact) = find_move(&self.moves, line) {
            return Ok(self.text(exact));
        }
        let by_label = || self.labels.iter().position(|label| label == line);
        match moves_meant(&self.moves, line)[..] {
            [only] if line.parse::<usize>().is_err() => Ok(self.text(only)),
            ref meant => match by_label() {
                Some(at) => Ok(self.moves[at].1.clone()),
                None if meant.len() == 1 => Ok(self.text(meant[0])),
                None if meant.is_empty() => Err(self.unknown(line)),
                None => Err(self.told(meant, line)),
            },
        }
    }

    fn text(&self, m: Move) -> String {
        let found = self.moves.iter().find(|(legal, _)| *legal == m);
        found.map(|(_, text)| text.clone()).expect("a move of the list")
    }

    fn unknown(&self, line: &str) -> String {
        let last = self.labels.last().map_or("", String::as_str);
        format!(
            "`{line}` is not a legal move: type a number up to {last}, a move, /part of one, or help"
        )
    }

    fn told(&self, found: &[Move], part: &str) -> String {
        if found.is_empty() {
            return format!("no legal move has `{part}` in it");
        }
        let own = |i: &usize| found.contains(&self.moves[*i].0);
        columns((0..self.moves.len()).filter(own).map(|i| self.entry(i)).collect())
    }

    fn entry(&self, i: usize) -> String {
        let label = self.labels.iter().map(String::len).max().unwrap_or(1);
        format!("{:>label$}  {}", self.labels[i], self.moves[i].1)
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&columns((0..self.moves.len()).map(|i| self.entry(i)).collect()))
    }
}

/// Where every move speaks of one number at the most, and each of another one: these.
fn own_numbers(moves: &[(Move, String)]) -> Option<Vec<String>> {
    let label = |(_, text): &(Move, String)| match &words(text)[..] {
        [_, number] if number.parse::<usize>().is_ok() => Some(number.clone()),
        [name] => Some(name.clone()),
        _ => None,
    };
    let labels: Vec<String> = moves.iter().map(label).collect::<Option<_>>()?;
    let mut different = labels.clone();
    different.sort();
    different.dedup();
    let numbers = labels.iter().any(|label| label.parse::<usize>().is_ok());
    (numbers && different.len() == labels.len()).then_some(labels)
}

fn by_words(a: &[String], b: &[String]) -> Ordering {
    let pairs = a.iter().zip(b).map(|(a, b)| natural(a, b));
    pairs.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
}

/// Entries below each other, in as many columns as the line has room for.
fn columns(entries: Vec<String>) -> String {
    let wide = entries.iter().map(|e| e.chars().count()).max().unwrap_or(0) + 3;
    let rows = entries.len().div_ceil((width() / wide).max(1)).max(1);
    let line = |row: usize| {
        let of_row = entries.iter().skip(row).step_by(rows);
        let padded: String = of_row.map(|entry| format!("{entry:<wide$}")).collect();
        format!("  {}", padded.trim_end())
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> MoveList {
        let moves: Vec<(Move, String)> =
            (0..).map(Move).zip(names.iter().map(|name| name.to_string())).collect();
        MoveList::new(&moves)
    }

    #[test]
    fn numbers_are_sorted_as_numbers_and_name_a_place_in_the_list() {
        let list = list(&["(mark 10 1)", "(mark 2 1)", "(mark 1 12)", "(mark 1 2)"]);
        let order: Vec<&str> = list.moves.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(order, ["(mark 1 2)", "(mark 1 12)", "(mark 2 1)", "(mark 10 1)"]);
        assert_eq!(list.understand("4").unwrap(), "(mark 10 1)");
        assert_eq!(list.understand("10 1").unwrap(), "(mark 10 1)");
        assert!(list.understand("mark 1").unwrap_err().contains("1  (mark 1 2)"));
        assert!(list.understand("/12").unwrap_err().contains("2  (mark 1 12)"));
        assert!(list.understand("5").unwrap_err().contains("not a legal move"));
    }

    #[test]
    fn a_move_that_speaks_of_one_number_is_called_by_it() {
        let list = list(&["(drop 7)", "(drop 2)", "(drop 3)", "noop"]);
        assert_eq!(list.understand("3").unwrap(), "(drop 3)");
        assert_eq!(list.understand("7").unwrap(), "(drop 7)");
        assert!(list.understand("1").is_err());
        assert!(list.to_string().contains("7  (drop 7)"));
    }
}
