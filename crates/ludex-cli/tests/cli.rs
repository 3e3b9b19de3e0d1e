//! The program as a user meets it: messages, exit codes, pipes, limits, Ctrl-C.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn ludex(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

struct Ending {
    code: Option<i32>,
    out: String,
    err: String,
}

fn ending(output: Output) -> Ending {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ending { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(arguments: &[&str]) -> Ending {
    ending(ludex(arguments).output().unwrap())
}

fn run_with(arguments: &[&str], input: &str) -> Ending {
    let mut command = ludex(arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that ends before it has read everything closes the pipe, which is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    ending(child.wait_with_output().unwrap())
}

/// A file of its own for one test.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

/// Rules of a match that never ends, with two moves in every state.
const ENDLESS: &str = "(role r) (init (s 0)) (<= (next (s ?x)) (true (s ?x)))
    (legal r a) (legal r b) (<= terminal (true (s 1))) (goal r 0)";

/// A game with 2^40 states: every move turns one of 40 switches.
fn switches() -> String {
    let switches: String = (0..40).map(|i| format!("(switch {i}) ")).collect();
    format!(
        "(role r) {switches} (init (off 0)) (<= (legal r (turn ?i)) (switch ?i))
        (<= (next (on ?i)) (does r (turn ?i)) (not (true (on ?i))))
        (<= (next (on ?i)) (true (on ?i)) (not (does r (turn ?i))))
        (<= terminal (true (on 41))) (goal r 0)"
    )
}

#[test]
fn without_arguments_it_says_what_to_try() {
    let end = run(&[]);
    assert_eq!(end.code, Some(0));
    assert!(end.out.contains("ludex play connectfour") && end.out.contains("ludex --help"));
}

#[test]
fn every_command_explains_itself_with_examples() {
    let help = run(&["--help"]);
    assert_eq!(help.code, Some(0));
    let commands: Vec<&str> = help
        .out
        .lines()
        .skip_while(|l| *l != "Write a game:")
        .take_while(|l| *l != "Options of every command:")
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 30, "{commands:?}");
    assert!(help.out.lines().all(|line| line.chars().count() <= 100), "{}", help.out);
    for command in commands {
        let help = run(&[command, "--help"]);
        assert_eq!(help.code, Some(0), "{command}");
        assert!(help.out.contains("Examples:\n  ludex "), "{command} has examples: {}", help.out);
        assert!(help.out.contains("--json"), "{command} has the options of every command");
    }
}

#[test]
fn an_unknown_game_names_near_ones() {
    let end = run(&["info", "tictacto"]);
    assert_eq!(end.code, Some(1));
    assert!(end.err.contains("tictacto;") && end.err.contains("tictactoe"), "{}", end.err);
    let end = run(&["info", "no such thing at all"]);
    assert!(end.err.contains("`ludex games` lists"), "{}", end.err);
}

#[test]
fn a_file_without_its_ending_is_meant() {
    let whole = file("own-game.kif", switches().as_bytes());
    let end = run(&["info", whole.strip_suffix(".kif").unwrap()]);
    assert_eq!(end.code, Some(1));
    assert!(end.err.contains(&format!("did you mean {whole}?")), "{}", end.err);
}

#[test]
fn files_that_are_no_rules_get_one_clear_message() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let empty = file("empty.kif", b" \n");
    let program = env!("CARGO_BIN_EXE_ludex");
    for (game, message) in [(folder, "is a folder"), (&empty, "is empty"), (program, "binary data")]
    {
        let end = run(&["info", game]);
        assert_eq!(end.code, Some(1), "{game}");
        assert!(end.err.contains(message), "{}", end.err);
        assert_eq!(end.err.matches("error").count(), 1, "{}", end.err);
    }
}

#[test]
fn faults_of_the_rules_name_file_line_and_column() {
    let broken = file("broken.kif", b"(role x)\n(init (cell 1)");
    let end = run(&["info", &broken]);
    assert_eq!(end.code, Some(1));
    assert!(end.err.contains("broken.kif:2:15: error"), "{}", end.err);
}

#[test]
fn a_faulty_game_does_not_keep_the_others_from_their_turn() {
    let end = run(&["perft", "tictacto", "tictactoe", "--depth", "2", "--json"]);
    assert_eq!(end.code, Some(1));
    assert!(end.err.contains("tictacto;"), "{}", end.err);
    let lines: Vec<serde_json::Value> =
        end.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0]["error"]["message"].as_str().unwrap().contains("tictacto;"));
    assert_eq!(lines[1]["perft"], serde_json::json!([1, 9, 72]));
}

#[test]
fn rules_come_from_standard_input() {
    let end = run_with(&["info", "-", "--json"], ENDLESS);
    assert_eq!(end.code, Some(0), "{}", end.err);
    let object: serde_json::Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["roles"], serde_json::json!(["r"]));
    assert_eq!(object["init"], serde_json::json!(["(s 0)"]));
}

#[test]
fn misuse_is_told_apart() {
    assert_eq!(run(&["info"]).code, Some(2));
    assert_eq!(run(&["infos", "tictactoe"]).code, Some(2));
    assert_eq!(run(&["info", "tictactoe", "--time-limit", "soon"]).code, Some(2));
    let end = run(&["perft", "tictactoe", "--depth", "2", "--engine", "warp"]);
    assert_eq!(end.code, Some(2));
    assert!(end.err.contains("interp"), "{}", end.err);
}

