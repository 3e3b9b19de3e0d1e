//! Values that are known from elsewhere.

use crate::{agreed, bundled, read, settings, values};
use ludex_gdl::budget::{Budget, Proving, Stop};
use ludex_reason::{Move, Random};
use ludex_search::solve::{Unsolvable, Value, solve};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

fn value_of(file: &str) -> Vec<i32> {
    let game = read(file, &bundled(file)).expect("a bundled game");
    let found = game.solve(&settings());
    assert!(found.complete, "{file}");
    values(&found).expect("whole numbers")
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for file in ["tictactoe.kif", "tictactoe-symmetry.gdl", "tictactoe-frame.gdl"] {
        assert_eq!(value_of(file), [50, 50], "{file}");
    }
}

#[test]
fn two_boards_take_the_sum_of_their_states_and_not_the_product() {
    let game = read("double", &bundled("doubletictactoe.kif")).expect("a bundled game");
    let all = agreed(&game);
    // Neither can win a board, so nobody wins both.
    assert_eq!(values(&all[0]), Some(vec![0, 0]));
    assert_eq!(all[0].factors.len(), 2);
    assert_eq!(all[0].states, all[0].factors.iter().map(|f| f.states).sum::<u64>());
    let whole = all.last().expect("without anything").states;
    assert!(all[0].states * 20 < whole, "{} and {whole}", all[0].states);
}

#[test]
fn nim_follows_the_sum_without_carry() {
    let text = bundled("nim.kif");
    let mut random = Random::new(5);
    for _ in 0..8 {
        let heaps: Vec<usize> = (0..3).map(|_| 1 + random.below(5)).collect();
        let mut text = text.clone();
        for ((name, old), new) in ["a", "b", "c"].iter().zip([3, 4, 5]).zip(&heaps) {
            text = text.replace(&format!("(heap {name} {old})"), &format!("(heap {name} {new})"));
        }
        let game = read("nim", &text).expect("nim");
        let first = heaps.iter().fold(0, |x, h| x ^ h) != 0;
        let expected = if first { [100, 0] } else { [0, 100] };
        assert_eq!(values(&agreed(&game)[0]), Some(expected.to_vec()), "{heaps:?}");
    }
}

/// Hex on a square board: whoever moves first wins, by the argument of the stolen strategy.
#[test]
fn hex_is_won_by_the_first_player() {
    let text = bundled("hex3.kif");
    assert_eq!(value_of("hex3.kif"), [100, 0]);
    let two = text
        .replace("(file a) (file b) (file c)", "(file a) (file b)")
        .replace("(rank 1) (rank 2) (rank 3)", "(rank 1) (rank 2)")
        .replace("(succ a b) (succ b c)", "(succ a b)")
        .replace("(succ 1 2) (succ 2 3)", "(succ 1 2)")
        .replace("(target red c ?y)", "(target red b ?y)")
        .replace("(target blue ?x 3)", "(target blue ?x 2)");
    let four = text
        .replace("(file a) (file b) (file c)", "(file a) (file b) (file c) (file d)")
        .replace("(rank 1) (rank 2) (rank 3)", "(rank 1) (rank 2) (rank 3) (rank 4)")
        .replace("(succ a b) (succ b c)", "(succ a b) (succ b c) (succ c d)")
        .replace("(succ 1 2) (succ 2 3)", "(succ 1 2) (succ 2 3) (succ 3 4)")
        .replace("(target red c ?y)", "(target red d ?y)")
        .replace("(target blue ?x 3)", "(target blue ?x 4)");
    assert_eq!(values(&agreed(&read("hex2", &two).expect("hex"))[0]), Some(vec![100, 0]));
    let four = read("hex4", &four).expect("hex").solve(&settings());
    assert_eq!(values(&four), Some(vec![100, 0]));
}

