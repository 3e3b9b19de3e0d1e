//! `Net` and a property -> proved, refuted or unknown: induction over the net, decided by a SAT solver.
//!
//! A property is a literal of the net (gates may be added for it) over one state, or, where it reads
//! inputs or transitions, over a state, a legal joint move in it and the state that follows.
//!
//! Groups are tried in cheap ways before all of them together. `local.rs` encodes only the part of
//! the net that decides a group, and of the legality of moves only small conditions. `by_moves.rs`
//! serves games in which one role at a time has a choice: what a move makes of each base is a
//! literal over the state before it (`ludex-machine/effects.rs`, as for the scalar machine), so
//! that most cases come out true by themselves and the solver is asked about the others without any
//! moves. Effects are found from one move to the next in alphabetic order, which costs only what
//! differs between the two. Who waits is guessed, and proved before it is relied on. In both,
//! `hypotheses.rs` keeps what each proof assumed; a group whose proof assumed one that was dropped
//! is asked again.

mod by_moves;
mod hypotheses;
mod induct;
mod local;
mod unroll;
mod verdict;

pub use induct::Prover;
pub use ludex_sat::SatAnswer;
pub(crate) use unroll::{UnrollStart, Unrolling};
pub use verdict::Verdict;
