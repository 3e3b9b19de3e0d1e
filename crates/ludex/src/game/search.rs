//! `Search`: a search for the best move in a position, which can be asked at any time.

use super::Position;
use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::{Move, Role};
use ludex_search::{Insights, Searcher};
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

    /// How often it looked at the position.
    pub fn visits(&self) -> u64 {
        self.searcher.visits()
    }

    /// The best move so far; none where the role has no legal move.
    pub fn best(&mut self) -> Option<Thought> {
        let choice = self.searcher.choice()?;
        let visits = self.searcher.visits();
        Some(Thought {
            text: self.text(choice.mv),
            value: choice.value,
            proven: choice.proven,
            visits,
        })
    }

    fn text(&self, wanted: Move) -> String {
        let legal = &self.position.view().legal[self.role];
        let found = legal.iter().find(|(m, _)| *m == wanted);
        found.expect("a legal move").1.clone()
    }
}
