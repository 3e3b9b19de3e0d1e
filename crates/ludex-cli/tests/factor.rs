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
fn a_list_of_matches_that_a_limit_ends_says_so() {
    let asked = ["factor", "--json", "joinedtictactoe", "--matches", "10000000"];
    let (code, lines) = run(&[&asked[..], &["--time-limit", "0.3"]].concat());
    assert_eq!(code, 3);
    assert_eq!((&lines[0]["complete"], &lines[0]["asked"]), (&false.into(), &10_000_000.into()));
    assert!(lines[0]["matches"].as_array().unwrap().len() < 10_000_000);
    let (_, lines) = run(&["factor", "--json", "joinedtictactoe", "--matches", "2"]);
    assert_eq!(lines[0]["complete"], true);
}

#[test]
fn leaves_of_two_boards_are_summed_and_multiplied() {
    let (code, lines) = run(&["factor", "--json", "doubletictactoe", "--count"]);
    assert_eq!(code, 0);
    let leaves = &lines[0]["leaves"];
    assert_eq!(leaves["factors"], serde_json::json!([255_168, 255_168]));
    assert_eq!(leaves["sum"], 510_336);
    assert_eq!(leaves["product"], 65_110_708_224_u64);
}

#[test]
fn tables_have_a_line_for_each_game() {
    let table = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines()
            .map(|l| l.split('\t').map(String::from).collect())
            .collect::<Vec<Vec<String>>>()
    };
    let lines = table(&["factor", "--table", "twobuttons", "tictactoe", "--matches", "1"]);
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|l| l.len() == lines[0].len()));
    assert_eq!(lines[1][..3], ["twobuttons", "by choice", "2"]);
    assert!(lines[1][6].starts_with("all "));
    let lines = table(&["latches", "--table", "twobuttons", "tictactoe"]);
    assert_eq!(lines[1][..4], ["twobuttons", "2", "2", "0"]);
    assert_eq!(lines[2][..4], ["tictactoe", "29", "18", "9"]);
}

#[test]
fn latches_are_lists_of_facts() {
    let (code, lines) = run(&["latches", "--json", "tictactoe"]);
    assert_eq!(code, 0);
    assert!(lines[0]["positive"].as_array().unwrap().contains(&Value::from("(cell 2 2 x)")));
    assert_eq!(lines[0]["negative"].as_array().unwrap().len(), 9);
    assert_eq!(run(&["latches", "no-such-game"]).0, 1);
}
