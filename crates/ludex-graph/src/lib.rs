//! Symmetries of large sparse coloured graphs: automorphism groups, canonical labellings, and groups
//! of permutations with stabiliser chains.
//!
//! The search is individualisation and refinement (McKay) with two ordered partitions refined in
//! lockstep and sparse generators (Darga, Sakallah, Markov): its cost follows the support of the
//! automorphisms and not the size of the graph, so a star of a hundred thousand leaves is as easy as
//! a cube. Nothing recurses, and every long loop asks `stop`.

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

/// Says whether to stop; asked often.
pub type StopFn<'a> = &'a dyn Fn() -> bool;
