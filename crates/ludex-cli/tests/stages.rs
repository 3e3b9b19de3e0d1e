//! `domains`, `ground`, `net` and `bench`: the keys of their JSON, and what they say where a game is
//! too large, a run is interrupted or nobody can move.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap()
}

/// The JSON of a command that succeeds, and what it prints without `--json`.
fn both(arguments: &[&str]) -> (Value, String) {
    let plain = ludex(arguments);
    let json = ludex(&[arguments, &["--json"]].concat());
    for output in [&plain, &json] {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(plain.stdout).unwrap();
    (serde_json::from_slice(&json.stdout).expect("one object"), text)
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

/// A state is a word of twelve letters, of which a move drops the first and adds a last one: matches
/// are quick to play, but there are 12^12 words.
fn words() -> String {
    let letters: String = (0..12).map(|i| format!("(letter {i}) ")).collect();
    let vars = |range: std::ops::Range<u32>| range.map(|i| format!(" ?{i}")).collect::<String>();
    format!(
        "(role r) {letters} (init (word{})) (<= (legal r (add ?x)) (letter ?x))
        (<= (next (word{} ?x)) (true (word{})) (does r (add ?x)))
        (<= terminal (true (word{}))) (goal r 0)",
        " 0".repeat(12),
        vars(1..12),
        vars(0..12),
        " 1".repeat(12),
    )
}

#[test]
fn domains_have_three_counts_for_every_predicate_and_function() {
    let (json, text) = both(&["domains", "tictactoe"]);
    let entries = json["domains"].as_array().unwrap();
    let entry = |name: &str| entries.iter().find(|e| e["name"] == name).expect("an entry");
    let counts = |name: &str| {
        ["arity", "graph", "reduced", "reachable"].map(|key| entry(name)[key].as_u64().unwrap())
    };
    assert_eq!(counts("cell"), [3, 27, 27, 27]);
    assert_eq!(counts("row"), [2, 9, 9, 9]);
    assert_eq!(counts("init"), [1, 29, 10, 10]);
    assert_eq!(entry("line")["domain"], "{x, o, b}");
    assert!(text.contains("graph  reduced  reachable"), "{text}");
}

#[test]
fn domain_graphs_are_printed_and_drawn() {
    let (_, graph) = both(&["domains", "tictactoe", "--graph"]);
    assert!(graph.contains("index[1] -> cell[1]"), "{graph}");
    let dot = String::from_utf8(ludex(&["domains", "tictactoe", "--dot"]).stdout).unwrap();
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'), "{dot}");
}

#[test]
fn ground_rules_are_counted_and_printed() {
    let (json, text) = both(&["ground", "tictactoe"]);
    let count = |key: &str| json[key].as_u64().unwrap_or_else(|| panic!("{key}"));
    assert!(text.contains(&format!("{} ground rules", count("rules"))), "{text}");
    assert!(count("literals") > count("rules") && count("atoms") > 0);
    let printed = String::from_utf8(ludex(&["ground", "tictactoe", "--print"]).stdout).unwrap();
    let rules =
        printed.lines().filter(|l| !l.starts_with("(init") && !l.starts_with("(role")).count();
    assert_eq!(rules as u64, count("rules"));
    assert!(printed.contains("(<= (line x) (row 1 x))"), "{printed}");
    assert!(!printed.contains("(line b)"), "{printed}");
}

#[test]
fn networks_are_counted_and_drawn() {
    let (json, text) = both(&["net", "tictactoe"]);
    assert_eq!((json["bases"].as_u64(), json["inputs"].as_u64()), (Some(29), Some(20)));
    // 29 next, 20 legal, 6 rows, 6 columns, 2 diagonals, 2 lines, open, terminal, 6 goals.
    assert_eq!(
        (json["views"].as_u64(), json["recursive_components"].as_u64()),
        (Some(73), Some(0))
    );
    assert!(json["gates"].as_u64() > Some(50) && json["depth"].as_u64() > Some(2), "{json}");
    let stages = json["stages"].as_object().unwrap();
    assert!(["read", "ground", "net"].iter().all(|s| stages[*s].is_number()), "{json}");
    assert!(text.contains("29 bases, 20 inputs"), "{text}");
    let dot = String::from_utf8(ludex(&["net", "tictactoe", "--dot"]).stdout).unwrap();
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'), "{dot}");
}

#[test]
fn a_game_too_large_for_a_network_is_stopped_or_played_by_the_reasoner() {
    let game = file("words.kif", &words());
    for command in [&["net"][..], &["ground"], &["perft", "--engine", "sliced", "--depth", "1"]] {
        let stopped = ludex(&[command, &[&game, "--time-limit", "300ms"]].concat());
        let message = String::from_utf8_lossy(&stopped.stderr).into_owned();
        assert_eq!(stopped.status.code(), Some(3), "{message}");
        assert!(message.contains("stopped: time limit reached"), "{message}");
    }
    let open = ludex(&["prove", &game, "(not terminal)", "--time-limit", "300ms"]);
    let message = String::from_utf8_lossy(&open.stdout).into_owned();
    assert_eq!(open.status.code(), Some(3), "{message}");
    assert!(message.contains("unknown after") && message.contains("not ground yet"), "{message}");
    for command in ["prove", "boards"] {
        let stopped = ludex(&[command, &game, "--time-limit", "300ms", "--json"]);
        let message = String::from_utf8_lossy(&stopped.stdout).into_owned();
        assert_eq!(stopped.status.code(), Some(3), "{message}");
        let object: Value = serde_json::from_str(&message).expect("one object");
        assert_eq!(object["stopped_by"], "time limit", "{object}");
        assert!(object["stopped"].as_array().is_some_and(|parts| !parts.is_empty()), "{object}");
        let told = String::from_utf8_lossy(&stopped.stderr).into_owned();
        assert!(told.contains("grounding"), "{told}");
    }
    let limits = ["--time-limit", "9s", "--playouts", "5", "--bound", "9"];
    let (json, text) = both(&[&["bench", &game][..], &limits].concat());
    assert_eq!((&json["engine"], &json["transitions"]), (&"interp".into(), &45.into()));
    let note = "grounding the rules took too long and was given up";
    assert!(json["notes"][0].as_str().unwrap().starts_with(note), "{json}");
    assert!(text.contains(&format!("words: {note}")), "{text}");
}

#[test]
fn a_game_in_which_nobody_can_move_is_told() {
    let rules = "(role white) (role black) (init (p 1)) (legal black noop)
        (<= (legal white (mark ?x)) (true (q ?x))) (<= (next (q 1)) (does white (mark 1)))
        (<= (next (p 1)) (true (p 1))) (<= terminal (true (q 2))) (goal white 0) (goal black 0)";
    let game = file("stuck.kif", rules);
    for engine in ["interp", "scalar", "sliced"] {
        let (json, text) = both(&["bench", &game, "--engine", engine, "--playouts", "10"]);
        assert_eq!((&json["unfinished"], &json["mean_goals"][0]), (&10.into(), &Value::Null));
        let note = "a role has no legal move in the initial state";
        let notes = json["notes"].as_array().unwrap();
        assert!(notes.contains(&note.into()), "{engine}: {notes:?}");
        assert!(text.contains(&format!("stuck: {note}")), "{engine}: {text}");
        let (perft, text) = both(&["perft", &game, "--engine", engine, "--depth", "2"]);
        assert_eq!(perft["perft"], serde_json::json!([1, 0, 0]));
        assert!(text.contains("no legal move"), "{engine}: {text}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_so() {
    for arguments in
        [["bench", "breakthrough", "--seconds", "60"], ["perft", "chess", "--depth", "9"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let child = command.args(arguments).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(700));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains("stopped: interrupted"), "{message}");
    }
}
