//! Which blocks the moves of a role tie together: what a move is to each block, and whether the parts of
//! moves can be chosen apart.
//!
//! To a block a move is its effect on it and the conditions it has in it. Two blocks that one move
//! touches both are apart only if every part in one goes with every part in the other (a product: both
//! are played at once). Two blocks that no move touches both are played by choice. Anything else
//! unites them: in a game of blocks, stacking a on b changes three facts that are no games of their own.

use super::blocks::{BaseBlocks, Supports};
use super::effects::RoleEffects;
use super::phases::FactorPhase;
use super::tie::Reason;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

/// For every move of a role in a phase the blocks it touches (by root), each with the number of its
/// part there. A block that is not named is left alone, which is part 0.
pub struct MoveParts {
    pub role: usize,
    pub phase: usize,
    pub inputs: Vec<usize>,
    pub rows: Vec<Vec<(usize, u32)>>,
    /// Conditions of every move that read what is shared alone.
    pub times: Vec<Vec<Lit>>,
}

/// In a larger table of moves columns are not split off one by one.
const MOST_ENTRIES: usize = 1_000_000;

/// Changes and conditions within a block.
type Touch = (Vec<(usize, Lit)>, Vec<Lit>);

pub fn parts(
    effects: &RoleEffects,
    phases: &[FactorPhase],
    supports: &mut [Supports],
    blocks: &mut BaseBlocks,
) -> MoveParts {
    let net = &phases[effects.phase].net;
    let mut numbers: FxHashMap<(usize, Touch), u32> = FxHashMap::default();
    let (mut rows, mut times) = (Vec::new(), Vec::new());
    for effect in &effects.moves {
        let mut time = Vec::new();
        let mut touched: FxHashMap<usize, Touch> = FxHashMap::default();
        for change in effect.changes.iter().filter(|c| !blocks.is_shared(c.0)).collect::<Vec<_>>() {
            touched.entry(blocks.find(change.0)).or_default().0.push(*change);
        }
        for part in &effect.parts {
            let on = supports[effects.phase].unite(&net.gates, *part, blocks);
            match on {
                Some(on) => touched.entry(blocks.find(on)).or_default().1.push(*part),
                None => time.push(*part),
            }
        }
        let mut row: Vec<(usize, u32)> = Vec::new();
        for (block, touch) in touched {
            let new = numbers.len() as u32 + 1;
            row.push((block, *numbers.entry((block, touch)).or_insert(new)));
        }
        row.sort_unstable();
        rows.push(row);
        times.push(time);
    }
    let inputs = effects.moves.iter().map(|m| m.input).collect();
    MoveParts { role: effects.role, phase: effects.phase, inputs, rows, times }
}

/// Unites what the moves tie together until nothing is left to unite.
pub fn link(
    effects: &[RoleEffects],
    phases: &[FactorPhase],
    supports: &mut [Supports],
    blocks: &mut BaseBlocks,
    budget: &Budget,
) -> Result<Vec<MoveParts>, Stop> {
    loop {
        let (mut all, mut ties) = (Vec::new(), Vec::new());
        for (number, effects) in effects.iter().enumerate() {
            budget.check()?;
            let parts = parts(effects, phases, supports, blocks);
            ties.extend(tied(&parts).into_iter().map(|pair| (number, pair)));
            all.push(parts);
        }
        if !unite(&ties, effects, &all, blocks) {
            return Ok(all);
        }
    }
}

/// Unites pairs that the moves of some effects tie; true if any two were apart.
fn unite(
    ties: &[(usize, (usize, usize))],
    effects: &[RoleEffects],
    parts: &[MoveParts],
    blocks: &mut BaseBlocks,
) -> bool {
    let before = blocks.count;
    for (number, (a, b)) in ties {
        if blocks.find(*a) != blocks.find(*b) {
            blocks.reason = reason(&effects[*number], &parts[*number], (*a, *b), blocks);
            blocks.unite(*a, *b);
        }
    }
    blocks.count < before
}

/// A move that ties two blocks: one that changes both, or else one that needs something of either.
fn reason(
    effects: &RoleEffects,
    parts: &MoveParts,
    (a, b): (usize, usize),
    blocks: &mut BaseBlocks,
) -> Reason {
    let touches = |row: &[(usize, u32)], block| row.iter().any(|e| e.0 == block);
    let both = |i: &usize| touches(&parts.rows[*i], a) && touches(&parts.rows[*i], b);
    let (a_now, b_now) = (blocks.find(a), blocks.find(b));
    let mut changes = |i: usize, block: usize| {
        let bases = effects.moves[i].changes.iter().map(|c| c.0);
        bases
            .filter(|base| !blocks.is_shared(*base))
            .collect::<Vec<_>>()
            .into_iter()
            .any(|base| blocks.find(base) == block)
    };
    let together: Vec<usize> = (0..parts.rows.len()).filter(both).collect();
    if let Some(i) = together.iter().find(|i| changes(**i, a_now) && changes(**i, b_now)) {
        return Reason::Effect(parts.inputs[*i]);
    }
    match together.first() {
        Some(i) => Reason::Legality(parts.inputs[*i]),
        // Alternatives within one part of a move.
        None => Reason::Effect(parts.inputs[0]),
    }
}

