//! The program `ludex`: arguments -> one library call -> text or JSON.

mod bundled;
mod cache;
mod chart;
mod commands;
mod engine;
mod failure;
mod limits;
mod memories;
mod moves;
mod output;
mod players;
mod session;
mod terminal;
mod watch;

use clap::{CommandFactory, FromArgMatches, Parser};
use failure::{Failure, Outcome};
use session::Session;
use std::io::Write;
use std::process::ExitCode;

/// Rules nest as deep as their author likes, so the work gets a stack that few files can fill.
const STACK: usize = 256 << 20;

/// Reads the rules of any game in the Game Description Language (GDL), finds out what the game is
/// made of, compiles it into a fast engine, solves it and plays it.
#[derive(Parser)]
#[command(name = "ludex", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<commands::Command>,
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

/// What to try first.
const WELCOME: &str = "\
Ludex reads the rules of any game, finds out what it is made of, solves it and plays it. Try

  ludex play connectfour          play against the engine, in this terminal
  ludex draw chess --text         see a board that was found in the rules
  ludex info tictactoe            see what a game consists of
  ludex solve tictactoe           what it is worth with best play
  ludex prove eightpuzzle         what holds in every state of it
  ludex new mygame                begin a game of your own

`ludex games` lists the games that are here, `ludex --help` all commands.";

/// The commands with their help in groups.
pub fn program() -> clap::Command {
    let program = Cli::command();
    let groups = commands::grouped(&program);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options of every command:\n\
         {{options}}{{after-help}}"
    );
    program.help_template(template)
}

fn main() -> ExitCode {
    let parsed = program().try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let Some(command) = cli.command else {
        // Nobody is left to tell if this fails.
        let _ = writeln!(std::io::stdout(), "{WELCOME}");
        return ExitCode::SUCCESS;
    };
    cli.options.choose_colour();
    let work = std::thread::Builder::new().name("work".into()).stack_size(STACK);
    let work = work.spawn(move || -> () {
        let session = Session::new(&cli.options);
        let outcome = command.run(&session);
        session.end(outcome)
    });
    // Only a panic comes back, and has printed its own message: our mistake, told apart from every other ending.
    let _ = work.expect("a thread can be started").join();
    ExitCode::from(101)
}

/// Arguments that are wrong, or a call for help. With --json programs are told in their own form, too.
fn misused(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && std::env::args().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let told = Failure::Misuse(text.trim_end().into()).told(None);
        let told = serde_json::to_string(&told).expect("answers are plain data");
        let _ = writeln!(std::io::stdout(), "{told}");
    }
    // Nobody is left to tell if this fails.
    let _ = error.print();
    ExitCode::from(error.exit_code() as u8)
}
