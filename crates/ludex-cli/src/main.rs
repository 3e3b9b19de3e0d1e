//! The program `ludex`: arguments -> one library call -> text or JSON.

mod bundled;
mod commands;
mod engine;
mod failure;
mod limits;
mod moves;
mod output;
mod players;
mod session;
mod watch;

use clap::Parser;
use failure::Outcome;
use session::Session;
use std::process::ExitCode;

/// Rules nest as deep as their author likes, so the work gets a stack that few files can fill.
const STACK: usize = 256 << 20;

/// Reads the rules of any game in the Game Description Language (GDL), finds out what the game is
/// made of, compiles it into a fast engine, solves it and plays it.
#[derive(Parser)]
#[command(name = "ludex", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: commands::Command,
    #[command(flatten)]
    options: session::Options,
}

const AFTER_HELP: &str = "\
GAME is a file of rules, the name of a bundled game (`ludex games` lists them), or - for standard input.

Exit codes: 0 done; 1 bad input, a refuted property or unequal games; 2 misuse of the program; \
3 stopped at a limit.

Examples:
  ludex info tictactoe
  ludex perft tictactoe --depth 5
  ludex play tictactoe
  ludex match connectfour --player mcts --player uct
  ludex player --port 9147";

fn main() -> ExitCode {
    let cli = Cli::parse();
    let work = std::thread::Builder::new().name("work".into()).stack_size(STACK);
    let work = work.spawn(move || {
        let session = Session::new(&cli.options);
        let outcome = cli.command.run(&session);
        session.end(outcome)
    });
    // A panic has printed its own message: our mistake, told apart from every other ending.
    work.expect("a thread can be started").join().unwrap_or(ExitCode::from(101))
}
