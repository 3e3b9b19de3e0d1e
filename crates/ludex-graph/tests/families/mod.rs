//! Families of graphs with known groups, for the tests of this crate.
#![allow(dead_code)]

use ludex_graph::Graph;

pub type Edges = Vec<(u32, u32)>;

/// A graph of one colour.
pub fn plain(n: usize, edges: Edges) -> Graph {
    Graph::new(vec![0; n], &edges)
}

pub fn cycle(n: u32) -> Graph {
    plain(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect())
}

pub fn complete(n: u32) -> Graph {
    plain(n as usize, (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).collect())
}

pub fn bipartite(m: u32, n: u32) -> Graph {
    plain((m + n) as usize, (0..m).flat_map(|a| (0..n).map(move |b| (a, m + b))).collect())
}

pub fn cube(d: u32) -> Graph {
    let n = 1u32 << d;
    plain(n as usize, (0..n).flat_map(|v| (0..d).map(move |i| (v, v ^ 1 << i))).collect())
}

pub fn grid(w: u32, h: u32) -> Graph {
    let at = move |x, y| y * w + x;
    let right = (0..h).flat_map(|y| (1..w).map(move |x| (at(x - 1, y), at(x, y))));
    let down = (1..h).flat_map(|y| (0..w).map(move |x| (at(x, y - 1), at(x, y))));
    plain((w * h) as usize, right.chain(down).collect())
}

pub fn petersen() -> Graph {
    plain(
        10,
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect(),
    )
}

/// Two cells are joined if they share a row or a column.
pub fn rook(n: u32) -> Graph {
    let joined = move |a: u32, b: u32| a / n == b / n || a % n == b % n;
    let pairs = (0..n * n).flat_map(move |a| (0..a).map(move |b| (a, b)));
    plain((n * n) as usize, pairs.filter(|&(a, b)| joined(a, b)).collect())
}

/// Strongly regular like the rook's graph of side 4, and not isomorphic to it.
pub fn shrikhande() -> Graph {
    let steps = [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)];
    let edges =
        (0..16u32).flat_map(|v| steps.map(|(x, y)| (v, (v / 4 + x) % 4 * 4 + (v % 4 + y) % 4)));
    plain(16, edges.collect())
}

/// Joined if the difference is a square modulo the prime.
pub fn paley(p: u32) -> Graph {
    let squares: Vec<u32> = (1..p).map(|x| x * x % p).collect();
    let pairs = (0..p).flat_map(move |a| (0..a).map(move |b| (a, b)));
    plain(p as usize, pairs.filter(|&(a, b)| squares.contains(&(a - b))).collect())
}

/// A full binary tree of 2^depth - 1 vertices.
pub fn tree(depth: u32) -> Graph {
    let n = (1u32 << depth) - 1;
    plain(n as usize, (1..n).map(|v| ((v - 1) / 2, v)).collect())
}

pub fn star(leaves: u32) -> Graph {
    plain(leaves as usize + 1, (1..=leaves).map(|v| (0, v)).collect())
}

/// Copies side by side, all of one colour.
pub fn union(parts: &[Graph]) -> Graph {
    let mut colours = Vec::new();
    let mut edges = Vec::new();
    for g in parts {
        let shift = colours.len() as u32;
        colours.extend_from_slice(g.colours());
        for v in 0..g.len() as u32 {
            edges.extend(g.neighbours(v).iter().map(|w| (v + shift, w + shift)));
        }
    }
    Graph::new(colours, &edges)
}

/// Cai, Fürer and Immerman's graph over a cubic graph; `twisted` gives its non-isomorphic sister.
pub fn cfi(base: &Graph, twisted: bool) -> Graph {
    let mut colours = Vec::new();
    let mut edges = Vec::new();
    let n = base.len() as u32;
    let end = |v: u32, i: usize, bit: u32| n * 4 + (v * 3 + i as u32) * 2 + bit;
    for v in 0..n {
        for (m, mask) in [0u32, 3, 5, 6].into_iter().enumerate() {
            for i in 0..3 {
                edges.push((v * 4 + m as u32, end(v, i, mask >> i & 1)));
            }
        }
    }
    colours.resize(4 * n as usize, 0);
    colours.resize(10 * n as usize, 1);
    let mut twist = twisted as u32;
    for v in 0..n {
        for (i, &w) in base.neighbours(v).iter().enumerate().filter(|(_, w)| v < **w) {
            let j = base.neighbours(w).iter().position(|&x| x == v).expect("symmetric");
            for bit in 0..2 {
                edges.push((end(v, i, bit), end(w, j, bit ^ twist)));
            }
            twist = 0;
        }
    }
    Graph::new(colours, &edges)
}

/// Numbers that look random and are the same on every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * n as u64) >> 32) as u32
    }

    pub fn permutation(&mut self, n: usize) -> Vec<u32> {
        let mut p: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            p.swap(i, self.below(i as u32 + 1) as usize);
        }
        p
    }

    pub fn graph(&mut self, n: u32, edges: usize, colours: u32) -> Graph {
        let colours = (0..n).map(|_| self.below(colours)).collect();
        let edges: Edges = (0..edges).map(|_| (self.below(n), self.below(n))).collect();
        Graph::new(colours, &edges)
    }
}
