//! `Desk`: where the items of a paper are compared with what is found, one after the other.

use super::Args;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::answers::{PaperItem, PaperReport, PaperVerdict};
use ludex::budget::Budget;
use std::path::{Path, PathBuf};

pub struct Desk<'a> {
    pub session: &'a Session,
    args: &'a Args,
    pub report: PaperReport,
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

pub fn claim(item: impl Into<String>, paper: impl Into<String>, command: &str) -> Claim {
    Claim { item: item.into(), paper: paper.into(), command: command.into(), why: "" }
}

impl<'a> Desk<'a> {
    pub fn new(session: &'a Session, args: &'a Args, report: PaperReport) -> Desk<'a> {
        Desk { session, args, report }
    }

    /// Compares one item, within its budget. A limit of the user's ends them all.
    pub fn compare(
        &mut self,
        claim: Claim,
        find: impl FnOnce(&Session, &Budget) -> Result<Found, Failure>,
    ) -> Outcome {
        if !self.wants(&claim) {
            return Ok(());
        }
        let whole = self.session.budget();
        let begin = whole.seconds();
        let found = find(self.session, &whole.lasting(self.args.seconds));
        whole.check()?;
        let (ours, verdict) = match found {
            Ok(Found::Judged(ours, agrees)) => (Some(ours), judged(agrees)),
            Ok(Found::Value(ours)) => {
                let agrees = ours == claim.paper;
                (Some(ours), judged(agrees))
            }
            Ok(Found::Measured(ours)) => (Some(ours), PaperVerdict::Measured),
            Err(Failure::Stopped(_) | Failure::TooLarge(_)) => (None, PaperVerdict::Stopped),
            Err(failure) => return Err(failure),
        };
        self.add(claim, ours, verdict, whole.seconds() - begin);
        Ok(())
    }

    /// The same for an item about a game of the public collection, by one of its names.
    pub fn compare_game(
        &mut self,
        claim: Claim,
        names: &[&str],
        find: impl FnOnce(&Session, &Game, &Budget) -> Result<Found, Failure>,
    ) -> Outcome {
        let Some(file) = self.file(names) else {
            if self.wants(&claim) {
                self.add(claim, None, PaperVerdict::Missing, 0.0);
            }
            return Ok(());
        };
        let command = claim.command.replace("GAME", &file.to_string_lossy());
        self.compare(Claim { command, ..claim }, |session, budget| {
            find(session, &session.load(&file.to_string_lossy())?, budget)
        })
    }

    fn wants(&self, claim: &Claim) -> bool {
        self.args.item.as_ref().is_none_or(|part| claim.item.contains(part.as_str()))
    }

    fn add(&mut self, claim: Claim, ours: Option<String>, verdict: PaperVerdict, seconds: f64) {
        let reason = match verdict {
            PaperVerdict::Agrees | PaperVerdict::Measured => None,
            PaperVerdict::Differs => Some(claim.why.to_string()),
            PaperVerdict::Missing => Some("its game is not in --games".into()),
            PaperVerdict::Stopped => {
                Some(format!("--seconds {} were not enough", self.args.seconds))
            }
        };
        let Claim { item, paper, command, .. } = claim;
        let item = PaperItem { item, paper, ours, verdict, reason, command, cpu_seconds: seconds };
        self.report.items.push(item);
        self.session.hold(self.report.clone());
    }

    /// A game of the folder, or of a folder in it. Folders later in the alphabet come first: `stanford`
    /// has the very games of the paper on boards.
    fn file(&self, names: &[&str]) -> Option<PathBuf> {
        let folder = self.args.games.as_deref()?;
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
    }
}

fn judged(agrees: bool) -> PaperVerdict {
    if agrees { PaperVerdict::Agrees } else { PaperVerdict::Differs }
}
