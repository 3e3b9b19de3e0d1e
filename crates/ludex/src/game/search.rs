//! `Search`: a search for the best move in a position, which can be asked at any time.

use super::{Position, Thinking};
use crate::compile::Job;
use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::{Move, Role};
use ludex_search::{Choice, Insights, Searchable, Searcher};
use std::sync::Arc;

/// A search for one role in a position. It thinks when it is told to, and uses what is known of the
/// game from the moment that is known.
pub struct Search {
    pub(super) position: Position,
    pub(super) role: Role,
    pub(super) searcher: Box<dyn Searcher>,
    pub(super) insights: Arc<Insights>,
}

/// What a search would play.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move, as text.
    pub text: String,
    /// The goal value that is expected for the role.
    pub value: f64,
    /// Whether the value is exact.
    pub proven: bool,
    /// How often the search looked at the position.
    pub visits: u64,
    /// All legal moves of the role, the most visited first.
    pub moves: Vec<ThoughtMove>,
    /// The first joint moves that are expected, this one first.
    pub line: Vec<Vec<String>>,
}

/// What a search thinks of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtMove {
    /// The move, as text.
    pub text: String,
    /// The goal value that is expected after it.
    pub value: f64,
    /// Whether the value is exact.
    pub proven: bool,
    /// How often the search looked at it.
    pub visits: u64,
}

/// Joint moves of a line that are told.
const LINE: usize = 16;

impl Thought {
    /// What a search with so many visits chose for a role in a position, as text.
    pub(super) fn of(position: &Position, role: Role, choice: &Choice, visits: u64) -> Thought {
        let legal = &position.view().legal[role];
        let text = |wanted: Move| {
            let found = legal.iter().find(|(m, _)| *m == wanted);
            found.expect("a legal move").1.clone()
        };
        let moves = choice.moves.iter().map(|m| ThoughtMove {
            text: text(m.mv),
            value: m.value,
            proven: m.proven,
            visits: m.visits,
        });
        let line = &choice.line[..choice.line.len().min(LINE)];
        let mut engine = position.engine.lock().expect("no panic while held");
        Thought {
            text: text(choice.mv),
            value: choice.value,
            proven: choice.proven,
            visits,
            moves: moves.collect(),
            line: engine.run(JointTexts(line)).unwrap_or_default(),
        }
    }
}

/// The text of joint moves.
struct JointTexts<'a>(&'a [Vec<Move>]);

impl Job for JointTexts<'_> {
    type Answer = Vec<Vec<String>>;

    fn run<G: Searchable>(self, game: &mut G) -> Self::Answer {
        let mut text = |(role, m): (Role, &Move)| game.move_text(role, *m);
        self.0.iter().map(|joint| joint.iter().enumerate().map(&mut text).collect()).collect()
    }
}

impl Search {
    /// Finds out what makes the search faster and stronger; not needed, and worth it for more than a
    /// second of thinking.
    pub fn prepare(&self, budget: &Budget) -> Result<(), Stop> {
        self.insights.gather(self.position.game().knowledge(), budget)
    }

    /// Thinks for so many iterations, or until the budget ends.
    pub fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop> {
        self.searcher.think(iterations, budget)
    }

    /// Goes on in a thread of its own, until it is stopped or the budget ends.
    pub fn start(self, budget: &Budget) -> Thinking {
        Thinking::of(self, budget)
    }

    /// How often it looked at the position.
    pub fn visits(&self) -> u64 {
        self.searcher.visits()
    }

    /// The best move so far; none where the role has no legal move.
    pub fn best(&mut self) -> Option<Thought> {
        let (choice, visits) = self.choice()?;
        Some(Thought::of(&self.position, self.role, &choice, visits))
    }

    /// The same as the engine has it, and how often it looked at the position.
    pub(super) fn choice(&mut self) -> Option<(Choice, u64)> {
        Some((self.searcher.choice()?, self.searcher.visits()))
    }
}
