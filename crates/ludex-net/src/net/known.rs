//! Three-valued evaluation of a net: what follows from the propositions that are known.

use super::{Gate, Lit, Net};
use std::ops::Range;

/// What is known of a proposition: whether it must be true, and whether it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub must: bool,
    pub may: bool,
}

impl Known {
    pub const FALSE: Known = Known { must: false, may: false };
    pub const OPEN: Known = Known { must: false, may: true };

    #[inline]
    pub fn of(value: Option<bool>) -> Known {
        value.map_or(Known::OPEN, |v| Known { must: v, may: v })
    }

    #[inline]
    pub fn value(self) -> Option<bool> {
        (self.must == self.may).then_some(self.must)
    }

    #[inline]
    pub fn and(self, other: Known) -> Known {
        Known { must: self.must && other.must, may: self.may && other.may }
    }

    #[inline]
    pub fn or(self, other: Known) -> Known {
        Known { must: self.must || other.must, may: self.may || other.may }
    }

    #[inline]
    pub fn negated_if(self, negated: bool) -> Known {
        if negated { Known { must: !self.may, may: !self.must } } else { self }
    }
}

/// What is known of every gate of a net.
pub struct KnownGates(Vec<Known>);

impl KnownGates {
    pub fn new(net: &Net, bases: &[Option<bool>], inputs: &[Option<bool>]) -> KnownGates {
        let size = net.gates.len();
        let mut known = KnownGates(vec![Known::FALSE; size]);
        for (i, leaf) in bases.iter().chain(inputs).enumerate() {
            known.0[1 + i] = Known::of(*leaf);
        }
        let mut components = net.components.iter().peekable();
        let mut at = 1 + bases.len() + inputs.len();
        while at < size {
            let end = components.next_if(|c| c.start == at).map_or(at + 1, |c| c.end);
            known.settle(net, at..end);
            at = end;
        }
        known
    }

    /// Evaluates a gate, or a component from false upwards until nothing changes.
    pub fn settle(&mut self, net: &Net, range: Range<usize>) {
        self.0[range.clone()].fill(Known::FALSE);
        while self.sweep(net, range.clone()) && range.len() > 1 {}
    }

    fn sweep(&mut self, net: &Net, range: Range<usize>) -> bool {
        let mut changed = false;
        for g in range {
            let known = match net.gates[g] {
                Gate::And(a, b) | Gate::LoopAnd(a, b) => self.of(a).and(self.of(b)),
                Gate::Or(a, b) | Gate::LoopOr(a, b) => self.of(a).or(self.of(b)),
                leaf => unreachable!("{leaf:?} stands before the gates"),
            };
            changed |= known != self.0[g];
            self.0[g] = known;
        }
        changed
    }

    /// Nothing is known of a leaf any more. What follows from it is not evaluated again.
    pub fn forget(&mut self, leaf: usize) {
        self.0[leaf] = Known::OPEN;
    }

    pub fn of(&self, lit: Lit) -> Known {
        self.0[lit.gate()].negated_if(lit.negated())
    }

    pub fn gates(&self, range: Range<usize>) -> &[Known] {
        &self.0[range]
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.of(lit).value()
    }
}
