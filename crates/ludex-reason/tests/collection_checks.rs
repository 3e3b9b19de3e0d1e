//! Every game of the public collection that a reasoner could play must pass the checks.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Complaint, Report, Severity, Source};
use ludex_gdl::syntax::{Ast, Syntax};
use ludex_reason::{few_matches, first_state};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

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
    // What is said of wrong games is said of none of these.
    let facts = ["not-kept", "not-ended", "not-changed", "outside-base", "outside-input"];
    let slips = [
        "bare-variable",
        "odd-variable",
        "odd-arity",
        "odd-goal",
        "broken-chain",
        "idle-condition",
    ];
    let slips =
        slips.into_iter().chain(["odd-name", "capital-letter", "cr-line-ends", "unknown-role"]);
    for code in slips.chain(facts) {
        assert_eq!(counts.get(&(false, code)), None, "{code}");
    }
}

fn guesses(complaints: &[Complaint]) -> usize {
    complaints.iter().filter(|c| c.fix.is_some()).count()
}

#[test]
fn no_first_state_is_found_fault_with_and_few_names_are_guessed_at() {
    let (mut slips, mut looked) = (0, 0);
    for path in ludex_testing::collected_games() {
        let mut report = Report::default();
        let source =
            Source::from_bytes(path.to_string_lossy(), fs::read(&path).unwrap(), &mut report);
        let (rules, mut report) = Rules::read(&source, None).map_err(|r| r.complaints).unwrap();
        slips += guesses(&report.complaints);
        // The largest take long.
        if rules.rules.len() > 1000 {
            continue;
        }
        let before = report.complaints.len();
        first_state(&rules, &mut report, &Budget::unlimited()).unwrap();
        assert_eq!(report.complaints.len(), before, "{}", report.render(&source));
        looked += 1;
    }
    // One of them, `(order 1 2 3 4 5)` that is asked for with `true`, is wrong in its source.
    assert!(slips <= 4 && (looked == 0 || looked > 150), "{slips} slips, {looked} looked at");
}

/// What is said after a few matches of games that are right. Three have ends with several goal values.
#[test]
fn a_few_matches_find_no_fault_with_games_that_are_right() {
    let small = |path: &PathBuf| fs::metadata(path).unwrap().len() < 8000;
    let games: Vec<PathBuf> = ludex_testing::collected_games().into_iter().filter(small).collect();
    let told = ludex_testing::each(&games, |path| {
        let mut report = Report::default();
        let source =
            Source::from_bytes(path.to_string_lossy(), fs::read(path).unwrap(), &mut report);
        let (rules, _) = Rules::read(&source, None).map_err(|r| r.complaints).unwrap();
        let mut report = Report::default();
        few_matches(&rules, &mut report, &Budget::unlimited());
        report.complaints.retain(|c| c.code != "not-one-goal");
        report.render(&source)
    });
    assert_eq!(told.concat(), "");
}

/// In infix names that begin with a capital letter are variables, and so they are meant.
#[test]
fn no_variable_of_infix_is_taken_for_a_constant() {
    for path in ludex_testing::collected_games() {
        let mut report = Report::default();
        let source =
            Source::from_bytes(path.to_string_lossy(), fs::read(&path).unwrap(), &mut report);
        let text = Ast::parse(&source, None, &mut report).text(Syntax::Infix);
        let infix = Source::new("infix", text);
        let (_, report) = Rules::read(&infix, None).map_err(|r| r.complaints).unwrap();
        let taken = report.complaints.iter().filter(|c| c.code == "capital-letter");
        assert_eq!(taken.count(), 0, "{}", report.render(&infix));
    }
}
