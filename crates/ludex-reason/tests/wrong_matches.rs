//! Games with one thing wrong that only the first state or a few matches show: the first complaint names it.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Report, Source};
use ludex_reason::{few_matches, first_state};

const BREAKTHROUGH: &str = include_str!("../../../games/breakthrough.gdl");
const CONNECTFOUR: &str = include_str!("../../../games/connectfour.kif");
const EIGHTPUZZLE: &str = include_str!("../../../games/eightpuzzle.kif");
const HANDS: &str = include_str!("../../../games/rockpaperscissors.gdl");
const KNIGHT: &str = include_str!("../../../games/knightstour.kif");
const LIGHTS: &str = include_str!("../../../games/lightsout.gdl");
const NIM: &str = include_str!("../../../games/nim.kif");
const PEGS: &str = include_str!("../../../games/pegsolitaire.gdl");
const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");

/// As `ludex check` does it, without a clock.
fn complaints(text: &str) -> Report {
    let (rules, mut report) = Rules::read(&Source::new("game", text), None).unwrap();
    let told = |report: &Report| report.complaints.iter().map(|c| 1 + c.follows.len()).sum();
    let before: usize = told(&report);
    first_state(&rules, &mut report, &Budget::unlimited()).unwrap();
    if told(&report) == before {
        few_matches(&rules, &mut report, &Budget::unlimited());
    }
    report
}

/// What is said first.
fn said(game: &str) -> String {
    match complaints(game).complaints.first() {
        Some(c) => format!("{}: {}; {}", c.code, c.message, c.hint.as_deref().unwrap_or("")),
        None => "nothing".into(),
    }
}

/// The first complaint about a game in which `right` became `wrong` says all of these.
#[track_caller]
fn first(game: &str, right: &str, wrong: &str, parts: &[&str]) {
    assert!(complaints(game).complaints.is_empty(), "{:?}", complaints(game));
    assert!(game.contains(right), "{right} is no part of the game");
    let said = said(&game.replacen(right, wrong, 1));
    assert!(parts.iter().all(|p| said.contains(p)), "{parts:?} in: {said}");
}

#[test]
fn a_game_that_is_over_at_once() {
    let over = ["over-at-start", "the game is over in its first state"];
    // Much cannot happen then, which is not the cause.
    first(LIGHTS, "init(step(0))", "init(step(9))", &over);
    first(NIM, "(init (stones ?h ?n)) (heap ?h ?n)", "(init (stones ?h 0)) (heap ?h ?n)", &over);
    first(CONNECTFOUR, "(<= terminal (not open))", "(<= terminal open)", &over);
    // Here it is.
    let open = "(<= open (true (cell ?m ?n b)))";
    first(TICTACTOE, open, "(<= open (true (cell m n b)))", &["never-fires", "(cell m n b)"]);
}

#[test]
fn a_board_with_a_hole_or_a_place_with_two_values() {
    let hole = ["hole-at-start", "(cell 3 3 b) is not true at first"];
    first(TICTACTOE, "(init (cell 3 3 b))", "", &hole);
    first(
        TICTACTOE,
        "(init (cell 3 3 b))",
        "(init (cell 3 2 x))",
        &["two-at-start", "(cell 3 2 x)"],
    );
}

#[test]
fn a_board_that_is_forgotten() {
    let kept = "(true (cell ?x ?y ?d)) (not (filled ?x ?y))";
    let lost = ["not-kept", "cell is not kept: of 42 facts"];
    first(CONNECTFOUR, kept, "(true (cell ?x ?y ?d)) (filled ?x ?y)", &lost);
    let kept = "true(cell(X,Y,C)) & ~changed(X,Y)";
    first(BREAKTHROUGH, kept, "true(cell(X,Y,C)) & changed(X,Y)", &["not-kept", "cell"]);
    let kept = "next(lit(X,Y)) :- true(lit(X,Y)) & ~toggled(X,Y).";
    first(LIGHTS, kept, "", &["not-kept", "lit is not kept: of 9 facts"]);
    let moved = "(<= (next (cell ?x ?y ?t)) (true (cell ?x ?y empty)) (slides ?t))";
    first(EIGHTPUZZLE, moved, "", &["cell"]);
    let kept = "next(score(P,N)) :- true(score(P,N)) & ~wins(P).";
    first(HANDS, kept, "", &["not-kept", "a role has no score any more"]);
    let kept = "next(empty(X,Y)) :- true(empty(X,Y)) & ~filled(X,Y).";
    first(PEGS, kept, "", &["not-kept", "no fact empty stays true for two moves"]);
    let kept = "(<= (next (visited ?x ?y)) (true (visited ?x ?y)))";
    first(KNIGHT, kept, "", &["not-kept", "visited is lost after one move"]);
}

