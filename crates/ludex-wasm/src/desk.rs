//! `Desk`: the name of a question and what it is asked with -> an answer, or faults.

use crate::Trouble;
use crate::known::known;
use crate::library::Library;
use crate::sight::{board, card, sight};
use ludex::Game;
use ludex::budget::Budget;
use ludex::game::{Bundled, Thought};
use ludex::search::Options;
use ludex::syntax::Syntax;
use serde::Deserialize;
use serde_json::{Value, json};

/// Seconds for what is shown at once, and for analyses.
const SOON: f64 = 10.0;
const ANALYSIS: f64 = 15.0;
/// Iterations between two looks at the clock.
const ROUND: u64 = 64;
/// The longest time for a move.
const LONGEST: f64 = 60.0;

/// All games of a page, and a clock in seconds.
pub struct Desk {
    library: Library,
    clock: fn() -> f64,
}

/// What a question can be asked with.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    game: String,
    name: String,
    text: String,
    question: String,
    moves: Vec<Vec<String>>,
    facts: Vec<String>,
    role: usize,
    seconds: f64,
    iterations: u64,
    seed: u64,
    to: String,
}

impl Desk {
    pub fn new(clock: fn() -> f64) -> Desk {
        Desk { library: Library::default(), clock }
    }

    pub fn answer(&mut self, name: &str, with: Value) -> Result<Value, Trouble> {
        let asked: Wanted = serde_json::from_value(with)?;
        let soon = Budget::new(self.clock).lasting(SOON);
        match name {
            "games" => Ok(json!({ "games": games(), "saves": false })),
            "card" => {
                let position = self.library.position(&asked.game, &[], &soon)?;
                Ok(card(&asked.game, &position, &soon))
            }
            "view" => {
                let position = self.library.position(&asked.game, &asked.moves, &soon)?;
                sight(&asked.game, &position, &soon)
            }
            "draw" => {
                let scene = self.library.game(&asked.game)?.scene(&soon)?;
                Ok(json!({ "svg": board(scene.picture(&asked.facts)) }))
            }
            "rules" => Ok(json!({ "id": self.library.take(&asked.name, &asked.text)? })),
            "text" => {
                let game = self.library.game(&asked.game)?;
                Ok(json!({ "text": game.source().text }))
            }
            "format" => format(&asked),
            "think" => self.think(&asked),
            "ask" => {
                let budget = Budget::new(self.clock).lasting(ANALYSIS);
                known(&self.library.game(&asked.game)?, &asked.question, &budget)
            }
            _ => Err(Trouble::new("not-here", format!("{name} needs `ludex serve`"))),
        }
    }

    /// What the search would play: after some iterations, or at the end of some time.
    fn think(&mut self, asked: &Wanted) -> Result<Value, Trouble> {
        let seconds = asked.seconds.clamp(0.05, LONGEST);
        let budget = Budget::new(self.clock).lasting(seconds);
        let soon = Budget::new(self.clock).lasting(SOON);
        let position = self.library.position(&asked.game, &asked.moves, &soon)?;
        if position.is_terminal() || asked.role >= position.roles().len() {
            return Err(Trouble::new("over", "there is nothing to think about"));
        }
        let options = Options { seed: asked.seed.wrapping_add(1), ..Options::default() };
        let mut search = position.search(asked.role, &options);
        let most = if asked.iterations > 0 { asked.iterations } else { u64::MAX };
        while search.visits() < most && budget.check().is_ok() {
            let before = search.visits();
            let ended = search.think(ROUND.min(most - before), &budget).is_err();
            if ended || search.visits() == before {
                break;
            }
        }
        let stuck = || Trouble::new("stuck", "the role has no legal move");
        search.best().map(told).ok_or_else(stuck)
    }
}

/// Moves that are told beside the best one.
const MOVES: usize = 12;

fn told(thought: Thought) -> Value {
    let considered = thought.moves.iter().take(MOVES).map(
        |m| json!({ "text": m.text, "value": m.value, "proven": m.proven, "visits": m.visits }),
    );
    json!({
        "move": thought.text,
        "value": thought.value,
        "proven": thought.proven,
        "visits": thought.visits,
        "moves": considered.collect::<Vec<Value>>(),
        "line": thought.line,
    })
}

fn games() -> Vec<Value> {
    let entry = |b: Bundled| {
        let comments = b.text.lines().take_while(|line| line.starts_with([';', '%']));
        let about: Vec<&str> = comments.map(|line| line.trim_matches([';', '%', ' '])).collect();
        json!({ "id": b.name(), "title": b.name(), "from": "bundled", "about": about.join(" ") })
    };
    Bundled::all().map(entry).collect()
}

/// Rules in one layout and syntax.
fn format(asked: &Wanted) -> Result<Value, Trouble> {
    let game = Game::from_text(&asked.name, &asked.text)?;
    let syntax = if asked.to == "infix" { Syntax::Infix } else { Syntax::Kif };
    Ok(json!({ "text": game.rules().text(syntax) }))
}
