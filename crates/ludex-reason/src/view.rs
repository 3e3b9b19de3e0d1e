//! `StateMachine` and a state -> `View`: all that can be seen of a state, as text.
//!
//! Canonical text is one S-expression in lower case with single spaces. A digest of lines is the
//! first 16 hexadecimal digits of the SHA-256 of the sorted lines, joined by line ends.

use super::{Move, StateMachine};
use sha2::{Digest, Sha256};

/// A state as text, names as the author wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Sorted.
    pub facts: Vec<String>,
    pub roles: Vec<String>,
    /// Per role, its legal moves in the engine's order.
    pub legal: Vec<Vec<(Move, String)>>,
    pub terminal: bool,
    /// Per role; none where there is not exactly one integer value.
    pub goals: Vec<Option<i32>>,
}

pub fn view<G: StateMachine>(game: &mut G, state: &G::State) -> View {
    let roles = 0..game.roles();
    let mut legal = |role| {
        let mut moves = Vec::new();
        game.legal(state, role, &mut moves);
        moves.into_iter().map(|m| (m, game.move_text(role, m))).collect()
    };
    View {
        legal: roles.clone().map(&mut legal).collect(),
        facts: game.fact_texts(state),
        roles: roles.clone().map(|role| game.role_text(role)).collect(),
        terminal: game.terminal(state),
        goals: roles.map(|role| game.goal(state, role)).collect(),
    }
}

impl View {
    /// The digest of the facts.
    pub fn state_digest(&self) -> String {
        digest(self.facts.iter().map(|fact| fact.to_lowercase()).collect())
    }

    /// The digest of the lines "role move" of all roles.
    pub fn legal_digest(&self) -> String {
        let lines = self.roles.iter().zip(&self.legal).flat_map(|(role, moves)| {
            moves.iter().map(move |(_, text)| format!("{role} {text}").to_lowercase())
        });
        digest(lines.collect())
    }
}

pub fn digest(mut lines: Vec<String>) -> String {
    lines.sort_unstable();
    let hash = Sha256::digest(lines.join("\n"));
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The move among `legal` that the text means, whatever its letter case, spaces and syntax.
pub fn find_move(legal: &[(Move, String)], text: &str) -> Option<Move> {
    let wanted = canonical(text);
    let same = |name: &str| name.eq_ignore_ascii_case(text) || canonical(name) == wanted;
    legal.iter().find(|(_, name)| same(name)).map(|(m, _)| *m)
}

/// The one move among `legal` that a person may mean by a text without all of its parentheses, or
/// without its name: `mark 2 2` or `2 2`. None where there are several.
pub fn guess_move(legal: &[(Move, String)], text: &str) -> Option<Move> {
    let words = |text: &str| -> Vec<String> {
        let plain = canonical(text).replace(['(', ')'], " ");
        plain.split_whitespace().map(String::from).collect()
    };
    let wanted = words(text);
    let one = |same: &dyn Fn(&[String]) -> bool| {
        let mut fitting = legal.iter().filter(|(_, name)| same(&words(name)));
        fitting.next().filter(|_| fitting.next().is_none()).map(|(m, _)| *m)
    };
    let found = find_move(legal, text).or_else(|| one(&|name| name == wanted));
    found.or_else(|| one(&|name| name.len() > 1 && name[1..] == wanted))
}

/// Canonical text of what a person wrote: `(mark 1 1)` or `mark(1, 1)`.
pub fn canonical(text: &str) -> String {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_name = false;
    for c in text.chars() {
        match c {
            // The name of an infix term stands before its parenthesis, without a space.
            '(' if in_name => tokens.insert(tokens.len() - 1, "(".into()),
            '(' | ')' => tokens.push(c.into()),
            c if c.is_whitespace() || c == ',' => {}
            c if in_name => tokens.last_mut().expect("a name").extend(c.to_lowercase()),
            c => tokens.push(c.to_lowercase().collect()),
        }
        in_name = !(c.is_whitespace() || matches!(c, '(' | ')' | ','));
    }
    tokens.join(" ").replace("( ", "(").replace(" )", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_syntaxes_give_the_same_text() {
        assert_eq!(canonical("  Noop "), "noop");
        assert_eq!(canonical("(Mark  1 ( f 2))"), "(mark 1 (f 2))");
        assert_eq!(canonical("mark(1, f(2))"), "(mark 1 (f 2))");
        assert_eq!(canonical("(a b)(c"), "(a b) (c");
        assert_eq!(canonical("(f)"), "(f)");
        assert_eq!(canonical(""), "");
    }

    #[test]
    fn moves_may_be_written_short() {
        let named = ["(mark 1 2)", "(mark 2 2)", "(move (at 1) 2)", "noop"].into_iter();
        let legal: Vec<(Move, String)> = (0..).map(Move).zip(named.map(String::from)).collect();
        let guessed = |text| guess_move(&legal, text).map(|m| m.0);
        for text in ["2 2", "mark 2 2", "(mark 2 2)", "mark(2,2)", "MARK(2, 2)"] {
            assert_eq!(guessed(text), Some(1), "{text}");
        }
        assert_eq!(guessed("noop"), Some(3));
        assert_eq!(guessed("at 1 2"), Some(2));
        assert_eq!((guessed("mark"), guessed(""), guessed("1")), (None, None, None));
        let both = [(Move(0), "(a 1)".to_string()), (Move(1), "(b 1)".to_string())];
        assert_eq!(guess_move(&both, "1"), None);
    }

    #[test]
    fn a_digest_does_not_depend_on_the_order_of_the_lines() {
        let lines = |text: &str| text.split(' ').map(String::from).collect();
        assert_eq!(digest(lines("b a")), digest(lines("a b")));
        // The SHA-256 of nothing begins with these digits.
        assert_eq!(digest(vec![]), "e3b0c44298fc1c14");
    }
}
