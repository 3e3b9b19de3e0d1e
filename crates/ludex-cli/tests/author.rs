//! `ludex new` and `ludex test`: games begun and kept right.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn ludex(arguments: &[&str], folder: &Path) -> Output {
    let program = env!("CARGO_BIN_EXE_ludex");
    Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn new_games_work_and_nothing_is_overwritten() {
    let folder = folder("new-games");
    for kind in ["board", "puzzle", "simultaneous"] {
        let output = ludex(&["new", kind, "--kind", kind], &folder);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let infix = ludex(&["new", &format!("{kind}.gdl"), "--kind", kind], &folder);
        assert_eq!(infix.status.code(), Some(0), "{infix:?}");
        let same = ludex(&["same", &format!("{kind}.kif"), &format!("{kind}.gdl")], &folder);
        assert_eq!(same.status.code(), Some(0), "{}", text(&same));
        for (syntax, ending) in [("kif", "kif"), ("infix", "gdl")] {
            let file = format!("{kind}.{ending}");
            let arguments =
                ["check", "--deny", "warnings", "--simulate", "50", "--syntax", syntax, &file];
            let checked = ludex(&arguments, &folder);
            assert_eq!(checked.status.code(), Some(0), "{}", text(&checked));
            assert!(!text(&checked).contains("noticed"), "{}", text(&checked));
        }
    }
    ludex(&["new", "other", "--syntax", "infix"], &folder);
    assert!(folder.join("other.gdl").is_file());
    std::fs::write(folder.join("board.kif"), "mine").unwrap();
    let output = ludex(&["new", "board"], &folder);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(folder.join("board.kif")).unwrap(), "mine");
    assert_eq!(ludex(&["new", "no-folder/x"], &folder).status.code(), Some(1));
}

#[test]
fn expectations_are_run_and_failures_told() {
    let folder = folder("expectations");
    ludex(&["new", "mine"], &folder);
    let none = ludex(&["test", "mine.kif"], &folder);
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no mine.test"), "{none:?}");
    let right = "legal white 7\nplay mark 4\ntrue (cell 4 white)\nrunning\nvalue black 50\n";
    std::fs::write(folder.join("mine.test"), right).unwrap();
    let output = ludex(&["test", "mine.kif"], &folder);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(text(&output), "mine: 5 passed, 0 failed\n");
    std::fs::write(folder.join("mine.test"), right.replace('7', "8")).unwrap();
    let output = ludex(&["test", "mine.kif"], &folder);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("line 1: legal white 8: failed: white has 7 legal moves"));
    let output = ludex(&["test", "mine.kif", "--json"], &folder);
    let told: serde_json::Value = serde_json::from_str(text(&output).trim()).unwrap();
    assert_eq!((&told["ok"], &told["outcomes"][1]["passed"]), (&false.into(), &true.into()));
    std::fs::write(folder.join("mine.test"), "what is this\n").unwrap();
    assert_eq!(ludex(&["test", "mine.kif"], &folder).status.code(), Some(1));
}

#[test]
fn files_that_change_are_checked_again() {
    let folder = folder("watched");
    ludex(&["new", "mine"], &folder);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(["check", "--watch", "mine.kif"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "mine: ok");
    let file = folder.join("mine.kif");
    let rules = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, rules.replace("(role white)", "(role white")).unwrap();
    assert!(lines.any(|line| line.contains("error[unbalanced]")));
    assert!(lines.any(|line| line == "mine: 1 error"));
    std::fs::write(&file, &rules).unwrap();
    assert!(lines.any(|line| line == "mine: ok"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ludex(&["check", "--watch", "tictactoe"], &folder).status.code(), Some(2));
}
