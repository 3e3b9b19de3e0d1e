//! `ludex games`: the bundled games, with the first sentence of the comment that opens each.

use crate::bundled::stem;
use crate::{Outcome, Session};
use ludex::game::Bundled;
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
        let object = |game: Bundled| json!({"game": game.name(), "about": about(game.text)});
        return Bundled::all().try_for_each(|game| session.line(&object(game)));
    }
    let mut table = session.table(&["game", "what it is"], &[]);
    for game in Bundled::all() {
        table.add_row([game.name().to_string(), about(game.text)]);
    }
    session.print_table(&table)
}

/// The first sentence of the comment that opens a file.
fn about(text: &str) -> String {
    let comment = text.lines().take_while(|line| line.starts_with([';', '%']));
    let words = comment.map(|line| line.trim_start_matches([';', '%']).trim());
    let text = words.collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_string()
}
