//! Generators -> `Chain`: a stabiliser chain (Schreier–Sims), with order, membership and cosets.
//!
//! Random products are sifted first, which finds the chain quickly; then every Schreier generator is
//! sifted, unless a known order has been reached, which proves the chain as well.

use crate::perm::Perm;
use crate::refine::mix;
use crate::{StopFn, Stopped};
use num_bigint::BigUint;

/// A group as a chain of stabilisers, each of a base point in the group above it.
#[derive(Clone, Debug)]
pub struct Chain {
    degree: usize,
    levels: Vec<ChainLevel>,
}

#[derive(Clone, Debug)]
struct ChainLevel {
    point: u32,
    /// Generators of the group of this level, with their inverses.
    generators: Vec<(Perm, Perm)>,
    orbit: Vec<u32>,
    /// For a point of the orbit: the generator whose image it is. None outside and at `point`.
    via: Vec<Option<u32>>,
}

impl Chain {
    /// `base` comes first in the base; `order`, if it is known, saves the proof.
    pub fn new(
        degree: usize,
        generators: &[Perm],
        base: &[u32],
        order: Option<&BigUint>,
        stop: StopFn,
    ) -> Result<Chain, Stopped> {
        let mut chain = Chain { degree, levels: Vec::new() };
        base.iter().for_each(|&p| chain.levels.push(ChainLevel::new(degree, p)));
        for g in generators {
            chain.add(g.clone());
        }
        chain.sift_randomly(generators, order, stop)?;
        if order.is_none_or(|o| chain.order() != *o) {
            chain.close(stop)?;
        }
        Ok(chain)
    }

    pub fn degree(&self) -> usize {
        self.degree
    }

    pub fn order(&self) -> BigUint {
        self.levels.iter().map(|l| BigUint::from(l.orbit.len())).product()
    }

    pub fn contains(&self, perm: &Perm) -> bool {
        perm.degree() == self.degree && self.sift(perm.clone(), 0).0.is_identity()
    }

    /// Strong generators: those of the whole group, the first level's.
    pub fn generators(&self) -> Vec<Perm> {
        self.levels.first().map_or(vec![], |l| l.generators.iter().map(|g| g.0.clone()).collect())
    }

    /// The base points, and the points that each can go to while those before it stay.
    pub fn orbits(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.levels.iter().map(|l| (l.point, l.orbit.as_slice()))
    }

    /// An element of the group of level `level` that maps its base point to `to`.
    pub fn representative(&self, level: usize, to: u32) -> Option<Perm> {
        let level = &self.levels[level];
        let mut at = to;
        let mut steps = Vec::new();
        while at != level.point {
            let g = level.via[at as usize]?;
            steps.push(g);
            at = level.generators[g as usize].1.image(at);
        }
        let mut perm = Perm::identity(self.degree);
        for g in steps.into_iter().rev() {
            perm = perm.then(&level.generators[g as usize].0);
        }
        Some(perm)
    }

    /// All elements, if there are no more than `limit`.
    pub fn elements(&self, limit: usize) -> Option<Vec<Perm>> {
        if self.order() > BigUint::from(limit) {
            return None;
        }
        let mut all = vec![Perm::identity(self.degree)];
        for (i, level) in self.levels.iter().enumerate().rev() {
            let cosets: Vec<Perm> =
                level.orbit.iter().filter_map(|&p| self.representative(i, p)).collect();
            all = all.iter().flat_map(|g| cosets.iter().map(|c| g.then(c))).collect();
        }
        Some(all)
    }

    /// The stabiliser of a point, as a chain.
    pub(crate) fn stabiliser(&self, point: u32, stop: StopFn) -> Result<Chain, Stopped> {
        let order = self.order();
        let mut chain = Chain::new(self.degree, &self.generators(), &[point], Some(&order), stop)?;
        chain.levels.remove(0);
        chain.levels.retain(|l| l.orbit.len() > 1);
        Ok(chain)
    }

    /// Divides a permutation by representatives from a level on: the rest, and where it stopped.
    fn sift(&self, mut perm: Perm, from: usize) -> (Perm, usize) {
        for (i, level) in self.levels.iter().enumerate().skip(from) {
            loop {
                let at = perm.image(level.point);
                if at == level.point {
                    break;
                }
                let Some(g) = level.via[at as usize] else { return (perm, i) };
                perm = perm.then(&level.generators[g as usize].1);
            }
        }
        (perm, self.levels.len())
    }

