//! Matches between programs: a whole match, told turn by turn, and single moves of players elsewhere.

use crate::clock::{Keeper, now};
use crate::lane::Errand;
use crate::live::{Live, OnStage};
use ludex::budget::{Memory, Stop};
use ludex::play::{Builtin, Clock, Opening, Player, Record, Referee, RefereeHost, Seated, Spec};
use ludex::rules::is_chance;
use ludex::source::Misread;
use ludex::syntax::Syntax;
use ludex_answers::MatchRecord;
use ludex_sight::{OpenGame, Trouble};
use ludex_web::{Address, Remote};
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Mutex;

/// The longest clock, and the longest match.
const CLOCK: f64 = 60.0;
const STEPS: usize = 1_000;
/// Thinking ends a little before the clock does; an answer is waited for a little longer.
const MARGIN: f64 = 0.05;
const GRACE: f64 = 1.0;
/// Players elsewhere that are in a match with somebody here.
const GUESTS: usize = 64;

/// A match to be played.
#[derive(Deserialize)]
pub struct Arranged {
    pub game: String,
    /// For each role: `mcts`, `uct,seed=2`, `random` or `http://host:port`.
    pub players: Vec<String>,
    pub start_clock: f64,
    pub play_clock: f64,
    #[serde(default)]
    pub seed: u64,
}

/// A move that a player elsewhere is asked for.
#[derive(Deserialize)]
pub struct Invited {
    /// A word of the page for its match.
    pub id: String,
    pub game: String,
    pub role: usize,
    pub address: String,
    pub play_clock: f64,
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
}

struct Host<'a> {
    errand: &'a Errand,
    keeper: &'a Keeper,
    stage: OnStage<'a>,
}

impl RefereeHost for Host<'_> {
    fn clock(&self, seconds: f64) -> Clock {
        clock(self.errand, seconds)
    }

    fn now(&self) -> u64 {
        now()
    }

    fn check(&self) -> Result<(), Stop> {
        self.errand.budget.check()
    }

    fn turn(&self, record: &Record) {
        let errors = record.errors.last();
        self.stage.turn(&record.moves);
        self.errand.tell("turn", &json!({ "moves": record.moves, "errors": errors }));
    }
}

impl Host<'_> {
    fn memory(&self) -> Memory {
        self.keeper.memory(&self.errand.budget.part())
    }
}

fn clock(errand: &Errand, seconds: f64) -> Clock {
    let think = errand.budget.lasting(seconds - MARGIN.min(seconds / 4.0));
    Clock { seconds, think, answer: errand.budget.lasting(seconds + GRACE) }
}

/// Plays a match to its end.
pub fn play(
    open: &OpenGame,
    asked: &Arranged,
    keeper: &Keeper,
    live: &Live,
    errand: &Errand,
) -> Result<MatchRecord, Trouble> {
    let roles = open.position(&[], &errand.budget)?.roles().to_vec();
    let record = asked.record(&open.id, &roles)?;
    let host = Host { errand, keeper, stage: live.begin(&open.id, &asked.players) };
    let seats = record.seats.iter().enumerate();
    let players: Result<Vec<_>, Trouble> =
        seats.map(|(role, _)| asked.player(open, role, &record, &host)).collect();
    let mut engine = open
        .game
        .compile(None, ludex::compile::Means::all(&errand.budget))
        .map_err(|e| Trouble::new("no-engine", e.to_string()))?;
    let referee =
        Referee { host: &host, record, players: players?, seed: asked.seed, bound: STEPS };
    let record = engine.run(referee).map_err(|e| Trouble::new("no-engine", e.to_string()))?;
    Ok(MatchRecord::of(&record))
}

