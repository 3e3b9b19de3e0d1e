//! The text of boards and projections.

use super::{Board, BoardKind, ProjectionVerdict, Verify};
use ludex_gdl::source::Misread;
use std::fmt;
use std::str::FromStr;

/// `{1,2}`.
pub fn set(arguments: &[usize]) -> String {
    let numbers: Vec<String> = arguments.iter().map(|a| a.to_string()).collect();
    format!("{{{}}}", numbers.join(","))
}

impl BoardKind {
    /// The stable name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            BoardKind::Invariant => "invariant",
            BoardKind::Shared => "shared",
            BoardKind::Partial => "partial",
            BoardKind::Tokens => "tokens",
            BoardKind::Presence => "presence",
            BoardKind::Several => "several",
            BoardKind::Seen => "seen",
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

impl fmt::Display for ProjectionVerdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ProjectionVerdict::Proved { k: 1 } => write!(f, "proved"),
            ProjectionVerdict::Proved { k } => write!(f, "proved by induction over {k} steps"),
            ProjectionVerdict::Visited { states } => {
                write!(f, "proved: all {states} reachable states have it")
            }
            ProjectionVerdict::NotInitial { value } => {
                write!(f, "refuted: the initial state has nothing for {value}")
            }
            ProjectionVerdict::Refuted { moves } => {
                write!(f, "refuted after {} moves", moves.len())
            }
            ProjectionVerdict::Undecided { steps, states } => {
                write!(
                    f,
                    "unknown: tried induction over {steps} steps and the first {states} states"
                )
            }
            ProjectionVerdict::Unknown => write!(f, "not verified"),
        }
    }
}

impl FromStr for Verify {
    type Err = Misread;

    fn from_str(name: &str) -> Result<Verify, Misread> {
        match name {
            "literal" => Ok(Verify::Literal),
            "exact" => Ok(Verify::Exact),
            "lemmas" => Ok(Verify::Lemmas),
            _ => Err(Misread(format!("{name} is not a way to verify: literal, exact or lemmas"))),
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
