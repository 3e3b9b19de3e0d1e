//! Coloured graphs: `Digraph` as it is written down, `Graph` (undirected, sparse) as it is searched.

use rustc_hash::FxHashSet;

/// An undirected graph without loops and parallel edges, with a colour for every vertex.
/// Neighbours of all vertices stand in one array, sorted per vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    colours: Vec<u32>,
    start: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// Loops and repeated edges are dropped.
    pub fn new(colours: Vec<u32>, edges: &[(u32, u32)]) -> Graph {
        let n = colours.len();
        let mut start = vec![0u32; n + 1];
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            start[a as usize + 1] += 1;
            start[b as usize + 1] += 1;
        }
        for v in 0..n {
            start[v + 1] += start[v];
        }
        let mut at = start.clone();
        let mut neighbours = vec![0u32; start[n] as usize];
        for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
            for (x, y) in [(a, b), (b, a)] {
                neighbours[at[x as usize] as usize] = y;
                at[x as usize] += 1;
            }
        }
        Graph { colours, start, neighbours }.deduplicated()
    }

    fn deduplicated(self) -> Graph {
        let n = self.len();
        let mut start = Vec::with_capacity(n + 1);
        let mut neighbours: Vec<u32> = Vec::with_capacity(self.neighbours.len());
        let mut list = Vec::new();
        start.push(0);
        for v in 0..n {
            list.clear();
            list.extend_from_slice(self.neighbours(v as u32));
            list.sort_unstable();
            list.dedup();
            neighbours.extend_from_slice(&list);
            start.push(neighbours.len() as u32);
        }
        Graph { colours: self.colours, start, neighbours }
    }

    pub fn len(&self) -> usize {
        self.colours.len()
    }

    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    pub fn colour(&self, v: u32) -> u32 {
        self.colours[v as usize]
    }

    pub fn colours(&self) -> &[u32] {
        &self.colours
    }

    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }

    pub fn degree(&self, v: u32) -> usize {
        self.neighbours(v).len()
    }

    /// The same graph with other colours.
    pub fn recoloured(&self, colours: Vec<u32>) -> Graph {
        assert_eq!(colours.len(), self.len());
        Graph { colours, ..self.clone() }
    }

    /// The graph with every vertex `v` renamed to `to[v]`.
    pub fn relabelled(&self, to: &[u32]) -> Graph {
        let mut colours = vec![0; self.len()];
        let mut edges = Vec::with_capacity(self.edges());
        for v in 0..self.len() as u32 {
            colours[to[v as usize] as usize] = self.colour(v);
            let later = self.neighbours(v).iter().filter(|&&w| v < w);
            edges.extend(later.map(|&w| (to[v as usize], to[w as usize])));
        }
        Graph::new(colours, &edges)
    }

    /// Whether the vertex map is an automorphism; touches every edge.
    pub fn is_automorphism(&self, map: &[u32]) -> bool {
        map.len() == self.len() && self.relabelled(map) == *self
    }
}

/// A directed graph with coloured vertices: the form in which rules are written down.
#[derive(Clone, Debug, Default)]
pub struct Digraph {
    pub colours: Vec<u32>,
    pub arcs: Vec<(u32, u32)>,
}

impl Digraph {
    pub fn add_arc(&mut self, from: u32, to: u32) {
        self.arcs.push((from, to));
    }

    /// An undirected graph with the same symmetries, whose first vertices are these vertices.
    /// An arc whose direction its colours already tell is an edge; any other is a path through a
    /// tail and a head vertex.
    pub fn undirected(&self) -> Graph {
        let colour = |v: u32| self.colours[v as usize];
        let pairs: FxHashSet<(u32, u32)> =
            self.arcs.iter().map(|&(a, b)| (colour(a), colour(b))).collect();
        let told = |a, b| a != b && !pairs.contains(&(b, a));
        let tail = self.colours.iter().max().map_or(0, |c| c + 1);
        let mut colours = self.colours.clone();
        let mut edges = Vec::with_capacity(self.arcs.len());
        let mut arcs = self.arcs.clone();
        arcs.sort_unstable();
        arcs.dedup();
        for (a, b) in arcs {
            if told(colour(a), colour(b)) {
                edges.push((a, b));
                continue;
            }
            let t = colours.len() as u32;
            colours.extend([tail, tail + 1]);
            edges.extend([(a, t), (t, t + 1), (t + 1, b)]);
        }
        Graph::new(colours, &edges)
    }
}
