//! All engines agree: with each other, with independent reasoners and with a naive evaluator.

mod batches;
mod collection;
mod constrained;
mod environments;
mod lockstep;
mod loops;
mod made_up;
mod unfolded;
