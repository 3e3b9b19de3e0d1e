//! `ludex simulate`: random matches and what they tell of a game.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::{NONE, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::budget::Stop;
use ludex::compile::Job;
use ludex::reason::{End, Playout, Random, StateMachine, playout};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Play random matches: average length, number of legal moves, goals.
#[derive(clap::Args)]
#[command(after_help = "\
If a limit stops the matches, the figures of those that were played are printed.

Examples:
  ludex simulate tictactoe --matches 1000 --seed 1
  ludex simulate tictactoe --matches 100000 --time-limit 10 --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The number of matches.
    #[arg(long, short = 'n', default_value_t = 100)]
    matches: u64,
    /// The same seed gives the same matches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End a match after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000)]
    bound: usize,
    #[command(flatten)]
    engine: EngineArg,
}

const PLAN: Plan = Plan::long(&[
    "engine",
    "matches",
    "mean_length",
    "shortest",
    "longest",
    "branching",
    "mean_goals",
    "cut",
    "stuck",
]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| simulate(game, args, session))
}

fn simulate(game: &str, args: &Args, session: &Session) -> Outcome {
    let start = session.budget().seconds();
    let mut compiled = args.engine.compile(game, session)?;
    let figures = compiled.run(Simulate { args, session })?;
    let seconds = session.budget().seconds() - start;
    let (name, engine) = (&compiled.rules.name, compiled.engine);
    let object = || {
        let mut object = figures.json();
        let mut named = json!({"game": name, "engine": engine.to_string()});
        let all = named.as_object_mut().expect("an object");
        all.append(object.as_object_mut().expect("an object"));
        all.insert("seed".into(), json!(args.seed));
        all.insert("cpu_seconds".into(), json!(seconds));
        named
    };
    let print = |session: &Session| {
        writeln!(session.out(), "{name}")?;
        figures.print(session)?;
        Ok(writeln!(session.out(), "engine {engine}, {seconds:.2} CPU seconds")?)
    };
    session.tell(&(object, print))?;
    figures.stopped.map_or(Ok(()), |stop| Err(Failure::Stopped(stop)))
}

struct Simulate<'a> {
    args: &'a Args,
    session: &'a Session,
}

impl Job for Simulate<'_> {
    type Answer = Figures;

    fn run<G: StateMachine>(self, game: &mut G) -> Figures {
        let budget = &self.session.budget();
        let mut random = Random::new(self.args.seed);
        let roles = (0..game.roles()).map(|role| RoleFigures::new(game.role_text(role))).collect();
        let mut figures = Figures { roles, ..Figures::default() };
        budget.begin("matches", self.args.matches);
        for _ in 0..self.args.matches {
            match playout(game, &mut random, self.args.bound, budget) {
                Ok(playout) => figures.add(&playout),
                Err(stop) => {
                    figures.stopped = Some(stop);
                    break;
                }
            }
            budget.advance(1);
        }
        figures
    }
}

/// Sums over matches.
#[derive(Default)]
struct Figures {
    matches: u64,
    steps: u64,
    shortest: Option<usize>,
    longest: usize,
    /// Matches that met the bound, and that left a role without a move.
    cut: u64,
    stuck: u64,
    roles: Vec<RoleFigures>,
    stopped: Option<Stop>,
}

struct RoleFigures {
    name: String,
    choices: u64,
    /// Matches with a goal value at a terminal state, and the sum of the values.
    valued: u64,
    goals: i64,
}

impl RoleFigures {
    fn new(name: String) -> RoleFigures {
        RoleFigures { name, choices: 0, valued: 0, goals: 0 }
    }
}

impl Figures {
    fn add<S>(&mut self, playout: &Playout<S>) {
        let length = playout.moves.len();
        self.matches += 1;
        self.steps += length as u64;
        self.shortest = Some(self.shortest.map_or(length, |s| s.min(length)));
        self.longest = self.longest.max(length);
        self.cut += u64::from(playout.end == End::Steps);
        self.stuck += u64::from(matches!(playout.end, End::Stuck(_)));
        let per_role = playout.choices.iter().zip(&playout.goals);
        for (figures, (choices, goal)) in self.roles.iter_mut().zip(per_role) {
            figures.choices += choices;
            if let (End::Terminal, Some(goal)) = (playout.end, goal) {
                figures.valued += 1;
                figures.goals += i64::from(*goal);
            }
        }
    }

    fn json(&self) -> Value {
        let named = |value: &dyn Fn(&RoleFigures) -> Option<f64>| {
            let pairs = self.roles.iter().map(|role| (role.name.clone(), json!(value(role))));
            pairs.collect::<Map<_, _>>()
        };
        json!({
            "matches": self.matches,
            "mean_length": mean(self.steps as f64, self.matches),
            "shortest": self.shortest,
            "longest": self.longest,
            "branching": named(&|role| mean(role.choices as f64, self.steps)),
            "mean_goals": named(&|role| mean(role.goals as f64, role.valued)),
            "cut": self.cut,
            "stuck": self.stuck,
            "complete": self.stopped.is_none(),
            "stopped": self.stopped.iter().map(|_| "matches").collect::<Vec<_>>(),
        })
    }

    fn print(&self, session: &Session) -> Outcome {
        let mut out = session.out();
        let (shortest, longest) = (self.shortest.unwrap_or(0), self.longest);
        let length = text(mean(self.steps as f64, self.matches));
        writeln!(out, "{} matches, mean length {length} ({shortest} to {longest})", self.matches)?;
        if self.stopped.is_some() {
            writeln!(out, "further matches: {STOPPED}")?;
        }
        if self.cut > 0 {
            writeln!(out, "{} matches were cut at the bound", self.cut)?;
        }
        if self.stuck > 0 {
            writeln!(out, "{} matches ended where a role has no legal move", self.stuck)?;
        }
        drop(out);
        let mut table =
            session.table(&["role", "legal moves", "mean goal"], &["legal moves", "mean goal"]);
        for role in &self.roles {
            let moves = text(mean(role.choices as f64, self.steps));
            table.add_row([role.name.clone(), moves, text(mean(role.goals as f64, role.valued))]);
        }
        session.print_table(&table)
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

fn text(number: Option<f64>) -> String {
    number.map_or(NONE.into(), |n| format!("{n:.2}"))
}
