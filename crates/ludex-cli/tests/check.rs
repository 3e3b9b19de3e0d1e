//! `ludex check` as scripts see it: JSON, exit codes, places.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn check(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .arg("check")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

const FAULTY: &str = "(role r)\n(init (s 1))\n(<= (next ?x)\n    (not (true ?x)))\n\
    (legal r a)\n(goal r 1 2)\n(<= terminal (p 1))\n";

#[test]
fn errors_have_codes_and_places() {
    let output = check(&["--json", "-"], FAULTY);
    assert_eq!(output.status.code(), Some(1));
    let [game] = &lines(&output)[..] else { panic!("one line") };
    assert_eq!((&game["game"], &game["ok"]), (&"stdin".into(), &false.into()));
    let places = |list: &str| -> Vec<(String, Value, Value)> {
        let all = game[list].as_array().unwrap().iter();
        all.map(|c| (c["code"].as_str().unwrap().into(), c["line"].clone(), c["column"].clone()))
            .collect()
    };
    let errors = [("unsafe-variable", 3, 11), ("keyword-arity", 6, 1)];
    assert_eq!(places("errors"), errors.map(|(c, l, n)| (c.into(), l.into(), n.into())));
    let warnings = places("warnings");
    assert!(warnings.contains(&("undefined-relation".into(), 7.into(), 14.into())), "{warnings:?}");
    assert!(warnings.contains(&("missing-base".into(), Value::Null, Value::Null)), "{warnings:?}");
}

