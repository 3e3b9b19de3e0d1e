//! `Elements`: a small group of state symmetries with all its elements listed, for searches that must
//! know which of them turns a state into the one that stands for it, and what moves are called there.

use super::representative::moved;
use super::table::SymmetryMap;
use ludex_graph::Perm;
use rustc_hash::FxHashMap;

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
    /// The group that the tables generate, which leave every role alone; none where it has more than
    /// `most` elements.
    pub fn new(generators: &[SymmetryMap], most: u16) -> Option<Elements> {
        let first = generators.first()?;
        let (roles, bases) = (first.roles.len(), first.bases.len());
        let generators: Vec<Perm> = generators.iter().map(SymmetryMap::perm).collect();
        let mut all = vec![Perm::identity(generators[0].degree())];
        let mut numbers = FxHashMap::from_iter([(all[0].clone(), 0u16)]);
        let mut at = 0;
        while at < all.len() {
            for generator in &generators {
                let new = all[at].then(generator);
                if numbers.contains_key(&new) {
                    continue;
                }
                if all.len() == most as usize {
                    return None;
                }
                numbers.insert(new.clone(), all.len() as u16);
                all.push(new);
            }
            at += 1;
        }
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
        let group = Elements::new(&[quarter(), mirror], 8).unwrap();
        assert_eq!(group.all.len(), 8);
        assert!(Elements::new(&[quarter()], 3).is_none());
        for a in (0..8).map(ElementId) {
            assert_eq!(group.then(a, group.inverse(a)), ElementId::NONE);
        }
    }

    #[test]
    fn a_state_is_turned_into_its_least_image_by_what_leaves_the_root_alone() {
        let group = Elements::new(&[quarter()], 4).unwrap();
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
