//! `SlicedGraph` + outputs by part -> `CodeBlocks`: which cells are computed together, and what is kept in memory.
//!
//! Parts run one after the other, with other work between them. A part is a row of blocks: straight
//! ones, and a repeated one for each recursive component, swept until nothing changes. A node that a
//! later block uses is kept in a slot of its own. Cells stand in depth-first order from the outputs.

use super::cover::{Cover, LookupCell, cover};
use super::graph::{CircuitNode, SlicedGraph};
use super::plan::WordSlot;
use ludex_net::Lit;
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Block {
    /// Nodes in the order of computation.
    pub order: Vec<u32>,
    /// Literals to store once they are computed.
    pub outputs: Vec<(Lit, WordSlot)>,
    /// Nodes to store as their cells hold them, for later blocks.
    pub kept: Vec<(u32, WordSlot)>,
    /// Clear the outputs, then compute the block again and again until no output changes.
    pub repeated: bool,
}

/// The blocks of all parts of a graph, with what is needed to compute them.
pub struct CodeBlocks {
    pub cover: Cover,
    pub parts: Vec<Vec<Block>>,
    /// Where nodes that are not computed in their block are read: variables and kept nodes.
    pub home: FxHashMap<u32, WordSlot>,
}

/// `slots` gives places for kept nodes. `inputs`: of a cell, two or three.
pub fn blocks(
    graph: &SlicedGraph,
    parts: &[Vec<(Lit, WordSlot)>],
    inputs: usize,
    slots: &mut dyn FnMut() -> WordSlot,
) -> CodeBlocks {
    let mut roots: Vec<Lit> = parts.iter().flatten().map(|(lit, _)| *lit).collect();
    let feedback = needed_feedback(graph, &mut roots);
    let cover = cover(graph, &roots, inputs);
    let mut cutter = Cutter::new(graph, cover, feedback);
    for part in parts {
        cutter.part(part);
    }
    cutter.finish(slots)
}

/// The feedback variables in the cones of the roots, whose next values become roots as well.
fn needed_feedback(graph: &SlicedGraph, roots: &mut Vec<Lit>) -> Vec<usize> {
    if graph.feedback.is_empty() {
        return Vec::new();
    }
    let by_slot: FxHashMap<WordSlot, usize> =
        graph.feedback.iter().enumerate().map(|(f, feedback)| (feedback.slot, f)).collect();
    let mut needed = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut stack: Vec<Lit> = roots.clone();
    while let Some(lit) = stack.pop() {
        if std::mem::replace(&mut seen[lit.gate()], true) {
            continue;
        }
        match graph.nodes[lit.gate()] {
            CircuitNode::And(a, b) | CircuitNode::Xor(a, b) => stack.extend([a, b]),
            CircuitNode::Var(slot) => {
                if let Some(&f) = by_slot.get(&slot) {
                    needed.push(f);
                    roots.push(graph.feedback[f].next);
                    stack.push(graph.feedback[f].next);
                }
            }
            CircuitNode::False => {}
        }
    }
    needed.sort_unstable();
    needed
}

struct Cutter<'a> {
    graph: &'a SlicedGraph,
    cover: Cover,
    feedback: Vec<usize>,
    /// Per node: 1 + the place in `feedback` order of the last component it depends on, or 0.
    stage: Vec<u32>,
    parts: Vec<Vec<Block>>,
    /// The straight block that computes a node, by part and number.
    computed_in: FxHashMap<u32, (usize, usize)>,
    keep: Vec<u32>,
    components_done: Vec<usize>,
    height: Vec<u32>,
}

