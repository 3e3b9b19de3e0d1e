//! `Worker`: one thread of a search, with engines of its own; it grows the tree that all share.

use super::SharedTree;
use super::bounds;
use super::descent::{Bottom, Path, back_up, link, refresh, withdraw};
use super::node::{Bounds, TreeNode};
use super::outlook::{Outlook, Outlooks};
use super::playouts::Playouts;
use super::tree::{Handle, Tree};
use crate::{LeafWay, Searchable};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_machine::sliced::{Sample, Sliced};
use ludex_reason::{Move, Random};
use ludex_symmetry::ElementId;
use std::sync::atomic::Ordering::Relaxed;

pub struct Worker<G: Searchable> {
    pub game: G,
    random: Random,
    playouts: Playouts,
    sliced: Option<Sliced>,
    outlooks: Option<Outlooks>,
    /// What these were made for.
    way: LeafWay,
    /// Leaves that wait, by phase, until a pass of the sliced machine is full.
    waiting: Vec<Vec<Leaf<G::State>>>,
    /// How many make it full.
    leaves: usize,
}

/// A node that is not in the tree yet, and the way there.
struct Leaf<S> {
    path: Path,
    node: TreeNode<S>,
    /// The symmetry that turns the state there into the node's.
    turn: ElementId,
    outlook: Outlook<S>,
}

/// Cells of a circuit that cost about as much as the tree's share in an iteration.
const CELLS_A_LEAF: usize = 500;
/// Playouts are given up after about this many steps.
const LONGEST: u64 = 5_000;

impl<G: Searchable> Worker<G> {
    pub fn new(game: G, seed: u64) -> Worker<G> {
        let (random, playouts) = (Random::new(seed), Playouts::default());
        let (sliced, outlooks, way) = (None, None, LeafWay::Playouts);
        Worker { game, random, playouts, sliced, outlooks, way, waiting: Vec::new(), leaves: 1 }
    }

    /// Makes iterations as long as there are any left.
    pub fn work(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        self.game.limit(budget);
        let result = self.iterations(shared, budget);
        for leaf in self.waiting.iter_mut().flat_map(|w| w.drain(..)) {
            withdraw(&mut shared.tree(), &leaf.path);
        }
        self.game.limit(&shared.insights.memory.whole);
        self.game.is_sound();
        result
    }

    fn iterations(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        self.prepare(shared);
        while shared.is_open()
            && shared.left.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok()
        {
            budget.check()?;
            if let Some(leaf) = self.find_leaf(shared, budget)? {
                self.evaluate(leaf, shared, budget)?;
            }
        }
        for phase in 0..self.waiting.len() {
            self.sample(phase, shared, budget)?;
        }
        Ok(())
    }

    /// Takes up what was found out about the game.
    fn prepare(&mut self, shared: &SharedTree<G::State>) {
        if self.sliced.is_none() || self.way != shared.way {
            self.way = shared.way;
            self.sliced = machine(shared);
            if let Some(sliced) = &mut self.sliced {
                sliced.bound = LONGEST;
                self.waiting = (0..sliced.period()).map(|_| Vec::new()).collect();
                let wished = shared.options.leaves.unwrap_or_else(|| leaves(sliced));
                self.leaves = wished.next_power_of_two().min(sliced.leaves());
            }
        }
        let evaluation = shared.evaluation.clone().zip(shared.insights.batch.get());
        self.outlooks = evaluation.map(|(evaluation, batch)| match self.outlooks.take() {
            Some(outlooks) => outlooks.with(evaluation),
            None => Outlooks::new(batch.clone(), evaluation, self.random.bits()),
        });
    }

    /// Goes down to a state that is new, and backs up what is known on the way.
    fn find_leaf(
        &mut self,
        shared: &SharedTree<G::State>,
        budget: &Budget,
    ) -> Result<Option<Leaf<G::State>>, Stop> {
        let (mut path, mut at) = (Path::new(), shared.root);
        loop {
            let mut tree = shared.tree();
            let bottom =
                shared.selection.descend(&mut tree, (shared.root, at), &mut path, &mut self.random);
            let (above, moves) = match bottom {
                Bottom::Known(mut values) => {
                    back_up(&mut tree, &path, &mut values, &mut Vec::new(), shared);
                    return Ok(None);
                }
                Bottom::Open(above, moves) => (above, moves),
            };
            drop(tree);
            let next = self.game.next(&above, &moves);
            let (turn, state) = shared.representative::<G>(next);
            if let Err(stop) = self.check(budget) {
                withdraw(&mut shared.tree(), &path);
                return Err(stop);
            }
            let mut tree = shared.tree();
            match tree.find(&state) {
                Some(found) => {
                    shared.merging.merged.fetch_add((turn != ElementId::NONE) as u64, Relaxed);
                    link(&mut tree, &path, found, turn);
                    at = found;
                }
                None => {
                    drop(tree);
                    let node = node(&mut self.game, state, shared);
                    let outlook = Outlook::default();
                    return Ok(Some(Leaf { path, node, turn, outlook }));
                }
            }
        }
    }

