//! `ludex prove` as a script meets it: keys, exit codes, refuting lines, bad input.

use serde_json::Value;
use std::process::Command;

fn run(arguments: &[&str]) -> (i32, Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), serde_json::from_str(&text).unwrap_or(Value::Null), errors)
}

#[test]
fn found_facts_have_their_keys() {
    let (code, answer, _) = run(&["prove", "--json", "tictactoe"]);
    assert_eq!(code, 0);
    let facts = answer["facts"].as_array().unwrap();
    let text = "exactly one of (cell ?x ?y *) for every ?x ?y";
    let cells = facts.iter().find(|f| f["text"] == text).expect("the squares");
    assert_eq!((&cells["kind"], &cells["status"]), (&"exactly-one".into(), &"proved".into()));
    assert_eq!((&cells["k"], &cells["count"]), (&1.into(), &9.into()));
    assert!(facts.iter().any(|f| f["kind"] == "alternation" && f["status"] == "proved"));
}

#[test]
fn a_property_is_proved_in_both_syntaxes() {
    for property in [
        "(not (and (true (cell ?x ?y x)) (true (cell ?x ?y o))))",
        "(<= (distinct ?a b) (true (cell ?x ?y ?a)) (not (true (cell ?x ?y b))))",
        "(<= (or (true (cell ?x ?y b)) terminal) (legal ?r (mark ?x ?y)))",
        "next(cell(X,Y,x)) :- does(white, mark(X,Y))",
        "~(true(control(white)) & true(control(black)))",
        "(<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)) terminal)",
    ] {
        let (code, answer, errors) = run(&["prove", "--json", "tictactoe", property]);
        assert_eq!((code, errors.as_str()), (0, ""), "{property}");
        assert_eq!(answer["facts"][0]["status"], "proved", "{property}");
    }
}

#[test]
fn a_refuted_property_comes_with_a_line_of_play() {
    let (code, answer, _) = run(&["prove", "--json", "tictactoe", "(not (next (cell 2 2 o)))"]);
    let fact = &answer["facts"][0];
    assert_eq!((code, &fact["status"]), (1, &"refuted".into()));
    let moves = fact["moves"].as_array().unwrap();
    assert_eq!(moves.last().unwrap(), &serde_json::json!(["noop", "(mark 2 2)"]));
    // In the initial state already, and only in terminal states.
    let (code, answer, _) = run(&["prove", "--json", "tictactoe", "(not (true (cell 1 1 b)))"]);
    assert_eq!((code, &answer["facts"][0]["moves"]), (1, &serde_json::json!([])));
    let (code, _, _) = run(&["prove", "--json", "tictactoe", "(not terminal)"]);
    assert_eq!(code, 1);
    // What never comes about is not reached by the last step of a match.
    let (code, _, _) = run(&["prove", "--json", "tictactoe", "(<= (not terminal) (does ?r ?m))"]);
    assert_eq!(code, 0);
}

#[test]
fn bad_properties_are_explained() {
    for (property, told) in [
        ("(not (true (cel ?x)))", "no fact with 1 argument called cel"),
        ("(not (foo ?x))", "no relation with 1 argument called foo"),
        ("(not (does xplayer noop))", "no name xplayer"),
        ("(not (true (control white))", "a `)` is missing"),
        ("(not (true (control white))))", "closes nothing"),
        ("(true (cell ?x 1 b))", "nothing says which values ?x stands for"),
        ("", "error"),
    ] {
        let (code, _, errors) = run(&["prove", "tictactoe", property]);
        assert_eq!(code, 1, "{property}: {errors}");
        assert!(errors.contains(told), "{property}: {errors}");
    }
}
