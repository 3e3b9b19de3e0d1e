//! `Wiring` -> `Values`: what its nodes are worth, kept up as bases and inputs change.
//!
//! Changes travel level by level, so that each node tells its readers at most once. Nobody can foresee
//! which readers a change turns, so no branch depends on it: every reader is written behind the list of
//! those that turned, and the list grows by one or not at all.

use super::wiring::{STEP, Wiring};
use std::ops::Range;

/// What the nodes of a wiring are worth.
#[derive(Clone)]
pub struct Values {
    /// The top bit of a node's counter is its value, the lowest one the value that its readers know,
    /// the next one tells whether it waits in the queue.
    pub counters: Vec<u32>,
    pub outputs: Vec<u64>,
    /// One bit per word of outputs that is not zero.
    pub summary: Vec<u64>,
    /// Nodes that turned, the first `turned` of the list.
    list: Vec<u32>,
    turned: usize,
    /// Nodes that may have something to tell, a range for every level.
    queue: Vec<u32>,
    /// Up to where each level's range is filled.
    filled: Vec<u32>,
    waiting: usize,
}

const TOLD: u32 = 1;
const QUEUED: u32 = 2;
/// The list of turned nodes is emptied when it has no room for another fan, and is at least so long.
const LEAST_LIST: usize = 256;

impl Values {
    pub fn new(wiring: &Wiring) -> Values {
        let outputs = wiring.rest_outputs.clone();
        let mut summary = vec![0; outputs.len().div_ceil(64)];
        for (w, _) in outputs.iter().enumerate().filter(|(_, word)| **word != 0) {
            summary[w / 64] |= 1 << (w % 64);
        }
        Values {
            counters: wiring.rest.iter().map(|c| c | ((c >> 31) * TOLD)).collect(),
            outputs,
            summary,
            list: vec![0; wiring.widest_fan().max(LEAST_LIST) + 1],
            turned: 0,
            queue: vec![0; wiring.rest.len()],
            filled: wiring.levels.clone(),
            waiting: 0,
        }
    }

    pub fn holds(&self, node: usize) -> bool {
        self.counters[node] >> 31 == 1
    }

    /// Changes the value of a base or input.
    pub fn flip(&mut self, wiring: &Wiring, leaf: usize) {
        self.counters[leaf] ^= 1 << 31;
        self.tell(wiring, leaf, |_| true);
    }

    pub fn propagate(&mut self, wiring: &Wiring) {
        for level in 0..wiring.levels.len() {
            self.enqueue(wiring);
            if self.waiting == 0 {
                return;
            }
            let first = wiring.levels[level];
            let end = std::mem::replace(&mut self.filled[level], first);
            for at in first..end {
                let node = self.queue[at as usize] as usize;
                self.counters[node] &= !QUEUED;
                match wiring.component(level, node) {
                    _ if !self.news(node) => {}
                    None => self.tell_all(wiring, node),
                    Some(component) => self.settle(wiring, component),
                }
            }
            self.waiting -= (end - first) as usize;
        }
    }

    /// Whether the readers of a node know another value.
    fn news(&self, node: usize) -> bool {
        (self.counters[node] >> 31 ^ self.counters[node]) & TOLD != 0
    }

    /// Has the turned nodes wait for their level.
    fn enqueue(&mut self, wiring: &Wiring) {
        let (counters, filled) = (&mut self.counters[..], &mut self.filled[..]);
        let (level, queue) = (&wiring.level[..], &mut self.queue[..]);
        for node in &self.list[..self.turned] {
            // SAFETY: the list is of readers in this wiring, of which `Wiring::check` saw that they have a
            // counter and a level, and that the nodes of a level end before those of the next begin; each
            // is in the queue at most once. `new` made counters, queue and levels as long as the wiring's,
            // and `Scalar` keeps both together.
            unsafe {
                let counter = counters.get_unchecked_mut(*node as usize);
                if *counter & QUEUED == 0 {
                    *counter |= QUEUED;
                    let level = *level.get_unchecked(*node as usize) as usize;
                    let end = filled.get_unchecked_mut(level);
                    *queue.get_unchecked_mut(*end as usize) = *node;
                    *end += 1;
                    self.waiting += 1;
                }
            }
        }
        self.turned = 0;
    }

