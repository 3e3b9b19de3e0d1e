//! `Uct`: plain UCT, one random playout for each new node; the yardstick for better searches.
//!
//! Every role chooses by its own statistics (decoupled UCT), so simultaneous moves need nothing
//! special. No transpositions, no proofs, no guidance.

use super::arms::{Arm, favourite, ucb1};
use super::{Candidate, Choice, Options, Searchable, Searcher};
use ludex_gdl::budget::{Budget, Memory, Stop};
use ludex_reason::{Move, Random, Role, chance};
use rustc_hash::FxHashMap;

/// Weight of the exploration term, in goal points.
const EXPLORATION: f64 = 100.0;
/// Longer playouts count as worth nothing to anybody.
const LONGEST: usize = 10_000;

pub struct Uct<G: Searchable> {
    game: G,
    role: Role,
    chance: Option<Role>,
    nodes: Vec<UctNode<G::State>>,
    root: usize,
    limit: usize,
    memory: Memory,
    random: Random,
}

struct UctNode<S> {
    state: S,
    /// The goals of a state where nobody can move any more.
    end: Option<Vec<f64>>,
    /// The moves of every role.
    arms: Vec<Vec<Arm>>,
    children: FxHashMap<Vec<usize>, usize>,
}

impl<G: Searchable> Uct<G> {
    pub fn new(mut game: G, role: Role, options: &Options) -> Uct<G> {
        let state = game.initial();
        let chance = chance(&game);
        let random = Random::new(options.seed);
        let limit = options.nodes.max(1);
        let memory = Memory::unlimited(&Budget::unlimited());
        let mut uct = Uct { game, role, chance, nodes: Vec::new(), root: 0, limit, memory, random };
        let node = uct.node(state);
        uct.nodes.push(node);
        uct
    }

    /// Its tree grows as long as this does.
    pub fn within(self, memory: &Memory) -> Uct<G> {
        Uct { memory: memory.clone(), ..self }
    }

    fn node(&mut self, state: G::State) -> UctNode<G::State> {
        let roles = 0..self.game.roles();
        let arms: Vec<Vec<Arm>> = roles.map(|r| self.arms(&state, r)).collect();
        let over = self.game.terminal(&state) || arms.iter().any(Vec::is_empty);
        let end = over.then(|| self.goals(&state));
        UctNode { state, end, arms, children: FxHashMap::default() }
    }

    fn arms(&mut self, state: &G::State, role: Role) -> Vec<Arm> {
        let mut legal = Vec::new();
        self.game.legal(state, role, &mut legal);
        legal.into_iter().map(Arm::new).collect()
    }

    fn goals(&mut self, state: &G::State) -> Vec<f64> {
        let roles = 0..self.game.roles();
        roles.map(|r| self.game.goal(state, r).unwrap_or(0) as f64).collect()
    }

    fn iterate(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.check()?;
        let (mut at, mut path) = (self.root, Vec::new());
        let goals = loop {
            if let Some(end) = &self.nodes[at].end {
                break end.clone();
            }
            let ranks = self.select(at);
            path.push((at, ranks.clone()));
            match self.nodes[at].children.get(&ranks) {
                Some(child) => at = *child,
                None => break self.expand(at, ranks, budget)?,
            }
        };
        for (node, ranks) in path {
            for (role, rank) in ranks.into_iter().enumerate() {
                let arm = &mut self.nodes[node].arms[role][rank];
                arm.visits += 1;
                arm.sum += goals[role];
            }
        }
        Ok(())
    }

    fn select(&mut self, at: usize) -> Vec<usize> {
        let (random, chance) = (&mut self.random, self.chance);
        let arms = self.nodes[at].arms.iter().enumerate();
        arms.map(|(role, arms)| match Some(role) == chance {
            true => random.below(arms.len()),
            false => ucb1(arms, EXPLORATION, random),
        })
        .collect()
    }

    /// Adds a child and plays a random match from there.
    fn expand(&mut self, at: usize, ranks: Vec<usize>, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let arms = self.nodes[at].arms.iter().zip(&ranks);
        let joint: Vec<Move> = arms.map(|(arms, rank)| arms[*rank].mv).collect();
        let state = self.game.next(&self.nodes[at].state, &joint);
        let node = self.node(state.clone());
        let goals = self.playout(state, budget)?;
        budget.check()?;
        let room = self.nodes.len() < self.limit && self.memory.growth.check().is_ok();
        if self.game.is_sound() && room {
            let new = self.nodes.len();
            self.nodes[at].children.insert(ranks, new);
            self.nodes.push(node);
        }
        Ok(goals)
    }

