//! `Boards`: the boards of a game, from the projections of its states.
//!
//! A projection of a relation on some of its arguments is invariant if it gives the same set in every
//! reachable state (Mohapatra, Decoster, Agarwal and Genesereth, "Invariant Projections in Games",
//! 2016, Definition 2): the squares of a board that lists its empty squares too. A board without
//! blanks is a set of arguments that determines the others: at most one fact for each place.

use super::fluents::{Fluents, Relation};
use super::invariants::Invariants;
use crate::budget::{Budget, Stop};
use crate::net::Net;

/// What is known of the boards of a game.
#[derive(Clone, Debug)]
pub struct Boards {
    /// Relations of the state with arguments, in the order of the net's bases.
    pub relations: Vec<RelationBoards>,
}

/// The projections of one relation. Arguments are numbered from 1.
#[derive(Clone, Debug)]
pub struct RelationBoards {
    pub relation: String,
    pub arity: usize,
    /// How many projections were verified.
    pub calls: usize,
    pub seconds: f64,
    /// The maximal invariant projections.
    pub maximal: Vec<Vec<usize>>,
    /// Smallest sets of arguments that determine the others; none that is invariant.
    pub partial: Vec<Vec<usize>>,
    /// The number of places of every board, invariant ones first.
    sizes: Vec<usize>,
}

/// How the places of a board are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Every place is listed in every reachable state.
    Invariant,
    /// In every reachable state at most one fact for each place.
    Partial,
}

/// One way to see a relation as a board. Arguments are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub relation: String,
    pub arity: usize,
    /// The arguments that say where, and those that say what is there.
    pub places: Vec<usize>,
    pub contents: Vec<usize>,
    pub kind: Kind,
    /// The number of places.
    pub size: usize,
    /// By what it is known, in words.
    pub proof: String,
}

impl Boards {
    /// The boards that follow from invariants.
    pub fn find(net: &Net, invariants: &Invariants, budget: &Budget) -> Result<Boards, Stop> {
        let fluents = Fluents::new(net);
        let mut relations = Vec::new();
        for relation in fluents.relations.iter().filter(|r| r.arity > 0) {
            budget.check()?;
            relations.push(of_relation(relation, invariants));
        }
        Ok(Boards { relations })
    }

    /// All boards, those first that a person would draw.
    pub fn views(&self) -> Vec<Board> {
        let mut views: Vec<Board> =
            self.relations.iter().flat_map(RelationBoards::boards).collect();
        views.sort_by_key(|b| (b.size < 4, b.places.len() < 2, b.kind, usize::MAX - b.size));
        views
    }

    /// The board for a picture, where there is one.
    pub fn best(&self) -> Option<Board> {
        self.views().into_iter().next()
    }
}

fn of_relation(relation: &Relation, invariants: &Invariants) -> RelationBoards {
    let mut found = RelationBoards {
        relation: relation.name.clone(),
        arity: relation.arity,
        calls: 0,
        seconds: 0.0,
        maximal: vec![],
        partial: vec![],
        sizes: vec![],
    };
    let families = invariants.proved_families(relation);
    for (place, always) in families.into_iter().filter(|f| !f.0.is_empty()) {
        let arguments = place.iter().map(|a| a + 1).collect();
        if always { found.maximal.push(arguments) } else { found.partial.push(arguments) }
    }
    let places = found.maximal.iter().chain(&found.partial);
    let size =
        |p: &Vec<usize>| relation.by_args(&p.iter().map(|a| a - 1).collect::<Vec<_>>()).len();
    found.sizes = places.map(size).collect();
    found
}

impl RelationBoards {
    fn boards(&self) -> Vec<Board> {
        let kinds = self.maximal.iter().map(|p| (p, Kind::Invariant));
        let kinds = kinds.chain(self.partial.iter().map(|p| (p, Kind::Partial)));
        let board = |((places, kind), size): ((&Vec<usize>, Kind), &usize)| Board {
            relation: self.relation.clone(),
            arity: self.arity,
            places: places.clone(),
            contents: (1..=self.arity).filter(|a| !places.contains(a)).collect(),
            kind,
            size: *size,
            proof: match kind {
                Kind::Invariant => "every place is listed in every reachable state".into(),
                Kind::Partial => "at most one fact for each place in every reachable state".into(),
            },
        };
        kinds.zip(&self.sizes).map(board).collect()
    }
}
