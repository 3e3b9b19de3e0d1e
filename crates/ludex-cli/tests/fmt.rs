//! `ludex fmt`: prints by default, writes only when asked, checks without writing.

use std::path::PathBuf;
use std::process::{Command, Output};

const UNTIDY: &str = "(role x) ; one\n\n\n(<= (legal x ?y)\n   (true ?y))\n";
const TIDY: &str = "(role x) ; one\n\n(<= (legal x ?y) (true ?y))\n";
const INFIX: &str = "role(x). % one\n\nlegal(x,Y) :- true(Y).\n";

fn ludex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ludex")).arg("fmt").args(arguments).output().unwrap()
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn prints_and_leaves_the_file_alone() {
    let path = file("print.kif", UNTIDY);
    assert_eq!(text(&ludex(&[&path])), TIDY);
    assert_eq!(text(&ludex(&["--to", "infix", &path])), INFIX);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNTIDY);
    let line = text(&ludex(&["--json", &path]));
    let object: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(object["text"], TIDY);
    assert_eq!((&object["changed"], &object["syntax"]), (&true.into(), &"kif".into()));
}

#[test]
fn check_tells_and_write_mends() {
    let path = file("write.kif", UNTIDY);
    let check = ludex(&["--check", &path]);
    assert_eq!(check.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&check.stdout).contains("would change"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), UNTIDY);
    assert_eq!(text(&ludex(&["--write", &path])), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), TIDY);
    assert_eq!(text(&ludex(&["--check", &path])), "");
    assert_eq!(text(&ludex(&["--write", "--to", "infix", &path])), "");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), INFIX);
}

#[test]
fn what_cannot_be_done_is_said() {
    assert_eq!(ludex(&["--write", "tictactoe"]).status.code(), Some(2));
    let path = file("wrong.kif", "(role x\n(init a)\n");
    let output = ludex(&["--write", &path]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("wrong.kif:1:8: error[unbalanced]"), "{message}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "(role x\n(init a)\n");
}

#[test]
fn facts_that_share_a_line_stay_together() {
    let rules =
        "(role a) (role b)\n(succ 1 2)  (succ 2 3) (succ\n3 4)(index 1) ; one\n(<= p q) (<= q p)\n";
    let laid_out = "(role a) (role b)\n(succ 1 2) (succ 2 3) (succ 3 4)\n(index 1) ; one\n(<= p q)\n(<= q p)\n";
    let path = file("together.kif", rules);
    assert_eq!(text(&ludex(&[&path])), laid_out);
    let infix =
        "role(a). role(b).\nsucc(1,2). succ(2,3). succ(3,4).\nindex(1). % one\np :- q.\nq :- p.\n";
    assert_eq!(text(&ludex(&["--to", "infix", &path])), infix);
    // A line is full before it is too long.
    let many: String = (0..40).map(|n| format!("(number {n}) ")).collect();
    let wrapped = text(&ludex(&[&file("many.kif", &many)]));
    assert!(wrapped.lines().count() == 5 && wrapped.lines().all(|l| l.len() <= 100), "{wrapped}");
    assert_eq!(text(&ludex(&["--check", &file("wrapped.kif", &wrapped)])), "");
}

#[test]
fn bundled_games_and_templates_are_laid_out() {
    let templates =
        ludex_testing::games_in(&ludex_testing::root().join("crates/ludex-cli/templates"));
    let games = ludex_testing::bundled_games().into_iter().chain(templates);
    let paths: Vec<String> = games.map(|path| path.to_str().unwrap().to_string()).collect();
    let arguments: Vec<&str> =
        ["--check"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    assert_eq!(text(&ludex(&arguments)), "");
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_others_from_their_turn() {
    let path = file("after.kif", UNTIDY);
    let output = ludex(&["nowhere.kif", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), TIDY);
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere.kif"));
}
