//! Which blocks the moves of a role tie together: what a move is to each block, and whether the parts of
//! moves can be chosen apart.
//!
//! To a block a move is its effect on it and the conditions it has in it. Two blocks that one move
//! touches both are apart only if every part in one goes with every part in the other (a product: both
//! are played at once). Two blocks that no move touches both are played by choice. Anything else
//! unites them: in a game of blocks, stacking a on b changes three facts that are no games of their own.

use super::blocks::{Blocks, Supports};
use super::effects::Effects;
use super::phases::Phase;
use crate::net::Lit;
use rustc_hash::FxHashMap;

/// For every move of a role in a phase the blocks it touches (by root), each with the number of its
/// part there. A block that is not named is left alone, which is part 0.
pub struct Parts {
    pub role: usize,
    pub phase: usize,
    pub inputs: Vec<usize>,
    pub rows: Vec<Vec<(usize, u32)>>,
}

/// Changes and conditions within a block.
type Touch = (Vec<(usize, Lit)>, Vec<Lit>);

pub fn parts(
    effects: &Effects,
    phases: &[Phase],
    supports: &mut [Supports],
    blocks: &mut Blocks,
) -> Parts {
    let net = &phases[effects.phase].net;
    let mut numbers: FxHashMap<(usize, Touch), u32> = FxHashMap::default();
    let mut rows = Vec::new();
    for effect in &effects.moves {
        let mut touched: FxHashMap<usize, Touch> = FxHashMap::default();
        for change in effect.changes.iter().filter(|c| !blocks.is_shared(c.0)).collect::<Vec<_>>() {
            touched.entry(blocks.find(change.0)).or_default().0.push(*change);
        }
        for part in &effect.parts {
            let on = supports[effects.phase].unite(&net.gates, *part, blocks);
            if let Some(on) = on {
                touched.entry(blocks.find(on)).or_default().1.push(*part);
            }
        }
        let mut row: Vec<(usize, u32)> = Vec::new();
        for (block, touch) in touched {
            let new = numbers.len() as u32 + 1;
            row.push((block, *numbers.entry((block, touch)).or_insert(new)));
        }
        row.sort_unstable();
        rows.push(row);
    }
    let inputs = effects.moves.iter().map(|m| m.input).collect();
    Parts { role: effects.role, phase: effects.phase, inputs, rows }
}

/// Unites what the moves tie together until nothing is left to unite.
pub fn link(
    effects: &[Effects],
    phases: &[Phase],
    supports: &mut [Supports],
    blocks: &mut Blocks,
) -> Vec<Parts> {
    loop {
        let all: Vec<Parts> = effects.iter().map(|e| parts(e, phases, supports, blocks)).collect();
        let tied: Vec<(usize, usize)> = all.iter().flat_map(tied).collect();
        let changed = tied.iter().fold(false, |c, (a, b)| blocks.unite(*a, *b) | c);
        if !changed {
            return all;
        }
    }
}

/// Pairs of blocks whose parts cannot be chosen apart.
fn tied(parts: &Parts) -> Vec<(usize, usize)> {
    let total = parts.rows.len();
    // How many moves have a part, and how many two parts together.
    let mut single: FxHashMap<usize, FxHashMap<u32, usize>> = FxHashMap::default();
    let mut pairs: FxHashMap<(usize, usize), FxHashMap<(u32, u32), usize>> = FxHashMap::default();
    for row in &parts.rows {
        for (i, (a, x)) in row.iter().enumerate() {
            *single.entry(*a).or_default().entry(*x).or_default() += 1;
            for (b, y) in &row[i + 1..] {
                *pairs.entry((*a, *b)).or_default().entry((*x, *y)).or_default() += 1;
            }
        }
    }
    let product = |a: usize, b: usize, together: &FxHashMap<(u32, u32), usize>| {
        let (of_a, of_b) = (&single[&a], &single[&b]);
        let (some_a, some_b): (usize, usize) = (of_a.values().sum(), of_b.values().sum());
        let both: usize = together.values().sum();
        let (mut with_b, mut with_a) = (FxHashMap::default(), FxHashMap::default());
        for ((x, y), n) in together {
            *with_b.entry(*x).or_insert(0) += n;
            *with_a.entry(*y).or_insert(0) += n;
        }
        let alone = |part: &u32, n: &usize, with: &FxHashMap<u32, usize>| {
            *n > with.get(part).copied().unwrap_or_default()
        };
        // Every part of one must go with every part of the other, and with being left alone where
        // that occurs at all.
        let lone_a = of_a.iter().all(|(x, n)| alone(x, n, &with_b) == (some_b < total));
        let lone_b = of_b.iter().all(|(y, n)| alone(y, n, &with_a) == (some_a < total));
        let neither = total + both - some_a - some_b;
        together.len() == of_a.len() * of_b.len()
            && lone_a
            && lone_b
            && (neither > 0) == (some_a < total && some_b < total)
    };
    let mut tied: Vec<(usize, usize)> =
        pairs.iter().filter(|((a, b), t)| !product(*a, *b, t)).map(|(pair, _)| *pair).collect();
    tied.extend(no_product_of_all(parts));
    tied.sort_unstable();
    tied
}

/// Three and more blocks can fail to be a product although every two of them are one.
fn no_product_of_all(parts: &Parts) -> Vec<(usize, usize)> {
    let mut rows: Vec<&Vec<(usize, u32)>> = parts.rows.iter().filter(|r| r.len() > 2).collect();
    let Some(first) = rows.first() else { return vec![] };
    let blocks: Vec<usize> = first.iter().map(|e| e.0).collect();
    rows.retain(|r| r.iter().map(|e| e.0).eq(blocks.iter().copied()));
    let mut distinct = rows.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let sizes = blocks.iter().enumerate().map(|(i, _)| {
        let mut column: Vec<u32> = rows.iter().map(|r| r[i].1).collect();
        column.sort_unstable();
        column.dedup();
        column.len() as f64
    });
    match sizes.product::<f64>() == distinct.len() as f64 {
        true => vec![],
        false => blocks.windows(2).map(|w| (w[0], w[1])).collect(),
    }
}
