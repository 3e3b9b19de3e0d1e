//! `ludex latches`: facts and views that keep their value, and the net from a state on.

use crate::moves;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::{Latches, LatchesAt};
use std::io::Write;

/// Find facts that stay true once they are true, or false once they are false.
#[derive(clap::Args)]
#[command(after_help = "\
A latch is proved, by the structure of the net or by induction. Facts that are always true are listed \
as positive, facts that never become true as negative. With --moves the facts and goals are shown \
that have their final value in a position, and the net without them is played beside the whole net.

Examples:
  ludex latches tictactoe
  ludex latches tictactoe --moves match.txt
  ludex latches --table *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Look at the position after these joint moves: a file as for `ludex replay`, or joint moves
    /// separated by semicolons.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Print a table, one line for each game.
    #[arg(long, conflicts_with = "moves")]
    table: bool,
}

/// What tells the answer from others about the game.
pub const QUESTION: &str = "latches";

pub fn run(args: &Args, session: &Session) -> Outcome {
    let table = args.table && !session.json;
    if table {
        writeln!(session.out(), "{}", Latches::HEADER)?;
    }
    session.answer_each(&args.games, SOON, Latches::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        if let Some(file) = &args.moves {
            let net = session.net(&game)?;
            let state = moves::after(&net, file)?;
            let make = || LatchesAt::of(&game, &net, &state, (&budget, session.share()));
            return session.give(session.kept(&game, &format!("latches {state:?}"), make)?);
        }
        let make = || Latches::of(&game, &budget, session.share());
        let found = session.kept(&game, QUESTION, make)?;
        match table {
            true => session.give_as(found, |found| format!("{}\n", found.row())),
            false => session.give(found),
        }
    })
}
