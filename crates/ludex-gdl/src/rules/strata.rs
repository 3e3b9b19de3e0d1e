//! The strata of relations: negation only looks down.
//!
//! The graph of "depends on" is cut into its strongly connected components, which come out with every
//! component after those it depends on; one sweep then gives each the least stratum.
//! All of it is linear in the rules and free of recursion.

use super::{Literal, Rel, Rule, Rules};
use crate::digraph::{Components, components, reached};

/// The least stratum of every relation, or none where negation goes round in a circle.
pub fn strata(rules: &Rules) -> Option<Vec<u32>> {
    let graph = DependencyGraph::of(rules.relations.len(), &rules.rules);
    let components = graph.components();
    let mut strata = vec![0u32; graph.len()];
    for members in components.iter() {
        let mut stratum = 0;
        for from in members {
            for (to, negative) in graph.edges(*from) {
                if components.same(*from, to) {
                    if negative {
                        return None;
                    }
                } else {
                    stratum = stratum.max(strata[to as usize] + negative as u32);
                }
            }
        }
        members.iter().for_each(|m| strata[*m as usize] = stratum);
    }
    Some(strata)
}

/// Which relation depends on which: an edge from the head of a rule to each relation of its body.
pub struct DependencyGraph {
    starts: Vec<u32>,
    /// The relations depended on.
    targets: Vec<u32>,
    /// Which of them under negation.
    negative: Vec<bool>,
}

impl DependencyGraph {
    pub fn of(relations: usize, rules: &[Rule]) -> DependencyGraph {
        let mut edges: Vec<(u32, u32, bool)> = Vec::new();
        for rule in rules {
            for literal in &rule.body {
                match literal {
                    Literal::Pos(a) => edges.push((rule.head.rel.0, a.rel.0, false)),
                    Literal::Neg(a) => edges.push((rule.head.rel.0, a.rel.0, true)),
                    Literal::Distinct(..) => {}
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; relations + 1];
        edges.iter().for_each(|(from, ..)| starts[*from as usize + 1] += 1);
        (0..relations).for_each(|i| starts[i + 1] += starts[i]);
        DependencyGraph {
            starts,
            targets: edges.iter().map(|e| e.1).collect(),
            negative: edges.iter().map(|e| e.2).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn edges(&self, from: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let range = self.range(from);
        self.targets[range.clone()].iter().copied().zip(self.negative[range].iter().copied())
    }

    fn range(&self, from: u32) -> std::ops::Range<usize> {
        self.starts[from as usize] as usize..self.starts[from as usize + 1] as usize
    }

    /// A shortest way along the edges, at least one, from `from` to a relation that is wanted,
    /// through relations that are allowed; both ends are in it.
    pub fn path(
        &self,
        from: u32,
        wanted: impl Fn(u32) -> bool,
        allowed: impl Fn(u32) -> bool,
    ) -> Option<Vec<u32>> {
        let mut before = vec![u32::MAX; self.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            for (to, _) in self.edges(at) {
                if wanted(to) {
                    let back = std::iter::successors(Some(at), |v| {
                        (*v != from).then(|| before[*v as usize])
                    });
                    let mut path: Vec<u32> = std::iter::once(to).chain(back).collect();
                    path.reverse();
                    return Some(path);
                }
                if to != from && before[to as usize] == u32::MAX && allowed(to) {
                    before[to as usize] = at;
                    queue.push_back(to);
                }
            }
        }
        None
    }

    pub fn components(&self) -> Components {
        components(self.len(), |from| &self.targets[self.range(from)])
    }
}

impl Rules {
    /// For every relation, whether one of `roots` can depend on it, themselves included.
    pub fn needed_by(&self, roots: &[Rel]) -> Vec<bool> {
        let graph = DependencyGraph::of(self.relations.len(), &self.rules);
        let roots = roots.iter().map(|r| r.0);
        reached(graph.len(), roots, |rel| graph.edges(rel).map(|e| e.0))
    }
}
