//! `ludex schema`: the JSON Schema of the answers, and the page of docs that is made from it.

mod page;

use crate::failure::Failure;
use crate::{Outcome, Session};
use std::io::Write;

/// Print the JSON Schema of what a command prints with --json.
#[derive(clap::Args)]
#[command(after_help = "\
Every line that a command prints with --json is one object of one of the forms that its schema lists. All \
of them have `version`, the version of the form; `complete`, `stopped` and `stopped_by` say whether a \
limit left something out. What cannot be answered is an object with `error`: code, place and message.

Examples:
  ludex schema solve
  ludex schema > ludex.schema.json
  ludex schema --page > docs/json.md")]
pub struct Args {
    /// A command; without it the schemas of all of them are printed, under `commands`.
    #[arg(value_name = "COMMAND", conflicts_with = "page")]
    command: Option<String>,
    /// Print a page about all commands for people, in Markdown.
    #[arg(long)]
    page: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.page {
        return Ok(write!(session.out(), "{}", page::page(&ludex_answers::schema()))?);
    }
    let schema = match &args.command {
        None => ludex_answers::schema(),
        Some(command) => ludex_answers::schema_of(command).ok_or_else(|| unknown(command))?,
    };
    // For programs on one line, as all answers are.
    match session.json {
        true => Ok(writeln!(session.out(), "{schema}")?),
        false => Ok(writeln!(session.out(), "{schema:#}")?),
    }
}

fn unknown(command: &str) -> Failure {
    let known: Vec<&str> = ludex_answers::commands().collect();
    let known = known.join(", ");
    Failure::Misuse(format!("error: {command} prints no JSON; these commands do: {known}"))
}
