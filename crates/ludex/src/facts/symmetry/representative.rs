//! `Representatives`: one state for all that are symmetric, for transposition tables.
//!
//! Small groups are listed, and the least image stands for all. Where the group does nothing but
//! exchange objects at will, their facts are sorted: no need for k! elements. Both are exact. Any other
//! group is a stabiliser chain: point by point of its base, the elements are kept that bring a fact there
//! if any does, one for each different image. While these are few the answer is exact as well; beyond
//! that some are dropped, and two symmetric states may have different representatives. What is answered
//! is always a symmetric state.

use super::table::Table;
use crate::budget::{Budget, Stop};
use ludex_graph::{Chain, Interchangeable, Perm};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

/// Groups with more elements are not listed.
const LISTED: usize = 2_000;
/// Entries of all tables of a chain.
const LARGEST: usize = 20_000_000;
/// Images that are kept at a point of the base.
const WIDTH: usize = 32;

pub struct Representatives {
    method: Method,
}

enum Method {
    /// Images of bases under every element but the identity.
    Listed(Vec<Vec<u32>>),
    /// Objects that can be exchanged at will, and nothing else.
    Sorted(Interchangeable),
    /// Per base point: for every point of its orbit, images that bring it to the base point.
    Chain(Vec<Level>),
    /// Objects are sorted, then generators are applied while they make the state smaller.
    Descent(Interchangeable, Vec<Vec<u32>>),
}

struct Level {
    /// Points of the orbit with the images of all points, the base point itself first.
    cosets: Vec<(u32, Vec<u32>)>,
}

impl Representatives {
    /// For the group that the tables generate (state symmetries: every role stays itself).
    pub fn new(generators: &[Table], order: &BigUint, budget: &Budget) -> Result<Self, Stop> {
        let perms: Vec<Perm> = generators.iter().map(|t| Perm(t.bases.clone())).collect();
        let sparse: Vec<_> = perms.iter().map(Perm::sparse).collect();
        let degree = perms.first().map_or(0, Perm::degree);
        let objects = Interchangeable::find(&sparse);
        let small = *order <= BigUint::from(LISTED) && degree * LISTED < 50_000_000;
        if !small && only_exchanges(&objects, order) {
            return Ok(Representatives { method: Method::Sorted(objects) });
        }
        let stop = || budget.check().is_err();
        if degree * (1 + perms.len()) < LARGEST && order.bits() < 1024 {
            let chain = Chain::new(degree, &perms, &[], Some(order), &stop);
            let chain = chain.map_err(|e| super::stopped(e, budget))?;
            if let Some(all) = chain.elements(LISTED).filter(|_| small) {
                let moving = all.into_iter().filter(|p| !p.is_identity()).map(|p| p.0);
                return Ok(Representatives { method: Method::Listed(moving.collect()) });
            }
            if let Some(levels) = levels(&chain) {
                return Ok(Representatives { method: Method::Chain(levels) });
            }
        }
        let both = perms.iter().flat_map(|p| [p.0.clone(), p.inverse().0]);
        let method = Method::Descent(objects, both.take(256).collect());
        Ok(Representatives { method })
    }

    /// Whether symmetric states always have the same representative.
    pub fn is_exact(&self) -> bool {
        matches!(self.method, Method::Listed(_) | Method::Sorted(_))
    }

    /// A state symmetric to this one; one bit per base.
    pub fn of(&self, state: &[u64]) -> Box<[u64]> {
        match &self.method {
            Method::Listed(images) => {
                let least = images.iter().map(|images| moved(images, state)).min();
                least.filter(|l| **l < *state).unwrap_or_else(|| state.into())
            }
            Method::Sorted(objects) => sorted(objects, state),
            Method::Chain(levels) => along(levels, state),
            Method::Descent(objects, images) => descend(objects, images, sorted(objects, state)),
        }
    }
}

/// Is the group made of all exchanges of these objects, and of nothing else?
fn only_exchanges(objects: &Interchangeable, order: &BigUint) -> bool {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let apart = objects.classes.iter().flatten().flatten().all(|p| seen.insert(*p));
    let factorial = |k: usize| (1..=k).map(BigUint::from).product::<BigUint>();
    let exchanges: BigUint = objects.classes.iter().map(|c| factorial(c.len())).product();
    apart && exchanges == *order
}

/// The cosets of every level as tables, if they are not too large.
fn levels(chain: &Chain) -> Option<Vec<Level>> {
    let points: usize = chain.orbits().map(|(_, orbit)| orbit.len()).sum();
    if points * chain.degree() > LARGEST {
        return None;
    }
    let level = |(i, (_, orbit)): (usize, (u32, &[u32]))| {
        let coset = |p: &u32| Some((*p, chain.representative(i, *p)?.inverse().0));
        Some(Level { cosets: orbit.iter().map(coset).collect::<Option<_>>()? })
    };
    chain.orbits().enumerate().map(level).collect()
}

/// The least of the images that have facts at the first base points.
fn along(levels: &[Level], state: &[u64]) -> Box<[u64]> {
    let holds = |state: &[u64], p: u32| state[p as usize / 64] >> (p % 64) & 1 == 1;
    let mut images: Vec<Box<[u64]>> = vec![state.into()];
    for level in levels {
        let any = images.iter().any(|s| level.cosets.iter().any(|(p, _)| holds(s, *p)));
        let mut seen: FxHashSet<Box<[u64]>> = FxHashSet::default();
        for image in &images {
            for (_, coset) in level.cosets.iter().filter(|(p, _)| holds(image, *p) == any) {
                seen.insert(moved(coset, image));
            }
        }
        images = seen.into_iter().collect();
        images.sort_unstable();
        images.truncate(WIDTH);
    }
    images.swap_remove(0)
}

fn sorted(objects: &Interchangeable, state: &[u64]) -> Box<[u64]> {
    if objects.classes.is_empty() {
        return state.into();
    }
    let bit = |i: usize| state[i / 64] >> (i % 64) & 1 == 1;
    let mut bits: Vec<bool> = (0..state.len() * 64).map(bit).collect();
    objects.sort(&mut bits);
    let word = |w: &[bool]| w.iter().rev().fold(0, |x, &b| x << 1 | b as u64);
    bits.chunks(64).map(word).collect()
}

fn descend(objects: &Interchangeable, images: &[Vec<u32>], state: Box<[u64]>) -> Box<[u64]> {
    let mut best = state;
    // Each round makes the state smaller; a bound keeps the cost of one state in check.
    for _ in 0..16 {
        match images.iter().map(|images| moved(images, &best)).min() {
            Some(image) if image < best => best = sorted(objects, &image).min(image),
            _ => break,
        }
    }
    best
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
