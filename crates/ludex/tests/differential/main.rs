//! Random games on every engine and in every analysis, against a naive evaluator and against clingo.
//!
//! The long form: `cargo test --release -p ludex --test differential many_random -- --ignored --nocapture`, with the first seed in
//! `LUDEX_DIFFERENTIAL_SEED`, the number of games in `LUDEX_DIFFERENTIAL_GAMES`. `LUDEX_DIFFERENTIAL_PARTS` names the
//! parts of the library that are asked, separated by strokes (`scalar/sliced`); all of them without it.

mod boards;
mod chance;
mod clingo;
mod engines;
mod factors;
mod generate;
mod graph;
mod ground;
mod invariants;
mod kinds;
mod latches;
mod naive;
mod parts;
mod properties;
mod regressions;
mod rules;
mod shrink;
mod solving;
mod subject;
mod symmetries;
mod tally;
mod watch;
mod wild;

use tally::Tally;

#[test]
fn random_games_agree() {
    let by_clingo = if clingo::is_there() { 150 } else { 0 };
    let tally = Tally::of(generate::game, 0..300, by_clingo);
    println!("{tally}");
    assert!(tally.differences.is_empty(), "\n{}", tally.differences.join("\n"));
    assert_eq!((tally.all.games, tally.by_clingo), (300, by_clingo));
    assert!(tally.all.loops > 100, "{} games have loops in the net", tally.all.loops);
    assert!(tally.all.states > 2_500, "{} states", tally.all.states);
}

#[test]
fn wild_games_agree() {
    let by_clingo = if clingo::is_there() { 100 } else { 0 };
    let tally = Tally::of(wild::game, 0..200, by_clingo);
    println!("{tally}");
    assert!(tally.differences.is_empty(), "\n{}", tally.differences.join("\n"));
    assert_eq!((tally.all.games, tally.by_clingo), (200, by_clingo));
    assert!(tally.all.loops > 60, "{} games have loops in the net", tally.all.loops);
    assert!(tally.all.states > 900, "{} states", tally.all.states);
}

/// A number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

#[test]
#[ignore = "takes hours"]
fn many_random_games_agree() {
    many(generate::game);
}

#[test]
#[ignore = "takes hours"]
fn many_wild_games_agree() {
    many(wild::game);
}

fn many(make: fn(u64) -> rules::Game) {
    let first = number("LUDEX_DIFFERENTIAL_SEED", 1_000_000);
    let games = number("LUDEX_DIFFERENTIAL_GAMES", 100_000);
    let by_clingo = if clingo::is_there() { 3_000 } else { 0 };
    let tally = Tally::of(make, first..first + games, by_clingo);
    println!("{tally}");
    assert!(tally.differences.is_empty(), "{} differences", tally.differences.len());
    assert_eq!(tally.all.games as u64, games);
}
