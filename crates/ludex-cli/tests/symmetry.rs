//! `ludex symmetry`, `ludex same` and `ludex rulegraph` as a script meets them: keys and exit codes.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, Vec<Value>) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    (output.status.code().unwrap(), lines)
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn symmetry_has_orders_of_rules_and_net_as_strings() {
    let (code, lines) = run(&["symmetry", "--json", "tictactoe"]);
    assert_eq!(code, 0);
    let answer = &lines[0];
    assert_eq!(answer["rules"]["order"], "8");
    assert_eq!(answer["rules"]["order_fixed_roles"], "4");
    assert_eq!(answer["net"]["order"], "16");
    assert_eq!(answer["net"]["order_fixed_roles"], "8");
    assert_eq!(answer["net"]["contains_rules"], true);
    assert!(answer["rules"]["generators"].as_array().unwrap().len() >= 3);
}

#[test]
fn fixed_roles_and_the_initial_state() {
    let (_, lines) = run(&["symmetry", "--json", "--fix-roles", "tictactoe-symmetry"]);
    assert_eq!(lines[0]["rules"]["order"], "8");
    assert_eq!(lines[0]["net"]["order"], "8");
    // The first player is to move, so roles cannot be exchanged.
    let (_, lines) = run(&["symmetry", "--json", "--with-init", "tictactoe-symmetry"]);
    assert_eq!(lines[0]["rules"]["order"], "8");
    assert_eq!(lines[0]["net"]["order"], "8");
}

#[test]
fn symmetric_moves_of_a_position() {
    let (code, lines) = run(&["symmetry", "--json", "buttonsandlights", "--state", "on(1)"]);
    assert_eq!(code, 0);
    assert_eq!(lines[0]["order"], "2");
    assert_eq!(lines[0]["orbits"].as_array().unwrap().len(), 2);
    let (code, _) = run(&["symmetry", "--json", "buttonsandlights", "--state", "(off 1)"]);
    assert_eq!(code, 1);
}

#[test]
fn same_tells_level_and_mapping() {
    let (code, lines) = run(&["same", "--json", "buttonsandlights", "buttonsandlights"]);
    assert_eq!(code, 0);
    assert_eq!(lines[0]["same"], true);
    assert_eq!(lines[0]["level"], "rules");
    assert_eq!(lines[0]["mapping"]["toggle[1]"], "toggle[1]");
    let (code, lines) = run(&["same", "--json", "tictactoe", "connectfour"]);
    assert_eq!(code, 1);
    assert_eq!(lines[0]["same"], false);
    assert!(!lines[0]["why"].as_str().unwrap().is_empty());
}

#[test]
fn clauses_of_the_book_are_compared() {
    let player = file("player.gdl", "role(player)\n");
    let white = file("white.gdl", "role(white)\n");
    let index = file("index.gdl", "index(1)\n");
    assert_eq!(run(&["same", "--json", &player, &white]).0, 0);
    assert_eq!(run(&["same", "--json", &player, &index]).0, 1);
    let (code, lines) = run(&["rulegraph", "--json", "--plain", &player]);
    assert_eq!(code, 0);
    // The keyword, the occurrence of player, and player itself.
    assert_eq!(lines[0]["vertices"].as_array().unwrap().len(), 3);
    assert_eq!(lines[0]["edges"].as_array().unwrap().len(), 2);
}

#[test]
fn a_game_is_found_in_a_folder() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let (code, lines) = run(&["same", "--json", "--in", games, "tictactoe"]);
    assert_eq!(code, 0);
    let found = lines[0]["found"].as_array().unwrap();
    assert!(found.iter().any(|f| f.as_str().unwrap().ends_with("tictactoe.kif")));
    assert_eq!(run(&["same", "--json", "tictactoe"]).0, 2);
}
