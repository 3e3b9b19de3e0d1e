//! What `match` and `play` answer: records of matches, and who is the better player.

use crate::account::{Account, answers};
use crate::status::ByRole;
use crate::table::Table;
use ludex::play::{Record, Seated, Standing, elo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A series of matches, and what the players came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchSeries {
    pub game: String,
    /// Matches that were played, with those that are read from files.
    pub matches: usize,
    /// Matches that were aborted; they are not counted.
    pub aborted: usize,
    pub standings: Vec<PlayerStanding>,
    pub records: Vec<RecordPlace>,
    #[serde(flatten)]
    pub account: Account,
}

/// A record, or the file that it is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RecordPlace {
    File(String),
    Record(Box<MatchRecord>),
}

/// What a player came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerStanding {
    pub player: String,
    pub matches: u64,
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// The share of points, with the interval of 95 %.
    pub score: Option<f64>,
    pub score_low: Option<f64>,
    pub score_high: Option<f64>,
    pub elo: Option<f64>,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
    pub mean_goal: Option<f64>,
    pub goal_spread: Option<f64>,
    /// Moves that were late, missing or illegal.
    pub faults: u64,
    /// The Elo numbers as people read them.
    #[serde(skip)]
    pub elo_text: String,
}

/// A match, with the keys that game servers use, and a few of our own at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchRecord {
    pub match_id: String,
    pub random_token: String,
    /// Milliseconds since 1970.
    pub start_time: u64,
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    pub is_completed: bool,
    pub is_aborted: bool,
    #[serde(default)]
    pub states: Vec<String>,
    pub moves: Vec<Vec<String>>,
    #[serde(default)]
    pub state_times: Vec<u64>,
    pub errors: Vec<Vec<String>>,
    pub goal_values: Vec<Option<i32>>,
    #[serde(default)]
    pub preview_clock: u64,
    pub start_clock: ClockSeconds,
    pub play_clock: ClockSeconds,
    pub player_names_from_host: Vec<String>,
    pub is_player_human: Vec<bool>,
    #[serde(default)]
    pub tournament_name_from_host: String,
    pub scrambled: bool,
    pub roles: Vec<String>,
    pub start_errors: Vec<String>,
    pub aborted_because: Option<String>,
}

/// Seconds; whole ones as whole numbers, as servers write them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ClockSeconds {
    Whole(u64),
    Part(f64),
}

/// A match that a person has played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMatch {
    pub roles: Vec<String>,
    pub moves: Vec<Vec<String>>,
    /// Did it come to its end?
    pub terminal: bool,
    pub goals: ByRole<Option<i32>>,
    /// Why it was ended before.
    pub aborted: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(MatchSeries, PlayedMatch);

impl MatchSeries {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> MatchSeries {
        let account = Account::unknown(&["matches", "standings", "records"]);
        MatchSeries { game: game.into(), account, ..MatchSeries::default() }
    }
}

impl PlayerStanding {
    pub fn of(s: &Standing) -> PlayerStanding {
        let elo = |score: f64| Some(elo(score)).filter(|e| e.is_finite());
        let (low, high) = s.interval().unzip();
        PlayerStanding {
            player: s.player.clone(),
            matches: s.matches,
            won: s.wins,
            drawn: s.draws,
            lost: s.losses,
            score: s.score(),
            score_low: low,
            score_high: high,
            elo: s.score().and_then(elo),
            elo_low: low.and_then(elo),
            elo_high: high.and_then(elo),
            mean_goal: s.mean_goal(),
            goal_spread: s.goal_spread(),
            faults: s.faults,
            elo_text: s.elo_text(),
        }
    }

    fn cells(&self) -> [String; 10] {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let none = || "none".to_string();
        let interval = self.score_low.zip(self.score_high);
        let between =
            |(low, high): (f64, f64)| format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high);
        let goal = match (self.mean_goal, self.goal_spread) {
            (Some(goal), Some(spread)) => format!("{goal:.1} ± {spread:.1}"),
            (goal, _) => goal.map_or_else(none, |goal| format!("{goal:.1}")),
        };
        [
            self.player.clone(),
            self.matches.to_string(),
            self.won.to_string(),
            self.drawn.to_string(),
            self.lost.to_string(),
            self.score.map_or_else(none, percent),
            interval.map_or_else(none, between),
            self.elo_text.clone(),
            goal,
            self.faults.to_string(),
        ]
    }
}

