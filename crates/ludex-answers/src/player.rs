//! What `player` tells: where it listens, and then what happens.

use crate::account::{Account, answers};
use ludex::play::AnswerGrounds;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a player listens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerAddress {
    pub name: String,
    pub address: String,
    pub port: u16,
    #[serde(flatten)]
    pub account: Account,
}

/// What happens to a player: a line of its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum PlayerEvent {
    /// A match begins.
    Start { match_id: String, role: String, start_clock: f64, play_clock: f64 },
    /// All is prepared. How busy the start clock was: CPU seconds beside those of the clock.
    Ready { match_id: String, seconds: f64, cpu_seconds: f64 },
    /// There is nobody who can play.
    GivenUp { match_id: String, reason: String },
    /// A move is made.
    Move {
        match_id: String,
        turn: usize,
        #[serde(rename = "move")]
        chosen: String,
        seconds: f64,
        /// What there is no memory for.
        lack: Option<String>,
        #[serde(flatten)]
        grounds: MoveGrounds,
    },
    /// No move is made, since the moves of the match are too long.
    TooLong { match_id: String },
    /// The server ends the match.
    End { match_id: String, answer: String },
    /// The server has been silent for too long.
    Forgotten { match_id: String },
    /// No match begins while those before are still at work.
    Busy,
}

/// What a move rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveGrounds {
    /// There was no other legal move.
    pub only: bool,
    /// The visits of the move in matches before, where it was chosen there.
    pub remembered: Option<u64>,
    /// The length of the line that the solver found.
    pub solved: Option<usize>,
    /// The goal that is certain, or else the one that the search expects.
    pub value: Option<f64>,
    pub proved: bool,
    pub visits: u64,
    /// The moves of the line that the search expects.
    pub depth: usize,
    /// What tells the worth of new states: playouts, decisive, single or evaluation.
    pub way: Option<String>,
    /// The positions that the evaluation was learned from.
    pub learned_from: Option<u64>,
    /// The factors that were searched apart; 0: the game was searched as a whole.
    pub factors: usize,
    /// In a line.
    pub text: String,
}

answers!(PlayerAddress);

impl From<&AnswerGrounds> for MoveGrounds {
    fn from(grounds: &AnswerGrounds) -> MoveGrounds {
        let search = grounds.search.as_ref();
        let certain = grounds.solved.and_then(|(_, goal)| goal).map(f64::from);
        MoveGrounds {
            only: grounds.only,
            remembered: grounds.remembered,
            solved: grounds.solved.map(|(moves, _)| moves),
            value: certain.or(search.map(|search| search.value)),
            proved: certain.is_some() || search.is_some_and(|search| search.proved),
            visits: search.map_or(0, |search| search.visits),
            depth: search.map_or(0, |search| search.depth),
            way: search.map(|search| search.way.to_string()),
            learned_from: search.and_then(|search| search.learned_from),
            factors: search.map_or(0, |search| search.factors),
            text: grounds.to_string(),
        }
    }
}

impl fmt::Display for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} listens on {}", self.name, self.address)
    }
}

impl fmt::Display for PlayerEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use PlayerEvent::*;
        match self {
            Start { match_id, role, start_clock, play_clock } => {
                writeln!(f, "{match_id}: start as {role}, clocks {start_clock} {play_clock}")
            }
            Ready { match_id, seconds, cpu_seconds } => {
                writeln!(f, "{match_id}: ready after {seconds:.2} s, {cpu_seconds:.2} CPU s")
            }
            GivenUp { match_id, reason } => {
                writeln!(f, "{match_id}: the match is given up: {reason}")
            }
            Move { match_id, turn, chosen, seconds, lack, grounds } => {
                write!(f, "{match_id}: turn {turn}, {chosen} after {seconds:.2} s")?;
                lack.as_ref().map_or(Ok(()), |lack| write!(f, " ({lack})"))?;
                writeln!(f, ": {}", grounds.text)
            }
            TooLong { match_id } => {
                writeln!(f, "{match_id}: no answer, since its moves are too long")
            }
            End { match_id, answer } => writeln!(f, "{match_id}: {answer}"),
            Forgotten { match_id } => writeln!(f, "{match_id}: forgotten, nothing was heard of it"),
            Busy => writeln!(f, "no match begins: those before it are still at work"),
        }
    }
}
