//! `Net` and a state -> `Solution`: what every role gets with best play, exactly, and a line of it.
//!
//! One role: `solve/puzzle.rs`. Two roles that choose one at a time and want opposite things, proved by
//! `solve/scale.rs`: and-or search in `solve/force.rs`, or all states at once in `solve/retrograde.rs`
//! where they can come back. Anything else: backward induction, `solve/induct.rs`, with the concept
//! of solution named in the answer. Symmetries (paper 002) are in `solve/keys.rs`, games that are several
//! games (paper 003) in `solve/apart.rs`.
//!
//! `solve.rs` names the question, the settings and the answer; `run.rs` chooses the search. The and-or
//! search makes all children of a state in one pass of the sliced machine; breadth-first search and retrograde analysis
//! take many states at once (`sweep.rs`), the others run on the scalar machine (`field.rs`). Searches keep their frames on a stack of their own and know states by 128-bit
//! Zobrist keys (`keys.rs`). A listed group has one number per base and
//! symmetry: a step changes all numbers of a state together, the least is its key, and those equal
//! to the first are the symmetries that keep it, which is what pruning of symmetric moves needs.
//! Larger groups use representatives.
//!
//! - One role: `puzzle.rs`, breadth first (shortest plans), then best first, then depth first.
//!   Where a counter only ends the match (`clock.rs`) the first search is blind to it. That is
//!   sound: a plan that is found is a plan, and if in no position reached any better goal held,
//!   none is better at a later moment either; otherwise the search is repeated with the counter.
//! - Two roles: `scale.rs` proves which pairs of goals an end can have. If they are a scale, better
//!   for one means worse for the other, and `force.rs` asks one rank after the other whether it can
//!   be forced, depth by depth. Every question has an asker; a branch is left as soon as the asker
//!   cannot succeed in it. A state on the present path is unknown, so entries of the table never
//!   depend on the path. Where states do come back and that leaves the question open,
//!   `retrograde.rs` takes all states at once. Where none does, several threads may ask together (`force/crew.rs`).
//! - Anything else: `induct.rs`, backward induction with ties broken by values alone, so that
//!   neither order nor symmetries matter; chance takes the mean; moves at the same time are matrix
//!   games, solved exactly with the chances of mixed moves, or decided by strict dominance
//!   (`matrix.rs`), or the game is refused with the moves that lead to the place.
//! - `apart.rs` searches factors apart where `ludex-facts/factor` shows that to be exact;
//!   `potential.rs` bounds goals by latches; `saving.rs` is the saved-time rule.

mod apart;
mod clock;
mod concept;
mod deepen;
mod distance;
mod field;
mod force;
mod heaps;
mod induct;
mod keys;
mod matrix;
mod potential;
mod puzzle;
mod retrograde;
mod saving;
mod savings;
mod scale;
mod store;
mod sweep;
mod table;
mod tools;
mod run;

pub use concept::{Concept, Meaning, Method, Unsolvable};
pub use keys::Symmetry;
pub use matrix::How;
pub use run::solve;
pub use savings::{Cost, Savings, SavingsQuestion};

use ludex_facts::factor::FactorKind;
use ludex_gdl::budget::Stop;
use ludex_knowledge::Knowledge;
use ludex_machine::State;
use ludex_net::Net;
use ludex_reason::{Move, Role};
use num_bigint::BigUint;
use num_rational::BigRational;
use std::sync::Arc;

/// A goal value, or a mean of them.
pub type Value = BigRational;

/// A game and the state that is to be solved.
pub struct Subject {
    pub knowledge: Arc<Knowledge>,
    pub net: Arc<Net>,
    /// One value per base.
    pub state: Vec<bool>,
}

impl Subject {
    /// A net by itself, in its initial state.
    pub fn of_net(net: Arc<Net>) -> Subject {
        let state = net.bases.iter().map(|b| b.initial).collect();
        Subject { knowledge: Arc::new(Knowledge::of_net(net.clone())), net, state }
    }

    fn start(&self) -> State {
        State::of(self.state.iter().copied())
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub symmetry: Symmetry,
    pub factoring: bool,
    pub latches: bool,
    /// Matches are followed for so many steps only.
    pub depth: Option<usize>,
    /// Memory for tables and states.
    pub bytes: usize,
    /// Threads that search one tree, where no state of it can come twice.
    pub threads: usize,
    /// How long each proof about the game may last that makes a faster search possible.
    pub proof_seconds: f64,
    /// Seconds that symmetries may cost more than they save before they are switched off.
    pub symmetry_limit: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        let symmetry = Symmetry::States;
        Settings {
            symmetry,
            factoring: true,
            latches: true,
            depth: None,
            bytes: 1 << 30,
            threads: 1,
            proof_seconds: f64::INFINITY,
            symmetry_limit: saving::LIMIT,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What the values mean.
    pub meaning: Meaning,
    /// How they were found.
    pub method: Method,
    /// Per role; none where it is not known.
    pub values: Option<Vec<Value>>,
    /// Per role the least and the greatest value that are possible.
    pub bounds: Vec<(Value, Value)>,
    /// Joint moves of best play.
    pub line: Vec<Vec<Move>>,
    /// The moves that are made where the line ends, if they are mixed.
    pub mixed: Mixed,
    /// States that were expanded.
    pub states: u64,
    pub complete: bool,
    /// A role that follows the line, and mixes its moves where that ends, gets its value whatever the
    /// others do.
    pub is_safe: bool,
    /// The limit that ended the search.
    pub stop: Option<Stop>,
    /// Why there is no value, though no limit was reached.
    pub refusal: Option<Unsolvable>,
    pub notes: Vec<String>,
    pub symmetry: UsedSymmetries,
    pub factors: Vec<FactorPart>,
    /// How the factors are played, where they were searched separately.
    pub factor_kind: Option<FactorKind>,
}

/// Per role that mixes its moves those that it makes, and the chance of each.
pub type Mixed = Vec<(Role, Vec<(Move, Value)>)>;

/// How symmetries were used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedSymmetries {
    pub mode: Symmetry,
    /// The symmetries that leave roles alone.
    pub order: BigUint,
    /// Expansions that they saved.
    pub saved: u64,
    /// They cost more time than they saved and were given up.
    pub switched_off: bool,
}

/// A factor that was searched by itself.
#[derive(Clone, Debug)]
pub struct FactorPart {
    pub name: String,
    pub states: u64,
    pub values: Vec<Value>,
}
