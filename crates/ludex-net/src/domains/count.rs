//! Sizes that may be beyond any machine number.

use std::fmt;

/// A number of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    Finite(u128),
    /// More than a `u128` holds.
    Huge,
    /// Terms nest without end.
    Unbounded,
}

impl Count {
    pub const ZERO: Count = Count::Finite(0);
    pub(crate) const ONE: Count = Count::Finite(1);

    pub fn plus(self, other: Count) -> Count {
        match (self, other) {
            (Count::Finite(a), Count::Finite(b)) => {
                a.checked_add(b).map_or(Count::Huge, Count::Finite)
            }
            _ => self.max(other),
        }
    }

    pub fn times(self, other: Count) -> Count {
        match (self, other) {
            (Count::ZERO, _) | (_, Count::ZERO) => Count::ZERO,
            (Count::Finite(a), Count::Finite(b)) => {
                a.checked_mul(b).map_or(Count::Huge, Count::Finite)
            }
            _ => self.max(other),
        }
    }

    /// The number where a script can read it without loss.
    pub fn exact(self) -> Option<u64> {
        match self {
            Count::Finite(n) if n < 1 << 53 => Some(n as u64),
            _ => None,
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Count::Finite(n) => n.fmt(f),
            Count::Huge => f.write_str("more than 10^38"),
            Count::Unbounded => f.write_str("unbounded"),
        }
    }
}
