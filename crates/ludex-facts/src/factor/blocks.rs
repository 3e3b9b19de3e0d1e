//! `BaseBlocks`: bases that are united step by step, and supports of literals that unite them.

use super::tie::{Reason, Reasons};
use ludex_net::{Gate, Lit, Net};

/// A partition of the bases. Shared bases belong to no block and unite nothing.
#[derive(Clone)]
pub struct BaseBlocks {
    parent: Vec<u32>,
    shared: Vec<bool>,
    /// Blocks that are left.
    pub count: usize,
    /// Why what comes next is united, and why what came before was.
    pub reason: Reason,
    pub reasons: Reasons,
}

impl BaseBlocks {
    pub fn new(shared: &[bool]) -> BaseBlocks {
        let count = shared.iter().filter(|s| !**s).count();
        let (parent, shared) = ((0..shared.len() as u32).collect(), shared.to_vec());
        BaseBlocks { parent, shared, count, reason: Reason::Idle, reasons: Reasons::default() }
    }

    pub fn find(&mut self, base: usize) -> usize {
        let mut root = base;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut at = base;
        while self.parent[at] as usize != root {
            at = std::mem::replace(&mut self.parent[at], root as u32) as usize;
        }
        root
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            // The smaller number leads, so that blocks come in the order of their first base.
            self.parent[a.max(b)] = a.min(b) as u32;
            self.count -= 1;
            self.reasons.note(self.reason);
        }
        a != b
    }

    pub(crate) fn unite_all(&mut self, bases: &[usize]) -> bool {
        bases.windows(2).fold(false, |changed, pair| self.unite(pair[0], pair[1]) | changed)
    }

    /// The bases of every block, in the order of their first base.
    pub fn lists(&mut self) -> Vec<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = vec![vec![]; self.parent.len()];
        for base in (0..self.parent.len()).filter(|b| !self.shared[*b]).collect::<Vec<_>>() {
            lists[self.find(base)].push(base);
        }
        lists.retain(|l| !l.is_empty());
        lists
    }

    pub(crate) fn is_shared(&self, base: usize) -> bool {
        self.shared[base]
    }
}

/// The supports of the gates of one circuit, which may grow. Once a literal has been asked for, all
/// bases it depends on are united, and any of them stands for all.
#[derive(Default)]
pub struct Supports {
    /// Does a gate depend on any base that is not shared?
    own: Vec<bool>,
    /// A base of the block of all bases that a gate depends on, for gates that have been reached.
    known: Vec<Option<u32>>,
}

impl Supports {
    /// Unites all bases that a literal depends on, and gives one of them.
    pub fn unite(&mut self, gates: &[Gate], lit: Lit, blocks: &mut BaseBlocks) -> Option<usize> {
        self.extend(gates, blocks);
        if !self.own[lit.gate()] {
            return None;
        }
        let mut first: Option<usize> = None;
        let mut open = vec![lit.gate()];
        while let Some(g) = open.pop() {
            let base = match (self.known[g], gates[g]) {
                (Some(base), _) => base as usize,
                (None, Gate::Base(b)) => b as usize,
                (
                    None,
                    Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b),
                ) => {
                    // A gate that is being looked at stands for the first base of all.
                    let first = first.get_or_insert_with(|| self.some_base(gates, g));
                    self.known[g] = Some(*first as u32);
                    open.extend([a.gate(), b.gate()].into_iter().filter(|g| self.own[*g]));
                    continue;
                }
                (None, leaf) => unreachable!("{leaf:?} depends on no base"),
            };
            let first = *first.get_or_insert(base);
            blocks.unite(first, base);
        }
        first
    }

    /// Any base that a gate depends on.
    fn some_base(&self, gates: &[Gate], gate: usize) -> usize {
        let (mut open, mut seen) = (vec![gate], rustc_hash::FxHashSet::default());
        while let Some(g) = open.pop() {
            if let Gate::Base(b) = gates[g] {
                return b as usize;
            }
            if let (Some((a, b)), true) = (gates[g].operands(), seen.insert(g)) {
                open.extend([a.gate(), b.gate()].into_iter().filter(|g| self.own[*g]));
            }
        }
        unreachable!("the gate depends on a base")
    }

    /// Looks at the gates that are new.
    fn extend(&mut self, gates: &[Gate], blocks: &BaseBlocks) {
        let from = self.own.len();
        if from == gates.len() {
            return;
        }
        self.own.resize(gates.len(), false);
        self.known.resize(gates.len(), None);
        // Inside a recursive component an operand may come later than its gate.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (g, gate) in gates.iter().enumerate().skip(from) {
                let reads = |(a, b): (Lit, Lit)| self.own[a.gate()] || self.own[b.gate()];
                let own = match *gate {
                    Gate::Base(b) => !blocks.is_shared(b as usize),
                    gate => gate.operands().is_some_and(reads),
                };
                changed |= own && !self.own[g];
                self.own[g] |= own;
            }
        }
    }
}

/// The bases that a literal depends on, in ascending order.
pub fn support(gates: &[Gate], lit: Lit) -> Vec<usize> {
    let mut seen = SeenGates::new(gates.len());
    let (mut open, mut bases) = (vec![lit.gate()], Vec::new());
    while let Some(g) = open.pop() {
        if seen.insert(g) {
            if let Gate::Base(b) = gates[g] {
                bases.push(b as usize);
            }
            open.extend(gates[g].operands().into_iter().flat_map(|(a, b)| [a.gate(), b.gate()]));
        }
    }
    bases.sort_unstable();
    bases
}

/// Gates that have been seen: a set while they are few, then a mark for every gate.
struct SeenGates {
    few: rustc_hash::FxHashSet<usize>,
    marks: Vec<bool>,
    gates: usize,
}

impl SeenGates {
    fn new(gates: usize) -> SeenGates {
        SeenGates { few: Default::default(), marks: vec![], gates }
    }

    /// False if the gate had been seen.
    fn insert(&mut self, gate: usize) -> bool {
        if !self.marks.is_empty() {
            return !std::mem::replace(&mut self.marks[gate], true);
        }
        let new = self.few.insert(gate);
        if 256 * self.few.len() > self.gates {
            self.marks.resize(self.gates, false);
            self.few.drain().for_each(|g| self.marks[g] = true);
        }
        new
    }
}

/// What a gate reads: nothing but shared bases, one block (its root), or several.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BlockReads {
    Shared,
    One(usize),
    Several,
}

/// What every gate of a net reads.
pub fn reads(net: &Net, blocks: &mut BaseBlocks) -> Vec<BlockReads> {
    let mut reads = vec![BlockReads::Shared; net.gates.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (g, gate) in net.gates.iter().enumerate() {
            let new = match *gate {
                Gate::Base(b) if !blocks.is_shared(b as usize) => {
                    BlockReads::One(blocks.find(b as usize))
                }
                gate => match gate.operands().map(|(a, b)| (reads[a.gate()], reads[b.gate()])) {
                    None => BlockReads::Shared,
                    Some((BlockReads::Shared, other) | (other, BlockReads::Shared)) => other,
                    Some((a, b)) if a == b => a,
                    Some(_) => BlockReads::Several,
                },
            };
            // Only inside a recursive component an operand may come later than its gate.
            changed |= reads[g] != new && !net.components.is_empty();
            reads[g] = new;
        }
    }
    reads
}
