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
