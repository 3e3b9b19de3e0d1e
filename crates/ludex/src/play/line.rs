//! `Line`: the present state of a match, which follows a history given as text.

use crate::game::{Game, Move, Role, find_move};

/// The present state, and the joint moves that led to it.
pub struct Line<G: Game> {
    pub now: G::State,
    moves: Vec<Vec<String>>,
}

/// Why a line cannot go where it was told to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The history parts from the one before.
    Back,
    Illegal(String),
}

impl<G: Game> Line<G> {
    pub fn new(game: &mut G) -> Line<G> {
        Line { now: game.initial(), moves: vec![] }
    }

    /// The number of joint moves made.
    pub fn turn(&self) -> usize {
        self.moves.len()
    }

    /// Goes forward to the state after a history and shows every joint move. One that is not legal
    /// ends it in the state before that move.
    pub fn follow(
        &mut self,
        game: &mut G,
        history: &[Vec<String>],
        mut step: impl FnMut(&[Move]),
    ) -> Result<(), Lost> {
        let rest = history.strip_prefix(self.moves.as_slice()).ok_or(Lost::Back)?;
        for texts in rest {
            let joint = joint(game, &self.now, texts).map_err(Lost::Illegal)?;
            self.now = game.next(&self.now, &joint);
            self.moves.push(texts.clone());
            step(&joint);
        }
        Ok(())
    }
}

fn joint<G: Game>(game: &mut G, state: &G::State, texts: &[String]) -> Result<Vec<Move>, String> {
    if texts.len() != game.roles() {
        return Err(format!("{} moves for {} roles", texts.len(), game.roles()));
    }
    let each = texts.iter().enumerate();
    each.map(|(role, text)| {
        let legal = legal(game, state, role);
        let illegal = || format!("{text} is no legal move of {}", game.role_text(role));
        find_move(&legal, text).ok_or_else(illegal)
    })
    .collect()
}

/// The legal moves of a role with their texts, in the order of these: the same for every engine.
pub fn legal<G: Game>(game: &mut G, state: &G::State, role: Role) -> Vec<(Move, String)> {
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let mut named: Vec<_> = moves.into_iter().map(|m| (m, game.move_text(role, m))).collect();
    named.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    named
}
