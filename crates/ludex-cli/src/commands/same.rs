//! `ludex same`: whether two games are one in another guise, and which games of a folder are.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::facts::symmetry::same::{Guise, Mapping, hash, same_nets, same_rules};
use ludex::ground::{Ground, NotGround};
use ludex::net::Net;
use ludex::rules::{Rel, Rules};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

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

pub fn run(args: &Args, session: &Session) -> Outcome {
    match (&args.folder, args.games.as_slice()) {
        (None, [a, b]) => args.compare(a, b, session),
        (Some(folder), [game]) => find(game, folder, session),
        (Some(folder), []) => groups(folder, session),
        _ => Err(Failure::Misuse("error: give two games, or --in FOLDER and at most one".into())),
    }
}

/// The answer of a comparison: where the games were found equal, or why they are not.
enum Answer {
    Same(&'static str, Mapping),
    Different(String),
}

impl Args {
    fn compare(&self, a: &str, b: &str, session: &Session) -> Outcome {
        let (x, y) = (session.load_part(a)?, session.load_part(b)?);
        let answer = match same_rules(&x, &y, &session.budget)? {
            Ok(mapping) => Answer::Same("rules", mapping),
            Err(why) if self.rules_only || is_part(&x) || is_part(&y) => {
                Answer::Different(format!("the rules differ: {why}"))
            }
            Err(why) => self.compare_nets(&x, &y, why, session)?,
        };
        print(a, b, &answer, session)?;
        if matches!(answer, Answer::Same(..)) { Ok(()) } else { Err(Failure::Refuted) }
    }

    fn compare_nets(
        &self,
        x: &Rules,
        y: &Rules,
        why: String,
        session: &Session,
    ) -> Result<Answer, Failure> {
        let budget = &session.budget;
        let ground = |rules: &Rules| -> Result<(Ground, Net), NotGround> {
            let ground = Ground::new(rules, &session.grounding())?;
            let net = Net::new(&ground, budget)?;
            Ok((ground, net))
        };
        let (a, b) = match (ground(x), ground(y)) {
            (Ok(a), Ok(b)) => (a, b),
            _ if budget.check().is_err() => {
                return Err(budget.check().expect_err("stopped").into());
            }
            (Err(e), _) | (_, Err(e)) => {
                return Ok(Answer::Different(format!("the rules differ: {why}; no nets: {e}")));
            }
        };
        Ok(match same_nets((&a.0, &a.1), (&b.0, &b.1), budget)? {
            Ok(mapping) => Answer::Same("net", mapping),
            Err(net) => Answer::Different(format!("the rules differ: {why}; the nets: {net}")),
        })
    }
}

/// Whether the rules are a few clauses and no whole game, so that there is nothing to ground.
fn is_part(rules: &Rules) -> bool {
    [Rel::ROLE, Rel::LEGAL, Rel::TERMINAL].iter().any(|&rel| rules.defining(rel).next().is_none())
}

fn print(a: &str, b: &str, answer: &Answer, session: &Session) -> Outcome {
    if session.json {
        return session.line(&match answer {
            Answer::Same(level, mapping) => {
                let mapping: Map<String, Value> =
                    mapping.iter().map(|(x, y)| (x.clone(), json!(y))).collect();
                json!({"games": [a, b], "same": true, "level": level, "mapping": mapping})
            }
            Answer::Different(why) => {
                json!({"games": [a, b], "same": false, "level": null, "mapping": null, "why": why})
            }
        });
    }
    let mut out = session.out();
    match answer {
        Answer::Same(level, mapping) => {
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
        Answer::Different(why) => writeln!(out, "{a} and {b} are different games: {why}")?,
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

fn find(game: &str, folder: &PathBuf, session: &Session) -> Outcome {
    let wanted = Guise::new(&session.load(game)?.rules, &session.budget)?;
    let census = wanted.census();
    let form = wanted.canonical(&session.budget)?;
    let (mut found, mut unread) = (Vec::new(), 0);
    for path in files(folder)? {
        session.budget.check()?;
        let Ok(loaded) = session.load(&path.to_string_lossy()) else {
            unread += 1;
            continue;
        };
        let guise = Guise::new(&loaded.rules, &session.budget)?;
        if guise.census() == census && guise.canonical(&session.budget)?.graph == form.graph {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    if session.json {
        let level = if found.is_empty() { Value::Null } else { json!("rules") };
        session.line(&json!({
            "game": game, "same": !found.is_empty(), "level": level, "mapping": null, "found": found,
            "unread": unread,
        }))?;
    } else if found.is_empty() {
        writeln!(session.out(), "no file of {} has the rules of {game}", folder.display())?;
    } else {
        found.iter().try_for_each(|f| writeln!(session.out(), "{f}"))?;
    }
    tell_unread(unread, session);
    if found.is_empty() { Err(Failure::Refuted) } else { Ok(()) }
}

/// Files with faults are no games to compare with, but the user should know.
fn tell_unread(unread: usize, session: &Session) {
    if unread > 0 && !session.json {
        eprintln!("{unread} files have faults and were left out (`ludex check` shows them)");
    }
}

fn groups(folder: &PathBuf, session: &Session) -> Outcome {
    let mut by_hash: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut unread = 0;
    for path in files(folder)? {
        session.budget.check()?;
        let name = path.to_string_lossy().into_owned();
        let Ok(loaded) = session.load(&name) else {
            unread += 1;
            continue;
        };
        by_hash.entry(hash(&loaded.rules, &session.budget)?).or_default().push(name);
    }
    let mut groups: Vec<(String, Vec<String>)> =
        by_hash.into_iter().filter(|(_, names)| names.len() > 1).collect();
    groups.sort_by(|a, b| a.1.cmp(&b.1));
    for (hash, names) in groups {
        match session.json {
            true => session.line(&json!({"hash": hash, "games": names}))?,
            false => writeln!(session.out(), "{}", names.join("  "))?,
        }
    }
    tell_unread(unread, session);
    Ok(())
}
