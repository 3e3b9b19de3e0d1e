//! `Desk`: where the items of a paper are compared with what is found, one after the other.
//!
//! With --cache every item is kept as soon as it is known, so that a run that was ended goes on.

use super::Args;
use crate::failure::Failure;
use crate::session::MEMORY;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::{Allowance, Budget};
use ludex::reason::digest;
use ludex_answers::{PaperItem, PaperReport, PaperTable, PaperVerdict, VERSION};
use std::path::{Path, PathBuf};

/// Counts up when items have other figures, so that those of an earlier program are made anew.
const FIGURES: u32 = 2;

pub struct Desk<'a> {
    pub session: &'a Session,
    args: &'a Args,
    pub report: PaperReport,
    /// The picture of the paper, where it has one.
    pub picture: Option<String>,
}

/// What a paper says.
pub struct Claim {
    pub item: String,
    pub paper: String,
    pub command: String,
    /// Why we find something else, where we do.
    pub why: &'static str,
}

/// What is found here.
pub enum Found {
    /// It agrees if it is the paper's, to the letter.
    Value(String),
    /// It agrees or not.
    Judged(String, bool),
    /// A time.
    Measured(String),
}

/// What is found, with numbers behind it.
pub struct Finding {
    found: Found,
    figures: Vec<(&'static str, f64)>,
}

impl From<Found> for Finding {
    fn from(found: Found) -> Finding {
        Finding { found, figures: vec![] }
    }
}

impl Found {
    pub fn with(self, figures: Vec<(&'static str, f64)>) -> Finding {
        Finding { found: self, figures }
    }
}

pub fn claim(item: impl Into<String>, paper: impl Into<String>, command: &str) -> Claim {
    Claim { item: item.into(), paper: paper.into(), command: command.into(), why: "" }
}

pub fn yes(is: bool) -> String {
    if is { "yes".into() } else { "no".into() }
}

impl<'a> Desk<'a> {
    pub fn new(session: &'a Session, args: &'a Args, report: PaperReport) -> Desk<'a> {
        Desk { session, args, report, picture: None }
    }

    /// Compares one item, within its budget. A limit of the user's ends them all.
    pub fn compare<F: Into<Finding>>(
        &mut self,
        claim: Claim,
        find: impl FnOnce(&Session, &Budget) -> Result<F, Failure>,
    ) -> Outcome {
        self.compare_kept(claim, "", find)
    }

    /// The same; what is kept belongs to this text, too.
    fn compare_kept<F: Into<Finding>>(
        &mut self,
        claim: Claim,
        about: &str,
        find: impl FnOnce(&Session, &Budget) -> Result<F, Failure>,
    ) -> Outcome {
        if !self.wants(&claim) {
            return Ok(());
        }
        let key = self.key(&claim, about);
        let kept = self.session.kept_text(&key);
        let kept: Option<PaperItem> = kept.and_then(|text| serde_json::from_str(&text).ok());
        if let Some(item) = kept.filter(|item| !self.has_more_time(item)) {
            self.push(item);
            return Ok(());
        }
        let whole = self.session.budget();
        let begin = whole.seconds();
        let allowance = Allowance { seconds: Some(self.args.seconds), bytes: Some(MEMORY) };
        let found = find(self.session, &whole.within(allowance)).map(Into::into);
        whole.check()?;
        let mut figures = vec![];
        let (ours, verdict) = match found.map(|finding: Finding| {
            figures = finding.figures;
            finding.found
        }) {
            Ok(found) => {
                let (ours, verdict) = seen(found, &claim.paper);
                (Some(ours), verdict)
            }
            Err(Failure::Stopped(_) | Failure::TooLarge(_) | Failure::Incomplete) => {
                (None, PaperVerdict::Stopped)
            }
            Err(failure) => return Err(failure),
        };
        let mut item = self.item(claim, ours, verdict);
        item.figures = figures.into_iter().map(|(name, n)| (name.to_string(), n)).collect();
        item.cpu_seconds = whole.seconds() - begin;
        self.session.keep_text(&key, &serde_json::to_string(&item).expect("plain data"));
        self.push(item);
        Ok(())
    }

