//! `ludex check`: everything that is wrong or doubtful in the rules of games.

mod watch;

use crate::bundled;
use crate::failure::Failure;
use crate::session::{LONG, SOON};
use crate::{Outcome, Session};
use ludex::explain;
use ludex::policy::Policy;
use ludex::source::Report;
use ludex_answers::{Account, CheckEffort, CheckReport, Explanation, TrialEffort};

/// Check the rules: violations of GDL as errors, likely mistakes as warnings.
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
    /// Leave out the warnings.
    #[arg(long)]
    errors_only: bool,
    /// Also play this many random matches and look for states without a move, missing goals, matches
    /// that do not end, and facts and moves that base and input do not declare; and notice what the matches
    /// have in common, such as goals that never vary.
    #[arg(long, value_name = "N")]
    simulate: Option<usize>,
    /// The same seed gives the same matches.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "simulate")]
    seed: u64,
    /// Call a match endless after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000, requires = "simulate")]
    bound: usize,
    /// Check again whenever a file changes, until Ctrl-C.
    #[arg(long)]
    watch: bool,
    /// Hide warnings with this code. In the file: a comment `ludex: allow CODE`.
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Turn warnings with this code into errors; `warnings` means all of them. In the file: `ludex: deny CODE`.
    #[arg(long, value_name = "CODE")]
    deny: Vec<String>,
    /// Print what a code means, with an example and what to do about it.
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(code) = &args.explain {
        return explain_code(code, session);
    }
    let policy = policy(args)?;
    let all = || check_each(args, &policy, session);
    if args.watch { watch::watch(&args.games, session, all) } else { all() }
}

/// What the options say of warnings.
fn policy(args: &Args) -> Result<Policy, Failure> {
    let mut policy = Policy::default();
    let allowed = args.allow.iter().try_for_each(|code| policy.allow(code));
    let denied = allowed.and_then(|()| args.deny.iter().try_for_each(|code| policy.deny(code)));
    denied.map_err(|message| Failure::Misuse(format!("error: {message}")))?;
    Ok(policy)
}

fn check_each(args: &Args, policy: &Policy, session: &Session) -> Outcome {
    let allowance = if args.simulate.is_some() { LONG } else { SOON };
    session.answer_each(&args.games, allowance, CheckReport::unknown, |game| {
        let checked = check(game, args, policy, session)?;
        let faulty = checked.ok == Some(false);
        session.give(checked)?;
        if faulty { Err(Failure::Refuted) } else { Ok(()) }
    })
}

fn check(
    game: &str,
    args: &Args,
    policy: &Policy,
    session: &Session,
) -> Result<CheckReport, Failure> {
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
        policy: policy.clone(),
        trial,
        noted,
        render: Report::render_coloured,
    };
    let (grant, hold) = (session.grant(), &mut |checked| session.hold(checked));
    let name = bundled::name(&source.name);
    Ok(CheckReport::of(name, &source, &effort, grant.means(), hold))
}

/// Prints what the page of checks says of a code.
fn explain_code(code: &str, session: &Session) -> Outcome {
    let code = code.to_lowercase();
    let unknown = || Failure::Misuse(format!("error: {}", explain::unknown(&code)));
    let text = explain::explain(&code).ok_or_else(unknown)?.into();
    session.give(Explanation { code, text, account: Account::default() })
}
