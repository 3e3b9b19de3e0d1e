//! What `boards --projection P --tuples` answers: a projection evaluated in a position.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use ludex::game::Position;
use ludex_facts::boards::set;
use ludex_gdl::budget::Budget;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The tuples that a projection gives in a position (Definition 1 of the paper on boards).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectionAt {
    pub game: String,
    pub relation: String,
    /// Arguments, numbered from 1.
    pub places: Vec<usize>,
    pub tuples: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(ProjectionAt);

impl ProjectionAt {
    pub fn of(
        position: &Position,
        relation: &str,
        places: &[usize],
        budget: &Budget,
    ) -> Result<ProjectionAt, Unanswered> {
        budget.check()?;
        let meter = Meter::new(position.game(), budget);
        let facts = position.facts().iter().map(|fact| terms(fact));
        let of_relation = facts.filter(|terms| terms[0] == relation);
        let tuple = |terms: Vec<&str>| -> String {
            let picked: Vec<&str> = places.iter().filter_map(|p| terms.get(*p).copied()).collect();
            format!("({})", picked.join(" "))
        };
        let tuples: BTreeSet<String> = of_relation.map(tuple).collect();
        Ok(ProjectionAt {
            game: position.game().name().into(),
            relation: relation.into(),
            places: places.to_vec(),
            tuples: tuples.into_iter().collect(),
            account: meter.account(),
        })
    }
}

/// The name and the arguments of a fact.
fn terms(fact: &str) -> Vec<&str> {
    let inside = fact.strip_prefix('(').and_then(|f| f.strip_suffix(')')).unwrap_or(fact);
    let (mut depth, mut begin, mut terms) = (0, 0, vec![]);
    for (at, character) in inside.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                terms.push(&inside[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    terms.push(&inside[begin..]);
    terms
}

impl fmt::Display for ProjectionAt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (relation, tuples) = (&self.relation, &self.tuples);
        writeln!(f, "<{relation},{}>: {} tuples", set(&self.places), tuples.len())?;
        tuples.iter().try_for_each(|tuple| writeln!(f, "{tuple}"))
    }
}
