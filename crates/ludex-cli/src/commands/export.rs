//! `ludex export`: a game in the language of another tool.

use crate::failure::Failure;
use crate::session::SOON;
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::export::ExportFormat;
use ludex_answers::Exported;
use std::io::Write;

/// Write a game for model checkers, SMT and ASP solvers, planners or graph tools.
#[derive(clap::Args)]
#[command(after_help = "\
  aiger    the net as and-gates and latches (AIGER 1.9, ASCII); by role a bad state: the end with its best goal
  btor2    the same for word-level model checkers
  smt2     the same as SMT-LIB 2 with the annotations of VMT-LIB: first state, transition, properties
  asp      a logic program for clingo: an answer set is a match of `horizon` steps
  asp-ground  the same of the ground rules, without variables but for the step
  pddl     a planning problem, domain and problem in one file; for games of one role
  dot      the net for Graphviz
  graphml  the net for programs that work on graphs

Relations that define themselves are unrolled into the circuit; where that is too large the answer says so.

Examples:
  ludex export tictactoe --to aiger > tictactoe.aag
  ludex export tictactoe --to smt2 > tictactoe.smt2
  ludex export tictactoe --to asp | clingo -c horizon=2 - 0
  ludex export eightpuzzle --to pddl > puzzle.pddl
  ludex export nim --to graphml > nim.graphml")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// The language to write in.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: ExportFormat,
}

fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    let names = ["aiger", "asp", "asp-ground", "btor2", "smt2", "pddl", "dot", "graphml"];
    PossibleValuesParser::new(names).map(|name| name.parse().expect("a name of the list"))
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let games = std::slice::from_ref(&args.game);
    session.answer_each(games, SOON, Exported::unknown, |game| {
        let game = session.load(game)?;
        let exported = Exported::of(&game, args.to, &session.budget())?;
        match session.json {
            true => session.give(exported),
            // The text of another language: nothing of it is worded anew.
            false => {
                Ok(session.out().write_all(exported.text.as_bytes()).map_err(Failure::from)?)
            }
        }
    })
}
