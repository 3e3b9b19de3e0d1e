//! Puzzles and small games against programs of a few lines that know them.

use crate::{assert_paths, count, count_by, engine, text};
use ludex::reason::{Joints, StateMachine};

#[test]
fn nim() {
    let next = |heaps: &[u64; 3]| {
        let leave = |h: usize| (0..heaps[h]).map(move |left| (h, left));
        let changed = (0..3).flat_map(leave).map(|(h, left)| {
            let mut heaps = *heaps;
            heaps[h] = left;
            heaps
        });
        changed.collect()
    };
    assert_eq!(count(&text("nim.kif"), 12), count_by([3, 4, 5], 12, next));
}

/// Who wins each heap position is Bouton's rule: the player to move loses if the heaps add up to nought
/// without carrying.
#[test]
fn nim_is_won_as_bouton_says() {
    let mut game = engine("nim", &text("nim.kif"));
    let mut values = rustc_hash::FxHashMap::default();
    let start = game.initial();
    assert!(wins(&mut game, &start, &mut values));
    assert!(values.len() > 200, "{}", values.len());
    for (state, win) in &values {
        let mut sum = 0;
        for fact in game.fact_texts(state) {
            let words: Vec<&str> = fact.trim_matches(['(', ')']).split(' ').collect();
            sum ^= words.get(2).map_or(0, |n| n.parse::<u32>().unwrap());
        }
        assert_eq!(*win, sum != 0, "{state:?}");
    }
}

type Values<S> = rustc_hash::FxHashMap<S, bool>;

fn wins<G: StateMachine>(game: &mut G, state: &G::State, values: &mut Values<G::State>) -> bool {
    if let Some(value) = values.get(state) {
        return *value;
    }
    let mut win = false;
    if !game.terminal(state) {
        for joint in Joints::of(game, state) {
            let next = game.next(state, &joint);
            win |= !wins(game, &next, values);
        }
    }
    values.insert(state.clone(), win);
    win
}

#[test]
fn peg_solitaire() {
    let hole = |x: i64, y: i64| {
        (0..7).contains(&x) && (0..7).contains(&y) && ((2..5).contains(&x) || (2..5).contains(&y))
    };
    let bit = |x: i64, y: i64| 1u64 << (y * 7 + x);
    let squares = || (0..7).flat_map(|y| (0..7).map(move |x| (x, y)));
    let full: u64 = squares().filter(|(x, y)| hole(*x, *y)).map(|(x, y)| bit(x, y)).sum();
    let next = |pegs: &u64| {
        let mut after = Vec::new();
        for ((x, y), (dx, dy)) in
            squares().flat_map(|s| [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|d| (s, d)))
        {
            if hole(x, y) && hole(x + 2 * dx, y + 2 * dy) {
                let (from, over) = (bit(x, y), bit(x + dx, y + dy));
                let to = bit(x + 2 * dx, y + 2 * dy);
                if pegs & from > 0 && pegs & over > 0 && pegs & to == 0 {
                    after.push(pegs & !from & !over | to);
                }
            }
        }
        after
    };
    assert_eq!(count(&text("pegsolitaire.gdl"), 7), count_by(full & !bit(3, 3), 7, next));
}

#[test]
fn knights_tour() {
    let next = |(at, visited): &(i64, u32)| {
        let leaps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let to = leaps.into_iter().filter_map(|(dx, dy)| {
            let (x, y) = (at % 5 + dx, at / 5 + dy);
            let inside = (0..5).contains(&x) && (0..5).contains(&y);
            (inside && visited >> (y * 5 + x) & 1 == 0).then_some(y * 5 + x)
        });
        to.map(|c| (c, visited | 1 << c)).collect::<Vec<_>>()
    };
    let all = count_by((0, 1), 24, next);
    assert_eq!(all.paths[24], 304, "tours from a corner");
    let counted = count(&text("knightstour.kif"), 13);
    assert_eq!(
        (&counted.paths[..], &counted.terminals[..]),
        (&all.paths[..14], &all.terminals[..14])
    );
}

#[test]
fn eight_puzzle() {
    let next = |tiles: &[u8; 9]| {
        let hole = tiles.iter().position(|t| *t == 0).unwrap();
        let near = |t: usize| (t % 3).abs_diff(hole % 3) + (t / 3).abs_diff(hole / 3) == 1;
        let slide = |t: usize| {
            let mut tiles = *tiles;
            tiles.swap(hole, t);
            tiles
        };
        (0..9).filter(|t| near(*t)).map(slide).collect()
    };
    let start = [8, 6, 7, 2, 5, 4, 3, 0, 1];
    assert_eq!(count(&text("eightpuzzle.kif"), 12), count_by(start, 12, next));
}

#[test]
fn lights_out() {
    let next = |(lit, step): &(u32, u32)| {
        let press = |c: u32| {
            let near = |t: &u32| (t % 3).abs_diff(c % 3) + (t / 3).abs_diff(c / 3) <= 1;
            (lit ^ (0..9).filter(near).map(|t| 1 << t).sum::<u32>(), step + 1)
        };
        if *lit == 0 || *step == 9 { vec![] } else { (0..9).map(press).collect() }
    };
    assert_eq!(count(&text("lightsout.gdl"), 9), count_by((511, 0), 9, next));
}

#[test]
fn exercises_and_figures() {
    // Of the blocks: 3 first moves; of the lights: always 3, and 3! ways to be done after three.
    let blocks = count(&text("blocksworld.gdl"), 3);
    assert_eq!(blocks.paths[..2], [1, 3]);
    let lights = count(&text("buttonsandlights.gdl"), 3);
    assert_eq!((lights.paths, lights.terminals), (vec![1, 3, 9, 27], vec![0, 0, 0, 6]));
    let buttons = count(&text("twobuttons.gdl"), 2);
    assert_eq!((buttons.paths, buttons.terminals), (vec![1, 2, 2], vec![0, 0, 2]));
}

#[test]
fn the_tower_of_blocks_can_be_built() {
    let mut game = engine("blocks", &text("blocksworld.gdl"));
    let mut state = game.initial();
    for wanted in ["(unstack c a)", "(stack b c)", "(stack a b)"] {
        let mut moves = Vec::new();
        game.legal(&state, 0, &mut moves);
        let m = moves.into_iter().find(|m| game.move_text(0, *m) == wanted);
        state = game.next(&state, &[m.unwrap_or_else(|| panic!("{wanted} is not legal"))]);
    }
    assert!(game.terminal(&state));
    assert_eq!(game.goal(&state, 0), Some(100));
}

#[test]
fn simultaneous_moves_multiply() {
    assert_paths("rockpaperscissors.gdl", &[1, 9, 81, 729]);
    assert_paths("matchingpennies.kif", &[1, 4]);
    assert_paths("dilemma.kif", &[1, 4]);
    let mut game = engine("dilemma", &text("dilemma.kif"));
    let start = game.initial();
    let mut goals = Vec::new();
    for joint in Joints::of(&mut game, &start) {
        let end = game.next(&start, &joint);
        goals.push((game.goal(&end, 0).unwrap(), game.goal(&end, 1).unwrap()));
    }
    goals.sort_unstable();
    assert_eq!(goals, [(0, 100), (20, 20), (60, 60), (100, 0)]);
}