    #[inline]
    fn tell_all(&mut self, wiring: &Wiring, node: usize) {
        self.counters[node] ^= TOLD;
        self.tell(wiring, node, |_| true);
    }

    /// Tells the change of one node to those readers that `reaches` names.
    #[inline]
    fn tell(&mut self, wiring: &Wiring, node: usize, reaches: impl Fn(usize) -> bool) {
        let delta = if self.holds(node) { STEP } else { STEP.wrapping_neg() };
        let (readers, taps) = wiring.fan_of(node);
        if self.turned + readers.len() >= self.list.len() {
            self.enqueue(wiring);
        }
        let (counters, list, mut turned) =
            (&mut self.counters[..], &mut self.list[..], self.turned);
        for edge in readers {
            let reader = (edge >> 1) as usize;
            if reaches(reader) {
                // A negated edge takes away what a plain one adds.
                let sign = (edge & 1).wrapping_neg();
                // SAFETY: `Wiring::check` saw that every edge leads to a node that has a counter, of which
                // `new` made as many. That the list has room for all readers was seen above.
                unsafe {
                    let counter = counters.get_unchecked_mut(reader);
                    let (old, new) =
                        (*counter, counter.wrapping_add((delta ^ sign).wrapping_sub(sign)));
                    *counter = new;
                    *list.get_unchecked_mut(turned) = reader as u32;
                    turned += ((old ^ new) >> 31) as usize;
                }
            }
        }
        self.turned = turned;
        let (outputs, summary) = (&mut self.outputs[..], &mut self.summary[..]);
        for tap in taps {
            let w = *tap as usize / 64;
            // SAFETY: `Wiring::check` saw that every tap is a bit of the outputs, and `new` made a bit of
            // the summary for each of their words.
            let (word, some) =
                unsafe { (outputs.get_unchecked_mut(w), summary.get_unchecked_mut(w / 64)) };
            *word ^= 1 << (tap % 64);
            *some = *some & !(1 << (w % 64)) | ((*word != 0) as u64) << (w % 64);
        }
    }

    /// Brings a recursive component to its least fixpoint.
    #[inline(never)]
    fn settle(&mut self, wiring: &Wiring, component: &Range<usize>) {
        self.enqueue(wiring);
        let mut open: Vec<usize> = component.clone().filter(|n| self.news(*n)).collect();
        if !open.iter().all(|n| self.holds(*n)) {
            return self.refound(wiring, component);
        }
        // What only grows needs no new beginning.
        while let Some(node) = open.pop() {
            self.tell_all(wiring, node);
            let mut outside = 0;
            for i in 0..self.turned {
                let node = self.list[i];
                if component.contains(&(node as usize)) {
                    open.push(node as usize);
                } else {
                    self.list[outside] = node;
                    outside += 1;
                }
            }
            self.turned = outside;
        }
    }

    /// Takes back all support that the component's nodes gave each other, then derives it again
    /// from what lies outside: support in a circle does not come back.
    fn refound(&mut self, wiring: &Wiring, component: &Range<usize>) {
        let inner = |node: usize| {
            wiring.readers(node).iter().map(|e| (e >> 1) as usize).filter(|r| component.contains(r))
        };
        for node in component.clone().filter(|n| self.counters[*n] & TOLD != 0).collect::<Vec<_>>()
        {
            inner(node).for_each(|reader| self.counters[reader] -= STEP);
        }
        let mut open: Vec<usize> = component.clone().filter(|n| self.holds(*n)).collect();
        while let Some(node) = open.pop() {
            for reader in inner(node) {
                let held = self.holds(reader);
                self.counters[reader] += STEP;
                if self.holds(reader) && !held {
                    open.push(reader);
                }
            }
        }
        for node in component.clone() {
            if self.news(node) {
                self.counters[node] ^= TOLD;
                self.tell(wiring, node, |reader| !component.contains(&reader));
            }
        }
    }
}
