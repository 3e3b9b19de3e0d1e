//! `Net` -> machines: the scalar and the sliced engine.

mod scalar;
pub mod sliced;
mod wiring;

pub use scalar::{Scalar, State};
