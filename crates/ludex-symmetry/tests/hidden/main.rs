//! Symmetries that the writing of the rules hides, and facts that never change and are none: the orders of the
//! net's group, the same for every order of the rules. Generators of nets that are not large are proved once more, by
//! the SAT solver.

mod proof;

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_net::Net;
use ludex_net::ground::Ground;
use ludex_symmetry::{
    KeptStructure, Logic, OfNet, Settled, SymmetricGame, SymmetryQuestion, of_rules,
};
use ludex_testing::{bundled_games, collected_games, shared_text};
use std::sync::LazyLock;
use std::time::Instant;

fn read(text: &str) -> Rules {
    Rules::read(&Source::new("game", text), None).expect("a game").0
}

/// With the time that `ludex symmetry` has, but for slow machines: what takes longer is left out.
fn clock() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64()
}

const SECONDS: f64 = 40.0;
/// The generators of larger nets are not proved by the solver.
const PROVED_GATES: usize = 2_000;
const PROVED_RULES: usize = 100;

fn of(rules: &Rules) -> OfNet {
    let budget = Budget::new(clock);
    let (question, none) = (SymmetryQuestion::default(), budget.lasting(0.0));
    let found = of_rules(rules, &question, &budget, &none).expect("no limit").found;
    let ground = Ground::new(rules, &budget).expect("a small game");
    let net = Net::new(&ground, &budget).expect("no limit");
    let settled = Settled::of(&net, &budget).expect("no limit");
    let logic = Logic::of_settled(&ground, &settled, &budget).expect("no limit");
    let game = SymmetricGame { ground: &ground, net: &net, logic: &logic };
    let (kept, part) = (KeptStructure::default(), budget.lasting(SECONDS));
    let mut groups = game.groups(&found.normal, kept, &part, &part).expect("no limit");
    let told = game.tell(&found, &mut groups, &part, &budget).expect("no limit");
    if net.gates.len() < PROVED_GATES {
        proof::check(&net, &settled, &told.generators);
    }
    told
}

/// Orders of all symmetries and of those that leave roles alone.
fn orders(rules: &Rules) -> (String, String) {
    let found = of(rules);
    (found.order.to_string(), found.order_fixed_roles.to_string())
}

/// The rules in another order: every so-manieth first.
fn reordered(rules: &Rules, stride: usize) -> Rules {
    let mut other = rules.clone();
    let count = rules.rules.len();
    other.rules = (0..stride)
        .flat_map(|at| (at..count).step_by(stride))
        .map(|i| rules.rules[i].clone())
        .collect();
    other.rules.reverse();
    other.rules.iter_mut().for_each(|rule| rule.body.reverse());
    other
}

fn collected(name: &str) -> Option<Rules> {
    let path = collected_games().into_iter().find(|p| p.file_stem().is_some_and(|s| s == name))?;
    Some(read(&std::fs::read_to_string(path).expect("a readable file")))
}

fn check(rules: &Rules, all: &str, roles_fixed: &str) {
    for other in [rules.clone(), reordered(rules, 3)] {
        assert_eq!(orders(&other), (all.into(), roles_fixed.into()));
    }
}

#[test]
fn generators_of_bundled_games_are_proved_by_the_solver() {
    for path in bundled_games() {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let rules = read(&text);
        if rules.rules.len() < PROVED_RULES {
            of(&rules);
        }
    }
}

#[test]
fn facts_that_never_change_are_left_alone() {
    let Some(text) = shared_text("cases/junk.kif") else { return };
    check(&read(&text), "2", "2");
}

#[test]
fn lamps_are_counted_in_any_order() {
    let Some(text) = shared_text("cases/counter.kif") else { return };
    check(&read(&text), "24", "24");
}

