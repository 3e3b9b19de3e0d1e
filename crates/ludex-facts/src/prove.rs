//! `Net` and a property -> proved, refuted or unknown: induction over the net, decided by a SAT solver.
//!
//! A property is a literal of the net (gates may be added for it) over one state, or, where it reads
//! inputs or transitions, over a state, a legal joint move in it and the state that follows.

mod by_moves;
mod hypotheses;
mod induct;
mod local;
mod unroll;
mod verdict;

pub use induct::Prover;
pub use unroll::{SatAnswer, UnrollStart, Unrolling};
pub use verdict::Verdict;
