//! `Batch` -> the number of paths of one length, every one of them walked: no two positions are merged.
//!
//! Depth first, a passful of positions at a time. Positions at the last step but one never leave their lanes:
//! their moves are counted there and not made. Nor do earlier ones where many positions have the same moves.

use super::batch::Batch;
use super::looks::{Ask, Looks};
use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::Move;

/// The number of paths of `depth` joint moves that do not go through terminal positions.
pub fn leaves(batch: &mut Batch, depth: usize, budget: &Budget) -> Result<u64, Stop> {
    let start = batch.initial();
    if depth == 0 {
        return Ok(1);
    }
    below(batch, &start, &mut vec![LeafLevel::default(); depth], budget)
}

/// Memory for the steps of some positions.
#[derive(Clone, Default)]
struct LeafLevel {
    looks: Looks,
    parents: Vec<u32>,
    moves: Vec<Move>,
    children: Vec<u64>,
}

fn below(
    batch: &mut Batch,
    rows: &[u64],
    levels: &mut [LeafLevel],
    budget: &Budget,
) -> Result<u64, Stop> {
    let (level, deeper) = levels.split_first_mut().expect("a step at least");
    let counting = Ask { count: true, ..Ask::default() };
    let mut count = 0;
    for some in rows.chunks(batch.lanes() * batch.words()) {
        budget.check()?;
        if deeper.is_empty() {
            batch.look(some, counting, &mut level.looks);
            count += level.looks.count;
            continue;
        }
        if let Some(paths) = batch.leaves(some, deeper.len() + 1) {
            count += paths;
            continue;
        }
        batch.look(some, Ask { legal: true, ..Ask::default() }, &mut level.looks);
        level.parents.clear();
        level.moves.clear();
        for position in (0..level.looks.len()).filter(|p| !level.looks.terminal[*p]) {
            level.looks.joints(position, &mut level.parents, &mut level.moves);
        }
        if deeper.len() == 1 {
            let steps = (&level.parents[..], &level.moves[..]);
            batch.look_after(some, steps, counting, &mut level.looks);
            count += level.looks.count;
        } else {
            batch.follow(some, &level.parents, &level.moves, &mut level.children);
            count += below(batch, &level.children, deeper, budget)?;
        }
    }
    Ok(count)
}
