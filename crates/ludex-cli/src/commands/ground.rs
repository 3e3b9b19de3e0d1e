//! `ludex ground`: the ground rules of a game.

use crate::session::SOON;
use crate::{Outcome, Session};
use ludex::answers::GroundSize;

/// Instantiate the rules of a game over all that is reachable, and simplify them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex ground tictactoe
  ludex ground blocksworld --print")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the ground rules.
    #[arg(long)]
    print: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, GroundSize::unknown, |game| {
        let game = session.load(game)?;
        session.give(GroundSize::of(&game, args.print, &session.budget())?)
    })
}
