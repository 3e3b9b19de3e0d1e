//! `ludex new`: a small game that works, to begin one's own with.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex_answers::{Account, NewGame};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Write a small game that works, as a start for your own.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex new mine
  ludex new riddle --kind puzzle")]
pub struct Args {
    /// The file to write; without an ending, `.kif` is added. An existing file is never overwritten.
    name: String,
    /// What it is: players in turn on a board, one player against the clock, or all at the same time.
    #[arg(long, value_name = "KIND", value_enum, default_value_t = GameKind::Board)]
    kind: GameKind,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum GameKind {
    Board,
    Puzzle,
    Simultaneous,
}

impl GameKind {
    fn rules(self) -> &'static str {
        match self {
            GameKind::Board => include_str!("../../templates/board.kif"),
            GameKind::Puzzle => include_str!("../../templates/puzzle.kif"),
            GameKind::Simultaneous => include_str!("../../templates/simultaneous.kif"),
        }
    }
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let path = Path::new(&args.name);
    let path = if path.extension().is_none() { path.with_extension("kif") } else { path.into() };
    let name = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let rules = args.kind.rules().replacen("NAME", &name, 1);
    let file = path.display().to_string();
    let written = std::fs::File::create_new(&path).and_then(|mut f| f.write_all(rules.as_bytes()));
    written.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            let message = format!("{file} is there already; nothing was written");
            Failure::input("file-exists", message)
        }
        _ => Failure::unwritable(&file, e),
    })?;
    session.give(NewGame { game: name.into_owned(), file, account: Account::default() })
}
