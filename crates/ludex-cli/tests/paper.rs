//! `ludex paper`: every item that needs no other games, and where we differ from the papers.

use ludex_testing::shared;
use serde_json::Value;
use std::process::Command;

fn items(arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.arg("paper").args(arguments).arg("--json").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let reports = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    reports.flat_map(|report| report["items"].as_array().unwrap().clone()).collect()
}

fn count(items: &[Value], verdict: &str) -> usize {
    items.iter().filter(|item| item["verdict"] == verdict).count()
}

/// What is found where it is not what the paper has, with a reason for each.
fn differing(items: &[Value]) -> Vec<(&str, &str)> {
    let differ = items.iter().filter(|item| item["verdict"] == "differs");
    let told = differ.map(|item| {
        assert!(!item["reason"].as_str().unwrap().is_empty(), "{item}");
        (item["item"].as_str().unwrap(), item["ours"].as_str().unwrap())
    });
    told.collect()
}

#[test]
fn the_papers_are_listed() {
    assert!(items(&[]).is_empty());
}

#[test]
fn domains() {
    let items = items(&["domains"]);
    assert_eq!((items.len(), count(&items, "agrees")), (39, 35));
    let expected = [
        ("14.3: kingmove", "1680 of 65536"),
        ("14.3: moves of a king", "420"),
        ("14.3: files and ranks apart", "420 of 4096"),
        ("Exercise 1f: instances of a rule", "12 of 27"),
    ];
    assert_eq!(differing(&items), expected);
}

#[test]
fn factoring() {
    let items = items(&["factoring"]);
    assert_eq!((items.len(), count(&items, "agrees")), (11, 10));
    assert_eq!(differing(&items), [("joined tic-tac-toe after 2 moves", "one game")]);
}

#[test]
fn symmetry() {
    let items = items(&["symmetry"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (3, 7));
    let tautology = "with p(a) :- a \\= a, from the rules as written";
    assert_eq!(differing(&items), [(tautology, "16, without it 16")]);
}

#[test]
fn frame() {
    let items = items(&["frame"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (7, 51));
}

#[test]
fn boards() {
    let items = items(&["boards"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (9, 52));
}

/// Some rows of the tables, with the games of the public collection.
#[test]
fn tables() {
    let Some(folder) = shared("games") else { return };
    let folder = folder.to_str().unwrap();
    let rows = items(&["boards", "--games", folder, "--item", "kono"]);
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (rows[0]["verdict"].as_str(), rows[0]["ours"].as_str()),
        (Some("agrees"), Some("{1,2}"))
    );
    let rows = items(&["frame", "--games", folder, "--item", "Table 1: max_knights"]);
    assert_eq!(
        (rows[0]["verdict"].as_str(), rows[0]["ours"].as_str()),
        (Some("agrees"), Some("4.10"))
    );
    assert_eq!(rows[1]["verdict"], "measured");
}
