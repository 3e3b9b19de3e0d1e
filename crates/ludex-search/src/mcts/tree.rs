//! `Tree`: the nodes of a search, found by state, the least recently used one making room for a new one.
//!
//! Nodes are known by handles. A place that is used again gets a new generation, so a handle to the
//! node that was there is seen to be stale, and nobody has to look for what points at a node that goes.
//! Parents are used whenever their children are, and count as used later, so that a node goes before
//! those above it (Powley, Cowling and Whitehouse: memory bounded MCTS).

use super::node::TreeNode;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    place: u32,
    generation: u32,
}

impl Handle {
    pub const NONE: Handle = Handle { place: u32::MAX, generation: 0 };
}

pub struct Tree<S> {
    places: Vec<TreeSlot<S>>,
    table: HashTable<u32>,
    /// A ring through all places: `newer` of this one is the least recently used, it itself the most.
    newest: u32,
    limit: usize,
}

struct TreeSlot<S> {
    node: TreeNode<S>,
    hash: u64,
    generation: u32,
    newer: u32,
    older: u32,
}

/// No tree has room for fewer nodes.
const FEWEST: usize = 16;

impl<S: Eq + Hash> Tree<S> {
    pub fn new(limit: usize) -> Tree<S> {
        let limit = limit.clamp(FEWEST, u32::MAX as usize - 1);
        // Room for all at once, which is not touched before it is used: a table that grows holds up
        // the search for longer than a clock may allow.
        Tree {
            places: Vec::with_capacity(limit),
            table: HashTable::with_capacity(limit),
            newest: 0,
            limit,
        }
    }

    /// From now on a new node takes the place of another one.
    pub fn stop_growing(&mut self) {
        self.limit = self.limit.min(self.places.len()).max(FEWEST);
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn get(&self, handle: Handle) -> Option<&TreeNode<S>> {
        let place = self.places.get(handle.place as usize);
        place.filter(|p| p.generation == handle.generation).map(|p| &p.node)
    }

    pub fn get_mut(&mut self, handle: Handle) -> Option<&mut TreeNode<S>> {
        let place = self.places.get_mut(handle.place as usize);
        place.filter(|p| p.generation == handle.generation).map(|p| &mut p.node)
    }

    pub fn find(&self, state: &S) -> Option<Handle> {
        let same = |p: &u32| self.places[*p as usize].node.state == *state;
        let place = *self.table.find(hash(state), same)?;
        Some(Handle { place, generation: self.places[place as usize].generation })
    }

    /// Adds a node whose state is not there yet. `root` stays, whatever its age.
    pub fn insert(&mut self, node: TreeNode<S>, root: Handle) -> Handle {
        let hash = hash(&node.state);
        let place = match self.places.len() < self.limit {
            true => self.add(node, hash),
            false => self.replace(node, hash, root),
        };
        let places = &self.places;
        self.table.insert_unique(hash, place, |p| places[*p as usize].hash);
        Handle { place, generation: self.places[place as usize].generation }
    }

    fn add(&mut self, node: TreeNode<S>, hash: u64) -> u32 {
        let place = self.places.len() as u32;
        self.places.push(TreeSlot { node, hash, generation: 1, newer: place, older: place });
        if place > 0 {
            self.link(place);
        }
        self.newest = place;
        place
    }

    fn replace(&mut self, node: TreeNode<S>, hash: u64, root: Handle) -> u32 {
        let mut place = self.oldest();
        if place == root.place {
            self.touch(root);
            place = self.oldest();
        }
        let old = self.places[place as usize].hash;
        let entry = self.table.find_entry(old, |p| *p == place);
        entry.unwrap_or_else(|_| panic!("every node is in the table")).remove();
        let there = &mut self.places[place as usize];
        (there.node, there.hash, there.generation) = (node, hash, there.generation + 1);
        self.newest = place;
        place
    }

    fn oldest(&self) -> u32 {
        self.places[self.newest as usize].newer
    }

    /// Makes a node the most recently used one.
    pub fn touch(&mut self, handle: Handle) {
        let place = handle.place;
        if place == self.newest || self.get(handle).is_none() {
            return;
        }
        let TreeSlot { newer, older, .. } = self.places[place as usize];
        self.places[newer as usize].older = older;
        self.places[older as usize].newer = newer;
        self.link(place);
        self.newest = place;
    }

    /// Puts a place between the newest and the oldest.
    fn link(&mut self, place: u32) {
        let (newest, oldest) = (self.newest, self.oldest());
        self.places[newest as usize].newer = place;
        self.places[oldest as usize].older = place;
        let there = &mut self.places[place as usize];
        (there.newer, there.older) = (oldest, newest);
    }
}

fn hash<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
