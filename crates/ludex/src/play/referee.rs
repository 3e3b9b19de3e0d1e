//! `Referee`: asks players for moves until a match is over, as a game server does -> `Record`.
//!
//! All roles are asked at the same time. Who is late, cannot be reached or answers with an illegal
//! move gets a random legal one, and the record says so.
//!
//! It leads a match as the standard game server does: it asks all roles at the same time, plays a
//! random legal move for who is late, broken or illegal, and writes that down. Moves go between
//! players as text, as in the protocol, so that players in this program and elsewhere are treated
//! alike.

use super::{Clock, Record};
use crate::compile::Job;
use ludex_gdl::budget::Stop;
use ludex_reason::{Move, Random, Role, StateMachine, View, find_move, view};
use std::fmt;

/// Why a player has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveFault {
    /// There was no answer in time.
    TimeOut,
    /// The connection failed.
    Connection(String),
    /// A person left the match.
    Left,
    /// A person takes the last move back.
    Back,
}

/// Someone who plays a role. A history is the joint moves so far.
pub trait Player: Send {
    /// The match begins; a player may prepare until the clock ends.
    fn start(&mut self, clock: &Clock) -> Result<(), MoveFault>;
    /// The move in this state.
    fn play(
        &mut self,
        seen: &View,
        history: &[Vec<String>],
        clock: &Clock,
    ) -> Result<String, MoveFault>;
    /// The match is over, or it was given up.
    fn stop(&mut self, history: &[Vec<String>], completed: bool);
}

/// What the referee needs of the world.
pub trait RefereeHost: Sync {
    /// A clock that ends in so many seconds.
    fn clock(&self, seconds: f64) -> Clock;
    /// Milliseconds since 1970.
    fn now(&self) -> u64;
    /// Should the match go on?
    fn check(&self) -> Result<(), Stop>;
    /// A joint move has been made, the last one of the record.
    fn turn(&self, record: &Record);
}

/// A match to be played. The record says who sits where and holds the clocks.
pub struct Referee<'a> {
    /// Who knows the time and is told how it goes.
    pub host: &'a dyn RefereeHost,
    /// The match so far.
    pub record: Record,
    /// One per role; none: the referee plays it at random itself.
    pub players: Vec<Option<Box<dyn Player + 'a>>>,
    /// Decides what is left to chance.
    pub seed: u64,
    /// A match that has not ended after so many joint moves is aborted.
    pub bound: usize,
}

impl Job for Referee<'_> {
    type Answer = Record;

    fn run<G: StateMachine>(mut self, game: &mut G) -> Record {
        let mut random = Random::new(self.seed);
        self.record.start_time = self.host.now();
        self.start();
        // The states so far; the last one is the present.
        let mut states = vec![game.initial()];
        let mut moved = false;
        loop {
            let state = states.last().expect("the initial state stays");
            let seen = view(game, state);
            self.note(&seen);
            if moved {
                self.host.turn(&self.record);
            }
            if seen.terminal {
                return self.end(&seen, None);
            }
            if let Some(why) = self.obstacle(&seen) {
                return self.end(&seen, Some(why));
            }
            let turn = self.turn(&seen, &mut random);
            moved = matches!(turn, Turn::Joint(_));
            match turn {
                Turn::Joint(joint) => {
                    let texts = joint.iter().enumerate().map(|(r, m)| game.move_text(r, *m));
                    self.record.moves.push(texts.collect());
                    states.push(game.next(state, &joint));
                }
                Turn::Back(role) => {
                    let kept = last_choice(game, &states, role);
                    states.truncate(kept + 1);
                    self.forget(kept);
                }
                Turn::Left => return self.end(&seen, Some("the match was left".into())),
            }
        }
    }
}

enum Turn {
    Joint(Vec<Move>),
    Back(Role),
    Left,
}

/// The last state before the present one in which a role had a choice; else the initial one.
fn last_choice<G: StateMachine>(game: &mut G, states: &[G::State], role: Role) -> usize {
    let before = states.len() - 1;
    let has_choice = |state: &G::State| {
        let mut legal = Vec::new();
        game.legal(state, role, &mut legal);
        legal.len() > 1
    };
    states[..before].iter().rposition(has_choice).unwrap_or(0)
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

    /// Takes back all but the first joint moves.
    fn forget(&mut self, kept: usize) {
        let record = &mut self.record;
        record.moves.truncate(kept);
        record.errors.truncate(kept);
        // The present state is noted again.
        record.states.truncate(kept);
        record.state_times.truncate(kept);
    }

    fn turn(&mut self, seen: &View, random: &mut Random) -> Turn {
        let clock = self.host.clock(self.record.play_clock);
        let history = &self.record.moves;
        let answers = ask_all(&mut self.players, |player| player.play(seen, history, &clock));
        if let Some(role) = answers.iter().position(|a| *a == Some(Err(MoveFault::Back))) {
            return Turn::Back(role);
        }
        if answers.contains(&Some(Err(MoveFault::Left))) || self.host.check().is_err() {
            return Turn::Left;
        }
        let each = answers.iter().zip(&seen.legal);
        let (joint, errors) = each.map(|(answer, legal)| judge(answer, legal, random)).unzip();
        self.record.errors.push(errors);
        Turn::Joint(joint)
    }

    fn end(mut self, seen: &View, aborted: Option<String>) -> Record {
        self.record.completed = seen.terminal;
        self.record.aborted = aborted;
        if seen.terminal {
            self.record.goals = seen.goals.clone();
        }
        let Record { moves, completed, .. } = &self.record;
        ask_all(&mut self.players, |player| player.stop(moves, *completed));
        self.record
    }
}

/// The move that counts, and what was wrong with the answer.
fn judge(
    answer: &Option<Result<String, MoveFault>>,
    legal: &[(Move, String)],
    random: &mut Random,
) -> (Move, String) {
    // Drawn for every role, so that chance does not depend on who answers.
    let any = legal[random.below(legal.len())].0;
    match answer {
        None => (any, String::new()),
        Some(Err(fault)) => (any, fault.to_string()),
        Some(Ok(text)) => match find_move(legal, text) {
            Some(m) => (m, String::new()),
            None => (any, format!("IL {text}")),
        },
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

impl<T> FromPanic for Result<T, MoveFault> {
    fn from_panic() -> Self {
        Err(MoveFault::Connection("the player panicked".into()))
    }
}

impl std::error::Error for MoveFault {}

impl fmt::Display for MoveFault {
    /// As records have it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            MoveFault::TimeOut => "TO",
            MoveFault::Connection(_) => "CE",
            MoveFault::Left => "left",
            MoveFault::Back => "back",
        })
    }
}
