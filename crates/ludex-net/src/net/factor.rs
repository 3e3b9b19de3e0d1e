//! Disjunctions of conjunctions, factored: `a x + b x + c` becomes `(a + b) x + c`.
//!
//! The literal that most terms have is taken out first; of equals the one that is used least
//! elsewhere, so that what stays in the brackets is shared with other disjunctions.

use super::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A circuit in the making, to which a factored disjunction is added.
pub trait Gates {
    fn and(&mut self, a: Lit, b: Lit) -> Lit;
    fn conjunction(&mut self, lits: Vec<Lit>) -> Lit;
    /// The disjunction of single literals and of products.
    fn sum(&mut self, alone: Vec<Lit>, products: Vec<Lit>) -> Lit;
}

/// The disjunction of the terms. `uses` tells how often a literal is used in the whole net.
pub fn factored<G: Gates>(
    gates: &mut G,
    mut terms: Vec<Vec<Lit>>,
    uses: &dyn Fn(Lit) -> u32,
) -> Lit {
    if terms.len() == 1 {
        return cleaned(terms.remove(0)).map_or(Lit::FALSE, |term| gates.conjunction(term));
    }
    let (alone, terms) = simplified(terms);
    if terms.is_empty() {
        return disjunction(gates, alone);
    }
    let mut products = Vec::new();
    if alone.contains(&Lit::TRUE) {
        return Lit::TRUE;
    }
    let mut with: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
    for (t, term) in terms.iter().enumerate() {
        term.iter().for_each(|lit| with.entry(*lit).or_default().push(t as u32));
    }
    let mut count: FxHashMap<Lit, u32> = with.iter().map(|(l, ts)| (*l, ts.len() as u32)).collect();
    let key = |lit: Lit, n: u32| (n, Reverse(uses(lit)), Reverse(lit));
    let many = count.iter().filter(|(_, n)| **n > 1);
    let mut heap: BinaryHeap<_> = many.map(|(lit, n)| key(*lit, *n)).collect();
    let mut open = vec![true; terms.len()];
    while let Some((n, _, Reverse(lit))) = heap.pop() {
        let left = count[&lit];
        if left < n {
            if left > 1 {
                heap.push(key(lit, left));
            }
            continue;
        }
        let taken: Vec<u32> = with[&lit].iter().copied().filter(|t| open[*t as usize]).collect();
        let mut rest = Vec::with_capacity(taken.len());
        for t in taken {
            open[t as usize] = false;
            let term = &terms[t as usize];
            term.iter().for_each(|l| *count.get_mut(l).expect("counted") -= 1);
            rest.push(term.iter().copied().filter(|l| *l != lit).collect());
        }
        let bracket = factored(gates, rest, uses);
        products.push(gates.and(lit, bracket));
    }
    for (term, _) in terms.into_iter().zip(open).filter(|(_, open)| *open) {
        products.push(gates.conjunction(term));
    }
    gates.sum(alone, products)
}

/// The disjunction of single literals.
pub fn disjunction<G: Gates>(gates: &mut G, mut lits: Vec<Lit>) -> Lit {
    lits.sort_unstable();
    lits.dedup();
    let sure = lits.contains(&Lit::TRUE) || lits.windows(2).any(|pair| pair[0] == !pair[1]);
    if sure { Lit::TRUE } else { gates.sum(lits, vec![]) }
}

/// Terms of one literal, and the others without what those make needless.
fn simplified(terms: Vec<Vec<Lit>>) -> (Vec<Lit>, Vec<Vec<Lit>>) {
    let mut terms: Vec<Vec<Lit>> = terms.into_iter().filter_map(cleaned).collect();
    let mut alone: FxHashSet<Lit> = FxHashSet::default();
    loop {
        let before = alone.len();
        terms.retain_mut(|term| {
            term.retain(|l| !alone.contains(&!*l));
            match term[..] {
                [] => alone.insert(Lit::TRUE),
                [lit] => alone.insert(lit),
                _ => return !term.iter().any(|l| alone.contains(l)),
            };
            false
        });
        if alone.len() == before {
            break;
        }
    }
    let mut alone: Vec<Lit> = alone.into_iter().collect();
    alone.sort_unstable();
    terms.sort_unstable();
    terms.dedup();
    (alone, terms)
}

/// A term without repeated and true literals; none where it is false.
fn cleaned(mut term: Vec<Lit>) -> Option<Vec<Lit>> {
    term.sort_unstable();
    term.dedup();
    let opposite = term.windows(2).any(|pair| pair[0] == !pair[1]);
    if opposite || term.first() == Some(&Lit::FALSE) {
        return None;
    }
    term.retain(|lit| *lit != Lit::TRUE);
    Some(term)
}
