//! A thought of the search -> `Telling`, as the page shows it.

use ludex::game::Thought;
use serde::Serialize;

/// Moves that are told with each.
const MOVES: usize = 12;

/// What the search would play, and what it thinks of the other moves.
#[derive(Serialize)]
pub struct Telling {
    #[serde(rename = "move")]
    pub mv: String,
    /// The goal that is expected for the role.
    pub value: f64,
    pub proven: bool,
    pub visits: u64,
    pub moves: Vec<Considered>,
    /// The joint moves that are expected.
    pub line: Vec<Vec<String>>,
}

#[derive(Serialize)]
pub struct Considered {
    pub text: String,
    pub value: f64,
    pub proven: bool,
    pub visits: u64,
}

impl From<Thought> for Telling {
    fn from(thought: Thought) -> Telling {
        let moves = thought.moves.into_iter().take(MOVES).map(|m| Considered {
            text: m.text,
            value: m.value,
            proven: m.proven,
            visits: m.visits,
        });
        Telling {
            mv: thought.text,
            value: thought.value,
            proven: thought.proven,
            visits: thought.visits,
            moves: moves.collect(),
            line: thought.line,
        }
    }
}
