//! What `paper` answers: what a paper prints, beside what is found here.

use super::account::{Account, answers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The tables, figures, examples and exercises of a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperReport {
    pub paper: String,
    pub title: String,
    pub items: Vec<PaperItem>,
    #[serde(flatten)]
    pub account: Account,
}

/// One thing that a paper prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperItem {
    pub item: String,
    /// The paper's value.
    pub paper: String,
    /// What is found here.
    pub ours: Option<String>,
    pub verdict: PaperVerdict,
    /// Why it differs or is missing.
    pub reason: Option<String>,
    /// The command that gives it alone.
    pub command: String,
    pub cpu_seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaperVerdict {
    Agrees,
    Differs,
    /// A time, or what follows from one: both are told, neither is right.
    Measured,
    /// The game is not at hand.
    Missing,
    Stopped,
}

answers!(PaperReport);

impl PaperReport {
    /// One of which nothing is known.
    pub fn unknown(paper: &str) -> PaperReport {
        let account = Account::unknown(&["items"]);
        PaperReport { paper: paper.into(), account, ..PaperReport::default() }
    }

    fn count(&self, verdict: PaperVerdict) -> usize {
        self.items.iter().filter(|item| item.verdict == verdict).count()
    }
}

impl fmt::Display for PaperVerdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            PaperVerdict::Agrees => "agrees",
            PaperVerdict::Differs => "differs",
            PaperVerdict::Measured => "measured",
            PaperVerdict::Missing => "missing",
            PaperVerdict::Stopped => "stopped",
        })
    }
}

/// Two lines an item, more where it does not agree, and how many do.
impl fmt::Display for PaperReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        self.items.iter().try_for_each(|item| write!(f, "{item}"))?;
        use PaperVerdict::*;
        let counts = [Agrees, Differs, Measured, Missing, Stopped]
            .map(|verdict| (self.count(verdict), verdict))
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, verdict)| format!("{verdict} {count}"));
        writeln!(f, "{}", counts.collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for PaperItem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:10}{}: {}", self.verdict.to_string(), self.item, self.paper)?;
        match &self.ours {
            Some(ours) if *ours != self.paper => writeln!(f, "; here {ours}")?,
            _ => writeln!(f)?,
        }
        if let Some(reason) = &self.reason {
            writeln!(f, "          {reason}")?;
        }
        writeln!(f, "          {}", self.command)
    }
}
