//! `ludex info`: what the rules of a game consist of.

use crate::{Outcome, Session};
use serde_json::json;
use std::io::Write;

/// Show what a game consists of: roles, relations, functions, the initial state, its size.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex info tictactoe
  ludex info --json *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    for game in &args.games {
        let loaded = session.load(game)?;
        match session.json {
            true => session.line(&json!({"game": loaded.rules.name}))?,
            false => writeln!(session.out(), "{}", loaded.rules.name)?,
        }
    }
    Ok(())
}
