//! `StateMachine` and `Random` -> `Tally`: what many random matches amount to, for measuring an engine.
//!
//! In every state the terminal test and the legal moves of every role, at the end the goals: the
//! work that one transition stands for in figures of different systems.

use super::{Move, Random, StateMachine, digest};
use ludex_gdl::budget::{Budget, Stop};
use std::iter::Sum;

/// Sums over matches. Matches that ended without being terminal count like the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub playouts: u64,
    pub transitions: u64,
    /// Matches that reached the bound on their length, or where a role had no move.
    pub unfinished: u64,
    /// Per role, the sum of the goal values and the number of finished matches that had one.
    pub goals: Vec<(i64, u64)>,
}

/// Adds random matches of at most `bound` joint moves to a tally. On `Stop` the tally holds the
/// matches that were complete by then.
pub fn tally<G: StateMachine>(
    game: &mut G,
    random: &mut Random,
    playouts: u64,
    bound: u64,
    budget: &Budget,
    tally: &mut Tally,
) -> Result<(), Stop> {
    let roles = game.roles();
    tally.goals.resize(roles, (0, 0));
    let (mut legal, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..playouts {
        let mut state = game.initial();
        let mut length = 0;
        let terminal = loop {
            budget.check()?;
            if game.terminal(&state) {
                break true;
            }
            if length == bound || !choose(game, &state, random, &mut legal, &mut joint) {
                break false;
            }
            state = game.next(&state, &joint);
            length += 1;
        };
        tally.playouts += 1;
        tally.transitions += length;
        tally.unfinished += !terminal as u64;
        for (role, sum) in tally.goals.iter_mut().enumerate().filter(|_| terminal) {
            if let Some(goal) = game.goal(&state, role) {
                *sum = (sum.0 + goal as i64, sum.1 + 1);
            }
        }
    }
    Ok(())
}

/// A random move of every role; false where a role has none.
fn choose<G: StateMachine>(
    game: &mut G,
    state: &G::State,
    random: &mut Random,
    legal: &mut Vec<Move>,
    joint: &mut Vec<Move>,
) -> bool {
    joint.clear();
    for role in 0..game.roles() {
        legal.clear();
        game.legal(state, role, legal);
        if legal.is_empty() {
            return false;
        }
        joint.push(legal[random.below(legal.len())]);
    }
    true
}

/// A digest of random matches in which the moves are numbered by their text, so that it is the same
/// for every engine that plays the game by its rules: all states, legal moves and goals go into it.
pub fn signature<G: StateMachine>(
    game: &mut G,
    seed: u64,
    playouts: u64,
    bound: u64,
    budget: &Budget,
) -> Result<String, Stop> {
    let mut random = Random::new(seed);
    let mut digests = Vec::new();
    for playout in 0..playouts {
        let mut state = game.initial();
        for step in 0..=bound {
            budget.check()?;
            let view = super::view(game, &state);
            let (facts, moves) = (view.state_digest(), view.legal_digest());
            digests.push(format!("{playout} {step} {facts} {moves} {:?}", view.terminal));
            let stuck = view.legal.iter().any(Vec::is_empty);
            if view.terminal || stuck || step == bound {
                digests.push(format!("{playout} {:?}", view.goals));
                break;
            }
            let mut joint = Vec::new();
            for mut moves in view.legal {
                moves.sort_by_cached_key(|(_, text)| text.to_lowercase());
                joint.push(moves[random.below(moves.len())].0);
            }
            state = game.next(&state, &joint);
        }
    }
    Ok(digest(digests))
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |mut sum, tally| {
            sum.playouts += tally.playouts;
            sum.transitions += tally.transitions;
            sum.unfinished += tally.unfinished;
            sum.goals.resize(tally.goals.len(), (0, 0));
            for (goal, more) in sum.goals.iter_mut().zip(tally.goals) {
                *goal = (goal.0 + more.0, goal.1 + more.1);
            }
            sum
        })
    }
}

impl Tally {
    pub fn mean_length(&self) -> f64 {
        self.transitions as f64 / self.playouts.max(1) as f64
    }

    /// What is odd about the matches.
    pub fn remark(&self) -> Option<String> {
        let Tally { playouts, unfinished, transitions, .. } = self;
        match (*unfinished, *transitions) {
            (0, _) => None,
            (_, 0) => Some("a role has no legal move in the initial state".into()),
            _ => Some(format!(
                "{unfinished} of {playouts} matches did not end: a role had no legal move, or they \
                 were too long"
            )),
        }
    }

    /// Per role; none where no match had a goal value.
    pub fn mean_goals(&self) -> Vec<Option<f64>> {
        let mean = |(sum, n): &(i64, u64)| (*n > 0).then(|| *sum as f64 / *n as f64);
        self.goals.iter().map(mean).collect()
    }
}
