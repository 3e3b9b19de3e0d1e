//! Groups of fluents of which at most one, or exactly one, may hold: candidates seen in samples.
//!
//! A family is a relation with some of its arguments as place: one group for each value of these, for
//! example for `cell` and {1, 2} all facts about one square. Only families with few place arguments
//! are taken: at most one fact for each row says more than at most one for each square. A family may
//! consist of several relations that share their places: a square is `free` or holds a `stone`.

use crate::fluents::{Fluents, StateRelation};
use crate::samples::Samples;
use indexmap::IndexMap;

/// A relation and the numbers (from 0) of its place arguments.
pub type PlaceColumns = (usize, Vec<usize>);

/// A set of bases of which at most one was true in every state seen.
#[derive(Clone, Debug)]
pub struct MutexGroup {
    /// The relations whose facts it consists of: of each those with the same values at its places.
    pub family: Vec<PlaceColumns>,
    pub bases: Vec<usize>,
    /// Was one of them true in every state seen?
    pub always: bool,
}

/// The largest arity whose argument sets are all tried.
const MOST_ARGUMENTS: usize = 8;

pub fn groups(fluents: &Fluents, samples: &Samples) -> Vec<MutexGroup> {
    let mut groups = Vec::new();
    let mut parts: Vec<(PlaceColumns, BasesByPlace)> = Vec::new();
    for (r, relation) in fluents.relations.iter().enumerate() {
        for place in places(relation, samples) {
            let places = relation.by_args(&place);
            let own = of_family(&[(r, place.clone())], &places, samples);
            if !own.iter().all(|g| g.always) {
                parts.push(((r, place), places));
            }
            groups.extend(own);
        }
        let all: Vec<usize> = (0..relation.arity).collect();
        let places = relation.by_args(&all);
        parts.push(((r, all), places));
    }
    groups.extend(across(parts, samples));
    groups
}

/// One group for each place of a family.
fn of_family(family: &[PlaceColumns], places: &BasesByPlace, samples: &Samples) -> Vec<MutexGroup> {
    let group = |bases: &Vec<usize>| {
        let always = samples.one_of(bases).0;
        MutexGroup { family: family.to_vec(), bases: bases.clone(), always }
    };
    places.values().map(group).collect()
}

/// The bases of every place, told by its values.
type BasesByPlace<'a> = IndexMap<Vec<&'a str>, Vec<usize>>;

/// The smallest sets of place arguments for which no place ever held two facts.
fn places(relation: &StateRelation, samples: &Samples) -> Vec<Vec<usize>> {
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

/// Families of several relations with the same places, of which each always held one fact of one of
/// the relations. Relations without places, such as propositions for whose turn it is, count, too.
fn across(mut parts: Vec<(PlaceColumns, BasesByPlace)>, samples: &Samples) -> Vec<MutexGroup> {
    let full = |places: &BasesByPlace| places.values().all(|bases| samples.one_of(bases).0);
    let seen = |places: &BasesByPlace| places.values().flatten().any(|b| samples.was_true(*b));
    parts.retain(|(_, places)| seen(places));
    let mut groups = Vec::new();
    while !parts.is_empty() {
        let (first, mut places) = parts.remove(0);
        let mut family = vec![first];
        for (part, others) in &parts {
            if full(&places) {
                break;
            }
            let new = family.iter().all(|known| known.0 != part.0);
            if let Some(both) = joined(&places, others, samples).filter(|_| new) {
                family.push(part.clone());
                places = both;
            }
        }
        if family.len() > 1 && full(&places) {
            parts.retain(|(part, _)| !family.contains(part));
            groups.extend(of_family(&family, &places, samples));
        }
    }
    groups
}

/// The facts of both at the same places, where these are the same and none ever held two facts.
fn joined<'a>(
    one: &BasesByPlace<'a>,
    other: &BasesByPlace<'a>,
    samples: &Samples,
) -> Option<BasesByPlace<'a>> {
    if one.len() != other.len() || !one.keys().all(|place| other.contains_key(place)) {
        return None;
    }
    let mut both = one.clone();
    other.iter().for_each(|(place, bases)| both[place].extend(bases));
    both.values().all(|bases| samples.one_of(bases).1).then_some(both)
}
