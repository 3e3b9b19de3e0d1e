//! What `bench`, `bench-frame` and `bench-symmetry` answer: how fast engines and searches are.

use crate::account::{Account, answers};
use crate::table::Table;
use indexmap::IndexMap;
use ludex::compile::Engine;
use ludex_search::solve::{Cost, Savings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How fast an engine plays random matches of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Speed {
    pub game: String,
    pub engine: Option<Engine>,
    pub threads: Option<u64>,
    /// CPU seconds before the first match.
    pub setup_seconds: Option<f64>,
    /// Those by stage.
    pub stages: IndexMap<String, f64>,
    pub peak_memory_mb: Option<f64>,
    pub transitions_per_cpu_second: Option<f64>,
    pub playouts_per_cpu_second: Option<f64>,
    pub mean_length: Option<f64>,
    /// By role, in role order.
    pub mean_goals: Vec<Option<f64>>,
    /// A digest of some matches, the same for every engine.
    pub signature: Option<String>,
    pub transitions: u64,
    pub playouts: u64,
    /// Matches that did not end.
    pub unfinished: u64,
    pub wall_seconds: f64,
    pub transitions_per_wall_second: Option<f64>,
    pub notes: Vec<String>,
    /// How the engine sliced is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sliced: Option<SlicedMade>,
    #[serde(flatten)]
    pub account: Account,
}

/// How the engine sliced is made, and the digest of its first matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlicedMade {
    pub backend: String,
    /// Why the portable back end stands in for machine code.
    pub instead: Option<String>,
    pub lanes: usize,
    pub phases: usize,
    pub cells: usize,
    pub code_bytes: usize,
    pub signature: String,
}

/// What translated frame rules gain in a full search to a depth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameSpeed {
    pub game: String,
    pub depth: Option<usize>,
    /// States, as often as paths lead to them.
    pub states: Option<u64>,
    pub seconds: Option<SearchSeconds>,
    pub translation_seconds: Option<TranslationSeconds>,
    /// The rules that the reasoner uses.
    pub used: Option<RulesUsed>,
    pub why: Option<String>,
    /// How many times as fast as with the original rules.
    pub gain: Option<f64>,
    #[serde(flatten)]
    pub account: Account,
}

/// CPU seconds of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchSeconds {
    pub original: f64,
    pub direct: f64,
    pub pruned: f64,
    /// On the network, where there is one.
    pub scalar: Option<f64>,
}

/// CPU seconds of the translations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TranslationSeconds {
    pub direct: f64,
    pub pruned: f64,
}

/// Which rules the reasoner uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RulesUsed {
    Original,
    Generic,
    Direct,
    Pruned,
}

/// What symmetries save a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymmetrySavings {
    pub game: String,
    pub depth: Option<usize>,
    /// Does the depth reach every end?
    pub whole: Option<bool>,
    /// The number of symmetries, as a decimal string.
    pub order: Option<String>,
    /// CPU seconds that it took to find them.
    pub finding_seconds: Option<f64>,
    /// Without symmetries.
    pub normal: Option<SearchCost>,
    /// One of symmetric moves is tried.
    pub moves: Option<SearchCost>,
    /// Symmetric states are recognised.
    pub states: Option<SearchCost>,
    /// The same until symmetries have cost more than they saved by a limit.
    pub limited: Option<SearchCost>,
    /// Did that limit switch them off?
    pub switched_off: Option<bool>,
    /// States of a match in each of which was searched.
    pub positions: Option<usize>,
    /// CPU seconds for an expansion, and for the symmetric states of a state.
    pub expansion_seconds: Option<f64>,
    pub symmetric_seconds: Option<f64>,
    #[serde(flatten)]
    pub account: Account,
}

/// What a search costs, and the shares that symmetries save.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchCost {
    pub states: u64,
    pub cpu_seconds: f64,
    pub saved_states: f64,
    pub saved_time: f64,
}

answers!(Speed, FrameSpeed, SymmetrySavings);

impl Speed {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Speed {
        let account = Account::unknown(&[
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
        Speed { game: game.into(), account, ..Speed::default() }
    }

    /// A table of several.
    pub fn table(all: &[Speed]) -> Table {
        let right = ["transitions/s", "on the clock", "playouts/s", "length", "setup"];
        let mut header = vec!["game", "engine"];
        header.extend([&right[..4], &["goals", "setup", "signature"]].concat());
        let mut table = Table::new(&header, &right);
        all.iter().for_each(|speed| table.row(speed.cells()));
        table
    }

    fn cells(&self) -> [String; 9] {
        let number = |n: Option<f64>, digits: usize| format!("{:.digits$}", n.unwrap_or(0.0));
        let goal = |g: &Option<f64>| g.map_or("none".into(), |g| format!("{g:.1}"));
        let goals: Vec<String> = self.mean_goals.iter().map(goal).collect();
        [
            self.game.clone(),
            self.engine.map_or("stopped".into(), |engine| engine.to_string()),
            number(self.transitions_per_cpu_second, 0),
            number(self.transitions_per_wall_second, 0),
            number(self.playouts_per_cpu_second, 1),
            number(self.mean_length, 2),
            goals.join(" "),
            number(self.setup_seconds, 3),
            self.signature.iter().flat_map(|s| s.chars()).take(12).collect(),
        ]
    }
}

impl FrameSpeed {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> FrameSpeed {
        let account = Account::unknown(&["depth", "states", "seconds", "used", "why", "gain"]);
        FrameSpeed { game: game.into(), account, ..FrameSpeed::default() }
    }

