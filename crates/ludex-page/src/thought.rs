//! A position and a role -> what the search thinks, told as it finds it.

use crate::lane::{Errand, Trouble};
use crate::library::OpenGame;
use ludex::game::Thought;
use ludex::search::Options;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest time for a move.
pub const LONGEST: f64 = 120.0;
/// How often thoughts are told.
const TELL: Duration = Duration::from_millis(120);
/// Moves that are told with each.
const MOVES: usize = 12;

/// Who is to think about which position.
#[derive(Deserialize)]
pub struct Pondered {
    pub game: String,
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
    pub role: usize,
    pub seconds: f64,
    /// Iterations after which a weak player has thought enough; 0: as many as there is time for.
    #[serde(default)]
    pub iterations: u64,
    #[serde(default)]
    pub seed: u64,
}

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

/// Thinks until the time is over, enough is found out, or nobody listens any more.
pub fn think(open: &OpenGame, asked: &Pondered, errand: &Errand) -> Result<Telling, Trouble> {
    let position = open.position(&asked.moves, &errand.budget)?;
    if position.is_terminal() {
        return Err(Trouble::new("over", "the match is over"));
    }
    if asked.role >= position.roles().len() {
        return Err(Trouble::new("no-role", "there is no such role"));
    }
    let options = Options { seed: asked.seed.wrapping_add(1), ..Options::default() };
    if asked.iterations > 0 {
        let mut search = position.search(asked.role, &options);
        // Ended by the budget it has a move as well.
        let _ = search.think(asked.iterations, &errand.budget);
        return search.best().map(Telling::of).ok_or_else(stuck);
    }
    let budget = errand.budget.lasting(asked.seconds.clamp(0.01, LONGEST));
    let thinking = position.start_search(asked.role, &options, &budget);
    while !thinking.is_over() && budget.check().is_ok() {
        std::thread::sleep(TELL);
        if let Some(thought) = thinking.best() {
            errand.tell("thought", &Telling::of(thought));
        }
    }
    thinking.stop().best().map(Telling::of).ok_or_else(stuck)
}

fn stuck() -> Trouble {
    Trouble::new("stuck", "the role has no legal move")
}

impl Telling {
    fn of(thought: Thought) -> Telling {
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