    fn playout(&mut self, mut state: G::State, budget: &Budget) -> Result<Vec<f64>, Stop> {
        let (mut legal, mut joint) = (Vec::new(), Vec::new());
        for _ in 0..LONGEST {
            budget.check()?;
            if self.game.terminal(&state) {
                return Ok(self.goals(&state));
            }
            joint.clear();
            for role in 0..self.game.roles() {
                legal.clear();
                self.game.legal(&state, role, &mut legal);
                if legal.is_empty() {
                    return Ok(self.goals(&state));
                }
                joint.push(legal[self.random.below(legal.len())]);
            }
            state = self.game.next(&state, &joint);
        }
        Ok(vec![0.0; self.game.roles()])
    }

    /// The most visited moves from the root on.
    fn line(&self) -> Vec<Vec<Move>> {
        let (mut line, mut at) = (Vec::new(), Some(self.root));
        while let Some(node) = at.map(|at| &self.nodes[at]).filter(|n| n.end.is_none()) {
            let best = |arms: &Vec<Arm>| favourite(arms).filter(|i| arms[*i].visits > 0);
            let Some(ranks) = node.arms.iter().map(best).collect::<Option<Vec<usize>>>() else {
                break;
            };
            line.push(node.arms.iter().zip(&ranks).map(|(arms, rank)| arms[*rank].mv).collect());
            at = node.children.get(&ranks).copied();
        }
        line
    }

    /// Drops all nodes that cannot be reached from the root.
    fn compact(&mut self) {
        let mut old: Vec<Option<UctNode<G::State>>> = self.nodes.drain(..).map(Some).collect();
        self.nodes.push(old[self.root].take().expect("the root"));
        let mut at = 0;
        while at < self.nodes.len() {
            let mut children = std::mem::take(&mut self.nodes[at].children);
            for child in children.values_mut() {
                let node = old[*child].take().expect("a tree has one way to each node");
                *child = self.nodes.len();
                self.nodes.push(node);
            }
            self.nodes[at].children = children;
            at += 1;
        }
        self.root = 0;
    }
}

impl<G: Searchable> Searcher for Uct<G> {
    fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop> {
        self.game.limit(budget);
        let mut result = Ok(());
        if self.nodes[self.root].end.is_none() {
            result = (0..iterations).try_for_each(|_| self.iterate(budget));
        }
        self.game.limit(&self.memory.whole);
        self.game.is_sound();
        result
    }

    fn choice(&mut self) -> Option<Choice> {
        let node = &self.nodes[self.root];
        let arms = &node.arms[self.role];
        let best = favourite(arms).filter(|_| node.end.is_none())?;
        let mut moves: Vec<Candidate> = arms.iter().map(Arm::candidate).collect();
        moves.sort_by_key(|c| std::cmp::Reverse(c.visits));
        let Candidate { mv, value, proven, visits } = arms[best].candidate();
        Some(Choice { mv, value, proven, visits, line: self.line(), moves, factors: 0 })
    }

    fn advance(&mut self, joint: &[Move]) {
        let node = &self.nodes[self.root];
        let rank = |(arms, m): (&Vec<Arm>, &Move)| arms.iter().position(|a| a.mv == *m);
        let ranks: Option<Vec<usize>> = node.arms.iter().zip(joint).map(rank).collect();
        match ranks.and_then(|ranks| node.children.get(&ranks)) {
            Some(child) => self.root = *child,
            None => {
                let state = self.game.next(&self.nodes[self.root].state, joint);
                let node = self.node(state);
                self.nodes = vec![node];
                self.root = 0;
            }
        }
        self.compact();
    }

    fn visits(&self) -> u64 {
        self.nodes[self.root].arms[self.role].iter().map(|a| a.visits as u64).sum()
    }

    fn nodes(&self) -> usize {
        self.nodes.len()
    }
}

impl Arm {
    fn candidate(&self) -> Candidate {
        Candidate { mv: self.mv, value: self.mean(), proven: false, visits: self.visits as u64 }
    }
}
