//! A position and a role -> what the search thinks, told as it finds it.

use crate::clock::Keeper;
use crate::lane::Errand;
use ludex::search::Options;
use ludex_sight::{OpenGame, Telling, Trouble};
use serde::Deserialize;
use std::time::Duration;

/// The longest time for a move.
pub const LONGEST: f64 = 120.0;
/// Seconds that are allowed before that, for the engine to be made.
pub const BEFORE: f64 = 20.0;
/// How often thoughts are told.
const TELL: Duration = Duration::from_millis(120);

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

/// Thinks until the time is over, enough is found out, or nobody listens any more.
pub fn think(
    open: &OpenGame,
    asked: &Pondered,
    keeper: &Keeper,
    errand: &Errand,
) -> Result<Telling, Trouble> {
    let seconds = asked.seconds.clamp(0.01, LONGEST);
    let whole = errand.budget.lasting(BEFORE + seconds);
    let position = open.position(&asked.moves, &whole)?;
    if position.is_terminal() {
        return Err(Trouble::new("over", "the match is over"));
    }
    if asked.role >= position.roles().len() {
        return Err(Trouble::new("no-role", "there is no such role"));
    }
    let options = Options { seed: asked.seed.wrapping_add(1), ..Options::default() };
    let mut search =
        position.search_within(asked.role, &options, keeper.memory(&errand.budget.part()));
    if asked.iterations > 0 {
        // Ended by the budget it has a move as well.
        let _ = search.think(asked.iterations, &whole);
        return search.best().map(Telling::from).ok_or_else(stuck);
    }
    let budget = whole.lasting(seconds);
    let thinking = search.start(&budget);
    while !thinking.is_over() && budget.check().is_ok() {
        std::thread::sleep(TELL);
        if let Some(thought) = thinking.best() {
            errand.tell("thought", &Telling::from(thought));
        }
    }
    thinking.stop().best().map(Telling::from).ok_or_else(stuck)
}

fn stuck() -> Trouble {
    Trouble::new("stuck", "the role has no legal move")
}
