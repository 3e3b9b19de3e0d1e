//! `ludex simulate`: random matches and what they tell of a game.

use crate::engine::EngineArg;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex_answers::{MatchPlan, RandomMatches};

/// Play random matches: average length, number of legal moves, goals.
#[derive(clap::Args)]
#[command(after_help = "\
If a limit stops the matches, the figures of those that were played are printed.

Examples:
  ludex simulate tictactoe --matches 1000 --seed 1
  ludex simulate tictactoe --matches 100000 --time-limit 10 --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The number of matches.
    #[arg(long, short = 'n', default_value_t = 100)]
    matches: u64,
    /// The same seed gives the same matches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End a match after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000)]
    bound: usize,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let plan = MatchPlan { matches: args.matches, seed: args.seed, bound: args.bound };
    session.answer_each(&args.games, LONG, RandomMatches::unknown, |game| {
        let (game, grant) = (session.load(game)?, session.grant());
        session.give(RandomMatches::of(&game, args.engine.wish(), grant.means(), plan)?)
    })
}
