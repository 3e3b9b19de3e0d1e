//! `ludex pieces`: what stands on the boards of a game and what it does.

use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::Pieces;

/// Tell what the pieces of a game do: how they move, capture and turn into others.
#[derive(clap::Args)]
#[command(after_help = "\
The boards are those of ludex boards; all legal moves are made in states of random matches, and what they \
have in common is told. It is seen, not proved: a move that was legal only at times says (not always).

Examples:
  ludex pieces breakthrough-small
  ludex pieces tictactoe --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, Pieces::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        let make = || Pieces::of(&game, session.share(), &budget);
        session.give(session.kept(&game, "pieces", make)?)
    })
}
