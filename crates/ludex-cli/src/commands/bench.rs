//! `ludex bench`: how fast an engine plays a game.

use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::budget::Stop;
use ludex::compile::{Engine, without_network};
use ludex::frame::fastest;
use ludex::ground::NotGround;
use ludex::interp::{Interp, Problem};
use ludex::machine::Scalar;
use ludex::machine::sliced::{Backend, Sliced, Totals};
use ludex::net::Net;
use ludex::reason::{Random, Tally, Walks};
use ludex_answers::{Meter, SlicedMade, Speed};
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
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = crate::limits::time)]
    seconds: Duration,
    /// Play exactly this many matches instead.
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Threads that play at the same time, each with an engine of its own.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// The seed for chance.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Cut a match short after this many joint moves.
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
    sliced: Option<SlicedMade>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut rows = Vec::new();
    session.answer_each(&args.games, LONG, Speed::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        let meter = Meter::new(&game, &budget);
        let bench = Bench { args, session, start: budget.seconds() };
        let speed = bench.figures(&game)?.speed(&game, &meter);
        if session.json {
            return session.give(speed);
        }
        let ending = Failure::of_account(&speed.account);
        rows.push(speed);
        session.add_row(told(&rows, args.threads))?;
        ending
    })
}

/// The speed of the fastest engine, measured on one thread for so many CPU seconds.
pub fn measured(game: &Game, session: &Session, seconds: f64) -> Result<Speed, Failure> {
    let args = Args {
        games: vec![],
        engine: None,
        seconds: Duration::from_secs_f64(seconds),
        playouts: None,
        threads: 1,
        seed: 1,
        bound: 10_000,
    };
    let budget = session.budget();
    let meter = Meter::new(game, &budget);
    let bench = Bench { args: &args, session, start: budget.seconds() };
    Ok(bench.figures(game)?.speed(game, &meter))
}

/// The table of all games so far, and what the user should know of them.
fn told(rows: &[Speed], threads: u64) -> String {
    let note = |row: &Speed| -> String {
        row.notes.iter().map(|note| format!("{}: {note}\n", row.game)).collect()
    };
    let plural = if threads == 1 { "thread" } else { "threads" };
    let line = "per CPU second, transitions also per second of the clock; setup in CPU seconds";
    let notes: String = rows.iter().map(note).collect();
    format!("{}{threads} {plural}; {line}\n{notes}", Speed::table(rows))
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
                    let walks = games.iter_mut().map(Scalar::walks).collect();
                    self.one_at_a_time(walks, Engine::Scalar, stages)
                }
                Ok((net, stages)) => self.sliced(net, stages),
                Err(why) if wish.is_none() => self.interp(game, Some(&why)),
                Err(NotGround::Stopped(stop)) => Err(stop.into()),
                Err(why) => Err(Failure::input("no-network", format!("{}: {why}", rules.name))),
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
            problem => Failure::input("rules-cannot-run", format!("{}: {problem}", rules.name)),
        };
        let grounding = self.session.grounding();
        // Where grounding was given up, proofs would be as well.
        let proofs = instead.is_none().then_some(&grounding);
        let seconds = grounding.allowed() / 2.0;
        let budget = self.session.budget();
        let (interp, _) = fastest(game.knowledge(), &budget, seconds, proofs).map_err(failure)?;
        let mut games = self.for_threads(interp);
        let walks = games.iter_mut().map(Interp::walks).collect();
        let mut figures = self.one_at_a_time(walks, Engine::Interp, Vec::new())?;
        figures.notes.extend(instead.map(without_network));
        let problem = games.iter_mut().find_map(|game| game.problem());
        problem.map_or(Ok(figures), |problem| Err(failure(problem)))
    }

    /// An engine for each thread.
    fn for_threads<G: Clone>(&self, game: G) -> Vec<G> {
        vec![game; self.args.threads as usize]
    }

    fn one_at_a_time(
        &self,
        mut games: Vec<&mut dyn Walks>,
        engine: Engine,
        mut stages: Stages,
    ) -> Result<Figures, Failure> {
        let (args, budget) = (self.args, &self.session.budget());
        let before: f64 = stages.iter().map(|(_, seconds)| seconds).sum();
        stages.push(("engine", budget.seconds() - self.start - before));
        budget.begin("playing random matches", 0);
        let signature = games[0].signature(args.seed, 4, args.bound.min(100), budget)?;
        let (start, wall) = (budget.seconds(), Instant::now());
        let tallies = on_threads(&mut games, |thread, game| self.tally(*game, thread, start));
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
    fn tally(&self, game: &mut dyn Walks, thread: u64, start: f64) -> (Tally, Option<Stop>) {
        let (args, budget) = (self.args, &self.session.budget());
        let mut random = Random::new(args.seed.wrapping_add(thread));
        let mut sums = Tally::default();
        let mut portion = self.share(thread).unwrap_or(1);
        loop {
            let played = game.tally(&mut random, portion, args.bound, budget, &mut sums);
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
        let made = SlicedMade {
            backend: format!("{:?}", sliced.backend()),
            instead: sliced.instead().map(|why| why.to_string()),
            lanes: sliced.lanes(),
            phases: sliced.period(),
            cells: sliced.size().cells,
            code_bytes: sliced.size().code_bytes,
            signature: format!("{:016x}", first.signature()),
        };
        let mut scalar = Scalar::within(net, budget)?;
        let signature = scalar.walks().signature(args.seed, 4, args.bound.min(100), budget)?;
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
            let mut more = |totals: &Totals| {
                looks += 1;
                if looks.is_multiple_of(16) {
                    last = Some(totals.clone());
                }
                !looks.is_multiple_of(16) || in_time()
            };
            let share = self.share(thread).unwrap_or(u64::MAX);
            let done = sliced.run_while(args.seed.wrapping_add(thread), share, &mut more, budget);
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
    fn speed(self, game: &Game, meter: &Meter) -> Speed {
        let per_second = |n: u64| Some(n as f64 / self.seconds.max(1e-9));
        let Tally { playouts, transitions, unfinished, .. } = self.tally;
        let mut notes = self.notes;
        notes.extend(self.tally.remark());
        if self.stopped.is_some() {
            notes.push(format!("stopped: measured in {:.1} CPU seconds only", self.seconds));
        }
        let mut account = meter.account().cut_if(&["playouts"], self.stopped);
        // The matches alone: setting up has a key of its own.
        account.cpu_seconds = self.seconds;
        Speed {
            game: game.name().into(),
            engine: Some(self.engine),
            threads: Some(self.threads),
            setup_seconds: Some(self.stages.iter().map(|(_, seconds)| seconds).sum()),
            stages: self.stages.iter().map(|(stage, s)| (stage.to_string(), *s)).collect(),
            peak_memory_mb: peak_memory(),
            transitions_per_cpu_second: per_second(transitions),
            playouts_per_cpu_second: per_second(playouts),
            mean_length: Some(self.tally.mean_length()),
            mean_goals: self.tally.mean_goals(),
            signature: Some(self.signature),
            transitions,
            playouts,
            unfinished,
            wall_seconds: self.wall,
            transitions_per_wall_second: Some(transitions as f64 / self.wall.max(1e-9)),
            notes,
            sliced: self.sliced,
            account,
        }
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
