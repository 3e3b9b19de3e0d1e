//! `Net` -> machines: the scalar and the sliced engine.

mod turns;
mod effects;
mod wide;
mod costs;
mod guards;
mod parts;
mod wiring;
mod values;
mod lazy;
mod layout;
mod scalar;
pub mod sliced;

pub use effects::MoveEffects;
pub use scalar::{Scalar, State};
pub use turns::Turns;