impl<'a> Cutter<'a> {
    fn new(graph: &'a SlicedGraph, cover: Cover, feedback: Vec<usize>) -> Cutter<'a> {
        let mut cutter = Cutter {
            graph,
            stage: vec![0; graph.nodes.len()],
            height: vec![0; graph.nodes.len()],
            parts: Vec::new(),
            computed_in: FxHashMap::default(),
            keep: Vec::new(),
            components_done: Vec::new(),
            cover,
            feedback,
        };
        cutter.find_stages();
        cutter
    }

    fn find_stages(&mut self) {
        let stage_of: FxHashMap<WordSlot, u32> = (self.feedback.iter())
            .map(|f| (self.graph.feedback[*f].slot, 1 + self.graph.feedback[*f].component as u32))
            .collect();
        for n in 0..self.graph.nodes.len() {
            if let CircuitNode::Var(slot) = self.graph.nodes[n] {
                self.stage[n] = stage_of.get(&slot).copied().unwrap_or(0);
            }
            if let Some(cell) = self.cover.cells[n] {
                let inputs = cell.inputs().iter().map(|i| *i as usize);
                self.stage[n] = inputs.clone().map(|i| self.stage[i]).max().unwrap_or(0);
                self.height[n] = 1 + inputs.map(|i| self.height[i]).max().unwrap_or(0);
            }
        }
    }

    fn part(&mut self, outputs: &[(Lit, WordSlot)]) {
        self.parts.push(Vec::new());
        for component in self.components_of(outputs) {
            self.components_done.push(component);
            self.repeated(component);
        }
        self.straight(outputs.to_vec(), Vec::new());
    }

    /// The components in the cones of the outputs that were not computed before, in order.
    fn components_of(&self, outputs: &[(Lit, WordSlot)]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.graph.nodes.len()];
        let mut stack: Vec<u32> = outputs.iter().map(|(lit, _)| lit.gate() as u32).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) || self.stage[node as usize] == 0 {
                continue;
            }
            if let CircuitNode::Var(_) = self.graph.nodes[node as usize] {
                let component = self.stage[node as usize] as usize - 1;
                if !found.contains(&component) && !self.components_done.contains(&component) {
                    found.push(component);
                    stack.extend(self.nexts(component).map(|(lit, _)| lit.gate() as u32));
                }
            }
            stack.extend(self.cell(node).iter().flat_map(|c| c.inputs()));
        }
        found.sort_unstable();
        found
    }

    fn nexts(&self, component: usize) -> impl Iterator<Item = (Lit, WordSlot)> {
        let feedback = self.feedback.iter().map(|f| &self.graph.feedback[*f]);
        feedback.filter(move |f| f.component == component).map(|f| (f.next, f.slot))
    }

    fn cell(&self, node: u32) -> Option<&LookupCell> {
        self.cover.cells[node as usize].as_ref()
    }

    /// A component: a straight block for what it reads, then the block that is swept.
    fn repeated(&mut self, component: usize) {
        let outputs: Vec<(Lit, WordSlot)> = self.nexts(component).collect();
        let stage = component as u32 + 1;
        let mut block = Block { repeated: true, ..Block::default() };
        let mut read = Vec::new();
        let mut seen = FxHashMap::default();
        for (lit, _) in &outputs {
            let outside = |cutter: &Cutter, n: u32| cutter.stage[n as usize] != stage;
            self.visit(lit.gate() as u32, &mut seen, &mut block.order, &mut read, &outside);
        }
        self.straight(Vec::new(), read);
        block.outputs = outputs;
        self.parts.last_mut().expect("begun").push(block);
    }

    /// A block that computes the outputs, and the nodes `read` by the next block.
    fn straight(&mut self, outputs: Vec<(Lit, WordSlot)>, read: Vec<u32>) {
        let mut block = Block::default();
        let mut before = Vec::new();
        let mut seen = FxHashMap::default();
        let roots = outputs.iter().map(|(lit, _)| lit.gate() as u32).chain(read.iter().copied());
        for root in roots.collect::<Vec<_>>() {
            let outside = |cutter: &Cutter, n: u32| cutter.computed_in.contains_key(&n);
            self.visit(root, &mut seen, &mut block.order, &mut before, &outside);
        }
        self.keep.extend(before);
        self.keep.extend(read);
        let part = self.parts.len() - 1;
        let number = self.parts[part].len();
        for node in &block.order {
            self.computed_in.insert(*node, (part, number));
        }
        block.outputs = outputs;
        self.parts[part].push(block);
    }

    /// Appends the cells under a node in depth-first order, the higher input first, without those
    /// `outside`, which are listed apart.
    fn visit(
        &self,
        root: u32,
        seen: &mut FxHashMap<u32, ()>,
        order: &mut Vec<u32>,
        apart: &mut Vec<u32>,
        outside: &dyn Fn(&Cutter, u32) -> bool,
    ) {
        let mut stack = vec![(root, false)];
        while let Some((node, ready)) = stack.pop() {
            let Some(cell) = self.cell(node) else { continue };
            if ready {
                order.push(node);
                continue;
            }
            if seen.insert(node, ()).is_some() {
                continue;
            }
            if outside(self, node) {
                apart.push(node);
                continue;
            }
            stack.push((node, true));
            let mut inputs = cell.inputs().to_vec();
            inputs.sort_by_key(|i| self.height[*i as usize]);
            stack.extend(inputs.into_iter().map(|i| (i, false)));
        }
    }

    /// Gives the kept nodes their slots.
    fn finish(mut self, slots: &mut dyn FnMut() -> WordSlot) -> CodeBlocks {
        let mut home = FxHashMap::default();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            if let CircuitNode::Var(slot) = node {
                home.insert(n as u32, *slot);
            }
        }
        self.keep.sort_unstable();
        self.keep.dedup();
        for node in self.keep {
            let slot = slots();
            let (part, block) = self.computed_in[&node];
            self.parts[part][block].kept.push((node, slot));
            home.insert(node, slot);
        }
        CodeBlocks { cover: self.cover, parts: self.parts, home }
    }
}
