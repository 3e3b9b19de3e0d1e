//! `Rules` -> `Instances`: everything that the rules can ever derive, found by semi-naive joins.
//!
//! Derivable is meant relaxed: negation of what changes is dropped, `true` comes from `init` and
//! `next`, `does` from `legal`. The atoms contain every atom that is ever true in a match; the
//! instances are all ground rules with derivable positive conditions.
//!
//! Joins are indexed, over tuples found by packed keys (`table.rs`). Rules are split along their
//! variables, large fixed relations unfolded into the rules that join them, heavy relations found on
//! demand (`demand.rs`, `asked.rs`), arguments that say nothing left out (`free.rs`), choices among
//! many made in blocks (`cover.rs`), and fixed relations that cannot be listed are decision diagrams
//! (`constraints.rs`). Where nothing bounds the
//! terms that states are made of (`growth.rs`), grounding is given up after a few thousand atoms.

mod asked;
mod constraints;
mod cover;
mod demand;
mod diagrams;
mod eval;
mod free;
mod growth;
mod plan;
mod program;
mod split;
mod store;
mod table;
mod unfold;

pub use eval::{Instances, Rows};
pub use growth::is_endless;

use ludex_gdl::budget::Stop;
use std::fmt;

/// A condition of a ground rule: an atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    pub fn new(atom: u32, negated: bool) -> GroundLiteral {
        GroundLiteral(atom << 1 | negated as u32)
    }

    pub fn atom(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Why the instances could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotGround {
    Stopped(Stop),
    /// A variable that no positive condition binds.
    Unsafe {
        rule: String,
        variable: String,
    },
    /// More instances than a network could use.
    TooLarge,
    /// Nothing in the rules bounds the terms that states and moves are made of, and there is no end of them in sight.
    Endless,
}

impl std::error::Error for NotGround {}

impl NotGround {
    /// The stop of work on a game that has a net, so that nothing but a stop can come in between.
    pub fn stop(self) -> Stop {
        match self {
            NotGround::Stopped(stop) => stop,
            other => unreachable!("the game has a net: {other:?}"),
        }
    }
}

impl From<Stop> for NotGround {
    fn from(stop: Stop) -> NotGround {
        NotGround::Stopped(stop)
    }
}

impl fmt::Display for NotGround {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotGround::Stopped(stop) => stop.fmt(f),
            NotGround::TooLarge => f.write_str("stopped: the rules have too many ground instances"),
            NotGround::Endless => {
                f.write_str("stopped: terms grow from state to state without a bound")
            }
            NotGround::Unsafe { rule, variable } => {
                write!(f, "no positive condition binds ?{variable} in {rule}")
            }
        }
    }
}
