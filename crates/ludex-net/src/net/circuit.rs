//! A circuit in the making: gates are structurally hashed and simplified as they are added.
//!
//! Outside of recursive components every gate has one of three forms, so that equal functions of two
//! literals are one gate: `And(a, b)`, `And(a, !b)` and `Or(a, b)`.

use super::factor::Gates;
use super::gate_index::GateIndex;
use super::moves::{MoveSet, Moves};
use super::{Gate, Lit, Net};

#[derive(Clone)]
pub struct Circuit {
    pub gates: Vec<Gate>,
    index: GateIndex,
    pub components: Vec<std::ops::Range<usize>>,
    moves: Moves,
}

impl Circuit {
    /// A circuit with its leaves only; `inputs` is the number of every role's inputs.
    pub fn new(bases: usize, inputs: &[usize]) -> Circuit {
        let mut gates = vec![Gate::False];
        gates.extend((0..bases as u32).map(Gate::Base));
        gates.extend((0..inputs.iter().sum::<usize>() as u32).map(Gate::Input));
        let moves = Moves::new(1 + bases, inputs);
        Circuit { gates, index: GateIndex::default(), components: vec![], moves }
    }

    /// A circuit that goes on from that of a net.
    pub fn of(net: &Net) -> Circuit {
        let inputs: Vec<usize> = (0..net.roles.len()).map(|r| net.inputs_of(r).len()).collect();
        let moves = Moves::new(1 + net.bases.len(), &inputs);
        let index = GateIndex::of(&net.gates);
        Circuit { gates: net.gates.clone(), index, components: net.components.clone(), moves }
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Lit::FALSE, _) => return Lit::FALSE,
            (Lit::TRUE, _) => return b,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        if let Some(simple) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return simple;
        }
        match (a.negated(), b.negated()) {
            (true, true) => !self.gate(Gate::Or(!a, !b)),
            (true, false) => self.gate(Gate::And(b, a)),
            _ => self.gate(Gate::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a & b` where one is a gate over the other.
    fn absorb(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        // b as a conjunction of x and y, or as a disjunction of them.
        let (x, y, conjunction) = match (self.gates[b.gate()], b.negated()) {
            (Gate::And(x, y), false) => (x, y, true),
            (Gate::And(x, y), true) => (!x, !y, false),
            (Gate::Or(x, y), false) => (x, y, false),
            (Gate::Or(x, y), true) => (!x, !y, true),
            _ => return None,
        };
        if conjunction {
            if a == x || a == y {
                return Some(b);
            }
            return (a == !x || a == !y).then_some(Lit::FALSE);
        }
        if a == x || a == y {
            return Some(a);
        }
        if a == !x {
            return Some(self.and(a, y));
        }
        (a == !y).then(|| self.and(a, x))
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        Lit::new(self.index.find_or_push(gate, &mut self.gates), false)
    }

    /// A gate of a component: only constants and equal gates are simplified, and the form is kept.
    pub fn looped(&mut self, gate: Gate) -> Lit {
        match gate {
            Gate::LoopAnd(Lit::FALSE, _) | Gate::LoopAnd(_, Lit::FALSE) => Lit::FALSE,
            Gate::LoopOr(Lit::TRUE, _) | Gate::LoopOr(_, Lit::TRUE) => Lit::TRUE,
            Gate::LoopAnd(Lit::TRUE, x) | Gate::LoopAnd(x, Lit::TRUE) => x,
            Gate::LoopOr(Lit::FALSE, x) | Gate::LoopOr(x, Lit::FALSE) => x,
            Gate::LoopAnd(a, b) => self.gate(Gate::LoopAnd(a.min(b), a.max(b))),
            Gate::LoopOr(a, b) => self.gate(Gate::LoopOr(a.min(b), a.max(b))),
            other => unreachable!("{other:?} in a component"),
        }
    }

    pub fn and_all(&mut self, lits: Vec<Lit>) -> Lit {
        !self.or_all(lits.into_iter().map(|l| !l).collect())
    }

    pub fn or_all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        if lits.iter().filter(|l| self.moves.knows(**l)).nth(1).is_some() {
            for role in 0..self.moves.roles() {
                self.join_moves(role, &mut lits);
            }
        }
        self.tree(lits)
    }

    /// Makes one literal of all that depend on the move of one role alone.
    fn join_moves(&mut self, role: usize, lits: &mut Vec<Lit>) {
        let set = |l: &Lit| self.moves.set(*l).filter(|s| s.role == role);
        let (found, sets): (Vec<Lit>, Vec<MoveSet>) =
            lits.iter().filter_map(|l| Some((*l, set(l)?))).unzip();
        if found.len() < 2 {
            return;
        }
        let union = self.moves.union(&sets);
        lits.retain(|l| found.binary_search(l).is_err());
        let joined = match union.inverted && union.gates.len() <= found.len() {
            true => !self.tree(union.gates.iter().map(|g| Lit::new(*g as usize, false)).collect()),
            false => self.tree(found),
        };
        self.moves.record(joined, &union);
        lits.push(joined);
        lits.sort_unstable();
    }

    /// A balanced tree of `or`.
    fn tree(&mut self, mut lits: Vec<Lit>) -> Lit {
        while lits.len() > 1 {
            let pairs = lits.chunks(2).map(|c| match *c {
                [a, b] => self.or(a, b),
                [a] => a,
                _ => unreachable!("chunks of two"),
            });
            lits = pairs.collect();
        }
        lits.pop().unwrap_or(Lit::FALSE)
    }
}

impl Gates for Circuit {
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        Circuit::and(self, a, b)
    }

    fn conjunction(&mut self, lits: Vec<Lit>) -> Lit {
        self.and_all(lits)
    }

    fn sum(&mut self, mut alone: Vec<Lit>, products: Vec<Lit>) -> Lit {
        alone.extend(products);
        self.or_all(alone)
    }
}
