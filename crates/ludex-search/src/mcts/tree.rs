//! `Tree`: the nodes of a search, found by state, one that was not used for long making room for a new one.
//!
//! Nodes are known by handles. A place that is used again gets a new generation, so a handle to the
//! node that was there is seen to be stale, and nobody has to look for what points at a node that goes.
//! Every node tells when it was last used; those above it were not used before (Powley, Cowling and
//! Whitehouse: memory bounded MCTS). Of a few places one after the other, the one that was not used for
//! longest goes: that costs nothing on the ways down and up.

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
    limit: usize,
    /// How often nodes were used.
    now: u64,
    /// Where the next node that goes is looked for.
    hand: usize,
}

/// Two cache lines, the first of which is all that a way down needs.
#[repr(align(64))]
struct TreeSlot<S> {
    generation: u32,
    node: TreeNode<S>,
    hash: u64,
    used: u64,
}

/// No tree has room for fewer nodes.
const FEWEST: usize = 16;
/// Of so many nodes one goes.
const LOOKED_AT: usize = 8;

impl<S: Eq + Hash> Tree<S> {
    pub fn new(limit: usize) -> Tree<S> {
        let limit = limit.clamp(FEWEST, u32::MAX as usize - 1);
        // Room for all at once, which is not touched before it is used: a table that grows holds up
        // the search for longer than a clock may allow. Where there is no room for so many, for half as many.
        let (mut places, mut table) = (Vec::new(), HashTable::new());
        let room = std::iter::successors(Some(limit), |n| (*n > FEWEST).then_some(n / 2))
            .find(|n| places.try_reserve_exact(*n).is_ok() && table.try_reserve(*n, |_| 0).is_ok());
        Tree { places, table, limit: room.unwrap_or(FEWEST), now: 0, hand: 0 }
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
        let hash = hash(state);
        let same = |p: &u32| {
            let place = &self.places[*p as usize];
            place.hash == hash && place.node.state == *state
        };
        let place = *self.table.find(hash, same)?;
        Some(Handle { place, generation: self.places[place as usize].generation })
    }

    /// Adds a node whose state is not there yet. `root` stays, whatever its age.
    pub fn insert(&mut self, node: TreeNode<S>, root: Handle) -> Handle {
        let hash = hash(&node.state);
        self.now += 1;
        let place = match self.places.len() < self.limit {
            true => {
                self.places.push(TreeSlot { node, hash, generation: 1, used: self.now });
                self.places.len() as u32 - 1
            }
            false => self.replace(node, hash, root),
        };
        let places = &self.places;
        self.table.insert_unique(hash, place, |p| places[*p as usize].hash);
        Handle { place, generation: self.places[place as usize].generation }
    }

    fn replace(&mut self, node: TreeNode<S>, hash: u64, root: Handle) -> u32 {
        let count = self.places.len();
        let some = (0..LOOKED_AT).map(|ahead| (self.hand + ahead) % count);
        let others = some.filter(|place| *place as u32 != root.place);
        let place = others.min_by_key(|place| self.places[*place].used).expect("one of several");
        self.hand = (self.hand + LOOKED_AT) % count;
        let (place, there) = (place as u32, &mut self.places[place]);
        let entry = self.table.find_entry(there.hash, |p| *p == place);
        entry.unwrap_or_else(|_| panic!("every node is in the table")).remove();
        (there.node, there.hash, there.generation) = (node, hash, there.generation + 1);
        there.used = self.now;
        place
    }

    /// Notes that a node is used.
    pub fn touch(&mut self, handle: Handle) {
        self.now += 1;
        let now = self.now;
        let place = self.places.get_mut(handle.place as usize);
        if let Some(place) = place.filter(|p| p.generation == handle.generation) {
            place.used = now;
        }
    }
}

fn hash<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    hasher.finish()
}
