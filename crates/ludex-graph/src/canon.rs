//! `Graph` -> `Canonical`: a labelling that isomorphic graphs share, and isomorphisms from it.
//!
//! Where the cell of every level of the first path is one orbit, the path's leaf is canonical. Where
//! it is not, the vertices with the least trace are followed, one of each orbit, and the least
//! relabelled graph decides between several leaves.

use crate::automorphism::{AutomorphismSearch, Automorphisms};
use crate::graph::Graph;
use crate::{StopFn, Stopped};

/// A graph in canonical form.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The new name of every vertex.
    pub label: Vec<u32>,
    pub graph: Graph,
    pub automorphisms: Automorphisms,
}

/// The canonical form of a coloured graph; colours keep their numbers.
pub fn canonical(graph: &Graph, stop: StopFn) -> Result<Canonical, Stopped> {
    let mut open: Vec<Vec<u32>> = vec![Vec::new()];
    let mut best: Option<(Graph, Vec<u32>)> = None;
    let mut automorphisms = None;
    while let Some(prefix) = open.pop() {
        let mut search = AutomorphismSearch::new(graph, &prefix, &[], stop)?;
        search.climb(0, true)?;
        if follow(&search, prefix, &mut open) {
            let label = search.left.pos.clone();
            let form = graph.relabelled(&label);
            if best.as_ref().is_none_or(|b| key(&form) < key(&b.0)) {
                best = Some((form, label));
            }
        }
        automorphisms.get_or_insert_with(|| search.automorphisms());
    }
    let (graph, label) = best.expect("some path has the least traces");
    Ok(Canonical { label, graph, automorphisms: automorphisms.expect("the first search") })
}

/// Opens the other vertices of least trace along a path; false where the path is not among the least.
fn follow(search: &AutomorphismSearch, mut prefix: Vec<u32>, open: &mut Vec<Vec<u32>>) -> bool {
    for level in &search.levels {
        for &u in level.least.iter().filter(|&&u| u != level.vertex) {
            prefix.push(u);
            open.push(prefix.clone());
            prefix.pop();
        }
        if !level.least.is_empty() && !level.least.contains(&level.vertex) {
            return false;
        }
        prefix.push(level.vertex);
    }
    true
}

/// Neighbour lists in order: equal keys are equal graphs.
fn key(graph: &Graph) -> Vec<&[u32]> {
    (0..graph.len() as u32).map(|v| graph.neighbours(v)).collect()
}

/// A vertex map from `a` to `b` that keeps colours and edges, if there is one.
pub fn isomorphism(a: &Graph, b: &Graph, stop: StopFn) -> Result<Option<Vec<u32>>, Stopped> {
    if a.len() != b.len() || a.edges() != b.edges() {
        return Ok(None);
    }
    let (a, b) = (canonical(a, stop)?, canonical(b, stop)?);
    Ok(a.map_to(&b))
}

impl Canonical {
    /// The isomorphism to another graph that the labellings give, if the forms are equal.
    pub fn map_to(&self, other: &Canonical) -> Option<Vec<u32>> {
        if self.graph != other.graph {
            return None;
        }
        let mut back = vec![0; other.label.len()];
        other.label.iter().enumerate().for_each(|(v, &l)| back[l as usize] = v as u32);
        Some(self.label.iter().map(|&l| back[l as usize]).collect())
    }
}
