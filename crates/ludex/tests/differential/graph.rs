//! `Graph`: the states of a game that are reached, with all that is to be seen in them, as text.

use crate::naive::{Facts, Naive};
use rustc_hash::FxHashMap;

/// What the naive evaluator finds out about a game.
pub struct Graph {
    pub roles: Vec<String>,
    pub states: Vec<Node>,
    /// All states that play can reach are there, with all moves.
    pub complete: bool,
}

pub struct Node {
    /// Sorted.
    pub facts: Vec<String>,
    pub terms: Facts,
    /// Reached without going on after an end.
    pub proper: bool,
    /// Moves before it.
    pub depth: usize,
    /// None where the state was reached but not looked at.
    pub seen: Option<Seen>,
    pub steps: Vec<Step>,
    /// All joint moves are among the steps.
    pub all: bool,
}

/// What is asked of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub terminal: bool,
    /// Per role, sorted.
    pub legal: Vec<Vec<String>>,
    pub goals: Vec<Option<i32>>,
}

/// A joint move, as places in the lists of legal moves, and the state after it.
pub struct Step {
    pub joint: Vec<usize>,
    pub to: usize,
}

/// How much of a game is looked at.
#[derive(Clone, Copy)]
pub struct Extent {
    /// States from which moves are made.
    pub states: usize,
    /// Of them those that lie behind an end.
    pub beyond: usize,
    /// Joint moves in a state.
    pub joints: usize,
}

impl Graph {
    pub fn new(naive: &Naive, extent: Extent) -> Graph {
        let roles = naive.roles.iter().map(|r| naive.ground.terms.text(*r)).collect();
        let graph = Graph { roles, states: vec![], complete: true };
        let mut search = Search { naive, extent, graph, numbers: FxHashMap::default() };
        search.add(naive.initial(), true, 0);
        search.expand(true, extent.states);
        search.expand(false, extent.beyond);
        search.graph
    }

    /// States that play can reach, with what is seen there.
    pub fn proper(&self) -> impl Iterator<Item = (&Node, &Seen)> {
        self.states.iter().filter(|n| n.proper).filter_map(|n| Some((n, n.seen.as_ref()?)))
    }

    /// The steps of play.
    pub fn steps(&self) -> impl Iterator<Item = (&Node, &Step, &Node)> {
        let goes_on = |n: &&Node| n.proper && n.seen.as_ref().is_some_and(|s| !s.terminal);
        let nodes = self.states.iter().filter(goes_on);
        nodes.flat_map(move |n| n.steps.iter().map(move |s| (n, s, &self.states[s.to])))
    }

    /// By depth the paths of play, those that are over and the states at their ends, as deep as all are known.
    pub fn counts(&self, deepest: usize) -> Vec<(u64, u64, u64)> {
        let mut level = FxHashMap::from_iter([(0, 1u64)]);
        let mut counts = Vec::new();
        while counts.len() <= deepest {
            let (mut next, mut over) = (FxHashMap::default(), 0);
            for (at, paths) in &level {
                let Some(seen) = &self.states[*at].seen else { return counts };
                if seen.terminal {
                    over += paths;
                    continue;
                }
                if !self.states[*at].all {
                    return counts;
                }
                for step in &self.states[*at].steps {
                    *next.entry(step.to).or_insert(0) += paths;
                }
            }
            counts.push((level.values().sum(), over, level.len() as u64));
            level = next;
        }
        counts
    }
}

struct Search<'a> {
    naive: &'a Naive,
    extent: Extent,
    graph: Graph,
    numbers: FxHashMap<Facts, usize>,
}

impl Search<'_> {
    fn add(&mut self, terms: Facts, proper: bool, depth: usize) -> usize {
        let new = self.graph.states.len();
        let number = *self.numbers.entry(terms.clone()).or_insert(new);
        if number == new {
            let mut facts: Vec<String> =
                terms.iter().map(|t| self.naive.ground.terms.text(*t)).collect();
            facts.sort();
            let (seen, steps, all) = (None, vec![], false);
            self.graph.states.push(Node { facts, terms, proper, depth, seen, steps, all });
        }
        number
    }

    /// Makes moves, breadth first: in states that play reaches, or in all others.
    fn expand(&mut self, proper: bool, most: usize) {
        let mut left = most;
        let mut at = 0;
        while at < self.graph.states.len() {
            let node = &self.graph.states[at];
            let over = node.seen.as_ref().is_some_and(|s| s.terminal);
            let wanted = match proper {
                true => node.proper && node.seen.is_none(),
                false => (over && node.steps.is_empty()) || (!node.proper && node.seen.is_none()),
            };
            if wanted && left == 0 {
                self.graph.complete &= !proper;
                return;
            }
            if wanted {
                left -= 1;
                self.look(at, proper);
            }
            at += 1;
        }
    }

    /// Looks at a state and makes moves in it, not beyond an end unless that is asked for.
    fn look(&mut self, at: usize, proper: bool) {
        let naive = self.naive;
        let values = naive.state(&self.graph.states[at].terms);
        let moves: Vec<Vec<(String, u32)>> = (0..naive.roles.len())
            .map(|role| {
                let legal = naive.legal(&values, role);
                let mut legal: Vec<(String, u32)> =
                    legal.into_iter().map(|m| (naive.ground.terms.text(m), m)).collect();
                legal.sort();
                legal
            })
            .collect();
        let terminal = naive.terminal(&values);
        let seen = Seen {
            terminal,
            legal: moves.iter().map(|l| l.iter().map(|m| m.0.clone()).collect()).collect(),
            goals: (0..naive.roles.len()).map(|role| naive.goal(&values, role)).collect(),
        };
        self.graph.states[at].seen = Some(seen);
        if terminal && proper {
            return;
        }
        let depth = self.graph.states[at].depth + 1;
        let (joints, all) = self.joints(&moves);
        self.graph.states[at].all = all;
        self.graph.complete &= all || !proper;
        for joint in joints {
            let terms: Vec<u32> = joint.iter().zip(&moves).map(|(rank, m)| m[*rank].1).collect();
            let to = self.add(naive.next(&values, &terms), proper, depth);
            self.graph.states[at].steps.push(Step { joint, to });
        }
    }

    /// The joint moves, or some of them, spread evenly, where there are many.
    fn joints(&self, moves: &[Vec<(String, u32)>]) -> (Vec<Vec<usize>>, bool) {
        let all: usize = moves.iter().map(|m| m.len()).product();
        let taken = all.min(self.extent.joints);
        let joint = |number: usize| {
            let mut rest = number;
            let rank = |m: &Vec<(String, u32)>| {
                let rank = rest % m.len();
                rest /= m.len();
                rank
            };
            moves.iter().map(rank).collect()
        };
        ((0..taken).map(|i| joint(i * all / taken)).collect(), taken == all)
    }
}
