//! Ludex: from the rules of a game in GDL to what it is made of, and to engines that solve and play it.
//!
//! The modules are listed in reading order, and the order is the import law: a module uses only
//! modules above it (`tests/tidy.rs` checks it).

pub mod source;
pub mod budget;
pub mod syntax;
pub mod rules;
pub mod game;
pub mod interp;
pub mod instances;
pub mod domains;
pub mod ground;
pub mod net;
pub mod machine;
pub mod prove;
pub mod facts;
pub mod frame;
pub mod search;
pub mod compile;
pub mod play;
