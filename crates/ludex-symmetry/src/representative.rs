//! `Representatives`: one state for all that are symmetric, for transposition tables.
//!
//! A group is taken apart where its generators move different facts. Small parts are listed, and the
//! least image stands for all. Where a part does nothing but exchange objects at will, their facts are sorted: no need for k! elements. Both are exact. Any other
//! part is a stabiliser chain: point by point of its base, the elements are kept that bring a fact there
//! if any does, one for each different image. While these are few the answer is exact as well; beyond
//! that some are dropped, and two symmetric states may have different representatives. What is answered
//! is always a symmetric state.

use super::table::SymmetryMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_graph::{Chain, Interchangeable, Orbits, Perm};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

/// Groups with more elements are not listed.
const LISTED: usize = 2_000;
/// Entries of all tables of a chain.
const LARGEST: usize = 20_000_000;
/// Images that are kept at a point of the base.
const WIDTH: usize = 32;
/// Elements beside exchanges of objects.
const MOST_COSETS: usize = 200;

pub struct Representatives {
    /// Parts of the group that move different bases: each is dealt with by itself.
    parts: Vec<OrbitPart>,
}

struct OrbitPart {
    /// The bases that this part of the group moves; its own numbers are places in this list.
    points: Vec<u32>,
    method: OrbitMethod,
}

enum OrbitMethod {
    /// Images under every element but the identity.
    Listed(Vec<Vec<u32>>),
    /// Objects that can be exchanged at will, and images under what else there is, a few elements up
    /// to such exchanges, but the identity.
    Sorted(Interchangeable, Vec<Vec<u32>>),
    /// Per base point: for every point of its orbit, images that bring it to the base point.
    Chain(Vec<OrbitLevel>),
    /// Objects are sorted, then generators are applied while they make the state smaller.
    Descent(Interchangeable, Vec<Vec<u32>>),
}

struct OrbitLevel {
    /// Points of the orbit with the images of all points, the base point itself first.
    cosets: Vec<(u32, Vec<u32>)>,
}

impl Representatives {
    /// For the group that the tables generate (state symmetries: every role stays itself), of which
    /// the order is known.
    pub fn new(generators: &[SymmetryMap], order: &BigUint, budget: &Budget) -> Result<Self, Stop> {
        let perms: Vec<Perm> = generators.iter().map(|t| Perm(t.bases.clone())).collect();
        let mut orbits = Orbits::of(perms.first().map_or(0, Perm::degree), &perms);
        // Orbits that one generator moves belong together.
        for perm in &perms {
            let moved: Vec<u32> = perm.sparse().0.iter().map(|m| m.0).collect();
            for pair in moved.windows(2) {
                orbits.join(pair[0], pair[1]);
            }
        }
        let lists: Vec<Vec<u32>> = orbits.lists().into_iter().filter(|l| l.len() > 1).collect();
        let known = Some(order).filter(|_| lists.len() == 1);
        let part = |points| OrbitPart::new(points, &perms, known, budget);
        Ok(Representatives { parts: lists.into_iter().map(part).collect::<Result<_, _>>()? })
    }

    /// Whether symmetric states always have the same representative.
    pub fn is_exact(&self) -> bool {
        self.parts
            .iter()
            .all(|p| matches!(p.method, OrbitMethod::Listed(_) | OrbitMethod::Sorted(..)))
    }

    /// A state symmetric to this one; one bit per base.
    pub fn of(&self, state: &[u64]) -> Box<[u64]> {
        let mut out: Box<[u64]> = state.into();
        for part in &self.parts {
            let mut own = vec![0u64; part.points.len().div_ceil(64)];
            for (i, &p) in part.points.iter().enumerate() {
                own[i / 64] |= (state[p as usize / 64] >> (p % 64) & 1) << (i % 64);
            }
            let own = part.method.representative(&own);
            for (i, &p) in part.points.iter().enumerate() {
                let (word, bit) = (&mut out[p as usize / 64], p % 64);
                *word = *word & !(1 << bit) | (own[i / 64] >> (i % 64) & 1) << bit;
            }
        }
        out
    }
}

impl OrbitPart {
    fn new(
        points: Vec<u32>,
        perms: &[Perm],
        order: Option<&BigUint>,
        budget: &Budget,
    ) -> Result<OrbitPart, Stop> {
        let place = |p: u32| points.binary_search(&p).expect("a point of the part") as u32;
        let own = |perm: &Perm| Perm(points.iter().map(|&p| place(perm.image(p))).collect());
        let moving = |perm: &Perm| points.iter().any(|&p| perm.image(p) != p);
        let perms: Vec<Perm> = perms.iter().filter(|p| moving(p)).map(own).collect();
        let method = OrbitMethod::new(points.len(), &perms, order, budget)?;
        Ok(OrbitPart { points, method })
    }
}

