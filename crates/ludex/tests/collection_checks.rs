//! Every game of the public collection that a reasoner could play must pass the checks.

use ludex::rules::Rules;
use ludex::source::{Report, Severity, Source};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// All game files with their name from the collection's folder, in order.
fn games() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for folder in ["collection", "stanford"] {
        let Ok(entries) = fs::read_dir(shared().join("games").join(folder)) else { continue };
        found.extend(entries.map(|e| e.unwrap().path()).map(|path| {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            (format!("{folder}/{file}"), path)
        }));
    }
    found.retain(|(name, _)| name.ends_with(".kif"));
    found.sort();
    found
}

#[test]
fn no_game_that_runs_is_rejected() {
    let games = games();
    if games.is_empty() {
        println!("no collection of games found: nothing checked");
        return;
    }
    let mut counts: BTreeMap<(bool, &str), (usize, usize)> = BTreeMap::new();
    let mut rejected = Vec::new();
    for (name, path) in &games {
        let mut report = Report::default();
        let source = Source::from_bytes(name, fs::read(path).unwrap(), &mut report);
        let report = match Rules::read(&source, None) {
            Ok((_, report)) => report,
            Err(report) => {
                rejected.push(format!("{name}\n{}", report.render(&source)));
                report
            }
        };
        let mut codes: Vec<_> =
            report.complaints.iter().map(|c| (c.severity == Severity::Error, c.code)).collect();
        codes.iter().for_each(|c| counts.entry(*c).or_default().0 += 1);
        codes.sort_unstable();
        codes.dedup();
        codes.iter().for_each(|c| counts.entry(*c).or_default().1 += 1);
    }
    println!("{} games checked", games.len());
    for ((error, code), (complaints, files)) in counts {
        let kind = if error { "error" } else { "warning" };
        println!("{kind:8}{code:24}{complaints:6} in {files:3} games");
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
}
