//! Every line that a command prints with `--json` is what its schema says, with no key beside.

use jsonschema::Validator;
use ludex_testing::each;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

fn ludex(arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let command = command.args(arguments).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // A program that ends before it has read everything closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// The schemas of all commands. Objects have no other keys than those that are named.
struct Schemas {
    validators: BTreeMap<String, Validator>,
    /// The commands that printed a valid line.
    told: Mutex<BTreeSet<String>>,
}

impl Schemas {
    fn load() -> Schemas {
        let (_, text) = ludex(&["schema"], "");
        let mut all: Value = serde_json::from_str(&text).expect("the schema is JSON");
        close(&mut all);
        let validator = |(command, forms): (&String, &Value)| {
            let schema =
                json!({"$schema": all["$schema"], "anyOf": forms["anyOf"], "$defs": all["$defs"]});
            (command.clone(), jsonschema::validator_for(&schema).expect("a schema"))
        };
        let commands = all["commands"].as_object().expect("commands");
        Schemas { validators: commands.iter().map(validator).collect(), told: Mutex::default() }
    }

    /// Runs a command; each of its lines must be valid, and there must be one.
    fn check(&self, arguments: &[&str], input: &str) -> Vec<Value> {
        let (_, out) = ludex(&[arguments, &["--json"]].concat(), input);
        let command = arguments[0];
        let values: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert!(!values.is_empty(), "{arguments:?} prints nothing");
        for value in &values {
            let faults: Vec<String> = self.validators[command]
                .iter_errors(value)
                .map(|e| format!("{} at {}", e, e.instance_path))
                .collect();
            let shown: String = value.to_string().chars().take(2000).collect();
            assert!(faults.is_empty(), "{arguments:?}\n{}\n{shown}", faults.join("\n"));
            // States are told as in recorded matches, without a version.
            let state = value.get("state_digest").is_some();
            assert!(state || value["version"] == 1, "{arguments:?}: {shown}");
        }
        self.told.lock().unwrap().insert(command.into());
        values
    }
}

/// Allows no key that a schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if keys.contains_key("properties") && !keys.contains_key("additionalProperties") {
                keys.insert("additionalProperties".into(), false.into());
            }
            keys.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

fn games() -> Vec<String> {
    let (_, out) = ludex(&["games", "--json"], "");
    let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].clone();
    let all: Vec<String> = out.lines().map(|l| name(l).as_str().unwrap().into()).collect();
    assert!(all.len() >= 34, "{} games", all.len());
    all
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

/// Work that takes longer ends with what is known, which is to be valid, too.
const LIMIT: [&str; 2] = ["--time-limit", "200ms"];

/// Commands that need more than a game, each with what else it is run with here.
const NOT_OF_A_GAME: [&str; 8] =
    ["atlas", "new", "paper", "player", "qbf", "report", "serve", "test"];

#[test]
fn all_commands_on_all_bundled_games() {
    let schemas = Schemas::load();
    schemas.check(&["games"], "");
    each(&games(), |game| {
        let game = game.as_str();
        schemas.check(&["games", game], "");
        schemas.check(&["check", game, "--simulate", "1", "--bound", "20"], "");
        schemas.check(&["fmt", "--check", game], "");
        schemas.check(&["perft", game, "--depth", "1"], "");
        schemas.check(&["simulate", game, "-n", "1", "--bound", "20"], "");
        for command in ["info", "domains", "ground", "net", "frame", "rulegraph"] {
            schemas.check(&[&[command, game], &LIMIT[..]].concat(), "");
        }
        for command in
            ["prove", "boards", "pieces", "symmetry", "factor", "latches", "solve", "draw"]
        {
            schemas.check(&[&[command, game], &LIMIT[..]].concat(), "");
        }
        schemas.check(&[&["bench", game, "--seconds", "10ms"], &LIMIT[..]].concat(), "");
        schemas.check(&[&["survey", game, "--seconds", "0.01"], &LIMIT[..]].concat(), "");
        for command in ["bench-frame", "bench-symmetry"] {
            schemas.check(&[&[command, game, "--depth", "1"], &LIMIT[..]].concat(), "");
        }
        schemas.check(&[&["export", game, "--to", "dot"], &LIMIT[..]].concat(), "");
        let info = schemas.check(&["info", game], "").remove(0);
        let roles = info["roles"].as_array().unwrap();
        let players = roles.iter().filter(|r| **r != info["chance"]);
        let players: Vec<&str> = players.flat_map(|_| ["--player", "random"]).collect();
        schemas.check(&[&["match", game, "--bound", "20"], &players[..]].concat(), "");
        schemas.check(&["play", game, "--against", "random"], "quit\n");
        schemas.check(&[&["same", game, "tictactoe"], &LIMIT[..]].concat(), "");
        schemas.check(&["replay", game, "--moves", "-"], "");
    });
    let told = schemas.told.into_inner().unwrap();
    let left = schemas.validators.into_keys().filter(|command| !told.contains(command));
    assert_eq!(left.collect::<Vec<String>>(), NOT_OF_A_GAME);
}

/// Commands whose output is a text, with `--json`, too.
const TEXT: [&str; 4] = ["lsp", "schema", "completions", "man"];

