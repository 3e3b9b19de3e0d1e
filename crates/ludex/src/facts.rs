//! What a game is made of: boards, symmetries, factors, latches; each is plain data that prints itself.

pub mod boards;
mod counter;
pub mod fluents;
pub mod groups;
pub mod invariants;
pub mod samples;
mod show;
pub mod symmetry;
