//! What the program says and does about a role that is chance, and about games with hidden information.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Chance rolls, then the player bets; chance has no goal and is the first role.
const DICE: &str =
    "(role random) (role player) (init (control random)) (number 1) (number 2) (number 3)
    (<= (legal random (roll ?n)) (true (control random)) (number ?n))
    (<= (legal random wait) (not (true (control random))))
    (<= (legal player (bet ?n)) (true (control player)) (number ?n))
    (<= (legal player wait) (not (true (control player))))
    (<= (next (control player)) (true (control random)))
    (<= (next (rolled ?n)) (does random (roll ?n)))
    (<= (next (rolled ?n)) (true (rolled ?n)))
    (<= (next (hit ?n)) (does player (bet ?n)) (true (rolled ?n)))
    (<= (next done) (true (control player)))
    (<= terminal (true done))
    (<= (goal player 100) (true (hit ?n)))
    (<= (goal player 0) (not (true (hit 1))) (not (true (hit 2))) (not (true (hit 3))))";

fn ludex(arguments: &[&str], input: &str) -> Output {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("dice-{:?}.kif", std::thread::current().id()));
    std::fs::write(&file, DICE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.arg(arguments[0]).arg(&file).args(&arguments[1..]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that ends before it has read everything closes the pipe, which is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn answer(arguments: &[&str]) -> Value {
    let output = ludex(&[arguments, &["--json"]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn it_is_said_which_role_is_chance() {
    assert_eq!(answer(&["info"])["chance"], "random");
    let info = told(&ludex(&["info"], ""));
    assert!(info.contains("\nchance    random: each legal move is equally likely"), "{info}");
    let solved = answer(&["solve"]);
    assert_eq!((&solved["chance"], &solved["values"]["player"]), (&json!("random"), &json!(100)));
    let solved = told(&ludex(&["solve"], ""));
    assert!(solved.contains("\n  random: chance\n  player: 100\n"), "{solved}");
    assert_eq!(answer(&["perft", "--depth", "2"])["perft"], json!([1, 3, 9]));
}

#[test]
fn chance_needs_no_goal() {
    let checked = ludex(&["check", "--simulate", "20"], "");
    assert_eq!(checked.status.code(), Some(0), "{}", told(&checked));
    assert!(!told(&checked).contains("goal"), "{}", told(&checked));
}

#[test]
fn the_referee_plays_chance_and_nobody_else_does() {
    let played = answer(&["match", "-p", "random", "-n", "3"]);
    for record in played["records"].as_array().unwrap() {
        assert_eq!(record["playerNamesFromHost"], json!(["chance", "random"]));
    }
    let misused = ludex(&["match", "-p", "random", "-p", "random"], "");
    assert_eq!(misused.status.code(), Some(2));
    assert!(told(&misused).contains("1 roles to play (player; random moves by chance)"));
    let begun = ludex(&["play", "--against", "random"], "quit\n");
    assert!(told(&begun).starts_with("You play player."), "{}", told(&begun));
    let refused = ludex(&["play", "--role", "random"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(told(&refused).contains("random moves by chance; nobody plays it"));
}

#[test]
fn hidden_information_is_refused_by_every_command() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hidden.kif");
    std::fs::write(&file, format!("{DICE}\n(<= (sees player (bet ?n)) (does player (bet ?n)))"))
        .unwrap();
    for command in ["check", "info", "solve", "perft", "simulate", "prove", "factor"] {
        let mut ludex = Command::new(env!("CARGO_BIN_EXE_ludex"));
        ludex.arg(command).arg(&file);
        if command == "perft" {
            ludex.args(["--depth", "1"]);
        }
        let output = ludex.output().unwrap();
        let text = told(&output);
        assert_eq!(output.status.code(), Some(1), "{command}: {text}");
        assert!(
            text.contains(":14:5: error[hidden-information]: sees (GDL-II)"),
            "{command}: {text}"
        );
        assert!(text.contains("(<= (sees player (bet ?n))") && text.contains("hint:"), "{text}");
    }
}
