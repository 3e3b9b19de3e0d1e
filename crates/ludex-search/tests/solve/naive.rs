//! The measure: plain recursion over the reasoner's states, every state looked at, no cuts.

use ludex_reason::interp::{FactState, Interp};
use ludex_reason::{Joints, Move, StateMachine};
use rustc_hash::FxHashMap;

/// What all roles get if every role that chooses takes what is best for itself, then what is worst for the
/// others together, then what is least in role order. None where roles choose together, where a role has
/// no goal or move, where play comes back to a state, or where there are more than `most` states.
pub fn value(game: &mut Interp, most: usize) -> Option<Vec<i32>> {
    let start = game.initial();
    let mut known: FxHashMap<FactState, Option<Vec<i32>>> = FxHashMap::default();
    of(game, &start, &mut known, most)
}

fn of(
    game: &mut Interp,
    state: &FactState,
    known: &mut FxHashMap<FactState, Option<Vec<i32>>>,
    most: usize,
) -> Option<Vec<i32>> {
    if let Some(value) = known.get(state) {
        return value.clone();
    }
    if known.len() > most {
        return None;
    }
    // What is met again before it has a value comes back.
    known.insert(state.clone(), None);
    if game.terminal(state) {
        let value: Option<Vec<i32>> = (0..game.roles()).map(|r| game.goal(state, r)).collect();
        known.insert(state.clone(), value.clone());
        return value;
    }
    let joints: Vec<Vec<Move>> = Joints::of(game, state).collect();
    let choices = |r: usize| {
        let mut moves: Vec<Move> = joints.iter().map(|j| j[r]).collect();
        moves.sort_unstable();
        moves.dedup();
        moves.len()
    };
    let choosers: Vec<usize> = (0..game.roles()).filter(|r| choices(*r) > 1).collect();
    if choosers.len() > 1 || joints.is_empty() {
        return None;
    }
    let role = choosers.first().copied().unwrap_or(0);
    let mut best: Option<Vec<i32>> = None;
    for joint in &joints {
        let next = game.next(state, joint);
        let value = of(game, &next, known, most)?;
        let key = |v: &[i32]| {
            let others: i32 = v.iter().sum::<i32>() - v[role];
            (v[role], -others, v.iter().map(|x| -x).collect::<Vec<_>>())
        };
        if best.as_ref().is_none_or(|b| key(&value) > key(b)) {
            best = Some(value);
        }
    }
    known.insert(state.clone(), best.clone());
    best
}

/// What either of two roles can force in a game of opposite wishes whose states may come back: sweeps over all
/// states until nothing changes. The first role's goal it can force, and to which it can be kept.
pub fn forced(game: &mut Interp, most: usize) -> Option<(i32, i32)> {
    let mut states = vec![game.initial()];
    let mut number = FxHashMap::from_iter([(states[0].clone(), 0)]);
    let mut nodes: Vec<(Option<i32>, usize, Vec<usize>)> = Vec::new();
    while nodes.len() < states.len() {
        let state = states[nodes.len()].clone();
        if game.terminal(&state) {
            nodes.push((game.goal(&state, 0), 0, vec![]));
            continue;
        }
        let joints: Vec<Vec<Move>> = Joints::of(game, &state).collect();
        let chooser = (0..2).find(|r| joints.iter().any(|j| j[*r] != joints[0][*r])).unwrap_or(0);
        let mut next = Vec::new();
        for joint in &joints {
            let after = game.next(&state, joint);
            let new = states.len();
            let at = *number.entry(after.clone()).or_insert(new);
            if at == new {
                states.push(after);
            }
            next.push(at);
        }
        if states.len() > most {
            return None;
        }
        nodes.push((None, chooser, next));
    }
    let sweep = |role: usize| {
        // From the worst: what cannot be shown to be reached is not forced.
        let worst = if role == 0 { i32::MIN } else { i32::MAX };
        let mut of: Vec<i32> = nodes.iter().map(|n| n.0.unwrap_or(worst)).collect();
        loop {
            let before = of.clone();
            for (i, (end, chooser, next)) in nodes.iter().enumerate() {
                if end.is_none() {
                    let all = next.iter().map(|n| before[*n]);
                    let found = if *chooser == 0 { all.max() } else { all.min() };
                    of[i] = found.expect("a move");
                }
            }
            if of == before {
                return of[0];
            }
        }
    };
    Some((sweep(0), sweep(1)))
}
