//! `AnswerGrounds`: what a move rests on, for a log.

use ludex_search::LeafWay;
use std::fmt;

/// What a move rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerGrounds {
    /// There was no other legal move.
    pub only: bool,
    /// The visits of the move in matches before, where it was chosen there.
    pub remembered: Option<u64>,
    /// The line that the solver found: its length, and the goal where it is certain.
    pub solved: Option<(usize, Option<i32>)>,
    /// What the tree search knows of it.
    pub search: Option<SearchGrounds>,
}

/// What the tree search knows of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchGrounds {
    /// The goal that it expects.
    pub value: f64,
    /// The goal is not only expected.
    pub proved: bool,
    /// How often the search has tried the move.
    pub visits: u64,
    /// The moves of the line that it expects.
    pub depth: usize,
    /// What tells it the worth of new states.
    pub way: LeafWay,
    /// The positions that the evaluation was learned from, where one is used.
    pub learned_from: Option<u64>,
    /// The factors that were searched apart; 0: the game was searched as a whole.
    pub factors: usize,
}

/// In a line.
impl fmt::Display for AnswerGrounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let remembered = self.remembered.map(|visits| format!("remembered, {visits} visits"));
        let solved = self.solved.map(|(moves, goal)| {
            let goal = goal.map_or(String::new(), |goal| format!(" goal {goal},"));
            format!("solved,{goal} a line of {moves} moves")
        });
        let search = self.search.as_ref().map(SearchGrounds::to_string);
        let all: Vec<String> = [remembered, solved, search].into_iter().flatten().collect();
        match (all.is_empty(), self.only) {
            (true, true) => f.write_str("the only move"),
            (true, false) => f.write_str("any move"),
            (false, _) => f.write_str(&all.join("; ")),
        }
    }
}

impl fmt::Display for SearchGrounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let SearchGrounds { value, visits, depth, factors, .. } = self;
        let proved = if self.proved { ", proved" } else { "" };
        write!(f, "goal {value:.1}{proved}, {visits} visits, {depth} moves ahead, ")?;
        if *factors > 0 {
            return write!(f, "{factors} factors apart");
        }
        match (self.way, self.learned_from) {
            (LeafWay::Evaluation, Some(positions)) => {
                write!(f, "an evaluation learned from {positions} positions")
            }
            (LeafWay::Decisive, _) => f.write_str("playouts that make wins and prevent them"),
            (LeafWay::Single, _) => f.write_str("single playouts"),
            _ => f.write_str("playouts"),
        }
    }
}
