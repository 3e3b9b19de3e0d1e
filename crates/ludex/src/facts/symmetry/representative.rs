//! `Representatives`: one state for all that are symmetric, for transposition tables.
//!
//! Small groups are listed and the least image is exact. For large ones interchangeable objects are
//! sorted and generators are applied while they make the state smaller: the answer is always a
//! symmetric state, but two symmetric states may have different ones.

use super::table::Table;
use crate::budget::{Budget, Stop};
use ludex_graph::{Chain, Interchangeable, Perm};
use num_bigint::BigUint;

/// Groups with more elements are not listed.
const LISTED: usize = 2_000;

pub struct Representatives {
    /// Images of bases: of every element but the identity if `exact`, else of generators.
    images: Vec<Vec<u32>>,
    objects: Interchangeable,
    exact: bool,
}

impl Representatives {
    /// For the group that the tables generate (state symmetries: every role stays itself).
    pub fn new(generators: &[Table], order: &BigUint, budget: &Budget) -> Result<Self, Stop> {
        let perms: Vec<Perm> = generators.iter().map(|t| Perm(t.bases.clone())).collect();
        let sparse: Vec<_> = perms.iter().map(Perm::sparse).collect();
        let degree = perms.first().map_or(0, Perm::degree);
        if *order <= BigUint::from(LISTED) && degree * LISTED < 50_000_000 {
            let stop = || budget.check().is_err();
            let chain = Chain::new(degree, &perms, &[], None, &stop);
            let chain = chain.map_err(|e| super::stopped(e, budget))?;
            if let Some(all) = chain.elements(LISTED) {
                let moving = all.into_iter().filter(|p| !p.is_identity()).map(|p| p.0);
                let none = Interchangeable::default();
                return Ok(Representatives {
                    images: moving.collect(),
                    objects: none,
                    exact: true,
                });
            }
        }
        let both = perms.iter().flat_map(|p| [p.0.clone(), p.inverse().0]);
        let objects = Interchangeable::find(&sparse);
        Ok(Representatives { images: both.take(256).collect(), objects, exact: false })
    }

    /// Whether symmetric states always have the same representative.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// A state symmetric to this one; one bit per base.
    pub fn of(&self, state: &[u64]) -> Box<[u64]> {
        match self.exact {
            true => {
                let least = self.images.iter().map(|images| moved(images, state)).min();
                least.filter(|l| **l < *state).unwrap_or_else(|| state.into())
            }
            false => self.descend(self.sorted(state)),
        }
    }

    fn sorted(&self, state: &[u64]) -> Box<[u64]> {
        if self.objects.classes.is_empty() {
            return state.into();
        }
        let bit = |i: usize| state[i / 64] >> (i % 64) & 1 == 1;
        let mut bits: Vec<bool> = (0..state.len() * 64).map(bit).collect();
        self.objects.sort(&mut bits);
        let word = |w: &[bool]| w.iter().rev().fold(0, |x, &b| x << 1 | b as u64);
        bits.chunks(64).map(word).collect()
    }

    fn descend(&self, mut best: Box<[u64]>) -> Box<[u64]> {
        // Each round makes the state smaller; a bound keeps the cost of one state in check.
        for _ in 0..16 {
            match self.images.iter().map(|images| moved(images, &best)).min() {
                Some(image) if image < best => best = self.sorted(&image).min(image),
                _ => break,
            }
        }
        best
    }
}

fn moved(images: &[u32], state: &[u64]) -> Box<[u64]> {
    let mut out = vec![0u64; state.len()].into_boxed_slice();
    for (w, &word) in state.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let to = images[w * 64 + rest.trailing_zeros() as usize] as usize;
            out[to / 64] |= 1 << (to % 64);
            rest &= rest - 1;
        }
    }
    out
}
