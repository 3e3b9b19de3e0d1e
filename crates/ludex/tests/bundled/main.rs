//! The games of `games/`: counts known from elsewhere, counts by small programs of another make, random matches.

mod boards;
mod chess;
mod matches;
mod puzzles;
mod qbf;

use ludex::budget::Budget;
use ludex::compile::{Engine, Job, Means, compile};
use ludex::interp::Interp;
use ludex::knowledge::Knowledge;
use ludex::reason::{StateMachine, perft};
use ludex::rules::Rules;
use ludex::source::Source;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of bundled games, in order of their names.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let is_game = |p: &PathBuf| p.extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut files: Vec<PathBuf> = entries.filter(is_game).collect();
    files.sort();
    files
}

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn engine(name: &str, text: &str) -> Interp {
    let source = Source::new(name, text);
    let rules = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0;
    Interp::new(&rules).unwrap_or_else(|p| panic!("{name}: {p}"))
}

/// Paths and terminal paths by depth, as the reasoner and the machine count them.
fn count(text: &str, depth: usize) -> Counts {
    let counts = count_on(Engine::Interp, text, depth);
    assert_eq!(counts, count_on(Engine::Scalar, text, depth));
    counts
}

fn count_on(engine: Engine, text: &str, depth: usize) -> Counts {
    let source = Source::new("a game", text);
    let rules = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0;
    let budget = Budget::unlimited();
    let mut game =
        compile(Arc::new(Knowledge::of_rules(rules)), Some(engine), Means::all(&budget)).unwrap();
    game.run(Count { depth }).unwrap()
}

struct Count {
    depth: usize,
}

impl Job for Count {
    type Answer = Counts;

    fn run<G: StateMachine>(self, game: &mut G) -> Counts {
        let counted = perft(game, self.depth, false, &Budget::unlimited());
        assert_eq!((counted.stuck, counted.cut), (0, None));
        Counts { paths: counted.paths, terminals: counted.terminals }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    paths: Vec<u64>,
    terminals: Vec<u64>,
}

/// The same for a game given as a function to the successors of a state; a terminal state has none.
fn count_by<S: Eq + Hash>(start: S, depth: usize, next: impl Fn(&S) -> Vec<S>) -> Counts {
    let mut level = FxHashMap::from_iter([(start, 1)]);
    let mut counts = Counts { paths: vec![], terminals: vec![] };
    for _ in 0..=depth {
        counts.paths.push(level.values().sum());
        let mut terminals = 0;
        let mut below = FxHashMap::default();
        for (state, paths) in &level {
            let successors = next(state);
            terminals += if successors.is_empty() { *paths } else { 0 };
            successors.into_iter().for_each(|s| *below.entry(s).or_insert(0) += paths);
        }
        counts.terminals.push(terminals);
        level = below;
    }
    counts
}

fn assert_paths(file: &str, paths: &[u64]) {
    assert_eq!(count(&text(file), paths.len() - 1).paths, paths, "{file}");
}
