//! `ludex same`: whether two games are one in another guise, and which games of a folder are.

use crate::failure::Failure;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::ground::{Ground, NotGround};
use ludex::net::Net;
use ludex::rules::{Rel, Rules};
use ludex::symmetry::same::{
    Guise, Mapping, OpeningProfile, hash, net_hash, same_nets, same_rules,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Tell whether two games are the same but for names, order and writing (exit code 1 if not).
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

const PLAN: Plan = Plan::soon(&["same", "level", "mapping"]);
/// A folder takes as long as it is large.
const FOLDER: Plan = Plan::long(&["same", "level", "mapping", "found"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    match (&args.folder, args.games.as_slice()) {
        (None, [a, b]) => {
            session.each(std::slice::from_ref(a), &PLAN, |a| args.compare(a, b, session))
        }
        (Some(folder), [game]) => session.each(std::slice::from_ref(game), &FOLDER, |game| {
            find(game, folder, args.rules_only, session)
        }),
        (Some(folder), []) => groups(folder, args.rules_only, session),
        _ => Err(Failure::Misuse("error: give two games, or --in FOLDER and at most one".into())),
    }
}

/// The answer of a comparison: where the games were found equal, or why they are not.
enum Comparison {
    Same(&'static str, Mapping),
    Different(String),
}

impl Args {
    fn compare(&self, a: &str, b: &str, session: &Session) -> Outcome {
        let (x, y) = (session.load_part(a)?, session.load_part(b)?);
        let answer = match same_rules(&x, &y, &session.budget())? {
            Ok(mapping) => Comparison::Same("rules", mapping),
            Err(why) if self.rules_only || is_part(&x) || is_part(&y) => {
                Comparison::Different(format!("the rules differ: {why}"))
            }
            Err(why) => self.compare_nets(&x, &y, why, session)?,
        };
        print(a, b, &answer, session)?;
        if matches!(answer, Comparison::Same(..)) { Ok(()) } else { Err(Failure::Refuted) }
    }

    fn compare_nets(
        &self,
        x: &Rules,
        y: &Rules,
        why: String,
        session: &Session,
    ) -> Result<Comparison, Failure> {
        let budget = &session.budget();
        let ground = |rules: &Rules| -> Result<(Ground, Net), NotGround> {
            let ground = Ground::new(rules, budget)?;
            let net = Net::new(&ground, budget)?;
            Ok((ground, net))
        };
        let (a, b) = match (ground(x), ground(y)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(NotGround::Stopped(stop)), _) | (_, Err(NotGround::Stopped(stop))) => {
                return Err(stop.into());
            }
            // Whether they are the same written differently is not known.
            (Err(e), _) | (_, Err(e)) => {
                let why = format!("the rules differ: {why}; nets were not compared: {e}");
                return Err(Failure::TooLarge(why));
            }
        };
        Ok(match same_nets((&a.0, &a.1), (&b.0, &b.1), budget)? {
            Ok(mapping) => Comparison::Same("net", mapping),
            Err(net) => Comparison::Different(format!("the rules differ: {why}; the nets: {net}")),
        })
    }
}

/// Whether the rules are a few clauses and no whole game, so that there is nothing to ground.
fn is_part(rules: &Rules) -> bool {
    [Rel::ROLE, Rel::LEGAL, Rel::TERMINAL].iter().any(|&rel| rules.defining(rel).next().is_none())
}

fn print(a: &str, b: &str, answer: &Comparison, session: &Session) -> Outcome {
    if session.json {
        return session.line(&match answer {
            Comparison::Same(level, mapping) => {
                let mapping: Map<String, Value> =
                    mapping.iter().map(|(x, y)| (x.clone(), json!(y))).collect();
                json!({"games": [a, b], "same": true, "level": level, "mapping": mapping})
            }
            Comparison::Different(why) => {
                json!({"games": [a, b], "same": false, "level": null, "mapping": null, "why": why})
            }
        });
    }
    let mut out = session.out();
    match answer {
        Comparison::Same(level, mapping) => {
            let guise = match *level {
                "rules" => "the same rules in another guise",
                _ => "the same game, written differently",
            };
            writeln!(out, "{a} and {b}: {guise}")?;
            let changed: Vec<_> = mapping.iter().filter(|(x, y)| x != y).collect();
            changed.iter().try_for_each(|(x, y)| writeln!(out, "  {x} → {y}"))?;
            if changed.is_empty() {
                writeln!(out, "  every name stays the same")?;
            }
        }
        Comparison::Different(why) => writeln!(out, "{a} and {b} are different games: {why}")?,
    }
    Ok(())
}

/// The files of rules in a folder and the folders in it, in order.
fn files(folder: &PathBuf) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |e: std::io::Error| {
        Failure::Input(format!("error: {} cannot be read: {e}", folder.display()))
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
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

/// Files with the same rules, and those whose nets are the same.
#[derive(Default)]
struct Found {
    rules: Vec<String>,
    net: Vec<String>,
    unread: usize,
    /// Are there files that were not looked at?
    stopped: bool,
}

fn find(game: &str, folder: &PathBuf, rules_only: bool, session: &Session) -> Outcome {
    let whole = session.load(game)?;
    let rules = whole.rules();
    let wanted = Guise::new(rules, &session.budget())?;
    let (census, form) = (wanted.census(), wanted.canonical(&session.budget())?);
    let begins = if rules_only { None } else { opening(rules, session) };
    let mut hash = None;
    let mut found = Found { stopped: true, ..Found::default() };
    for path in files(folder)? {
        session.draft(&told(game, folder, &found, false))?;
        session.budget().check()?;
        let name = path.to_string_lossy().into_owned();
        let Ok(loaded) = session.load(&name) else {
            found.unread += 1;
            continue;
        };
        let guise = Guise::new(loaded.rules(), &session.budget())?;
        if guise.census() == census && guise.canonical(&session.budget())?.graph == form.graph {
            found.rules.push(name);
        } else if begins.is_some() && opening(loaded.rules(), session) == begins {
            let wanted = hash.get_or_insert_with(|| net_hash_of(rules, session));
            if wanted.is_some() && *wanted == net_hash_of(loaded.rules(), session) {
                found.net.push(name);
            }
        }
    }
    found.stopped = false;
    let no_net = !rules_only && (begins.is_none() || hash == Some(None));
    session.tell(&told(game, folder, &found, no_net))?;
    tell_unread(found.unread, session);
    if found.rules.is_empty() && found.net.is_empty() { Err(Failure::Refuted) } else { Ok(()) }
}

/// What was found, in both forms.
fn told<'a>(game: &'a str, folder: &'a Path, found: &'a Found, no_net: bool) -> impl Answer + 'a {
    let all = || found.rules.iter().chain(&found.net).collect::<Vec<&String>>();
    let object = move || {
        let level = match (found.rules.is_empty(), found.net.is_empty()) {
            (false, _) => json!("rules"),
            (true, false) => json!("net"),
            _ => Value::Null,
        };
        json!({
            "game": game, "same": !all().is_empty(), "level": level, "mapping": null, "found": all(),
            "found_by_net": found.net, "nets_compared": !no_net, "unread": found.unread,
            "stopped": if found.stopped { vec!["found"] } else { vec![] },
        })
    };
    let print = move |session: &Session| {
        let mut out = session.out();
        found.rules.iter().try_for_each(|f| writeln!(out, "{f}"))?;
        found.net.iter().try_for_each(|f| writeln!(out, "{f}  (written differently)"))?;
        match found.stopped {
            true => writeln!(out, "further files of {}: {STOPPED}", folder.display())?,
            false if all().is_empty() => {
                writeln!(out, "no file of {} is {game}", folder.display())?
            }
            false => {}
        }
        if no_net {
            writeln!(out, "only rules were compared: the net of {game} is too large")?;
        }
        Ok(())
    };
    (object, print)
}

/// Files with faults are no games to compare with, but the user should know.
fn tell_unread(unread: usize, session: &Session) {
    if unread > 0 && !session.json {
        eprintln!("{unread} files have faults and were left out (`ludex check` shows them)");
    }
}

fn names<'e>(all: &[&'e Entry]) -> Vec<&'e str> {
    all.iter().map(|e| e.0.as_str()).collect()
}

/// A game of a folder: its file, the hash of its rules, and its opening unless only rules count.
type Entry = (String, String, Option<OpeningProfile>);

fn groups(folder: &PathBuf, rules_only: bool, session: &Session) -> Outcome {
    let (mut entries, mut unread): (Vec<Entry>, usize) = (Vec::new(), 0);
    for path in files(folder)? {
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
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    found.extend(by_hash.values().filter(|g| g.len() > 1).map(|g| ("rules", names(g))));
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
        found.extend(by_net.values().filter(|g| g.len() > 1).map(|g| ("net", names(g))));
    }
    found.sort_by(|a, b| a.1.cmp(&b.1));
    for (level, names) in found {
        match session.json {
            true => session.line(&json!({"level": level, "games": names}))?,
            false if level == "net" => {
                writeln!(session.out(), "{}  (written differently)", names.join("  "))?
            }
            false => writeln!(session.out(), "{}", names.join("  "))?,
        }
    }
    tell_unread(unread, session);
    Ok(())
}
