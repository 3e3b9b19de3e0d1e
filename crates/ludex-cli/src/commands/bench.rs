//! `ludex bench`: how fast an engine plays a game.

use crate::failure::Failure;
use crate::session::{NONE, Plan, STOPPED};
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::budget::Stop;
use ludex::compile::{Engine, without_network};
use ludex::frame::fastest;
use ludex::ground::NotGround;
use ludex::interp::Problem;
use ludex::machine::Scalar;
use ludex::machine::sliced::{Backend, Sliced, Totals};
use ludex::net::Net;
use ludex::reason::{Random, StateMachine, Tally, signature, tally};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measure an engine: random matches, in transitions per CPU second.
///
/// In every state the terminal test and the legal moves of all roles are computed, and the goals at
/// the end. The signature is a digest of some matches that is the same for every engine; the engine
/// sliced has one more, of what its own matches came to.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench tictactoe
  ludex bench --json --seconds 10 --threads 2 chess.kif
  ludex bench --engine interp tictactoe")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The engine that plays; without it sliced, or interp where a game has no network.
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    engine: Option<Engine>,
    /// Measure for this CPU time on each thread; matches are always played to their end.
    #[arg(long, alias = "for", value_name = "TIME", default_value = "3s", value_parser = crate::limits::time)]
    seconds: Duration,
    /// Play exactly this many matches instead.
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Threads that play at the same time, each with an engine of its own.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// The seed of chance.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// A match that is longer is cut.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    bound: u64,
}

fn engines() -> impl TypedValueParser<Value = Engine> {
    let names = ["interp", "scalar", "sliced"];
    PossibleValuesParser::new(names).map(|name| name.parse().expect("a name of the list"))
}

/// Stages before the first match, with their CPU seconds.
type Stages = Vec<(&'static str, f64)>;

/// What was measured.
struct Figures {
    engine: Engine,
    threads: u64,
    stages: Stages,
    seconds: f64,
    wall: f64,
    tally: Tally,
    signature: String,
    /// What the user should know of the engine or of the matches.
    notes: Vec<String>,
    /// The limit that ended the matches early.
    stopped: Option<Stop>,
    /// How the engine sliced is made, and the digest of its first matches.
    sliced: Option<Value>,
}

const PLAN: Plan = Plan::long(&[
    "engine",
    "threads",
    "setup_seconds",
    "peak_memory_mb",
    "transitions_per_cpu_second",
    "playouts_per_cpu_second",
    "mean_length",
    "mean_goals",
    "signature",
]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let right = ["transitions/s", "on the clock", "playouts/s", "length", "setup"];
    let mut header = vec!["game", "engine"];
    header.extend([&right[..4], &["goals", "setup", "signature"]].concat());
    let mut table = session.table(&header, &right);
    let mut notes: Vec<String> = Vec::new();
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let rules = game.rules();
        let bench = Bench { args, session, start: session.budget().seconds() };
        let mut figures = bench.figures(&game)?;
        figures.notes.extend(figures.tally.remark());
        if figures.stopped.is_some() {
            let seconds = figures.seconds;
            figures.notes.push(format!("{STOPPED}: measured in {seconds:.1} CPU seconds only"));
        }
        notes.extend(figures.notes.iter().map(|note| format!("{}: {note}", rules.name)));
        let stopped = figures.stopped.map_or(Ok(()), |stop| Err(stop.into()));
        if session.json {
            let print = |_: &Session| Ok(());
            session.tell(&(|| figures.json(&rules.name), print))?;
            return stopped;
        }
        table.add_row(figures.row(&rules.name));
        session.add_row(|| {
            session.print_table(&table)?;
            let threads = if args.threads == 1 { "thread" } else { "threads" };
            let line =
                "per CPU second, transitions also per second of the clock; setup in CPU seconds";
            writeln!(session.out(), "{} {threads}; {line}", args.threads)?;
            Ok(notes.iter().try_for_each(|note| writeln!(session.out(), "{note}"))?)
        })?;
        stopped
    })
}

struct Bench<'a> {
    args: &'a Args,
    session: &'a Session,
    start: f64,
}

