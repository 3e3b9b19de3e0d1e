//! `Elements`: a small group of state symmetries with all its elements listed, for searches that must
//! know which of them turns a state into the one that stands for it, and what moves are called there.

use super::representative::moved;
use super::table::SymmetryMap;
use ludex_graph::Perm;
use rustc_hash::{FxHashMap, FxHashSet};

/// An element of the group, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ElementId(u16);

impl ElementId {
    /// All stays as it is.
    pub const NONE: ElementId = ElementId(0);
}

pub struct Elements {
    /// The identity first.
    all: Vec<SymmetryMap>,
    /// The element that is `a` first and then `b`, at `a * all.len() + b`.
    products: Vec<u16>,
}

impl Elements {
    /// The group that the tables generate, which leave every role alone; where it has more than `most`
    /// elements, a subgroup: of generators that are taken one after the other, as long as the
    /// group stays small. None where that is the identity alone.
    pub fn within(generators: &[SymmetryMap], most: u16) -> Option<Elements> {
        let first = generators.first()?;
        let (roles, bases) = (first.roles.len(), first.bases.len());
        let mut taken: Vec<Perm> = Vec::new();
        let mut all = None;
        for perm in generators.iter().take(MOST_TRIED).map(SymmetryMap::perm) {
            taken.push(perm);
            match listed(&taken, most) {
                Some(larger) => all = Some(larger),
                None => drop(taken.pop()),
            }
        }
        let all: Vec<Perm> = all?;
        let numbers: FxHashMap<&Perm, u16> = all.iter().zip(0..).collect();
        let product = |a: &Perm, b: &Perm| numbers[&a.then(b)];
        let products = all.iter().flat_map(|a| all.iter().map(move |b| product(a, b))).collect();
        let all = all.iter().map(|perm| SymmetryMap::of_perm(perm, roles, bases)).collect();
        Some(Elements { all, products })
    }
    /// The elements that leave a state as it is, all but the identity.
    pub fn fixing(&self, state: &[u64]) -> Vec<ElementId> {
        let fixes = |table: &SymmetryMap| *moved(&table.bases, state) == *state;
        let others = self.all.iter().enumerate().skip(1);
        others.filter(|(_, table)| fixes(table)).map(|(i, _)| ElementId(i as u16)).collect()
    }

    /// The least image of a state under these elements and the identity, and which of them it is of.
    pub fn least(&self, among: &[ElementId], state: &[u64]) -> (ElementId, Box<[u64]>) {
        let mut least: (ElementId, Box<[u64]>) = (ElementId::NONE, state.into());
        for turn in among {
            let image = moved(&self.all[turn.0 as usize].bases, state);
            if image < least.1 {
                least = (*turn, image);
            }
        }
        least
    }

    /// First `a`, then `b`.
    pub fn then(&self, a: ElementId, b: ElementId) -> ElementId {
        ElementId(self.products[a.0 as usize * self.all.len() + b.0 as usize])
    }

    pub fn inverse(&self, turn: ElementId) -> ElementId {
        let count = self.all.len();
        let row = &self.products[turn.0 as usize * count..][..count];
        ElementId(row.iter().position(|product| *product == 0).expect("a group") as u16)
    }

    /// The image of every input.
    pub fn inputs(&self, turn: ElementId) -> &[u32] {
        &self.all[turn.0 as usize].inputs
    }
}

/// Generators of a large group that are looked at.
const MOST_TRIED: usize = 64;

/// All elements of a group, the identity first; none where there are more than `most`.
fn listed(generators: &[Perm], most: u16) -> Option<Vec<Perm>> {
    let mut all = vec![Perm::identity(generators[0].degree())];
    let mut seen: FxHashSet<Perm> = all.iter().cloned().collect();
    let mut at = 0;
    while at < all.len() {
        for generator in generators {
            let new = all[at].then(generator);
            if !seen.insert(new.clone()) {
                continue;
            }
            if all.len() == most as usize {
                return None;
            }
            all.push(new);
        }
        at += 1;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn of four squares, and of the moves onto them.
    fn quarter() -> SymmetryMap {
        SymmetryMap { roles: vec![0], bases: vec![1, 2, 3, 0], inputs: vec![1, 2, 3, 0, 4] }
    }

    #[test]
    fn all_elements_of_a_small_group_are_listed() {
        let mirror =
            SymmetryMap { roles: vec![0], bases: vec![1, 0, 3, 2], inputs: vec![1, 0, 3, 2, 4] };
        let group = Elements::within(&[quarter(), mirror], 8).unwrap();
        assert_eq!(group.all.len(), 8);
        assert!(Elements::within(&[quarter()], 3).is_none());
        for a in (0..8).map(ElementId) {
            assert_eq!(group.then(a, group.inverse(a)), ElementId::NONE);
        }
    }

    #[test]
    fn of_a_large_group_a_part_is_used() {
        let swap = |a: usize, b: usize| {
            let mut map: Vec<u32> = (0..6).collect();
            map.swap(a, b);
            SymmetryMap { roles: vec![0], bases: map.clone(), inputs: map }
        };
        let generators: Vec<SymmetryMap> = (0..5).map(|i| swap(i, i + 1)).collect();
        // Exchanges of the first three at will, and of the last two.
        assert_eq!(Elements::within(&generators, 12).unwrap().all.len(), 12);
        assert_eq!(Elements::within(&generators, 720).unwrap().all.len(), 720);
    }

    #[test]
    fn a_state_is_turned_into_its_least_image_by_what_leaves_the_root_alone() {
        let group = Elements::within(&[quarter()], 4).unwrap();
        let all = group.fixing(&[0b1111]);
        assert_eq!(all.len(), 3);
        let (turn, image) = group.least(&all, &[0b0100]);
        assert_eq!(*image, [0b0001]);
        assert_eq!(group.inputs(turn), [2, 3, 0, 1, 4]);
        // Only the half turn leaves two opposite squares as they are.
        let half = group.fixing(&[0b0101]);
        assert_eq!(half, [turn]);
        assert_eq!(group.least(&half, &[0b0010]), (ElementId::NONE, [0b0010].into()));
    }
}
