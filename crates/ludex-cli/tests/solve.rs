//! `ludex solve` and `ludex bench-symmetry` as a script meets them: keys, limits, positions, exit codes.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> (i32, Vec<Value>) {
    let output = run(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    (output.status.code().unwrap(), lines)
}

#[test]
fn solve_has_the_keys_that_scripts_rely_on() {
    let (code, lines) = json(&["solve", "--json", "tictactoe", "eightpuzzle"]);
    assert_eq!((code, lines.len()), (0, 2));
    assert_eq!(lines[0]["values"], json!({"white": 50, "black": 50}));
    assert_eq!(lines[0]["bounds"], json!({"white": [50, 50], "black": [50, 50]}));
    assert_eq!(lines[0]["complete"], true);
    assert_eq!(lines[0]["line"].as_array().unwrap().len(), 9);
    assert_eq!(lines[0]["line"][0].as_array().unwrap().len(), 2);
    assert!(lines[0]["states"].as_u64().unwrap() > 100);
    assert!(lines[0]["cpu_seconds"].is_f64());
    assert_eq!(lines[0]["symmetry"]["order"], "8");
    assert_eq!(
        (&lines[1]["values"]["player"], lines[1]["line"].as_array().unwrap().len()),
        (&json!(100), 31)
    );
}

#[test]
fn positions_are_given_as_text_or_file() {
    // White takes a corner, black an edge beside it: white wins.
    let (code, lines) = json(&["solve", "--json", "tictactoe", "--from", "(mark 1 1); (mark 1 2)"]);
    assert_eq!((code, &lines[0]["values"]["white"]), (0, &json!(100)));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("from.txt");
    std::fs::write(&path, "(mark 1 1)\tnoop\nnoop\t(mark 1 2)\n").unwrap();
    let (_, from_file) = json(&["solve", "--json", "tictactoe", "--from", path.to_str().unwrap()]);
    assert_eq!(from_file[0]["values"], lines[0]["values"]);
    let output = run(&["solve", "tictactoe", "--from", "(mark 9 9)"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a legal move"));
}

#[test]
fn a_limit_leaves_bounds() {
    let (code, lines) = json(&["solve", "--json", "connectfour", "--time-limit", "1s"]);
    assert_eq!((code, &lines[0]["complete"]), (3, &json!(false)));
    assert_eq!(lines[0]["bounds"]["red"], json!([0, 100]));
    assert_eq!(lines[0]["values"]["red"], Value::Null);
    assert_eq!(lines[0]["stopped"], serde_json::json!(["values", "line"]));
    assert_eq!(lines[0]["stopped_by"], "time limit");
    let (code, lines) = json(&["solve", "--json", "tictactoe", "--depth", "3"]);
    assert_eq!((code, &lines[0]["complete"]), (3, &json!(false)));
}

#[test]
fn shortcuts_can_be_switched_off() {
    let (_, apart) = json(&["solve", "--json", "doubletictactoe"]);
    assert_eq!(apart[0]["factors"].as_array().unwrap().len(), 2);
    let (_, whole) = json(&["solve", "--json", "doubletictactoe", "--factoring", "off"]);
    assert_eq!(whole[0]["factors"], json!([]));
    assert_eq!(whole[0]["values"], apart[0]["values"]);
    let arguments = ["solve", "--json", "tictactoe", "--symmetry", "none", "--latches", "off"];
    let (_, plain) = json(&arguments);
    assert_eq!(plain[0]["symmetry"]["mode"], "none");
}

#[test]
fn symmetries_save_most_of_tic_tac_toe() {
    let chart = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("savings.svg");
    let _ = std::fs::remove_file(&chart);
    let arguments =
        ["bench-symmetry", "--json", "tictactoe", "nim", "--svg", chart.to_str().unwrap()];
    let (code, lines) = json(&arguments);
    assert_eq!((code, lines.len()), (0, 2));
    assert_eq!((&lines[0]["depth"], &lines[0]["whole"]), (&json!(9), &json!(true)));
    // 4,520 states are not over; seven of them are expanded again, since the table forgets some.
    assert_eq!(
        (&lines[0]["normal"]["states"], &lines[0]["states"]["states"]),
        (&json!(4527), &json!(627))
    );
    assert!(lines[0]["moves"]["states"].as_u64() < lines[0]["normal"]["states"].as_u64());
    assert_eq!(lines[1]["order"], "1");
    assert!(std::fs::read_to_string(&chart).unwrap().contains("tictactoe"));
    // Nothing is overwritten.
    let again = run(&arguments);
    assert_eq!(again.status.code(), Some(1));
}
