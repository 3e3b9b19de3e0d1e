//! What `draw` answers: a picture of a state, or of all states of a match.

use crate::account::{Account, answers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A picture of states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drawing {
    pub game: String,
    /// The number of states in the picture.
    pub states: Option<usize>,
    /// What the boards are drawn from.
    pub boards: Vec<String>,
    /// Was a board found? Else it is a table of facts.
    pub has_board: Option<bool>,
    /// The file that it is in.
    pub file: Option<String>,
    /// The picture itself, where it is in no file.
    pub drawing: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Drawing);

impl Drawing {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Drawing {
        let account = Account::unknown(&["states", "boards", "has_board", "file", "drawing"]);
        Drawing { game: game.into(), account, ..Drawing::default() }
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(file) = &self.file else {
            return f.write_str(self.drawing.as_deref().unwrap_or(""));
        };
        let states = match self.states.unwrap_or(0) {
            1 => "one state".into(),
            number => format!("{number} states"),
        };
        writeln!(f, "{file}: {}, {states} drawn", self.game)?;
        self.boards.iter().try_for_each(|source| writeln!(f, "  {source}"))?;
        match self.has_board {
            Some(false) => writeln!(f, "  no board was found: a table of facts"),
            _ => Ok(()),
        }
    }
}
