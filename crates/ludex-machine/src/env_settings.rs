//! `EnvSettings`: how environments behave, what goes into a step of them, and what comes out.

use std::fmt;

/// How environments behave and what they show.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvSettings {
    /// The columns of an observation: numbers of bases, or `NOTHING`.
    pub columns: Vec<u32>,
    pub observation: RowForm,
    pub mask: RowForm,
    pub mask_of: MaskOf,
    /// Every player is asked for a move in every step, not only the one to move.
    pub at_once: bool,
    pub autoreset: Autoreset,
    pub illegal: Illegal,
    /// What goals of 0 and of 100 are worth.
    pub reward: (f32, f32),
    /// Matches are cut off after so many steps.
    pub max_steps: Option<u32>,
}

impl EnvSettings {
    /// A column that is always 0.
    pub const NOTHING: u32 = u32::MAX;
}

/// When a match that is over begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, whose move is not looked at.
    Next,
    /// In the step that ends it.
    Same,
    /// When the caller says so; until then it stays as it is.
    Off,
}

/// The moves of a step.
#[derive(Clone, Copy, Debug)]
pub enum EnvMoves<'a> {
    /// Every role draws one of its legal moves, all equally likely.
    Drawn,
    /// Numbers of moves: one for each environment, or one for each player of each.
    Given(&'a [i32]),
}

/// How moves are chosen inside.
#[derive(Clone, Copy, Debug)]
pub enum EnvPolicy<'a> {
    /// All legal moves are equally likely.
    Random,
    Scored(EnvScores<'a>),
}

/// Scores: one for each action, or for each environment and action.
#[derive(Clone, Copy, Debug)]
pub struct EnvScores<'a> {
    pub scores: &'a [f32],
    /// The legal move of the highest score is made, but with this chance any; without it moves are as likely as the
    /// exponentials of their scores.
    pub epsilon: Option<f32>,
}

/// How a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// A byte for every column, 0 or 1.
    Bytes,
    /// Eight columns a byte, the first in the lowest bit.
    Packed,
}

impl RowForm {
    /// The bytes of a row.
    pub fn width(self, columns: usize) -> usize {
        match self {
            RowForm::Bytes => columns,
            RowForm::Packed => columns.div_ceil(8),
        }
    }
}

/// Whose legal moves a mask shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskOf {
    /// Those of the player to move.
    Mover,
    /// Those of every player, one row each.
    All,
}

/// What is written after a step, all rows one after the other. What has no room is not written.
#[derive(Default)]
pub struct EnvRows<'a> {
    pub observation: &'a mut [u8],
    /// The last observations of matches that ended, where they begin anew in the same step.
    pub last: &'a mut [u8],
    pub mask: &'a mut [u8],
    /// By player.
    pub reward: &'a mut [f32],
    pub terminated: &'a mut [u8],
    pub truncated: &'a mut [u8],
    /// The role that moves.
    pub player: &'a mut [u8],
    /// The inputs that were made, by player.
    pub made: &'a mut [i32],
}

impl EnvRows<'_> {
    /// The same memory, to be lent.
    pub(crate) fn lend(&mut self) -> EnvRows<'_> {
        EnvRows {
            observation: self.observation,
            last: self.last,
            mask: self.mask,
            reward: self.reward,
            terminated: self.terminated,
            truncated: self.truncated,
            player: self.player,
            made: self.made,
        }
    }
}

/// What becomes of a move that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// Nothing is done, and the caller is told.
    Error,
    /// The role has lost, as if its goal were 0 and that of all others 100.
    Loss,
}

/// A move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The number of the environment.
    pub environment: usize,
    pub role: String,
    /// The number of the move, and its text where it has one.
    pub action: i32,
    pub text: Option<String>,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let IllegalMove { environment, role, action, text } = self;
        match text {
            Some(text) => {
                write!(
                    f,
                    "environment {environment}: {text} (action {action}) is not legal for {role}"
                )
            }
            None => write!(f, "environment {environment}: {role} has no action {action}"),
        }
    }
}

impl std::error::Error for IllegalMove {}
