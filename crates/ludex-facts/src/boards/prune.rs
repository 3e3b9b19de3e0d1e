//! *Prune* (Figure 3 of the paper): all invariant projections of a relation, smaller ones first.
//!
//! A set of arguments is tried only if all its subsets with one argument less are invariant
//! (Theorem 2). The figure prints the test with the wrong set; its meaning is that of Apriori.

use rustc_hash::FxHashSet;

/// The invariant projections of a relation, by size, and how many calls of *Verify* it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    pub invariant: Vec<Vec<usize>>,
    pub calls: usize,
}

/// Calls `verify` on sets of arguments, numbered from 1 and ascending.
pub fn prune<E>(
    arity: usize,
    mut verify: impl FnMut(&[usize]) -> Result<bool, E>,
) -> Result<Pruned, E> {
    let mut found = Pruned::default();
    let mut candidates: Vec<Vec<usize>> = (1..=arity).map(|a| vec![a]).collect();
    while !candidates.is_empty() {
        let mut level = Vec::new();
        for set in candidates {
            found.calls += 1;
            if verify(&set)? {
                level.push(set);
            }
        }
        candidates = larger(&level, arity);
        found.invariant.extend(level);
    }
    Ok(found)
}

/// The sets with one argument more all of whose subsets are in the level.
fn larger(level: &[Vec<usize>], arity: usize) -> Vec<Vec<usize>> {
    let known: FxHashSet<&[usize]> = level.iter().map(Vec::as_slice).collect();
    let mut found = Vec::new();
    for set in level {
        for next in set.last().map_or(0, |l| l + 1)..=arity {
            let grown: Vec<usize> = set.iter().copied().chain([next]).collect();
            let without = |i: usize| -> Vec<usize> {
                grown.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, a)| *a).collect()
            };
            if (0..grown.len()).all(|i| known.contains(without(i).as_slice())) {
                found.push(grown);
            }
        }
    }
    found
}

/// The sets that are no proper subset of another.
pub fn maximal(sets: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let within = |a: &[usize], b: &[usize]| a.len() < b.len() && a.iter().all(|x| b.contains(x));
    let is_maximal = |s: &&Vec<usize>| !sets.iter().any(|t| within(s, t));
    sets.iter().filter(is_maximal).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn only_sets_with_invariant_subsets_are_tried() {
        let run = |invariant: &[&[usize]]| {
            let verify = |s: &[usize]| -> Result<bool, Infallible> {
                Ok(invariant.iter().any(|i| s.iter().all(|a| i.contains(a))))
            };
            let found = prune(3, verify).expect("cannot fail");
            (found.calls, maximal(&found.invariant))
        };
        assert_eq!(run(&[&[1, 2]]), (4, vec![vec![1, 2]]));
        assert_eq!(run(&[&[3], &[1, 2]]), (6, vec![vec![3], vec![1, 2]]));
        assert_eq!(run(&[&[1, 2, 3]]), (7, vec![vec![1, 2, 3]]));
        assert_eq!(run(&[]), (3, vec![]));
    }
}
