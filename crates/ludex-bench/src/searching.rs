//! Prints iterations of the tree search per CPU second, beside plain UCT on bitboards.

use crate::hand::uct::{self, Breakthrough, ConnectFour, Reversi};
use crate::trees::timed;
use ludex::Game;
use ludex::budget::Budget;
use ludex::machine::Scalar;
use ludex::search::{Insights, LeafWay, Options, searcher};
use std::sync::Arc;

/// The game's name, its bundled rules, and the hand-written search.
type Quest = (&'static str, &'static str, fn(u64, u64) -> usize);

const QUESTS: [Quest; 3] = [
    ("connect four 7x6", "connectfour", uct::search::<ConnectFour>),
    ("breakthrough 8x8", "breakthrough", uct::search::<Breakthrough>),
    ("reversi 8x8", "reversi", uct::search::<Reversi>),
];

/// Iterations from the first state.
const ITERATIONS: u64 = 200_000;

/// An iteration here is worth many playouts, by hand one.
pub fn print_searching() {
    println!("\n{:18} {:>12} {:>12} {:>6}   nodes", "K iterations/s", "Ludex", "by hand", "ratio");
    for (name, game, by_hand) in QUESTS {
        let (nodes, seconds) = ours(game);
        let (hand_nodes, hand_seconds) = timed(|| by_hand(ITERATIONS, 1));
        let rates = [seconds, hand_seconds].map(|s| ITERATIONS as f64 / s / 1e3);
        println!(
            "{name:18} {:12.0} {:12.0} {:6.2}   {nodes} and {hand_nodes}",
            rates[0],
            rates[1],
            rates[0] / rates[1]
        );
    }
}

/// The nodes of the tree, and the seconds.
fn ours(game: &str) -> (usize, f64) {
    let budget = Budget::unlimited();
    let game = Game::bundled(game).expect("it is bundled");
    let insights = Arc::new(Insights::default());
    insights.gather(game.knowledge(), &budget).expect("no limits");
    let scalar = game.knowledge().scalar(&budget).expect("it has a network");
    let options = Options { way: Some(LeafWay::Playouts), ..Options::default() };
    let mut search = searcher(&Scalar::clone(&scalar), 0, &options, insights);
    let ((), seconds) = timed(|| search.think(ITERATIONS, &budget).expect("no limits"));
    (search.nodes(), seconds)
}
