//! The text of boards and projections.

use super::{Answer, Board, Kind, Verify};
use std::fmt;
use std::str::FromStr;

/// `{1,2}`.
pub fn set(arguments: &[usize]) -> String {
    let numbers: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
    format!("{{{}}}", numbers.join(","))
}

impl Kind {
    /// The stable name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Invariant => "invariant",
            Kind::Shared => "shared",
            Kind::Partial => "partial",
            Kind::Tokens => "tokens",
            Kind::Presence => "presence",
            Kind::Several => "several",
            Kind::Seen => "seen",
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "<{},{}>: {} places", self.relation, set(&self.places), self.size)?;
        if !self.contents.is_empty() {
            write!(f, ", contents {}", set(&self.contents))?;
        }
        if !self.single {
            write!(f, ", up to {} facts seen in one place", self.most_seen)?;
        }
        write!(f, "; {}", self.proof)?;
        if self.configuration { f.write_str("; a configuration game") } else { Ok(()) }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::Proved { k: 1 } => write!(f, "proved"),
            Answer::Proved { k } => write!(f, "proved by induction over {k} steps"),
            Answer::Visited { states } => {
                write!(f, "proved: all {states} reachable states have it")
            }
            Answer::NotInitial { value } => {
                write!(f, "refuted: the initial state has nothing for {value}")
            }
            Answer::Refuted { moves } => write!(f, "refuted after {} moves", moves.len()),
            Answer::Undecided { steps, states } => {
                write!(
                    f,
                    "unknown: tried induction over {steps} steps and the first {states} states"
                )
            }
            Answer::Unknown => write!(f, "not verified"),
        }
    }
}

impl FromStr for Verify {
    type Err = String;

    fn from_str(name: &str) -> Result<Verify, String> {
        match name {
            "literal" => Ok(Verify::Literal),
            "exact" => Ok(Verify::Exact),
            "lemmas" => Ok(Verify::Lemmas),
            _ => Err(format!("there is no way to verify called {name}")),
        }
    }
}

impl fmt::Display for Verify {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verify::Literal => "literal",
            Verify::Exact => "exact",
            Verify::Lemmas => "lemmas",
        })
    }
}
