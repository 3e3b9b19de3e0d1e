//! `Net` and a state -> `Final`: what has its final value there, whatever is played.

use ludex_net::{Known, KnownGates, Net, Readers};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What has its final value in a state, whatever is played from there.
pub struct Final {
    pub bases: Vec<Option<bool>>,
    /// Moves that are never made again are false; a role's only possible move is true.
    pub inputs: Vec<Option<bool>>,
    pub known: KnownGates,
}

/// The facts that never change again from a state on: the largest set of facts whose values follow
/// from each other after any step. It is found by taking all of them as known, and taking back
/// what a step may change until no more is; what follows is taken back from there on only.
pub fn finally(net: &Net, state: &[bool]) -> Final {
    finally_with(net, state, &vec![None; state.len()])
}

/// The same, where some bases are known to keep their value from this state on.
pub fn finally_with(net: &Net, state: &[bool], for_good: &[Option<bool>]) -> Final {
    let bases: Vec<Option<bool>> = state.iter().copied().map(Some).collect();
    let inputs = vec![None; net.inputs.len()];
    let known = KnownGates::new(net, &bases, &inputs);
    let mut found = Final { bases, inputs, known };
    let legal = |i: usize| found.known.value(net.inputs[i].legal) != Some(false);
    let possible: Vec<bool> = (0..net.inputs.len()).map(legal).collect();
    found.inputs = possible.iter().map(|p| if *p { None } else { Some(false) }).collect();
    for role in 0..net.roles.len() {
        let mut open = net.inputs_of(role).filter(|i| possible[*i]);
        if let (Some(only), None) = (open.next(), open.next()) {
            found.inputs[only] = Some(true);
        }
    }
    found.known = KnownGates::new(net, &found.bases, &found.inputs);
    // Nothing is played from a terminal state.
    if found.known.value(net.terminal) != Some(true) {
        Retreat::new(net, for_good).run(&mut found);
    }
    found
}

/// Takes back what is not known for good.
struct Retreat<'n> {
    net: &'n Net,
    /// Bases of which nothing is taken back.
    for_good: &'n [Option<bool>],
    readers: Readers,
    /// Inputs by the gate of their legality, bases by the gate of their transition.
    legal: FxHashMap<usize, Vec<usize>>,
    next: FxHashMap<usize, Vec<usize>>,
}

impl<'n> Retreat<'n> {
    fn new(net: &'n Net, for_good: &'n [Option<bool>]) -> Retreat<'n> {
        let (mut legal, mut next): (FxHashMap<usize, Vec<usize>>, FxHashMap<usize, Vec<usize>>) =
            Default::default();
        for (i, input) in net.inputs.iter().enumerate() {
            legal.entry(input.legal.gate()).or_default().push(i);
        }
        for (b, base) in net.bases.iter().enumerate() {
            next.entry(base.next.gate()).or_default().push(b);
        }
        Retreat { net, for_good, readers: Readers::new(net), legal, next }
    }

    fn run(&self, found: &mut Final) {
        let net = self.net;
        let changes = |b: &usize, f: &Final| {
            let open = f.bases[*b].is_some() && self.for_good[*b].is_none();
            open && f.known.value(net.bases[*b].next) != f.bases[*b]
        };
        let possible = |r: usize, f: &Final| -> Vec<usize> {
            net.inputs_of(r).filter(|i| f.inputs[*i] != Some(false)).take(2).collect()
        };
        let mut some: Vec<Vec<usize>> = (0..net.roles.len()).map(|r| possible(r, found)).collect();
        let mut open: Vec<usize> = (0..net.bases.len()).filter(|b| changes(b, found)).collect();
        let mut leaves: Vec<usize> = Vec::new();
        while !open.is_empty() || !leaves.is_empty() {
            for b in open.drain(..) {
                found.bases[b] = None;
                leaves.push(1 + b);
            }
            let changed = self.forget(std::mem::take(&mut leaves), &mut found.known);
            for g in changed {
                let moves = self.legal.get(&g).into_iter().flatten();
                moves.for_each(|i| self.allow(*i, found, &mut some, &mut leaves));
                let bases = self.next.get(&g).into_iter().flatten();
                open.extend(bases.filter(|b| changes(b, found)));
            }
            open.sort_unstable();
            open.dedup();
        }
    }

    /// A move that was known to be illegal, or the only one, may no longer be. `some` has the first
    /// moves of every role that may be possible, at most two.
    fn allow(
        &self,
        input: usize,
        found: &mut Final,
        some: &mut [Vec<usize>],
        leaves: &mut Vec<usize>,
    ) {
        let legal = found.known.value(self.net.inputs[input].legal);
        if found.inputs[input] != Some(false) || legal == Some(false) {
            return;
        }
        let some = &mut some[self.net.inputs[input].role];
        found.inputs[input] = if some.is_empty() { Some(true) } else { None };
        leaves.push(1 + self.net.bases.len() + input);
        if let [only] = some[..] {
            found.inputs[only] = None;
            leaves.push(1 + self.net.bases.len() + only);
        }
        if some.len() < 2 {
            some.push(input);
        }
    }

    /// Takes back what these leaves have said; gives all gates that have changed.
    fn forget(&self, leaves: Vec<usize>, known: &mut KnownGates) -> Vec<usize> {
        let readers = |g: usize| self.readers.of(g).iter().map(|r| Reverse(*r));
        let mut changed = Vec::new();
        let mut open: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        for leaf in leaves {
            known.forget(leaf);
            open.extend(readers(leaf));
            changed.push(leaf);
        }
        let mut done = 0;
        while let Some(Reverse(g)) = open.pop() {
            let g = g as usize;
            if g < done {
                continue;
            }
            let at = self.net.components.partition_point(|c| c.end <= g);
            let component = self.net.components.get(at).filter(|c| c.contains(&g));
            let range = component.cloned().unwrap_or(g..g + 1);
            let before: Vec<Known> = known.gates(range.clone()).to_vec();
            known.settle(self.net, range.clone());
            let after = known.gates(range.clone());
            for (g, (before, after)) in range.clone().zip(before.iter().zip(after)) {
                if before != after {
                    changed.push(g);
                    open.extend(readers(g));
                }
            }
            done = range.end;
        }
        changed
    }
}
