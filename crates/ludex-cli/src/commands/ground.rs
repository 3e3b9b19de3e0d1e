//! `ludex ground`: the ground rules of a game.

use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::{GroundSize, RuleInstances};

/// Instantiate the rules over everything reachable, and simplify them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex ground tictactoe
  ludex ground blocksworld --print
  ludex ground blocksworld --by-rule
  ludex ground tictactoe --print | ludex perft - --depth 3

The ground rules are a game themselves.")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the ground rules.
    #[arg(long)]
    print: bool,
    /// Print how many instances every rule has: by the domains of its variables, without those that
    /// distinct rules out, and after the reduction of the domains.
    #[arg(long, conflicts_with = "print")]
    by_rule: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, GroundSize::unknown, |game| {
        if args.by_rule {
            return session.give(RuleInstances::of(&session.load_part(game)?, &session.budget())?);
        }
        let game = session.load(game)?;
        session.give(GroundSize::of(&game, args.print, &session.budget())?)
    })
}
