//! Rules -> [`ground::Ground`] -> [`Net`]: the reachable instances of rules, and the propositional
//! network that they make up; the domains of the rules beside it.
//!
//! ```
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_net::{Net, ground::Ground};
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let budget = Budget::unlimited();
//! let ground = Ground::new(&rules, &budget).expect("it is small");
//! let net = Net::new(&ground, &budget).expect("there is no limit");
//! assert_eq!((net.bases.len(), net.inputs.len()), (2, 1));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod instances;
pub mod domains;
pub mod ground;
mod net;

pub use net::{
    Base, Circuit, Gate, Gates, Input, Known, KnownGates, Lit, Net, NoBase, Readers, circuit,
    factored, fold,
};
