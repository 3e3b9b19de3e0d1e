//! `Player`: messages of a game server -> answers. One match at a time.

use ludex::budget::{Budget, Memory, Stop};
use ludex::play::{Clock, Memories, Message, Opening, Seat, SeatTrace, Spec};
use ludex::rules::Rules;
use ludex::source::{Misread, Source};
use ludex::syntax::Syntax;
use ludex_answers::{MoveGrounds, PlayerEvent};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// How a player listens and plays.
#[derive(Clone)]
pub struct Settings {
    pub name: String,
    pub player: Spec,
    /// Thinking ends this long before the clock does.
    pub margin: Duration,
    /// A match of which nothing was heard for so long, beyond its clocks, is forgotten.
    pub silence: Duration,
    /// Its end is the end of the player.
    pub budget: Budget,
    /// What a match may use, asked for when it begins.
    pub memory: Arc<dyn Fn() -> Memory + Send + Sync>,
    /// What was found out about games in other matches.
    pub memories: Option<Arc<dyn Memories>>,
    /// Told what happens.
    pub log: Arc<dyn Fn(&PlayerEvent) + Send + Sync>,
}

/// Bytes of the moves of a match: every turn is kept.
const LONGEST_HISTORY: usize = 16_000_000;

/// Matches that are over but still at work, since something in them cannot be interrupted: with more no
/// match begins.
const LINGERING: usize = 2;
/// How long they are waited for.
const LEAVING: Duration = Duration::from_secs(1);

pub struct Player {
    settings: Settings,
    timer: Handle,
    current: Mutex<Option<Arc<Match>>>,
    /// Of all matches that may still be at work.
    traces: Mutex<Vec<SeatTrace>>,
}

struct Match {
    id: String,
    seat: Seat,
    memory: Memory,
    play_clock: f64,
    /// How long the server may be silent.
    patience: Duration,
    said: Mutex<Said>,
}

struct Said {
    history: Vec<Vec<String>>,
    /// Of the texts of all moves.
    bytes: usize,
    /// When the server was heard last.
    heard: Instant,
    /// Questions that are being answered.
    open: usize,
}

impl Player {
    /// The timer is the runtime that wakes when clocks end.
    pub fn new(settings: Settings, timer: Handle) -> Player {
        Player { settings, timer, current: Mutex::default(), traces: Mutex::default() }
    }

