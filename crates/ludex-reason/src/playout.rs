//! `StateMachine` and `Random` -> `Playout`: one match in which every role moves at random.

use super::{Move, Random, Role, StateMachine};
use ludex_gdl::budget::{Budget, Stop};

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Terminal,
    /// The bound on its length was reached.
    Steps,
    /// A role has no legal move in a state that is not terminal.
    Stuck(Role),
}

#[derive(Clone, Debug)]
pub struct Playout<S> {
    /// The joint moves played.
    pub moves: Vec<Vec<Move>>,
    /// Per role, the number of its legal moves added up over the states that were left.
    pub choices: Vec<u64>,
    pub end: End,
    pub last: S,
    /// Per role, the goal value of the last state.
    pub goals: Vec<Option<i32>>,
}

/// Plays from the initial state until it is over, but at most `bound` joint moves.
pub fn playout<G: StateMachine>(
    game: &mut G,
    random: &mut Random,
    bound: usize,
    budget: &Budget,
) -> Result<Playout<G::State>, Stop> {
    let mut state = game.initial();
    let mut moves = Vec::new();
    let mut choices = vec![0; game.roles()];
    let mut legal = Vec::new();
    let end = 'play: loop {
        budget.check()?;
        if game.terminal(&state) {
            break End::Terminal;
        }
        if moves.len() == bound {
            break End::Steps;
        }
        let mut joint = Vec::with_capacity(game.roles());
        for (role, count) in choices.iter_mut().enumerate() {
            legal.clear();
            game.legal(&state, role, &mut legal);
            if legal.is_empty() {
                break 'play End::Stuck(role);
            }
            joint.push(legal[random.below(legal.len())]);
            *count += legal.len() as u64;
        }
        state = game.next(&state, &joint);
        moves.push(joint);
    };
    let goals = (0..game.roles()).map(|role| game.goal(&state, role)).collect();
    budget.check()?;
    Ok(Playout { moves, choices, end, last: state, goals })
}
