//! `Graph` -> `Automorphisms`: generators, order and orbits of the automorphism group.
//!
//! A first path of individualised vertices leads to a discrete partition, the left side. From its last
//! level up, for every other vertex of the level's cell that is not yet in one orbit with the path's
//! vertex, a right side is refined in lockstep with the left one. As soon as all cells of more than
//! one vertex hold the same vertices on both sides, the map of single vertices, identity elsewhere, is
//! tried; so generators are found with small supports and long before the leaves.
//! The generators are strong for the base made of the path's vertices.

use crate::cells::{Cells, Side};
use crate::graph::Graph;
use crate::perm::{Orbits, Perm, SparsePerm};
use crate::refine::{RefinementTrace, Refiner, SplitWatch};
use crate::{StopFn, Stopped};
use num_bigint::BigUint;

/// The automorphism group of a graph.
#[derive(Clone, Debug)]
pub struct Automorphisms {
    /// The number of vertices.
    pub degree: usize,
    pub generators: Vec<SparsePerm>,
    pub order: BigUint,
    pub orbits: Orbits,
    /// False where the search was stopped: this is the group of the generators found by then.
    pub complete: bool,
}

impl Automorphisms {
    pub fn perms(&self) -> Vec<Perm> {
        self.generators.iter().map(|g| g.dense(self.degree)).collect()
    }
}

/// The automorphism group of a coloured graph.
pub fn automorphisms(graph: &Graph, stop: StopFn) -> Result<Automorphisms, Stopped> {
    let mut search = AutomorphismSearch::new(graph, &[], &[], stop)?;
    search.climb(0, false)?;
    Ok(search.automorphisms())
}

/// The automorphism group of a coloured graph, and its subgroup that leaves some vertices alone: its
/// order, and how many generators of the group, the first ones, generate it. A search that is stopped
/// gives the groups that it has found by then, if it has come to the end of its first path.
pub fn with_stabiliser(
    graph: &Graph,
    vertices: &[u32],
    stop: StopFn,
) -> Result<(Automorphisms, BigUint, usize), Stopped> {
    let mut search = AutomorphismSearch::new(graph, &[], vertices, stop)?;
    let own = |l: &&PathLevel| vertices.contains(&l.vertex);
    let below = search.levels.iter().take_while(own).count();
    let mut complete = search.climb(below, false).is_ok();
    let (order, generators) = (search.order(below), search.generators.len());
    complete = complete && search.climb(0, false).is_ok();
    Ok((Automorphisms { complete, ..search.automorphisms() }, order, generators))
}

/// A level of the first path: where a vertex was individualised.
pub struct PathLevel {
    /// The cell and its size before.
    cell: u32,
    len: u32,
    pub vertex: u32,
    /// The splits before, and the trace values before.
    mark: usize,
    trace: usize,
    /// The size of the vertex's orbit in the stabiliser of the path above.
    orbit: usize,
    /// The vertices with the least trace, one for every orbit (only where the cell has several).
    pub least: Vec<u32>,
}

/// A node of the right side: the vertices tried so far for a level of the path.
struct SearchNode {
    level: usize,
    tried: Vec<u32>,
    mark: usize,
    unequal: usize,
    moved: usize,
}

pub struct AutomorphismSearch<'a> {
    graph: &'a Graph,
    stop: StopFn<'a>,
    cells: Cells,
    pub left: Side,
    right: Side,
    refiner: Refiner,
    trace: RefinementTrace,
    pub levels: Vec<PathLevel>,
    /// The levels from this one on have their generators.
    climbed: usize,
    difference: Difference,
    generators: Vec<SparsePerm>,
    orbits: Orbits,
    /// Per root of an orbit: the level (counted from 1) at which no automorphism led there.
    failed: Vec<u32>,
    /// Identity between two tests of a map.
    map: Vec<u32>,
    marked: Vec<u32>,
    marks: u32,
}

/// Cells in the order in which they were made: the next target is the latest that can be split, so
/// that the path stays inside one part of the graph until that part is discrete.
struct Recent(Vec<u32>);

impl SplitWatch for Recent {
    fn split(&mut self, cells: &Cells, _: &Side, cell: u32, at: u32, _: u32) {
        [cell, at].into_iter().filter(|&c| cells.len(c) > 1).for_each(|c| self.0.push(c));
    }
}