#[test]
fn every_command_has_a_schema() {
    let (_, help) = ludex(&["--help"], "");
    let line = |line: &str| Some(line.strip_prefix("  ")?.split_once("  ")?.0.to_string());
    let listed: BTreeSet<String> = help.lines().filter_map(line).collect();
    let known: BTreeSet<String> = Schemas::load().validators.into_keys().collect();
    assert!(known.is_subset(&listed), "{known:?} of {listed:?}");
    let rest = listed.difference(&known).map(String::as_str);
    // The other lines are about options.
    let without = rest.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    assert_eq!(without.collect::<BTreeSet<&str>>(), BTreeSet::from(TEXT));
}

#[test]
fn the_other_forms_of_answers() {
    let schemas = Schemas::load();
    let moves = file("schema_moves.txt", "(mark 2 2)\tnoop\n");
    let move_file = moves.as_str();
    schemas.check(&["replay", "tictactoe", "--moves", move_file], "");
    schemas.check(&["latches", "tictactoe", "--moves", move_file], "");
    schemas.check(&["symmetry", "tictactoe", "--moves", move_file], "");
    schemas.check(&["symmetry", "tictactoe", "--rules-only"], "");
    schemas.check(&["symmetry", "tictactoe"], "");
    schemas.check(&["factor", "joinedtictactoe", "--matches", "2"], "");
    schemas.check(&["factor", "doubletictactoe", "--count"], "");
    schemas.check(&["boards", "tictactoe", "--projection", "cell{1,2}"], "");
    schemas.check(&["boards", "tictactoe", "--verify", "literal"], "");
    schemas.check(&["boards", "tictactoe"], "");
    schemas.check(&["prove", "tictactoe", "(not (true (cell 1 1 x)))"], "");
    schemas.check(&["prove", "tictactoe"], "");
    schemas.check(&["solve", "tictactoe"], "");
    schemas.check(&["solve", "doubletictactoe"], "");
    schemas.check(&["solve", "tictactoe", "--depth", "2"], "");
    schemas.check(&["domains", "tictactoe", "--graph"], "");
    schemas.check(&["export", "tictactoe", "--to", "dot"], "");
    schemas.check(&["domains", "tictactoe", "--reachable"], "");
    schemas.check(&["check", "--explain", "unsafe-variable"], "");
    schemas.check(&["bench", "tictactoe", "--playouts", "10"], "");
    schemas.check(&["bench", "tictactoe", "--playouts", "10", "--engine", "interp"], "");
    schemas.check(&["bench-frame", "tictactoe-frame", "--depth", "2"], "");
    schemas.check(&["bench-symmetry", "tictactoe", "--depth", "3"], "");
    for paper in ["boards", "domains", "symmetry", "factoring", "frame"] {
        schemas.check(&["paper", paper], "");
    }
    schemas.check(&["boards", "tictactoe", "--projection", "cell{1,3}", "--tuples"], "");
    schemas.check(&["same", "tictactoe", "tictactoe"], "");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let folder = folder.to_str().unwrap();
    schemas.check(&["same", "tictactoe", "--in", folder, "--rules-only"], "");
    let players = ["match", "tictactoe", "--player", "random", "--player", "random", "-n", "2"];
    schemas.check(&players, "");
    schemas.check(&["play", "tictactoe", "--against", "random"], "quit\n");
    schemas.check(&["qbf", "-"], "p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n");
    schemas.check(&["fmt", "tictactoe"], "");
    let page = file("schema_report.html", "");
    schemas.check(&["report", "nim", "--seconds", "0.2", "--force", "-o", &page], "");
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema_atlas");
    let (site, nim) = (site.to_str().unwrap(), format!("{folder}/nim.kif"));
    schemas.check(&["atlas", &nim, "--seconds", "0.2", "-o", site], "");
    let rules = include_str!("../templates/board.kif");
    let mine = file("schema_mine.kif", rules);
    file("schema_mine.test", "legal white 7\nterminal\n");
    schemas.check(&["test", &mine], "");
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schema_new.kif");
    let _ = std::fs::remove_file(&new);
    schemas.check(&["new", new.to_str().unwrap()], "");
    schemas.check(&["check", "-"], &rules.replace("(not (marked", "(not (makred"));
    for form in [
        &["factor", "twobuttons", "--theorem"][..],
        &["factor", "twobuttons", "--paths", "(pressed a)", "(pressed b)"],
        &["boards", "tictactoe", "--match", "--iterations", "10"],
        &["frame", "tictactoe-frame", "--steps"],
        &["domains", "tictactoe", "--reduce"],
        &["ground", "tictactoe", "--by-rule"],
    ] {
        schemas.check(form, "");
    }
    let told = schemas.told.into_inner().unwrap();
    // The others say where they listen, see below.
    let of_their_own = NOT_OF_A_GAME.iter().filter(|c| !["player", "serve"].contains(c));
    assert!(of_their_own.clone().all(|command| told.contains(*command)), "{told:?}");
}

