//! What moves point at: places of the drawn board, found by what changes there.

use ludex::budget::{Budget, Stop};
use ludex::game::{MovePlaces, NamedBy};
use ludex::reason::Random;
use ludex::{Game, Position};
use ludex_testing::shared;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A budget that ends by itself.
fn short(time: Duration) -> Budget {
    let budget = Budget::unlimited();
    let stopped = budget.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        stopped.stop(Stop::Time);
    });
    budget
}

/// The initial position, drawn with at most a little time for proofs.
fn initial(game: &Game) -> Position {
    let position = game.position(&Budget::unlimited()).unwrap();
    let _ = game.scene(&short(Duration::from_millis(500)));
    position
}

fn bundled(name: &str) -> Position {
    initial(&Game::bundled(name).unwrap())
}

fn collected(name: &str) -> Option<Position> {
    let file = shared(&format!("games/collection/{name}.kif"))?;
    Some(initial(&Game::open(&file.to_string_lossy()).unwrap()))
}

/// What a move points at, in words: `text -> place, place | rest`.
fn words(mv: &MovePlaces) -> String {
    let step = |s: &ludex::game::MoveStep| {
        let piece = s.piece.as_ref().map_or(String::new(), |p| format!("{p}@"));
        let becomes = s.becomes.as_ref().map_or(String::new(), |p| format!("={p}"));
        let places = match s.named {
            NamedBy::Place => s.places.join("+"),
            NamedBy::Line => format!("[{}]", s.places.join(" | ")),
            NamedBy::Effect => format!("{{{}}}", s.places.join(" | ")),
        };
        format!("{piece}{places}{becomes}")
    };
    let steps: Vec<String> = mv.steps.iter().map(step).collect();
    let rest = if mv.rest.is_empty() { String::new() } else { format!(" ; {}", mv.rest.join(" ")) };
    format!("{}{rest}", steps.join(", "))
}

fn told(position: &Position, role: usize, text: &str) -> String {
    let all = position.move_places(role, &Budget::unlimited()).unwrap();
    assert_eq!(all.len(), position.legal(role).len());
    let mv = all.iter().find(|m| m.text == text);
    words(mv.unwrap_or_else(|| panic!("{text} is not among {:?}", all)))
}

#[test]
fn moves_of_bundled_games_point_at_their_places() {
    assert_eq!(told(&bundled("tictactoe"), 0, "(mark 2 3)"), "2 3");
    assert_eq!(told(&bundled("tictactoe"), 1, "noop"), "");
    assert_eq!(told(&bundled("eightpuzzle"), 0, "(slide 2 2)"), "2 2");
    assert_eq!(told(&bundled("hex3"), 0, "(place b 2)"), "b 2");
    assert_eq!(told(&bundled("reversi"), 0, "(place 4 3)"), "4 3");
    assert_eq!(told(&bundled("breakthrough"), 0, "(move b 2 c 3)"), "b 2, c 3");
    // In towers the things are the places.
    assert_eq!(told(&bundled("blocksworld"), 0, "(stack b c)"), "b, c");
}

#[test]
fn a_column_is_a_line_of_places_and_tells_where_it_ends() {
    let position = bundled("connectfour");
    let column = "[3 1 | 3 2 | 3 3 | 3 4 | 3 5 | 3 6]";
    assert_eq!(told(&position, 0, "(drop 3)"), column);
    let all = position.move_places(0, &Budget::unlimited()).unwrap();
    let lands: Vec<&str> = all[0].changes.iter().map(|p| p.place.as_str()).collect();
    assert_eq!(lands, ["1 1"]);
}

/// For every name of a move in some random matches: what its moves point at, `place place` or `line`.
fn shapes(position: &Position, steps: usize) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for seed in 0..3 {
        let (mut random, mut position) = (Random::new(seed), position.clone());
        for _ in 0..steps {
            let mut joint = Vec::new();
            for role in 0..position.roles().len() {
                let all = position.move_places(role, &Budget::unlimited()).unwrap();
                for mv in &all {
                    let name = mv.text.trim_start_matches('(').split([' ', ')']).next().unwrap();
                    let named: Vec<String> =
                        mv.steps.iter().map(|s| format!("{:?}", s.named).to_lowercase()).collect();
                    found.entry(name.into()).or_default().insert(named.join(" "));
                }
                joint.push(all[random.below(all.len())].text.clone());
            }
            let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
            position = position.after(&joint).unwrap();
            if position.is_terminal() {
                break;
            }
        }
    }
    found
}

/// What is not as expected: a game, the name of a move, and what its moves point at.
fn faults(position: &Position, game: &str, steps: usize, expected: &[(&str, &str)]) -> Vec<String> {
    let all = shapes(position, steps);
    let fault = |(name, shape): &(&str, &str)| {
        let seen: Vec<String> = all.get(*name)?.iter().cloned().collect();
        (seen != [*shape]).then(|| format!("{game}: {name} is {seen:?}, not {shape}"))
    };
    let named = all.keys().filter(|n| expected.iter().any(|(e, _)| e == n)).count();
    let mut faults: Vec<String> = expected.iter().filter_map(fault).collect();
    faults.extend((named == 0).then(|| format!("{game}: only {all:?}")));
    faults
}

#[test]
fn captures_and_promotions_point_at_all_their_places() {
    let jumps = [("jump", "place place"), ("move", "place place"), ("noop", "")];
    let mut found = faults(&bundled("checkers"), "checkers", 40, &jumps);
    let chess = [("move", "place place"), ("promote", "place place"), ("castle", "effect")];
    found.extend(faults(&bundled("chess"), "chess", 60, &chess));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn moves_of_the_collection_point_at_their_places() {
    let two = "place place";
    let expected: [(&str, &[(&str, &str)]); 16] = [
        ("amazons_8x8", &[("move", two), ("fire", "place"), ("noop", "")]),
        ("checkers", &[("move", two), ("jump", two), ("doublejump", "place place place")]),
        ("connectFour", &[("drop", "line")]),
        ("hanoi", &[("puton", two)]),
        ("blocks", &[("s", two), ("u", two)]),
        ("reversi", &[("move", "place")]),
        ("hex", &[("place", "place")]),
        ("eightPuzzle", &[("move", "place")]),
        ("breakthrough", &[("move", two)]),
        ("quarto", &[("place", "place")]),
        ("pentago", &[("place", "place")]),
        ("peg", &[("jump", two)]),
        ("nineBoardTicTacToe", &[("play", "place")]),
        ("sudokuGrade1", &[("mark", "place")]),
        ("lightsOut", &[("switch", "place")]),
        ("nim1", &[("reduce", "place")]),
    ];
    let mut found = Vec::new();
    for (game, moves) in expected {
        let Some(position) = collected(game) else { return };
        found.extend(faults(&position, game, 12, moves));
    }
    assert!(found.is_empty(), "{found:#?}");
}