impl Recent {
    fn target(&mut self, cells: &Cells) -> Option<u32> {
        while let Some(&cell) = self.0.last() {
            if cells.of(cell) == cell && cells.len(cell) > 1 {
                return Some(cell);
            }
            self.0.pop();
        }
        None
    }
}

/// How the right side differs from the left one.
struct Difference {
    left: Side,
    /// The number of vertices that stand in different cells.
    unequal: usize,
    /// The positions of single vertices that differ.
    moved: Vec<u32>,
}

impl SplitWatch for Difference {
    fn split(&mut self, cells: &Cells, right: &Side, cell: u32, at: u32, end: u32) {
        let front = cell..at;
        for p in at as usize..end as usize {
            let (l, r) = (self.left.lab[p], right.lab[p]);
            self.unequal += front.contains(&right.pos[l as usize]) as usize;
            self.unequal += front.contains(&self.left.pos[r as usize]) as usize;
        }
        for c in [cell, at] {
            let c = c as usize;
            if cells.len(c as u32) == 1 && self.left.lab[c] != right.lab[c] {
                self.moved.push(c as u32);
            }
        }
    }
}

impl<'a> AutomorphismSearch<'a> {
    /// Refines, individualises the vertices of a prefix in turn, and goes down to a discrete partition:
    /// the path begins with the vertices `first` as far as they are not single.
    pub fn new(
        graph: &'a Graph,
        prefix: &[u32],
        first: &[u32],
        stop: StopFn<'a>,
    ) -> Result<AutomorphismSearch<'a>, Stopped> {
        let n = graph.len();
        let (cells, left) = Cells::of_colours(graph.colours());
        let none = Side { lab: vec![], pos: vec![] };
        let mut search = AutomorphismSearch {
            graph,
            stop,
            cells,
            left,
            right: none.clone(),
            refiner: Refiner::new(n),
            trace: RefinementTrace::default(),
            levels: Vec::new(),
            climbed: 0,
            difference: Difference { left: none, unequal: 0, moved: vec![] },
            generators: Vec::new(),
            orbits: Orbits::new(n),
            failed: vec![0; n],
            map: (0..n as u32).collect(),
            marked: vec![0; n],
            marks: 0,
        };
        search.descend(prefix, first)?;
        Ok(search)
    }

    fn descend(&mut self, prefix: &[u32], first: &[u32]) -> Result<(), Stopped> {
        let list = self.cells.list();
        let mut recent = Recent(list.clone());
        list.into_iter().for_each(|c| self.refiner.enqueue(&self.cells, c));
        self.refine_left(&mut recent)?;
        let mut prefix = prefix.iter();
        loop {
            self.check()?;
            let cell_of = |v: &u32| self.cells.of(self.left.pos[*v as usize]);
            let wished = first.iter().find(|v| self.cells.len(cell_of(v)) > 1);
            let cell = wished.map(cell_of).or_else(|| recent.target(&self.cells));
            let Some(cell) = cell else { break };
            if let Some(&vertex) = prefix.next() {
                assert_eq!(cell_of(&vertex), cell);
                self.individualise_left(vertex, &mut recent)?;
                continue;
            }
            let len = self.cells.len(cell);
            let vertex = *wished.unwrap_or(&self.left.lab[(cell + len) as usize - 1]);
            self.levels.push(PathLevel {
                cell,
                len,
                vertex,
                mark: self.cells.mark(),
                trace: self.trace.values.len(),
                orbit: 1,
                least: Vec::new(),
            });
            self.individualise_left(vertex, &mut recent)?;
        }
        self.climbed = self.levels.len();
        self.right = self.left.clone();
        self.difference.left = self.left.clone();
        Ok(())
    }

    fn individualise_left(&mut self, vertex: u32, recent: &mut Recent) -> Result<(), Stopped> {
        self.refiner.individualise(&mut self.cells, &mut self.left, vertex, recent);
        self.refine_left(recent)
    }

    /// The first path has no trace to differ from, so that only a stop can leave it unrefined.
    fn refine_left(&mut self, recent: &mut Recent) -> Result<(), Stopped> {
        let AutomorphismSearch { graph, cells, left, refiner, trace, stop, .. } = self;
        match refiner.refine(graph, cells, left, trace, recent, stop) {
            true => Ok(()),
            false => Err(Stopped),
        }
    }

    fn check(&self) -> Result<(), Stopped> {
        if (self.stop)() { Err(Stopped) } else { Ok(()) }
    }

    /// Finds the generators of every level, from the last one up to `level`. With `compare`, also the
    /// vertices of least trace at levels whose cell is not one orbit.
    pub fn climb(&mut self, level: usize, compare: bool) -> Result<(), Stopped> {
        for i in (level..self.climbed).rev() {
            self.climbed = i;
            let PathLevel { cell, len, vertex, mark, .. } = self.levels[i];
            self.cells.undo(mark);
            for p in (cell..cell + len).rev() {
                if self.orbits.size(vertex) == len as usize {
                    break;
                }
                let u = self.left.lab[p as usize];
                let root = self.orbits.find(u);
                if root == self.orbits.find(vertex) || self.failed[root as usize] == i as u32 + 1 {
                    continue;
                }
                let mapped = self.map_to(i, u);
                // What was found so far is a group: the levels below are complete.
                self.levels[i].orbit = self.orbits.size(vertex);
                if !mapped? {
                    let root = self.orbits.find(u);
                    self.failed[root as usize] = i as u32 + 1;
                }
            }
            self.levels[i].orbit = self.orbits.size(vertex);
            if compare && self.levels[i].orbit < len as usize {
                self.levels[i].least = self.least(i)?;
            }
        }
        Ok(())
    }

    pub fn automorphisms(self) -> Automorphisms {
        Automorphisms {
            degree: self.graph.len(),
            order: self.order(0),
            generators: self.generators,
            orbits: self.orbits,
            complete: true,
        }
    }

    /// The order of the stabiliser of the path above a level.
    fn order(&self, level: usize) -> BigUint {
        product(self.levels[level..].iter().map(|l| BigUint::from(l.orbit)).collect())
    }

    /// Looks for an automorphism that fixes the path above level `i` and maps its vertex to `u`.
    fn map_to(&mut self, i: usize, u: u32) -> Result<bool, Stopped> {
        let mut nodes = vec![self.node(i)];
        let mut next = Some(u);
        // The number of moved vertices of the last map that failed on this branch.
        let mut refuted = usize::MAX;
        let found = loop {
            self.check()?;
            let node = nodes.last_mut().expect("at least the first node");
            if let Some(w) = next.take() {
                node.tried.push(w);
                let level = node.level;
                if self.refine_right(level, w) {
                    let moved = self.difference.moved.len();
                    if self.difference.unequal == moved && moved != refuted {
                        if self.try_map() {
                            break true;
                        }
                        refuted = moved;
                    }
                    if level + 1 < self.levels.len() {
                        nodes.push(self.node(level + 1));
                        next = Some(self.first(level + 1));
                        continue;
                    }
                }
            } else {
                nodes.pop();
            }
            if nodes.len() == 1 {
                break false;
            }
            refuted = usize::MAX;
            self.back(&nodes[nodes.len() - 1]);
            next = self.another(&nodes);
        };
        self.back(&nodes[0]);
        Ok(found)
    }

    fn node(&self, level: usize) -> SearchNode {
        SearchNode {
            level,
            tried: Vec::new(),
            mark: self.cells.mark(),
            unequal: self.difference.unequal,
            moved: self.difference.moved.len(),
        }
    }

    fn back(&mut self, node: &SearchNode) {
        self.cells.undo(node.mark);
        self.difference.unequal = node.unequal;
        self.difference.moved.truncate(node.moved);
    }

    fn refine_right(&mut self, level: usize, w: u32) -> bool {
        let end = self.trace_end(level);
        let AutomorphismSearch { graph, cells, right, refiner, trace, difference, .. } = self;
        trace.compared = Some(self.levels[level].trace);
        refiner.individualise(cells, right, w, difference);
        refiner.refine(graph, cells, right, trace, difference, &|| false)
            && trace.compared == Some(end)
    }

    fn trace_end(&self, level: usize) -> usize {
        self.levels.get(level + 1).map_or(self.trace.values.len(), |l| l.trace)
    }

    /// The vertex to try first for a level: itself, else one that makes the map an exchange.
    fn first(&self, level: usize) -> u32 {
        let PathLevel { cell, len, vertex, .. } = self.levels[level];
        let at = self.right.pos[vertex as usize];
        if self.cells.of(at) == cell {
            return vertex;
        }
        let there = self.cells.of(at);
        let mut right = self.right.lab[cell as usize..(cell + len) as usize].iter();
        let mut left = self.left.lab[self.cells.range(there)].iter();
        let back = match self.cells.len(there) < len {
            true => left.find(|&&w| self.cells.of(self.right.pos[w as usize]) == cell),
            false => right.find(|&&w| self.cells.of(self.left.pos[w as usize]) == there),
        };
        *back.unwrap_or(&self.right.lab[cell as usize])
    }

    /// A vertex for the last node that no known automorphism maps to one that was tried.
    fn another(&self, nodes: &[SearchNode]) -> Option<u32> {
        let node = nodes.last()?;
        let PathLevel { cell, len, .. } = self.levels[node.level];
        let above = &nodes[..nodes.len() - 1];
        let fixes =
            |g: &&SparsePerm| above.iter().all(|n| n.tried.last().is_none_or(|&w| g.image(w) == w));
        let known: Vec<&SparsePerm> = self.generators.iter().filter(fixes).take(256).collect();
        let mut reached: rustc_hash::FxHashSet<u32> = node.tried.iter().copied().collect();
        let mut open = node.tried.clone();
        while let Some(w) = open.pop() {
            let images = known.iter().map(|g| g.image(w));
            open.extend(images.filter(|&x| reached.insert(x)));
        }
        let vertices = &self.right.lab[cell as usize..(cell + len) as usize];
        vertices.iter().copied().find(|w| !reached.contains(w))
    }

    /// Tests the map of the single vertices that differ, and keeps it if it is an automorphism.
    fn try_map(&mut self) -> bool {
        let pair = |&p: &u32| (self.left.lab[p as usize], self.right.lab[p as usize]);
        let mut moved: Vec<(u32, u32)> = self.difference.moved.iter().map(pair).collect();
        moved.iter().for_each(|&(v, w)| self.map[v as usize] = w);
        let good = moved.iter().all(|&(v, w)| self.maps_neighbours(v, w));
        moved.iter().for_each(|&(v, _)| self.map[v as usize] = v);
        if good {
            moved.iter().for_each(|&(v, w)| self.join(v, w));
            moved.sort_unstable();
            self.generators.push(SparsePerm(moved));
        }
        good
    }

    fn maps_neighbours(&mut self, v: u32, w: u32) -> bool {
        let AutomorphismSearch { graph, map, marked, marks, .. } = self;
        if graph.degree(v) != graph.degree(w) {
            return false;
        }
        *marks += 1;
        graph.neighbours(w).iter().for_each(|&x| marked[x as usize] = *marks);
        graph.neighbours(v).iter().all(|&x| marked[map[x as usize] as usize] == *marks)
    }

    fn join(&mut self, v: u32, w: u32) {
        let (a, b) = (self.orbits.find(v), self.orbits.find(w));
        // Levels are climbed downwards in number, so the least mark is the one of this level.
        let failed = match (self.failed[a as usize], self.failed[b as usize]) {
            (0, x) | (x, 0) => x,
            (x, y) => x.min(y),
        };
        let root = self.orbits.join(a, b);
        self.failed[root as usize] = failed;
    }

    /// One vertex of every orbit in the level's cell, of those with the least trace.
    fn least(&mut self, i: usize) -> Result<Vec<u32>, Stopped> {
        let PathLevel { cell, len, vertex, .. } = self.levels[i];
        let mut best = self.trace.values[self.levels[i].trace..self.trace_end(i)].to_vec();
        let mut least = vec![vertex];
        let mut seen = vec![self.orbits.find(vertex)];
        for p in cell..cell + len {
            self.check()?;
            let u = self.left.lab[p as usize];
            let root = self.orbits.find(u);
            if seen.contains(&root) {
                continue;
            }
            seen.push(root);
            let values = self.trace_of(i, u);
            match values.cmp(&best) {
                std::cmp::Ordering::Less => (best, least) = (values, vec![u]),
                std::cmp::Ordering::Equal => least.push(u),
                std::cmp::Ordering::Greater => {}
            }
        }
        Ok(least)
    }

    /// The trace of individualising another vertex at a level.
    fn trace_of(&mut self, i: usize, u: u32) -> Vec<u64> {
        let node = self.node(i);
        let AutomorphismSearch { graph, cells, right, refiner, difference, .. } = self;
        let mut trace = RefinementTrace::default();
        refiner.individualise(cells, right, u, difference);
        refiner.refine(graph, cells, right, &mut trace, difference, &|| false);
        self.back(&node);
        trace.values
    }
}

/// A product by halves, so that large groups cost little.
fn product(mut factors: Vec<BigUint>) -> BigUint {
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|c| c.iter().product()).collect();
    }
    factors.pop().unwrap_or_else(|| BigUint::from(1u32))
}