    /// Answers after a stop are incomplete.
    fn check(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.check()?;
        if self.game.is_sound() { Ok(()) } else { Err(Stop::Interrupted) }
    }

    fn evaluate(
        &mut self,
        leaf: Leaf<G::State>,
        shared: &SharedTree<G::State>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if let Err(stop) = self.check(budget) {
            withdraw(&mut shared.tree(), &leaf.path);
            return Err(stop);
        }
        if leaf.node.is_proven() {
            let values = leaf.node.bounds.iter().map(|b| b.low).collect();
            add(leaf, values, Vec::new(), shared);
            return Ok(());
        }
        let bits = G::bits(&leaf.node.state);
        match bits.zip(self.sliced.as_ref()).and_then(|(bits, sliced)| sliced.phase(bits)) {
            Some(phase) => {
                self.waiting[phase].push(leaf);
                match self.waiting[phase].len() >= self.leaves {
                    true => self.sample(phase, shared, budget),
                    false => Ok(()),
                }
            }
            None => self.play(leaf, shared, budget),
        }
    }

    /// One playout on the engine of the tree.
    fn play(
        &mut self,
        leaf: Leaf<G::State>,
        shared: &SharedTree<G::State>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let state = leaf.node.state.clone();
        let goals = self.playouts.play(&mut self.game, state, &mut self.random, budget);
        let goals = goals.and_then(|goals| self.check(budget).map(|()| goals));
        match goals {
            Ok(values) => add(leaf, values, Vec::new(), shared),
            Err(stop) => {
                withdraw(&mut shared.tree(), &leaf.path);
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Evaluates all leaves that wait in a phase, or plays from them in one pass of the sliced machine.
    fn sample(
        &mut self,
        phase: usize,
        shared: &SharedTree<G::State>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if self.outlooks.is_some() {
            self.look_ahead(phase, shared);
            return Ok(());
        }
        let waiting = &mut self.waiting[phase];
        let Some(sliced) = self.sliced.as_mut().filter(|_| !waiting.is_empty()) else {
            return Ok(());
        };
        let mut states: Vec<&State> =
            waiting.iter().map(|l| G::bits(&l.node.state).expect("they have bits")).collect();
        let count = states.len();
        states.resize(count.next_power_of_two(), states[0]);
        let samples = sliced.sample(self.random.bits(), phase, &states, budget)?;
        shared.repeats.count(sliced.repeats());
        for (leaf, sample) in std::mem::take(waiting).into_iter().zip(samples) {
            take_in(leaf, sample, shared);
        }
        Ok(())
    }

    /// Gives leaves that wait in a phase what the evaluation expects of them and of their moves.
    fn look_ahead(&mut self, phase: usize, shared: &SharedTree<G::State>) {
        let mut leaves = std::mem::take(&mut self.waiting[phase]);
        let Some(outlooks) = self.outlooks.as_mut().filter(|_| !leaves.is_empty()) else { return };
        let most: Vec<f32> = shared.widest.iter().map(|bounds| bounds.high).collect();
        let mut nodes: Vec<&mut TreeNode<G::State>> =
            leaves.iter_mut().map(|leaf| &mut leaf.node).collect();
        let found = outlooks.look::<G>(&mut nodes, phase, &most);
        for (mut leaf, outlook) in leaves.into_iter().zip(found) {
            for arm in leaf.node.arms.iter_mut().filter(|arm| !arm.minimax.is_nan()) {
                (arm.prior, arm.weight) = (arm.minimax, shared.options.prior);
            }
            let values = outlook.values.clone();
            add(Leaf { outlook, ..leaf }, values, Vec::new(), shared);
        }
    }
}

/// The machine that plays from new nodes, or tells the phases of the game; none: the engine of the tree does.
fn machine<S>(shared: &SharedTree<S>) -> Option<Sliced> {
    let insights = &shared.insights;
    let machine = match shared.way {
        _ if shared.options.leaves == Some(0) => None,
        LeafWay::Single => None,
        LeafWay::Decisive => insights.decisive.get().or(insights.sliced.get()),
        LeafWay::Playouts | LeafWay::Evaluation => insights.sliced.get(),
    };
    machine.map(|sliced| Sliced::clone(sliced))
}

/// Leaves for one pass: where a step takes long, a pass is better spent on many of them.
fn leaves(sliced: &Sliced) -> usize {
    let size = sliced.size();
    (size.cells / size.phases.max(1) / CELLS_A_LEAF).clamp(8, 64)
}

/// A new node: who can move, or who got what.
pub fn node<G: Searchable>(
    game: &mut G,
    state: G::State,
    shared: &SharedTree<G::State>,
) -> TreeNode<G::State> {
    let over = game.terminal(&state);
    let mut legal: Vec<Vec<Move>> = vec![Vec::new(); game.roles()];
    for (role, moves) in legal.iter_mut().enumerate().filter(|_| !over) {
        game.legal(&state, role, moves);
    }
    if over || legal.iter().any(Vec::is_empty) {
        let goal = |r| game.goal(&state, r).unwrap_or(0) as f32 / 100.0;
        let goals: Vec<f32> = (0..legal.len()).map(goal).collect();
        return TreeNode::end(state, &goals);
    }
    let bounds: Box<[Bounds]> = shared.widest.clone().into();
    TreeNode::open(state, &legal, bounds, shared.selection.chance)
}

/// Gives a leaf what playouts came to, and its moves what those came to that began with them.
fn take_in<S: Eq + std::hash::Hash>(mut leaf: Leaf<S>, sample: Sample, shared: &SharedTree<S>) {
    let scale = 100.0 * sample.playouts as f32;
    let values: Vec<f32> = sample.goals.iter().map(|g| *g as f32 / scale).collect();
    for (role, first) in sample.first.iter().enumerate() {
        let range = leaf.node.range(role);
        if first.len() != range.len() {
            continue;
        }
        for (arm, (count, sum)) in leaf.node.arms[range].iter_mut().zip(first) {
            // A few playouts of the mean, so that chance does not decide on moves with few of their own.
            let few = 4.0;
            arm.prior = (*sum as f32 / 100.0 + few * values[role]) / (*count as f32 + few);
            arm.weight = shared.options.prior;
        }
    }
    let mut made = if shared.repeats.are_rare() { sample.made } else { Vec::new() };
    made.iter_mut().for_each(|(_, sum)| *sum /= 100.0);
    add(leaf, values, made, shared);
}

/// Puts a leaf into the tree and backs its values up.
fn add<S: Eq + std::hash::Hash>(
    leaf: Leaf<S>,
    mut values: Vec<f32>,
    mut made: Vec<(f32, f32)>,
    shared: &SharedTree<S>,
) {
    let mut tree = shared.tree();
    let Leaf { path, mut node, turn, outlook } = leaf;
    if !made.is_empty() {
        node.count_made(&made);
    }
    // Another thread may have been faster.
    let handle = match tree.find(&node.state) {
        Some(found) => found,
        None => {
            if shared.insights.memory.growth.check().is_err() {
                tree.stop_growing();
            }
            let handle = tree.insert(node, shared.root);
            settle(&mut tree, handle, outlook, shared);
            if let Some(node) = tree.get_mut(handle) {
                for (value, bounds) in values.iter_mut().zip(&node.bounds) {
                    *value = bounds.clamp(*value);
                }
                node.count(&values);
            }
            handle
        }
    };
    link(&mut tree, &path, handle, turn);
    back_up(&mut tree, &path, &mut values, &mut made, shared);
}

/// Puts the ends among the children of a new node into the tree.
fn settle<S: Eq + std::hash::Hash>(
    tree: &mut Tree<S>,
    at: Handle,
    outlook: Outlook<S>,
    shared: &SharedTree<S>,
) {
    if outlook.ends.is_empty() {
        return;
    }
    for (rank, state, goals) in outlook.ends {
        let end = match tree.find(&state) {
            Some(found) => found,
            None => tree.insert(TreeNode::end(state, &goals), shared.root),
        };
        let path = vec![(at, rank as u64)];
        link(tree, &path, end, ElementId::NONE);
        refresh(tree, at, rank as u64);
    }
    bounds::update(tree, at, &shared.widest);
}

impl<S> SharedTree<S> {
    /// Whether anything is left to find out at the root.
    fn is_open(&self) -> bool
    where
        S: Eq + std::hash::Hash,
    {
        let tree = self.tree();
        tree.get(self.root).is_some_and(|root| !root.is_proven())
    }
}
