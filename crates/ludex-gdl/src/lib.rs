//! Text -> [`rules::Rules`]: the Game Description Language, read and checked.
//!
//! The modules are in reading order, which is the import law: a module uses only modules above it.

pub mod source;
pub mod budget;
pub mod syntax;
pub mod rules;