#[test]
fn a_reader_that_closes_the_pipe_ends_it_quietly() {
    let script = format!("{} games tictactoe | head -1", env!("CARGO_BIN_EXE_ludex"));
    let end = ending(Command::new("sh").args(["-c", &script]).output().unwrap());
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""));
    let endless = file("pipe.kif", ENDLESS.as_bytes());
    let moves = file("pipe.moves", "a\n".repeat(20_000).as_bytes());
    let program = env!("CARGO_BIN_EXE_ludex");
    let script = format!("{program} replay {endless} --moves {moves} | head -1");
    let end = ending(Command::new("sh").args(["-c", &script]).output().unwrap());
    assert_eq!(end.err, "");
}

/// Every command with a game says where it cannot write, and so does misuse, which is told as JSON too.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    let program = env!("CARGO_BIN_EXE_ludex");
    for (command, code) in [
        ("check tictactoe", 1),
        ("info tictactoe --json", 1),
        ("draw tictactoe", 1),
        ("perft tictactoe --depth 2", 1),
        ("export tictactoe --to dot", 1),
        ("games", 1),
        ("info --json", 2),
        ("nonsense --json", 2),
    ] {
        let script = format!("{program} {command} > /dev/full");
        let end = ending(Command::new("sh").args(["-c", &script]).output().unwrap());
        assert_eq!(end.code, Some(code), "{command}: {}", end.err);
        assert!(end.err.starts_with("error: "), "{command}: {}", end.err);
    }
}

/// One message and exit code 1 from every command that reads a game.
#[test]
fn every_command_says_what_it_cannot_read() {
    let bad = [
        file("nothing.kif", b""),
        file("binary.kif", b"\x7fELF\x02\x01\0\0\0\xff\xfe\0\0\0\x01"),
        file("open.kif", b"(role x"),
        file("close.kif", b"))))"),
        file("deep.kif", "(".repeat(100_000).as_bytes()),
        env!("CARGO_TARGET_TMPDIR").to_string(),
        "nowhere.kif".to_string(),
    ];
    let commands = [
        "check",
        "fmt",
        "test",
        "play",
        "draw",
        "match --player random --player random",
        "replay --moves /dev/null",
        "info",
        "solve",
        "prove",
        "symmetry",
        "factor",
        "latches",
        "boards",
        "export --to dot",
        "domains",
        "ground",
        "net",
        "bench",
        "perft",
        "simulate",
        "frame",
        "rulegraph",
        "bench-frame",
        "bench-symmetry",
    ];
    for command in commands {
        for game in &bad {
            let words: Vec<&str> = command.split(' ').chain([game.as_str()]).collect();
            let end = run(&words);
            assert_eq!(end.code, Some(1), "{command} {game}: {}", end.err);
            // `check` tells complaints as its answer.
            let told = end.out + &end.err;
            assert!(!told.is_empty() && !told.contains("panicked"), "{command} {game}: {told}");
        }
    }
}

#[test]
fn limits_end_in_exit_code_3() {
    let large = file("limits.kif", switches().as_bytes());
    let end = run(&["perft", &large, "--depth", "30", "--time-limit", "300ms"]);
    assert_eq!(end.code, Some(3));
    assert!(end.err.contains("stopped: time limit reached"), "{}", end.err);
    let end = run(&["perft", &large, "--depth", "30", "--memory-limit", "1MB"]);
    assert_eq!(end.code, Some(3));
    assert!(end.err.contains("stopped: memory limit reached"), "{}", end.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_in_exit_code_3_with_what_is_known() {
    let large = file("ctrl_c.kif", switches().as_bytes());
    let mut command = ludex(&["perft", &large, "--depth", "30"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.unwrap().success());
    let end = ending(child.wait_with_output().unwrap());
    assert_eq!(end.code, Some(3));
    assert!(end.err.contains("stopped: interrupted"), "{}", end.err);
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    for arguments in [["info", "tictactoe"], ["games", "--json"], ["perft", "tictactoe"]] {
        let end = run(&arguments);
        assert!(!end.out.contains('\x1b') && !end.err.contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_pages_are_made_from_the_same_definitions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(&["completions", shell]).out.contains("perft"), "{shell}");
    }
    assert!(run(&["man"]).out.contains(".TH ludex"));
    assert!(run(&["man", "perft"]).out.contains("depth"));
    let end = run(&["man", "dance"]);
    assert_eq!(end.code, Some(2));
}

#[test]
fn terms_are_written_as_the_author_does() {
    let play = |more: &[&str]| {
        run_with(&[&["play", "rockpaperscissors"], more].concat(), "scissors\nquit\n").out
    };
    assert!(play(&[]).contains("left: show(scissors)"), "{}", play(&[]));
    let kif = play(&["--output-syntax", "kif"]);
    assert!(kif.contains("left: (show scissors)"), "{kif}");
    let infix = run(&["solve", "tictactoe", "--output-syntax", "infix"]);
    assert!(infix.out.contains("mark(") && !infix.out.contains("(mark"), "{}", infix.out);
    let colours = run(&["check", "--color", "always", "-"]);
    assert!(colours.err.contains("\x1b[") || colours.out.contains("\x1b["));
}

#[test]
fn a_person_plays_by_number_and_by_text() {
    let end =
        run_with(&["play", "tictactoe", "--seed", "3"], "7x\nhelp\n1\nmark(3,3)\n(MARK 3 1)\n");
    assert_eq!(end.code, Some(0), "{}", end.err);
    assert!(end.out.contains("`7x` is not a legal move"), "{}", end.out);
    let end = run_with(&["play", "tictactoe", "--json"], "1\n");
    let object: serde_json::Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["terminal"], false);
    assert_eq!(object["moves"].as_array().unwrap().len() % 2, 0, "{object}");
}
