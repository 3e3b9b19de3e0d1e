//! The states of a game tree, visited one by one: what a search without any cuts does.

use super::{Move, StateMachine};
use ludex_gdl::budget::{Budget, Stop};

/// Visits every path of joint moves up to a length, through terminal states, as long as every role
/// has a move. The number of states visited, the first included, each as often as paths lead to it.
pub fn visit<G: StateMachine>(game: &mut G, depth: usize, budget: &Budget) -> Result<u64, Stop> {
    let start = game.initial();
    let mut levels = vec![PathMoves::default(); depth];
    below(game, &start, &mut levels, budget)
}

/// The moves of a state on the path, and the joint move that is followed.
#[derive(Clone, Default)]
struct PathMoves {
    moves: Vec<Vec<Move>>,
    places: Vec<usize>,
    joint: Vec<Move>,
}

fn below<G: StateMachine>(
    game: &mut G,
    state: &G::State,
    levels: &mut [PathMoves],
    budget: &Budget,
) -> Result<u64, Stop> {
    budget.check()?;
    let Some((PathMoves { moves, places, joint }, deeper)) = levels.split_first_mut() else {
        return Ok(1);
    };
    moves.resize(game.roles(), vec![]);
    for (role, list) in moves.iter_mut().enumerate() {
        list.clear();
        game.legal(state, role, list);
    }
    let mut count = 1;
    if moves.iter().any(Vec::is_empty) {
        return Ok(count);
    }
    places.clear();
    places.resize(moves.len(), 0);
    loop {
        joint.clear();
        joint.extend(places.iter().zip(&*moves).map(|(p, list)| list[*p]));
        let next = game.next(state, joint);
        count += below(game, &next, deeper, budget)?;
        if !advance(places, moves) {
            return Ok(count);
        }
    }
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
