//! `ludex frame` and `ludex bench-frame`.

use serde_json::Value;
use std::process::Command;

fn ludex(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_paper_s_example() {
    let answer = ludex(&["frame", "tictactoe-frame", "--json"]);
    assert_eq!(answer["covering"], "pruned");
    assert_eq!(answer["fnext"].as_array().unwrap().len(), 3);
    assert_eq!(answer["auxiliary"].as_array().unwrap().len(), 0);
    assert!(answer["rules"].as_u64().unwrap() > 20);
    let infix = ludex(&["frame", "tictactoe-frame", "--json", "--to", "infix"]);
    assert!(infix["fnext"][2] == "fnext(control(X)) :- true(control(X)).", "{infix}");
}

#[test]
fn the_table_counts_states() {
    let row = ludex(&["bench-frame", "tictactoe-frame", "--depth", "4", "--json"]);
    // 1 + 9 + 9·8 + 9·8·7 + 9·8·7·6
    assert_eq!(row["states"], 3610);
    assert!(row["seconds"]["scalar"].is_number() && row["seconds"]["pruned"].is_number());
}

#[test]
fn info_says_which_rules_are_used() {
    let info = ludex(&["info", "breakthrough", "--engine", "interp", "--json"]);
    let why = info["why"].as_str().unwrap();
    assert!(why.contains(" rules (microseconds a step: original "), "{why}");
}
