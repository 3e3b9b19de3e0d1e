//! `ludex prove`, `ludex boards` and `ludex qbf` as a script meets them: keys, exit codes, bad input.

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
    assert_eq!(cells["lemmas"], serde_json::json!(["exactly one of (control *)"]));
    assert!(facts.iter().any(|f| f["kind"] == "alternation" && f["status"] == "proved"));
    // What stays open says what was tried.
    let (code, answer, _) = run(&["prove", "--json", "pegsolitaire"]);
    let facts = answer["facts"].as_array().unwrap();
    let open = facts.iter().find(|f| f["status"] == "unknown").expect("an open question");
    assert!(code == 0 && open["by"].as_str().unwrap().contains("induction over"));
}

#[test]
fn an_open_property_says_what_was_tried_and_for_how_long() {
    // One peg less with every jump, but there is no counting in the proof.
    let property = "(not (true (left 1)))";
    let ask = ["prove", "pegsolitaire", property, "--steps", "1", "--states", "10"];
    let (code, answer, errors) = run(&[&ask[..], &["--json"]].concat());
    assert_eq!((code, errors.as_str()), (0, ""));
    let fact = &answer["facts"][0];
    assert_eq!(fact["status"], "unknown");
    let by = fact["by"].as_str().unwrap();
    assert!(by.contains("sampled states") && by.contains("the first 10 states"), "{by}");
    assert!(by.contains("induction over 1 step") && fact["seconds"].is_number(), "{by}");
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(ask).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("unknown after ") && text.contains(" s: "), "{text}");
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
        let (code, answer, _) = run(&["prove", "--json", "tictactoe", property]);
        assert_eq!((code, &answer["game"]), (1, &"tictactoe".into()));
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(told == "error" || message.contains(told), "{property}: {answer}");
    }
    let infix = "next(cell(X,Y,x)) :- does(white mark(X,Y))";
    let (_, _, errors) = run(&["prove", "tictactoe", infix]);
    assert!(errors.contains("1:32: error[unbalanced]: `)` is missing here\n"), "{errors}");
}

#[test]
fn boards_have_their_keys() {
    let (code, answer, _) = run(&["boards", "--json", "tictactoe"]);
    assert_eq!((code, &answer["base"]), (0, &"declared".into()));
    let cell = &answer["relations"][0];
    assert_eq!((&cell["relation"], &cell["arity"]), (&"cell".into(), &3.into()));
    assert_eq!((&cell["calls"], &cell["maximal"]), (&4.into(), &serde_json::json!([[1, 2]])));
    assert!(cell["seconds"].is_number() && cell["partial"].is_array());
    assert_eq!(answer["views"][0]["one_fact_a_place"], true);
    let (_, answer, _) = run(&["boards", "--json", "--verify", "literal", "tictactoe"]);
    assert_eq!(answer["relations"][0]["maximal"], serde_json::json!([]));
}

#[test]
fn one_projection_is_decided_written_or_refused() {
    let decide = |projection| run(&["boards", "tictactoe", "--projection", projection]);
    assert_eq!(decide("cell{1,2}").0, 0);
    let (code, answer, _) = run(&["boards", "--json", "tictactoe", "--projection", "<cell,{1,3}>"]);
    assert_eq!((code, &answer["status"]), (1, &"refuted".into()));
    assert!(answer["why"].as_str().unwrap().contains("contains <cell,{3}>"), "{answer}");
    for (projection, told) in [
        ("sell{1}", "no relation of the state is called sell"),
        ("cell{1,4}", "cell has 3 arguments"),
        ("cell", "name at least one argument"),
        ("cell{1}x", "arguments are given as numbers"),
        ("cell{a}", "arguments are given as numbers"),
    ] {
        let (code, _, errors) = decide(projection);
        assert!(code == 1 && errors.contains(told), "{projection}: {errors}");
    }
    let program = ["boards", "tictactoe", "--projection", "cell{1,2}", "--asp"];
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(program).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for line in [
        "{true(X) : base(X)}.",
        "{does(R,M) : input(R,M)} 1 :- role(R).",
        "pi_b(X1,X2) :- base(cell(X1,X2,X3)).",
        "variant :- not current, nxt.",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}");
    }
}

/// Both programs of the paper, where there is a clingo to run them.
#[test]
fn clingo_agrees() {
    if !ludex_testing::installed("clingo") {
        return;
    }
    for game in ["tictactoe", "multipletictactoe", "hex3", "blocksworld"] {
        for verify in ["literal", "exact", "lemmas"] {
            let ask = ["boards", "--json", game, "--verify", verify];
            let theirs = run(&[&ask[..], &["--solver", "clingo"]].concat()).1;
            let ours = run(&ask).1;
            let sets = |answer: &Value| -> Vec<Value> {
                let relations = answer["relations"].as_array().expect("an answer").iter();
                relations.map(|r| r["maximal"].clone()).collect()
            };
            assert_eq!(sets(&theirs), sets(&ours), "{game} {verify}");
        }
    }
}

#[test]
fn formulas_become_games() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formula.txt");
    std::fs::write(&path, "a 1 0\ne 2 0\n1 2 0\n-1 -2 0\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).arg("qbf").arg(&path).output().unwrap();
    let game = path.with_extension("kif");
    std::fs::write(&game, output.stdout).unwrap();
    let (code, answer, _) = run(&["boards", "--json", &game.to_string_lossy()]);
    assert_eq!((code, &answer["relations"][0]["maximal"]), (0, &serde_json::json!([[1]])));
    let (code, _, errors) = run(&["qbf", "no-such-file"]);
    assert!(code == 1 && errors.contains("cannot be read"));
}
