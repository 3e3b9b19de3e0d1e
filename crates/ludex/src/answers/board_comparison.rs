//! What `boards --table` answers: the boards of a game beside those that a paper found.

use super::account::{Account, answers};
use super::boards::{Boards, BoardsOfRelation, ProjectionStatus};
use ludex_facts::boards::set;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The boards of a game, found here and by others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardComparison {
    pub game: String,
    /// The relations that are compared.
    pub relations: Vec<String>,
    /// How many projections were verified.
    pub calls: usize,
    /// CPU seconds, with the search for lemmas.
    pub total_seconds: f64,
    pub longest_seconds: f64,
    /// The maximal projections, equal for all relations.
    pub maximal: Vec<Vec<usize>>,
    /// Are the maximal projections those of the paper?
    pub same: bool,
    pub note: String,
    /// Why projections are invariant that the paper does not have.
    pub more: Vec<String>,
    pub paper: BoardFigures,
    #[serde(flatten)]
    pub account: Account,
}

/// The figures of the paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardFigures {
    pub calls: usize,
    pub total_seconds: f64,
    pub longest_seconds: f64,
    pub maximal: Vec<Vec<usize>>,
}

answers!(BoardComparison);

impl BoardComparison {
    /// The figures of some relations of a game's boards beside those of the paper.
    pub fn of(
        game: &str,
        relations: &[&str],
        found: &Boards,
        paper: BoardFigures,
        note: &str,
    ) -> BoardComparison {
        let named = |r: &&BoardsOfRelation| relations.contains(&r.relation.as_str());
        let of: Vec<&BoardsOfRelation> = found.relations.iter().filter(named).collect();
        let first = of.first().map(|r| r.maximal.clone()).unwrap_or_default();
        let equal = of.iter().all(|r| r.maximal == first);
        let new =
            |p: &&ProjectionStatus| first.contains(&p.places) && !paper.maximal.contains(&p.places);
        let more = of.iter().flat_map(|r| &r.projections).filter(new);
        let more = more.map(|p| format!("{} is invariant too: {}", set(&p.places), p.why));
        let more = more.collect();
        let maximal = if equal { first } else { vec![] };
        BoardComparison {
            game: game.into(),
            relations: relations.iter().map(|r| r.to_string()).collect(),
            calls: of.iter().map(|r| r.calls).sum(),
            total_seconds: found.lemma_seconds + of.iter().map(|r| r.seconds).sum::<f64>(),
            longest_seconds: of.iter().map(|r| r.longest).fold(0.0, f64::max),
            same: sorted(&maximal) == sorted(&paper.maximal),
            maximal,
            note: note.into(),
            more,
            paper,
            account: found.account.clone(),
        }
    }
}

fn sorted(sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut sets = sets.to_vec();
    sets.sort();
    sets
}

/// What there is to say beside the figures.
impl fmt::Display for BoardComparison {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.note.is_empty() {
            writeln!(f, "{}: {}", self.game, self.note)?;
        }
        self.more.iter().try_for_each(|more| writeln!(f, "{}: {more}", self.game))
    }
}