/// Pairs of blocks whose parts cannot be chosen apart.
fn tied(parts: &MoveParts) -> Vec<(usize, usize)> {
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
    tied.sort_unstable();
    tied
}

/// Unites, once goals have united what they need, what is no product of all parts.
pub fn link_products(
    effects: &[RoleEffects],
    phases: &[FactorPhase],
    supports: &mut [Supports],
    blocks: &mut BaseBlocks,
    budget: &Budget,
) -> Result<Vec<MoveParts>, Stop> {
    loop {
        let all = link(effects, phases, supports, blocks, budget)?;
        let of = |(number, parts)| no_product_of_all(parts).into_iter().map(move |p| (number, p));
        let tied: Vec<(usize, (usize, usize))> = all.iter().enumerate().flat_map(of).collect();
        if !unite(&tied, effects, &all, blocks) {
            return Ok(all);
        }
    }
}

/// Three and more blocks can fail to be a product although every two of them are one: pressing a lamp
/// toggles its neighbours, and of any two lamps one, both or none. Blocks that moves connect are apart
/// only if the rows are all combinations of their columns. Else those that no move touches together
/// are alternatives within one part of the move, or nothing tells how the move is made up.
fn no_product_of_all(parts: &MoveParts) -> Vec<(usize, usize)> {
    let mut tied = Vec::new();
    for blocks in touched_together(parts) {
        let mut rows: FxHashSet<Vec<u32>> = FxHashSet::default();
        for row in &parts.rows {
            let part = |b: &usize| row.iter().find(|e| e.0 == *b).map_or(0, |e| e.1);
            rows.insert(blocks.iter().map(part).collect());
        }
        let rows: Vec<Vec<u32>> = rows.into_iter().collect();
        if is_product(&rows, blocks.len()) {
            continue;
        }
        let apart = never_together(parts, &blocks);
        if apart.is_empty() {
            let bound: Vec<usize> = (0..blocks.len()).filter(|k| !splits_off(&rows, *k)).collect();
            tied.extend(bound.windows(2).map(|w| (blocks[w[0]], blocks[w[1]])));
        }
        tied.extend(apart);
    }
    tied
}

/// Pairs of these blocks that no move touches together.
fn never_together(parts: &MoveParts, blocks: &[usize]) -> Vec<(usize, usize)> {
    let mut together: FxHashSet<(usize, usize)> = FxHashSet::default();
    for row in &parts.rows {
        for (i, (a, _)) in row.iter().enumerate() {
            together.extend(row[i + 1..].iter().map(|(b, _)| (*a, *b)));
        }
    }
    let pairs = blocks.iter().enumerate();
    let pairs = pairs.flat_map(|(i, a)| blocks[i + 1..].iter().map(move |b| (*a, *b)));
    pairs.filter(|pair| !together.contains(pair)).collect()
}

/// Groups of three and more blocks that moves connect.
fn touched_together(parts: &MoveParts) -> Vec<Vec<usize>> {
    let mut blocks: Vec<usize> = parts.rows.iter().flatten().map(|e| e.0).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let place = |block: usize| blocks.binary_search(&block).expect("it is touched");
    let mut groups = BaseBlocks::new(&vec![false; blocks.len()]);
    for row in &parts.rows {
        for pair in row.windows(2) {
            groups.unite(place(pair[0].0), place(pair[1].0));
        }
    }
    let lists = groups.lists().into_iter().filter(|l| l.len() > 2);
    lists.map(|l| l.into_iter().map(|k| blocks[k]).collect()).collect()
}

/// Are these different rows all combinations of what stands in their columns?
pub fn is_product(rows: &[Vec<u32>], columns: usize) -> bool {
    let values = |k: usize| rows.iter().map(|r| r[k]).collect::<FxHashSet<u32>>().len();
    let all = (0..columns).try_fold(1usize, |n, k| n.checked_mul(values(k)));
    all == Some(rows.len())
}

/// Does every value of a column go with all that stands in the others?
fn splits_off(rows: &[Vec<u32>], column: usize) -> bool {
    let own: FxHashSet<u32> = rows.iter().map(|r| r[column]).collect();
    if own.len() == 1
        || !rows.len().is_multiple_of(own.len())
        || rows.len() * rows[0].len() > MOST_ENTRIES
    {
        return own.len() == 1;
    }
    let rest = |r: &Vec<u32>| [&r[..column], &r[column + 1..]].concat();
    let others: FxHashSet<Vec<u32>> = rows.iter().map(rest).collect();
    own.len() * others.len() == rows.len()
}