#[test]
fn a_board_that_keeps_too_much() {
    let twice = |of: &str| format!("after a move {of} has two values for one thing");
    let ended = |game: &str, right: &str, wrong: &str, of: &str| {
        first(game, right, wrong, &["not-ended", &twice(of)]);
    };
    let kept = "(true (cell ?x ?y ?d)) (not (filled ?x ?y))";
    ended(CONNECTFOUR, kept, "(true (cell ?x ?y ?d))", "cell");
    ended(CONNECTFOUR, kept, "(true (cell ?x ?y ?d)) (not (filled ?y ?x))", "cell");
    ended(NIM, "(true (stones ?h ?n)) (not (touched ?h))", "(true (stones ?h ?n))", "stones");
    ended(BREAKTHROUGH, "true(cell(X,Y,C)) & ~changed(X,Y)", "true(cell(X,Y,C))", "cell");
    ended(HANDS, "true(score(P,N)) & ~wins(P)", "true(score(P,N))", "score");
    let still = "(distinct ?t empty) (not (does player (slide ?x ?y)))";
    ended(EIGHTPUZZLE, still, "(not (does player (slide ?x ?y)))", "cell");
    let both = ["not-ended", "one thing is both", "peg", "empty"];
    first(PEGS, "true(peg(X,Y)) & ~emptied(X,Y)", "true(peg(X,Y))", &both);
}

#[test]
fn a_turn_that_is_not_handed_on() {
    let (handed, kept) = ("next(control(Q)) :-", "next(control(P)) :-");
    let found = ["not-changed", "base declares control with black"];
    first(BREAKTHROUGH, handed, kept, &found);
    // Without declarations matches show it.
    let lines = BREAKTHROUGH.lines().filter(|line| !line.starts_with("base("));
    let undeclared = lines.collect::<Vec<_>>().join("\n").replace(handed, kept);
    let said = said(&undeclared);
    assert!(said.contains("no-choice: black never had a choice"), "{said}");
}

/// A key that is found in one room and used in another.
const KEY: &str = "(role hero) (succ 1 2) (succ 2 3) (init (at 1)) (init (time 1))
    (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5)
    (<= (legal hero go) (true (at ?x)) (succ ?x ?y))
    (<= (legal hero take) (true (at 2)))
    (<= (legal hero open) (true (at 3)) (true key))
    (<= (legal hero wait) (true (at ?x)))
    (<= (next (at ?y)) (does hero go) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?x)) (true (at ?x)) (not (does hero go)))
    (<= (next key) (does hero take))
    (<= (next key) (true key))
    (<= (next done) (does hero open))
    (<= (next (time ?n)) (true (time ?m)) (tick ?m ?n))
    (<= terminal (true done)) (<= terminal (true (time 5)))
    (<= (goal hero 100) (true done)) (<= (goal hero 0) (not (true done)))
    (base key) (base done) (base (at 1)) (base (at 2)) (base (at 3)) (base (time 1))
    (<= (base (time ?n)) (tick ?m ?n))
    (input hero go) (input hero take) (input hero open) (input hero wait)";

#[test]
fn why_a_goal_is_never_reached() {
    let lost = ["not-kept", "key is lost after one move", "hero never gets 100"];
    first(KEY, "(<= (next key) (true key))", "", &lost);
}

#[test]
fn one_of_several_rules_that_keep_a_board() {
    let kept =
        "(<= (next (cell ?m ?n b)) (does ?w (mark ?j ?k)) (true (cell ?m ?n b)) (distinct ?m ?j))";
    let hole = ["not-kept", "cell has no value for a place, and each had one at first"];
    first(TICTACTOE, kept, "", &hole);
}

#[test]
fn why_a_role_cannot_move() {
    let foe = ["stuck-at-start", "no fact foe is about black, and legal asks for one"];
    first(BREAKTHROUGH, "foe(black,white).", "", &foe);
    // Nobody waits where one plays alone.
    let alone = "role(r). init(s(1)). legal(r,go(N)) :- true(s(N)) & fine(N). fine(2). next(s(2)) :- does(r,go(1)).
        terminal :- true(s(2)). goal(r,100). base(s(1)). base(s(2)). input(r,go(1)). input(r,go(2)).";
    let told = complaints(&alone.replace("fine(2)", "fine(M) :- twice(M). twice(2)"));
    let stuck = told.complaints.iter().find(|c| c.code == "stuck-at-start").unwrap();
    assert!(stuck.hint.as_ref().unwrap().starts_with("look at the conditions of legal"));
}
