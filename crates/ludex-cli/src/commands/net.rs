//! `ludex net`: the propositional network of a game.

use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::NetSize;
use std::io::Write;

/// Show the propositional network of a game: propositions, gates, depth, recursion.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex net tictactoe
  ludex net --json *.kif
  ludex net tictactoe --dot | dot -Tsvg > net.svg")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the network in the language of Graphviz.
    #[arg(long)]
    dot: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, NetSize::unknown, |game| {
        let budget = session.budget();
        let start = budget.seconds();
        let game = session.load(game)?;
        let read = budget.seconds() - start;
        let hold = &mut |size| session.hold(size);
        let (size, net) = NetSize::of(&game, read, &budget, hold)?;
        match args.dot {
            true => Ok(write!(session.out(), "{}", net.dot())?),
            false => session.give(size),
        }
    })
}
