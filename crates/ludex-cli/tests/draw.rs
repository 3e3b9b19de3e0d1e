//! `ludex draw` and `ludex symmetry --svg`: the pictures of the documents, files that are kept, messages.

use ludex_testing::each;
use std::path::{Path, PathBuf};
use std::process::Command;

fn ludex(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A path for a file to write, which does not exist.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// Files in the repository and the command that writes each.
const PICTURES: [(&str, &str); 9] = [
    ("docs/gallery/chess.svg", "draw chess --random 5 --steps 14"),
    ("docs/gallery/checkers.svg", "draw checkers --random 5 --steps 16"),
    ("docs/gallery/connectfour.svg", "draw connectfour --random 5 --steps 18"),
    ("docs/gallery/hex.svg", "draw hex --random 5 --steps 26"),
    ("docs/gallery/reversi.svg", "draw reversi --random 5 --steps 24"),
    ("docs/gallery/pegsolitaire.svg", "draw pegsolitaire --random 5 --steps 9"),
    ("crates/ludex-cli/tests/pictures/tictactoe.svg", "draw tictactoe --random 3 --steps 5"),
    ("crates/ludex-cli/tests/pictures/hex3.svg", "draw hex3 --random 1 --steps 4"),
    ("crates/ludex-cli/tests/pictures/nim.svg", "draw nim --random 1 --strip"),
];

#[test]
fn pictures_of_the_repository_are_what_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    each(&PICTURES, |(file, command)| {
        let arguments: Vec<&str> = command.split(' ').collect();
        let (code, drawn, errors) = ludex(&arguments);
        assert_eq!((code, errors.as_str()), (0, ""), "{command}");
        let path = root.join(file);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{file} is not what `ludex {command}` prints (UPDATE_DOCS=1 writes it)"
        );
    });
}

#[test]
fn a_file_that_exists_is_kept() {
    let file = fresh("kept.svg");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "mine").unwrap();
    let (code, _, errors) = ludex(&["draw", "nim", "-o", name]);
    assert_eq!(code, 1);
    assert!(errors.contains("--force"), "{errors}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let (code, out, _) = ludex(&["draw", "nim", "-o", name, "--force"]);
    assert_eq!(code, 0);
    assert!(out.contains("one state drawn"), "{out}");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("<svg"));
}

#[test]
fn a_state_is_given_as_text_in_either_syntax_and_case() {
    let state = "(CELL 1 1 x) cell(2,2,O) (true (cell 3 3 b)) (control White)";
    let (code, out, errors) = ludex(&["draw", "tictactoe", "--state", state, "--text"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!(rows[1..5], ["  1 2 3", "1 x . .", "2 . o .", "3 . . ."]);
    let (code, _, errors) = ludex(&["draw", "tictactoe", "--state", "(cell 1 1 q)"]);
    assert_eq!(code, 1);
    assert!(errors.contains("q in (cell 1 1 q) is not a name in the rules"), "{errors}");
}

#[test]
fn moves_that_are_not_legal_are_told_with_their_line() {
    let file = fresh("wrong-moves.txt");
    std::fs::write(&file, "(mark 1 1)\tnoop\nnoop\t(mark 1 1)\n").unwrap();
    let (code, _, errors) = ludex(&["draw", "tictactoe", "--moves", file.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(errors.contains("wrong-moves.txt:2"), "{errors}");
}

#[test]
fn json_tells_the_boards_and_pages_hold_every_state() {
    let (code, out, _) = ludex(&["draw", "tictactoe", "--random", "3", "--page", "--json"]);
    assert_eq!(code, 0);
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["game"], "tictactoe");
    assert_eq!(answer["has_board"], true);
    let states = answer["states"].as_u64().unwrap() as usize;
    let page = answer["drawing"].as_str().unwrap();
    assert_eq!(page.matches("class=\"frame\"").count(), states);
}

#[test]
fn symmetries_are_drawn_on_the_board() {
    let file = fresh("symmetries.svg");
    let name = file.to_str().unwrap();
    let (code, out, _) = ludex(&["symmetry", "tictactoe", "--fix-roles", "--svg", name]);
    assert_eq!(code, 0);
    assert!(out.contains("generators drawn"), "{out}");
    let drawn = std::fs::read_to_string(&file).unwrap();
    assert!(drawn.contains("reflection of the board"), "{drawn}");
    let (code, _, errors) = ludex(&["symmetry", "tictactoe", "--svg", name]);
    assert_eq!(code, 1);
    assert!(errors.contains("--force"), "{errors}");
}
