//! `Tally`: what was compared, by kind of game, and what differed.

use crate::clingo;
use crate::graph::Graph;
use crate::kinds::of_play;
use crate::parts::{ALL, Part, ask};
use crate::rules::{Game, Name};
use crate::shrink::{failure, shrink};
use crate::subject::{Failure, Subject};
use crate::watch::Watch;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Default)]
pub struct Tally {
    pub all: Row,
    kinds: BTreeMap<Name, Row>,
    /// Of games that differ, a smaller one and what differs.
    pub differences: Vec<String>,
    /// Games that clingo was asked about, and places in them.
    pub by_clingo: usize,
    pub places: usize,
    waiting: Vec<(Game, Graph)>,
}

#[derive(Clone, Copy, Default)]
pub struct Row {
    pub games: usize,
    pub states: usize,
    pub steps: usize,
    /// Games whose net has loops.
    pub loops: usize,
    pub differences: usize,
}

/// Games that clingo is asked about in one call.
const TOGETHER: usize = 50;
/// Differences that are made smaller; the others are only told.
const SHRUNK: usize = 20;

impl Tally {
    /// Compares the games that some seeds make in all parts, and the first so many of them with clingo.
    pub fn of(make: fn(u64) -> Game, seeds: std::ops::Range<u64>, by_clingo: usize) -> Tally {
        let mut tally = Tally::default();
        let parts = chosen();
        let watch = Watch::begin();
        for seed in seeds {
            let game = make(seed);
            watch.game(&game);
            let subject = match Subject::new(&game) {
                Ok(subject) => subject,
                Err(failure) => {
                    tally.differ(&game, &ALL[0], failure);
                    continue;
                }
            };
            for part in &parts {
                watch.part(part.name);
                if let Err(failure) = ask(part, &subject) {
                    watch.part("shrinking");
                    tally.differ(&game, part, failure);
                }
            }
            tally.count(&game, &subject);
            if tally.by_clingo + tally.waiting.len() < by_clingo {
                tally.waiting.push((game, subject.graph));
                if tally.waiting.len() == TOGETHER {
                    watch.part("clingo");
                    tally.ask_clingo();
                }
            }
            if tally.all.games.is_multiple_of(1_000) {
                println!("{} games, {} differences", tally.all.games, tally.differences.len());
            }
        }
        tally.ask_clingo();
        tally
    }

    fn count(&mut self, game: &Game, subject: &Subject) {
        let graph = &subject.graph;
        let row = Row {
            games: 1,
            states: graph.states.iter().filter(|n| n.seen.is_some()).count(),
            steps: graph.states.iter().map(|n| n.steps.len()).sum(),
            loops: subject.has_loops() as usize,
            differences: 0,
        };
        let mut kinds = game.kinds.clone();
        kinds.extend(of_play(graph));
        self.all.add(row);
        kinds.into_iter().for_each(|kind| self.kinds.entry(kind).or_default().add(row));
    }

    fn differ(&mut self, game: &Game, part: &Part, found: Failure) {
        println!("{}: {found}", game.title());
        // Rules that are refused shrink to rules that are refused for something else.
        let text = match self.differences.len() < SHRUNK && found.part != "rules" {
            true => {
                let least = shrink(game, &found, part);
                let found = failure(&least, part).unwrap_or(found);
                format!("{}\n{least}{found}\n", game.title())
            }
            false => format!("{}: {found}\n", game.title()),
        };
        println!("{text}");
        self.differences.push(text);
        self.all.differences += 1;
        game.kinds.iter().for_each(|kind| self.kinds.entry(kind).or_default().differences += 1);
    }

    fn ask_clingo(&mut self) {
        let games = std::mem::take(&mut self.waiting);
        if games.is_empty() {
            return;
        }
        self.by_clingo += games.len();
        match clingo::compare(&games) {
            Ok(places) => self.places += places,
            Err((number, why)) => {
                let game = &games[number].0;
                self.differences.push(format!("{}\n{game}{why}\n", game.title()));
            }
        }
    }
}

/// The parts that the environment names, separated by strokes, or all.
fn chosen() -> Vec<Part> {
    let Ok(names) = std::env::var("LUDEX_DIFFERENTIAL_PARTS") else { return ALL.into() };
    let named = |name: &str| *ALL.iter().find(|p| p.name == name).expect("a part of this name");
    names.split('/').map(named).collect()
}

impl Row {
    fn add(&mut self, other: Row) {
        self.games += other.games;
        self.states += other.states;
        self.steps += other.steps;
        self.loops += other.loops;
        self.differences += other.differences;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let line = |f: &mut fmt::Formatter, kind: &str, row: &Row| {
            let Row { games, states, steps, loops, differences } = row;
            writeln!(f, "| {kind} | {games} | {loops} | {states} | {steps} | {differences} |")
        };
        writeln!(f, "| kind | games | with loops in the net | states | steps | differences |")?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        self.kinds.iter().try_for_each(|(kind, row)| line(f, kind, row))?;
        line(f, "all", &self.all)?;
        writeln!(f, "{} games, {} places by clingo", self.by_clingo, self.places)
    }
}
