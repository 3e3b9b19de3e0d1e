//! `ludex games`: the bundled games, with the first sentence of the comment that opens each.

use crate::bundled::stem;
use crate::{Outcome, Session};
use ludex_answers::{GameEntry, GameText, Table};
use std::io::Write;

/// List the bundled games, or print the rules of one.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex games
  ludex games tictactoe > copy.kif")]
pub struct Args {
    /// Print the rules of this game.
    game: Option<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(game) = &args.game {
        let source = session.source(game)?;
        return session.give(GameText::new(stem(&source.name), &source.text));
    }
    let games = GameEntry::all();
    if session.json {
        return games.iter().try_for_each(|game| session.give_part(game));
    }
    let mut table = Table::new(&["game", "what it is"], &[]);
    games.iter().for_each(|entry| table.row([&entry.game, &entry.about]));
    Ok(write!(session.out(), "{table}")?)
}
