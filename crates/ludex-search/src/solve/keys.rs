//! `Keys`: numbers that tell states apart, and symmetric states alike (paper 002, "Exploiting
//! Symmetries").
//!
//! Every base has a random number, a state is the exclusive or of those of its facts. For a group
//! that is small enough to be listed there is one such number for every symmetry, tabulated base by
//! base, so that a step from a state to the next changes all of them together: a state's key is the
//! least, and the symmetries that keep a state are those whose number is that of the identity. For a
//! larger group the key is that of a representative, which is not always the same for symmetric
//! states; then fewer states are recognised and nothing becomes wrong.

use ludex_gdl::budget::{Budget, Stop};
use ludex_graph::{Chain, Perm};
use ludex_reason::{Move, Random};
use ludex_symmetry::representative::Representatives;
use ludex_symmetry::{NetSymmetries, SymmetryMap};
use num_bigint::BigUint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How symmetries are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Symmetry {
    #[default]
    None,
    /// Of symmetric moves in a state one is tried.
    Moves,
    /// A state is looked up under all its symmetric states.
    States,
}

#[derive(Clone)]
pub struct Keys {
    pub mode: Symmetry,
    pub order: BigUint,
    /// False where there was no time to find all symmetries.
    pub complete: bool,
    /// Symmetries that are listed, the identity first.
    pub listed: usize,
    /// Per base and symmetry the number of the base's image.
    numbers: Vec<u128>,
    /// Per listed symmetry the images of the inputs.
    inputs: Vec<Vec<u32>>,
    large: Option<Arc<Representatives>>,
}

/// Groups with more elements, or larger tables, are not listed.
const LISTED: usize = 4_096;
const LARGEST_TABLE: usize = 4_000_000;

impl Keys {
    pub fn plain(bases: usize) -> Keys {
        let identity: Vec<u32> = (0..bases as u32).collect();
        Keys {
            mode: Symmetry::None,
            order: BigUint::from(1u32),
            complete: true,
            listed: 1,
            numbers: numbers(&[identity]),
            inputs: vec![],
            large: None,
        }
    }

    /// Keys under the symmetries that leave every role alone.
    pub fn new(
        bases: usize,
        found: &NetSymmetries,
        mode: Symmetry,
        budget: &Budget,
    ) -> Result<Keys, Stop> {
        let (order, complete) = (found.order.clone(), found.complete);
        let mut keys = Keys { order, complete, ..Keys::plain(bases) };
        if mode == Symmetry::None || found.generators.is_empty() {
            return Ok(keys);
        }
        keys.mode = mode;
        match elements(bases, found, budget)? {
            Some(all) => {
                keys.listed = all.len();
                let images: Vec<Vec<u32>> = all.iter().map(|t| t.bases.clone()).collect();
                keys.numbers = numbers(&images);
                keys.inputs = all.into_iter().map(|t| t.inputs).collect();
            }
            None if mode == Symmetry::States => {
                let large = Representatives::new(&found.generators, &found.order, budget)?;
                keys.large = Some(Arc::new(large));
            }
            // The generators and the identity: fewer moves are seen to be symmetric.
            None => keys.list_generators(bases, &found.generators),
        }
        Ok(keys)
    }

    fn list_generators(&mut self, bases: usize, generators: &[SymmetryMap]) {
        let most = (LARGEST_TABLE / bases.max(1)).clamp(2, LISTED) - 1;
        let some = &generators[..generators.len().min(most)];
        let mut images: Vec<Vec<u32>> = vec![(0..bases as u32).collect()];
        images.extend(some.iter().map(|t| t.bases.clone()));
        self.inputs = vec![(0..generators[0].inputs.len() as u32).collect()];
        self.inputs.extend(some.iter().map(|t| t.inputs.clone()));
        (self.listed, self.numbers) = (images.len(), numbers(&images));
    }

    /// The same keys, blind to some bases. (Symmetries leave a clock alone or move it within itself.)
    pub fn without(mut self, blind: &[usize]) -> Keys {
        for base in blind {
            self.numbers[base * self.listed..(base + 1) * self.listed].fill(0);
        }
        self
    }

    /// Are symmetric states always recognised?
    pub fn is_exact(&self) -> bool {
        self.large.is_none()
    }

