//! Definitions of the papers on demand: paths and Theorem 3.16, steps of the frame translation, instances by rule,
//! projections in a match, lattices, domains of a few clauses.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&[arguments, &["--json"]].concat())).unwrap()
}

fn piped(input: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn ground_rules_are_a_game_that_runs() {
    for game in ["tictactoe", "doubletictactoe", "blocksworld", "racetokens"] {
        let printed = text(&["ground", game, "--print"]);
        let counts = |text: String| -> Vec<String> {
            let rows =
                text.lines().filter(|l| l.trim_start().starts_with(|c: char| c.is_ascii_digit()));
            rows.map(String::from).collect()
        };
        let whole = counts(text(&["perft", game, "--depth", "3"]));
        assert_eq!(counts(piped(&printed, &["perft", "-", "--depth", "3"])), whole, "{game}");
        assert!(whole.len() == 4, "{game}");
    }
}

#[test]
fn instances_by_rule() {
    let found = json(&["ground", "tictactoe", "--by-rule"]);
    let rules = found["rules"].as_array().unwrap();
    let of =
        |part: &str| rules.iter().find(|r| r["rule"].as_str().unwrap().contains(part)).unwrap();
    let rule = of("(distinct ?m ?j)");
    assert_eq!((rule["graph"].as_u64(), rule["distinct"].as_u64()), (Some(162), Some(108)));
    assert_eq!(rule["reduced"].as_u64(), Some(108));
    assert!(rule["variables"][0].as_str().unwrap().contains("in {"), "{rule}");
}

#[test]
fn domains_of_a_few_clauses() {
    let clauses = "block(a) block(b)\nbase(on(X,Y)) :- block(X) & block(Y)\n";
    let graph = piped(clauses, &["domains", "-", "--graph"]);
    assert!(graph.contains("block[1] -> on[2]"), "{graph}");
    let table = piped(clauses, &["domains", "-"]);
    assert!(table.contains("{a, b} × {a, b}"), "{table}");
    let whole = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["domains", "-"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(whole.status.code(), Some(1), "nothing is no game");
}

/// Terms that grow without end: the graph is told, the rest is said not to be computed.
#[test]
fn domains_of_terms_that_grow() {
    let rules = "(role p) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (legal p go)
        (<= terminal (true (n (s (s (s z)))))) (goal p 0)";
    let table = piped(rules, &["domains", "-"]);
    assert!(table.contains("unbounded") && table.contains("not computed"), "{table}");
    let graph = piped(rules, &["domains", "-", "--graph"]);
    assert!(graph.contains("n[1] -> s[1]"), "{graph}");
}

#[test]
fn games_are_different_only_where_that_is_shown() {
    let told = |a: &str, b: &str| {
        let output = run(&["same", a, b]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(told("tictactoe", "nim").contains("are different games"));
    // The same number of roles and moves in the beginning: nothing is shown.
    let open = told("tictactoe", "tictactoe-rows");
    assert!(open.contains("not shown to be the same"), "{open}");
}

#[test]
fn paths_between_propositions() {
    let press = "(does player (press a))";
    let found = json(&["factor", "twobuttons", "--paths", press, "(pressed a)"]);
    assert_eq!(found["path"], serde_json::json!([press, "(pressed a)"]));
    assert_eq!(found["independent"], serde_json::json!(["(pressed a)", press]));
    let found = text(&["factor", "twobuttons", "--paths", press, "(pressed b)"]);
    assert!(found.starts_with("disconnected"), "{found}");
    let unknown = run(&["factor", "twobuttons", "--paths", "(pressed c)", "(pressed b)"]);
    assert_eq!(unknown.status.code(), Some(1));
}

#[test]
fn theorem_condition_by_condition() {
    let found = json(&["factor", "doubletictactoe", "--theorem"]);
    let (whole, split) = (&found["as_written"], &found["moves_split"]);
    assert_eq!(whole["sets"].as_array().unwrap().len(), 1);
    assert_eq!((&whole["several"], &whole["factorable"]), (&false.into(), &false.into()));
    assert_eq!(split["sets"].as_array().unwrap().len(), 2);
    assert_eq!(split["iid"], serde_json::json!(["(control *)"]));
    assert_eq!(split["legally_partitionable"], true);
    assert_eq!(split["goal_partitionable"], true);
    let text = text(&["factor", "twobuttons", "--theorem"]);
    assert!(text.contains("conjunctively factorable by Theorem 3.16: yes"), "{text}");
    assert!(text.contains("player has moves in several sets"), "{text}");
}

#[test]
fn steps_of_the_frame_translation() {
    let text = text(&["frame", "tictactoe-frame", "--steps", "--covering", "direct"]);
    for part in [
        "cond = {(distinct ?M ?J)}",
        "M1 = {(does x",
        "I_M1 = {(distinct x o)}",
        "U_r1((next (cell ?X ?Y ?Z)), M",
        "translation basis: ",
        "(not (exists (?M ?N ?O ?P ?J ?K)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn projections_in_a_match() {
    let found = json(&["boards", "tictactoe", "--match", "--iterations", "30"]);
    let cell = found["relations"].as_array().unwrap().iter().find(|r| r["relation"] == "cell");
    let cell = cell.unwrap();
    assert_eq!(cell["left"], serde_json::json!([[1, 2]]));
    // {3} goes with the first state in which not everything is blank, and what contains it with it.
    let refuted = cell["refuted"].as_array().unwrap();
    assert_eq!(refuted.len(), 4);
    assert!(refuted.iter().all(|r| r["state"].as_u64() >= Some(1) && r["before_move"] == 1));
    assert_eq!(found["over"], true);
}

#[test]
fn lattices_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lattice.svg");
    let file = file.to_str().unwrap();
    text(&["boards", "tictactoe", "--svg", file]);
    let svg = std::fs::read_to_string(file).unwrap();
    // Seven projections of cell, one of control, and five in the legend.
    assert_eq!(svg.matches("<rect").count(), 1 + 7 + 1 + 5);
    assert!(svg.contains(">{1,2}<") && svg.contains("projections of cell, 3 arguments"), "{svg}");
    assert_eq!(run(&["boards", "tictactoe", "--svg", file]).status.code(), Some(1), "it is there");
}

#[test]
fn savings_along_a_path() {
    let arguments = ["bench-symmetry", "tictactoe", "--depth", "4", "--positions", "3"];
    let found = json(&arguments);
    assert_eq!(found["positions"], 3);
    let states = |key: &str| found[key]["states"].as_u64().unwrap();
    assert!(states("states") < states("normal") && states("limited") <= states("normal"));
    assert!(found["symmetric_seconds"].as_f64() >= Some(0.0), "{found}");
}
