//! What `pieces` answers: what stands on the boards of a game and what it does.

use crate::account::{Account, Meter, answers};
use crate::fault::{Fault, Unanswered};
use ludex::Game;
use ludex_gdl::budget::Budget;
use ludex_picture::StaticRelations;
use ludex_pieces::{PieceBoard, SeenPieces};
use ludex_reason::interp::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The pieces of a game, how they move, capture and change. All of it is seen, not proved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pieces {
    pub game: String,
    pub boards: Vec<PieceBoard>,
    /// States all of whose moves were made.
    pub states: usize,
    /// Those moves.
    pub moves: usize,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Pieces);

impl Pieces {
    /// Boards may be looked for so many seconds.
    pub fn of(game: &Game, seconds: f64, budget: &Budget) -> Result<Pieces, Unanswered> {
        let meter = Meter::new(game, budget);
        let knowledge = game.knowledge();
        let looking = budget.lasting(seconds);
        let known = knowledge.invariants_in(budget, seconds / 2.0, &mut |_| ())?;
        let views = knowledge.boards(&looking, seconds / 2.0, &mut |_| ());
        let views = views.map_err(|problem| match problem {
            Problem::Stopped(stop) => Unanswered::from(stop),
            problem => Fault::new("rules-cannot-run", problem.to_string()).into(),
        })?;
        let statics = StaticRelations::new(game.rules(), budget);
        let mut batch = (*knowledge.batch(budget)?).clone();
        let listed = views.views();
        let boards = (&listed[..], &statics);
        let watching = budget.lasting(seconds);
        let found = SeenPieces::new(&mut batch, &known.samples, boards, &watching, budget)?;
        Ok(Pieces {
            game: game.name().into(),
            boards: found.boards,
            states: found.states,
            moves: found.moves,
            account: meter.account().cut_if(&["boards"], found.stopped),
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Pieces {
        Pieces { game: game.into(), account: Account::unknown(&["boards"]), ..Pieces::default() }
    }

    /// In a few words.
    pub fn summary(&self) -> String {
        let pieces = || self.boards.iter().flat_map(|board| &board.pieces);
        let parts = [
            (pieces().filter(|p| !p.moves.is_empty() || p.leaps > 0).count(), "can move"),
            (pieces().filter(|p| !p.takes.is_empty()).count(), "can capture"),
            (pieces().filter(|p| p.set.is_some()).count(), "can be set"),
            (pieces().filter(|p| !p.becomes.is_empty()).count(), "can turn into others"),
        ];
        let told = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        let told: Vec<String> = told.collect();
        let kinds = match pieces().count() {
            0 => "no pieces".to_string(),
            1 => "1 kind of piece".to_string(),
            n => format!("{n} kinds of pieces"),
        };
        if told.is_empty() { kinds } else { format!("{kinds}: {}", told.join(", ")) }
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.account.stopped.is_empty() && self.boards.is_empty() {
            return writeln!(f, "{}: pieces stopped", self.game);
        }
        writeln!(f, "{}: {}", self.game, self.summary())?;
        self.boards.iter().try_for_each(|board| write!(f, "{board}"))?;
        if self.boards.is_empty() {
            return Ok(());
        }
        let (moves, states) = (self.moves, self.states);
        writeln!(f, "seen, not proved: {moves} moves in {states} states of random matches")
    }
}
