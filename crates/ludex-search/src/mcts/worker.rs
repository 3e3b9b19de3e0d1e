//! `Worker`: one thread of a search, with engines of its own; it grows the tree that all share.

use super::SharedTree;
use super::bounds;
use super::descent::{Bottom, Path, back_up, link, refresh, withdraw};
use super::expansion::LeafExpansion;
use super::node::TreeNode;
use super::outlook::{Outlook, Outlooks};
use super::playouts::Playouts;
use super::tree::{Handle, Tree};
use crate::{LeafWay, Searchable};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_machine::sliced::{Sample, Sliced};
use ludex_reason::{Move, Random};
use ludex_symmetry::ElementId;
use std::hash::Hash;
use std::sync::atomic::Ordering::Relaxed;

pub struct Worker<G: Searchable> {
    pub game: G,
    random: Random,
    playouts: Playouts,
    sliced: Option<Sliced>,
    outlooks: Option<Outlooks>,
    /// What these were made for.
    way: LeafWay,
    /// Ways down that end before states which are not in the tree.
    open: Vec<Path>,
    expansion: LeafExpansion<G::State>,
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

/// What a leaf is worth to each role, and what moves came to that playouts from it made.
type LeafWorth = (Vec<f32>, Vec<(f32, f32)>);

/// Cells of a circuit that cost about as much as the tree's share in an iteration.
const CELLS_A_LEAF: usize = 500;
/// Leaves for one pass, at least: many that are looked at a little tell more than few that are looked at long.
const FEWEST_LEAVES: usize = 32;
/// Playouts are given up after about this many steps.
const LONGEST: u64 = 5_000;
/// Room for a way down at first.
const PATH: usize = 32;

impl<G: Searchable> Worker<G> {
    pub fn new(game: G, seed: u64) -> Worker<G> {
        Worker {
            game,
            random: Random::new(seed),
            playouts: Playouts::default(),
            sliced: None,
            outlooks: None,
            way: LeafWay::Playouts,
            open: Vec::new(),
            expansion: LeafExpansion::new(None),
            waiting: Vec::new(),
            leaves: 1,
        }
    }

    /// Makes iterations as long as there are any left.
    pub fn work(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        self.game.limit(budget);
        let result = self.iterations(shared, budget);
        let mut tree = shared.tree();
        let waiting = self.waiting.iter_mut().flat_map(|w| w.drain(..)).map(|leaf| leaf.path);
        for path in self.open.drain(..).chain(waiting) {
            withdraw(&mut tree, &path, &shared.selection);
        }
        drop(tree);
        self.game.limit(&shared.insights.memory.whole);
        self.game.is_sound();
        result
    }

    fn iterations(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        self.prepare(shared);
        loop {
            self.find_ways(shared, budget)?;
            if self.open.is_empty() {
                break;
            }
            self.expand(shared, budget)?;
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
            (self.expansion, self.leaves) = (LeafExpansion::new(None), 1);
            if let Some(sliced) = &mut self.sliced {
                sliced.bound = LONGEST;
                self.waiting = (0..sliced.period()).map(|_| Vec::new()).collect();
                let wished = shared.options.leaves.unwrap_or_else(|| leaves(sliced));
                self.leaves = wished.next_power_of_two().min(sliced.leaves());
            }
        }
        let batch = shared.insights.batch.get();
        if self.sliced.is_some() && !self.expansion.has_circuits() {
            self.expansion = LeafExpansion::new(batch.cloned());
        }
        let evaluation = shared.evaluation.clone().zip(batch);
        self.outlooks = evaluation.map(|(evaluation, batch)| match self.outlooks.take() {
            Some(outlooks) => outlooks.with(evaluation),
            None => Outlooks::new(batch.clone(), evaluation, self.random.bits()),
        });
    }

