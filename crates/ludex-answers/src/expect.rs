//! What `test` and `new` answer: what became of an author's expectations, and a game to begin with.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use ludex::Game;
use ludex::expect::{ExpectationOutcome, Expectations};
use ludex_gdl::budget::Budget;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of the expectations of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectationReport {
    pub game: String,
    /// Did all pass?
    pub ok: Option<bool>,
    /// One for each line that expects something.
    pub outcomes: Vec<ExpectationOutcome>,
    #[serde(flatten)]
    pub account: Account,
}

/// A small game that was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewGame {
    pub game: String,
    pub file: String,
    #[serde(flatten)]
    pub account: Account,
}

answers!(ExpectationReport, NewGame);

impl ExpectationReport {
    pub fn of(
        game: &Game,
        expectations: &Expectations,
        budget: &Budget,
    ) -> Result<ExpectationReport, Unanswered> {
        let meter = Meter::new(game, budget);
        let outcomes = expectations.run(game, budget)?;
        budget.check()?;
        let ok = Some(outcomes.iter().all(|o| o.passed));
        let name = game.name().to_string();
        Ok(ExpectationReport { game: name, ok, outcomes, account: meter.account() })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> ExpectationReport {
        let account = Account::unknown(&["ok", "outcomes"]);
        ExpectationReport { game: game.into(), account, ..ExpectationReport::default() }
    }
}

impl fmt::Display for ExpectationReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for o in &self.outcomes {
            if let Some(found) = &o.found {
                writeln!(f, "line {}: {}: failed: {found}", o.line, o.text)?;
            }
        }
        let failed = self.outcomes.iter().filter(|o| !o.passed).count();
        writeln!(f, "{}: {} passed, {failed} failed", self.game, self.outcomes.len() - failed)
    }
}

impl fmt::Display for NewGame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = &self.file;
        writeln!(f, "{file} is written. Next:")?;
        writeln!(f, "  ludex check {file} --simulate 100\n  ludex play {file}")
    }
}
