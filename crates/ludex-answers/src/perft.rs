//! What `perft` answers: how many joint-move paths of every length there are.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::status::is_false;
use crate::table::Table;
use ludex::Game;
use ludex::compile::{Engine, Means};
use ludex_machine::paths;
use ludex_reason::Cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of joint-move paths by their length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PathCounts {
    pub game: String,
    pub engine: Option<Engine>,
    /// Paths, by depth.
    pub perft: Vec<u64>,
    /// Those that end in a terminal state.
    pub terminals: Vec<u64>,
    /// The different states that they lead to.
    pub states: Vec<u64>,
    /// Paths that end where a role has no legal move.
    pub stuck: Option<u64>,
    /// The next depth has more paths than fit in 64 bits.
    #[serde(default, skip_serializing_if = "is_false")]
    pub overflow: bool,
    #[serde(flatten)]
    pub account: Account,
    /// Why it is this engine.
    pub why: Option<String>,
}

answers!(PathCounts);

impl PathCounts {
    /// To a depth; with `past_terminal` through terminal states, as long as every role has a move.
    pub fn of(
        game: &Game,
        wish: Option<Engine>,
        means: Means,
        depth: usize,
        past_terminal: bool,
    ) -> Result<PathCounts, Unanswered> {
        let budget = means.whole;
        let meter = Meter::new(game, budget);
        let batch = match wish {
            // Where there is none, another engine says why it is that one.
            None => game.batch(means.grounding).ok(),
            Some(Engine::Sliced) => Some(game.batch(budget)?.without_scalar()),
            Some(_) => None,
        };
        let (engine, why, counts) = match batch {
            Some(mut batch) => {
                (Engine::Sliced, batch.why(), paths(&mut batch, depth, past_terminal, budget))
            }
            None => {
                let mut compiled = game.compile(wish, means)?;
                let counts = compiled.walk(|walks| walks.perft(depth, past_terminal, budget))?;
                (compiled.engine, compiled.why, counts)
            }
        };
        let stop = match counts.cut {
            Some(Cut::Stop(stop)) => Some(stop),
            _ => None,
        };
        Ok(PathCounts {
            game: game.name().into(),
            engine: Some(engine),
            overflow: matches!(counts.cut, Some(Cut::Overflow)),
            perft: counts.paths,
            terminals: counts.terminals,
            states: counts.states,
            stuck: Some(counts.stuck),
            account: meter.account().cut_if(&["perft"], stop),
            why: Some(why),
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> PathCounts {
        let account = Account::unknown(&["engine", "perft", "terminals", "states", "stuck", "why"]);
        PathCounts { game: game.into(), account, ..PathCounts::default() }
    }
}

impl fmt::Display for PathCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let header = ["depth", "paths", "terminal", "states"];
        let mut table = Table::new(&header, &header);
        let columns = self.perft.iter().zip(&self.terminals).zip(&self.states);
        for (depth, ((paths, terminals), states)) in columns.enumerate() {
            table.row([depth as u64, *paths, *terminals, *states]);
        }
        write!(f, "{}\n{table}", self.game)?;
        if !self.account.complete {
            writeln!(f, "depth {}: stopped", self.perft.len())?;
        }
        if let Some(stuck) = self.stuck.filter(|stuck| *stuck > 0) {
            writeln!(f, "{stuck} paths end where a role has no legal move")?;
        }
        let engine = self.engine.map_or("stopped".into(), |engine| engine.to_string());
        writeln!(f, "engine {engine}, {:.2} CPU seconds", self.account.cpu_seconds)
    }
}
