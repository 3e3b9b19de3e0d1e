//! `Crowded`: the places of a relation that can hold several facts, though they mostly hold one.
//!
//! Zombies meet on a square; an amazon can shoot an arrow around a torus at itself. No set of
//! arguments determines the others there, and yet everybody sees a board.

use crate::fluents::StateRelation;
use crate::samples::Samples;

/// A taken place holds so many facts at most, on average: 5 in 4 places.
const MOST_FACTS: (usize, usize) = (5, 4);
/// The largest arity whose argument sets are looked at.
const MOST_ARGUMENTS: usize = 6;

/// A set of arguments (from 0), and facts that were seen in one of its places.
pub struct Crowded {
    pub places: Vec<usize>,
    pub together: Vec<usize>,
}

/// Of two arguments or more those that look most like places: the others are pieces that mostly are in
/// one place; then the fewest arguments, and the least crowded.
pub fn crowded(relation: &StateRelation, samples: &Samples) -> Option<Crowded> {
    if relation.arity > MOST_ARGUMENTS {
        return None;
    }
    let set = |mask: usize| (0..relation.arity).filter(|a| mask >> a & 1 == 1).collect::<Vec<_>>();
    let all = (1usize << relation.arity) - 1;
    let taken: Vec<usize> = (0..=all).map(|mask| taken(relation, samples, &set(mask))).collect();
    let facts = taken[all];
    let sparse = |mask: usize| facts * MOST_FACTS.1 <= taken[mask] * MOST_FACTS.0;
    let shared = |mask: &usize| mask.count_ones() >= 2 && taken[*mask] < facts && sparse(*mask);
    let rank = |mask: &usize| (!sparse(all & !mask), mask.count_ones(), facts - taken[*mask]);
    let places = set((1..all).filter(shared).min_by_key(rank)?);
    let together = together(relation, samples, &places)?;
    Some(Crowded { places, together })
}

/// The number of places that hold a fact, over all sampled states.
fn taken(relation: &StateRelation, samples: &Samples, places: &[usize]) -> usize {
    let words = samples.states.len().div_ceil(64);
    let of_place = |bases: &Vec<usize>| -> usize {
        let any = |w: usize| bases.iter().fold(0, |bits, b| bits | samples.columns[*b][w]);
        (0..words).map(|w| any(w).count_ones() as usize).sum()
    };
    relation.by_args(places).values().map(of_place).sum()
}

/// The facts in one place of the first state in which it holds several.
fn together(relation: &StateRelation, samples: &Samples, places: &[usize]) -> Option<Vec<usize>> {
    let groups = relation.by_args(places);
    let crowd = |state: usize| {
        let held = |bases: &Vec<usize>| -> Vec<usize> {
            bases.iter().copied().filter(|b| samples.holds(state, *b)).collect()
        };
        groups.values().map(held).find(|facts| facts.len() > 1)
    };
    (0..samples.states.len()).find_map(crowd)
}
