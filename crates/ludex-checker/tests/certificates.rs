//! What Ludex proves of games is accepted, and rejected where anything in it is changed.

use ludex::budget::Budget;
use ludex::knowledge::Knowledge;
use ludex::rules::Rules;
use ludex::source::Source;
use ludex_checker::{Rejected, check};
use ludex_facts::certificate::Certificate;
use std::path::Path;

fn certificate(file: &str) -> Certificate {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(file);
    let text = std::fs::read_to_string(path).expect("a bundled game");
    let rules = Rules::read(&Source::new(file, text), None).expect("a game").0;
    let budget = Budget::unlimited();
    let found = Knowledge::of_rules(rules).invariants(&budget).expect("it is small");
    Certificate::of(&found).expect("it has no loops")
}

#[test]
fn what_is_proved_is_accepted() {
    for (file, facts) in [
        ("tictactoe.kif", 10),
        ("nim.kif", 5),
        ("eightpuzzle.kif", 10),
        ("breakthrough-small.gdl", 10),
    ] {
        let certificate = certificate(file);
        let accepted = check(&certificate.text).unwrap_or_else(|why| panic!("{file}: {why}"));
        assert!(accepted.claims >= certificate.facts && certificate.facts >= facts, "{file}");
    }
}

/// One claim after the other is turned round.
#[test]
fn what_is_changed_is_rejected() {
    let text = certificate("tictactoe.kif").text;
    let (circuit, claims) = text.split_once("\nc\n").expect("a comment");
    let lines: Vec<&str> = claims.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("role")).expect("roles") + 2;
    let mut turned = 0;
    for at in first..lines.len() {
        let Some(other) = turned_round(lines[at]) else { continue };
        let mut lines = lines.clone();
        lines[at] = &other;
        let wrong = format!("{circuit}\nc\n{}\n", lines.join("\n"));
        assert!(matches!(check(&wrong), Err(Rejected::Claim { .. })), "{} -> {other}", lines[at]);
        turned += 1;
        if turned == 25 {
            break;
        }
    }
    assert!(turned > 5);
}

/// A claim that is false: the first fact of a clause is never there, one of a counter's is left out, a fact that
/// stays once it is there stays away.
fn turned_round(claim: &str) -> Option<String> {
    let (word, rest) = claim.split_once(' ')?;
    let lits: Vec<u32> = rest.split(' ').map(|l| l.parse().ok()).collect::<Option<_>>()?;
    match word {
        "clause" | "stays" => Some(format!("{word} {}", lits[0] ^ 1)),
        "counter" => Some(rest.replacen(&lits[0].to_string(), word, 1)),
        "within" => Some(format!("{word} {}", lits[0] - 1)),
        _ => None,
    }
}

/// A counter that nobody can stop: over within four steps, and not within three.
#[test]
fn a_moment_by_which_it_is_over_is_checked() {
    let rules = "(role you) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))
        (legal you left) (legal you right) (<= (next (went ?m)) (does you ?m))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 4)))
        (goal you 100)";
    let rules = Rules::read(&Source::new("steps", rules), None).expect("a game").0;
    let found = Knowledge::of_rules(rules).invariants(&Budget::unlimited()).expect("it is small");
    let text = Certificate::of(&found).expect("it has no loops").text;
    assert!(text.contains("within 4\n"), "{text}");
    assert!(check(&text).is_ok());
    let wrong = check(&text.replace("within 4", "within 3"));
    assert!(matches!(wrong, Err(Rejected::Claim { .. })));
}

#[test]
fn texts_that_are_none_are_told_with_their_line() {
    let text = certificate("nim.kif").text;
    for (of, to, line) in [
        ("aag ", "aig ", Some(1)),
        ("ludex certificate 1", "ludex certificate 2", None),
        ("steps 1", "steps 0", None),
        ("clause ", "phrase ", None),
        ("role 0", "role 1", None),
    ] {
        let wrong = text.replacen(of, to, 1);
        match check(&wrong) {
            Err(Rejected::Text { line: at, .. }) => assert!(line.is_none_or(|line| line == at)),
            other => panic!("{to}: {other:?}"),
        }
    }
    assert!(matches!(check(""), Err(Rejected::Text { line: 1, .. })));
}
