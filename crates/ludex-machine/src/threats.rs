//! `Threats`: facts that would each be a win, counted in all children of a position at once; `Refutation`: which children
//! a reply refutes.

use ludex_reason::Role;
use std::ops::RangeInclusive;

/// Facts of which each alone, if it held in a child of a position, would end the match as a role wants. A measure of
/// positions that may be of none: no move need make the fact true.
#[derive(Clone)]
pub struct Threats {
    /// The rows of the children, one after the other.
    pub rows: Vec<u64>,
    pub facts: Vec<ThreatFact>,
    /// Whose goals, and which of them.
    pub role: Role,
    pub goals: RangeInclusive<i32>,
    /// By child, how many.
    pub counts: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatFact {
    pub base: u32,
    /// A base that must hold: one that makes room for the fact.
    pub need: Option<u32>,
}

/// A reply that refutes a child: it ends the match with one of some goals of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    pub role: Role,
    pub goals: RangeInclusive<i32>,
    /// The role that must have no choice.
    pub waiting: Role,
}