/// They say where they listen before they are asked anything, and a player then what happens in its match.
#[test]
fn players_and_the_page_tell_their_address() {
    tells("serve", &[], 0);
    let rules = include_str!("../../../games/tictactoe.kif");
    let rules: String = rules.lines().filter(|line| !line.starts_with(';')).collect();
    let start = format!("(start m1 white ({rules}) 2 1)");
    let told = tells("player", &[&start, "(play m1 nil)", "(stop m1 nil)"], 4);
    let of_events = |value: &Value| value["event"].as_str().unwrap().to_string();
    let events: Vec<String> = told.iter().map(of_events).collect();
    assert_eq!(events, ["start", "ready", "move", "end"]);
    let of_move = &told[2];
    let thought = of_move["solved"].is_u64() || of_move["visits"].as_u64() > Some(0);
    assert!(of_move["turn"] == 1 && thought, "{of_move}");
}

/// Starts a server, sends it messages, and gives so many lines that it tells after its address.
fn tells(server: &str, messages: &[&str], lines: usize) -> Vec<Value> {
    let schemas = Schemas::load();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let command = command.args([server, "--port", "0", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (send, told) = channel();
    thread::spawn(move || output.lines().for_each(|line| drop(send.send(line.unwrap()))));
    let next = || {
        let line = told.recv_timeout(Duration::from_secs(60)).ok()?;
        let value: Value = serde_json::from_str(&line).unwrap();
        assert!(schemas.validators[server].is_valid(&value), "{value}");
        Some(value)
    };
    let port = next().unwrap()["port"].as_u64().unwrap() as u16;
    for message in messages {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let length = message.len();
        write!(stream, "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}").unwrap();
        std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
    }
    let told = (0..lines).map_while(|_| next()).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    told
}

/// The object of a command that has no answer, with its exit code.
fn error(arguments: &[&str], input: &str, code: i32) -> Value {
    let (exit, _) = ludex(arguments, input);
    assert_eq!(exit, Some(code), "{arguments:?}");
    let answers = Schemas::load().check(arguments, input);
    let error = answers.last().unwrap()["error"].clone();
    assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()), "{arguments:?}: {error}");
    error
}

#[test]
fn errors_have_code_place_and_message() {
    let rules = "(role r)\n(<= (legal r ?x) (true (s ?y)))\n(init (s 1)) terminal (goal r 0)\n";
    let broken = file("schema_broken.kif", rules);
    for command in ["info", "perft", "solve", "boards", "frame", "ground", "bench"] {
        let error = error(&[command, &broken], "", 1);
        let place = (&error["file"], &error["line"], error["column"].is_u64());
        assert_eq!(place, (&json!(broken), &json!(2), true), "{command}: {error}");
        assert_eq!(error["code"], "unsafe-variable", "{command}");
    }
    assert_eq!(error(&["net", "nosuchgame"], "", 1)["code"], "unknown-game");
    assert_eq!(error(&["games", "nosuchgame"], "", 1)["code"], "unknown-game");
    let illegal = error(&["replay", "tictactoe", "--moves", "-"], "(mark 9 9)\tnoop\n", 1);
    assert_eq!((&illegal["code"], &illegal["line"]), (&json!("illegal-move"), &json!(1)));
    assert_eq!(error(&["same", "tictactoe"], "", 2)["code"], "misuse");
    assert_eq!(error(&["perft", "tictactoe", "--no-such-option"], "", 2)["code"], "misuse");
    assert_eq!(error(&["perft"], "", 2)["code"], "misuse");
}

#[test]
fn warnings_have_code_place_and_message() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("schema_latin.kif");
    let rules =
        b"(role r) (init (s 1))\n(legal r a) ; caf\xe9\n(<= terminal (true (s 2))) (goal r 0)";
    std::fs::write(&path, rules).unwrap();
    let schemas = Schemas::load();
    for command in ["check", "info", "ground", "latches"] {
        let answer = schemas.check(&[command, path.to_str().unwrap()], "").remove(0);
        let warnings = answer["warnings"].as_array().unwrap();
        let latin = warnings.iter().find(|w| w["code"] == "not-utf-8").expect("a warning");
        assert_eq!((&latin["line"], &latin["column"]), (&json!(2), &json!(18)), "{command}");
        assert!(latin["message"].as_str().unwrap().contains("UTF-8"), "{command}");
    }
}

/// A test that cannot fail tells nothing: keys that no schema names are found.
#[test]
fn other_keys_are_rejected() {
    let schemas = Schemas::load();
    let answer = schemas.check(&["latches", "tictactoe"], "").remove(0);
    let valid = |value: &Value| schemas.validators["latches"].is_valid(value);
    assert!(valid(&answer));
    let with = |key: &str, value: Value| {
        let mut other = answer.clone();
        other[key] = value;
        other
    };
    assert!(!valid(&with("other", json!(1))));
    assert!(!valid(&with("positive", json!("all"))));
    let mut nested = answer.clone();
    nested["rests_on"]["other"] = json!([]);
    assert!(!valid(&nested));
}

#[test]
fn the_page_is_made_from_the_schema() {
    let (_, page) = ludex(&["schema", "--page"], "");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(written == page, "`ludex schema --page > docs/json.md` brings the page up to date");
}
