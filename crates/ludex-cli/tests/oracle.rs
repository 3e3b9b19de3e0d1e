//! `replay` and `perft` print, on every engine, what independent reasoners found, over a sample of the collection.

use ludex_testing::{shared, shared_text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Every how many lines of an oracle file a game is taken: a run must not last long.
const EVERY: usize = 24;

const ENGINES: &[&str] = &["interp", "scalar", "sliced"];

/// Some lines of a file of the oracle.
fn sample(name: &str) -> Option<Vec<Value>> {
    let text = shared_text(&format!("oracle/{name}"))?;
    let lines = text.lines().step_by(EVERY);
    let games: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 9, "every 24th of 212 games");
    Some(games)
}

fn ludex(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let (out, err) = (output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {err}");
    let out = String::from_utf8(out).unwrap();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn game_file(entry: &Value) -> String {
    let path = shared(&format!("games/{}", entry["file"].as_str().unwrap()));
    path.expect("a game of the oracle").to_str().unwrap().to_string()
}

#[test]
fn replays_agree() {
    let Some(games) = sample("playouts.jsonl") else { return };
    for game in &games {
        let playout = &game["playouts"][0];
        let steps = playout["steps"].as_array().unwrap();
        let moves = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle.moves");
        std::fs::write(&moves, steps.iter().filter_map(joint_line).collect::<String>()).unwrap();
        let moves = moves.to_str().unwrap();
        for engine in ENGINES {
            let file = game_file(game);
            let mut states =
                ludex(&["replay", &file, "--moves", moves, "--engine", engine, "--json"]);
            let last = states.last_mut().unwrap().as_object_mut().unwrap();
            let goals = last.remove("goals").unwrap();
            assert_eq!(&states, steps, "{engine}: {}", game["file"]);
            assert_eq!(goals, playout["goals"], "{engine}: {}", game["file"]);
        }
    }
}

fn joint_line(step: &Value) -> Option<String> {
    let moves: Vec<&str> = step["joint"].as_array()?.iter().map(|m| m.as_str().unwrap()).collect();
    Some(moves.join("\t") + "\n")
}

#[test]
fn counts_agree() {
    const DEPTH: usize = 3;
    let Some(games) = sample("perft.jsonl") else { return };
    for game in &games {
        let known = game["perft"].as_array().unwrap().len();
        let depth = (known - 1).min(DEPTH).to_string();
        for engine in ENGINES {
            let file = game_file(game);
            let counts =
                &ludex(&["perft", &file, "--depth", &depth, "--engine", engine, "--json"])[0];
            assert_eq!(counts["engine"], *engine);
            for (ours, theirs) in
                [("perft", "perft"), ("terminals", "terminals"), ("states", "unique_states")]
            {
                let ours = counts[ours].as_array().unwrap();
                let theirs = &game[theirs].as_array().unwrap()[..ours.len()];
                assert_eq!(ours[..], *theirs, "{engine}: {}", game["file"]);
            }
        }
    }
}
