//! What `paper` answers: what a paper prints, beside what is found here.

use crate::account::{Account, answers};
use crate::table::Table;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The tables, figures, examples and exercises of a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperReport {
    pub paper: String,
    pub title: String,
    pub items: Vec<PaperItem>,
    /// Tables of the paper beside ours, from the figures of the items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<PaperTable>,
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
    /// Numbers behind the value, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub figures: IndexMap<String, f64>,
    pub cpu_seconds: f64,
}

/// A table: its title, the names of its columns, and rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperTable {
    pub title: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
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

impl PaperReport {
    /// How many items agree, differ, and so on.
    pub fn counts(&self) -> String {
        use PaperVerdict::*;
        let counts = [Agrees, Differs, Measured, Missing, Stopped]
            .map(|verdict| (self.count(verdict), verdict))
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, verdict)| format!("{verdict} {count}"));
        counts.collect::<Vec<_>>().join(", ")
    }

    /// A chapter of a page in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("## `ludex paper {}`\n\n{}\n\n", self.paper, self.title);
        text += &format!("{}.\n\n", self.counts());
        for table in &self.tables {
            text += &table.markdown();
        }
        text += "| | item | paper | here | alone |\n|---|---|---|---|---|\n";
        for item in &self.items {
            let ours = item.ours.as_deref().unwrap_or("");
            let same = if ours == item.paper { "the same" } else { ours };
            let why = item.reason.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
            let cells = [&item.item, &item.paper, &format!("{same}{why}")].map(|c| escaped(c));
            let alone = format!("`{}`", item.command.replace('|', "\\|"));
            text += &format!("| {} | {} | {alone} |\n", item.verdict, cells.join(" | "));
        }
        text + "\n"
    }
}

/// Text in a cell of a table in Markdown.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*").replace('\n', " ")
}

impl PaperTable {
    fn markdown(&self) -> String {
        let row = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|c| escaped(c)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let line = format!("|{}\n", "---|".repeat(self.header.len()));
        let rows: String = self.rows.iter().map(|cells| row(cells)).collect();
        format!("### {}\n\n{}{line}{rows}\n", self.title, row(&self.header))
    }
}

impl fmt::Display for PaperTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let header: Vec<&str> = self.header.iter().map(String::as_str).collect();
        let mut table = Table::new(&header, &header[1..]);
        self.rows.iter().for_each(|row| table.row(row.clone()));
        write!(f, "{}\n{table}", self.title)
    }
}

/// Two lines an item, more where it does not agree, then tables, and how many agree.
impl fmt::Display for PaperReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        self.items.iter().try_for_each(|item| write!(f, "{item}"))?;
        self.tables.iter().try_for_each(|table| write!(f, "{table}"))?;
        writeln!(f, "{}", self.counts())
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
