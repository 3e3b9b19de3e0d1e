//! Prints how long small games take to be solved, beside hand-written programs with tables of the same size.

use crate::families;
use crate::hand::solve::{discs::Discs, hex::Hex, lines::Lines, race::Race};
use crate::trees::timed;
use ludex::Game;
use ludex::budget::{Budget, Proving};
use ludex::search::solve::{Settings, Subject, solve};

/// What the first role gets, and the states or nodes that were looked at.
type Outcome = (i32, u64);

/// The game's name, its rules, and the hand-written program.
type Riddle = (&'static str, fn() -> String, fn() -> Outcome);

/// Bytes of each table.
const TABLE: usize = 1 << 27;

const RIDDLES: [Riddle; 7] = [
    ("connect four 5x4", || families::connect_four(5, 4), || discs(5, 4)),
    ("connect four 6x4", || families::connect_four(6, 4), || discs(6, 4)),
    ("connect four 5x5", || families::connect_four(5, 5), || discs(5, 5)),
    ("connect four 6x5", || families::connect_four(6, 5), || discs(6, 5)),
    ("hex 4x4", || families::hex(4), hex),
    ("four in a row 4x4", || families::in_a_row(4, true), lines),
    ("breakthrough 4x5", || families::breakthrough(4, 5), race),
];

/// Seconds from the rules to the value, with all that is proved on the way, and the ratio of the times.
pub fn print_solving() {
    println!(
        "\n{:18} {:>12} {:>12} {:>6}   states",
        "seconds to solve", "Ludex", "by hand", "ratio"
    );
    for (name, rules, by_hand) in RIDDLES {
        let (ours, seconds) = timed(|| ours(name, &rules()));
        let (theirs, hand_seconds) = timed(by_hand);
        assert_eq!(ours.0, theirs.0, "{name}");
        println!(
            "{name:18} {seconds:12.3} {hand_seconds:12.3} {:6.2}   {} and {}",
            seconds / hand_seconds,
            ours.1,
            theirs.1
        );
    }
}

fn ours(name: &str, rules: &str) -> Outcome {
    let budget = Budget::unlimited();
    let game = Game::from_text(name, rules).expect("the rules are right");
    let net = game.knowledge().net(&budget).expect("it has a network");
    let state = net.bases.iter().map(|base| base.initial).collect();
    let subject = Subject { knowledge: game.knowledge().clone(), net, state };
    let settings = Settings { bytes: TABLE, ..Settings::default() };
    let found = solve(&subject, &settings, &budget, Proving(&budget.part()));
    let value = found.values.expect("no limits")[0].to_integer();
    (i32::try_from(value).expect("at most 100"), found.states)
}

fn discs(width: u32, height: u32) -> Outcome {
    let mut game = Discs::new(width, height, TABLE);
    (50 + 50 * i32::from(game.solve()), game.nodes)
}

fn hex() -> Outcome {
    let mut game = Hex::new(4, TABLE);
    (100 * i32::from(game.solve()), game.nodes)
}

fn lines() -> Outcome {
    let mut game = Lines::new(4, TABLE);
    (50 + 50 * i32::from(game.solve()), game.nodes)
}

fn race() -> Outcome {
    let mut game = Race::new(4, 5, TABLE);
    (100 * i32::from(game.solve()), game.nodes)
}