/// Drop discs, `k` in a line win: a search over two words of bits.
fn discs(w: usize, h: usize, k: usize) -> i32 {
    struct Board {
        w: usize,
        h: usize,
        k: usize,
        known: FxHashMap<(u64, u64), i32>,
    }
    impl Board {
        fn won(&self, own: u64) -> bool {
            let at = |x: i32, y: i32| {
                let inside = (0..self.w as i32).contains(&x) && (0..self.h as i32).contains(&y);
                inside && own >> (x as usize * self.h + y as usize) & 1 == 1
            };
            let line = |x: i32, y: i32, dx: i32, dy: i32| {
                (0..self.k as i32).all(|i| at(x + i * dx, y + i * dy))
            };
            (0..self.w as i32).any(|x| {
                (0..self.h as i32).any(|y| {
                    [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dx, dy)| line(x, y, *dx, *dy))
                })
            })
        }

        fn value(&mut self, own: u64, other: u64) -> i32 {
            if let Some(known) = self.known.get(&(own, other)) {
                return *known;
            }
            let mut best = None;
            for x in 0..self.w {
                let Some(y) = (0..self.h).find(|y| (own | other) >> (x * self.h + y) & 1 == 0)
                else {
                    continue;
                };
                let after = own | 1 << (x * self.h + y);
                let value = if self.won(after) { 1 } else { -self.value(other, after) };
                best = best.max(Some(value));
            }
            let best = best.unwrap_or(0);
            self.known.insert((own, other), best);
            best
        }
    }
    Board { w, h, k, known: FxHashMap::default() }.value(0, 0)
}

/// The rules of the same.
fn discs_in_gdl(w: usize, h: usize, k: usize) -> String {
    let mut text = String::from(
        "(role red) (role yellow) (init (control red))
         (<= (legal ?r (drop ?x)) (true (control ?r)) (rest ?x ?y))
         (<= (legal red noop) (true (control yellow)))
         (<= (legal yellow noop) (true (control red)))
         (<= (next (control red)) (true (control yellow)))
         (<= (next (control yellow)) (true (control red)))
         (<= (next (cell ?x ?y ?r)) (does ?r (drop ?x)) (rest ?x ?y))
         (<= (next (cell ?x ?y ?d)) (true (cell ?x ?y ?d)))
         (<= (filled ?x ?y) (true (cell ?x ?y ?d)))
         (<= open (rest ?x ?y))
         (<= terminal (line ?r)) (<= terminal (not open))
         (<= (goal ?r 100) (line ?r))
         (<= (goal red 0) (line yellow)) (<= (goal yellow 0) (line red))
         (<= (goal ?r 50) (role ?r) (not (line red)) (not (line yellow)))\n",
    );
    let place = |x: usize, y: usize| format!("(true (cell {x} {y} ?r))");
    for x in 0..w {
        text += &format!("(<= (rest {x} 0) (not (filled {x} 0)))\n");
        for y in 1..h {
            text += &format!("(<= (rest {x} {y}) (filled {x} {}) (not (filled {x} {y})))\n", y - 1);
        }
        for y in 0..h {
            for (dx, dy) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
                let at = |i: i32| (x as i32 + i * dx, y as i32 + i * dy);
                let (ex, ey) = at(k as i32 - 1);
                if (0..w as i32).contains(&ex) && (0..h as i32).contains(&ey) {
                    let cells: Vec<String> =
                        (0..k as i32).map(at).map(|(x, y)| place(x as usize, y as usize)).collect();
                    text += &format!("(<= (line ?r) (role ?r) {})\n", cells.join(" "));
                }
            }
        }
    }
    text
}

#[test]
fn connect_four_on_small_boards() {
    for (w, h, k) in [(3, 3, 3), (4, 3, 3), (4, 4, 4), (5, 3, 4), (3, 5, 3)] {
        let game = read("discs", &discs_in_gdl(w, h, k)).expect("rules");
        let expected = match discs(w, h, k) {
            1 => [100, 0],
            0 => [50, 50],
            _ => [0, 100],
        };
        let found = game.solve(&settings());
        assert_eq!(values(&found), Some(expected.to_vec()), "{w}x{h}, {k} in a line");
        assert!(found.meaning.sum == Some(100), "{}", found.meaning);
    }
    assert_eq!(discs(4, 4, 4), 0);
}

