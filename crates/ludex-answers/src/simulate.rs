//! What `simulate` answers: random matches and what they tell of a game.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::status::ByRole;
use crate::table::Table;
use ludex::Game;
use ludex::compile::{Compiled, Engine, Means, Refusal};
use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::{End, Playout, Random};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Random matches: average length, number of legal moves, goals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RandomMatches {
    pub game: String,
    pub engine: Option<Engine>,
    /// Matches that were played.
    pub matches: u64,
    pub mean_length: Option<f64>,
    pub shortest: Option<usize>,
    pub longest: usize,
    /// The mean number of legal moves.
    pub branching: ByRole<Option<f64>>,
    pub mean_goals: ByRole<Option<f64>>,
    /// Matches that met the bound.
    pub cut: u64,
    /// Matches that ended where a role has no legal move.
    pub stuck: u64,
    pub seed: u64,
    #[serde(flatten)]
    pub account: Account,
}

answers!(RandomMatches);

/// Which matches are played.
#[derive(Clone, Copy)]
pub struct MatchPlan {
    pub matches: u64,
    pub seed: u64,
    /// The most joint moves of a match.
    pub bound: usize,
}

impl RandomMatches {
    pub fn of(
        game: &Game,
        wish: Option<Engine>,
        means: Means,
        plan: MatchPlan,
    ) -> Result<RandomMatches, Unanswered> {
        let budget = means.whole;
        let meter = Meter::new(game, budget);
        let mut compiled = game.compile(wish, means)?;
        let sums = simulate(&mut compiled, plan, budget)?;
        let by_role = |value: &dyn Fn(&RoleSums) -> Option<f64>| -> ByRole<Option<f64>> {
            sums.roles.iter().map(|role| (role.name.clone(), value(role))).collect()
        };
        Ok(RandomMatches {
            game: game.name().into(),
            engine: Some(compiled.engine),
            matches: sums.matches,
            mean_length: mean(sums.steps as f64, sums.matches),
            shortest: sums.shortest,
            longest: sums.longest,
            branching: by_role(&|role| mean(role.choices as f64, sums.steps)),
            mean_goals: by_role(&|role| mean(role.goals as f64, role.valued)),
            cut: sums.cut,
            stuck: sums.stuck,
            seed: plan.seed,
            account: meter.account().cut_if(&["matches"], sums.stopped),
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> RandomMatches {
        let parts = ["engine", "matches", "mean_length", "branching", "mean_goals"];
        let account = Account::unknown(&parts);
        RandomMatches { game: game.into(), account, ..RandomMatches::default() }
    }
}

fn simulate(compiled: &mut Compiled, plan: MatchPlan, budget: &Budget) -> Result<Sums, Refusal> {
    let mut random = Random::new(plan.seed);
    let roles = compiled.roles()?.into_iter().map(RoleSums::new).collect();
    let mut sums = Sums { roles, ..Sums::default() };
    budget.begin("matches", plan.matches);
    for _ in 0..plan.matches {
        match compiled.walk(|walks| walks.playout(&mut random, plan.bound, budget))? {
            Ok(playout) => sums.add(&playout),
            Err(stop) => {
                sums.stopped = Some(stop);
                break;
            }
        }
        budget.advance(1);
    }
    Ok(sums)
}

/// Sums over matches.
#[derive(Default)]
struct Sums {
    matches: u64,
    steps: u64,
    shortest: Option<usize>,
    longest: usize,
    cut: u64,
    stuck: u64,
    roles: Vec<RoleSums>,
    stopped: Option<Stop>,
}

struct RoleSums {
    name: String,
    choices: u64,
    /// Matches with a goal value at a terminal state, and the sum of the values.
    valued: u64,
    goals: i64,
}

impl RoleSums {
    fn new(name: String) -> RoleSums {
        RoleSums { name, choices: 0, valued: 0, goals: 0 }
    }
}

impl Sums {
    fn add(&mut self, playout: &Playout<()>) {
        let length = playout.moves.len();
        self.matches += 1;
        self.steps += length as u64;
        self.shortest = Some(self.shortest.map_or(length, |s| s.min(length)));
        self.longest = self.longest.max(length);
        self.cut += u64::from(playout.end == End::Steps);
        self.stuck += u64::from(matches!(playout.end, End::Stuck(_)));
        let per_role = playout.choices.iter().zip(&playout.goals);
        for (sums, (choices, goal)) in self.roles.iter_mut().zip(per_role) {
            sums.choices += choices;
            if let (End::Terminal, Some(goal)) = (playout.end, goal) {
                sums.valued += 1;
                sums.goals += i64::from(*goal);
            }
        }
    }
}

fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}

fn text(number: Option<f64>) -> String {
    number.map_or("none".into(), |n| format!("{n:.2}"))
}

impl fmt::Display for RandomMatches {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.game)?;
        let (shortest, longest) = (self.shortest.unwrap_or(0), self.longest);
        let (matches, length) = (self.matches, text(self.mean_length));
        writeln!(f, "{matches} matches, mean length {length} ({shortest} to {longest})")?;
        if !self.account.complete {
            writeln!(f, "further matches: stopped")?;
        }
        if self.cut > 0 {
            writeln!(f, "{} matches were cut at the bound", self.cut)?;
        }
        if self.stuck > 0 {
            writeln!(f, "{} matches ended where a role has no legal move", self.stuck)?;
        }
        let header = ["role", "legal moves", "mean goal"];
        let mut table = Table::new(&header, &header[1..]);
        for ((role, moves), goal) in self.branching.iter().zip(self.mean_goals.values()) {
            table.row([role.clone(), text(*moves), text(*goal)]);
        }
        write!(f, "{table}")?;
        let engine = self.engine.map_or("stopped".into(), |engine| engine.to_string());
        writeln!(f, "engine {engine}, {:.2} CPU seconds", self.account.cpu_seconds)
    }
}
