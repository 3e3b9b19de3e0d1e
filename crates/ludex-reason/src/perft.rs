//! `StateMachine` -> `Perft`: the number of joint-move paths of every length from the initial state.
//!
//! Level by level: equal states of a level are merged, with the number of paths that lead to them,
//! so the work grows with the states and not with the paths.

use super::{Move, StateMachine};
use ludex_gdl::budget::{Budget, Stop};
use rustc_hash::FxHashMap;

/// Counts by depth; complete up to the last depth that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    pub paths: Vec<u64>,
    /// How many of the paths end in a terminal state.
    pub terminals: Vec<u64>,
    /// Different states at the ends of the paths.
    pub states: Vec<u64>,
    /// Paths that end where a state that is not terminal leaves a role without a move.
    pub stuck: u64,
    /// Why there are fewer depths than were asked for.
    pub cut: Option<Cut>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Stop(Stop),
    /// A number of paths of the next depth does not fit 64 bits.
    Overflow,
}

/// Counts the paths of length `0..=depth`. With `past_terminal` they go on through terminal states
/// as long as every role has a move.
pub fn perft<G: StateMachine>(
    game: &mut G,
    depth: usize,
    past_terminal: bool,
    budget: &Budget,
) -> Perft {
    let mut level = FxHashMap::from_iter([(game.initial(), 1)]);
    let mut count = Perft { paths: vec![], terminals: vec![], states: vec![], stuck: 0, cut: None };
    loop {
        count.states.push(level.len() as u64);
        count.paths.push(level.values().sum());
        let last = count.paths.len() > depth;
        budget.begin("counting paths", level.len() as u64);
        match step(game, level, past_terminal, last, budget) {
            Ok(step) => {
                count.terminals.push(step.terminals);
                count.stuck += step.stuck;
                level = step.next;
            }
            Err(cut) => {
                count.cut = Some(cut);
                // The paths of this level are known, how many are terminal is not.
                count.states.pop();
                count.paths.pop();
                return count;
            }
        }
        if last {
            return count;
        }
    }
}

type PerftLayer<S> = FxHashMap<S, u64>;

struct PerftStep<S> {
    terminals: u64,
    stuck: u64,
    next: PerftLayer<S>,
}

/// Looks at every state of a level, and makes the next one unless this is the last.
fn step<G: StateMachine>(
    game: &mut G,
    level: PerftLayer<G::State>,
    past_terminal: bool,
    last: bool,
    budget: &Budget,
) -> Result<PerftStep<G::State>, Cut> {
    let mut step = PerftStep { terminals: 0, stuck: 0, next: FxHashMap::default() };
    let mut total: u64 = 0;
    for (state, paths) in level {
        budget.check().map_err(Cut::Stop)?;
        budget.advance(1);
        let terminal = game.terminal(&state);
        if terminal {
            step.terminals += paths;
        }
        if last || (terminal && !past_terminal) {
            continue;
        }
        let joints = Joints::of(game, &state);
        if joints.is_empty() && !terminal {
            step.stuck += paths;
        }
        for joint in joints {
            budget.check().map_err(Cut::Stop)?;
            total = total.checked_add(paths).ok_or(Cut::Overflow)?;
            *step.next.entry(game.next(&state, &joint)).or_insert(0) += paths;
        }
    }
    budget.check().map_err(Cut::Stop)?;
    Ok(step)
}

/// The joint moves of a state: every choice of one legal move per role, the last role's moves
/// going round fastest.
pub struct Joints {
    legal: Vec<Vec<Move>>,
    at: Vec<usize>,
    done: bool,
}

impl Joints {
    pub fn of<G: StateMachine>(game: &mut G, state: &G::State) -> Joints {
        let mut legal = vec![Vec::new(); game.roles()];
        legal.iter_mut().enumerate().for_each(|(role, out)| game.legal(state, role, out));
        Joints { at: vec![0; legal.len()], done: legal.iter().any(Vec::is_empty), legal }
    }

    /// Whether a role has no move.
    pub fn is_empty(&self) -> bool {
        self.legal.iter().any(Vec::is_empty)
    }

    fn advance(&mut self) {
        for role in (0..self.at.len()).rev() {
            self.at[role] += 1;
            if self.at[role] < self.legal[role].len() {
                return;
            }
            self.at[role] = 0;
        }
        self.done = true;
    }
}

impl Iterator for Joints {
    type Item = Vec<Move>;

    fn next(&mut self) -> Option<Vec<Move>> {
        if self.done {
            return None;
        }
        let joint = self.at.iter().zip(&self.legal).map(|(at, legal)| legal[*at]).collect();
        self.advance();
        Some(joint)
    }
}
