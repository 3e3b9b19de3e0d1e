//! `ludex info`: what the rules of a game consist of.

use crate::engine::EngineArg;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::GameInfo;

/// Show what a game consists of: roles, relations, functions, initial state, size.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex info tictactoe
  ludex info --json *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    // Several games are set apart.
    let end = if args.games.len() > 1 { "\n" } else { "" };
    session.answer_each(&args.games, SOON, GameInfo::unknown, |game| {
        let (game, grant) = (session.load(game)?, session.grant());
        let hold = &mut |info| session.hold_as(info, move |info| format!("{info}{end}"));
        let info = GameInfo::of(&game, args.engine.wish(), grant.means(), hold)?;
        session.give_as(info, move |info| format!("{info}{end}"))
    })
}
