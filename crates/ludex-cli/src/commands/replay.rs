//! `ludex replay`: plays joint moves from a file and shows every state on the way.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex_answers::{MoveLine, StateSeen};

/// Play the joint moves of a file and show the facts, legal moves and goals.
#[derive(clap::Args)]
#[command(after_help = "\
The file has one joint move on a line: a move for each role, in the order of the roles, with tabs \
between them. Empty lines are skipped.

With --json each state is one object on a line. Facts and moves are then in canonical text (one \
S-expression, lower case, single spaces); a digest is the first 16 hexadecimal digits of the SHA-256 \
of the sorted lines.

Examples:
  ludex replay tictactoe --moves match.txt
  printf '(mark 2 2)\\tnoop\\n' | ludex replay tictactoe --moves - --json")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// The file with the joint moves, or - for standard input.
    #[arg(long, value_name = "FILE")]
    moves: String,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.game == "-" && args.moves == "-" {
        let why = "error: the rules and the moves cannot both come from standard input";
        return Err(Failure::Misuse(why.into()));
    }
    let lines = read_moves(&args.moves)?;
    session.answer_each(std::slice::from_ref(&args.game), LONG, StateSeen::none, |game| {
        let (game, grant) = (session.load(game)?, session.grant());
        let mut told = Ok(());
        let tell = &mut |seen| {
            if told.is_ok() {
                told = session.give_part(&seen);
            }
        };
        let played = StateSeen::each(&game, &lines, args.engine.wish(), grant.means(), tell);
        told.and(played.map_err(Failure::from))
    })
}

pub fn read_moves(file: &str) -> Result<Vec<MoveLine>, Failure> {
    let text = match file {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|e| Failure::unreadable(file, e))?;
    Ok(MoveLine::read(file, &text))
}
