//! Prints how fast trees are walked: paths beside hand-written programs, different states beside the scalar machine.

use crate::hand::perft;
use cpu_time::ThreadTime;
use ludex::Game;
use ludex::budget::Budget;
use ludex::machine::{Scalar, leaves, paths};
use ludex::reason;

/// The game's name, its bundled rules, the length of the paths, and the hand-written program.
type Walk = (&'static str, &'static str, usize, fn(usize) -> u64);

const WALKS: [Walk; 3] = [
    ("connect four 7x6", "connectfour", 10, perft::connect_four),
    ("breakthrough 8x8", "breakthrough", 6, perft::breakthrough),
    ("chess", "chess", 5, perft::chess),
];

/// The game's name, its bundled rules, and the depth to which different states are counted.
const LEVELS: [(&str, &str, usize); 3] = [
    ("connect four 7x6", "connectfour", 9),
    ("breakthrough 8x8", "breakthrough", 5),
    ("chess", "chess", 4),
];

/// Paths of one length, each walked, the last move counted and not made.
pub fn print_walks() {
    println!("\n{:18} {:>12} {:>12} {:>6}   paths", "M paths/s", "sliced", "by hand", "ratio");
    for (name, game, depth, by_hand) in WALKS {
        let budget = Budget::unlimited();
        let game = Game::bundled(game).expect("it is bundled");
        let mut batch = game.batch(&budget).expect("it has a network");
        let (ours, seconds) = timed(|| leaves(&mut batch, depth, &budget).expect("no limits"));
        let (theirs, hand_seconds) = timed(|| by_hand(depth));
        assert_eq!(ours, theirs, "{name}");
        let rates = [seconds, hand_seconds].map(|s| ours as f64 / s / 1e6);
        println!(
            "{name:18} {:12.1} {:12.1} {:6.2}   {ours} of length {depth}",
            rates[0],
            rates[1],
            rates[0] / rates[1]
        );
    }
}

/// Different states by depth, equal ones merged.
pub fn print_levels() {
    println!("\n{:18} {:>12} {:>12} {:>6}   states", "M states/s", "sliced", "scalar", "ratio");
    for (name, game, depth) in LEVELS {
        let budget = Budget::unlimited();
        let game = Game::bundled(game).expect("it is bundled");
        let mut batch = game.batch(&budget).expect("it has a network");
        let mut scalar = Scalar::new(batch.net().clone());
        let (ours, seconds) = timed(|| paths(&mut batch, depth, false, &budget));
        let (theirs, scalar_seconds) = timed(|| reason::perft(&mut scalar, depth, false, &budget));
        assert_eq!(ours, theirs, "{name}");
        let states: u64 = ours.states.iter().sum();
        let rates = [seconds, scalar_seconds].map(|s| states as f64 / s / 1e6);
        println!(
            "{name:18} {:12.2} {:12.2} {:6.2}   {states} to depth {depth}",
            rates[0],
            rates[1],
            rates[0] / rates[1]
        );
    }
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let answer = work();
    (answer, start.elapsed().as_secs_f64())
}
