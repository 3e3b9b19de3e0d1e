//! `ludex check`: everything that is wrong or doubtful in the rules of games.

use crate::bundled;
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex::answers::{Account, CheckEffort, CheckReport, Explanation, TrialEffort};
use ludex::source::Report;

/// Check the rules of games: the restrictions of GDL as errors, likely mistakes as warnings.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code 1 where a game has an error.

Examples:
  ludex check tictactoe
  ludex check --json *.kif
  ludex check --simulate 100 tictactoe
  ludex check --explain unsafe-variable")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required_unless_present = "explain", value_name = "GAME")]
    games: Vec<String>,
    /// Leave the warnings away.
    #[arg(long)]
    errors_only: bool,
    /// Also play this many random matches and look for states without a move, missing goals, matches
    /// that do not end, and facts and moves that base and input do not declare.
    #[arg(long, value_name = "N")]
    simulate: Option<usize>,
    /// The same seed gives the same matches.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "simulate")]
    seed: u64,
    /// Call a match endless after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000, requires = "simulate")]
    bound: usize,
    /// Print what a code means, with an example and what to do about it.
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
}

const PAGE: &str = include_str!("../../../../docs/checks.md");

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(code) = &args.explain {
        return explain(code, session);
    }
    session.answer_each(&args.games, LONG, CheckReport::unknown, |game| {
        let checked = check(game, args, session)?;
        let faulty = checked.ok == Some(false);
        session.give(checked)?;
        if faulty { Err(Failure::Refuted) } else { Ok(()) }
    })
}

fn check(game: &str, args: &Args, session: &Session) -> Result<CheckReport, Failure> {
    let (source, noted) = match bundled::load(game) {
        Ok(loaded) => loaded,
        Err(Failure::Input(wrong)) => return Ok(CheckReport::unreadable(game, wrong.faults)),
        Err(other) => return Err(other),
    };
    let trial =
        args.simulate.map(|matches| TrialEffort { matches, seed: args.seed, bound: args.bound });
    let effort = CheckEffort {
        syntax: session.syntax,
        errors_only: args.errors_only,
        trial,
        noted,
        render: Report::render_coloured,
    };
    let (grant, hold) = (session.grant(), &mut |checked| session.hold(checked));
    let name = bundled::name(&source.name);
    Ok(CheckReport::of(name, &source, &effort, grant.means(), hold))
}

/// Prints the section of a code from the page of checks, or its line of the page's table.
fn explain(code: &str, session: &Session) -> Outcome {
    let code = code.to_lowercase();
    let mut sections = PAGE.split("\n## ").skip(1);
    let section = sections.find_map(|s| s.strip_prefix(code.as_str())?.strip_prefix('\n'));
    let line = || PAGE.lines().find_map(|l| l.strip_prefix(&format!("| `{code}` | ")));
    let text = match section {
        Some(text) => text.split("\n# ").next().unwrap_or(text).trim(),
        None => line().map(|l| l.trim_end_matches(" |")).ok_or_else(|| unknown(&code))?,
    };
    let text = text.into();
    session.give(Explanation { code, text, account: Account::default() })
}

fn unknown(code: &str) -> Failure {
    let codes = PAGE
        .lines()
        .filter_map(|l| l.strip_prefix("## ").or_else(|| l.strip_prefix("| `")?.split('`').next()));
    let near = codes
        .max_by(|a, b| strsim::jaro_winkler(a, code).total_cmp(&strsim::jaro_winkler(b, code)));
    Failure::Misuse(format!(
        "error: no check has the code {code}; did you mean {}?",
        near.unwrap_or("")
    ))
}
