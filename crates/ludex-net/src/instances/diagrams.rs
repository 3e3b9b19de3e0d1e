//! `Diagrams`: sets of tuples as decision diagrams, for relations with more tuples than can be listed.
//!
//! A node asks for the value of one variable, those of lower number first, and goes on with another
//! node. Equal nodes are one, and so are equal sets.

use rustc_hash::FxHashMap;

pub const NO: u32 = 0;
pub const YES: u32 = 1;

/// Nodes and steps of their making at which a diagram is given up.
const MOST: usize = 2_000_000;

/// What stands for a variable of a diagram.
#[derive(Clone, Copy)]
pub enum DiagramArg {
    Var(u32),
    Value(usize),
}

pub struct Diagrams {
    /// How many values a variable can have.
    values: usize,
    /// Variable, and per value the node that follows.
    nodes: Vec<(u32, Box<[u32]>)>,
    index: FxHashMap<(u32, Box<[u32]>), u32>,
    /// Conjunctions (true) and disjunctions that were made.
    made: FxHashMap<(bool, u32, u32), u32>,
}

impl Diagrams {
    pub fn new(values: usize) -> Diagrams {
        let ends = vec![(u32::MAX, [].into()), (u32::MAX, [].into())];
        Diagrams { values, nodes: ends, index: FxHashMap::default(), made: FxHashMap::default() }
    }

    /// Has too much been made for the answers to be right?
    pub fn is_full(&self) -> bool {
        self.nodes.len() + self.made.len() > MOST
    }

    /// The node that follows where a variable has a value.
    pub fn follow(&self, node: u32, var: u32, value: usize) -> u32 {
        let (own, to) = &self.nodes[node as usize];
        if *own == var { to[value] } else { node }
    }

    fn node(&mut self, var: u32, to: Vec<u32>) -> u32 {
        if to.iter().all(|t| *t == to[0]) {
            return to[0];
        }
        let (next, to) = (self.nodes.len() as u32, to.into_boxed_slice());
        let node = *self.index.entry((var, to.clone())).or_insert(next);
        if node == next {
            self.nodes.push((var, to));
        }
        node
    }

    /// The variable has the value.
    pub fn is(&mut self, var: u32, value: usize) -> u32 {
        let to = (0..self.values).map(|v| if v == value { YES } else { NO }).collect();
        self.node(var, to)
    }

    pub fn equal(&mut self, a: DiagramArg, b: DiagramArg) -> u32 {
        match (a, b) {
            (DiagramArg::Value(a), DiagramArg::Value(b)) => (a == b) as u32,
            (DiagramArg::Var(var), DiagramArg::Value(value))
            | (DiagramArg::Value(value), DiagramArg::Var(var)) => self.is(var, value),
            (DiagramArg::Var(a), DiagramArg::Var(b)) if a == b => YES,
            (DiagramArg::Var(a), DiagramArg::Var(b)) => {
                let same = (0..self.values).map(|v| self.is(a.max(b), v)).collect();
                self.node(a.min(b), same)
            }
        }
    }

    pub fn and(&mut self, a: u32, b: u32) -> u32 {
        self.join(true, a, b)
    }

    pub fn or(&mut self, a: u32, b: u32) -> u32 {
        self.join(false, a, b)
    }

    fn join(&mut self, both: bool, a: u32, b: u32) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        match (both, a) {
            (true, NO) | (false, YES) => return a,
            (true, YES) | (false, NO) => return b,
            _ if a == b || self.is_full() => return a,
            _ => {}
        }
        if let Some(node) = self.made.get(&(both, a, b)) {
            return *node;
        }
        let var = self.nodes[a as usize].0.min(self.nodes[b as usize].0);
        let to = (0..self.values)
            .map(|v| self.join(both, self.follow(a, var, v), self.follow(b, var, v)))
            .collect();
        let node = self.node(var, to);
        self.made.insert((both, a, b), node);
        node
    }

    pub fn not(&mut self, node: u32) -> u32 {
        self.rebuild(node, &mut FxHashMap::from_iter([(NO, YES), (YES, NO)]), &mut |d, var, to| {
            d.node(var, to)
        })
    }

    /// For some value of the variable.
    pub fn exists(&mut self, node: u32, var: u32) -> u32 {
        self.rebuild(node, &mut ends(), &mut |d, own, to| match own == var {
            true => to.into_iter().fold(NO, |all, t| d.or(all, t)),
            false => d.node(own, to),
        })
    }

    /// With other variables, or values, in place of the variables `0..args.len()`.
    pub fn with(&mut self, node: u32, args: &[DiagramArg]) -> u32 {
        self.rebuild(node, &mut ends(), &mut |d, var, to| match args[var as usize] {
            DiagramArg::Value(value) => to[value],
            DiagramArg::Var(var) => to.into_iter().enumerate().fold(NO, |all, (value, t)| {
                let is = d.is(var, value);
                let here = d.and(is, t);
                d.or(all, here)
            }),
        })
    }

    /// Makes a node anew from its variable and what its followers have become.
    fn rebuild(
        &mut self,
        node: u32,
        done: &mut FxHashMap<u32, u32>,
        make: &mut impl FnMut(&mut Diagrams, u32, Vec<u32>) -> u32,
    ) -> u32 {
        if let Some(new) = done.get(&node) {
            return *new;
        }
        let (var, to) = self.nodes[node as usize].clone();
        let to = to.iter().map(|t| self.rebuild(*t, done, make)).collect();
        let new = make(self, var, to);
        done.insert(node, new);
        new
    }
}

fn ends() -> FxHashMap<u32, u32> {
    FxHashMap::from_iter([(NO, NO), (YES, YES)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tuples of a diagram over three variables with three values.
    fn tuples(d: &Diagrams, node: u32) -> Vec<[usize; 3]> {
        let all = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        let end = |t: &[usize; 3]| (0..3).fold(node, |n, var| d.follow(n, var as u32, t[var]));
        all.filter(|t| end(t) == YES).collect()
    }

    #[test]
    fn operations_are_those_of_sets_and_equal_sets_are_one_node() {
        let mut d = Diagrams::new(3);
        let [a, b, c] = [DiagramArg::Var(0), DiagramArg::Var(1), DiagramArg::Var(2)];
        let (ab, bc) = (d.equal(a, b), d.equal(b, c));
        let all = d.and(ab, bc);
        assert_eq!(tuples(&d, all), [[0, 0, 0], [1, 1, 1], [2, 2, 2]]);
        let (different, ac) = (d.not(ab), d.equal(a, c));
        assert_eq!(tuples(&d, different).len(), 18);
        assert_eq!(d.exists(all, 1), ac);
        assert_eq!(d.with(ab, &[c, a]), ac);
        let (one, one_more) = (d.with(ab, &[DiagramArg::Value(1), b]), d.is(1, 1));
        assert_eq!(one, one_more);
        let either = d.or(ab, different);
        assert_eq!((either, d.and(ab, different)), (YES, NO));
    }
}
