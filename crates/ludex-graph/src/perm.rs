//! Permutations: dense (a table of images), sparse (the moved points), and the orbits of several.

use std::fmt;

/// A permutation of `0..n` as the table of its images.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Perm(pub Vec<u32>);

/// A permutation as the list of moved points with their images, sorted by point.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SparsePerm(pub Vec<(u32, u32)>);

impl Perm {
    pub fn identity(n: usize) -> Perm {
        Perm((0..n as u32).collect())
    }

    pub fn degree(&self) -> usize {
        self.0.len()
    }

    pub fn image(&self, p: u32) -> u32 {
        self.0[p as usize]
    }

    pub fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(i, &x)| i as u32 == x)
    }

    /// First `self`, then `after`.
    pub fn then(&self, after: &Perm) -> Perm {
        Perm(self.0.iter().map(|&x| after.image(x)).collect())
    }

    pub fn inverse(&self) -> Perm {
        let mut inverse = vec![0; self.0.len()];
        for (i, &x) in self.0.iter().enumerate() {
            inverse[x as usize] = i as u32;
        }
        Perm(inverse)
    }

    pub fn sparse(&self) -> SparsePerm {
        let moved = self.0.iter().enumerate().map(|(i, &x)| (i as u32, x));
        SparsePerm(moved.filter(|(i, x)| i != x).collect())
    }

    /// The cycles of length two and more, each from its smallest point, in order.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.0.len()];
        let mut cycles = Vec::new();
        for first in 0..self.0.len() as u32 {
            let mut cycle = Vec::new();
            let mut at = first;
            while !std::mem::replace(&mut seen[at as usize], true) {
                cycle.push(at);
                at = self.image(at);
            }
            if cycle.len() > 1 {
                cycles.push(cycle);
            }
        }
        cycles
    }
}

impl SparsePerm {
    pub fn image(&self, p: u32) -> u32 {
        self.0.binary_search_by_key(&p, |m| m.0).map_or(p, |i| self.0[i].1)
    }

    pub fn dense(&self, n: usize) -> Perm {
        let mut perm = Perm::identity(n);
        self.0.iter().for_each(|&(p, x)| perm.0[p as usize] = x);
        perm
    }
}

impl fmt::Display for Perm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cycles = self.cycles();
        if cycles.is_empty() {
            return f.write_str("()");
        }
        cycles.iter().try_for_each(|c| {
            let points: Vec<String> = c.iter().map(u32::to_string).collect();
            write!(f, "({})", points.join(" "))
        })
    }
}

/// A partition of `0..n` that only grows coarser: the orbits of a growing group.
#[derive(Clone, Debug)]
pub struct Orbits {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Orbits {
    pub fn new(n: usize) -> Orbits {
        Orbits { parent: (0..n as u32).collect(), size: vec![1; n] }
    }

    /// The orbits on `0..n` of the group that the permutations generate.
    pub fn of(n: usize, perms: &[Perm]) -> Orbits {
        let mut orbits = Orbits::new(n);
        for perm in perms {
            perm.0.iter().enumerate().for_each(|(i, &x)| {
                orbits.join(i as u32, x);
            });
        }
        orbits
    }

    pub fn find(&mut self, mut p: u32) -> u32 {
        while self.parent[p as usize] != p {
            let up = self.parent[self.parent[p as usize] as usize];
            self.parent[p as usize] = up;
            p = up;
        }
        p
    }

    /// The root of the joined orbit; the smaller orbit goes below the larger.
    pub fn join(&mut self, a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        if self.size[a as usize] < self.size[b as usize] {
            (a, b) = (b, a);
        }
        self.parent[b as usize] = a;
        self.size[a as usize] += self.size[b as usize];
        a
    }

    /// The size of a point's orbit.
    pub fn size(&mut self, p: u32) -> usize {
        let root = self.find(p);
        self.size[root as usize] as usize
    }

    /// The orbits as sorted lists, by smallest point.
    pub fn lists(&mut self) -> Vec<Vec<u32>> {
        let n = self.parent.len();
        let mut at = vec![usize::MAX; n];
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for p in 0..n as u32 {
            let root = self.find(p) as usize;
            if at[root] == usize::MAX {
                at[root] = lists.len();
                lists.push(Vec::new());
            }
            lists[at[root]].push(p);
        }
        lists
    }
}
