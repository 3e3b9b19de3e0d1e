//! `Tie`: what makes one game of facts that could have been several.

use super::aims;
use ludex_net::{Lit, Net};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why blocks are united.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// A goal, or the end, reads facts of both.
    Goal(Lit),
    /// What a move does to one depends on the other, or it changes both.
    Effect(usize),
    /// Whether a move is legal depends on both, or on one while it changes the other.
    Legality(usize),
    /// Parts in which there is nothing to choose are no games.
    Idle,
}

/// The last of every kind that has united anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reasons {
    goal: Option<Lit>,
    effect: Option<usize>,
    legality: Option<usize>,
    idle: bool,
}

impl Reasons {
    pub fn note(&mut self, reason: Reason) {
        match reason {
            Reason::Goal(lit) => self.goal = Some(lit),
            Reason::Effect(input) => self.effect = Some(input),
            Reason::Legality(input) => self.legality = Some(input),
            Reason::Idle => self.idle = true,
        }
    }

    pub fn told(&self, net: &Net) -> Tie {
        let name = |input: usize| net.inputs[input].name.clone();
        let idle = self.idle.then(|| "parts without choices of their own".into());
        Tie {
            goal: self.goal.map(|lit| aims::name(net, lit)),
            effect: self.effect.map(name),
            legality: self.legality.map(name),
            other: idle,
        }
    }
}

/// What ties a game together that does not fall apart: each part of it has united facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tie {
    /// A goal, or the end of the game.
    pub goal: Option<String>,
    /// A move by what it does.
    pub effect: Option<String>,
    /// A move by when it is legal.
    pub legality: Option<String>,
    /// Anything else, in words.
    pub other: Option<String>,
}

impl Tie {
    pub fn other(why: String) -> Tie {
        Tie { other: Some(why), ..Tie::default() }
    }

    /// Are there goals among the reasons, and others, too?
    pub(crate) fn is_mixed(&self) -> bool {
        self.goal.is_some() && *self != Tie { goal: self.goal.clone(), ..Tie::default() }
    }
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let moves = match (&self.effect, &self.legality) {
            (Some(effect), None) => Some(format!("what moves do, such as {effect}")),
            (None, Some(move_)) => Some(format!("when moves are legal, such as {move_}")),
            (Some(_), Some(move_)) => {
                Some(format!("what moves do and when they are legal, such as {move_}"))
            }
            (None, None) => None,
        };
        let parts = [self.goal.clone(), moves, self.other.clone()];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", and "))
    }
}
