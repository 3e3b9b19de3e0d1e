//! `ludex qbf`: the game of a quantified formula, whose board is invariant if the formula is true.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex_answers::GameText;

/// Print the game of a quantified formula.
///
/// Of a formula `forall x.. exists y..`: <cell,{1}> is invariant if and only if it is true.
#[derive(clap::Args)]
#[command(after_help = "\
FORMULA is in QDIMACS: a line `a` of universal variables, a line `e` of existential ones, then clauses, \
all ended by 0. The game is that of the proof that deciding boards is hard (Theorem 1 of \"Invariant \
Projections in Games\", 2016).

Examples:
  ludex qbf formula.txt > formula.kif
  ludex qbf formula.txt | ludex boards -")]
pub struct Args {
    /// A file, or - for standard input.
    #[arg(value_name = "FORMULA")]
    formula: String,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let file = &args.formula;
    let text = match file.as_str() {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|e| Failure::unreadable(file, e))?;
    session.give(GameText::of_formula(file, &text)?)
}
