//! `ludex frame`: frame rules rewritten into rules for what becomes false.

use crate::session::{SOON, syntax_parser};
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::frame::{Basis, Covering};
use ludex::source::Report;
use ludex::syntax::{Ast, Syntax};
use ludex_answers::{FrameQuestion, FrameRules, FrameSteps};

/// Rewrite the rules so that they say what becomes false, not what persists.
#[derive(clap::Args)]
#[command(after_help = "\
Romero, Saffidine and Thielscher, Solving the Inferential Frame Problem in the General Game \
Description Language (2014). The state after a joint move is the present state without what fnext \
derives, and with what the remaining rules of next derive.

Examples:
  ludex frame tictactoe-frame --changes --to infix
  ludex frame tictactoe-frame --steps
  ludex frame breakthrough --covering direct --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The joint moves that are told apart: all alike, by the names of the roles' moves, or only
    /// those that are not proved impossible.
    #[arg(long, value_name = "COVERING", default_value = "pruned", value_parser = coverings())]
    covering: Covering,
    /// What is translated: every fluent name (names), the heads of frame rules as written (heads),
    /// or a list of fluent names separated by commas.
    #[arg(long, value_name = "BASIS", default_value = "names", value_parser = basis)]
    basis: Basis,
    /// Print in this syntax; without it, in the one the rules are written in.
    #[arg(long, value_name = "SYNTAX", value_parser = syntax_parser())]
    to: Option<Syntax>,
    /// Print only the rules that are new.
    #[arg(long)]
    changes: bool,
    /// Print every step: frame rules, general joint moves, unifiers, first-order rules, simplified ones.
    #[arg(long, conflicts_with = "changes")]
    steps: bool,
}

fn coverings() -> impl TypedValueParser<Value = Covering> {
    PossibleValuesParser::new(["generic", "direct", "pruned"]).map(|name| {
        let named = Covering::ALL.into_iter().find(|c| c.to_string() == name);
        named.expect("a name of the list")
    })
}

fn basis(text: &str) -> Result<Basis, String> {
    Ok(match text {
        "names" => Basis::Names,
        "heads" => Basis::Heads,
        list => Basis::Only(list.split(',').map(|name| name.trim().to_string()).collect()),
    })
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, FrameRules::unknown, |game| {
        let game = session.load(game)?;
        session.keep_words();
        let question = FrameQuestion {
            covering: args.covering,
            basis: args.basis.clone(),
            syntax: args.to.unwrap_or_else(|| written_in(&game, session)),
            changes: args.changes,
        };
        let (budget, grounding) = (session.budget(), session.grounding());
        if args.steps {
            let make = || FrameSteps::of(&game, &question, &budget, &grounding);
            return session.give(session.kept(
                &game,
                &format!("steps of frame {question:?}"),
                make,
            )?);
        }
        let make = || FrameRules::of(&game, &question, &budget, &grounding);
        session.give(session.kept(&game, &format!("frame {question:?}"), make)?)
    })
}

fn written_in(game: &Game, session: &Session) -> Syntax {
    Ast::parse(game.source(), session.syntax, &mut Report::default()).syntax
}
