//! `ludex test`: what an author expects of a game, written beside its rules, and what became of it.

use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex::expect::Expectations;
use ludex::source::{Report, Source};
use ludex_answers::ExpectationReport;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Run the expectations in a game's .test file.
///
/// Positions by moves, legal moves, goals, values, properties.
#[derive(clap::Args)]
#[command(after_help = "\
Expectations stand beside the rules, those of game.kif in game.test, one a line:
  start                 the first state
  play MOVES            a joint move; moves of several roles with commas between
  legal ROLE COUNT      legal ROLE MOVE, illegal ROLE MOVE
  true FACT             false FACT
  terminal              running
  goal ROLE N           what the role gets here
  value ROLE N          what best play gives it from here on
  always PROPERTY       as in `ludex prove`

Exit code 1 where an expectation fails.

Examples:
  ludex test mine.kif")]
pub struct Args {
    /// Files of rules.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The expectations, where they are not beside the rules.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, LONG, ExpectationReport::unknown, |game| {
        let beside = || Path::new(game).with_extension("test");
        let expectations = read(&args.expectations.clone().unwrap_or_else(beside))?;
        let game = session.load(game)?;
        let tested = ExpectationReport::of(&game, &expectations, &session.budget())?;
        let failed = tested.ok == Some(false);
        session.give(tested)?;
        if failed { Err(Failure::Refuted) } else { Ok(()) }
    })
}

fn read(path: &Path) -> Result<Expectations, Failure> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| match e.kind() {
        ErrorKind::NotFound => {
            let message =
                format!("there is no {name}; `ludex test --help` shows what to write there");
            Failure::input("unreadable", message)
        }
        _ => Failure::unreadable(&name, e),
    })?;
    let source = Source::from_bytes(name, bytes, &mut Report::default());
    Expectations::read(&source).map_err(|report| Failure::faulty(&report, &source))
}
