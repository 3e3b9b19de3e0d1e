//! `ludex bench`: how fast an engine plays a game.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::game::{Game, Random, Tally, signature, tally};
use ludex::interp::Interp;
use serde_json::json;
use std::io::Write;
use std::time::Duration;

/// Measure an engine: random matches, in transitions per CPU second.
///
/// In every state the terminal test and the legal moves of all roles are computed, and the goals at
/// the end. The signature is a digest of some matches that is the same for every engine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench tictactoe
  ludex bench --json --for 10s --seed 7 chess.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The engine that plays.
    #[arg(long, default_value = "interp")]
    engine: Engine,
    /// Measure for this CPU time; a match is always played to its end.
    #[arg(long = "for", value_name = "TIME", default_value = "3s", value_parser = crate::limits::time)]
    duration: Duration,
    /// Play exactly this many matches instead.
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// The seed of chance.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A match that is longer is cut.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    bound: u64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Engine {
    /// The first-order reasoner.
    Interp,
}

/// What was measured.
struct Figures {
    engine: &'static str,
    setup: f64,
    seconds: f64,
    tally: Tally,
    signature: String,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let header =
        ["game", "engine", "transitions/s", "playouts/s", "length", "goals", "setup", "signature"];
    let right = ["transitions/s", "playouts/s", "length", "setup"];
    let mut table = session.table(&header, &right);
    for game in &args.games {
        let loaded = session.load(game)?;
        let begin = session.budget.seconds();
        let figures = match args.engine {
            Engine::Interp => {
                let mut game = Interp::with_budget(&loaded.rules, &session.budget)
                    .map_err(|p| Failure::Input(format!("{}: {p}", loaded.rules.name)))?;
                let figures = measure(&mut game, "interp", args, session, begin)?;
                if let Some(problem) = game.problem() {
                    return Err(Failure::Input(format!("{}: {problem}", loaded.rules.name)));
                }
                figures
            }
        };
        if session.json {
            session.line(&figures.json(&loaded.rules.name))?;
        } else {
            table.add_row(figures.row(&loaded.rules.name));
        }
    }
    if !session.json {
        session.print_table(&table)?;
        writeln!(session.out(), "per CPU second, one thread; setup in CPU seconds")?;
    }
    Ok(())
}

fn measure<G: Game>(
    game: &mut G,
    engine: &'static str,
    args: &Args,
    session: &Session,
    begin: f64,
) -> Result<Figures, Failure> {
    let budget = &session.budget;
    let setup = budget.seconds() - begin;
    budget.begin("playing random matches", 0);
    let signature = signature(game, args.seed, 4, args.bound.min(100), budget)?;
    let mut random = Random::new(args.seed);
    let mut sums = Tally::default();
    let start = budget.seconds();
    let mut portion = args.playouts.unwrap_or(1);
    loop {
        tally(game, &mut random, portion, args.bound, budget, &mut sums)?;
        let seconds = budget.seconds() - start;
        if args.playouts.is_some() || seconds >= args.duration.as_secs_f64() {
            return Ok(Figures { engine, setup, seconds, tally: sums, signature });
        }
        // About a twentieth of the time between two looks at the clock.
        let share = args.duration.as_secs_f64() / 20.0 / seconds.max(1e-6);
        portion = ((sums.playouts as f64 * share) as u64).clamp(1, 2 * sums.playouts);
    }
}

impl Figures {
    fn per_second(&self, n: u64) -> f64 {
        n as f64 / self.seconds.max(1e-9)
    }

    fn json(&self, game: &str) -> serde_json::Value {
        json!({
            "game": game,
            "engine": self.engine,
            "threads": 1,
            "setup_seconds": self.setup,
            "peak_memory_mb": peak_memory(),
            "transitions_per_cpu_second": self.per_second(self.tally.transitions),
            "playouts_per_cpu_second": self.per_second(self.tally.playouts),
            "mean_length": self.tally.mean_length(),
            "mean_goals": self.tally.mean_goals(),
            "signature": self.signature,
            "transitions": self.tally.transitions,
            "playouts": self.tally.playouts,
            "unfinished": self.tally.unfinished,
        })
    }

    fn row(&self, game: &str) -> Vec<String> {
        let goal = |g: &Option<f64>| g.map_or("-".into(), |g| format!("{g:.1}"));
        let goals: Vec<String> = self.tally.mean_goals().iter().map(goal).collect();
        vec![
            game.into(),
            self.engine.into(),
            format!("{:.0}", self.per_second(self.tally.transitions)),
            format!("{:.1}", self.per_second(self.tally.playouts)),
            format!("{:.2}", self.tally.mean_length()),
            goals.join(" "),
            format!("{:.3}", self.setup),
            self.signature.clone(),
        ]
    }
}

/// The most memory that the process has used, in MB; where the system does not say, what it uses.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    let now = || memory_stats::memory_stats().map(|m| m.physical_mem as f64 / 1e6);
    kilobytes.map(|k| k * 1024.0 / 1e6).or_else(now)
}