    /// The same for an item about a game of the public collection, by one of its names.
    pub fn compare_game<F: Into<Finding>>(
        &mut self,
        claim: Claim,
        names: &[&str],
        find: impl FnOnce(&Session, &Game, &Budget) -> Result<F, Failure>,
    ) -> Outcome {
        let Some(file) = self.file(names) else {
            if self.wants(&claim) {
                let item = self.item(claim, None, PaperVerdict::Missing);
                self.push(item);
            }
            return Ok(());
        };
        let command = claim.command.replace("GAME", &file.to_string_lossy());
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        self.compare_kept(Claim { command, ..claim }, &text, |session, budget| {
            find(session, &session.load(&file.to_string_lossy())?, budget)
        })
    }

    /// Tells what follows from items that were compared before; nothing of it is kept. The command that asks for
    /// these items alone gives it, too.
    pub fn tell(&mut self, claim: Claim, found: Found) {
        let command = claim.command.replace('\'', "");
        let asks = |part: &String| command.ends_with(&format!("--item {part}"));
        if self.wants(&claim) || self.args.item.as_ref().is_some_and(asks) {
            let (ours, verdict) = seen(found, &claim.paper);
            let item = self.item(claim, Some(ours), verdict);
            self.push(item);
        }
    }

    pub fn add_table(&mut self, title: &str, header: &[&str], rows: Vec<Vec<String>>) {
        if !rows.is_empty() {
            let header = header.iter().map(|name| name.to_string()).collect();
            self.report.tables.push(PaperTable { title: title.into(), header, rows });
        }
    }

    pub fn wants(&self, claim: &Claim) -> bool {
        self.args.item.as_ref().is_none_or(|part| claim.item.contains(part.as_str()))
    }

    pub fn wants_picture(&self) -> bool {
        self.args.svg.is_some()
    }

    /// Was an item stopped with less than it may use now?
    fn has_more_time(&self, item: &PaperItem) -> bool {
        item.verdict == PaperVerdict::Stopped && item.cpu_seconds < 0.9 * self.args.seconds
    }

    /// Under which name an item is kept.
    fn key(&self, claim: &Claim, about: &str) -> String {
        let version = format!("{} {VERSION} {FIGURES}", env!("CARGO_PKG_VERSION"));
        let Claim { item, paper, command, .. } = claim;
        let parts = [version.as_str(), &self.report.paper, item, paper, command, about];
        format!("paper-{}", digest(vec![parts.join("\n")]))
    }

    fn item(&self, claim: Claim, ours: Option<String>, verdict: PaperVerdict) -> PaperItem {
        let reason = match verdict {
            PaperVerdict::Agrees => None,
            PaperVerdict::Measured => Some(claim.why.to_string()).filter(|why| !why.is_empty()),
            PaperVerdict::Differs => Some(claim.why.to_string()),
            PaperVerdict::Missing => Some("its game is not in --games".into()),
            PaperVerdict::Stopped => {
                Some(format!("--seconds {} were not enough", self.args.seconds))
            }
        };
        let Claim { item, paper, command, .. } = claim;
        let (figures, cpu_seconds) = (Default::default(), 0.0);
        PaperItem { item, paper, ours, verdict, reason, command, figures, cpu_seconds }
    }

    fn push(&mut self, item: PaperItem) {
        self.report.items.push(item);
        self.session.hold(self.report.clone());
    }

    /// A game of the folders, or of a folder in one. Folders later in the alphabet come first: `stanford`
    /// has the very games of the paper on boards.
    fn file(&self, names: &[&str]) -> Option<PathBuf> {
        self.args.games.iter().find_map(|folder| {
            let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
                .ok()?
                .filter_map(|entry| Some(entry.ok()?.path()).filter(|path| path.is_dir()))
                .collect();
            folders.sort_by(|a, b| b.cmp(a));
            folders.insert(0, folder.to_path_buf());
            let in_folder = |folder: &Path| {
                let files = names.iter().flat_map(|n| [format!("{n}.kif"), format!("{n}.gdl")]);
                files.map(|file| folder.join(file)).find(|path| path.is_file())
            };
            folders.iter().find_map(|folder| in_folder(folder))
        })
    }
}

/// Ours, and what that is beside the paper's.
fn seen(found: Found, paper: &str) -> (String, PaperVerdict) {
    let judged = |agrees| if agrees { PaperVerdict::Agrees } else { PaperVerdict::Differs };
    match found {
        Found::Judged(ours, agrees) => (ours, judged(agrees)),
        Found::Value(ours) => {
            let agrees = ours == paper;
            (ours, judged(agrees))
        }
        Found::Measured(ours) => (ours, PaperVerdict::Measured),
    }
}
