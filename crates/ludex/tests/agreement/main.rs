//! All engines agree: with each other, with independent reasoners and with a naive evaluator.

mod collection;
mod constrained;
mod lockstep;
mod made_up;
mod unfolded;
