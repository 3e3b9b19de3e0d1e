//! `Desk`: the name of a question and what it is asked with -> an answer, or faults.

use crate::library::Pocket;
use ludex::budget::Budget;
use ludex::game::Search;
use ludex::search::Options;
use ludex_sight::{
    DraftText, Glance, Inquiry, Patience, Telling, Trouble, card, drawn, explained, find, format,
    guise, sight, simulate, templates,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// Seconds for what is shown at once, and for random matches.
const SOON: f64 = 10.0;
/// For a question about a game: a browser has less room than a machine.
const PATIENCE: Patience = Patience { seconds: 15.0, table: 1 << 27, states: 4_000 };
/// Iterations between two looks at the clock.
const ROUND: u64 = 64;
/// Seconds of a slice of thinking.
const SLICE: f64 = 0.1;

/// Searches that think at a time.
const SEARCHES: usize = 4;

/// All games of a page, a clock in seconds, and the searches that think slice by slice.
pub struct Desk {
    pocket: Pocket,
    clock: fn() -> f64,
    /// The last that was asked first.
    thinking: VecDeque<(String, Search)>,
}

/// A game or position that is asked for.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    game: String,
    code: String,
    moves: Vec<Vec<String>>,
    facts: Vec<String>,
}

/// Who is to think on about which position.
#[derive(Deserialize, Serialize)]
struct Pondering {
    game: String,
    #[serde(default)]
    moves: Vec<Vec<String>>,
    role: usize,
    #[serde(default)]
    seed: u64,
    /// Iterations after which it is enough; 0: whoever asks decides.
    #[serde(default)]
    iterations: u64,
}

impl Desk {
    pub fn new(clock: fn() -> f64) -> Desk {
        Desk { pocket: Pocket::default(), clock, thinking: VecDeque::new() }
    }

    /// Answers a question; `told` hears the kind and data of what is known on the way.
    pub fn answer(
        &mut self,
        name: &str,
        with: Value,
        told: &dyn Fn(&str, Value),
    ) -> Result<Value, Trouble> {
        let soon = Budget::new(self.clock).lasting(SOON);
        match name {
            "glance" => {
                let draft: DraftText = serde_json::from_value(with)?;
                plain(&Glance::of(&draft.name, &draft.text))
            }
            "format" => plain(&format(&serde_json::from_value(with)?)?),
            "simulate" => plain(&simulate(&serde_json::from_value(with)?, &soon)),
            "templates" => plain(&templates()),
            "rules" => {
                let draft: DraftText = serde_json::from_value(with)?;
                Ok(json!({ "id": self.pocket.take(&draft.name, &draft.text)? }))
            }
            "think" => self.think(&serde_json::from_value(with)?, &soon),
            "ask" => {
                let asked: Inquiry = serde_json::from_value(with)?;
                let open = self.pocket.game(&asked.game)?;
                let budget = Budget::new(self.clock).lasting(PATIENCE.seconds);
                let draft = |known| told("draft", serde_json::to_value(known).unwrap_or_default());
                plain(&find(&open, &asked, PATIENCE, &budget, &draft)?)
            }
            _ => self.show(name, &serde_json::from_value(with)?, &soon),
        }
    }

    /// What is shown of a game or position.
    fn show(&mut self, name: &str, asked: &Wanted, budget: &Budget) -> Result<Value, Trouble> {
        match name {
            "games" => Ok(json!({ "games": self.pocket.entries(), "saves": false })),
            "card" => plain(&card(&*self.pocket.game(&asked.game)?, budget)?),
            "view" => plain(&sight(&*self.pocket.game(&asked.game)?, &asked.moves, budget)?),
            "draw" => {
                let open = self.pocket.game(&asked.game)?;
                Ok(json!({ "svg": drawn(&open, &asked.facts, budget) }))
            }
            "guise" => Ok(json!({ "guise": guise(&self.pocket.read(&asked.game)?, budget) })),
            "text" => Ok(json!({ "text": self.pocket.text(&asked.game)? })),
            "explain" => Ok(explained(&asked.code)),
            _ => Err(Trouble::new("not-here", format!("{name} needs `ludex serve`"))),
        }
    }

    /// The search that is asked for: one that has begun, or a new one.
    fn search(&mut self, asked: &Pondering, soon: &Budget) -> Result<&mut Search, Trouble> {
        let key = serde_json::to_string(asked)?;
        let begun = self.thinking.iter().position(|(known, _)| *known == key);
        let search = match begun.and_then(|at| self.thinking.remove(at)) {
            Some((_, search)) => search,
            None => {
                let position = self.pocket.game(&asked.game)?.position(&asked.moves, soon)?;
                if position.is_terminal() || asked.role >= position.roles().len() {
                    return Err(Trouble::new("over", "there is nothing to think about"));
                }
                let options = Options { seed: asked.seed.wrapping_add(1), ..Options::default() };
                position.search(asked.role, &options)
            }
        };
        self.thinking.push_front((key, search));
        self.thinking.truncate(SEARCHES);
        Ok(&mut self.thinking[0].1)
    }

    /// Thinks for a slice: about the same as before, or anew. The answer says whether it is worth going on.
    fn think(&mut self, asked: &Pondering, soon: &Budget) -> Result<Value, Trouble> {
        let slice = Budget::new(self.clock).lasting(SLICE);
        let search = self.search(asked, soon)?;
        let most = if asked.iterations > 0 { asked.iterations } else { u64::MAX };
        let mut going = true;
        while going && slice.check().is_ok() {
            let before = search.visits();
            let ended = search.think(ROUND.min(most.saturating_sub(before)), &slice).is_err();
            going = search.visits() > before && search.visits() < most;
            if ended {
                break;
            }
        }
        let stuck = || Trouble::new("stuck", "the role has no legal move");
        let thought = Telling::from(search.best().ok_or_else(stuck)?);
        let mut answer = plain(&thought)?;
        answer["going"] = json!(going && !thought.proven);
        Ok(answer)
    }
}

fn plain(answer: &impl Serialize) -> Result<Value, Trouble> {
    Ok(serde_json::to_value(answer)?)
}
