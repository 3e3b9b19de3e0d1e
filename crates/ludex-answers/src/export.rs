//! What `export` answers: a game in the language of another tool.

use crate::account::{Account, Meter, answers};
use crate::fault::{Fault, Unanswered};
use ludex::Game;
use ludex::export::{ExportFormat, NotExported, export};
use ludex_gdl::budget::Budget;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A game in the language of another tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exported {
    pub game: String,
    pub format: Option<ExportFormat>,
    pub text: String,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Exported);

impl Exported {
    pub fn of(game: &Game, format: ExportFormat, budget: &Budget) -> Result<Exported, Unanswered> {
        let meter = Meter::new(game, budget);
        let text = export(game, format, budget)?;
        let account = meter.account();
        Ok(Exported { game: game.name().into(), format: Some(format), text, account })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Exported {
        let account = Account::unknown(&["format", "text"]);
        Exported { game: game.into(), account, ..Exported::default() }
    }
}

impl From<NotExported> for Unanswered {
    fn from(why: NotExported) -> Unanswered {
        match why {
            NotExported::NotGround(why) => why.into(),
            NotExported::Unfit(why) => Unanswered::Wrong(Box::new(Fault::new("unfit", why))),
        }
    }
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}
