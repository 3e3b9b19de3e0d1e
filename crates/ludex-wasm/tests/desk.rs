//! The desk of a page without a server, asked as the page asks.

use ludex_wasm::Desk;
use serde_json::{Value, json};

fn desk() -> Desk {
    Desk::new(|| 0.0)
}

fn answer(desk: &mut Desk, name: &str, with: Value) -> Value {
    desk.answer(name, with, &|_, _| ()).unwrap_or_else(|t| panic!("{name}: {:?}", t.0))
}

#[test]
fn a_match_is_played_by_what_the_views_tell() {
    let mut desk = desk();
    let games = answer(&mut desk, "games", json!({}));
    assert!(games["games"].as_array().unwrap().iter().any(|g| g["id"] == "tictactoe"));
    let mut moves: Vec<Vec<String>> = Vec::new();
    loop {
        let view = answer(&mut desk, "view", json!({ "game": "tictactoe", "moves": moves }));
        assert!(view["svg"].as_str().unwrap().contains("data-place"));
        if view["terminal"] == true {
            assert_eq!(view["goals"].as_array().unwrap().len(), 2);
            break;
        }
        let first = |legal: &Value| legal[0]["text"].as_str().unwrap().to_string();
        moves.push(view["legal"].as_array().unwrap().iter().map(first).collect());
    }
    assert!((5..=9).contains(&moves.len()));
}

#[test]
fn it_thinks_and_analyses() {
    let mut desk = desk();
    let ask = json!({ "game": "tictactoe", "role": 0, "iterations": 200,
        "moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"], ["noop", "(mark 2 2)"]] });
    assert_eq!(answer(&mut desk, "think", ask)["move"], "(mark 1 3)");
    for question in [
        "info",
        "net",
        "pace",
        "boards",
        "pieces",
        "latches",
        "final",
        "proofs",
        "symmetries",
        "factors",
        "solve",
        "frame",
        "domains",
    ] {
        let told = answer(&mut desk, "ask", json!({ "game": "tictactoe", "question": question }));
        assert!(told["text"].as_str().unwrap().len() > 20, "{question}");
    }
}

#[test]
fn rules_that_are_written_here_are_read_and_played() {
    let mut desk = desk();
    let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press)) \
        (<= terminal (true on)) (<= (goal you 100) (true on))";
    let id = answer(&mut desk, "rules", json!({ "name": "lamp", "text": lamp }))["id"].clone();
    let view = answer(&mut desk, "view", json!({ "game": id, "moves": [["press"]] }));
    assert_eq!((&view["terminal"], &view["goals"][0]), (&json!(true), &json!(100)));
    let mut fault = |name: &str, with: Value| {
        desk.answer(name, with, &|_, _| ()).unwrap_err().0[0].code.clone()
    };
    assert_eq!(fault("view", json!({ "game": "nothing" })), "unknown-game");
    assert_eq!(fault("match", json!({ "game": "tictactoe" })), "not-here");
    fault("rules", json!({ "name": "bad", "text": "(role" }));
}
