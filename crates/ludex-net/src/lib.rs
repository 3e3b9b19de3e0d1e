//! Rules -> [`ground::Ground`] -> [`Net`]: the reachable instances of rules, and the propositional
//! network that they make up; the domains of the rules beside it.

pub mod instances;
pub mod domains;
pub mod ground;
mod net;

pub use net::{Base, Circuit, Gate, Gates, Input, Lit, Net, Readers, circuit, factored, fold};