impl Bench<'_> {
    fn figures(&self, game: &Game) -> Result<Figures, Failure> {
        let rules = game.rules();
        match self.args.engine {
            Some(Engine::Interp) => self.interp(game, None),
            wish => match self.net(game, wish.is_none()) {
                Ok((net, stages)) if wish == Some(Engine::Scalar) => {
                    let scalar = Scalar::within(net, &self.session.budget())?;
                    let mut games = self.for_threads(scalar);
                    self.one_at_a_time(&mut games, Engine::Scalar, stages)
                }
                Ok((net, stages)) => self.sliced(net, stages),
                Err(why) if wish.is_none() => self.interp(game, Some(&why)),
                Err(NotGround::Stopped(stop)) => Err(stop.into()),
                Err(why) => Err(Failure::Input(format!("{}: {why}", rules.name))),
            },
        }
    }

    /// The network; with `part`, within the part of the budget that grounding gets.
    fn net(&self, game: &Game, part: bool) -> Result<(Arc<Net>, Stages), NotGround> {
        let budget = match part {
            true => &self.session.grounding(),
            false => &self.session.budget(),
        };
        game.knowledge().ground(budget)?;
        let grounded = budget.seconds();
        let net = game.knowledge().net(budget)?;
        let stages = vec![("ground", grounded - self.start), ("net", budget.seconds() - grounded)];
        Ok((net, stages))
    }

    /// The reasoner; where it stands in for a network, `instead` says why there is none.
    fn interp(&self, game: &Game, instead: Option<&NotGround>) -> Result<Figures, Failure> {
        let rules = game.rules();
        let failure = |problem| match problem {
            Problem::Stopped(stop) => Failure::Stopped(stop),
            problem => Failure::Input(format!("{}: {problem}", rules.name)),
        };
        let grounding = self.session.grounding();
        // Where grounding was given up, proofs would be as well.
        let proofs = instead.is_none().then_some(&grounding);
        let seconds = grounding.allowed() / 2.0;
        let budget = self.session.budget();
        let (interp, _) = fastest(game.knowledge(), &budget, seconds, proofs).map_err(failure)?;
        let mut games = self.for_threads(interp);
        let mut figures = self.one_at_a_time(&mut games, Engine::Interp, Vec::new())?;
        figures.notes.extend(instead.map(without_network));
        let problem = games.iter_mut().find_map(|game| game.problem());
        problem.map_or(Ok(figures), |problem| Err(failure(problem)))
    }

    /// An engine for each thread.
    fn for_threads<G: Clone>(&self, game: G) -> Vec<G> {
        vec![game; self.args.threads as usize]
    }

    fn one_at_a_time<G: StateMachine + Send>(
        &self,
        games: &mut [G],
        engine: Engine,
        mut stages: Stages,
    ) -> Result<Figures, Failure> {
        let (args, budget) = (self.args, &self.session.budget());
        let before: f64 = stages.iter().map(|(_, seconds)| seconds).sum();
        stages.push(("engine", budget.seconds() - self.start - before));
        budget.begin("playing random matches", 0);
        let signature = signature(&mut games[0], args.seed, 4, args.bound.min(100), budget)?;
        let (start, wall) = (budget.seconds(), Instant::now());
        let tallies = on_threads(games, |thread, game| self.tally(game, thread, start));
        let stopped = tallies.iter().find_map(|t| t.1);
        Ok(Figures {
            engine,
            threads: args.threads,
            stages,
            seconds: budget.seconds() - start,
            wall: wall.elapsed().as_secs_f64(),
            tally: tallies.into_iter().map(|t| t.0).sum(),
            signature,
            notes: vec![],
            stopped,
            sliced: None,
        })
    }

    /// The matches of one thread, and the limit that ended them early.
    fn tally<G: StateMachine>(
        &self,
        game: &mut G,
        thread: u64,
        start: f64,
    ) -> (Tally, Option<Stop>) {
        let (args, budget) = (self.args, &self.session.budget());
        let mut random = Random::new(args.seed.wrapping_add(thread));
        let mut sums = Tally::default();
        let mut portion = self.share(thread).unwrap_or(1);
        loop {
            let played = tally(game, &mut random, portion, args.bound, budget, &mut sums);
            let seconds = budget.seconds() - start;
            if played.is_err() || args.playouts.is_some() || seconds >= self.limit() {
                return (sums, played.err());
            }
            // About a twentieth of the time between two looks at the clock.
            let share = self.limit() / 20.0 / seconds.max(1e-6);
            portion = ((sums.playouts as f64 * share) as u64).clamp(1, 2 * sums.playouts);
        }
    }

    /// The CPU seconds of all threads.
    fn limit(&self) -> f64 {
        self.args.seconds.as_secs_f64() * self.args.threads as f64
    }

    /// The matches that a thread plays, where their number is given.
    fn share(&self, thread: u64) -> Option<u64> {
        self.args.playouts.map(|n| (n + thread) / self.args.threads)
    }

    fn sliced(&self, net: Arc<Net>, mut stages: Stages) -> Result<Figures, Failure> {
        let (args, budget) = (self.args, &self.session.budget());
        let begin = budget.seconds();
        let mut sliced = Sliced::new(&net, Backend::best(), budget)?;
        sliced.bound = args.bound;
        stages.push(("code", budget.seconds() - begin));
        budget.begin("playing random matches", 0);
        let first = sliced.run(args.seed, 4096, budget)?;
        let note = match sliced.instead() {
            None => format!("{} lanes of {}", sliced.lanes(), sliced.backend()),
            Some(why) => format!("{} lanes of the portable back end: {why}", sliced.lanes()),
        };
        let made = json!({
            "backend": format!("{:?}", sliced.backend()),
            "instead": sliced.instead(),
            "lanes": sliced.lanes(),
            "phases": sliced.period(),
            "cells": sliced.size().cells,
            "code_bytes": sliced.size().code_bytes,
            "signature": format!("{:016x}", first.signature()),
        });
        let mut scalar = Scalar::within(net, budget)?;
        let signature = signature(&mut scalar, args.seed, 4, args.bound.min(100), budget)?;
        let (start, wall) = (budget.seconds(), Instant::now());
        let (totals, stopped) = self.totals(sliced, start)?;
        Ok(Figures {
            engine: Engine::Sliced,
            threads: args.threads,
            stages,
            seconds: budget.seconds() - start,
            wall: wall.elapsed().as_secs_f64(),
            tally: tally_of(&totals),
            signature,
            notes: vec![note],
            stopped,
            sliced: Some(made),
        })
    }

    /// The matches of the sliced machine on all threads, and the limit that ended them early.
    fn totals(&self, sliced: Sliced, start: f64) -> Result<(Totals, Option<Stop>), Stop> {
        let (args, budget) = (self.args, &self.session.budget());
        let play = |thread: u64, sliced: &mut Sliced| {
            let in_time = || args.playouts.is_some() || budget.seconds() - start < self.limit();
            let (mut looks, mut last) = (0_u32, None);
            let more = |totals: &Totals| {
                looks += 1;
                if looks.is_multiple_of(16) {
                    last = Some(totals.clone());
                }
                !looks.is_multiple_of(16) || in_time()
            };
            let share = self.share(thread).unwrap_or(u64::MAX);
            let done = sliced.run_while(args.seed.wrapping_add(thread), share, more, budget);
            match (done, last) {
                (Ok(totals), _) => Ok((totals, None)),
                (Err(stop), Some(last)) => Ok((last, Some(stop))),
                (Err(stop), None) => Err(stop),
            }
        };
        let mut all = on_threads(&mut self.for_threads(sliced), play).into_iter();
        let (mut sum, mut stopped) = all.next().expect("at least one thread")?;
        for one in all {
            let (totals, stop) = one?;
            sum.add(&totals);
            stopped = stopped.or(stop);
        }
        Ok((sum, stopped))
    }
}

