//! Every example that `--help` shows, of every command, is run.
//!
//! Those of a command run in one folder that has the files they speak of. Long ones are made short, and what asks for a
//! program that need not be there, for a person or for another player is left away (`SHORTER`).

use ludex_testing::each;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn ludex(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = ludex(&["--help"]);
    let lists = help.lines().skip_while(|line| *line != "Write a game:");
    let lists = lists.take_while(|line| *line != "Options of every command:");
    let names = lists.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next().map(String::from)).collect()
}

/// The commands of the section `Examples:`, without what is said about them.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    let command = |line: &str| line.trim().split("    ").next().map(String::from);
    lines.filter_map(command).collect()
}

/// What is put in place of what.
const SHORTER: [(&str, &str); 20] = [
    ("| clingo -c horizon=2 - 0", "> program.lp"),
    ("--time-limit 10s", "--time-limit 1s"),
    ("--time-limit 10", "--time-limit 1"),
    ("--seconds 10", "--seconds 0.2"),
    ("--matches 100000", "--matches 100"),
    ("--matches 20 --play-clock 1s", "--matches 1 --play-clock 0.02s"),
    ("--states 50000", "--states 500"),
    ("--play-clock 5s", "--play-clock 0.1s"),
    ("--player mcts --player uct", "--player random --player random"),
    ("--player mcts --player random", "--player random --player random"),
    ("--player http://localhost:9147 --player human", "--player random --player random"),
    ("ludex player --port 9147", "timeout --preserve-status -s INT 1 ludex player --port 0"),
    ("ludex player --host 0.0.0.0", "timeout --preserve-status -s INT 1 ludex player --port 0"),
    ("ludex serve --open", "timeout --preserve-status -s INT 1 ludex serve --port 0"),
    ("ludex serve --port 8080", "timeout --preserve-status -s INT 1 ludex serve --port 0"),
    ("ludex serve games/", "timeout --preserve-status -s INT 1 ludex serve games/ --port 0"),
    ("ludex play chess --page", "timeout --preserve-status -s INT 2 ludex play chess --page"),
    ("| clingo", "> program.lp"),
    ("| dot -Tsvg", ""),
    ("| man -l -", "> page"),
];

/// The files that examples of a command speak of.
fn folder(command: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help").join(command);
    let _ = fs::remove_dir_all(&folder);
    for inner in
        [".local/share/bash-completion/completions", ".config/fish/completions", "games", "docs"]
    {
        fs::create_dir_all(folder.join(inner)).unwrap();
    }
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let tictactoe = ludex(&["games", "tictactoe"]);
    for name in ["games/a.kif", "games/b.kif", "other.kif", "chess.kif", "mygame.kif"] {
        write(name, &tictactoe);
    }
    write("mine.test", "legal white 7\nplay mark 4\n");
    if command == "test" {
        write("mine.kif", include_str!("../templates/board.kif"));
    }
    write("formula.txt", "a 1 0\ne 2 0\n1 2 0\n");
    folder
}

#[test]
fn what_a_command_does_fits_on_a_line() {
    let help = ludex(&["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Write a game:");
    let lines: Vec<&str> = lines.take_while(|line| *line != "Options of every command:").collect();
    assert!(lines.len() > 40);
    let long: Vec<&&str> = lines.iter().filter(|line| line.len() > 100).collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn examples_of_the_help_run() {
    let run = each(&commands(), |command| {
        let shown = examples(&ludex(&[command, "--help"]));
        assert!(!shown.is_empty() || command == "help", "{command} --help has no example");
        let folder = folder(command);
        let faults: Vec<String> = shown.iter().filter_map(|e| fault(e, &folder)).collect();
        (shown.len(), faults)
    });
    let count: usize = run.iter().map(|(count, _)| count).sum();
    assert!(count > 60, "{count} examples were run");
    let faults: Vec<String> = run.into_iter().flat_map(|(_, faults)| faults).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

/// What went wrong with an example: any end but success, or the limit that it sets itself.
fn fault(example: &str, folder: &Path) -> Option<String> {
    let both = "(both middle (mark 1 1))\tnoop\n";
    let moves = if example.contains("joined") { both } else { "(mark 2 2)\tnoop\n" };
    fs::write(folder.join("match.txt"), moves).unwrap();
    let shorter = SHORTER.iter().fold(example.to_string(), |e, (old, new)| e.replace(old, new));
    let program = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &shorter])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let code = output.status.code();
    let limited = code == Some(3) && shorter.contains("--time-limit");
    let err = String::from_utf8_lossy(&output.stderr);
    (code != Some(0) && !limited).then(|| format!("$ {example}\n({shorter})\n{code:?}: {err}"))
}
