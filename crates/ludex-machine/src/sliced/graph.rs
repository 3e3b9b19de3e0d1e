//! `SlicedGraph`: the and/xor graph of one phase.
//!
//! Nodes are hashed and simplified as they are made; a `Lit` is a node or its negation, as in the net.
//! A variable is a place in memory. A recursive component becomes feedback variables: each has the
//! literal of its next sweep, and the least fixpoint is reached by sweeping from all false.

use super::plan::WordSlot;
use ludex_net::{Gates, Lit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CircuitNode {
    /// Node 0 alone.
    False,
    Var(WordSlot),
    And(Lit, Lit),
    Xor(Lit, Lit),
}

/// A variable of a recursive component: `slot` holds it, `next` is its value after one more sweep.
#[derive(Clone, Copy, Debug)]
pub struct Feedback {
    /// Components are numbered as they were closed, so that one reads only those before it. (In the
    /// net a loop over moves may stand before one that decides which moves there are.)
    pub component: usize,
    pub slot: WordSlot,
    pub next: Lit,
}

#[derive(Debug)]
pub struct SlicedGraph {
    pub nodes: Vec<CircuitNode>,
    pub feedback: Vec<Feedback>,
    hash: FxHashMap<CircuitNode, u32>,
    /// Sets of literals of which exactly one is true.
    choices: Vec<Vec<Lit>>,
    /// Literals that are disjunctions within a choice, with the members as bits.
    parts: FxHashMap<Lit, (u32, Rc<[u64]>)>,
}

impl SlicedGraph {
    pub fn new() -> SlicedGraph {
        SlicedGraph {
            nodes: vec![CircuitNode::False],
            feedback: Vec::new(),
            hash: FxHashMap::default(),
            choices: Vec::new(),
            parts: FxHashMap::default(),
        }
    }

    /// Notes that exactly one of these literals is true.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        let number = self.choices.len() as u32;
        self.choices.push(lits.to_vec());
        for (i, lit) in lits.iter().enumerate() {
            let mut set = vec![0; lits.len().div_ceil(64)];
            set[i / 64] |= 1 << (i % 64);
            self.parts.insert(*lit, (number, set.into()));
        }
    }

    pub fn var(&mut self, slot: WordSlot) -> Lit {
        self.node(CircuitNode::Var(slot))
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
        self.node(CircuitNode::And(a, b))
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
            _ => self.node(CircuitNode::Xor(a, b)),
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

    /// The disjunction. Where it has nearly all of a choice, the rest of the choice is negated instead.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        let of_choice = lits.iter().filter_map(|lit| Some(self.parts.get(lit)?.0));
        let mut choices: Vec<u32> = of_choice.collect();
        choices.sort_unstable();
        choices.dedup();
        for choice in choices {
            let of_choice = |lit: &Lit| self.parts.get(lit).is_some_and(|part| part.0 == choice);
            let (some, rest): (Vec<Lit>, Vec<Lit>) = lits.iter().partition(|lit| of_choice(lit));
            if some.len() > 1 {
                lits = rest;
                lits.push(self.any_of_choice(choice, &some));
            }
        }
        lits.sort_unstable();
        self.tree(lits)
    }

    /// The disjunction of parts of a choice.
    fn any_of_choice(&mut self, choice: u32, lits: &[Lit]) -> Lit {
        let members = &self.choices[choice as usize];
        let mut set = vec![0; members.len().div_ceil(64)];
        for lit in lits {
            set.iter_mut().zip(self.parts[lit].1.iter()).for_each(|(a, b)| *a |= b);
        }
        let is_absent = |i: &usize| set[i / 64] >> (i % 64) & 1 == 0;
        let absent: Vec<Lit> = (0..members.len()).filter(is_absent).map(|i| members[i]).collect();
        let present = members.len() - absent.len();
        let lit = if absent.len() < present && absent.len() <= 2 * lits.len() + 8 {
            !self.tree(absent)
        } else {
            self.tree(lits.to_vec())
        };
        if lit.gate() != 0 {
            self.parts.entry(lit).or_insert((choice, set.into()));
        }
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
                CircuitNode::And(a, b) | CircuitNode::Xor(a, b) => stack.extend([a, b]),
                CircuitNode::Var(WordSlot::Now(base)) => bases.push(base),
                _ => {}
            }
        }
        bases.sort_unstable();
        bases
    }

    /// `a & b` where `b` is a conjunction, or the negation of one, that mentions `a`.
    fn absorbed(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let CircuitNode::And(x, y) = self.nodes[b.gate()] else { return None };
        match b.negated() {
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Lit::FALSE),
            true if a == !x || a == !y => Some(a),
            true if a == x => Some(self.and(a, !y)),
            true if a == y => Some(self.and(a, !x)),
            _ => None,
        }
    }

    fn node(&mut self, node: CircuitNode) -> Lit {
        let nodes = &mut self.nodes;
        let id = *self.hash.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        });
        Lit::new(id as usize, false)
    }
}

impl Gates for SlicedGraph {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        SlicedGraph::and(self, a, b)
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
