//! The files of `editors/` in the real editors.

use ludex_testing::{Screen, installed, left_out, tool};
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

/// Games in a syntax: those of the repository and of the collection, written anew where they have another one.
fn games_in(syntax: &str, ending: &str, folder: &Path) -> Vec<PathBuf> {
    let games = ludex_testing::bundled_games().into_iter().chain(ludex_testing::collected_games());
    let games: Vec<PathBuf> = games.collect();
    ludex_testing::each(&games, |game| {
        if game.extension().is_some_and(|e| e == ending) {
            return game.canonicalize().unwrap();
        }
        let name = game.file_stem().unwrap().to_str().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["fmt", "--to", syntax, game.to_str().unwrap()])
            .output();
        let written = folder.join(format!("{name}.{ending}"));
        std::fs::write(&written, output.unwrap().stdout).unwrap();
        written
    })
}

#[test]
fn tree_sitter_reads_all_games() {
    let Some(program) = tool("tree-sitter") else { return };
    for (syntax, ending) in [("kif", "kif"), ("infix", "gdl")] {
        let folder = tempfile::tempdir().unwrap();
        let from = PathBuf::from(editors(&format!("tree-sitter-gdl/{syntax}")));
        for file in ["grammar.js", "tree-sitter.json"] {
            std::fs::copy(from.join(file), folder.path().join(file)).unwrap();
        }
        let succeed = |arguments: &[&str]| {
            let mut command = Command::new(&program);
            command.args(arguments).current_dir(folder.path());
            let run = command.env("HOME", folder.path()).output().unwrap();
            let told = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success(), "{syntax}: {told}");
        };
        succeed(&["generate"]);
        let games = games_in(syntax, ending, folder.path());
        assert!(games.len() > 20);
        let paths = games.iter().map(|path| path.to_str().unwrap());
        succeed(&["parse", "--quiet"].into_iter().chain(paths).collect::<Vec<_>>());
        let query = from.join("queries/highlights.scm");
        succeed(&["query", "--quiet", query.to_str().unwrap(), games[0].to_str().unwrap()]);
    }
}

/// Complaints, colours, a quick fix, what hovers, and the way to a definition.
#[test]
fn helix_works_with_the_server() {
    let (Some(helix), Some(tree_sitter)) = (tool("hx"), tool("tree-sitter")) else { return };
    let Some(screen) = Screen::open("helix") else { return };
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    std::fs::create_dir_all(format!("{home}/helix")).unwrap();
    std::fs::copy(editors("helix/languages.toml"), format!("{home}/helix/languages.toml")).unwrap();
    let folder = |program: &Path| program.parent().unwrap().to_str().unwrap().to_string();
    let ours = folder(Path::new(env!("CARGO_BIN_EXE_ludex")));
    let path = format!("{ours}:{}:$PATH", folder(&tree_sitter));
    let at_home = format!("XDG_CONFIG_HOME={home} XDG_CACHE_HOME={home} COLORTERM=truecolor");
    let set = format!("export PATH={path} {at_home}; {}", editors("helix/colours"));
    screen.send(&[&format!("{set} && {} {}", helix.display(), wrong("helix.kif")), "Enter"]);
    screen.wait("● 1");
    screen.send(&[" d"]);
    screen.wait("undefined-relation");
    screen.send(&["Enter"]);
    screen.wait("47:19");
    screen.send(&[" a"]);
    screen.wait("Write `open`");
    screen.send(&["Enter"]);
    screen.wait("(<= terminal (not open))");
    screen.send(&[" k"]);
    screen.wait("open/0");
    // Keywords and names have colours of their own.
    let page = screen.tmux(&["capture-pane", "-p", "-e"]);
    let colour_of = |word: &str| page.split(&format!("m{word}")).next()?.rsplit("\u{1b}[").next();
    assert_ne!(colour_of("next"), colour_of("cell"), "{page}");
    // Not Escape: with the key after it, it can be read as one key with Alt.
    screen.send(&["C-c"]);
    screen.send(&["gd"]);
    screen.wait("58:5");
    screen.send(&[":q!", "Enter"]);
}
