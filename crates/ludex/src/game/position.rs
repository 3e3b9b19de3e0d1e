//! `Position`: a state of a game as a value: what can be seen of it, and what follows a joint move.

use super::{Game, Search, Solving, Thinking};
use crate::compile::{AnyState, Compiled, Refusal};
use ludex_gdl::budget::{Budget, Memory};
use ludex_picture::Picture;
use ludex_reason::{Move, Role, View, guess_move};
use ludex_search::solve::Settings;
use ludex_search::{Insights, Options};
use std::fmt;
use std::sync::{Arc, Mutex};

/// A state of a game. To take a move back, keep the position before it.
#[derive(Clone)]
pub struct Position {
    game: Game,
    pub(super) engine: Arc<Mutex<Compiled>>,
    state: AnyState,
    /// The joint moves that led here.
    joints: Vec<Vec<Move>>,
    /// The same as text.
    line: Vec<Vec<String>>,
    view: View,
}

/// Moves that cannot be made.
#[derive(Debug)]
pub enum Faulty {
    /// The match is over.
    Over,
    /// A role has no legal move.
    Stuck {
        /// The role.
        role: String,
    },
    /// So many moves were given for so many roles that have a choice.
    Count {
        /// Moves that were given.
        given: usize,
        /// Roles with more than one legal move.
        choosing: usize,
        /// All roles.
        roles: usize,
    },
    /// No legal move of the role, or several, can be meant.
    Move {
        /// The role.
        role: String,
        /// What was given for its move.
        text: String,
    },
    /// The engine has no answer.
    Refused(Refusal),
}

impl Position {
    pub(super) fn initial(game: &Game, shared: Arc<Mutex<Compiled>>) -> Result<Position, Refusal> {
        let mut engine = shared.lock().expect("no panic while held");
        let state = engine.initial();
        let view = seen(&mut engine, &state)?;
        drop(engine);
        let (joints, line) = (vec![], vec![]);
        Ok(Position { game: game.clone(), engine: shared, state, joints, line, view })
    }

    /// The game that it is a position of.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// All that can be seen.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        &self.view.roles
    }

    /// The true facts, sorted.
    pub fn facts(&self) -> &[String] {
        &self.view.facts
    }

    /// The legal moves of a role.
    pub fn legal(&self, role: Role) -> impl ExactSizeIterator<Item = &str> {
        self.view.legal[role].iter().map(|(_, text)| text.as_str())
    }

    /// The joint moves that led here, one move of each role.
    pub fn line(&self) -> &[Vec<String>] {
        &self.line
    }

    /// Whether the match is over.
    pub fn is_terminal(&self) -> bool {
        self.view.terminal
    }

    /// Per role; none where there is not exactly one goal value.
    pub fn goals(&self) -> &[Option<i32>] {
        &self.view.goals
    }

    /// The position after a joint move: the moves of all roles, or of those that have a choice, as
    /// text: `(mark 2 2)`, `mark(2, 2)`, `mark 2 2` or `2 2`.
    pub fn after(&self, moves: &[&str]) -> Result<Position, Faulty> {
        let joint = self.joint(moves)?;
        let mut engine = self.engine.lock().expect("no panic while held");
        let state = engine.next(&self.state, &joint);
        let view = seen(&mut engine, &state).map_err(Faulty::Refused)?;
        let mut next = Position { state, view, ..self.clone() };
        next.line.push(self.texts(&joint));
        next.joints.push(joint);
        Ok(next)
    }

    /// The legal moves of a joint move as text.
    fn texts(&self, joint: &[Move]) -> Vec<String> {
        let text = |(legal, made): (&Vec<(Move, String)>, &Move)| {
            let found = legal.iter().find(|(m, _)| m == made);
            found.expect("a legal move").1.clone()
        };
        self.view.legal.iter().zip(joint).map(text).collect()
    }

    /// The facts after a joint move.
    pub(super) fn facts_after(&self, joint: &[Move]) -> Vec<String> {
        let mut engine = self.engine.lock().expect("no panic while held");
        let state = engine.next(&self.state, joint);
        engine.facts(&state)
    }

    fn joint(&self, moves: &[&str]) -> Result<Vec<Move>, Faulty> {
        if self.is_terminal() {
            return Err(Faulty::Over);
        }
        let choosing = self.view.legal.iter().filter(|legal| legal.len() > 1).count();
        let all = moves.len() == self.roles().len();
        if !all && moves.len() != choosing {
            let roles = self.roles().len();
            return Err(Faulty::Count { given: moves.len(), choosing, roles });
        }
        let mut left = moves.iter();
        let mut joint = Vec::new();
        for (legal, role) in self.view.legal.iter().zip(self.roles()) {
            joint.push(match &legal[..] {
                [] => return Err(Faulty::Stuck { role: role.clone() }),
                [(only, _)] if !all => *only,
                legal => {
                    let text = *left.next().expect("they were counted");
                    let fault = || Faulty::Move { role: role.clone(), text: text.into() };
                    guess_move(legal, text).ok_or_else(fault)?
                }
            });
        }
        Ok(joint)
    }

    /// The position as a picture, which prints itself as text and as SVG.
    pub fn picture(&self, budget: &Budget) -> Result<Picture, Refusal> {
        Ok(self.game.scene(budget)?.picture(self.facts()))
    }

    /// A search for the best move of a role here, which is not terminal. It thinks when it is told to.
    pub fn search(&self, role: Role, options: &Options) -> Search {
        self.search_within(role, options, Memory::unlimited(&Budget::unlimited()))
    }

    /// The same, with a tree that grows only as long as the memory allows it.
    pub fn search_within(&self, role: Role, options: &Options, memory: Memory) -> Search {
        let insights = Arc::new(Insights::new(memory));
        let engine = self.engine.lock().expect("no panic while held");
        let mut searcher = engine.searcher(role, options, insights.clone());
        self.joints.iter().for_each(|joint| searcher.advance(joint));
        Search { position: self.clone(), role, searcher, insights }
    }

    /// The same in a thread of its own, until it is stopped or the budget ends.
    pub fn start_search(&self, role: Role, options: &Options, budget: &Budget) -> Thinking {
        self.search(role, options).start(budget)
    }

    /// A solver on this position in a thread of its own.
    pub fn start_solver(&self, settings: Settings, budget: &Budget) -> Result<Solving, Refusal> {
        Solving::start(self, settings, budget)
    }
}

/// All that is seen of a state.
fn seen(engine: &mut Compiled, state: &AnyState) -> Result<View, Refusal> {
    let view = engine.view(state);
    engine.problem().map_or(Ok(view), Err)
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Faulty::Over => f.write_str("the match is over"),
            Faulty::Stuck { role } => write!(f, "{role} has no legal move"),
            Faulty::Count { given, choosing, roles } => {
                write!(f, "{given} moves, but {roles} roles, of which {choosing} have a choice")
            }
            Faulty::Refused(refusal) => refusal.fmt(f),
            Faulty::Move { role, text } => write!(f, "`{text}` is not a legal move of {role}"),
        }
    }
}

impl std::error::Error for Faulty {}
