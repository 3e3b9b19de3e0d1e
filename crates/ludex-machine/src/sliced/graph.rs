//! `SlicedGraph`: the and/xor graph of one phase.
//!
//! Nodes are hashed and simplified as they are made; a `Lit` is a node or its negation, as in the net.
//! A variable is a place in memory. A recursive component becomes feedback variables: each has the
//! literal of its next sweep, and the least fixpoint is reached by sweeping from all false.

use super::choice::Picks;
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
    choices: Vec<OneOf>,
    /// Literals that are disjunctions within a choice, with the members.
    parts: FxHashMap<Lit, (u32, Rc<[u32]>)>,
}

/// Literals of which exactly one is true.
#[derive(Debug)]
struct OneOf {
    members: Vec<Lit>,
    /// By their first member, the ends of ranges of members, and literals that say that one of them is true.
    ranges: Vec<Vec<(usize, Lit)>>,
    /// Where members stand in a grid.
    grid: Option<OneOfGrid>,
}

/// A member is the conjunction of its row and of its column.
#[derive(Debug)]
struct OneOfGrid {
    rows: Vec<Lit>,
    /// The number of the choice among columns.
    columns: u32,
    width: usize,
}

/// Literals one of which is true where one of some members is; in rows of a grid those of some columns.
#[derive(Default)]
struct OneOfCover {
    lits: Vec<Lit>,
    rows: Vec<(usize, Vec<usize>)>,
}

impl OneOfCover {
    /// About how many nodes it needs.
    fn work(&self) -> usize {
        let row = |(_, columns): &(usize, Vec<usize>)| columns.len().div_ceil(2);
        self.lits.len() + self.rows.iter().map(row).sum::<usize>()
    }
}

impl OneOf {
    /// The fewest literals, one of which is true where one of the members in a set is, or none of them.
    fn cover(&self, set: &[bool], inside: bool) -> OneOfCover {
        let wanted = |i: usize| set[i] == inside;
        let (mut cover, mut at) = (OneOfCover::default(), 0);
        while at < self.members.len() {
            let all = |range: &&(usize, Lit)| (at..range.0).all(wanted);
            let widest = self.ranges[at].iter().filter(all).max_by_key(|range| range.0);
            match (widest, &self.grid) {
                _ if !wanted(at) => (),
                (Some((_, lit)), _) => cover.lits.push(*lit),
                (None, None) => cover.lits.push(self.members[at]),
                (None, Some(grid)) => {
                    let (row, column) = (at / grid.width, at % grid.width);
                    match cover.rows.last_mut().filter(|last| last.0 == row) {
                        Some((_, columns)) => columns.push(column),
                        None => cover.rows.push((row, vec![column])),
                    }
                }
            }
            at = widest.filter(|_| wanted(at)).map_or(at + 1, |range| range.0);
        }
        cover
    }
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

    /// Notes that exactly one of the picked literals is true, and which others say that one in a range is;
    /// the number of the choice.
    pub fn exactly_one(&mut self, picks: &Picks) -> u32 {
        let grid = picks.grid.as_ref().map(|(rows, columns)| OneOfGrid {
            rows: rows.clone(),
            width: columns.moves.len(),
            columns: self.exactly_one(columns),
        });
        let number = self.choices.len() as u32;
        let mut by_first = vec![Vec::new(); picks.moves.len()];
        picks.ranges.iter().for_each(|(range, lit)| by_first[range.start].push((range.end, *lit)));
        for (i, lit) in picks.moves.iter().enumerate() {
            self.parts.insert(*lit, (number, [i as u32].into()));
        }
        if let Some(grid) = &grid {
            for (row, lit) in grid.rows.iter().enumerate() {
                let members = row * grid.width..picks.moves.len().min((row + 1) * grid.width);
                self.parts.insert(*lit, (number, members.map(|i| i as u32).collect()));
            }
        }
        self.choices.push(OneOf { members: picks.moves.clone(), ranges: by_first, grid });
        number
    }

    /// The choice that a literal is a part of.
    pub fn choice_of(&self, lit: Lit) -> Option<u32> {
        self.parts.get(&lit).map(|part| part.0)
    }

    /// A part's choice, and which members it has.
    pub fn moves_of(&self, part: Lit) -> (u32, &[u32]) {
        let (choice, members) = &self.parts[&part];
        (*choice, members)
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
        let all = &self.choices[choice as usize];
        let mut set = vec![false; all.members.len()];
        let members = lits.iter().flat_map(|lit| self.parts[lit].1.iter());
        members.for_each(|member| set[*member as usize] = true);
        let (inside, outside) = (all.cover(&set, true), all.cover(&set, false));
        // The few others stand for themselves elsewhere: a piece that stays is one that does not go.
        let many = 2 * set.iter().filter(|member| **member).count() > set.len();
        let lit = match lits.len().min(inside.work()) {
            _ if many && outside.work() <= 2 * lits.len() + 8 => {
                !self.any_of_cover(choice, outside)
            }
            most if outside.work() < most => !self.any_of_cover(choice, outside),
            _ if inside.work() < lits.len() => self.any_of_cover(choice, inside),
            _ => self.tree(lits.to_vec()),
        };
        if lit.gate() != 0 {
            let members = (0..set.len()).filter(|i| set[*i]).map(|i| i as u32);
            self.parts.entry(lit).or_insert_with(|| (choice, members.collect()));
        }
        lit
    }

    fn any_of_cover(&mut self, choice: u32, cover: OneOfCover) -> Lit {
        let mut lits = cover.lits;
        for (row, columns) in cover.rows {
            let grid = self.choices[choice as usize].grid.as_ref().expect("it has rows");
            let (here, inner) = (grid.rows[row], grid.columns);
            let members = &self.choices[inner as usize].members;
            let columns: Vec<Lit> = columns.into_iter().map(|column| members[column]).collect();
            let column = self.any_of_choice(inner, &columns);
            lits.push(self.and(here, column));
        }
        self.tree(lits)
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