    /// Sifts a permutation into the chain; true if it was new.
    fn add(&mut self, perm: Perm) -> bool {
        let (rest, level) = self.sift(perm, 0);
        if rest.is_identity() {
            return false;
        }
        if level == self.levels.len() {
            let moved = rest.sparse().0[0].0;
            self.levels.push(ChainLevel::new(self.degree, moved));
        }
        let inverse = rest.inverse();
        for l in &mut self.levels[..=level] {
            l.generators.push((rest.clone(), inverse.clone()));
            l.grow();
        }
        true
    }

    fn sift_randomly(
        &mut self,
        generators: &[Perm],
        order: Option<&BigUint>,
        stop: StopFn,
    ) -> Result<(), Stopped> {
        let mut source = Products::new(self.degree, generators);
        let mut in_vain = 0;
        while in_vain < 20 && order.is_none_or(|o| self.order() != *o) {
            if stop() {
                return Err(Stopped);
            }
            let Some(perm) = source.next() else { break };
            in_vain = if self.add(perm) { 0 } else { in_vain + 1 };
        }
        Ok(())
    }

    /// Sifts every Schreier generator of every level until all of them vanish.
    fn close(&mut self, stop: StopFn) -> Result<(), Stopped> {
        let mut i = self.levels.len();
        while i > 0 {
            i -= 1;
            if let Some(level) = self.close_level(i, stop)? {
                i = level + 1;
            }
        }
        Ok(())
    }

    /// The level at which a new generator was added, if one was.
    fn close_level(&mut self, i: usize, stop: StopFn) -> Result<Option<usize>, Stopped> {
        for p in self.levels[i].orbit.clone() {
            let to_p = self.representative(i, p).expect("a point of the orbit");
            for g in 0..self.levels[i].generators.len() {
                if stop() {
                    return Err(Stopped);
                }
                let schreier = to_p.then(&self.levels[i].generators[g].0);
                let (rest, level) = self.sift(schreier, i);
                if !rest.is_identity() {
                    self.add(rest);
                    return Ok(Some(level.min(self.levels.len() - 1)));
                }
            }
        }
        Ok(None)
    }
}

impl ChainLevel {
    fn new(degree: usize, point: u32) -> ChainLevel {
        ChainLevel { point, generators: vec![], orbit: vec![point], via: vec![None; degree] }
    }

    /// Extends the orbit by the last generator, and by all others from the new points.
    fn grow(&mut self) {
        let old = self.orbit.len();
        let last = self.generators.len() - 1;
        let mut i = 0;
        while i < self.orbit.len() {
            let from = if i < old { last } else { 0 };
            for g in from..=last {
                let to = self.generators[g].0.image(self.orbit[i]);
                if to != self.point && self.via[to as usize].is_none() {
                    self.via[to as usize] = Some(g as u32);
                    self.orbit.push(to);
                }
            }
            i += 1;
        }
    }
}

/// Random elements by product replacement, the same on every run.
struct Products {
    pool: Vec<Perm>,
    last: Perm,
    seed: u64,
}

impl Products {
    fn new(degree: usize, generators: &[Perm]) -> Products {
        let mut pool = Vec::new();
        if !generators.is_empty() {
            let size = generators.len().max(10);
            pool = (0..size).map(|i| generators[i % generators.len()].clone()).collect();
        }
        let mut products = Products { pool, last: Perm::identity(degree), seed: 1 };
        (0..50).for_each(|_| drop(products.next()));
        products
    }

    fn next(&mut self) -> Option<Perm> {
        let n = self.pool.len();
        if n == 0 {
            return None;
        }
        self.seed = mix(self.seed);
        let i = (self.seed >> 8) as usize % n;
        let j = (i + 1 + (self.seed >> 40) as usize % (n - 1)) % n;
        let factor = if self.seed & 1 == 0 { self.pool[j].clone() } else { self.pool[j].inverse() };
        self.pool[i] = self.pool[i].then(&factor);
        self.last = self.last.then(&self.pool[i]);
        Some(self.last.clone())
    }
}
