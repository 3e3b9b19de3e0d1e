//! The strata of relations: negation only looks down.
//!
//! The graph of "depends on" is cut into its strongly connected components (Tarjan), which come out
//! with every component after those it depends on; one sweep then gives each the least stratum.
//! All of it is linear in the rules and free of recursion.

use super::{Literal, Rel, Rule, Rules};

/// The least stratum of every relation, or none where negation goes round in a circle.
pub fn strata(rules: &Rules) -> Option<Vec<u32>> {
    let graph = DependencyGraph::of(rules.relations.len(), &rules.rules);
    let components = graph.components();
    let mut strata = vec![0u32; graph.len()];
    for members in components.lists() {
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
    /// The relation depended on, and whether under negation.
    targets: Vec<(u32, bool)>,
}

/// The strongly connected components, each after all that it depends on.
pub struct Components {
    /// The component of every relation.
    pub of: Vec<u32>,
    members: Vec<u32>,
    starts: Vec<u32>,
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
            targets: edges.into_iter().map(|(_, to, neg)| (to, neg)).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn edges(&self, from: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let range = self.starts[from as usize] as usize..self.starts[from as usize + 1] as usize;
        self.targets[range].iter().copied()
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
        const NONE: u32 = u32::MAX;
        let n = self.len();
        let (mut order, mut low) = (vec![NONE; n], vec![0u32; n]);
        let mut found = Components { of: vec![NONE; n], members: vec![], starts: vec![0] };
        let (mut stack, mut path, mut count) = (Vec::new(), Vec::new(), 0);
        for root in 0..n as u32 {
            if order[root as usize] == NONE {
                path.push((root, self.starts[root as usize]));
            }
            while let Some((node, edge)) = path.last_mut() {
                let v = *node as usize;
                if order[v] == NONE {
                    (order[v], low[v]) = (count, count);
                    count += 1;
                    stack.push(*node);
                }
                if *edge < self.starts[v + 1] {
                    let to = self.targets[*edge as usize].0 as usize;
                    *edge += 1;
                    if order[to] == NONE {
                        path.push((to as u32, self.starts[to]));
                    } else if found.of[to] == NONE {
                        low[v] = low[v].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    low[*parent as usize] = low[*parent as usize].min(low[v]);
                }
                if low[v] == order[v] {
                    found.close(v as u32, &mut stack);
                }
            }
        }
        found
    }
}

impl Components {
    /// Takes the component of `root` off the stack.
    fn close(&mut self, root: u32, stack: &mut Vec<u32>) {
        let component = self.starts.len() as u32 - 1;
        while let Some(v) = stack.pop() {
            self.of[v as usize] = component;
            self.members.push(v);
            if v == root {
                break;
            }
        }
        self.starts.push(self.members.len() as u32);
    }

    pub fn same(&self, a: u32, b: u32) -> bool {
        self.of[a as usize] == self.of[b as usize]
    }

    pub fn lists(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|w| &self.members[w[0] as usize..w[1] as usize])
    }
}

impl Rules {
    /// For every relation, whether it can depend on one of `roots`, itself included.
    pub fn depending_on(&self, roots: &[Rel]) -> Vec<bool> {
        let mut users = vec![Vec::new(); self.relations.len()];
        for rule in &self.rules {
            for atom in rule.body.iter().filter_map(Literal::atom) {
                users[atom.rel.index()].push(rule.head.rel);
            }
        }
        let mut depends = vec![false; self.relations.len()];
        let mut queue: Vec<Rel> = roots.to_vec();
        while let Some(rel) = queue.pop() {
            if !std::mem::replace(&mut depends[rel.index()], true) {
                queue.extend(&users[rel.index()]);
            }
        }
        depends
    }
}