/// What each thread makes of its engine.
fn on_threads<G: Send, T: Send>(games: &mut [G], play: impl Fn(u64, &mut G) -> T + Sync) -> Vec<T> {
    let play = &play;
    std::thread::scope(|scope| {
        let start = |(thread, game)| scope.spawn(move || play(thread, game));
        let threads: Vec<_> = (0..).zip(games).map(start).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    })
}

fn tally_of(totals: &Totals) -> Tally {
    let unfinished = totals.stuck + totals.overlong;
    let goals = (0..totals.goals.len())
        .map(|role| (totals.goal_sum(role), totals.goals[role].iter().map(|(_, n)| n).sum()));
    Tally {
        playouts: totals.playouts + unfinished,
        transitions: totals.transitions,
        unfinished,
        goals: goals.collect(),
    }
}

impl Figures {
    fn per_second(&self, n: u64) -> f64 {
        n as f64 / self.seconds.max(1e-9)
    }

    fn per_wall_second(&self) -> f64 {
        self.tally.transitions as f64 / self.wall.max(1e-9)
    }

    fn setup(&self) -> f64 {
        self.stages.iter().map(|(_, seconds)| seconds).sum()
    }

    fn json(&self, game: &str) -> Value {
        let stages: Map<String, Value> =
            self.stages.iter().map(|(stage, s)| (stage.to_string(), json!(s))).collect();
        let mut object = json!({
            "game": game,
            "engine": self.engine.to_string(),
            "threads": self.threads,
            "setup_seconds": self.setup(),
            "stages": stages,
            "peak_memory_mb": peak_memory(),
            "transitions_per_cpu_second": self.per_second(self.tally.transitions),
            "playouts_per_cpu_second": self.per_second(self.tally.playouts),
            "mean_length": self.tally.mean_length(),
            "mean_goals": self.tally.mean_goals(),
            "signature": self.signature,
            "transitions": self.tally.transitions,
            "playouts": self.tally.playouts,
            "unfinished": self.tally.unfinished,
            "cpu_seconds": self.seconds,
            "wall_seconds": self.wall,
            "transitions_per_wall_second": self.per_wall_second(),
            "notes": self.notes,
            "stopped": self.stopped.iter().map(|_| "playouts").collect::<Vec<_>>(),
        });
        if let Some(made) = &self.sliced {
            object["sliced"] = made.clone();
        }
        object
    }

    fn row(&self, game: &str) -> Vec<String> {
        let goal = |g: &Option<f64>| g.map_or(NONE.into(), |g| format!("{g:.1}"));
        let goals: Vec<String> = self.tally.mean_goals().iter().map(goal).collect();
        vec![
            game.into(),
            self.engine.to_string(),
            format!("{:.0}", self.per_second(self.tally.transitions)),
            format!("{:.0}", self.per_wall_second()),
            format!("{:.1}", self.per_second(self.tally.playouts)),
            format!("{:.2}", self.tally.mean_length()),
            goals.join(" "),
            format!("{:.3}", self.setup()),
            self.signature.chars().take(12).collect(),
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
