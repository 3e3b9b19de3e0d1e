//! The questions of the page: `POST /api/NAME` with JSON -> a stream of events.

use crate::clock::Keeper;
use crate::contest::{self, Arranged, Guests, Invited};
use crate::known::{self, Asked};
use crate::lane::{Errand, Event, Lane, Trouble, run};
use crate::library::Library;
use crate::sight::{card, drawn, sight};
use crate::thought::{self, Pondered};
use crate::writing::{self, Draft};
use ludex_lsp::Glance;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::mpsc::Receiver;

/// Seconds for what the page shows at once, for what runs beside it, and for a match.
const SOON: f64 = 20.0;
const MATCH: f64 = 3_600.0;
/// Pieces of work at a time that are mostly over at once.
const QUICK: usize = 8;

/// What all questions share.
pub struct Desk {
    library: Library,
    keeper: Keeper,
    guests: Guests,
    /// Boards and texts; the engine's moves; analyses; matches.
    quick: Arc<Lane>,
    engine: Arc<Lane>,
    analysis: Arc<Lane>,
    matches: Arc<Lane>,
}

/// A position that is asked for.
#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    game: String,
    #[serde(default)]
    moves: Vec<Vec<String>>,
    #[serde(default)]
    code: String,
    #[serde(default)]
    facts: Vec<String>,
}

impl Desk {
    pub fn new(library: Library, keeper: Keeper) -> Arc<Desk> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Arc::new(Desk {
            library,
            keeper,
            guests: Guests::default(),
            quick: Lane::new(QUICK.max(2 * cores)),
            engine: Lane::new(cores.max(2)),
            analysis: Lane::new(cores.max(2)),
            matches: Lane::new(cores.max(2)),
        })
    }

    pub fn stop(&self) {
        self.keeper.stop();
    }

    /// The stream that answers a question; none where nobody can ask it.
    pub fn answer(self: &Arc<Desk>, name: &str, body: Value) -> Option<Receiver<Event>> {
        if self.keeper.is_short() {
            self.library.close(|_| true);
        }
        Some(match name {
            "games" => self.quick(body, |desk, _: Value, _| {
                let folder = desk.library.folder().is_some();
                Ok(json!({ "games": desk.library.entries(), "saves": folder }))
            }),
            "card" => self.quick(body, |desk, asked: Wanted, errand| {
                card(&*desk.library.open(&asked.game)?, &errand.budget)
            }),
            "view" => self.quick(body, |desk, asked: Wanted, errand| {
                sight(&*desk.library.open(&asked.game)?, &asked.moves, &errand.budget)
            }),
            "draw" => self.quick(body, |desk, asked: Wanted, errand| {
                let open = desk.library.open(&asked.game)?;
                Ok(json!({ "svg": drawn(&open, &asked.facts, &errand.budget) }))
            }),
            "rules" => self.quick(body, |desk, draft: Draft, _| {
                let id = desk.library.take(&draft.name, &draft.text);
                desk.library.open(&id)?;
                Ok(json!({ "id": id }))
            }),
            "text" => self.quick(body, |desk, asked: Wanted, _| {
                Ok(json!({ "text": desk.library.text(&asked.game)? }))
            }),
            "glance" => {
                self.quick(body, |_, draft: Draft, _| Ok(Glance::of(&draft.name, &draft.text)))
            }
            "format" => self.quick(body, |_, draft: Draft, _| writing::format(&draft)),
            "explain" => {
                self.quick(body, |_, asked: Wanted, _| Ok(writing::explained(&asked.code)))
            }
            "templates" => self.quick(body, |_, _: Value, _| Ok(writing::templates())),
            "save" => self.quick(body, |desk, draft: Draft, _| {
                Ok(json!({ "id": desk.library.save(&draft.name, &draft.text, draft.overwrite)? }))
            }),
            "simulate" => self.ask(&self.analysis, SOON, body, |_, draft: Draft, errand| {
                Ok(writing::simulate(&draft, errand))
            }),
            "think" => self.ask(
                &self.engine,
                thought::LONGEST + SOON,
                body,
                |desk, asked: Pondered, errand| {
                    thought::think(&*desk.library.open(&asked.game)?, &asked, errand)
                },
            ),
            "remote" => {
                self.ask(&self.matches, thought::LONGEST, body, |desk, asked: Invited, errand| {
                    desk.guests.ask(&*desk.library.open(&asked.game)?, &asked, errand)
                })
            }
            "ask" => {
                self.ask(&self.analysis, known::PATIENCE, body, |desk, asked: Asked, errand| {
                    known::known(&desk.library, &asked, errand)
                })
            }
            "match" => self.ask(&self.matches, MATCH, body, |desk, asked: Arranged, errand| {
                contest::play(&*desk.library.open(&asked.game)?, &asked, &desk.keeper, errand)
            }),
            _ => return None,
        })
    }

    fn quick<Q, T>(
        self: &Arc<Desk>,
        body: Value,
        work: impl FnOnce(&Desk, Q, &Errand) -> Result<T, Trouble> + Send + 'static,
    ) -> Receiver<Event>
    where
        Q: for<'a> Deserialize<'a> + Send + 'static,
        T: Serialize + 'static,
    {
        self.ask(&self.quick, SOON, body, work)
    }

    fn ask<Q, T>(
        self: &Arc<Desk>,
        lane: &Arc<Lane>,
        seconds: f64,
        body: Value,
        work: impl FnOnce(&Desk, Q, &Errand) -> Result<T, Trouble> + Send + 'static,
    ) -> Receiver<Event>
    where
        Q: for<'a> Deserialize<'a> + Send + 'static,
        T: Serialize + 'static,
    {
        let asked = serde_json::from_value::<Q>(body);
        let asked = asked.map_err(|e| Trouble::new("bad-question", e.to_string()));
        let desk = self.clone();
        run(lane, &self.keeper, seconds, move |errand| {
            let outcome = work(&desk, asked?, errand);
            if outcome.as_ref().is_err_and(Trouble::is_of_engine) {
                desk.library.close(|_| true);
            }
            outcome
        })
    }
}