#[test]
fn every_game_is_checked_even_after_a_bad_one() {
    let output = check(&["--json", "no-such-game", "tictactoe"], "");
    assert_eq!(output.status.code(), Some(1));
    let ok: Vec<bool> = lines(&output).iter().map(|g| g["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [false, true]);
}

#[test]
fn sound_games_and_explanations_exit_with_0() {
    let output = check(&["tictactoe"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("tictactoe: ok\n"));
    let output = check(&["--explain", "two-arities"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("Warning. A name has"));
    assert_eq!(check(&["--explain", "nothing"], "").status.code(), Some(2));
    assert_eq!(check(&[], "").status.code(), Some(2));
}

#[test]
fn random_matches_tell_the_moves_that_lead_to_a_fault() {
    let rules = "(role r) (base (n 1)) (input r b) (init (n 1)) (succ 1 2) (succ 2 3)
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= (legal r a) (true (n ?x)) (distinct ?x 2))
        (goal r 1) (<= terminal (true (n 3)))";
    let output = check(&["--json", "--simulate", "3", "-"], rules);
    assert_eq!(output.status.code(), Some(1));
    let [game] = &lines(&output)[..] else { panic!("one line") };
    let found = |list: &str| -> Vec<(Value, Value)> {
        let all = game[list].as_array().unwrap().iter().filter(|c| c["moves"].is_array());
        all.map(|c| (c["code"].clone(), c["moves"].clone())).collect()
    };
    let (none, one): (Value, Value) = (serde_json::json!([]), serde_json::json!([["a"]]));
    assert_eq!(found("errors"), [("no-legal-move".into(), one.clone())]);
    assert_eq!(found("warnings"), [("outside-input".into(), none), ("outside-base".into(), one)]);
    assert_eq!(game["simulation"]["matches"], 3);
}

#[test]
fn the_first_complaint_names_the_cause() {
    let game = |wrong: &dyn Fn(&str) -> String| {
        let output = check(&["--json", "-"], &wrong(TICTACTOE));
        let [game] = &lines(&output)[..] else { panic!("one line") };
        let first = ["errors", "warnings"].iter().find_map(|list| game[list].get(0)).cloned();
        first.expect("a complaint")
    };
    let typo = game(&|rules| rules.replace("(not open)", "(not opne)"));
    assert_eq!(typo["code"], "undefined-relation");
    assert!(typo["hint"].as_str().unwrap().contains("did you mean `open`?"), "{typo}");
    assert_eq!(typo["fix"]["new"], "open");
    // Nothing says that the board is full, so the game is over at once: that follows.
    assert_eq!(typo["follows"][0]["code"], "unused-relation", "{typo}");
    assert_eq!(typo["follows"][1]["code"], "over-at-start", "{typo}");
    let over = game(&|rules| rules.replace("(<= terminal (not open))", "(<= terminal open)"));
    assert_eq!((&over["code"], &over["line"]), (&"over-at-start".into(), &47.into()), "{over}");
    let stuck = game(&|rules| rules.replace("(<= (legal black noop) (true (control white)))", ""));
    assert_eq!(stuck["code"], "stuck-at-start", "{stuck}");
    assert!(stuck["message"].as_str().unwrap().starts_with("black has no legal move"));
}

const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");

#[test]
fn warnings_are_allowed_and_denied() {
    let unused = format!("{TICTACTOE}\n(colour red)\n");
    assert_eq!(check(&["-"], &unused).status.code(), Some(0));
    assert_eq!(check(&["--deny", "warnings", "-"], &unused).status.code(), Some(1));
    assert_eq!(check(&["--deny", "unused-relation", "-"], &unused).status.code(), Some(1));
    let both = ["--deny", "warnings", "--allow", "unused-relation", "-"];
    assert_eq!(check(&both, &unused).status.code(), Some(0));
    assert_eq!(check(&["--allow", "unsafe-variable", "-"], &unused).status.code(), Some(2));
    let comments = format!("; ludex: deny warnings\n{unused}");
    assert_eq!(check(&["-"], &comments).status.code(), Some(1));
    let line = comments.replace("(colour red)", "(colour red) ; ludex: allow unused-relation");
    assert_eq!(check(&["-"], &line).status.code(), Some(0));
}

#[test]
fn what_random_matches_have_in_common_is_noticed() {
    let output = check(&["--json", "--simulate", "20", "connectfour"], "");
    let noticed = &lines(&output)[0]["simulation"]["noticed"];
    assert_eq!(noticed.as_array().map(Vec::len), Some(0), "{noticed}");
    let rules =
        "(role a) (role b) (base (n 1)) (base (wall 1)) (base (n 2)) (input a go) (input a fly)
        (input b go) (init (n 1)) (init (wall 1)) (<= (next (wall 1)) (true (wall 1)))
        (<= (next (n 2)) (true (n 1))) (<= (legal ?r go) (role ?r)) (goal a 100) (goal b 0)
        (<= terminal (true (n 2)))";
    let output = check(&["--json", "--simulate", "20", "-"], rules);
    let [game] = &lines(&output)[..] else { panic!("one line") };
    let noticed = game["simulation"]["noticed"].as_array().unwrap();
    let codes: Vec<&str> = noticed.iter().map(|n| n["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["over-at-once", "one-winner", "constant-facts", "never-legal"]);
}

#[test]
fn a_few_matches_show_what_no_rule_does() {
    let first = |rules: &str| {
        let output = check(&["--json", "-"], rules);
        let [game] = &lines(&output)[..] else { panic!("one line") };
        assert_eq!(game["ok"], true, "{game}");
        game["warnings"][0].clone()
    };
    let told = |complaint: &Value, code: &str, part: &str| {
        assert_eq!(complaint["code"], code, "{complaint}");
        assert!(complaint["message"].as_str().unwrap().contains(part), "{complaint}");
    };
    let waits = TICTACTOE.replace("(<= (legal white noop) (true (control black)))", "");
    told(&first(&waits), "no-legal-move", "white has no legal move");
    let twice = TICTACTOE.replace("(goal white 50) (not (line x))", "(goal white 50)");
    told(&first(&twice), "not-one-goal", "white has 2 goal values in a terminal state: 100 and 50");
    let draw = TICTACTOE.replace("(<= (goal black 50) (not (line x)) (not (line o)))", "");
    told(&first(&draw), "not-one-goal", "black has no goal value");
    let round = "(role r) (init (at 1)) (<= (next (at 1)) (true (at 2))) (<= (next (at 2)) (true (at 1)))
        (<= (next (at 3)) (true (at 3))) (<= (legal r go) (true (at ?x))) (<= (goal r 1) (true (at ?x)))
        (<= terminal (true (at ?x)) (distinct ?x 1) (distinct ?x 2)) (init (off 3))
        (<= (next (off ?x)) (true (off ?x))) (<= (next (at 3)) (true (off 4)))";
    let output = check(&["--json", "-"], round);
    let warnings = lines(&output)[0]["warnings"].to_string();
    assert!(warnings.contains("endless-match"), "{warnings}");
    // Matches that were asked for say it as errors.
    assert_eq!(check(&["--simulate", "20", "-"], &waits).status.code(), Some(1));
}
