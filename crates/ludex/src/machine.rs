//! `Net` -> machines: the scalar and the sliced engine.

mod scalar;
mod wiring;

pub use scalar::{Scalar, State};
