//! Random matches of every bundled game: they end, with one goal value for each role, within base and input.

use crate::{engine, files};
use ludex::budget::Budget;
use ludex::interp::Interp;
use ludex::reason::{End, Joints, Random, StateMachine, playout};
use std::collections::BTreeSet;

/// Without base and input, as in the papers they come from.
const UNDECLARED: [&str; 2] = ["tictactoe-frame.gdl", "tictactoe-symmetry.gdl"];
/// The only game that need not end: as in the exercise it comes from.
const ENDLESS: &str = "buttonsandlights.gdl";
/// Chess may last for thousands of moves; no match of another game is as long.
const BOUND: usize = 10_000;

#[test]
fn every_match_ends_with_one_goal_for_each_role() {
    let files = files();
    for path in &files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut game = engine(name, &std::fs::read_to_string(path).unwrap());
        let matches = if name.starts_with("chess") { 1 } else { 5 };
        for seed in 0..matches {
            let mut random = Random::new(seed);
            let played = playout(&mut game, &mut random, BOUND, &Budget::unlimited()).unwrap();
            assert_eq!(played.end, End::Terminal, "{name}, seed {seed}");
            let fine = |goal: &Option<i32>| goal.is_some_and(|g| (0..=100).contains(&g));
            assert!(played.goals.iter().all(fine), "{name}, seed {seed}: {:?}", played.goals);
        }
        if name != ENDLESS {
            let initial = game.initial();
            let goals = (0..game.roles()).filter_map(|role| game.goal(&initial, role)).count();
            assert_eq!(goals, game.roles(), "{name}: the initial state has no goal");
        }
    }
    assert!(files.len() >= 34, "{} games", files.len());
}

#[test]
fn facts_and_moves_stay_within_base_and_input() {
    for path in files() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if UNDECLARED.contains(&name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut game = engine(name, &text);
        let declared = Declared::new(name, &text);
        let mut random = Random::new(11);
        let mut state = game.initial();
        for _ in 0..60 {
            declared.check(name, &mut game, &state);
            if game.terminal(&state) {
                state = game.initial();
            }
            let joints: Vec<_> = Joints::of(&mut game, &state).take(2_000).collect();
            state = game.next(&state, &joints[random.below(joints.len())]);
        }
    }
}

struct Declared {
    facts: BTreeSet<String>,
    moves: Vec<BTreeSet<String>>,
}

impl Declared {
    /// The reasoner answers for init and legal only, so base and input are put in their place.
    fn new(name: &str, text: &str) -> Declared {
        let swap = |text: String, old: &str, new: &str| {
            let text = text.replace(&format!("({new} "), &format!("(former-{new} "));
            let text = text.replace(&format!("({old} "), &format!("({new} "));
            let text = text.replace(&format!("{new}("), &format!("former{new}("));
            text.replace(&format!("{old}("), &format!("{new}("))
        };
        let text = swap(swap(text.to_string(), "base", "init"), "input", "legal");
        let mut game = engine(name, &text);
        let all = game.initial();
        let moves = (0..game.roles()).map(|role| legal(&mut game, &all, role)).collect();
        Declared { facts: game.fact_texts(&all).into_iter().collect(), moves }
    }

    fn check(&self, name: &str, game: &mut Interp, state: &<Interp as StateMachine>::State) {
        for fact in game.fact_texts(state) {
            assert!(self.facts.contains(&fact), "{name}: {fact} is not in base");
        }
        for (role, declared) in self.moves.iter().enumerate() {
            for m in legal(game, state, role) {
                assert!(declared.contains(&m), "{name}: {m} is not in input");
            }
        }
    }
}

fn legal(
    game: &mut Interp,
    state: &<Interp as StateMachine>::State,
    role: usize,
) -> BTreeSet<String> {
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    moves.into_iter().map(|m| game.move_text(role, m)).collect()
}
