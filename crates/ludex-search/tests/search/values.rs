//! Values that searches prove or come near to, compared with those that are known.

use super::*;
use ludex_reason::{Random, Role};
use ludex_search::{Choice, Options, searcher};
use rustc_hash::FxHashMap;

/// The value of a state for a role when the one who moves does what is best for him, by looking at all.
fn minimax<G: StateMachine>(
    game: &mut G,
    state: &G::State,
    role: Role,
    known: &mut FxHashMap<G::State, i32>,
) -> i32 {
    if let Some(value) = known.get(state) {
        return *value;
    }
    let value = if game.terminal(state) {
        game.goal(state, role).expect("a goal")
    } else {
        let mut legal = vec![Vec::new(); 2];
        (0..2).for_each(|r| game.legal(state, r, &mut legal[r]));
        let mine = legal[role].len() > 1;
        let mut values = Vec::new();
        for a in &legal[0] {
            for b in &legal[1] {
                let next = game.next(state, &[*a, *b]);
                values.push(minimax(game, &next, role, known));
            }
        }
        let best = if mine { values.iter().max() } else { values.iter().min() };
        *best.expect("a move")
    };
    known.insert(state.clone(), value);
    value
}

/// A random state after some moves that is not terminal, with the moves.
fn opening<G: StateMachine>(
    game: &mut G,
    random: &mut Random,
    moves: usize,
) -> (G::State, Vec<Vec<Move>>) {
    let (mut state, mut made) = (game.initial(), Vec::new());
    for _ in 0..moves {
        let mut joint = Vec::new();
        for role in 0..game.roles() {
            let mut legal = Vec::new();
            game.legal(&state, role, &mut legal);
            joint.push(legal[random.below(legal.len())]);
        }
        let next = game.next(&state, &joint);
        if game.terminal(&next) {
            break;
        }
        state = next;
        made.push(joint);
    }
    (state, made)
}

/// Small games are solved by searches of all kinds, to the values of minimax.
#[test]
fn proven_values_are_those_of_minimax() {
    let mut random = Random::new(5);
    for (file, least) in [("tictactoe.kif", 1), ("nim.kif", 0), ("hex3.kif", 0)] {
        let rules = rules(file);
        let mut game = scalar(&rules);
        let insights = insights(&rules);
        let mut values = FxHashMap::default();
        let (mut proven, mut all) = (0, 0);
        for round in 0..8 {
            let (state, made) = opening(&mut game, &mut random, least + round % 4);
            for (leaves, symmetry, threads, nodes) in [
                (0, false, 1, 50_000),
                (8, true, 1, 50_000),
                (1, true, 2, 50_000),
                (8, true, 1, 300),
            ] {
                let leaves = Some(leaves);
                let options = Options { leaves, symmetry, threads, nodes, ..Options::default() };
                let mut searcher = searcher(&game, 0, &options, insights.clone());
                made.iter().for_each(|joint| searcher.advance(joint));
                searcher.think(20_000, &Budget::unlimited()).expect("no limit");
                let choice = searcher.choice().expect("a move");
                let Choice { mv, value, proven: exact, ref line, .. } = choice;
                all += 1;
                proven += exact as usize;
                let expected = minimax(&mut game, &state, 0, &mut values);
                let next = game.next(&state, &line[0]);
                assert_eq!(line[0][0], mv);
                if exact {
                    assert_eq!(value, expected as f64, "{file} {options:?} after {made:?}");
                    let decides = choice.moves.len() > 1;
                    assert!(!decides || minimax(&mut game, &next, 0, &mut values) == expected);
                }
            }
        }
        assert!(proven * 2 > all, "{file}: {proven} of {all} proved");
    }
}

/// The legal moves of all roles.
fn legal<G: StateMachine>(game: &mut G, state: &G::State) -> Vec<Vec<Move>> {
    let mut legal = vec![Vec::new(); game.roles()];
    legal.iter_mut().enumerate().for_each(|(role, moves)| game.legal(state, role, moves));
    legal
}

/// Symmetric states are one in the tree, and so a match may stand in another state than the root. What
/// is told are moves of the match, and nothing that is known of it is lost.
#[test]
fn moves_are_told_as_they_are_called_in_the_match() {
    let mut kept = 0;
    let file = "tictactoe.kif";
    for seed in 1..4 {
        let rules = rules(file);
        let mut game = scalar(&rules);
        let insights = insights(&rules);
        assert!(insights.symmetry.get().is_some());
        let mut players: Vec<_> = (0..2)
            .map(|role| {
                let options = Options { leaves: Some(1), seed, ..Options::default() };
                searcher(&game, role, &options, insights.clone())
            })
            .collect();
        let (mut state, mut random) = (game.initial(), Random::new(seed));
        while !game.terminal(&state) {
            let moves = legal(&mut game, &state);
            for (role, player) in players.iter_mut().enumerate() {
                player.think(300, &Budget::unlimited()).expect("no limit");
                let choice = player.choice().expect("a move");
                let mut told: Vec<Move> = choice.moves.iter().map(|c| c.mv).collect();
                told.sort_unstable();
                assert_eq!(told, moves[role], "{file}");
                let mut at = state.clone();
                for joint in &choice.line {
                    let legal = legal(&mut game, &at);
                    assert!(joint.iter().zip(&legal).all(|(m, legal)| legal.contains(m)), "{file}");
                    at = game.next(&at, joint);
                }
            }
            // Any move, so that states are met which are not the least of their images.
            let joint: Vec<Move> = moves.iter().map(|m| m[random.below(m.len())]).collect();
            state = game.next(&state, &joint);
            for player in &mut players {
                let before = player.visits();
                player.advance(&joint);
                kept += (player.visits() > 0 && before > 0) as usize;
            }
        }
    }
    assert!(kept > 20, "what was known of {kept} states stayed");
}

