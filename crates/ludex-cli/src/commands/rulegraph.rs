//! `ludex rulegraph`: the rule graph of a game, for people (Graphviz) and programs (JSON).

use crate::session::SOON;
use crate::{Outcome, Session};
use ludex_answers::{GraphStyle, RuleGraphQuestion, RuleGraphText};
use std::io::Write;

/// Print the rule graph of a game: its isomorphisms are renamings of the game.
#[derive(clap::Args)]
#[command(after_help = "\
The enhanced rule graph (Schiffel, 2010) joins every rule to its head and body and has a vertex for \
every argument position. The plain one (Genesereth and Thielscher, Definition 14.2) has a vertex for \
every connective. init, base and input are left out, since symmetries hold in every state. The two \
sides of distinct are not ordered, and goal values have labels of their own.

Examples:
  ludex rulegraph buttonsandlights --dot | dot -Tsvg > rules.svg
  ludex rulegraph tictactoe --json --with-init")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// Print Graphviz text; this is also what is printed without --json.
    #[arg(long)]
    dot: bool,
    /// Follow Definition 14.2 instead of the enhanced rule graph.
    #[arg(long)]
    plain: bool,
    /// Keep the rules of init.
    #[arg(long)]
    with_init: bool,
    /// Bring the rules into normal form first.
    #[arg(long)]
    normal: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let question = RuleGraphQuestion {
        style: if args.plain { GraphStyle::Plain } else { GraphStyle::Enhanced },
        with_init: args.with_init,
        normal: args.normal,
    };
    session.answer_each(std::slice::from_ref(&args.game), SOON, RuleGraphText::unknown, |game| {
        let rules = session.load_part(game)?;
        let found = RuleGraphText::of(&rules, &question, &session.budget())?;
        match args.dot {
            true => Ok(write!(session.out(), "{found}")?),
            false => session.give(found),
        }
    })
}
