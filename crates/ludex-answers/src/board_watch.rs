//! What `boards --match` answers: projections kept up while players search a match.

use crate::account::{Account, Meter, answers};
use crate::board_subject::BoardSubject;
use crate::boards::sets;
use crate::fault::Unanswered;
use ludex::Game;
use ludex_facts::boards::{Seen, set};
use ludex_gdl::budget::Budget;
use ludex_search::show_match;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The projections that the states of a player's search leave, and when the others were refuted. Complete and not
/// sound: what is left may not be invariant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardsInMatch {
    pub game: String,
    pub relations: Vec<SeenRelation>,
    /// States that were seen by the end of each move.
    pub states: Vec<usize>,
    /// Did the match come to its end?
    pub over: bool,
    #[serde(flatten)]
    pub account: Account,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeenRelation {
    pub relation: String,
    pub arity: usize,
    /// The largest projections that are left.
    pub left: Vec<Vec<usize>>,
    pub refuted: Vec<RefutedInMatch>,
}

/// A projection that a state has refuted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefutedInMatch {
    pub places: Vec<usize>,
    /// The number of the state, from 1.
    pub state: usize,
    /// The move before which it was reached, from 1.
    pub before_move: usize,
}

answers!(BoardsInMatch);

impl BoardsInMatch {
    /// Players think for so many iterations a move; so many moves at the most.
    pub fn of(
        game: &Game,
        (iterations, moves): (u64, usize),
        budget: &Budget,
    ) -> Result<BoardsInMatch, Unanswered> {
        let meter = Meter::new(game, budget);
        let subject = BoardSubject::new(game, budget)?;
        let (net, bases) = (&subject.net, &subject.bases);
        let seen: Vec<Seen> = bases.relations().map(|r| Seen::new(net, bases, r)).collect();
        let found = show_match(net, seen, (iterations, moves), budget)?;
        let before = |state: usize| 1 + found.moves.iter().filter(|end| **end < state).count();
        let refuted = |(places, state): &(Vec<usize>, usize)| RefutedInMatch {
            places: places.clone(),
            state: *state,
            before_move: before(*state),
        };
        let relations = bases.relations().zip(&found.seen).map(|(relation, seen)| SeenRelation {
            relation: relation.name.clone(),
            arity: relation.arity,
            left: seen.maximal(),
            refuted: seen.gone().iter().map(refuted).collect(),
        });
        Ok(BoardsInMatch {
            game: game.name().into(),
            relations: relations.collect(),
            over: found.over,
            account: meter.account(),
            states: found.moves,
        })
    }
}

impl fmt::Display for BoardsInMatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (moves, states) = (self.states.len(), self.states.last().copied().unwrap_or(0));
        let end = if self.over { "to its end" } else { "not to its end" };
        writeln!(f, "{}: a match of {moves} moves, {end}; {states} states seen", self.game)?;
        for SeenRelation { relation, left, refuted, .. } in &self.relations {
            writeln!(f, "{relation}: left {}", sets(left, false))?;
            for RefutedInMatch { places, state, before_move } in refuted {
                let places = set(places);
                writeln!(
                    f,
                    "  <{relation},{places}> refuted by state {state}, before move {before_move}"
                )?;
            }
        }
        Ok(())
    }
}