/// The first role chooses 60 or a state in which the other one is sure of 50, or may go on for a long time
/// to an end that is bad for him.
const TRAP: &str = "
    (role x) (role y) (init (at start))
    (<= (legal x quiet) (true (at start)))
    (<= (legal x trap) (true (at start)))
    (<= (legal y noop) (true (at start)))
    (<= (legal y safe) (true (at fork)))
    (<= (legal y greedy) (true (at fork)))
    (<= (legal x noop) (true (at fork)))
    (<= (legal x left) (true (walk ?n)))
    (<= (legal x right) (true (walk ?n)))
    (<= (legal y noop) (true (walk ?n)))
    (<= (next (at calm)) (does x quiet))
    (<= (next (at fork)) (does x trap))
    (<= (next (at drawn)) (does y safe))
    (<= (next (walk 1)) (does y greedy))
    (<= (next (walk ?m)) (true (walk ?n)) (succ ?n ?m))
    (<= (next (went ?n)) (true (walk ?n)) (does x left))
    (<= (next (went ?n)) (true (went ?n)))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
    (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16) (succ 16 17)
    (<= terminal (true (at calm)))
    (<= terminal (true (at drawn)))
    (<= terminal (true (walk 17)))
    (<= (goal x 60) (true (at calm))) (<= (goal y 40) (true (at calm)))
    (<= (goal x 50) (true (at drawn))) (<= (goal y 50) (true (at drawn)))
    (<= (goal x 100) (true (walk 17))) (<= (goal y 0) (true (walk 17)))";

/// A move that is settled is not visited any more, but what it is worth counts for those who choose above.
#[test]
fn a_reply_that_is_settled_is_expected() {
    let rules = of_text(TRAP);
    let game = scalar(&rules);
    for insights in [Arc::default(), insights(&rules)] {
        let mut searcher = searcher(&game, 0, &Options::default(), insights);
        searcher.think(3_000, &Budget::unlimited()).expect("no limit");
        let choice = searcher.choice().expect("a move");
        assert_eq!(game.move_text(0, choice.mv), "quiet", "{choice:?}");
        let trap = choice.moves.iter().find(|c| c.mv != choice.mv).expect("the other");
        assert!(trap.value < 55.0, "{trap:?}");
    }
}

/// What a search makes of the first state.
fn think<G: Searchable>(game: &G, iterations: u64) -> Choice {
    let options = Options { leaves: Some(0), ..Options::default() };
    let mut searcher = searcher(game, 0, &options, Arc::default());
    searcher.think(iterations, &Budget::unlimited()).expect("no limit");
    searcher.choice().expect("a move")
}

#[test]
fn moves_at_once_are_looked_at_alike_where_none_is_best() {
    for (file, moves) in [("matchingpennies.kif", 2), ("rockpaperscissors.gdl", 3)] {
        let choice = think(&scalar(&rules(file)), 20_000);
        assert_eq!(choice.moves.len(), moves);
        for candidate in &choice.moves {
            let share = candidate.visits as f64 * moves as f64 / 20_000.0;
            assert!((0.6..1.4).contains(&share), "{file}: {:?}", choice.moves);
        }
    }
    let dilemma = scalar(&rules("dilemma.kif"));
    assert_eq!(dilemma.move_text(0, think(&dilemma, 2_000).moves[0].mv), "talk");
}

/// A sure prize of 60, or a draw from three prizes.
fn lottery(prizes: [u32; 3]) -> String {
    let [a, b, c] = prizes;
    format!(
        "(role me) (role random)
         (init (stage choose))
         (<= (legal me safe) (true (stage choose)))
         (<= (legal me gamble) (true (stage choose)))
         (<= (legal me noop) (true (stage draw)))
         (<= (legal random noop) (true (stage choose)))
         (ball 1) (ball 2) (ball 3)
         (<= (legal random (ball ?b)) (true (stage draw)) (ball ?b))
         (<= (next (stage draw)) (does me gamble))
         (<= (next (got 0)) (does me safe))
         (<= (next (got ?b)) (does random (ball ?b)))
         (<= terminal (true (got ?b)))
         (prize 0 60) (prize 1 {a}) (prize 2 {b}) (prize 3 {c})
         (<= (goal me ?v) (true (got ?b)) (prize ?b ?v))
         (<= (goal random 0) (true (got ?b)))"
    )
}

#[test]
fn chance_is_reckoned_with_and_not_feared() {
    for (prizes, best, value) in
        [([100, 100, 0], "gamble", 200.0 / 3.0), ([100, 50, 0], "safe", 60.0)]
    {
        let rules = of_text(&lottery(prizes));
        let (scalar, interp) = (scalar(&rules), interp(&rules));
        for (choice, name) in [
            (think(&scalar, 500), scalar.move_text(0, think(&scalar, 500).mv)),
            (think(&interp, 500), interp.move_text(0, think(&interp, 500).mv)),
        ] {
            assert_eq!(name, best);
            assert!(choice.proven && (choice.value - value).abs() < 0.01, "{choice:?}");
        }
    }
}
