//! The files of `editors/` in the real editors.

use ludex_testing::{installed, left_out, say};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");

fn editors(part: &str) -> String {
    ludex_testing::root().join("editors").join(part).to_str().unwrap().to_string()
}

/// Where `.ci/run` puts what Node needs.
fn modules() -> PathBuf {
    ludex_testing::root().join("target/npm/node_modules")
}

fn runs(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).env("NODE_PATH", modules());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs an editor with `ludex` on its path; it must be content.
fn content(program: &str, arguments: &[&str]) {
    let ours = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new(program)
        .args(arguments)
        .env("PATH", format!("{}:{path}", ours.display()))
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("NODE_PATH", modules())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&told));
}

/// A game with a slip of the pen.
fn wrong(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, TICTACTOE.replace("(not open)", "(not opne)")).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn neovim_shows_what_the_server_says() {
    if installed("nvim") {
        let (check, wrong) = (editors("neovim/check.lua"), wrong("neovim.kif"));
        content("nvim", &["--headless", "-u", &check, &wrong]);
    }
}

#[test]
fn vim_colours_and_finds_the_place() {
    if installed("vim") {
        content("vim", &["-es", "-u", &editors("vim/check.vim"), &wrong("vim.kif")]);
    }
}

#[test]
fn emacs_knows_both_syntaxes() {
    if installed("emacs") {
        content("emacs", &["--batch", "-l", &editors("emacs/check.el")]);
    }
}

#[test]
fn the_grammars_of_vs_code_fit_all_bundled_games() {
    match runs("node", &["-e", "require('vscode-textmate'); require('vscode-oniguruma')"]) {
        true => content("node", &[&editors("vscode/check.js")]),
        false => left_out("Node with vscode-textmate and vscode-oniguruma is not installed"),
    }
}

#[test]
fn tree_sitter_reads_all_games_in_kif() {
    // No registry has it built.
    if !runs("tree-sitter", &["--version"]) {
        return say("skipped, tree-sitter is not installed");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tree-sitter-gdl");
    std::fs::create_dir_all(&folder).unwrap();
    for file in ["grammar.js", "tree-sitter.json"] {
        let from = editors(&format!("tree-sitter-gdl/{file}"));
        std::fs::copy(from, folder.join(file)).unwrap();
    }
    let succeed = |arguments: &[&str]| {
        let run = Command::new("tree-sitter").args(arguments).current_dir(&folder).output();
        let run = run.unwrap();
        assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    };
    succeed(&["generate"]);
    let games = ludex_testing::bundled_games().into_iter().chain(ludex_testing::collected_games());
    let kif: Vec<PathBuf> = games.filter(|p| p.extension().is_some_and(|e| e == "kif")).collect();
    let paths = kif.iter().map(|p| p.canonicalize().unwrap().to_str().unwrap().to_string());
    let paths: Vec<String> = paths.collect();
    let arguments = ["parse", "--quiet"].into_iter().chain(paths.iter().map(String::as_str));
    succeed(&arguments.collect::<Vec<_>>());
}
