//! The states of a game tree, visited one by one: what a search without any cuts does.

use super::{Game, Move};
use crate::budget::{Budget, Stop};

/// Visits every path of joint moves up to a length, through terminal states, as long as every role
/// has a move. The number of states visited, the first included, each as often as paths lead to it.
pub fn visit<G: Game>(game: &mut G, depth: usize, budget: &Budget) -> Result<u64, Stop> {
    let start = game.initial();
    let mut moves = vec![vec![]; game.roles()];
    below(game, &start, depth, &mut moves, budget)
}

fn below<G: Game>(
    game: &mut G,
    state: &G::State,
    depth: usize,
    spare: &mut Vec<Vec<Move>>,
    budget: &Budget,
) -> Result<u64, Stop> {
    budget.check()?;
    if depth == 0 {
        return Ok(1);
    }
    // The lists of the level above are in use, so each level has its own.
    let mut moves = std::mem::take(spare);
    moves.resize(game.roles(), vec![]);
    for (role, list) in moves.iter_mut().enumerate() {
        list.clear();
        game.legal(state, role, list);
    }
    let mut count = 1;
    if moves.iter().all(|list| !list.is_empty()) {
        let mut places = vec![0; moves.len()];
        loop {
            let joint: Vec<Move> = places.iter().zip(&moves).map(|(p, list)| list[*p]).collect();
            let next = game.next(state, &joint);
            count += below(game, &next, depth - 1, spare, budget)?;
            if !advance(&mut places, &moves) {
                break;
            }
        }
    }
    *spare = moves;
    Ok(count)
}

/// The next combination of moves, the last role first. False after the last one.
fn advance(places: &mut [usize], moves: &[Vec<Move>]) -> bool {
    for (place, list) in places.iter_mut().zip(moves).rev() {
        *place += 1;
        if *place < list.len() {
            return true;
        }
        *place = 0;
    }
    false
}
