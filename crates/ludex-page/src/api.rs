//! The questions of the page: `POST /api/NAME` with JSON -> a stream of events.

use crate::clock::Keeper;
use crate::contest::{self, Arranged, Guests, Invited};
use crate::lane::{Errand, Event, Lane, run};
use crate::library::Library;
use crate::live::Live;
use crate::thought::{self, Pondered};
use crate::view::view;
use ludex_sight::{
    DraftText, Glance, Inquiry, Patience, Trouble, card, drawn, explained, find, format, simulate,
    templates,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::mpsc::Receiver;

/// Seconds for what the page shows at once, for what runs beside it, and for a match.
const SOON: f64 = 20.0;
const MATCH: f64 = 3_600.0;
/// For a question about a game.
const PATIENCE: Patience = Patience { seconds: 30.0, table: 1 << 28, states: 20_000 };
/// Pieces of work at a time that are mostly over at once.
const QUICK: usize = 8;

/// What all questions share.
pub struct Desk {
    library: Library,
    keeper: Keeper,
    guests: Guests,
    live: Live,
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
            live: Live::default(),
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
                view(&*desk.library.open(&asked.game)?, &asked.moves, errand)
            }),
            "draw" => self.quick(body, |desk, asked: Wanted, errand| {
                let open = desk.library.open(&asked.game)?;
                Ok(json!({ "svg": drawn(&open, &asked.facts, &errand.budget) }))
            }),
            "guise" => self.quick(body, |desk, asked: Wanted, errand| {
                Ok(json!({ "guise": desk.library.guise(&asked.game, &errand.budget)? }))
            }),
            "rules" => self.quick(body, |desk, draft: DraftText, _| {
                let id = desk.library.take(&draft.name, &draft.text);
                desk.library.open(&id)?;
                Ok(json!({ "id": id }))
            }),
            "text" => self.quick(body, |desk, asked: Wanted, _| {
                Ok(json!({ "text": desk.library.text(&asked.game)? }))
            }),
            "glance" => {
                self.quick(body, |_, draft: DraftText, _| Ok(Glance::of(&draft.name, &draft.text)))
            }
            "format" => self.quick(body, |_, draft: DraftText, _| format(&draft)),
            "explain" => self.quick(body, |_, asked: Wanted, _| Ok(explained(&asked.code))),
            "templates" => self.quick(body, |_, _: Value, _| Ok(templates())),
            "save" => self.quick(body, |desk, draft: DraftText, _| {
                Ok(json!({ "id": desk.library.save(&draft.name, &draft.text, draft.overwrite)? }))
            }),
            "simulate" => self.ask(&self.analysis, SOON, body, |_, draft: DraftText, errand| {
                Ok(simulate(&draft, &errand.budget))
            }),
            "think" => self.ask(
                &self.engine,
                thought::BEFORE + thought::LONGEST,
                body,
                |desk, asked: Pondered, errand| {
                    let open = desk.library.open(&asked.game)?;
                    thought::think(&open, &asked, &desk.keeper, errand)
                },
            ),
            "remote" => {
                self.ask(&self.matches, thought::LONGEST, body, |desk, asked: Invited, errand| {
                    desk.guests.ask(&*desk.library.open(&asked.game)?, &asked, errand)
                })
            }
            "ask" => {
                self.ask(&self.analysis, PATIENCE.seconds, body, |desk, asked: Inquiry, errand| {
                    let open = desk.library.open(&asked.game)?;
                    let told = |known| errand.tell("draft", &known);
                    find(&open, &asked, PATIENCE, &errand.budget, &told)
                })
            }
            "match" => self.ask(&self.matches, MATCH, body, |desk, asked: Arranged, errand| {
                let open = desk.library.open(&asked.game)?;
                contest::play(&open, &asked, &desk.keeper, &desk.live, errand)
            }),
            "live" => {
                self.quick(body, |desk, _: Value, _| Ok(json!({ "matches": desk.live.all() })))
            }
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
