//! The SAT solver behind the proofs: [`Sat`] is CaDiCaL, or batsat where there is no C++ (wasm32).
//!
//! Literals are whole numbers as in DIMACS. Clauses may be added between questions, each of which has
//! assumptions of its own:
//!
//! ```
//! use ludex_sat::{Sat, SatAnswer, Solver};
//!
//! let mut sat = Sat::new(Box::new(|| false));
//! let (a, b) = (sat.fresh(), sat.fresh());
//! sat.clause([a, b]);
//! assert_eq!(sat.solve(&[-a], 1000), SatAnswer::Sat);
//! assert!(sat.holds(b));
//! sat.clause([-b]);
//! assert_eq!(sat.solve(&[-a], 1000), SatAnswer::Unsat);
//! assert!(sat.needed(-a));
//! ```

#![warn(missing_docs)]
// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[cfg(any(test, target_family = "wasm"))]
mod batsat;
#[cfg(not(target_family = "wasm"))]
mod cadical;
#[cfg(test)]
mod tests;

/// The solver of this target.
#[cfg(target_family = "wasm")]
pub type Sat = batsat::Batsat;
/// The solver of this target.
#[cfg(not(target_family = "wasm"))]
pub type Sat = cadical::Cadical;

/// Asked now and then: is it time to stop?
pub type Terminator = Box<dyn Fn() -> bool>;

/// `Unknown`: the effort allowed was used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is no model.
    Unsat,
    /// There is one.
    Sat,
    /// The conflicts allowed were used up, or the terminator said stop.
    Unknown,
}

/// An incremental solver. It tries its variables as true first.
pub trait Solver {
    /// One without clauses, which ends a question when the terminator says so.
    fn new(stop: Terminator) -> Self;
    /// A new variable.
    fn fresh(&mut self) -> i32;
    /// One of these literals holds.
    fn clause(&mut self, lits: impl IntoIterator<Item = i32>);
    /// Is there a model in which the assumptions hold? Within a number of conflicts.
    fn solve(&mut self, assumptions: &[i32], conflicts: i32) -> SatAnswer;
    /// Is the literal true in the model just found?
    fn holds(&self, lit: i32) -> bool;
    /// Was this assumption needed for the last `Unsat`?
    fn needed(&self, assumption: i32) -> bool;
}
