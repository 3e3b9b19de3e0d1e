//! Pairs of literals that many conjunctions share are made once, the most frequent first.

use super::Lit;
use super::logic::{Logic, Node};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// The most pairs to be counted: beyond it, wide conjunctions are left alone.
const MOST_PAIRS: usize = 3_000_000;

/// Conjunctions as lists that only pairs are taken out of; nodes made here come after the others.
pub struct Pairs {
    /// Per node, its literals, sorted; empty for leaves and nodes out of use.
    pub lits: Vec<Vec<Lit>>,
    counts: FxHashMap<(Lit, Lit), u32>,
    uses: FxHashMap<Lit, Vec<u32>>,
    queue: BinaryHeap<(u32, std::cmp::Reverse<(Lit, Lit)>)>,
    widest: usize,
}

impl Pairs {
    /// The conjunctions that the outputs need, with those used once put into their reader.
    pub fn new(logic: &Logic, outputs: &[Lit]) -> Pairs {
        let lits = inline(logic, outputs);
        let pairs = |limit: usize| -> usize {
            let sizes = lits.iter().map(Vec::len).filter(|n| *n <= limit);
            sizes.map(|n| n * n.saturating_sub(1) / 2).sum()
        };
        let widest = [128, 64, 32, 16, 8, 4, 2].into_iter().find(|w| pairs(*w) <= MOST_PAIRS);
        Pairs {
            lits,
            counts: FxHashMap::default(),
            uses: FxHashMap::default(),
            queue: BinaryHeap::new(),
            widest: widest.unwrap_or(0),
        }
    }

    /// Takes out pairs until none is shared.
    pub fn share(&mut self) {
        for node in 0..self.lits.len() {
            if self.lits[node].len() <= self.widest {
                self.count_node(node);
            }
        }
        let shared = self.counts.iter().filter(|(_, n)| **n > 1);
        self.queue = shared.map(|(pair, n)| (*n, std::cmp::Reverse(*pair))).collect();
        while let Some((count, std::cmp::Reverse(pair))) = self.queue.pop() {
            let now = self.counts.get(&pair).copied().unwrap_or(0);
            if now == count {
                self.take_out(pair);
            } else if now > 1 && now < count {
                self.queue.push((now, std::cmp::Reverse(pair)));
            }
        }
    }

    fn count_node(&mut self, node: usize) {
        let lits = &self.lits[node];
        for (i, a) in lits.iter().enumerate() {
            self.uses.entry(*a).or_default().push(node as u32);
            for b in &lits[i + 1..] {
                *self.counts.entry((*a, *b)).or_insert(0) += 1;
            }
        }
    }

    fn take_out(&mut self, (a, b): (Lit, Lit)) {
        let has = |lits: &[Lit], l: Lit| lits.binary_search(&l).is_ok();
        let rarer = if self.uses[&a].len() <= self.uses[&b].len() { a } else { b };
        let mut users: Vec<u32> = self.uses[&rarer]
            .iter()
            .copied()
            .filter(|n| has(&self.lits[*n as usize], a) && has(&self.lits[*n as usize], b))
            .collect();
        users.sort_unstable();
        users.dedup();
        self.counts.remove(&(a, b));
        let own = users.iter().position(|n| self.lits[*n as usize].len() == 2);
        let node = match own {
            Some(at) => users.remove(at) as usize,
            None => {
                self.lits.push(vec![a, b]);
                self.lits.len() - 1
            }
        };
        let made = Lit::new(node, false);
        for user in users {
            self.replace(user as usize, a, b, made);
        }
    }

    fn replace(&mut self, user: usize, a: Lit, b: Lit, made: Lit) {
        let mut lits = std::mem::take(&mut self.lits[user]);
        lits.retain(|l| *l != a && *l != b);
        let place = lits.binary_search(&made);
        for c in &lits {
            for l in [a, b] {
                if let Some(n) = self.counts.get_mut(&(l.min(*c), l.max(*c))) {
                    *n -= 1;
                }
            }
            if place.is_err() {
                let pair = (made.min(*c), made.max(*c));
                let n = self.counts.entry(pair).or_insert(0);
                *n += 1;
                if *n > 1 {
                    self.queue.push((*n, std::cmp::Reverse(pair)));
                }
            }
        }
        if let Err(at) = place {
            lits.insert(at, made);
            self.uses.entry(made).or_default().push(user as u32);
        }
        self.lits[user] = lits;
    }
}

/// The conjunctions reachable from the outputs; one that only another conjunction uses, once and
/// not negated, becomes part of it.
fn inline(logic: &Logic, outputs: &[Lit]) -> Vec<Vec<Lit>> {
    let mut fanout = vec![0u32; logic.nodes.len()];
    let mut negated = vec![false; logic.nodes.len()];
    let mut stack: Vec<usize> = Vec::new();
    let mut note = |l: Lit, output: bool, stack: &mut Vec<usize>| {
        fanout[l.gate()] += 1 + output as u32;
        negated[l.gate()] |= l.negated();
        if fanout[l.gate()] == 1 + output as u32 {
            stack.push(l.gate());
        }
    };
    outputs.iter().for_each(|l| note(*l, true, &mut stack));
    let mut reached = vec![false; logic.nodes.len()];
    while let Some(n) = stack.pop() {
        reached[n] = true;
        if let Node::And(lits) = &logic.nodes[n] {
            lits.iter().for_each(|l| note(*l, false, &mut stack));
        }
    }
    let single = |n: usize| fanout[n] == 1 && !negated[n] && matches!(logic.nodes[n], Node::And(_));
    let mut out: Vec<Vec<Lit>> = vec![Vec::new(); logic.nodes.len()];
    // Operands have smaller numbers than the node, so that they are done first.
    for n in 0..logic.nodes.len() {
        let (Node::And(lits), true) = (&logic.nodes[n], reached[n]) else { continue };
        let mut flat = Vec::new();
        for l in lits {
            if single(l.gate()) {
                flat.append(&mut out[l.gate()]);
            } else {
                flat.push(*l);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        out[n] = flat;
    }
    out
}
