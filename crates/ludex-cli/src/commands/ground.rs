//! `ludex ground`: the ground rules of a game.

use crate::{Outcome, Session};
use ludex::ground::Ground;
use serde_json::json;
use std::io::Write;

/// Instantiate the rules of a game over all that is reachable, and simplify them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex ground tictactoe
  ludex ground blocksworld --print")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the ground rules.
    #[arg(long)]
    print: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    for game in &args.games {
        let rules = session.load(game)?.rules;
        let start = session.budget.seconds();
        let ground = Ground::new(&rules, &session.budget)?;
        let seconds = session.budget.seconds() - start;
        if args.print {
            write!(session.out(), "{ground}")?;
            continue;
        }
        let object = json!({
            "game": ground.name,
            "rules": ground.len(),
            "literals": ground.rules().map(|(_, body)| body.len()).sum::<usize>(),
            "atoms": ground.atoms.len(),
            "seconds": seconds,
        });
        match session.json {
            true => session.line(&object)?,
            false => writeln!(
                session.out(),
                "{}: {} ground rules with {} conditions over {} atoms",
                ground.name,
                object["rules"],
                object["literals"],
                object["atoms"]
            )?,
        }
    }
    Ok(())
}
