//! `SlicedGraph` -> `Cover`: the cones that one instruction computes each, of two or of three inputs.
//!
//! Cuts of every node are enumerated and the cover with the fewest cells is approached by area flow
//! and then by exact local areas, as in technology mapping for look-up tables. With two inputs every
//! node is a cell, and negations are moved through the cells so that each is one AND, ANDN, OR or XOR.

use super::graph::{CircuitNode, SlicedGraph};
use ludex_net::Lit;

/// Cuts kept for a node.
const KEPT: usize = 8;

/// How far below a node the cells are counted that a cut makes necessary.
const DEPTH: u32 = 6;

/// A function of up to three nodes. Bit `i` of the table is the value where input `j` is bit `j` of `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupCell {
    pub inputs: [u32; 3],
    pub len: usize,
    pub table: u8,
    /// The cell holds the negation of its node.
    pub flip: bool,
}

pub struct Cover {
    /// The cell of every node that has one.
    pub cells: Vec<Option<LookupCell>>,
}

impl LookupCell {
    pub fn inputs(&self) -> &[u32] {
        &self.inputs[..self.len]
    }
}

/// Covers the cones of `roots`. Feedback variables in them must have their `next` among the roots.
pub fn cover(graph: &SlicedGraph, roots: &[Lit], inputs: usize) -> Cover {
    if inputs == 2 {
        return plain(graph, roots);
    }
    let used = uses(graph, roots);
    let cuts = Cuts::new(graph, &used);
    let mut search = CoverSearch::new(graph, roots, cuts);
    for _ in 0..2 {
        search.improve();
        search.count_references(roots);
    }
    search.finish()
}

/// How often every node is used in the cones of the roots.
fn uses(graph: &SlicedGraph, roots: &[Lit]) -> Vec<u32> {
    let mut used = vec![0; graph.nodes.len()];
    roots.iter().for_each(|root| used[root.gate()] += 1);
    for node in (0..graph.nodes.len()).rev().filter(|n| *n > 0) {
        if let (true, CircuitNode::And(a, b) | CircuitNode::Xor(a, b)) =
            (used[node] > 0, graph.nodes[node])
        {
            used[a.gate()] += 1;
            used[b.gate()] += 1;
        }
    }
    used
}

// Cuts of up to three leaves.

#[derive(Clone, Copy)]
struct GraphCut {
    cell: LookupCell,
    flow: f32,
}

struct Cuts {
    of: Vec<Vec<GraphCut>>,
    /// The cells below a node, each shared out to its users.
    flow: Vec<f32>,
}

impl Cuts {
    fn new(graph: &SlicedGraph, used: &[u32]) -> Cuts {
        let nodes = graph.nodes.len();
        let mut cuts = Cuts { of: vec![Vec::new(); nodes], flow: vec![0.0; nodes] };
        for (n, node) in graph.nodes.iter().enumerate() {
            let (CircuitNode::And(a, b) | CircuitNode::Xor(a, b)) = *node else { continue };
            if used[n] == 0 {
                continue;
            }
            let mut found = cuts.merged(a, b, matches!(node, CircuitNode::Xor(..)));
            for cut in &mut found {
                let leaves: f32 = cut.cell.inputs().iter().map(|i| cuts.flow[*i as usize]).sum();
                cut.flow = (1.0 + leaves) / used[n] as f32;
            }
            found.sort_by(|x, y| x.flow.total_cmp(&y.flow).then(x.cell.len.cmp(&y.cell.len)));
            found.truncate(KEPT);
            cuts.flow[n] = found[0].flow;
            cuts.of[n] = found;
        }
        cuts
    }

    /// All unions of a cut of `a` and a cut of `b`, or the nodes themselves.
    fn merged(&self, a: Lit, b: Lit, xor: bool) -> Vec<GraphCut> {
        let (left, right) = (self.with_trivial(a), self.with_trivial(b));
        let mut found: Vec<GraphCut> = Vec::new();
        for x in &left {
            for y in &right {
                let Some(cell) = union(x, y, a, b, xor) else { continue };
                if !found.iter().any(|c| c.cell == cell) {
                    found.push(GraphCut { cell, flow: 0.0 });
                }
            }
        }
        found
    }

    fn with_trivial(&self, lit: Lit) -> Vec<LookupCell> {
        let n = lit.gate() as u32;
        let trivial = LookupCell { inputs: [n, 0, 0], len: 1, table: 0b10, flip: false };
        let cuts = self.of[lit.gate()].iter().map(|cut| cut.cell);
        std::iter::once(trivial).chain(cuts).collect()
    }
}

fn union(x: &LookupCell, y: &LookupCell, a: Lit, b: Lit, xor: bool) -> Option<LookupCell> {
    let (mut inputs, mut len) = (x.inputs, x.len);
    for input in y.inputs() {
        if !inputs[..len].contains(input) {
            if len == 3 {
                return None;
            }
            inputs[len] = *input;
            len += 1;
        }
    }
    inputs[..len].sort_unstable();
    let mask = ((1u16 << (1 << len)) - 1) as u8;
    let left = spread(x, &inputs[..len]) ^ if a.negated() { mask } else { 0 };
    let right = spread(y, &inputs[..len]) ^ if b.negated() { mask } else { 0 };
    let table = if xor { left ^ right } else { left & right };
    Some(LookupCell { inputs, len, table, flip: false })
}