/// Lengths of the shortest solutions from positions of the eight puzzle.
#[test]
fn eight_puzzle_plans_are_shortest() {
    let text = bundled("eightpuzzle.kif");
    let at = text.find("(init (cell 1 1").expect("the position");
    let end = text.find("(init (step 0))").expect("the counter");
    // The goal as the rules have it: tiles in order, the empty cell last.
    let mut distance: FxHashMap<[u8; 9], usize> = FxHashMap::default();
    let solved = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let mut open = VecDeque::from([solved]);
    distance.insert(solved, 0);
    while let Some(p) = open.pop_front() {
        let hole = p.iter().position(|t| *t == 0).expect("a hole");
        for to in 0..9usize {
            let near = hole / 3 == to / 3 && hole.abs_diff(to) == 1 || hole.abs_diff(to) == 3;
            let mut q = p;
            q.swap(hole, to);
            if near && !distance.contains_key(&q) {
                distance.insert(q, distance[&p] + 1);
                open.push_back(q);
            }
        }
    }
    let mut found: Vec<[u8; 9]> = distance.keys().copied().collect();
    found.sort_unstable();
    let bundled = read("eightpuzzle", &text).expect("rules").solve(&settings());
    assert_eq!((values(&bundled), bundled.line.len()), (Some(vec![100]), 31));
    for p in found.iter().step_by(60_001) {
        let mut cells = String::new();
        for (i, t) in p.iter().enumerate() {
            let tile = if *t == 0 { "empty".to_string() } else { t.to_string() };
            cells += &format!("(init (cell {} {} {tile})) ", i % 3 + 1, i / 3 + 1);
        }
        let text = format!("{}{cells}{}", &text[..at], &text[end..]);
        let game = read("eightpuzzle", &text).expect("rules");
        let found = game.solve(&settings());
        assert_eq!((values(&found), found.line.len()), (Some(vec![100]), distance[p]), "{p:?}");
        assert_eq!(game.play(&found), Some(vec![Some(100)]));
    }
}

#[test]
fn puzzles_with_known_solutions() {
    for (file, steps) in
        [("lightsout.gdl", Some(5)), ("knightstour.kif", Some(24)), ("pegsolitaire.gdl", Some(31))]
    {
        let game = read(file, &bundled(file)).expect("a bundled game");
        let found = game.solve(&settings());
        assert_eq!(values(&found), Some(vec![100]), "{file}");
        assert_eq!(game.play(&found), Some(vec![Some(100)]), "{file}");
        assert_eq!(Some(found.line.len()), steps, "{file}");
    }
    for (file, steps) in [("buttons.kif", 6), ("lightsOn.kif", 4)] {
        let text = ludex_testing::shared_text(&format!("games/collection/{file}"));
        let Some(text) = text else { continue };
        let game = read(file, &text).expect("rules");
        let found = game.solve(&settings());
        assert_eq!((values(&found), found.line.len()), (Some(vec![100]), steps), "{file}");
        assert_eq!(game.play(&found), Some(vec![Some(100)]), "{file}");
    }
}

#[test]
fn moves_at_the_same_time_and_chance() {
    assert_eq!(value_of("matchingpennies.kif"), [50, 50]);
    assert_eq!(value_of("rockpaperscissors.gdl"), [50, 50]);
    assert_eq!(value_of("dilemma.kif"), [20, 20]);
    // A coin, then a bet on another: the better stake is taken.
    let text = "(role random) (role player) (init start)
        (coin head) (coin tail)
        (<= (legal random ?c) (coin ?c)) (<= (legal player (bet ?c)) (coin ?c))
        (<= (next hit) (does random ?c) (does player (bet ?c)))
        (<= (next lucky) (does random head)) (next over)
        (<= terminal (true over))
        (goal random 0)
        (<= (goal player 90) (true hit) (true lucky))
        (<= (goal player 40) (true hit) (not (true lucky)))
        (<= (goal player 0) (not (true hit)))";
    let found = read("coins", text).expect("rules").solve(&settings());
    assert_eq!(values(&found), Some(vec![0, 45]));
    assert!(found.meaning.by_chance, "{}", found.meaning);
}

