//! `ludex pieces`: what is told of pieces that slide, step, jump, turn, fall and are set, whatever their names are.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

fn pieces(game: &str) -> Value {
    let ludex = Command::new(env!("CARGO_BIN_EXE_ludex")).args(["pieces", game, "--json"]).output();
    let output = ludex.unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{game}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The kinds of pieces on the first board.
fn first_board(answer: &Value) -> &[Value] {
    answer["boards"][0]["pieces"].as_array().expect("pieces")
}

fn texts(game: &str) -> Vec<String> {
    let answer = pieces(game);
    first_board(&answer).iter().map(|p| p["text"].as_str().unwrap().to_string()).collect()
}

fn file(name: &str, rules: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, rules).unwrap();
    path.to_str().unwrap().to_string()
}

/// On a board of four by four, in which lines are named in no order: one piece slides till something is in its
/// way and takes what is there, another one stays.
const SLIDER: &str = "(role a) (follows ka zo) (follows zo mi) (follows mi ul)
    (line ka) (line zo) (line mi) (line ul)
    (<= (next-to ?a ?b) (follows ?a ?b)) (<= (next-to ?a ?b) (follows ?b ?a))
    (<= (init (on ?x ?y hollow)) (line ?x) (line ?y) (not (taken ?x ?y)))
    (taken ka ka) (taken mi zo) (taken ul ul) (taken ka mi)
    (init (on ka ka rover)) (init (on mi zo stone)) (init (on ul ul stone)) (init (on ka mi stone)) (init (age 1))
    (<= (free ?x ?y) (true (on ?x ?y hollow)))
    (<= (up ?x ?y ?v) (true (on ?x ?y rover)) (follows ?y ?v))
    (<= (up ?x ?y ?v) (up ?x ?y ?u) (free ?x ?u) (follows ?u ?v))
    (<= (down ?x ?y ?v) (true (on ?x ?y rover)) (follows ?v ?y))
    (<= (down ?x ?y ?v) (down ?x ?y ?u) (free ?x ?u) (follows ?v ?u))
    (<= (right ?x ?y ?v) (true (on ?x ?y rover)) (follows ?x ?v))
    (<= (right ?x ?y ?v) (right ?x ?y ?u) (free ?u ?y) (follows ?u ?v))
    (<= (left ?x ?y ?v) (true (on ?x ?y rover)) (follows ?v ?x))
    (<= (left ?x ?y ?v) (left ?x ?y ?u) (free ?u ?y) (follows ?v ?u))
    (<= (legal a (go ?x ?y ?x ?v)) (up ?x ?y ?v)) (<= (legal a (go ?x ?y ?x ?v)) (down ?x ?y ?v))
    (<= (legal a (go ?x ?y ?v ?y)) (right ?x ?y ?v)) (<= (legal a (go ?x ?y ?v ?y)) (left ?x ?y ?v))
    (<= (next (on ?u ?v rover)) (does a (go ?x ?y ?u ?v)))
    (<= (next (on ?x ?y hollow)) (does a (go ?x ?y ?u ?v)))
    (<= (touched ?x ?y) (does a (go ?x ?y ?u ?v))) (<= (touched ?u ?v) (does a (go ?x ?y ?u ?v)))
    (<= (next (on ?x ?y ?p)) (true (on ?x ?y ?p)) (not (touched ?x ?y)))
    (older 1 2) (older 2 3) (older 3 4) (older 4 5) (older 5 6) (older 6 7) (older 7 8)
    (<= (next (age ?b)) (true (age ?a)) (older ?a ?b))
    (<= terminal (true (age 8))) (goal a 0)";

#[test]
fn a_piece_slides_until_it_is_blocked() {
    let answer = pieces(&file("slider.kif", SLIDER));
    assert_eq!(answer["boards"].as_array().unwrap().len(), 1, "a counter is no board: {answer}");
    assert_eq!(answer["boards"][0]["empty"], "hollow");
    let all = first_board(&answer);
    let named = |name: &str| all.iter().find(|p| p["name"] == name).expect("a piece");
    let rover = named("rover");
    let text = "any number of squares along a row or column until blocked; captures by replacement";
    assert_eq!(rover["text"], text);
    assert_eq!(rover["owner"], "a");
    assert_eq!(rover["reach"]["farthest"], 2, "a corner from the other one");
    assert_eq!(rover["takes"][0]["piece"], "stone");
    assert_eq!(named("stone")["text"], "stays where it is");
    assert_eq!(named("stone")["count"]["at_start"], 3);
}

#[test]
fn pieces_that_go_ahead() {
    let told = texts("breakthrough-small");
    assert_eq!(told.len(), 2, "{told:?}");
    for text in told {
        assert!(text.contains("one square straight ahead, not to capture"), "{text}");
        assert!(text.contains("one square diagonally ahead"), "{text}");
        assert!(text.contains("captures by replacement"), "{text}");
    }
    for text in texts("knightthrough") {
        assert!(text.contains("2 squares one way and 1 across ahead"), "{text}");
    }
}

#[test]
fn pieces_that_are_set_fall_and_turn_others() {
    for text in texts("tictactoe") {
        assert_eq!(text, "is set on any empty place");
    }
    for text in texts("connectfour") {
        assert!(text.starts_with("is set in a line and falls along argument"), "{text}");
    }
    let told = texts("reversi");
    assert!(told.iter().all(|text| text.contains("turns ")), "{told:?}");
}

#[test]
fn pieces_that_jump_and_pieces_that_slide_into_the_gap() {
    let told = texts("pegsolitaire");
    let text = "2 squares along a row or column over a piece that is captured";
    assert!(told.iter().any(|t| t.starts_with(text)), "{told:?}");
    let told = texts("eightpuzzle");
    assert_eq!(told.len(), 8);
    assert!(told.iter().all(|t| t.starts_with("one square along a row or column")), "{told:?}");
}
