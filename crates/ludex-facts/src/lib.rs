//! What a game is made of: boards, symmetries, factors, latches; each is plain data that prints itself.

pub mod prove;
pub mod fluents;
pub mod samples;
pub mod reach;
pub mod groups;
mod implications;
mod phases;
mod counter;
mod pattern;
pub mod property;
pub mod invariants;
pub mod lemmas;
pub mod turns;
mod show;
pub mod summary;
pub mod decide;
mod witness;
pub mod latches;
pub mod boards;
pub mod factor;
