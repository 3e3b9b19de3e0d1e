//! `ludex same`: whether two games are one in another guise, and which games of a folder are.

use crate::failure::Failure;
use crate::session::{LONG, SOON};
use crate::{Outcome, Session};
use ludex::ground::Ground;
use ludex::rules::Rules;
use ludex::symmetry::same::{Guise, OpeningProfile, hash, net_hash};
use ludex_answers::{Comparison, FolderSearch, Meter, SameGroup, SameLevel};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Tell whether two games are the same up to names, order and notation.
///
/// Exit code 1 if not.
#[derive(clap::Args)]
#[command(after_help = "\
Rules are compared in normal form: names, order of rules and literals, order of arguments, superfluous \
rules and declarations do not matter. If they differ, the ground games are compared.

Examples:
  ludex same tictactoe other.kif
  ludex same --in games tictactoe
  ludex same --in games              all games of the folder that are the same")]
pub struct Args {
    /// Two games; with --in, one or none.
    #[arg(value_name = "GAME", num_args = 0..=2)]
    games: Vec<String>,
    /// Look for the game among the files of this folder and the folders in it.
    #[arg(long = "in", value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Compare the rules only, not the ground games.
    #[arg(long)]
    rules_only: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    match (&args.folder, args.games.as_slice()) {
        (None, [a, b]) => {
            let first = std::slice::from_ref(a);
            session.answer_each(first, SOON, Comparison::unknown, |a| args.compare(a, b, session))
        }
        // A folder takes as long as it is large.
        (Some(folder), [game]) => {
            let games = std::slice::from_ref(game);
            session.answer_each(games, LONG, FolderSearch::unknown, |game| {
                find(game, folder, args.rules_only, session)
            })
        }
        (Some(folder), []) => groups(folder, args.rules_only, session),
        _ => Err(Failure::Misuse("error: give two games, or --in FOLDER and at most one".into())),
    }
}

impl Args {
    fn compare(&self, a: &str, b: &str, session: &Session) -> Outcome {
        let (x, y) = (session.load_part(a)?, session.load_part(b)?);
        let found = Comparison::of((a, &x), (b, &y), self.rules_only, &session.budget())?;
        let same = found.same == Some(true);
        session.give(found)?;
        if same { Ok(()) } else { Err(Failure::Refuted) }
    }
}

/// The files of rules in a folder and the folders in it, in order.
pub fn games_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |e: std::io::Error| Failure::unreadable(&folder.to_string_lossy(), e);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            found.extend(games_in(&path)?);
        } else if path.extension().is_some_and(|e| e == "kif" || e == "gdl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// CPU seconds in which one game of a folder may be grounded and compared.
const ONE_GAME: f64 = 4.0;

/// The canonical hash of a game's net; none where it is too large.
fn net_hash_of(rules: &Rules, session: &Session) -> Option<String> {
    let part = session.budget().lasting(ONE_GAME);
    net_hash(&Ground::new(rules, &part).ok()?, &part).ok()
}

fn opening(rules: &Rules, session: &Session) -> Option<OpeningProfile> {
    OpeningProfile::new(rules, &session.budget().lasting(ONE_GAME))
}

fn find(game: &str, folder: &Path, rules_only: bool, session: &Session) -> Outcome {
    let (whole, budget) = (session.load(game)?, session.budget());
    let (rules, meter) = (whole.rules(), Meter::new(&whole, &budget));
    let wanted = Guise::new(rules, &budget)?;
    let (census, form) = (wanted.census(), wanted.canonical(&budget)?);
    let begins = if rules_only { None } else { opening(rules, session) };
    let mut hash = None;
    let mut found = FolderSearch {
        game: game.into(),
        same: Some(false),
        nets_compared: true,
        folder: folder.display().to_string(),
        ..FolderSearch::default()
    };
    for path in games_in(folder)? {
        found.account = meter.draft(&["found"]);
        session.hold(found.clone());
        budget.check()?;
        let name = path.to_string_lossy().into_owned();
        let Ok(loaded) = session.load(&name) else {
            found.unread += 1;
            continue;
        };
        let guise = Guise::new(loaded.rules(), &budget)?;
        if guise.census() == census && guise.canonical(&budget)?.graph == form.graph {
            found.add(&name, SameLevel::Rules);
        } else if begins.is_some() && opening(loaded.rules(), session) == begins {
            let wanted = hash.get_or_insert_with(|| net_hash_of(rules, session));
            if wanted.is_some() && *wanted == net_hash_of(loaded.rules(), session) {
                found.add(&name, SameLevel::Net);
            }
        }
    }
    found.nets_compared = rules_only || (begins.is_some() && hash != Some(None));
    found.account = meter.account();
    let (unread, none) = (found.unread, found.found.is_empty());
    session.give(found)?;
    tell_unread(unread, session);
    if none { Err(Failure::Refuted) } else { Ok(()) }
}

/// Files with faults are no games to compare with, but the user should know.
fn tell_unread(unread: usize, session: &Session) {
    if unread > 0 && !session.json {
        let told =
            format!("{unread} files have faults and were left out (`ludex check` shows them)");
        // Nobody is left to tell if this fails.
        let _ = writeln!(anstream::stderr(), "{told}");
    }
}

fn names<'e>(all: &[&'e Entry]) -> Vec<&'e str> {
    all.iter().map(|e| e.0.as_str()).collect()
}

/// A game of a folder: its file, the hash of its rules, and its opening unless only rules count.
type Entry = (String, String, Option<OpeningProfile>);

fn groups(folder: &Path, rules_only: bool, session: &Session) -> Outcome {
    let budget = session.budget();
    let meter = Meter::alone(&budget);
    let (mut entries, mut unread): (Vec<Entry>, usize) = (Vec::new(), 0);
    for path in games_in(folder)? {
        session.budget().check()?;
        let name = path.to_string_lossy().into_owned();
        let Ok(loaded) = session.load(&name) else {
            unread += 1;
            continue;
        };
        let begins = if rules_only { None } else { opening(loaded.rules(), session) };
        entries.push((name, hash(loaded.rules(), &session.budget())?, begins));
    }
    let mut by_hash: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    entries.iter().for_each(|e| by_hash.entry(&e.1).or_default().push(e));
    let mut found: Vec<(SameLevel, Vec<&str>)> = Vec::new();
    found.extend(by_hash.values().filter(|g| g.len() > 1).map(|g| (SameLevel::Rules, names(g))));
    let mut alike: BTreeMap<&OpeningProfile, Vec<&Entry>> = BTreeMap::new();
    for group in by_hash.values() {
        if let Some(begins) = &group[0].2 {
            alike.entry(begins).or_default().push(group[0]);
        }
    }
    for group in alike.values().filter(|g| g.len() > 1) {
        let mut by_net: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
        for entry in group {
            session.budget().check()?;
            let game = session.load(&entry.0)?;
            if let Some(hash) = net_hash_of(game.rules(), session) {
                by_net.entry(hash).or_default().push(entry);
            }
        }
        found.extend(by_net.values().filter(|g| g.len() > 1).map(|g| (SameLevel::Net, names(g))));
    }
    found.sort_by(|a, b| a.1.cmp(&b.1));
    for (level, names) in found {
        let games = names.into_iter().map(Into::into).collect();
        session.give_part(&SameGroup { level, games, account: meter.account() })?;
    }
    tell_unread(unread, session);
    Ok(())
}
