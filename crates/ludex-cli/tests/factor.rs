//! `ludex factor` and `ludex latches` as a script meets them: keys and exit codes.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, Vec<Value>) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    (output.status.code().unwrap(), lines)
}

#[test]
fn factors_have_fluents_moves_and_relevance() {
    let (code, lines) = run(&["factor", "--json", "tictactoe-decoys", "tictactoe"]);
    assert_eq!((code, lines.len()), (0, 2));
    assert_eq!(lines[0]["kind"], "by choice");
    let factors = lines[0]["factors"].as_array().unwrap();
    let relevant: Vec<bool> = factors.iter().map(|f| f["relevant"].as_bool().unwrap()).collect();
    assert_eq!(relevant, [false, true, false]);
    assert_eq!(factors[1]["fluents"].as_array().unwrap().len(), 27);
    assert!(factors[1]["moves"].as_array().unwrap().contains(&Value::from("(mark middle 1 1)")));
    assert_eq!(lines[0]["exact"], "heuristic");
    assert_eq!(lines[0]["goal"], "one factor");
    assert_eq!(lines[1]["kind"], "single");
    assert_eq!(lines[1]["factors"].as_array().unwrap().len(), 1);
    assert!(lines[1]["tie"].as_str().unwrap().contains("goal"));
}

#[test]
fn a_game_falls_apart_during_a_match() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("joined.txt");
    let moves = "both(mark(2,2),mark(2,2))\tnoop\nnoop\tboth(mark(2,3),mark(2,1))\n\
                 both(mark(1,1),middle)\tnoop\n";
    std::fs::write(&path, moves).unwrap();
    let file = path.to_string_lossy();
    let (code, lines) = run(&["factor", "--json", "joinedtictactoe", "--moves", &file]);
    assert_eq!(code, 0);
    assert_eq!(lines[0]["factors"].as_array().unwrap().len(), 2);
    let (code, lines) = run(&["latches", "--json", "joinedtictactoe", "--moves", &file]);
    assert_eq!(code, 0);
    assert!(lines[0]["positive"].as_array().unwrap().contains(&Value::from("(centre x)")));
    let (_, lines) = run(&["factor", "--json", "joinedtictactoe", "--matches", "3"]);
    assert_eq!(lines[0]["matches"].as_array().unwrap().len(), 3);
    assert_eq!(lines[0]["factors_at_first"], 1);
}

#[test]
fn latches_are_lists_of_facts() {
    let (code, lines) = run(&["latches", "--json", "tictactoe"]);
    assert_eq!(code, 0);
    assert!(lines[0]["positive"].as_array().unwrap().contains(&Value::from("(cell 2 2 x)")));
    assert_eq!(lines[0]["negative"].as_array().unwrap().len(), 9);
    assert_eq!(run(&["latches", "no-such-game"]).0, 1);
}
