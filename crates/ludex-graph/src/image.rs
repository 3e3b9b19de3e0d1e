//! Representatives of sets of points under a group: the smallest image, or a near one by descent, and
//! blocks of points that are interchangeable as a whole, for which sorting is enough.

use crate::chain::Chain;
use crate::perm::{Perm, SparsePerm};
use crate::{StopFn, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

/// The smallest image of a set (sorted lists compared element by element) and a permutation that
/// gives it; none where more than `width` candidates would have to be kept (Linton's method).
pub fn smallest_image(
    chain: &Chain,
    set: &[u32],
    width: usize,
    stop: StopFn,
) -> Result<Option<(Vec<u32>, Perm)>, Stopped> {
    let mut group = chain.clone();
    let mut fixed = Vec::new();
    let mut candidates = vec![(set.to_vec(), Perm::identity(chain.degree()))];
    while fixed.len() < set.len() {
        if stop() {
            return Err(Stopped);
        }
        let least = least_in_orbit(&group);
        let rest = |image: &[u32]| -> Vec<u32> {
            image.iter().copied().filter(|p| !fixed.contains(p)).collect()
        };
        let reach = |p: &u32| least[*p as usize];
        let point = candidates.iter().flat_map(|c| rest(&c.0)).map(|p| reach(&p)).min();
        let point = point.expect("points are left");
        let based =
            Chain::new(chain.degree(), &group.generators(), &[point], Some(&group.order()), stop)?;
        let mut next = Vec::new();
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        for (image, perm) in &candidates {
            for p in rest(image).into_iter().filter(|p| reach(p) == point) {
                let Some(to) = based.representative(0, p) else { continue };
                let step = to.inverse();
                let mut moved: Vec<u32> = image.iter().map(|&q| step.image(q)).collect();
                moved.sort_unstable();
                if seen.insert(moved.clone()) {
                    next.push((moved, perm.then(&step)));
                }
            }
        }
        if next.len() > width {
            return Ok(None);
        }
        candidates = next;
        fixed.push(point);
        group = group.stabiliser(point, stop)?;
    }
    Ok(candidates.into_iter().min())
}

/// The least point of every point's orbit.
fn least_in_orbit(group: &Chain) -> Vec<u32> {
    let mut orbits = crate::perm::Orbits::of(group.degree(), &group.generators());
    let mut least = vec![0; group.degree()];
    for list in orbits.lists() {
        list.iter().for_each(|&p| least[p as usize] = list[0]);
    }
    least
}

/// Applies whichever of the permutations makes the set smallest, again and again: a member of the same
/// orbit, often but not always the smallest. Sets are sorted lists.
pub fn greedy_image(perms: &[Perm], set: &[u32]) -> Vec<u32> {
    let mut best = set.to_vec();
    best.sort_unstable();
    loop {
        let images = perms.iter().map(|p| {
            let mut image: Vec<u32> = best.iter().map(|&q| p.image(q)).collect();
            image.sort_unstable();
            image
        });
        match images.min() {
            Some(image) if image < best => best = image,
            _ => return best,
        }
    }
}

/// Blocks of points such that any permutation of the blocks of a class, point by point, is a symmetry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interchangeable {
    /// Classes of three and more blocks of equal length.
    pub classes: Vec<Vec<Vec<u32>>>,
}

impl Interchangeable {
    /// Finds classes among generators that exchange two blocks and leave all other points alone.
    pub fn find(generators: &[SparsePerm]) -> Interchangeable {
        let exchanges: Vec<&SparsePerm> =
            generators.iter().filter(|g| !g.0.is_empty() && is_involution(g)).collect();
        let mut by_point: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, g) in exchanges.iter().enumerate() {
            g.0.iter().for_each(|m| by_point.entry(m.0).or_default().push(i));
        }
        let mut used = vec![false; exchanges.len()];
        let mut classes = Vec::new();
        for i in 0..exchanges.len() {
            if !used[i] {
                classes.extend(class_from(i, &exchanges, &by_point, &mut used));
            }
        }
        Interchangeable { classes }
    }

    /// Sorts the blocks of every class by what a state holds in them; a few rounds, since classes may
    /// share points. The state keeps its orbit.
    pub fn sort(&self, state: &mut [bool]) {
        for _ in 0..if self.classes.len() > 1 { 3 } else { 1 } {
            for class in &self.classes {
                let mut rows: Vec<Vec<bool>> =
                    class.iter().map(|b| b.iter().map(|&p| state[p as usize]).collect()).collect();
                rows.sort_unstable();
                for (block, row) in class.iter().zip(rows) {
                    block.iter().zip(row).for_each(|(&p, bit)| state[p as usize] = bit);
                }
            }
        }
    }
}

fn is_involution(g: &SparsePerm) -> bool {
    g.0.iter().all(|&(p, q)| g.image(q) == p)
}

/// The class of blocks that exchanges from the `first` on connect, if there are three or more.
fn class_from(
    first: usize,
    exchanges: &[&SparsePerm],
    by_point: &FxHashMap<u32, Vec<usize>>,
    used: &mut [bool],
) -> Option<Vec<Vec<u32>>> {
    let half = exchanges[first].0.len() / 2;
    let block = shared_block(first, exchanges, by_point, half)?;
    let mut blocks = vec![block];
    let mut taken: FxHashSet<u32> = blocks[0].iter().copied().collect();
    let mut i = 0;
    while i < blocks.len() {
        for &g in &by_point[&blocks[i][0]] {
            let image: Vec<u32> = blocks[i].iter().map(|&p| exchanges[g].image(p)).collect();
            let whole = exchanges[g].0.len() == 2 * half;
            if whole && image.iter().zip(&blocks[i]).all(|(a, b)| a != b) {
                if image.iter().all(|p| !taken.contains(p)) {
                    taken.extend(&image);
                    blocks.push(image);
                }
                used[g] = true;
            }
        }
        i += 1;
    }
    (blocks.len() > 2).then_some(blocks)
}

/// The half of an exchange that it shares with another exchange of the same size.
fn shared_block(
    first: usize,
    exchanges: &[&SparsePerm],
    by_point: &FxHashMap<u32, Vec<usize>>,
    half: usize,
) -> Option<Vec<u32>> {
    let g = exchanges[first];
    let neighbours = [g.0[0].0, g.0[0].1].into_iter().flat_map(|p| &by_point[&p]);
    for &other in neighbours.filter(|&&o| o != first && exchanges[o].0.len() == g.0.len()) {
        let moved = |p: u32| exchanges[other].image(p) != p;
        let shared: Vec<u32> = g.0.iter().map(|m| m.0).filter(|&p| moved(p)).collect();
        if shared.len() == half && shared.iter().all(|&p| !moved(g.image(p))) {
            return Some(shared);
        }
    }
    None
}