impl OrbitMethod {
    fn new(
        degree: usize,
        perms: &[Perm],
        order: Option<&BigUint>,
        budget: &Budget,
    ) -> Result<OrbitMethod, Stop> {
        let sparse: Vec<_> = perms.iter().map(Perm::sparse).collect();
        let objects = Interchangeable::find(&sparse);
        let stop = || budget.check().is_err();
        if degree * (1 + perms.len()) < LARGEST && order.is_none_or(|o| o.bits() < 1024) {
            let chain = Chain::new(degree, perms, &[], order, &stop);
            let chain = chain.map_err(|e| super::stopped(e, budget))?;
            if let Some(all) = chain.elements(LISTED).filter(|_| degree * LISTED < 50_000_000) {
                let moving = all.into_iter().filter(|p| !p.is_identity()).map(|p| p.0);
                return Ok(OrbitMethod::Listed(moving.collect()));
            }
            if let Some(cosets) = cosets(degree, perms, &objects, &chain.order(), &stop) {
                return Ok(OrbitMethod::Sorted(objects, cosets));
            }
            if let Some(levels) = levels(&chain).filter(|_| objects.classes.is_empty()) {
                return Ok(OrbitMethod::Chain(levels));
            }
        } else if order.is_some_and(|o| only_exchanges(&objects, o)) {
            return Ok(OrbitMethod::Sorted(objects, vec![]));
        }
        let both = perms.iter().flat_map(|p| [p.0.clone(), p.inverse().0]);
        Ok(OrbitMethod::Descent(objects, both.take(256).collect()))
    }

    fn representative(&self, state: &[u64]) -> Box<[u64]> {
        match self {
            OrbitMethod::Listed(images) => {
                let least = images.iter().map(|images| moved(images, state)).min();
                least.filter(|l| **l < *state).unwrap_or_else(|| state.into())
            }
            OrbitMethod::Sorted(objects, cosets) => {
                let images = cosets.iter().map(|images| sorted(objects, &moved(images, state)));
                images.chain([sorted(objects, state)]).min().expect("one at least")
            }
            OrbitMethod::Chain(levels) => along(levels, state),
            OrbitMethod::Descent(objects, images) => {
                descend(objects, images, sorted(objects, state))
            }
        }
    }
}

/// The number of exchanges of these objects, if they share no points.
fn exchanges(objects: &Interchangeable) -> Option<BigUint> {
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let apart = objects.classes.iter().flatten().flatten().all(|p| seen.insert(*p));
    let factorial = |k: usize| (1..=k).map(BigUint::from).product::<BigUint>();
    apart.then(|| objects.classes.iter().map(|c| factorial(c.len())).product())
}

/// Is the group made of all exchanges of these objects, and of nothing else?
fn only_exchanges(objects: &Interchangeable, order: &BigUint) -> bool {
    exchanges(objects).as_ref() == Some(order)
}

/// Elements of the group up to exchanges of objects, without the identity: few, and the exchanges are a
/// normal subgroup. Then the least of the sorted images is the same for all symmetric states.
fn cosets(
    degree: usize,
    perms: &[Perm],
    objects: &Interchangeable,
    order: &BigUint,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Vec<u32>>> {
    let inner = exchanges(objects)?;
    let number: usize = (order / &inner).try_into().ok().filter(|n| *n <= MOST_COSETS)?;
    let swap = |pair: &[Vec<u32>]| {
        let mut perm = Perm::identity(degree);
        for (&a, &b) in pair[0].iter().zip(&pair[1]) {
            (perm.0[a as usize], perm.0[b as usize]) = (b, a);
        }
        perm
    };
    let swaps: Vec<Perm> = objects.classes.iter().flat_map(|c| c.windows(2).map(swap)).collect();
    let chain = Chain::new(degree, &swaps, &[], Some(&inner), stop).ok()?;
    let stays = |g: &Perm, e: &Perm| chain.contains(&g.inverse().then(e).then(g));
    if !perms.iter().all(|g| swaps.iter().all(|e| stays(g, e))) {
        return None;
    }
    let mut found = vec![Perm::identity(degree)];
    let mut i = 0;
    while i < found.len() && found.len() < number {
        for g in perms {
            let new = found[i].then(g);
            if !found.iter().any(|old| chain.contains(&old.inverse().then(&new))) {
                found.push(new);
            }
        }
        i += 1;
    }
    (found.len() == number).then(|| found.into_iter().skip(1).map(|p| p.0).collect())
}

/// The cosets of every level as tables, if they are not too large.
fn levels(chain: &Chain) -> Option<Vec<OrbitLevel>> {
    let points: usize = chain.orbits().map(|(_, orbit)| orbit.len()).sum();
    if points * chain.degree() > LARGEST {
        return None;
    }
    let level = |(i, (_, orbit)): (usize, (u32, &[u32]))| {
        let coset = |p: &u32| Some((*p, chain.representative(i, *p)?.inverse().0));
        Some(OrbitLevel { cosets: orbit.iter().map(coset).collect::<Option<_>>()? })
    };
    chain.orbits().enumerate().map(level).collect()
}

/// The least of the images that have facts at the first base points.
fn along(levels: &[OrbitLevel], state: &[u64]) -> Box<[u64]> {
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

/// A state, one bit for each base, moved by a table of images.
pub(super) fn moved(images: &[u32], state: &[u64]) -> Box<[u64]> {
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
