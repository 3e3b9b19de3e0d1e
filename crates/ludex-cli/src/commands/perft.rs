//! `ludex perft`: how many joint-move paths of every length there are.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex_answers::PathCounts;

/// Count the paths of joint moves by their length, and those that end the match.
#[derive(clap::Args)]
#[command(after_help = "\
Two paths that lead to the same state count as two; the column states tells how many different \
states they lead to. If a limit stops the count, the depths that are done are printed.

Examples:
  ludex perft tictactoe --depth 9
  ludex perft tictactoe --depth 4 --past-terminal --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The greatest length of a path.
    #[arg(long, short, default_value_t = 4)]
    depth: usize,
    /// Go on through terminal states, as long as every role has a legal move.
    #[arg(long)]
    past_terminal: bool,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, LONG, PathCounts::unknown, |game| {
        let (game, grant) = (session.load(game)?, session.grant());
        let Args { depth, past_terminal, .. } = args;
        let wish = args.engine.wish();
        let counts = PathCounts::of(&game, wish, grant.means(), *depth, *past_terminal)?;
        let overflow = counts.overflow;
        session.give(counts)?;
        match overflow {
            false => Ok(()),
            true => Err(Failure::input(
                "too-many-paths",
                "the next depth has more paths than fit in 64 bits; give a smaller --depth",
            )),
        }
    })
}
