//! Symmetries of large sparse coloured graphs: automorphism groups, canonical labellings, and groups
//! of permutations with stabiliser chains.
//!
//! The search is individualisation and refinement (McKay) with two ordered partitions refined in
//! lockstep and sparse generators (Darga, Sakallah, Markov): its cost follows the support of the
//! automorphisms and not the size of the graph, so a star of a hundred thousand leaves is as easy as
//! a cube. Nothing recurses, and every long loop asks `stop`.
//!
//! The search follows a first path to a discrete partition, then from its end upwards a right side
//! refined in lockstep with the left one, until the map of the single vertices, identity elsewhere,
//! is an automorphism. A canonical labelling follows the vertices of least trace, one of each
//! orbit. `--features nauty` compares groups with those of nauty (it needs libclang).
//!
//! ```
//! use ludex_graph::{Graph, automorphisms};
//!
//! // A square: four turns, four reflections.
//! let square = Graph::new(vec![0; 4], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
//! let found = automorphisms(&square, &|| false).expect("nothing stops it");
//! assert_eq!(found.order, 8u32.into());
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod graph;
mod perm;
mod cells;
mod refine;
mod automorphism;
mod canon;
mod chain;
mod image;
#[cfg(feature = "nauty")]
pub mod nauty;

pub use automorphism::{Automorphisms, automorphisms, with_stabiliser};
pub use canon::{Canonical, canonical, isomorphism};
pub use chain::Chain;
pub use graph::{Digraph, Graph};
pub use image::{Interchangeable, greedy_image, smallest_image};
pub use perm::{Orbits, Perm, SparsePerm};

/// The answer of a computation that was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Stopped {}

/// Says whether to stop; asked often.
pub(crate) type StopFn<'a> = &'a dyn Fn() -> bool;