    /// Goes on without symmetries.
    pub fn switch_off(&mut self) {
        let bases = self.numbers.len() / self.listed;
        self.numbers = (0..bases).map(|b| self.numbers[b * self.listed]).collect();
        (self.mode, self.listed, self.large) = (Symmetry::None, 1, None);
    }

    /// The numbers of a state under all listed symmetries.
    pub fn all(&self, row: &[u64], out: &mut Vec<u128>) {
        out.clear();
        out.resize(self.listed, 0);
        row.iter().enumerate().for_each(|(w, word)| self.flip(w, *word, out));
    }

    /// The numbers of a state from those of another.
    pub fn step(&self, from: &[u64], to: &[u64], before: &[u128], out: &mut Vec<u128>) {
        out.resize(before.len(), 0);
        self.step_to(from, to, before, out);
    }

    /// The same, with room for them.
    #[inline]
    pub fn step_to(&self, from: &[u64], to: &[u64], before: &[u128], out: &mut [u128]) {
        out.copy_from_slice(before);
        for (w, (a, b)) in from.iter().zip(to).enumerate() {
            self.flip(w, a ^ b, out);
        }
    }

    fn flip(&self, w: usize, mut word: u64, out: &mut [u128]) {
        while word != 0 {
            let base = w * 64 + word.trailing_zeros() as usize;
            let numbers = &self.numbers[base * self.listed..][..self.listed];
            out.iter_mut().zip(numbers).for_each(|(x, n)| *x ^= n);
            word &= word - 1;
        }
    }

    /// The key of a state with these numbers.
    pub fn key(&self, all: &[u128], row: &[u64]) -> u128 {
        match (&self.large, self.mode) {
            (Some(large), _) => {
                let mut one = [0];
                let representative = large.of(row);
                representative.iter().enumerate().for_each(|(w, x)| self.flip(w, *x, &mut one));
                one[0]
            }
            (_, Symmetry::States) => *all.iter().min().expect("the identity"),
            _ => all[0],
        }
    }

    /// The joint moves, one after the other, that are the least of those symmetric to them in a state with
    /// these numbers.
    pub fn least_moves(&self, all: &[u128], roles: usize, joints: &[Move], keep: &mut Vec<bool>) {
        keep.clear();
        keep.resize(joints.len() / roles, true);
        for (g, inputs) in self.inputs.iter().enumerate().skip(1) {
            if all[g] != all[0] {
                continue;
            }
            for (joint, keep) in joints.chunks(roles).zip(keep.iter_mut()) {
                let image = joint.iter().map(|m| inputs[m.0 as usize]);
                *keep &= !image.lt(joint.iter().map(|m| m.0));
            }
        }
    }
}

/// All elements of a small group, the identity first.
fn elements(
    bases: usize,
    found: &NetSymmetries,
    budget: &Budget,
) -> Result<Option<Vec<SymmetryMap>>, Stop> {
    let most = LISTED.min(LARGEST_TABLE / bases.max(1));
    if found.order > BigUint::from(most) {
        return Ok(None);
    }
    let perms: Vec<Perm> = found.generators.iter().map(SymmetryMap::perm).collect();
    let stop = || budget.check().is_err();
    let chain = Chain::new(perms[0].degree(), &perms, &[], Some(&found.order), &stop);
    let Ok(chain) = chain else { return Err(budget.check().err().unwrap_or(Stop::Interrupted)) };
    let roles = found.generators[0].roles.len();
    let all = chain.elements(most).map(|mut all| {
        all.sort_by_key(|p| !p.is_identity());
        all.iter().map(|p| SymmetryMap::of_perm(p, roles, bases)).collect()
    });
    Ok(all)
}

/// The numbers of bases, by base and then symmetry.
fn numbers(images: &[Vec<u32>]) -> Vec<u128> {
    let mut random = Random::new(0x5a0b_1257);
    let bases = images[0].len();
    let of: Vec<u128> =
        (0..bases).map(|_| (random.bits() as u128) << 64 | random.bits() as u128).collect();
    let image = |b: usize| images.iter().map(move |i| i[b] as usize);
    (0..bases).flat_map(|b| image(b).map(|i| of[i]).collect::<Vec<_>>()).collect()
}
