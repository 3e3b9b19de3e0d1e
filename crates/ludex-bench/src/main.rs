//! Prints how fast the engine sliced plays and walks trees, beside hand-written programs of the same games, and the ratios, from one run.
//!
//! Playouts: transitions per CPU second, by hand one match at a time. Both sides compute the terminal test
//! and the legal moves in every state, and the result at the end; their mean lengths must agree.
//! Trees: paths per CPU second, whose numbers must be equal, and different states beside the scalar machine.
//! Solving: CPU seconds, with the same values. Searching: iterations per CPU second. Families: what a position costs as games grow.
//! Words on the command line choose what is measured.

mod families;
mod growth;
mod hand;
mod searching;
mod solving;
mod trees;

use cpu_time::ThreadTime;
use ludex::budget::Budget;
use ludex::ground::Ground;
use ludex::machine::sliced::{Backend, Sliced};
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;

/// The game's name, its bundled rules and the hand-written engine.
type Contest = (&'static str, &'static str, fn(u64, u64) -> hand::Count);

const CONTESTS: [Contest; 4] = [
    ("tic-tac-toe", "tictactoe.kif", hand::tictactoe::play),
    ("connect four 8x6", "connectfour8x6.kif", hand::connectfour::play),
    ("breakthrough 8x8", "breakthrough.gdl", hand::breakthrough::play),
    ("reversi 8x8", "reversi.gdl", hand::reversi::play),
];

/// CPU seconds for each side of a contest.
const SECONDS: f64 = 3.0;

struct Speed {
    transitions_per_second: f64,
    mean_length: f64,
}

/// What is measured, each by its name on the command line.
const SECTIONS: [(&str, fn()); 6] = [
    ("playouts", print_playouts),
    ("paths", trees::print_walks),
    ("states", trees::print_levels),
    ("solving", solving::print_solving),
    ("searching", searching::print_searching),
    ("families", growth::print_growth),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let names = SECTIONS.map(|(name, _)| name);
    if let Some(other) = wanted.iter().find(|w| !names.contains(&w.as_str())) {
        eprintln!("{other} is none of {}", names.join(", "));
        std::process::exit(2);
    }
    for (name, print) in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            print();
        }
    }
}

fn print_playouts() {
    println!(
        "{:18} {:>12} {:>12} {:>6}   mean length",
        "M transitions/s", "sliced", "by hand", "ratio"
    );
    for (name, file, play) in CONTESTS {
        let (ours, theirs) = (sliced(file), by_hand(play));
        println!(
            "{name:18} {:12.1} {:12.1} {:6.2}   {:.2} {:.2}",
            ours.transitions_per_second / 1e6,
            theirs.transitions_per_second / 1e6,
            ours.transitions_per_second / theirs.transitions_per_second,
            ours.mean_length,
            theirs.mean_length,
        );
    }
}

fn sliced(file: &str) -> Speed {
    let path = format!("{}/../../games/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the game is bundled");
    let source = Source::new(path, text);
    let Ok((rules, _)) = Rules::read(&source, None) else { panic!("{file} has mistakes") };
    let budget = Budget::unlimited();
    let ground = Ground::new(&rules, &budget).expect("it can be grounded");
    let net = Net::new(&ground, &budget).expect("no limits");
    let mut sliced = Sliced::new(&net, Backend::best(), &budget).expect("no limit");
    let start = ThreadTime::now();
    let mut more = |_: &_| start.elapsed().as_secs_f64() < SECONDS;
    let totals = sliced.run_while(1, u64::MAX, &mut more, &budget).expect("no limits");
    Speed {
        transitions_per_second: totals.transitions as f64 / start.elapsed().as_secs_f64(),
        mean_length: totals.transitions as f64 / totals.playouts as f64,
    }
}

fn by_hand(play: fn(u64, u64) -> hand::Count) -> Speed {
    let start = ThreadTime::now();
    let (mut transitions, mut playouts, mut seed) = (0, 0, 0);
    while start.elapsed().as_secs_f64() < SECONDS {
        let count = play(20_000, seed);
        (transitions, playouts) = (transitions + count.transitions, playouts + count.playouts);
        seed += 1;
    }
    Speed {
        transitions_per_second: transitions as f64 / start.elapsed().as_secs_f64(),
        mean_length: transitions as f64 / playouts as f64,
    }
}
