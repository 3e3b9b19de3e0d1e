//! `ludex new`: a small game that works, to begin one's own with.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::source::Source;
use ludex::syntax::Syntax;
use ludex_answers::{Account, Formatted, NewGame};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Write a small game that works, as a start for your own.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex new mine
  ludex new riddle --kind puzzle
  ludex new mine.gdl")]
pub struct Args {
    /// The file to write: `.kif` for prefix, `.gdl` for infix syntax; without an ending, `.kif` is added, or `.gdl` with
    /// `--syntax infix`. An existing file is never overwritten.
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
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
    let syntax = session.syntax.unwrap_or(match ending.as_deref() {
        Some("gdl") => Syntax::Infix,
        _ => Syntax::Kif,
    });
    let usual = if syntax == Syntax::Infix { "gdl" } else { "kif" };
    let path = if ending.is_none() { path.with_extension(usual) } else { path.into() };
    let name = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let rules = written(&args.kind.rules().replacen("NAME", &name, 1), syntax)?;
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

/// The rules in the syntax asked for.
fn written(rules: &str, syntax: Syntax) -> Result<String, Failure> {
    let source = Source::new("new", rules);
    let formatted = Formatted::of("new", &source, None, Some(syntax));
    let formatted = formatted.map_err(|report| Failure::faulty(&report, &source))?;
    Ok(formatted.text.unwrap_or_default())
}
