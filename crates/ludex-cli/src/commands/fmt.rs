//! `ludex fmt`: rules laid out anew, comments kept, in the same syntax or the other.

use crate::failure::Failure;
use crate::session::{LONG, syntax_parser};
use crate::{Outcome, Session};
use ludex::syntax::Syntax;
use ludex_answers::Formatted;
use std::io::Write;
use std::path::Path;

/// Format the rules of a game, or turn them into the other syntax; keeps comments.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex fmt tictactoe
  ludex fmt --to infix tictactoe > tictactoe.gdl
  ludex fmt --write *.kif
  ludex fmt --check *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print in this syntax; without it, in the one the rules are written in.
    #[arg(long, value_name = "SYNTAX", value_parser = syntax_parser())]
    to: Option<Syntax>,
    /// Write the text back to the files instead of printing it.
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// Change and print nothing but the names of files that would change; exit code 1 if there are
    /// any.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let no_file = |game: &&String| !Path::new(game).is_file();
    if let (true, Some(game)) = (args.write, args.games.iter().find(no_file)) {
        let message = format!("error: --write needs files, and {game} is not one");
        return Err(Failure::Misuse(message));
    }
    session.answer_each(&args.games, LONG, Formatted::unknown, |game| {
        let changed = one(args, session, game)?;
        if args.check && changed { Err(Failure::Refuted) } else { Ok(()) }
    })
}

/// Formats one game; true if that changes it.
fn one(args: &Args, session: &Session, game: &str) -> Result<bool, Failure> {
    let source = session.source(game)?;
    let formatted = Formatted::of(game, &source, session.syntax, args.to);
    let mut formatted = formatted.map_err(|report| Failure::faulty(&report, &source))?;
    let changed = formatted.changed;
    if let (true, true, Some(text)) = (args.write, changed, &formatted.text) {
        replace(Path::new(game), text)?;
    }
    if args.write || args.check {
        formatted.text = None;
    }
    match args.check && changed && !session.json {
        true => writeln!(session.out(), "{game} would change")?,
        false => session.give_part(&formatted)?,
    }
    Ok(changed)
}

/// Puts the text in place of the file's in one step, so that no failure leaves half of it.
fn replace(path: &Path, text: &str) -> Outcome {
    let path = path.canonicalize()?;
    let mut name = path.file_name().expect("a file has a name").to_os_string();
    name.push(".ludex-fmt");
    let beside = path.with_file_name(name);
    let mut file = std::fs::File::create_new(&beside)?;
    let written = file.write_all(text.as_bytes());
    let permissions = std::fs::metadata(&path).map(|m| m.permissions());
    let done = written
        .and(permissions.and_then(|p| file.set_permissions(p)))
        .and_then(|()| std::fs::rename(&beside, &path));
    if done.is_err() {
        // The first failure is the one to tell.
        let _ = std::fs::remove_file(&beside);
    }
    Ok(done?)
}
