//! `Account`: what every answer says about itself: whether it is complete, what stopped it, what it cost.

use crate::Fault;
use ludex::Game;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::source::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the form of all answers. It counts up when a key changes its name or type; keys may
/// be added without.
pub const VERSION: u32 = 1;

/// What every answer has beside its own keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    /// Is nothing missing?
    pub complete: bool,
    /// The keys whose values are missing, or not all there.
    pub stopped: Vec<String>,
    /// What kept them from being found.
    pub stopped_by: Option<StoppedBy>,
    /// CPU seconds that the answer took.
    pub cpu_seconds: f64,
    /// The warnings about the rules.
    pub warnings: Vec<Fault>,
    /// The version of the form of this answer.
    pub version: u32,
}

/// What ends the work on an answer before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum StoppedBy {
    #[serde(rename = "time limit")]
    TimeLimit,
    #[serde(rename = "memory limit")]
    MemoryLimit,
    #[serde(rename = "interrupt")]
    Interrupt,
    /// More depth was asked for than there is room for, or less than is needed.
    #[serde(rename = "depth")]
    Depth,
    /// The rules have too many instances.
    #[serde(rename = "size")]
    Size,
}

/// An answer about a game. As a default value it is one of which nothing is known yet.
pub trait Answer: Serialize + JsonSchema + fmt::Display + Clone + Send + 'static {
    fn account(&self) -> &Account;
    fn account_mut(&mut self) -> &mut Account;

    /// The work on it ended early. Keys are missing only if it says so already.
    fn stop(&mut self, by: StoppedBy) {
        let account = self.account_mut();
        if !account.stopped.is_empty() {
            account.stopped_by.get_or_insert(by);
        }
    }
}

/// Makes a struct with a field `account` an answer.
macro_rules! answers {
    ($($name:ty),* $(,)?) => {
        $(impl $crate::Answer for $name {
            fn account(&self) -> &$crate::Account {
                &self.account
            }

            fn account_mut(&mut self) -> &mut $crate::Account {
                &mut self.account
            }
        })*
    };
}
pub(super) use answers;

impl Default for Account {
    fn default() -> Account {
        Account {
            complete: true,
            stopped: vec![],
            stopped_by: None,
            cpu_seconds: 0.0,
            warnings: vec![],
            version: VERSION,
        }
    }
}

impl Account {
    /// Of an answer in which these keys are missing, or not all there.
    pub fn cut(mut self, stopped: &[&str], by: Option<impl Into<StoppedBy>>) -> Account {
        if !stopped.is_empty() {
            self.complete = false;
            self.stopped = stopped.iter().map(|key| key.to_string()).collect();
            self.stopped_by = by.map(Into::into);
        }
        self
    }

    /// The same where a limit may have struck.
    pub fn cut_if(self, stopped: &[&str], stop: Option<Stop>) -> Account {
        if stop.is_some() { self.cut(stopped, stop) } else { self }
    }

    /// Of an answer of which nothing is known.
    pub fn unknown(parts: &[&str]) -> Account {
        Account::default().cut(parts, None::<Stop>)
    }
}

/// Measures the work on an answer about a game, and notes the warnings about its rules.
pub struct Meter<'a> {
    budget: &'a Budget,
    start: f64,
    warnings: Vec<Fault>,
}

impl<'a> Meter<'a> {
    pub fn new(game: &Game, budget: &'a Budget) -> Meter<'a> {
        let faults = Fault::of_report(game.report(), Some(game.source()), Severity::Warning);
        Meter { budget, start: budget.seconds(), warnings: faults }
    }

    /// Of work that has no game.
    pub fn alone(budget: &'a Budget) -> Meter<'a> {
        Meter { budget, start: budget.seconds(), warnings: vec![] }
    }

    pub fn seconds(&self) -> f64 {
        self.budget.seconds() - self.start
    }

    /// Of a complete answer.
    pub fn account(&self) -> Account {
        let (cpu_seconds, warnings) = (self.seconds(), self.warnings.clone());
        Account { cpu_seconds, warnings, ..Account::default() }
    }

    /// Of an answer in which these keys are still missing.
    pub fn draft(&self, stopped: &[&str]) -> Account {
        self.account().cut(stopped, None::<Stop>)
    }
}

impl From<Stop> for StoppedBy {
    fn from(stop: Stop) -> StoppedBy {
        match stop {
            Stop::Time => StoppedBy::TimeLimit,
            Stop::Memory => StoppedBy::MemoryLimit,
            Stop::Interrupted => StoppedBy::Interrupt,
        }
    }
}
