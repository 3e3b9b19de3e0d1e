//! `--cache`: answers and lemmas of one run are there in the next; what is damaged or stale is made anew.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(arguments).arg("--cache").arg(folder).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

const QUESTIONS: [&[&str]; 17] = [
    &["latches", "tictactoe"],
    &["latches", "tictactoe", "--moves", "(mark 1 1)"],
    &["boards", "tictactoe"],
    &["boards", "tictactoe", "--match", "--iterations", "20"],
    &["domains", "tictactoe"],
    &["domains", "tictactoe", "--reduce"],
    &["domains", "tictactoe", "--reachable"],
    &["factor", "doubletictactoe"],
    &["factor", "twobuttons", "--theorem"],
    &["factor", "twobuttons", "--paths", "(does player (press a))", "(pressed b)"],
    &["factor", "joinedtictactoe", "--matches", "2"],
    &["symmetry", "tictactoe"],
    &["symmetry", "tictactoe", "--moves", "(mark 1 1)"],
    &["frame", "tictactoe-frame", "--steps"],
    &["prove", "tictactoe"],
    &["solve", "nim"],
    &["frame", "tictactoe-frame"],
];

/// Without what an answer cost.
fn plain(line: &str) -> Value {
    let mut value: Value = serde_json::from_str(line).expect("JSON");
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !key.contains("seconds") && key != "longest");
            map.values_mut().for_each(strip);
        }
        Value::Array(list) => list.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn answers_are_kept_and_made_anew_where_they_are_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for question in QUESTIONS {
        let json = [question, &["--json"]].concat();
        let first = run(folder, &json);
        // To the last digit, times included: nothing was made again.
        assert_eq!(run(folder, &json), first, "{question:?}");
        // The text for people is made from the same answer.
        assert!(!run(folder, question).is_empty());
    }
    let before = entries(folder);
    assert!(before.len() >= QUESTIONS.len(), "{before:?}");
    let json = ["latches", "tictactoe", "--json"];
    let kept = run(folder, &json);
    for damage in [
        |_: String| String::new(),
        |_: String| "no JSON".to_string(),
        |text: String| text.replace("\\\"positive\\\":[", "\\\"positive\\\":[\\\"forged\\\","),
        |text: String| text.replacen("\"library\":\"", "\"library\":\"0.0-", 1),
    ] {
        for entry in entries(folder) {
            let text = std::fs::read_to_string(&entry).expect("an entry");
            std::fs::write(&entry, damage(text)).expect("a place to write");
        }
        assert_eq!(plain(&run(folder, &json)), plain(&kept));
        assert_eq!(plain(&run(folder, &json)), plain(&kept));
    }
}

#[test]
fn lemmas_are_kept_beside_an_answer_that_a_limit_cut_short() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // Proofs for one command are there for the others.
    run(folder, &["latches", "breakthrough-small", "--json"]);
    let lemmas = entries(folder).len();
    assert_eq!(lemmas, 2, "an answer and the lemmas");
    let alone = tempfile::tempdir().expect("a folder");
    let prove = ["prove", "breakthrough-small", "--json"];
    let status = |text: &str| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        let facts = value["facts"].as_array().expect("a list").clone();
        let proved = facts.iter().filter(|fact| fact["status"] == "proved");
        let mut texts: Vec<String> = proved.map(|fact| fact["text"].to_string()).collect();
        texts.sort();
        texts
    };
    let with = status(&run(folder, &prove));
    for text in status(&run(alone.path(), &prove)) {
        assert!(with.contains(&text), "{text} in {with:?}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_no_hindrance() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "taken").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(["latches", "tictactoe", "--cache"]).arg(&file).output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning: --cache"));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "taken");
}