    /// Goes down until as many ways are open as a pass is made for.
    fn find_ways(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        let mut tree = shared.tree();
        // Nodes may have gone since a way to them was found.
        self.open.retain(|path| {
            let there = path.last().is_some_and(|(at, _)| tree.get(*at).is_some());
            if !there {
                withdraw(&mut tree, path, &shared.selection);
            }
            there
        });
        while self.open.len() < self.leaves && shared.begin(&tree) {
            budget.check()?;
            self.go_down(&mut tree, Path::with_capacity(PATH), shared.root, shared);
        }
        let period = self.waiting.len().max(1);
        self.open.sort_by_key(|path| path.len() % period);
        self.expansion.clear();
        for path in &self.open {
            let (at, joint) = path.last().expect("the root is in the tree");
            let node = tree.get(*at).expect("nothing went since");
            let moves = node.arms_of(*joint).map(|arm| node.arms[arm].mv);
            self.expansion.push::<G>(&node.state, moves);
        }
        Ok(())
    }

    /// Goes on from a node, and backs up what is known at the end of the way.
    fn go_down(
        &mut self,
        tree: &mut Tree<G::State>,
        mut path: Path,
        at: Handle,
        shared: &SharedTree<G::State>,
    ) {
        let ends = (shared.root, at);
        match shared.selection.descend(tree, ends, &mut path, &mut self.random) {
            Bottom::Known(mut values) => {
                back_up(tree, &path, &mut values, &mut Vec::new(), shared);
            }
            Bottom::Open => self.open.push(path),
        }
    }

    /// Finds out where open ways lead: on through the tree, or to leaves.
    fn expand(&mut self, shared: &SharedTree<G::State>, budget: &Budget) -> Result<(), Stop> {
        self.expansion.run();
        let next = |number| self.expansion.state(number, &mut self.game);
        let states: Vec<G::State> = (0..self.open.len()).map(next).collect();
        self.check(budget)?;
        let images = states.into_iter().map(|state| shared.representative::<G>(state));
        let images: Vec<(ElementId, G::State)> = images.collect();
        let mut new = Vec::new();
        let mut tree = shared.tree();
        let open = std::mem::take(&mut self.open).into_iter().zip(images).enumerate();
        for (number, (path, (turn, state))) in open {
            match tree.find(&state) {
                Some(found) => {
                    shared.merging.merged.fetch_add((turn != ElementId::NONE) as u64, Relaxed);
                    link(&mut tree, &path, (found, turn), &shared.selection);
                    self.go_down(&mut tree, path, found, shared);
                }
                None => new.push((number, path, turn, state)),
            }
        }
        drop(tree);
        let leaves = new.into_iter().map(|(number, path, turn, state)| {
            let node = self.expansion.node(number, (turn, state), &mut self.game, shared);
            Leaf { path, node, turn, outlook: Outlook::default() }
        });
        let leaves: Vec<Leaf<G::State>> = leaves.collect();
        self.take_leaves(leaves, shared, budget)
    }

    /// Lets leaves wait for a pass, or finds out at once what they are worth.
    fn take_leaves(
        &mut self,
        leaves: Vec<Leaf<G::State>>,
        shared: &SharedTree<G::State>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let (mut sound, mut done) = (self.check(budget), Vec::new());
        for leaf in leaves {
            let phase = || self.sliced.as_ref()?.phase(G::bits(&leaf.node.state)?);
            if sound.is_err() {
                self.open.push(leaf.path);
            } else if leaf.node.proven {
                let values = leaf.node.values();
                done.push((leaf, (values, Vec::new())));
            } else if let Some(phase) = phase() {
                self.waiting[phase].push(leaf);
            } else {
                match self.play(&leaf, budget) {
                    Ok(values) => done.push((leaf, (values, Vec::new()))),
                    Err(stop) => {
                        self.open.push(leaf.path);
                        sound = Err(stop);
                    }
                }
            }
        }
        add(done, shared);
        sound?;
        for phase in 0..self.waiting.len() {
            while self.waiting[phase].len() >= self.leaves {
                self.sample(phase, shared, budget)?;
            }
        }
        Ok(())
    }

    /// Answers after a stop are incomplete.
    fn check(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.check()?;
        if self.game.is_sound() { Ok(()) } else { Err(Stop::Interrupted) }
    }

