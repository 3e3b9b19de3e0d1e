//! `ludex perft`: how many joint-move paths of every length there are.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::budget::Budget;
use ludex::compile::{Engine, Job};
use ludex::reason::{Cut, Perft, StateMachine, perft};
use serde_json::{Value, json};
use std::io::Write;

/// Count the paths of joint moves by their length, and how many end in a terminal state.
#[derive(clap::Args)]
#[command(after_help = "\
Two paths that lead to the same state count as two; the column states tells how many different \
states they lead to. If a limit stops the count, the depths that are done are printed.

Examples:
  ludex perft tictactoe --depth 9
  ludex perft tictactoe --depth 4 --past-terminal --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The greatest length of a path.
    #[arg(long, short, default_value_t = 4)]
    depth: usize,
    /// Go on through terminal states, as long as every role has a legal move.
    #[arg(long)]
    past_terminal: bool,
    #[command(flatten)]
    engine: EngineArg,
}

const PLAN: Plan = Plan::long(&["engine", "perft", "terminals", "states", "stuck"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| count(game, args, session))
}

fn count(game: &str, args: &Args, session: &Session) -> Outcome {
    let budget = session.budget();
    let start = budget.seconds();
    let mut compiled = args.engine.compile(game, session)?;
    let (depth, past_terminal) = (args.depth, args.past_terminal);
    let counts = compiled.run(Count { depth, past_terminal, budget: &budget })?;
    let seconds = budget.seconds() - start;
    let (name, engine) = (&compiled.rules.name, compiled.engine);
    session.tell(&Counted { name, engine, counts: &counts, seconds })?;
    match counts.cut {
        None => Ok(()),
        Some(Cut::Stop(stop)) => Err(Failure::Stopped(stop)),
        Some(Cut::Overflow) => Err(Failure::Input(
            "error: the next depth has more paths than fit in 64 bits; give a smaller --depth"
                .into(),
        )),
    }
}

struct Counted<'a> {
    name: &'a str,
    engine: Engine,
    counts: &'a Perft,
    seconds: f64,
}

impl Counted<'_> {
    fn is_stopped(&self) -> bool {
        matches!(self.counts.cut, Some(Cut::Stop(_)))
    }
}

impl Answer for Counted<'_> {
    fn object(&self) -> Value {
        let Counted { counts, .. } = self;
        let stopped = if self.is_stopped() { vec!["perft"] } else { vec![] };
        json!({
            "game": self.name,
            "engine": self.engine.to_string(),
            "perft": counts.paths,
            "terminals": counts.terminals,
            "states": counts.states,
            "stuck": counts.stuck,
            "complete": counts.cut.is_none(),
            "cpu_seconds": self.seconds,
            "stopped": stopped,
        })
    }

    fn print(&self, session: &Session) -> Outcome {
        let Counted { counts, .. } = self;
        let header = ["depth", "paths", "terminal", "states"];
        let mut table = session.table(&header, &header);
        let columns = counts.paths.iter().zip(&counts.terminals).zip(&counts.states);
        for (depth, ((paths, terminals), states)) in columns.enumerate() {
            table.add_row([depth as u64, *paths, *terminals, *states].map(|n| n.to_string()));
        }
        writeln!(session.out(), "{}", self.name)?;
        session.print_table(&table)?;
        if self.is_stopped() {
            writeln!(session.out(), "depth {}: {STOPPED}", counts.paths.len())?;
        }
        if counts.stuck > 0 {
            let stuck = counts.stuck;
            writeln!(session.out(), "{stuck} paths end where a role has no legal move")?;
        }
        let (engine, seconds) = (self.engine, self.seconds);
        Ok(writeln!(session.out(), "engine {engine}, {seconds:.2} CPU seconds")?)
    }
}

struct Count<'a> {
    depth: usize,
    past_terminal: bool,
    budget: &'a Budget,
}

impl Job for Count<'_> {
    type Answer = Perft;

    fn run<G: StateMachine>(self, game: &mut G) -> Perft {
        perft(game, self.depth, self.past_terminal, self.budget)
    }
}
