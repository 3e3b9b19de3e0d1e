//! `Line`: the states of a match so far, which follows a history given as text.

use crate::game::{Game, Move, Role, find_move};

/// The states from the initial one to the present one, and the joint moves between them.
pub struct Line<G: Game> {
    states: Vec<G::State>,
    moves: Vec<Vec<String>>,
}

/// How a line changed.
pub enum Step<'a, G: Game> {
    /// It went back to an earlier state.
    Back(&'a G::State),
    Forward(&'a [Move], &'a G::State),
}

impl<G: Game> Line<G> {
    pub fn new(game: &mut G) -> Line<G> {
        Line { states: vec![game.initial()], moves: vec![] }
    }

    pub fn now(&self) -> &G::State {
        self.states.last().expect("the initial state stays")
    }

    /// The number of joint moves made.
    pub fn turn(&self) -> usize {
        self.moves.len()
    }

    /// Goes to the state after a history: back to where both part, then forward. A joint move that is
    /// not legal ends it with an error, in the state before that move.
    pub fn follow(
        &mut self,
        game: &mut G,
        history: &[Vec<String>],
        mut step: impl FnMut(&mut G, Step<G>),
    ) -> Result<(), String> {
        let common = self.moves.iter().zip(history).take_while(|(a, b)| a == b).count();
        if common < self.moves.len() {
            self.moves.truncate(common);
            self.states.truncate(common + 1);
            step(game, Step::Back(self.now()));
        }
        for texts in &history[common..] {
            let joint = joint(game, self.now(), texts)?;
            let state = game.next(self.now(), &joint);
            step(game, Step::Forward(&joint, &state));
            self.states.push(state);
            self.moves.push(texts.clone());
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