/// At least two of five, by a ladder that says so with or, beside a sixth lamp that is worth more.
#[test]
fn ladders_of_at_least_so_many_are_recognised() {
    let mut text = String::from(
        "(role p) (<= (legal p (flip ?x)) (lamp ?x))
        (<= (next (on ?x)) (does p (flip ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= terminal (least 6 2)) (<= (goal p 100) (least 5 2)) (<= (goal p 0) (not (least 5 2)))
        (<= (least ?x2 ?n) (succ ?x ?x2) (least ?x ?n))
        (<= (least ?x2 ?m) (succ ?x ?x2) (least ?x ?n) (succ ?n ?m) (true (on ?x2)))",
    );
    for i in 0..6 {
        text += &format!("(succ {i} {0}) (lamp {0}) (least {i} 0)", i + 1);
    }
    check(&read(&text), "120", "120");
}

/// Places that are painted in two colours, both counted on the way through the places: these can be exchanged, and
/// the colours where it does not matter which of them is ahead.
#[test]
fn pairs_of_numbers_are_counted_in_any_order() {
    let game = |goals: &str| {
        let mut text = String::from(
            "(role p) (colour black) (colour red)
            (<= (legal p (paint ?x ?c)) (place ?x) (colour ?c) (open ?x)) (legal p wait)
            (<= (next (cell ?x ?c)) (does p (paint ?x ?c))) (<= (next (cell ?x ?c)) (true (cell ?x ?c)))
            (<= (open ?x) (place ?x) (not (true (cell ?x black))) (not (true (cell ?x red))))
            (<= (count ?x ?c ?r) (succ ?x ?y) (place ?x) (true (cell ?x black)) (count ?y ?b ?r) (succ ?b ?c))
            (<= (count ?x ?b ?c) (succ ?x ?y) (place ?x) (true (cell ?x red)) (count ?y ?b ?r) (succ ?r ?c))
            (<= (count ?x ?b ?r) (succ ?x ?y) (place ?x) (open ?x) (count ?y ?b ?r)) (count 5 0 0)
            (<= some (open ?x)) (<= terminal (not some)) (<= (goal p 50) (count 1 ?b ?b))",
        );
        for i in 0..5 {
            text += &format!("(succ {i} {0})", i + 1);
            (0..i).for_each(|j| text += &format!("(more {i} {j})"));
        }
        text + "(place 1) (place 2) (place 3) (place 4)" + goals
    };
    let ahead = "(<= (goal p 100) (count 1 ?b ?r) (more ?b ?r)) (<= (goal p 0) (count 1 ?b ?r) (more ?r ?b))";
    check(&read(&game(ahead)), "24", "24");
    let apart = "(<= (goal p 100) (count 1 ?b ?r) (distinct ?b ?r))";
    check(&read(&game(apart)), "48", "48");
}

/// The half turn of hex: its columns and steps share their names.
#[test]
fn boards_turn_without_the_clock() {
    let Some(rules) = collected("hex") else { return };
    check(&rules, "4", "2");
}

#[test]
fn pieces_of_four_bits_and_a_board_of_ten_lines() {
    let Some(rules) = collected("quarto") else { return };
    check(&rules, "24576", "12288");
}

#[test]
fn boards_whose_pieces_are_counted_square_by_square_turn() {
    let Some(rules) = collected("reversi") else { return };
    check(&rules, "16", "8");
}

/// Counted column by column, and the columns one after the other.
#[test]
fn boards_whose_columns_are_counted_turn() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/reversi.gdl");
    check(&read(&std::fs::read_to_string(path).expect("bundled")), "16", "8");
}

/// Pieces of both colours are counted together.
#[test]
fn boards_whose_pieces_are_counted_in_pairs_turn() {
    let Some(rules) = collected("othello-comp2007") else { return };
    check(&rules, "16", "8");
}

/// Squares that no piece ever reaches stay blank as long as somebody moves, which takes a proof.
#[test]
fn squares_that_are_never_used_are_left_alone() {
    for (name, all) in [("checkers", "2"), ("sheepAndWolf", "1")] {
        let Some(rules) = collected(name) else { return };
        check(&rules, all, "1");
    }
}

/// The two sides of a maze, whose walls never change.
#[test]
fn roles_change_places_between_walls() {
    let Some(rules) = collected("wallmaze") else { return };
    check(&rules, "8", "4");
}