/// The table of a cell over more inputs.
fn spread(cell: &LookupCell, inputs: &[u32]) -> u8 {
    let mut table = 0;
    for i in 0..1 << inputs.len() {
        let mut index = 0;
        for (j, input) in cell.inputs().iter().enumerate() {
            let at = inputs.iter().position(|x| x == input).expect("a superset");
            index |= (i >> at & 1) << j;
        }
        table |= (cell.table >> index & 1) << i;
    }
    table
}

// The choice of a cut for every node.

struct CoverSearch<'a> {
    graph: &'a SlicedGraph,
    cuts: Cuts,
    chosen: Vec<u8>,
    /// How often a node is the input of a chosen cell, or a root.
    references: Vec<u32>,
}

impl<'a> CoverSearch<'a> {
    fn new(graph: &'a SlicedGraph, roots: &[Lit], cuts: Cuts) -> CoverSearch<'a> {
        let n = graph.nodes.len();
        let mut search = CoverSearch { graph, cuts, chosen: vec![0; n], references: vec![0; n] };
        search.count_references(roots);
        search
    }

    fn count_references(&mut self, roots: &[Lit]) {
        self.references.fill(0);
        for root in roots {
            self.references[root.gate()] += 1;
        }
        for node in (0..self.graph.nodes.len()).rev().filter(|n| *n > 0) {
            if let (true, Some(cell)) = (self.references[node] > 0, self.cell(node as u32)) {
                cell.inputs().iter().for_each(|i| self.references[*i as usize] += 1);
            }
        }
    }

    fn cell(&self, node: u32) -> Option<LookupCell> {
        let node = node as usize;
        self.cuts.of[node].get(self.chosen[node] as usize).map(|cut| cut.cell)
    }

    /// Adds a reference to a node; the number of cells that this makes necessary, near below counted,
    /// further below estimated. Every reference added is noted.
    fn refer(&mut self, node: u32, depth: u32, noted: &mut Vec<u32>) -> f32 {
        noted.push(node);
        self.references[node as usize] += 1;
        if self.references[node as usize] > 1 {
            return 0.0;
        }
        if depth == 0 {
            return self.cuts.flow[node as usize];
        }
        self.cell(node).map_or(0.0, |cell| {
            1.0 + cell.inputs().iter().map(|i| self.refer(*i, depth - 1, noted)).sum::<f32>()
        })
    }

    /// Takes a reference away. As only what is near is counted, counts are approximate for a while.
    fn release(&mut self, node: u32, depth: u32) {
        let references = &mut self.references[node as usize];
        *references = references.saturating_sub(1);
        if *references > 0 || depth == 0 {
            return;
        }
        if let Some(cell) = self.cell(node) {
            cell.inputs().iter().for_each(|i| self.release(*i, depth - 1));
        }
    }

    /// Gives every node of the cover the cut that costs the fewest cells, the others standing.
    fn improve(&mut self) {
        let mut noted = Vec::new();
        for node in 0..self.graph.nodes.len() {
            if self.references[node] == 0 || self.cuts.of[node].is_empty() {
                continue;
            }
            let cell = self.cell(node as u32).expect("it has cuts");
            cell.inputs().iter().for_each(|i| self.release(*i, DEPTH));
            let mut best = (f32::INFINITY, 0, 0);
            for c in 0..self.cuts.of[node].len() {
                let cell = self.cuts.of[node][c].cell;
                let inputs = cell.inputs().iter();
                let area: f32 = inputs.map(|i| self.refer(*i, DEPTH, &mut noted)).sum();
                noted.drain(..).for_each(|n| self.references[n as usize] -= 1);
                if area < best.0 || (area == best.0 && cell.len < best.1) {
                    best = (area, cell.len, c);
                }
            }
            self.chosen[node] = best.2 as u8;
            let cell = self.cuts.of[node][best.2].cell;
            for input in cell.inputs() {
                self.refer(*input, DEPTH, &mut noted);
            }
            noted.clear();
        }
    }

    fn finish(self) -> Cover {
        let kept = |n: usize| (self.references[n] > 0).then(|| self.cell(n as u32)).flatten();
        Cover { cells: (0..self.graph.nodes.len()).map(kept).collect() }
    }
}

// Two inputs.

fn plain(graph: &SlicedGraph, roots: &[Lit]) -> Cover {
    let used = uses(graph, roots);
    let mut cells: Vec<Option<LookupCell>> = vec![None; graph.nodes.len()];
    for (n, node) in graph.nodes.iter().enumerate().filter(|(n, _)| used[*n] > 0) {
        let (a, b, xor) = match *node {
            CircuitNode::And(a, b) => (a, b, false),
            CircuitNode::Xor(a, b) => (a, b, true),
            _ => continue,
        };
        let flipped = |lit: Lit| lit.negated() ^ cells[lit.gate()].is_some_and(|c| c.flip);
        let left = if flipped(a) { 0b0101 } else { 0b1010 };
        let right = if flipped(b) { 0b0011 } else { 0b1100 };
        let table: u8 = if xor { left ^ right } else { left & right };
        let flip = table == 0b0001 || table == 0b1001;
        let table = if flip { !table & 0b1111 } else { table };
        let inputs = [a.gate() as u32, b.gate() as u32, 0];
        cells[n] = Some(LookupCell { inputs, len: 2, table, flip });
    }
    Cover { cells }
}
