//! Groups of fluents of which at most one, or exactly one, may hold: candidates seen in samples.
//!
//! A family is a relation with some of its arguments as place: one group for each value of these, for
//! example for `cell` and {1, 2} all facts about one square. Only families with few place arguments
//! are taken: at most one fact for each row says more than at most one for each square.

use super::fluents::{Fluents, Relation};
use super::samples::Samples;

/// A set of bases of which at most one was true in every state seen.
#[derive(Clone, Debug)]
pub struct Group {
    /// The relation and the numbers (from 0) of its place arguments; none for a mixed group.
    pub family: Option<(usize, Vec<usize>)>,
    pub bases: Vec<usize>,
    /// Was one of them true in every state seen?
    pub always: bool,
}

/// The largest arity whose argument sets are all tried.
const MOST_ARGUMENTS: usize = 8;

pub fn groups(fluents: &Fluents, samples: &Samples) -> Vec<Group> {
    let mut groups = Vec::new();
    for (r, relation) in fluents.relations.iter().enumerate() {
        let places = places(relation, samples);
        for place in places {
            groups.extend(relation.by_args(&place).into_values().map(|bases| {
                let always = samples.one_of(&bases).0;
                Group { family: Some((r, place.clone())), bases, always }
            }));
        }
    }
    groups.extend(mixed(fluents, samples));
    groups
}

/// The smallest sets of place arguments for which no place ever held two facts.
fn places(relation: &Relation, samples: &Samples) -> Vec<Vec<usize>> {
    let arity = relation.arity.min(MOST_ARGUMENTS);
    let mut sets: Vec<Vec<usize>> = (0..(1usize << arity) - 1)
        .map(|mask| (0..arity).filter(|a| mask >> a & 1 == 1).collect())
        .collect();
    sets.sort_by_key(|s: &Vec<usize>| s.len());
    let mut found: Vec<Vec<usize>> = Vec::new();
    for set in sets {
        let covered = found.iter().any(|f| f.iter().all(|a| set.contains(a)));
        if !covered && relation.by_args(&set).values().all(|g| samples.one_of(g).1) {
            found.push(set);
        }
    }
    found
}

/// Relations that together hold one fact at a time, such as two propositions for whose turn it is.
fn mixed(fluents: &Fluents, samples: &Samples) -> Option<Group> {
    let mut bases: Vec<usize> = Vec::new();
    for relation in &fluents.relations {
        let own: Vec<usize> = relation.facts.iter().map(|f| f.base).collect();
        let together: Vec<usize> = bases.iter().chain(&own).copied().collect();
        if samples.one_of(&own) == (false, true) && samples.one_of(&together).1 {
            bases = together;
        }
    }
    (bases.len() > 1 && samples.one_of(&bases) == (true, true)).then_some(Group {
        family: None,
        bases,
        always: true,
    })
}
