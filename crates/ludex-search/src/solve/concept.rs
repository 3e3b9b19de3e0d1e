//! What the values of a solution mean, how they were found, and why there may be none.

use super::matrix::How;
use ludex_reason::Move;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The solution concept of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Concept {
    /// Nothing is known.
    #[default]
    None,
    /// The match is over.
    Over,
    /// The best goal of a single role.
    BestGoal,
    /// The best play of a single role against chance.
    BestPlay,
    /// Each role plays a game of its own.
    OwnGames,
    /// Two roles that want opposite things, proved.
    Minimax,
    /// What each role can force, where play without end has no value.
    Force,
    /// Subgame-perfect play: of what is equal for itself a role takes what gives the others together
    /// less, then the least in role order.
    SubgamePerfect,
}

/// A concept and what is peculiar to the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    pub concept: Concept,
    /// What the goals always add up to, if that is proved.
    pub sum: Option<i32>,
    /// The role random moves by chance, and values are means.
    pub by_chance: bool,
    /// How moves at the same time were decided.
    pub together: Vec<How>,
}

/// How values are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// No search was needed, or none begun.
    #[default]
    None,
    /// Factors searched separately.
    Factors,
    /// Breadth first.
    BreadthFirst,
    /// Breadth first, then best first.
    BestFirst,
    /// Breadth first, then best first, then depth first.
    DepthFirst,
    /// Iterative-deepening alpha-beta, one goal value at a time.
    AlphaBeta,
    /// Retrograde analysis of all states.
    Retrograde,
    /// Backward induction over all states.
    BackwardInduction,
}

/// Why there is no value, though no limit was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolvable {
    /// No match ever ends, so none has a goal.
    NoEnd,
    /// States can repeat, and the roles' interests are not opposed.
    Endless,
    /// After these joint moves roles choose at the same time, and there is no one value.
    Undecided { line: Vec<Vec<Move>> },
}

impl Meaning {
    pub fn of(concept: Concept) -> Meaning {
        Meaning { concept, ..Meaning::default() }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.concept, self.sum) {
            (Concept::None, _) => {}
            (Concept::Over, _) => write!(f, "the match is over")?,
            (Concept::BestGoal, _) => write!(f, "best goal of a single role")?,
            (Concept::BestPlay, _) => write!(f, "best play of a single role")?,
            (Concept::OwnGames, _) => write!(f, "each role plays a game of its own")?,
            (Concept::Minimax, Some(sum)) => {
                write!(f, "minimax (the goals always add up to {sum}, proved)")?
            }
            (Concept::Minimax, None) => write!(
                f,
                "minimax (what is better for one role is proved worse for the other; between equal \
                 outcomes a role prefers the one that gives the other less)"
            )?,
            (Concept::Force, _) => write!(
                f,
                "what each role can force; neither can force a better end, and endless play has no \
                 value"
            )?,
            (Concept::SubgamePerfect, _) => write!(
                f,
                "subgame-perfect play (between equal outcomes a role prefers the lowest total for \
                 the others, then the least in role order)"
            )?,
        }
        if self.by_chance {
            write!(
                f,
                "; the role random moves by chance, all its moves equally likely, and values are \
                 means"
            )?;
        }
        for how in &self.together {
            match how {
                How::Mixed => write!(
                    f,
                    "; moves at the same time: the value of the matrix game with mixed moves"
                )?,
                How::Dominance => write!(f, "; moves at the same time: iterated strict dominance")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Method::None => "none",
            Method::Factors => "factors searched separately",
            Method::BreadthFirst => "breadth first",
            Method::BestFirst => "breadth first, best first",
            Method::DepthFirst => "breadth first, best first, depth first",
            Method::AlphaBeta => "iterative-deepening alpha-beta, one goal value at a time",
            Method::Retrograde => "retrograde analysis of all states",
            Method::BackwardInduction => "backward induction over all states",
        })
    }
}
