//! Iterations of the tree search a CPU second, from the first state of a game: `iterations GAME.kif ITERATIONS WAY
//! [THREADS]`, ways such as `playouts` or `decisive`. With several threads seconds of the clock are told as well.

use cpu_time::ProcessTime;
use ludex::budget::Budget;
use ludex::knowledge::Knowledge;
use ludex::machine::Scalar;
use ludex::rules::Rules;
use ludex::search::{Insights, LeafWay, Options, searcher};
use ludex::source::Source;
use std::process::exit;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, iterations, way, threads @ ..] = &args[..] else { misuse() };
    let Ok(iterations) = iterations.parse::<u64>() else { misuse() };
    let threads = threads.first().map_or(Some(1), |t| t.parse().ok()).unwrap_or_else(|| misuse());
    let way = LeafWay::ALL.into_iter().find(|known| known.to_string() == *way);
    let options =
        Options { way: Some(way.unwrap_or_else(|| misuse())), threads, ..Options::default() };
    let (game, insights) = load(file);
    let mut search = searcher(&game, 0, &options, insights);
    let (cpu, clock) = (ProcessTime::now(), Instant::now());
    search.think(iterations, &Budget::unlimited()).expect("no limits");
    let (cpu, clock) = (cpu.elapsed().as_secs_f64(), clock.elapsed().as_secs_f64());
    let visits = search.visits() as f64;
    println!(
        "{file}: {visits} iterations, {} nodes, {:.0} a CPU second, {:.0} a second of the clock",
        search.nodes(),
        visits / cpu,
        visits / clock
    );
}

fn misuse() -> ! {
    eprintln!("usage: iterations GAME.kif ITERATIONS WAY [THREADS]");
    exit(2)
}

fn load(file: &str) -> (Scalar, Arc<Insights>) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| {
        eprintln!("{file}: {error}");
        exit(1)
    });
    let Ok((rules, _)) = Rules::read(&Source::new(file, text), None) else {
        eprintln!("{file} has mistakes");
        exit(1)
    };
    let (knowledge, budget) = (Knowledge::of_rules(rules), Budget::unlimited());
    let insights = Arc::new(Insights::default());
    insights.gather(&knowledge, &budget).expect("no limits");
    let game = knowledge.scalar(&budget).expect("it can be grounded");
    (Scalar::clone(&game), insights)
}
