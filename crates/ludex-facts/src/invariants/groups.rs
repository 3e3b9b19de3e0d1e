//! Groups of fluents of which at most one, or exactly one, may hold: candidates seen in samples.
//!
//! A family is a relation with some of its arguments as place: one group for each value of these, for
//! example for `cell` and {1, 2} all facts about one square. Only families with few place arguments
//! are taken: at most one fact for each row says more than at most one for each square. A family may
//! consist of several relations that share their places: a square is `free` or holds a `stone`. And it may
//! consist of the facts with one value of an argument: a board always has exactly one `knight`, and many pawns.

use crate::fluents::{Fluents, StateRelation};
use crate::samples::Samples;
use indexmap::IndexMap;

/// A relation and the numbers (from 0) of its place arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceColumns {
    pub relation: usize,
    pub places: Vec<usize>,
    /// Only facts that have this value at this argument.
    pub only: Option<(usize, String)>,
}

impl PlaceColumns {
    pub fn new(relation: usize, places: Vec<usize>) -> PlaceColumns {
        PlaceColumns { relation, places, only: None }
    }

    /// All facts of the relation together.
    pub fn is_whole(&self) -> bool {
        self.places.is_empty() && self.only.is_none()
    }
}

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
        let determining = places(relation, samples);
        for place in &determining {
            let places = relation.by_args(place);
            let part = PlaceColumns::new(r, place.clone());
            let own = of_family(std::slice::from_ref(&part), &places, samples);
            if !own.iter().all(|g| g.always) {
                parts.push((part, places));
            }
            groups.extend(own);
        }
        groups.extend(of_pieces(r, relation, &determining, samples));
        let all: Vec<usize> = (0..relation.arity).collect();
        let places = relation.by_args(&all);
        parts.push((PlaceColumns::new(r, all), places));
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
    let arguments: Vec<usize> = (0..relation.arity.min(MOST_ARGUMENTS)).collect();
    let mut found: Vec<Vec<usize>> = Vec::new();
    for set in proper_subsets(&arguments) {
        let is_new = !found.iter().any(|known| is_within(known, &set));
        if is_new && relation.by_args(&set).values().all(|g| samples.one_of(g).1) {
            found.push(set);
        }
    }
    found
}

/// Families of the facts with one value of an argument, of which every place always held exactly one. Those that
/// are part of a family without it say nothing new.
fn of_pieces(
    r: usize,
    relation: &StateRelation,
    determining: &[Vec<usize>],
    samples: &Samples,
) -> Vec<MutexGroup> {
    let mut groups = Vec::new();
    let arguments = 0..relation.arity.min(MOST_ARGUMENTS);
    for argument in arguments.clone() {
        let others: Vec<usize> = arguments.clone().filter(|a| *a != argument).collect();
        let values = relation.by_args(&[argument]);
        for value in values.keys().filter(|_| values.len() > 1).map(|key| key[0]) {
            let pieces = relation.only(argument, value);
            let mut found: Vec<Vec<usize>> = Vec::new();
            for places in proper_subsets(&others) {
                let with_value: Vec<usize> = places.iter().copied().chain([argument]).collect();
                let known = determining.iter().any(|known| is_within(known, &with_value));
                if known || found.iter().any(|known| is_within(known, &places)) {
                    continue;
                }
                let by_place = pieces.by_args(&places);
                if by_place.values().all(|bases| samples.one_of(bases) == (true, true)) {
                    found.push(places.clone());
                    let only = Some((argument, value.to_string()));
                    let family = [PlaceColumns { relation: r, places, only }];
                    groups.extend(of_family(&family, &by_place, samples));
                }
            }
        }
    }
    groups
}

/// Small sets first.
fn proper_subsets(arguments: &[usize]) -> Vec<Vec<usize>> {
    let subset = |mask: usize| {
        let chosen = arguments.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        chosen.map(|(_, a)| *a).collect()
    };
    let mut sets: Vec<Vec<usize>> = (0..(1usize << arguments.len()) - 1).map(subset).collect();
    sets.sort_by_key(Vec::len);
    sets
}

fn is_within(small: &[usize], large: &[usize]) -> bool {
    small.iter().all(|a| large.contains(a))
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
            let new = family.iter().all(|known| known.relation != part.relation);
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
