//! Every game of the public collection that a reasoner could play must pass the checks.

use ludex::rules::Rules;
use ludex::source::{Report, Severity, Source};
use std::collections::BTreeMap;
use std::fs;

#[test]
fn no_game_that_runs_is_rejected() {
    let games = ludex_testing::collected_games();
    if games.is_empty() {
        return;
    }
    assert_eq!(games.len(), 238);
    // How many games each complaint is about.
    let mut counts: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    let mut rejected = Vec::new();
    for path in &games {
        let name = path.to_string_lossy();
        let mut report = Report::default();
        let source = Source::from_bytes(&*name, fs::read(path).unwrap(), &mut report);
        let report = match Rules::read(&source, None) {
            Ok((_, report)) => report,
            Err(report) => {
                rejected.push(format!("{name}\n{}", report.render(&source)));
                report
            }
        };
        let mut codes: Vec<_> =
            report.complaints.iter().map(|c| (c.severity == Severity::Error, c.code)).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().for_each(|c| *counts.entry(c).or_default() += 1);
    }
    assert!(rejected.is_empty(), "{}", rejected.join("\n"));
    assert!(counts.keys().all(|(error, _)| !error));
    assert_eq!(counts[&(false, "random-role")], 1);
    assert_eq!(counts[&(false, "missing-base")], 112);
}