#[test]
fn mixed_moves_are_told_where_the_line_ends() {
    // One step before it nobody has a choice.
    let text = "(role a) (role b) (init start) (way x) (way y)
        (<= (legal ?r wait) (role ?r) (true start))
        (<= (legal ?r ?w) (role ?r) (way ?w) (not (true start)))
        (<= (next (went ?r ?w)) (does ?r ?w) (way ?w)) (next open) (<= terminal (true (went a ?w)))
        (pays x x 75 25) (pays x y 25 75) (pays y x 0 100) (pays y y 50 50)
        (<= (goal a ?g) (true (went a ?v)) (true (went b ?w)) (pays ?v ?w ?g ?h))
        (<= (goal b ?h) (true (went a ?v)) (true (went b ?w)) (pays ?v ?w ?g ?h))";
    let game = read("mixed", text).expect("rules");
    let found = game.solve(&settings());
    let told = |of: &Vec<(Move, Value)>| of.iter().map(|(_, c)| c.to_string()).collect::<Vec<_>>();
    let chances: Vec<_> = found.mixed.iter().map(|(role, moves)| (*role, told(moves))).collect();
    let text = |s: &str| s.to_string();
    assert_eq!(found.values.expect("a value")[0].to_string(), "75/2");
    assert_eq!(found.line.len(), 1);
    assert_eq!(chances, [(0, vec![text("1/2"); 2]), (1, vec![text("1/4"), text("3/4")])]);
    assert!(found.is_safe);
}

#[test]
fn what_has_no_one_value_is_refused_with_a_reason() {
    // The battle of the sexes.
    let text = "(role a) (role b) (init start) (way x) (way y)
        (<= (legal ?r ?w) (role ?r) (way ?w))
        (<= (next (went ?r ?w)) (does ?r ?w)) (<= terminal (true (went a ?w)))
        (<= (goal a 100) (true (went a x)) (true (went b x)))
        (<= (goal a 50) (true (went a y)) (true (went b y)))
        (<= (goal b 50) (true (went a x)) (true (went b x)))
        (<= (goal b 100) (true (went a y)) (true (went b y)))
        (<= (goal ?r 0) (role ?r) (true (went a ?v)) (true (went b ?w)) (distinct ?v ?w))";
    let found = read("sexes", text).expect("rules").solve(&settings());
    assert_eq!((found.values.is_none(), found.complete), (true, false));
    assert!(matches!(found.refusal, Some(Unsolvable::Undecided { .. })));
}

/// Play that comes back has a value where the roles are proved to be opposed. Without time for that proof the
/// answer is cut short, not refused.
#[test]
fn without_time_for_proofs_play_that_comes_back_is_stopped() {
    let text = "(role a) (role b) (init (at 1)) (init (control a))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (legal ?r stay) (true (control ?r))) (<= (legal ?r end) (true (control ?r)))
        (<= (next (at 2)) (does ?r end)) (<= (next (won ?r)) (does ?r end))
        (<= (next (at ?x)) (true (at ?x)) (not (does a end)) (not (does b end)))
        (<= terminal (true (at 2)))
        (<= (goal ?r 100) (true (won ?r)))
        (<= (goal ?r 0) (role ?r) (not (true (won ?r))))";
    let game = read("circle", text).unwrap();
    let found = game.solve(&settings());
    assert_eq!(values(&found), Some(vec![100, 0]), "{found:?}");
    let game = read("circle", text).unwrap();
    let (budget, proofs) = (Budget::unlimited(), Budget::unlimited());
    proofs.stop(Stop::Time);
    let found = solve(&game.subject(), &settings(), &budget, Proving(&proofs));
    assert_eq!((found.refusal, found.stop), (None, Some(Stop::Time)), "{:?}", found.notes);
}