    /// The answer to a message that began to arrive at a moment; an error where it is none.
    pub fn answer(&self, text: String, arrived: Instant) -> Result<String, Misread> {
        let message = Message::parse(&text)?;
        // The message has its own rules, and may be thought about for long.
        drop(text);
        Ok(match message {
            Message::Info => self.info(),
            Message::Preview { .. } => "ready".into(),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let start = Start { id, role, start_clock, play_clock };
                self.start(start, rules, arrived)
            }
            Message::Play { id, moves } => self.play(&id, moves, arrived),
            Message::Stop { id, .. } => self.end(&id, "done"),
            Message::Abort { id } => self.end(&id, "aborted"),
        })
    }

    fn info(&self) -> String {
        let status = if self.lock().is_some() { "busy" } else { "available" };
        format!("((name {}) (status {status}) (species program))", self.settings.name)
    }

    fn start(&self, start: Start, rules: String, arrived: Instant) -> String {
        let Start { id, role, start_clock, play_clock } = &start;
        let match_id = id.clone();
        let game = {
            let free = self.is_free();
            let mut current = self.lock();
            if current.is_some() || !free {
                return "busy".into();
            }
            let memory = (self.settings.memory)();
            let seat = Seat::new(self.opening(&start, rules, &memory));
            self.traces.lock().expect("no panic while held").push(seat.trace());
            let clocks = Duration::try_from_secs_f64(start_clock + play_clock);
            let said = Said { history: vec![], bytes: 0, heard: Instant::now(), open: 0 };
            let game = Arc::new(Match {
                id: id.clone(),
                seat,
                memory,
                play_clock: *play_clock,
                patience: self.settings.silence.saturating_add(clocks.unwrap_or(Duration::MAX)),
                said: Mutex::new(said),
            });
            current.insert(game).clone()
        };
        self.log(&PlayerEvent::Start {
            match_id: match_id.clone(),
            role: role.clone(),
            start_clock: *start_clock,
            play_clock: *play_clock,
        });
        let timed = self.clock(*start_clock, arrived);
        let begun = self.settings.budget.seconds();
        match game.seat.ready(&timed.clock) {
            Ok(()) => {
                game.lock().heard = Instant::now();
                let cpu_seconds = self.settings.budget.seconds() - begun;
                let seconds = arrived.elapsed().as_secs_f64();
                self.log(&PlayerEvent::Ready { match_id, seconds, cpu_seconds });
                "ready".into()
            }
            Err(why) => {
                self.log(&PlayerEvent::GivenUp { match_id, reason: why.to_string() });
                self.forget(&game);
                "aborted".into()
            }
        }
    }

    /// Whether nearly all matches that are over have left nothing behind.
    fn is_free(&self) -> bool {
        let end = Instant::now() + LEAVING;
        loop {
            let mut traces = self.traces.lock().expect("no panic while held");
            traces.retain(|trace| !trace.is_gone());
            if traces.len() <= LINGERING {
                return true;
            }
            drop(traces);
            if Instant::now() > end {
                self.log(&PlayerEvent::Busy);
                return false;
            }
            std::thread::sleep(LEAVING / 100);
        }
    }

    fn opening(&self, start: &Start, rules: String, memory: &Memory) -> Opening {
        // Chance is another one in every match.
        let mut chance = DefaultHasher::new();
        start.id.hash(&mut chance);
        let mut player = self.settings.player.clone();
        player.seed ^= chance.finish();
        Opening {
            rules: Box::new(move || read(rules)),
            known: None,
            role: start.role.clone(),
            player,
            grounding: memory.growth.clone(),
            memory: memory.clone(),
            memories: self.settings.memories.clone(),
        }
    }

    fn play(&self, id: &str, moves: Vec<String>, arrived: Instant) -> String {
        let Some(game) = self.find(id) else { return "busy".into() };
        let history = {
            let mut said = game.lock();
            said.bytes += moves.iter().map(String::len).sum::<usize>();
            if said.bytes > LONGEST_HISTORY {
                self.log(&PlayerEvent::TooLong { match_id: id.into() });
                return "nil".into();
            }
            if !moves.is_empty() {
                said.history.push(moves);
            }
            said.open += 1;
            said.history.clone()
        };
        let turn = history.len() + 1;
        let timed = self.clock(game.play_clock, arrived);
        let answer = game.seat.reply(history, &timed.clock);
        let mut said = game.lock();
        said.open -= 1;
        said.heard = Instant::now();
        drop(said);
        let seconds = arrived.elapsed().as_secs_f64();
        let none = || MoveGrounds { text: "no move is known".into(), ..MoveGrounds::default() };
        let grounds = answer.as_ref().map_or_else(none, |(_, grounds)| grounds.into());
        let chosen = answer.map_or_else(|| "nil".into(), |(text, _)| text);
        let lack = match (game.memory.whole.check(), game.memory.growth.check()) {
            (Err(stop), _) => Some(format!("{stop}: no search")),
            (_, Err(stop)) => Some(format!("{stop}: the search tree grows no more")),
            _ => None,
        };
        self.log(&PlayerEvent::Move {
            match_id: id.into(),
            turn,
            chosen: chosen.clone(),
            seconds,
            lack,
            grounds,
        });
        chosen
    }

    fn end(&self, id: &str, answer: &str) -> String {
        let Some(game) = self.find(id) else { return "busy".into() };
        self.log(&PlayerEvent::End { match_id: id.into(), answer: answer.into() });
        self.forget(&game);
        answer.into()
    }

    /// Ends a match whose server has fallen silent.
    pub fn forget_silent(&self) {
        let Some(game) = self.lock().clone() else { return };
        let said = game.lock();
        let silent = said.open == 0 && said.heard.elapsed() > game.patience;
        drop(said);
        if silent {
            self.log(&PlayerEvent::Forgotten { match_id: game.id.clone() });
            self.forget(&game);
        }
    }

    fn find(&self, id: &str) -> Option<Arc<Match>> {
        self.lock().clone().filter(|game| game.id.eq_ignore_ascii_case(id))
    }

    fn forget(&self, game: &Arc<Match>) {
        let mut current = self.lock();
        if current.as_ref().is_some_and(|c| Arc::ptr_eq(c, game)) {
            *current = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Match>>> {
        self.current.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn log(&self, event: &PlayerEvent) {
        (self.settings.log)(event);
    }

    /// A clock that runs since a moment. The answer has half of the margin for its way.
    fn clock(&self, seconds: f64, since: Instant) -> Timed {
        let whole = Duration::try_from_secs_f64(seconds).unwrap_or(YEAR).min(YEAR);
        // Short clocks would be all margin.
        let margin = self.settings.margin.min(whole / 4);
        let clock = Clock {
            seconds,
            think: self.settings.budget.part(),
            answer: self.settings.budget.fresh(),
        };
        let stop = |budget: &Budget, after: Duration| {
            let (budget, at) = (budget.clone(), (since + after).into());
            self.timer.spawn(async move {
                tokio::time::sleep_until(at).await;
                budget.stop(Stop::Time);
            })
        };
        let alarms = [
            stop(&clock.think, whole.saturating_sub(margin)),
            // Even a clock of 0 leaves a moment to find any legal move.
            stop(&clock.answer, whole.saturating_sub(margin / 2).max(MOMENT)),
        ];
        Timed { clock, alarms }
    }
}

const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
const MOMENT: Duration = Duration::from_millis(100);

/// What a match begins with, without the rules.
struct Start {
    id: String,
    role: String,
    start_clock: f64,
    play_clock: f64,
}

/// A clock with the alarms that end it, which are taken away with it.
struct Timed {
    clock: Clock,
    alarms: [JoinHandle<()>; 2],
}

impl Drop for Timed {
    fn drop(&mut self) {
        self.alarms.iter().for_each(JoinHandle::abort);
    }
}

impl Match {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Rules that break the specification are played as far as they can be.
fn read(text: String) -> Result<Rules, String> {
    let source = Source::new("match", text);
    let read = Rules::read_to_play(&source, Some(Syntax::Kif));
    read.map_err(|report| report.render(&source))
}
