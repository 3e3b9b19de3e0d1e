//! `Referee`: asks players for moves until a match is over, as a game server does -> `Record`.
//!
//! All roles are asked at the same time. Who is late, cannot be reached or answers with an illegal
//! move gets a random legal one, and the record says so.

use super::{Clock, Record, Seated};
use crate::budget::Stop;
use crate::compile::Job;
use crate::game::{Game, Move, Random, View, find_move, view};
use std::fmt;

/// Why a player has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    TimeOut,
    /// The connection failed.
    Connection(String),
    /// A person left the match.
    Left,
}

/// Someone who plays a role. `moves` are the joint move of the turn before; none at the first turn.
pub trait Player: Send {
    fn start(&mut self, clock: &Clock) -> Result<(), Fault>;
    fn play(&mut self, turn: &View, moves: &[String], clock: &Clock) -> Result<String, Fault>;
    /// The match is over, after these moves; or it was given up.
    fn stop(&mut self, moves: &[String], completed: bool);
}

/// What the referee needs of the world.
pub trait Host: Sync {
    fn clock(&self, seconds: f64) -> Clock;
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
    fn check(&self) -> Result<(), Stop>;
    /// A joint move has been made, the last one of the record.
    fn turn(&self, record: &Record);
}

/// A match to be played. The record says who sits where and holds the clocks.
pub struct Referee<'a> {
    pub host: &'a dyn Host,
    pub record: Record,
    /// One per role; none: the referee plays it at random itself.
    pub players: Vec<Option<Box<dyn Player + 'a>>>,
    pub seed: u64,
    /// A match that has not ended after so many joint moves is aborted.
    pub bound: usize,
}

impl Job for Referee<'_> {
    type Answer = Record;

    fn run<G: Game>(mut self, game: &mut G) -> Record {
        let mut random = Random::new(self.seed);
        let mut state = game.initial();
        self.record.start_time = self.host.now();
        self.start();
        let mut seen = view(game, &state);
        self.note(&seen);
        while !seen.terminal {
            if let Some(why) = self.obstacle(&seen) {
                return self.end(&seen, Some(why));
            }
            let (joint, left) = self.turn(&seen, &mut random);
            if left || self.host.check().is_err() {
                return self.end(&seen, Some("the match was left".into()));
            }
            let texts = joint.iter().enumerate().map(|(role, m)| game.move_text(role, *m));
            self.record.moves.push(texts.collect());
            state = game.next(&state, &joint);
            seen = view(game, &state);
            self.note(&seen);
            self.host.turn(&self.record);
        }
        self.end(&seen, None)
    }
}

impl Referee<'_> {
    fn note(&mut self, seen: &View) {
        self.record.states.push(seen.facts.clone());
        self.record.state_times.push(self.host.now());
    }

    /// Why the match cannot go on.
    fn obstacle(&self, seen: &View) -> Option<String> {
        if let Err(stop) = self.host.check() {
            return Some(stop.to_string());
        }
        if self.record.moves.len() >= self.bound {
            return Some(format!("it is not over after {} moves", self.bound));
        }
        let stuck = seen.legal.iter().position(Vec::is_empty)?;
        Some(format!("{} has no legal move", seen.roles[stuck]))
    }

    fn start(&mut self) {
        let clock = self.host.clock(self.record.start_clock);
        let answers = ask_all(&mut self.players, |player| player.start(&clock));
        let errors = answers.iter().map(|a| match a {
            Some(Err(fault)) => fault.to_string(),
            _ => String::new(),
        });
        self.record.errors_at_start = errors.collect();
    }

    /// The moves of all roles, and whether a person has left.
    fn turn(&mut self, seen: &View, random: &mut Random) -> (Vec<Move>, bool) {
        let clock = self.host.clock(self.record.play_clock);
        let none = Vec::new();
        let last = self.record.moves.last().unwrap_or(&none);
        let answers = ask_all(&mut self.players, |player| player.play(seen, last, &clock));
        let left = answers.iter().any(|a| *a == Some(Err(Fault::Left)));
        let mut errors = Vec::new();
        let mut joint = Vec::new();
        for (answer, legal) in answers.iter().zip(&seen.legal) {
            // Drawn for every role, so that chance does not depend on who answers.
            let any = legal[random.below(legal.len())].0;
            let (m, error) = match answer {
                None => (any, String::new()),
                Some(Err(fault)) => (any, fault.to_string()),
                Some(Ok(text)) => match find_move(legal, text) {
                    Some(m) => (m, String::new()),
                    None => (any, format!("IL {text}")),
                },
            };
            joint.push(m);
            errors.push(error);
        }
        if !left {
            self.record.errors.push(errors);
        }
        (joint, left)
    }

    fn end(mut self, seen: &View, aborted: Option<String>) -> Record {
        self.record.completed = seen.terminal;
        self.record.aborted = aborted;
        if seen.terminal {
            self.record.goals = seen.goals.clone();
        }
        let (none, completed) = (Vec::new(), self.record.completed);
        let last = self.record.moves.last().unwrap_or(&none);
        ask_all(&mut self.players, |player| player.stop(last, completed));
        self.record
    }
}

/// Asks all players at the same time. A player that panics cannot be reached.
fn ask_all<'a, T: Send + FromPanic>(
    players: &mut [Option<Box<dyn Player + 'a>>],
    ask: impl Fn(&mut (dyn Player + 'a)) -> T + Sync,
) -> Vec<Option<T>> {
    std::thread::scope(|scope| {
        let ask = &ask;
        let asked: Vec<_> = players
            .iter_mut()
            .map(|player| player.as_mut().map(|p| scope.spawn(move || ask(p.as_mut()))))
            .collect();
        let answer = |thread: std::thread::ScopedJoinHandle<T>| {
            thread.join().unwrap_or_else(|_| T::from_panic())
        };
        asked.into_iter().map(|thread| thread.map(answer)).collect()
    })
}

/// What is said of a player that panicked.
trait FromPanic {
    fn from_panic() -> Self;
}

impl FromPanic for () {
    fn from_panic() {}
}

impl<T> FromPanic for Result<T, Fault> {
    fn from_panic() -> Self {
        Err(Fault::Connection("the player panicked".into()))
    }
}

impl fmt::Display for Fault {
    /// As records have it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Fault::TimeOut => "TO",
            Fault::Connection(_) => "CE",
            Fault::Left => "left",
        })
    }
}

impl Seated {
    pub fn new(role: String, player: String, human: bool) -> Seated {
        Seated { role, player, human }
    }
}