    /// A table of several.
    pub fn table(all: &[FrameSpeed]) -> Table {
        let header = ["game", "depth", "states", "O", "XD", "XP", "scalar", "used", "gain"];
        let mut table = Table::new(&header, &header[1..]);
        all.iter().for_each(|speed| table.row(speed.cells()));
        table
    }

    fn cells(&self) -> [String; 9] {
        let seconds = |s: f64| format!("{s:.2}");
        let times = self.seconds.clone().unwrap_or_default();
        [
            self.game.clone(),
            self.depth.unwrap_or(0).to_string(),
            self.states.unwrap_or(0).to_string(),
            seconds(times.original),
            seconds(times.direct),
            seconds(times.pruned),
            times.scalar.map_or("stopped".into(), seconds),
            self.used.map_or("stopped".into(), |used| used.to_string()),
            seconds(self.gain.unwrap_or(0.0)),
        ]
    }
}

impl SymmetrySavings {
    pub fn of(game: &str, found: &Savings, account: Account) -> SymmetrySavings {
        let cost = |c: &Cost| {
            let (saved_states, saved_time) = c.saved(&found.normal);
            let (states, cpu_seconds) = (c.states, c.seconds);
            Some(SearchCost { states, cpu_seconds, saved_states, saved_time })
        };
        SymmetrySavings {
            game: game.into(),
            depth: Some(found.depth),
            whole: Some(found.whole),
            order: Some(found.order.to_string()),
            finding_seconds: Some(found.finding),
            normal: cost(&found.normal),
            moves: cost(&found.moves),
            states: cost(&found.states),
            limited: cost(&found.limited),
            switched_off: Some(found.switched_off),
            positions: Some(found.positions),
            expansion_seconds: Some(found.expand),
            symmetric_seconds: Some(found.symmetric),
            account,
        }
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> SymmetrySavings {
        let account =
            Account::unknown(&["depth", "whole", "order", "normal", "moves", "states", "limited"]);
        SymmetrySavings { game: game.into(), account, ..SymmetrySavings::default() }
    }

    /// A table of several.
    pub fn table(all: &[SymmetrySavings]) -> Table {
        let header = [
            "game",
            "symmetries",
            "depth",
            "states",
            "seconds",
            "moves: states",
            "seconds",
            "saved",
            "time",
            "states: states",
            "seconds",
            "saved",
            "time",
            "rule: seconds",
            "time",
            "t_exp µs",
            "t_sym µs",
        ];
        let mut table = Table::new(&header, &header[1..]);
        all.iter().for_each(|savings| table.row(savings.cells()));
        table
    }

    fn cells(&self) -> Vec<String> {
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        let whole = if self.whole == Some(true) { " (all)" } else { "" };
        let depth = format!("{}{whole}", self.depth.unwrap_or(0));
        let normal = self.normal.clone().unwrap_or_default();
        let mut row = vec![self.game.clone(), self.short_order(), depth];
        row.push(normal.states.to_string());
        row.push(format!("{:.2}", normal.cpu_seconds));
        for cost in [&self.moves, &self.states].into_iter().flatten() {
            row.push(cost.states.to_string());
            row.push(format!("{:.2}", cost.cpu_seconds));
            row.extend([percent(cost.saved_states), percent(cost.saved_time)]);
        }
        let limited = self.limited.clone().unwrap_or_default();
        let off = if self.switched_off == Some(true) { " (off)" } else { "" };
        row.push(format!("{:.2}{off}", limited.cpu_seconds));
        row.push(percent(limited.saved_time));
        for seconds in [self.expansion_seconds, self.symmetric_seconds] {
            row.push(format!("{:.2}", 1e6 * seconds.unwrap_or(0.0)));
        }
        row
    }

    /// The number of symmetries, the powers of ten of large ones.
    fn short_order(&self) -> String {
        let digits = self.order.clone().unwrap_or_default();
        match digits.len() {
            0..8 => digits,
            n => format!("{}.{}e{}", &digits[..1], &digits[1..2], n - 1),
        }
    }
}

impl fmt::Display for RulesUsed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            RulesUsed::Original => "original",
            RulesUsed::Generic => "generic",
            RulesUsed::Direct => "direct",
            RulesUsed::Pruned => "pruned",
        })
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", Speed::table(std::slice::from_ref(self)))
    }
}

impl fmt::Display for FrameSpeed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", FrameSpeed::table(std::slice::from_ref(self)))
    }
}

impl fmt::Display for SymmetrySavings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", SymmetrySavings::table(std::slice::from_ref(self)))
    }
}
