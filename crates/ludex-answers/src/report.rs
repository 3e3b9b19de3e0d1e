//! What `report` and `atlas` answer: pages about games, and what each part of them came to.

use crate::account::{Account, answers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A page about a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportFile {
    pub game: String,
    /// The page.
    pub file: String,
    pub roles: Vec<String>,
    /// A puzzle, or how the roles move, as a random match showed it.
    pub kind: Option<String>,
    /// The same for every guise of the rules.
    pub hash: Option<String>,
    /// The states of the match that is shown.
    pub states: usize,
    pub sections: Vec<ReportSection>,
    #[serde(flatten)]
    pub account: Account,
}

/// A part of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportSection {
    pub id: String,
    pub title: String,
    /// What came out, in a few words.
    pub summary: String,
    /// Was nothing cut short?
    pub complete: bool,
    pub cpu_seconds: f64,
}

/// A page of an atlas.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AtlasPage {
    pub game: String,
    /// The page; none where there is none.
    pub file: Option<String>,
    /// It was there from an earlier run.
    pub kept: bool,
    /// What kept it from being made.
    pub failed: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(ReportFile, AtlasPage);

impl ReportFile {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> ReportFile {
        let account = Account::unknown(&["file", "sections"]);
        ReportFile { game: game.into(), account, ..ReportFile::default() }
    }
}

impl AtlasPage {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> AtlasPage {
        AtlasPage {
            game: game.into(),
            account: Account::unknown(&["file"]),
            ..AtlasPage::default()
        }
    }
}

impl fmt::Display for ReportFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {}", self.file, self.game)?;
        for section in &self.sections {
            let cut = if section.complete { "" } else { " (cut short)" };
            let title = section.title.to_lowercase();
            writeln!(f, "  {title:<12}{}{cut}", section.summary)?;
        }
        Ok(())
    }
}

impl fmt::Display for AtlasPage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (&self.file, &self.failed) {
            (_, Some(why)) => writeln!(f, "{}: {why}", self.game),
            (Some(file), None) if self.kept => writeln!(f, "{}: {file} (kept)", self.game),
            (Some(file), None) => writeln!(f, "{}: {file}", self.game),
            (None, None) => writeln!(f, "{}: no page", self.game),
        }
    }
}