    /// One playout on the engine of the tree.
    fn play(&mut self, leaf: &Leaf<G::State>, budget: &Budget) -> Result<Vec<f32>, Stop> {
        let state = leaf.node.state.clone();
        let values = self.playouts.play(&mut self.game, state, &mut self.random, budget)?;
        self.check(budget).map(|()| values)
    }

    /// Evaluates leaves that wait in a phase, as many as a pass is made for, or plays from them in one pass of the
    /// sliced machine.
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
        let count = waiting.len().min(self.leaves);
        let mut states: Vec<&State> = waiting[..count]
            .iter()
            .map(|l| G::bits(&l.node.state).expect("they have bits"))
            .collect();
        states.resize(count.next_power_of_two(), states[0]);
        let samples = sliced.sample(self.random.bits(), phase, &states, budget)?;
        shared.repeats.count(sliced.repeats());
        let leaves = waiting.drain(..count).zip(samples);
        let done = leaves.map(|(leaf, sample)| take_in(leaf, sample, shared)).collect();
        add(done, shared);
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
        let done = leaves.into_iter().zip(found).map(|(mut leaf, outlook)| {
            for arm in leaf.node.arms.iter_mut().filter(|arm| !arm.minimax.is_nan()) {
                (arm.prior, arm.weight) = (arm.minimax, shared.options.prior);
            }
            let values = outlook.values.clone();
            (Leaf { outlook, ..leaf }, (values, Vec::new()))
        });
        add(done.collect(), shared);
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
    (size.cells / size.phases.max(1) / CELLS_A_LEAF).clamp(FEWEST_LEAVES, 64)
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
    let legal = legal.iter().map(Vec::as_slice);
    TreeNode::open(state, legal, &shared.widest, shared.selection.chance)
}

/// Gives a leaf what playouts came to, and its moves what those came to that began with them.
fn take_in<S>(mut leaf: Leaf<S>, sample: Sample, shared: &SharedTree<S>) -> (Leaf<S>, LeafWorth) {
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
    (leaf, (values, made))
}

/// Puts leaves into the tree and backs their values up.
fn add<S: Eq + Hash>(leaves: Vec<(Leaf<S>, LeafWorth)>, shared: &SharedTree<S>) {
    if leaves.is_empty() {
        return;
    }
    let mut tree = shared.tree();
    for (Leaf { path, mut node, turn, outlook }, (mut values, mut made)) in leaves {
        if !made.is_empty() {
            node.count_made(&made);
        }
        // Another thread may have been faster.
        let handle = match tree.find(&node.state) {
            Some(found) => found,
            None => insert(&mut tree, node, outlook, &mut values, shared),
        };
        link(&mut tree, &path, (handle, turn), &shared.selection);
        back_up(&mut tree, &path, &mut values, &mut made, shared);
    }
}

/// Puts a new node with the ends among its children into the tree.
fn insert<S: Eq + Hash>(
    tree: &mut Tree<S>,
    node: TreeNode<S>,
    outlook: Outlook<S>,
    values: &mut [f32],
    shared: &SharedTree<S>,
) -> Handle {
    if shared.insights.memory.growth.check().is_err() {
        tree.stop_growing();
    }
    let handle = tree.insert(node, shared.root);
    settle(tree, handle, outlook, shared);
    if let Some(node) = tree.get_mut(handle) {
        for (value, share) in values.iter_mut().zip(&node.shares) {
            *value = share.bounds.clamp(*value);
        }
        node.count(values);
        node.rate_all(&shared.selection);
    }
    handle
}

/// Puts the ends among the children of a new node into the tree.
fn settle<S: Eq + Hash>(
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
        link(tree, &[(at, rank as u64)], (end, ElementId::NONE), &shared.selection);
        refresh(tree, at, rank as u64);
    }
    bounds::update(tree, at, &shared.widest);
}

impl<S: Eq + Hash> SharedTree<S> {
    /// Begins an iteration, where one is left and anything is left to find out at the root.
    fn begin(&self, tree: &Tree<S>) -> bool {
        tree.get(self.root).is_some_and(|root| !root.proven)
            && self.left.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok()
    }
}
