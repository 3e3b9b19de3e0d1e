//! Prints what a position costs as games grow: boards of more cells, more heaps, more copies of a game.

use crate::families;
use crate::trees::timed;
use ludex::Game;
use ludex::budget::Budget;
use ludex::machine::sliced::{Backend, Sliced};
use ludex::machine::{Ask, Batch, Looks};
use ludex::reason::{Move, Random};

/// A name, the rules of a size, and the sizes.
type Family = (&'static str, fn(usize) -> String, &'static [usize]);

const FAMILIES: [Family; 5] = [
    ("five in a row", |n| families::in_a_row(n, false), &[5, 8, 12, 19, 28, 40]),
    ("breakthrough", |n| families::breakthrough(n, n), &[6, 8, 12, 18, 26]),
    ("hex", families::hex, &[3, 5, 7, 11, 15, 19]),
    ("nim, heaps", families::nim, &[3, 10, 30, 100, 300]),
    ("tic-tac-toe, boards", families::boards, &[1, 4, 16, 64, 256]),
];

/// CPU seconds for each measurement.
const SECONDS: f64 = 0.3;
/// Steps of the random matches whose positions are expanded.
const STEPS: usize = 6;

/// What was measured of a game.
struct Growth {
    facts: usize,
    setup: f64,
    /// Nanoseconds for a transition of a random match, and for a child of a position with its legal moves.
    transition: f64,
    child: f64,
}

pub fn print_growth() {
    println!(
        "\n{:20} {:>5} {:>7} {:>9} {:>14} {:>14} {:>16}",
        "family", "size", "facts", "set-up s", "transition ns", "child ns", "transition, fact"
    );
    for (name, rules, sizes) in FAMILIES {
        for size in sizes {
            let found = measure(name, &rules(*size));
            println!(
                "{name:20} {size:5} {:7} {:9.3} {:14.2} {:14.1} {:13.2} ps",
                found.facts,
                found.setup,
                found.transition,
                found.child,
                found.transition * 1e3 / found.facts as f64,
            );
        }
    }
}

fn measure(name: &str, rules: &str) -> Growth {
    let budget = Budget::unlimited();
    let game = Game::from_text(name, rules).expect("the rules are right");
    let ((net, mut sliced), setup) = timed(|| {
        let net = game.knowledge().net(&budget).expect("it has a network");
        let sliced = Sliced::new(&net, Backend::best(), &budget).expect("no limit");
        (net, sliced)
    });
    let begin = cpu_time::ThreadTime::now();
    let mut more = |_: &_| begin.elapsed().as_secs_f64() < SECONDS;
    let totals = sliced.run_while(1, u64::MAX, &mut more, &budget).expect("no limits");
    let transition = begin.elapsed().as_secs_f64() * 1e9 / totals.transitions as f64;
    let mut batch = game.batch(&budget).expect("it has a network");
    let child = child(&mut batch);
    Growth { facts: net.bases.len(), setup, transition, child }
}

/// Nanoseconds for a child of positions of random matches, with its end and its legal moves.
fn child(batch: &mut Batch) -> f64 {
    let ask = Ask { legal: true, ..Ask::default() };
    let (mut looks, mut random) = (Looks::default(), Random::new(1));
    let mut rows: Vec<u64> = batch.initial().repeat(batch.lanes());
    for _ in 0..STEPS {
        batch.look(&rows, ask, &mut looks);
        if looks.terminal.contains(&true) {
            break;
        }
        let draw = |list: &[Move], random: &mut Random| list[random.below(list.len())];
        let roles = batch.roles();
        let moves: Vec<Move> = (0..looks.len() * roles)
            .map(|n| draw(looks.legal(n / roles, n % roles), &mut random))
            .collect();
        let parents: Vec<u32> = (0..looks.len() as u32).collect();
        let mut next = Vec::new();
        batch.follow(&rows, &parents, &moves, &mut next);
        rows = next;
    }
    let (mut parents, mut moves, mut out, mut ends) = (vec![], vec![], vec![], Looks::default());
    let (mut children, begin) = (0, cpu_time::ThreadTime::now());
    while begin.elapsed().as_secs_f64() < SECONDS {
        batch.look(&rows, ask, &mut looks);
        for position in (0..looks.len()).filter(|p| !looks.terminal[*p]) {
            looks.joints(position, &mut parents, &mut moves);
            if parents.len() < batch.lanes() {
                continue;
            }
            let steps = (&parents[..], &moves[..]);
            batch.follow_and_look(&rows, steps, ask, &mut out, &mut ends);
            children += parents.len();
            parents.clear();
            moves.clear();
            if begin.elapsed().as_secs_f64() > SECONDS {
                break;
            }
        }
    }
    begin.elapsed().as_secs_f64() * 1e9 / children as f64
}
