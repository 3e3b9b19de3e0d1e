//! `Boards`: the boards of a game, from the projections of its states.
//!
//! A projection of a relation on some of its arguments is invariant if it gives the same set in every
//! reachable state (Mohapatra, Decoster, Agarwal and Genesereth, "Invariant Projections in Games",
//! 2016, Definition 2): the squares of a board that lists its empty squares too. A board without
//! blanks is a set of arguments that determines the others: at most one fact for each place.
//!
//! `find.rs` decides each projection of `prune.rs` in order of cost: the initial state, sampled
//! states, the lemmas, induction, all states where they are few. `Verify::Literal` and
//! `Verify::Exact` ask about any set of base propositions, reachable or not: `any_state.rs`
//! rewrites the rules so that everything declared is grounded, with an idle move for "no action". A
//! board is never called invariant or partial because it was seen to be: `BoardKind::Seen` says so.
//! `seen.rs` can be shown more states at any time; `ludex boards` shows it those of random matches
//! and of a short search (`ludex-search/watched.rs`). Where places mostly hold one fact but were
//! seen with several (`crowded.rs`), no proof is missing, and the view says so.

mod any_state;
mod asp;
mod bases;
mod crowded;
mod find;
mod prune;
mod seen;
mod show;
mod views;

pub use any_state::AnyStateNet;
pub use asp::{Assumed, program};
pub use bases::Bases;
pub use prune::{Pruned, prune};
pub use seen::Seen;
pub use show::set;

use ludex_gdl::budget::Stop;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of the boards of a game.
#[derive(Clone, Debug)]
pub struct Boards {
    /// Whether the base propositions are those that the game declares; else the reachable ones.
    pub declared: bool,
    pub verify: Verify,
    /// Relations of the state with arguments, in the order of the base propositions.
    pub relations: Vec<RelationBoards>,
    /// The states of random matches that were seen, and those of a search.
    pub samples: usize,
    pub searched: usize,
    /// Why not all projections were verified.
    pub stopped: Option<Stop>,
    /// What was seen of each relation; nothing where that was not looked at.
    seen: Vec<Seen>,
    views: Vec<Board>,
}

/// The program that verifies a projection (Figure 4 of the paper).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    /// As printed: from any set of base propositions, with at most one action of each role.
    Literal,
    /// As the text says: exactly one action of each role.
    Exact,
    /// With exactly one legal action of each role in a state that is not terminal, all invariants
    /// that were proved before, induction over several steps, and all states where they are few.
    #[default]
    Lemmas,
}

/// The projections of one relation. Arguments are numbered from 1.
#[derive(Clone, Debug)]
pub struct RelationBoards {
    pub relation: String,
    pub arity: usize,
    /// How many projections were verified.
    pub calls: usize,
    /// The time of all calls, and of the longest.
    pub seconds: f64,
    pub longest: f64,
    /// The projections that were verified.
    pub projections: Vec<Projection>,
    /// The maximal invariant projections.
    pub maximal: Vec<Vec<usize>>,
    /// Smallest sets of arguments that determine the others in every reachable state, proved; none
    /// that is invariant.
    pub partial: Vec<Vec<usize>>,
    /// The maximal projections that gave the same set in all sampled states: no proof.
    pub sampled: Vec<Vec<usize>>,
    /// Was its verification cut short? Then the boards are those that follow from what was proved before.
    pub stopped: bool,
}

/// A projection that was verified.
#[derive(Clone, Debug)]
pub struct Projection {
    pub places: Vec<usize>,
    pub answer: ProjectionVerdict,
}

/// What is known of a projection by Definition 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectionVerdict {
    /// Invariant, by induction over k steps.
    Proved { k: usize },
    /// Invariant: all reachable states were visited.
    Visited { states: usize },
    /// Property 1 does not hold: this value is not in the projection of the initial state.
    NotInitial { value: String },
    /// Property 2 does not hold after these joint moves (inputs in role order).
    Refuted { moves: Vec<Vec<usize>> },
    /// Not decided by induction over so many steps and the first reachable states.
    Undecided { steps: usize, states: usize },
    /// Not verified by the program that was asked for.
    Unknown,
}

/// How the places of a board are known.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum BoardKind {
    /// Every place is listed in every reachable state.
    Invariant,
    /// In every reachable state every place has exactly one fact of one of several relations.
    Shared,
    /// In every reachable state at most one fact for each place.
    Partial,
    /// In every reachable state every piece, told by the contents, is in one place at most.
    Tokens,
    /// Several facts were seen in one place, though places mostly hold one.
    Several,
    /// Only seen in samples.
    Seen,
    /// A place is there or not: there are no contents.
    Presence,
}

/// One way to see a relation as a board. Arguments are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Board {
    pub relation: String,
    pub arity: usize,
    /// The arguments that say where, and those that say what is there.
    pub places: Vec<usize>,
    pub contents: Vec<usize>,
    pub kind: BoardKind,
    /// The number of places.
    pub size: usize,
    /// Whether a place never holds two facts, by proof.
    #[serde(rename = "one_fact_a_place")]
    pub single: bool,
    /// The most facts that were seen in one place.
    pub most_seen: usize,
    /// The contents are invariant too and disjoint: a configuration game such as the eight puzzle.
    pub configuration: bool,
    /// By what it is known, in words.
    pub proof: String,
}

impl ProjectionVerdict {
    pub(crate) fn is_invariant(&self) -> bool {
        matches!(self, ProjectionVerdict::Proved { .. } | ProjectionVerdict::Visited { .. })
    }

    /// `proved`, `refuted` or `unknown`.
    pub fn status(&self) -> &'static str {
        match self {
            ProjectionVerdict::Proved { .. } | ProjectionVerdict::Visited { .. } => "proved",
            ProjectionVerdict::NotInitial { .. } | ProjectionVerdict::Refuted { .. } => "refuted",
            ProjectionVerdict::Undecided { .. } | ProjectionVerdict::Unknown => "unknown",
        }
    }
}

impl Boards {
    /// What is seen goes on while a search is shown to it: `search` gets it and gives it back. What that
    /// contradicts is no longer said.
    pub fn follow<E>(
        &mut self,
        search: impl FnOnce(Vec<Seen>) -> Result<Vec<Seen>, E>,
    ) -> Result<(), E> {
        let before = self.seen.first().map_or(0, |seen| seen.states);
        self.seen = search(std::mem::take(&mut self.seen))?;
        self.searched = self.seen.first().map_or(0, |seen| seen.states) - before;
        for (of, seen) in self.relations.iter_mut().zip(&self.seen) {
            let left = seen.maximal();
            let gone = |b: &Board| {
                let own = b.relation == of.relation && b.arity == of.arity;
                let said = own && b.kind == BoardKind::Seen && of.sampled.contains(&b.places);
                said && !left.contains(&b.places)
            };
            self.views.retain(|board| !gone(board));
            of.sampled = left;
        }
        Ok(())
    }

    /// All ways to see a relation as a board, those first that a person would draw.
    pub fn views(&self) -> Vec<Board> {
        self.views.clone()
    }

    /// The board for a picture, where there is one.
    pub fn best(&self) -> Option<&Board> {
        self.views.first()
    }
}