impl From<f64> for ClockSeconds {
    fn from(seconds: f64) -> ClockSeconds {
        match seconds.fract() == 0.0 {
            true => ClockSeconds::Whole(seconds as u64),
            false => ClockSeconds::Part(seconds),
        }
    }
}

impl Default for ClockSeconds {
    fn default() -> ClockSeconds {
        ClockSeconds::Whole(0)
    }
}

impl ClockSeconds {
    fn seconds(self) -> f64 {
        match self {
            ClockSeconds::Whole(seconds) => seconds as f64,
            ClockSeconds::Part(seconds) => seconds,
        }
    }
}

impl MatchRecord {
    pub fn of(record: &Record) -> MatchRecord {
        let seats = || record.seats.iter();
        let state = |facts: &Vec<String>| format!("( {} )", facts.join(" "));
        MatchRecord {
            match_id: record.id.clone(),
            random_token: record.token.clone(),
            start_time: record.start_time,
            game_meta_url: record.game.clone(),
            is_completed: record.completed,
            is_aborted: record.aborted.is_some(),
            states: record.states.iter().map(state).collect(),
            moves: record.moves.clone(),
            state_times: record.state_times.clone(),
            errors: record.errors.clone(),
            goal_values: record.goals.clone(),
            preview_clock: 0,
            start_clock: record.start_clock.into(),
            play_clock: record.play_clock.into(),
            player_names_from_host: seats().map(|s| s.player.clone()).collect(),
            is_player_human: seats().map(|s| s.human).collect(),
            tournament_name_from_host: String::new(),
            scrambled: record.scrambled,
            roles: seats().map(|s| s.role.clone()).collect(),
            start_errors: record.errors_at_start.clone(),
            aborted_because: record.aborted.clone(),
        }
    }

    /// What a series counts: all but the states.
    pub fn record(&self) -> Record {
        let seats = self.roles.iter().zip(&self.player_names_from_host).zip(&self.is_player_human);
        let seated = |((role, player), human): ((&String, &String), &bool)| Seated {
            role: role.clone(),
            player: player.clone(),
            human: *human,
        };
        Record {
            id: self.match_id.clone(),
            token: self.random_token.clone(),
            game: self.game_meta_url.clone(),
            start_time: self.start_time,
            seats: seats.map(seated).collect(),
            start_clock: self.start_clock.seconds(),
            play_clock: self.play_clock.seconds(),
            scrambled: self.scrambled,
            completed: self.is_completed,
            aborted: self.aborted_because.clone(),
            states: vec![],
            state_times: vec![],
            moves: self.moves.clone(),
            errors: self.errors.clone(),
            errors_at_start: self.start_errors.clone(),
            goals: self.goal_values.clone(),
        }
    }
}

impl PlayedMatch {
    pub fn of(record: &Record, account: Account) -> PlayedMatch {
        let goals = record.goals.iter().copied().chain(std::iter::repeat(None));
        let roles = || record.seats.iter().map(|seat| seat.role.clone());
        PlayedMatch {
            roles: roles().collect(),
            moves: record.moves.clone(),
            terminal: record.completed,
            goals: roles().zip(goals).collect(),
            aborted: record.aborted.clone(),
            account,
        }
    }
}

/// A table, where there is more than one match.
impl fmt::Display for MatchSeries {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.records.len() < 2 {
            return Ok(());
        }
        let header =
            ["player", "matches", "won", "drawn", "lost", "score", "95 %", "Elo", "goal", "faults"];
        let right = ["matches", "won", "drawn", "lost", "score", "goal", "faults"];
        let mut table = Table::new(&header, &right);
        self.standings.iter().for_each(|standing| table.row(standing.cells()));
        write!(f, "\n{table}")?;
        match self.aborted {
            0 => Ok(()),
            n => writeln!(f, "{n} matches were aborted and are not counted"),
        }
    }
}

impl fmt::Display for PlayedMatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(why) = &self.aborted {
            return writeln!(f, "No result: {why}.");
        }
        let goal = |goal: &Option<i32>| goal.map_or("no goal".into(), |g: i32| g.to_string());
        let each = self.goals.iter().map(|(role, value)| format!("{role}: {}", goal(value)));
        writeln!(f, "The match is over. Goals: {}", each.collect::<Vec<_>>().join("   "))
    }
}
