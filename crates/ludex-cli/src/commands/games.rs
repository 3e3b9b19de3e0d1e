//! `ludex games`: the bundled games, with the first line of the comment that opens each.

use crate::bundled::{BUNDLED, stem};
use crate::{Outcome, Session};
use serde_json::json;
use std::io::Write;

/// List the bundled games, or print the rules of one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex games
  ludex games tictactoe > mine.kif")]
pub struct Args {
    /// Print the rules of this game.
    game: Option<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(game) = &args.game {
        let source = session.source(game)?;
        return match session.json {
            true => session.line(&json!({"game": stem(&source.name), "rules": source.text})),
            false => Ok(write!(session.out(), "{}", source.text)?),
        };
    }
    if session.json {
        let object =
            |(file, text): &(&str, &str)| json!({"game": stem(file), "about": about(text)});
        return BUNDLED.iter().try_for_each(|game| session.line(&object(game)));
    }
    let mut table = session.table(&["game", "what it is"], &[]);
    for (file, text) in BUNDLED {
        table.add_row([stem(file), about(text)]);
    }
    session.print_table(&table)
}

/// The first line of a file, if it is a comment.
fn about(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    match line.starts_with([';', '%']) {
        true => line.trim_start_matches([';', '%', ' ']),
        false => "",
    }
}