impl Arranged {
    fn record(&self, game: &str, roles: &[String]) -> Result<Record, Trouble> {
        let people = roles.iter().filter(|role| !is_chance(role)).count();
        if self.players.len() != people {
            return Err(Trouble::new("players", format!("{people} players are needed")));
        }
        let mut players = self.players.iter();
        let seats = roles.iter().map(|role| Seated {
            role: role.clone(),
            player: match is_chance(role) {
                true => "chance".into(),
                false => players.next().cloned().unwrap_or_default(),
            },
            human: false,
        });
        Ok(Record {
            id: format!("page.{}", now()),
            game: game.into(),
            seats: seats.collect(),
            start_clock: self.start_clock.clamp(0.1, CLOCK),
            play_clock: self.play_clock.clamp(0.05, CLOCK),
            ..Record::default()
        })
    }

    fn player<'a>(
        &self,
        open: &OpenGame,
        role: usize,
        record: &Record,
        host: &Host,
    ) -> Result<Option<Box<dyn Player + 'a>>, Trouble> {
        let Seated { role: name, player, .. } = &record.seats[role];
        if is_chance(name) {
            return Ok(None);
        }
        if player.starts_with("http:") {
            return Ok(Some(Box::new(remote(open, player, name, record)?)));
        }
        let spec: Spec =
            player.parse().map_err(|e: Misread| Trouble::new("no-player", e.to_string()))?;
        let seed = spec.seed.wrapping_add(self.seed.wrapping_mul(1009)).wrapping_add(role as u64);
        let rules = (**open.game.rules()).clone();
        let opening = Opening {
            rules: Box::new(move || Ok(rules)),
            known: None,
            role: name.clone(),
            player: Spec { seed, ..spec },
            grounding: host.errand.budget.lasting(20.0),
            memory: host.memory(),
            memories: None,
        };
        Ok(Some(Box::new(Builtin::new(opening))))
    }
}

fn remote(open: &OpenGame, address: &str, role: &str, record: &Record) -> Result<Remote, Trouble> {
    let address: Address =
        address.parse().map_err(|why: Misread| Trouble::new("no-player", why.to_string()))?;
    Ok(Remote {
        address,
        id: record.id.clone(),
        role: role.into(),
        rules: open.game.rules().text(Syntax::Kif).replace('\n', " "),
        start_clock: record.start_clock,
        play_clock: record.play_clock,
        disguise: None,
    })
}

/// The players elsewhere that are in a match with somebody here, by match and role.
#[derive(Default)]
pub struct Guests(Mutex<HashMap<(String, usize), Remote>>);

impl Guests {
    /// Asks a player elsewhere for its move; it is told to start where the match begins.
    pub fn ask(
        &self,
        open: &OpenGame,
        asked: &Invited,
        errand: &Errand,
    ) -> Result<String, Trouble> {
        let position = open.position(&asked.moves, &errand.budget)?;
        let key = (asked.id.clone(), asked.role);
        let known = self.0.lock().expect("no panic while held").remove(&key);
        let mut guest = match known {
            Some(guest) => guest,
            None => self.invite(open, asked, position.roles(), errand)?,
        };
        let clock = clock(errand, asked.play_clock.clamp(0.05, CLOCK));
        let answer = guest.play(position.view(), &asked.moves, &clock);
        let mut guests = self.0.lock().expect("no panic while held");
        if guests.len() >= GUESTS {
            guests.clear();
        }
        guests.insert(key, guest);
        answer.map_err(|fault| Trouble::new("no-answer", format!("{}: {fault}", asked.address)))
    }

    fn invite(
        &self,
        open: &OpenGame,
        asked: &Invited,
        roles: &[String],
        errand: &Errand,
    ) -> Result<Remote, Trouble> {
        let role = roles.get(asked.role).ok_or_else(|| Trouble::new("no-role", "no such role"))?;
        let clock_seconds = asked.play_clock.clamp(0.05, CLOCK);
        let record = Record {
            id: asked.id.clone(),
            start_clock: clock_seconds,
            play_clock: clock_seconds,
            ..Record::default()
        };
        let mut guest = remote(open, &asked.address, role, &record)?;
        let started = guest.start(&clock(errand, clock_seconds));
        let refused =
            |e| Trouble::new("no-answer", format!("{} did not start: {e}", asked.address));
        started.map(|()| guest).map_err(refused)
    }
}
