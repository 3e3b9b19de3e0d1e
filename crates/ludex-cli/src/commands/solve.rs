//! `ludex solve`: the exact value of a game, or of a position of it, for every role.

use crate::failure::Failure;
use crate::moves;
use crate::{Outcome, Session};
use clap::ValueEnum;
use ludex::budget::Allowance;
use ludex::search::solve::{Settings, Symmetry};
use ludex_answers::Solved;

/// Solve a game: what every role gets with best play, and a line of such play.
#[derive(clap::Args)]
#[command(after_help = "\
One role: the best goal and a plan. Two roles that choose one at a time and want opposite things (proved): \
alpha-beta. Anything else: backward induction; the answer names the concept of solution. What a limit cuts \
off is told as bounds, with exit code 3.

Examples:
  ludex solve tictactoe
  ludex solve doubletictactoe --factoring off
  ludex solve eightpuzzle --json
  ludex solve connectfour --time-limit 10s --threads 2
  ludex solve tictactoe --from '(mark 2 2); (mark 1 2)'")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Search only this many steps deep.
    #[arg(long, value_name = "D")]
    depth: Option<usize>,
    /// Solve the position after these joint moves: a file as for `ludex replay`, or joint moves
    /// separated by semicolons, in which moves of roles that have no choice may be left out.
    #[arg(long, value_name = "MOVES")]
    from: Option<String>,
    /// How to use symmetries: not at all, to try one of symmetric moves, or to recognise symmetric
    /// states.
    #[arg(long, value_enum, default_value_t = SymmetryArg::States, value_name = "HOW")]
    symmetry: SymmetryArg,
    /// Search the factors of a game separately, where that is exact.
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH")]
    factoring: Switch,
    /// Do not search states that are decided by facts that never change again.
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH")]
    latches: Switch,
    /// Memory for the table of states, in megabytes; without it a part of --memory-limit.
    #[arg(long, value_name = "MB")]
    table: Option<usize>,
    /// Threads that search one tree with a table that they share, where no state of the game can come twice. The
    /// values are the same for any number; of equally good lines another may be told. Limits of time count all threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum SymmetryArg {
    None,
    Moves,
    States,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// CPU seconds for one game without --time-limit.
const PATIENCE: f64 = 120.0;
const PATIENT: Allowance = Allowance { seconds: Some(PATIENCE), bytes: None };

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, PATIENT, Solved::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        let state = match &args.from {
            Some(from) => Some(moves::after(&*session.net(&game)?, from)?),
            None => None,
        };
        let (settings, hold) = (settings(args, session), &mut |found| session.hold(found));
        let question = question(state.as_deref(), &settings);
        let make = || Solved::of(&game, state, &settings, &budget, hold);
        let found = session.kept(&game, &question, make)?;
        let refused = found.refused.is_some() && found.account.stopped.is_empty();
        match session.give(found) {
            Err(Failure::Incomplete) if refused => Err(Failure::Refuted),
            ending => ending,
        }
    })
}

/// What tells the answer from others about the game.
pub fn question(state: Option<&[bool]>, settings: &Settings) -> String {
    let Settings { symmetry, factoring, latches, depth, .. } = settings;
    format!("solve {state:?} {symmetry:?} {factoring} {latches} {depth:?}")
}

fn settings(args: &Args, session: &Session) -> Settings {
    let bytes = match args.table {
        Some(megabytes) => megabytes.saturating_mul(1_000_000),
        None => session.memory_limit().map_or(1 << 30, |m| m as usize / 2),
    };
    let symmetry = match args.symmetry {
        SymmetryArg::None => Symmetry::None,
        SymmetryArg::Moves => Symmetry::Moves,
        SymmetryArg::States => Symmetry::States,
    };
    let (factoring, latches) = (args.factoring == Switch::On, args.latches == Switch::On);
    let proof_seconds = session.share() / 2.0;
    let (depth, threads) = (args.depth, args.threads as usize);
    let settings = Settings { symmetry, factoring, latches, depth, bytes, ..Settings::default() };
    Settings { threads, proof_seconds, ..settings }
}
