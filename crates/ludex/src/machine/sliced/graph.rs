//! `Graph`: the and/xor graph of one phase.
//!
//! Nodes are hashed and simplified as they are made; a `Lit` is a node or its negation, as in the net.
//! A variable is a place in memory. A recursive component becomes feedback variables: each has the
//! literal of its next sweep, and the least fixpoint is reached by sweeping from all false.

use super::plan::Slot;
use crate::net::{Gates, Lit, Moves, Set};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Node 0 alone.
    False,
    Var(Slot),
    And(Lit, Lit),
    Xor(Lit, Lit),
}

/// A variable of a recursive component: `slot` holds it, `next` is its value after one more sweep.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    pub component: usize,
    pub slot: Slot,
    pub next: Lit,
}

#[derive(Debug)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub feedback: Vec<Feedback>,
    hash: FxHashMap<Node, u32>,
    moves: Moves,
}

impl Graph {
    pub fn new() -> Graph {
        Graph {
            nodes: vec![Node::False],
            feedback: Vec::new(),
            hash: FxHashMap::default(),
            moves: Moves::default(),
        }
    }

    /// Notes that exactly one of these literals is true: the moves of a role.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.moves.add(lits.to_vec());
    }

    pub fn var(&mut self, slot: Slot) -> Lit {
        self.node(Node::Var(slot))
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(lit) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return lit;
        }
        self.node(Node::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.negated() ^ b.negated();
        let (a, b) = (Lit::new(a.gate(), false), Lit::new(b.gate(), false));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let positive = match (a, b) {
            (a, b) if a == b => Lit::FALSE,
            (Lit::FALSE, b) => b,
            _ => self.node(Node::Xor(a, b)),
        };
        if negated { !positive } else { positive }
    }

    /// `a + b + c`: the sum bit and the carry. The carry is read off `a`, `b` and the sum, so that the
    /// sum may take the place of `c`.
    pub fn add(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        let sum = self.xor(half, c);
        if a.gate() == 0 || b.gate() == 0 || c.gate() == 0 {
            return (sum, self.majority(a, b, c));
        }
        let differ = self.and(half, !sum);
        let agree = self.and(!half, a);
        (sum, self.or(differ, agree))
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let both = self.and(a, b);
        let one = self.xor(a, b);
        let carried = self.and(one, c);
        self.or(both, carried)
    }

    /// The disjunction. Where it has nearly all moves of a role, the others are negated instead.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let mut roles: Vec<usize> = lits.iter().filter_map(|lit| self.moves.role(*lit)).collect();
        roles.sort_unstable();
        roles.dedup();
        for role in roles {
            let of_role = |lit: &Lit| self.moves.role(*lit) == Some(role);
            let (some, rest): (Vec<Lit>, Vec<Lit>) = lits.iter().partition(|lit| of_role(lit));
            if some.len() > 1 {
                lits = rest;
                lits.push(self.any_of_role(some));
            }
        }
        lits.sort_unstable();
        self.tree(lits)
    }

    /// The disjunction of literals that depend on one role's move alone.
    fn any_of_role(&mut self, lits: Vec<Lit>) -> Lit {
        let sets: Vec<Set> = lits.iter().filter_map(|lit| self.moves.set(*lit)).collect();
        let union = self.moves.union(&sets);
        let lit = if union.inverted && union.moves.len() <= 2 * lits.len() + 8 {
            !self.tree(self.moves.named(&union))
        } else {
            self.tree(lits)
        };
        self.moves.record(lit, &union);
        lit
    }

    fn tree(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            let pairs = lits.chunks(2);
            lits = pairs.map(|c| if let [a, b] = *c { self.or(a, b) } else { c[0] }).collect();
        }
        lits.pop().unwrap_or(Lit::FALSE)
    }

    /// The bases that literals depend on, ascending.
    pub fn bases_below(&self, roots: &[Lit]) -> Vec<u32> {
        let mut seen = vec![false; self.nodes.len()];
        let mut bases = Vec::new();
        let next = self.feedback.iter().map(|feedback| feedback.next);
        let mut stack: Vec<Lit> = roots.iter().copied().chain(next).collect();
        while let Some(lit) = stack.pop() {
            if std::mem::replace(&mut seen[lit.gate()], true) {
                continue;
            }
            match self.nodes[lit.gate()] {
                Node::And(a, b) | Node::Xor(a, b) => stack.extend([a, b]),
                Node::Var(Slot::Now(base)) => bases.push(base),
                _ => {}
            }
        }
        bases.sort_unstable();
        bases
    }

    /// `a & b` where `b` is a conjunction, or the negation of one, that mentions `a`.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(x, y) = self.nodes[b.gate()] else { return None };
        match b.negated() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Lit::FALSE),
            true if a == !x || a == !y => Some(a),
            true if a == x => Some(self.and(a, !y)),
            true if a == y => Some(self.and(a, !x)),
            _ => None,
        }
    }

    fn node(&mut self, node: Node) -> Lit {
        let nodes = &mut self.nodes;
        let id = *self.hash.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        });
        Lit::new(id as usize, false)
    }
}

impl Gates for Graph {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        Graph::and(self, a, b)
    }

    fn conjunction(&mut self, lits: Vec<Lit>) -> Lit {
        !self.any(&lits.into_iter().map(|l| !l).collect::<Vec<_>>())
    }

    /// One product after the other: `all + a x` is a single cell of three inputs.
    fn sum(&mut self, alone: Vec<Lit>, products: Vec<Lit>) -> Lit {
        let all = self.any(&alone);
        products.into_iter().fold(all, |all, product| self.or(all, product))
    }
}
