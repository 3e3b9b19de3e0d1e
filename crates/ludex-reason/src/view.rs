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
    fn a_digest_does_not_depend_on_the_order_of_the_lines() {
        let lines = |text: &str| text.split(' ').map(String::from).collect();
        assert_eq!(digest(lines("b a")), digest(lines("a b")));
        // The SHA-256 of nothing begins with these digits.
        assert_eq!(digest(vec![]), "e3b0c44298fc1c14");
    }
}
