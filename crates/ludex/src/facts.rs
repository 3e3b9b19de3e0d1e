//! What a game is made of: boards, symmetries, factors, latches; each is plain data that prints itself.

pub mod boards;
mod counter;
pub mod decide;
pub mod factor;
pub mod fluents;
pub mod groups;
mod implications;
pub mod invariants;
pub mod latches;
mod pattern;
mod phases;
pub mod picture;
pub mod property;
pub mod qbf;
pub mod reach;
pub mod samples;
mod show;
pub mod summary;
mod witness;
pub mod symmetry;
