//! `Net` -> `EnvCircuits`: environments side by side, a lane each: a step of given or drawn moves, resets, and what is
//! seen afterwards.
//!
//! Lanes end and begin on their own, so they are not in step: one circuit serves all phases, and knows what all of
//! them have in common. Moves are drawn by a circuit as well: the choice among legal moves is the step of a net of its
//! own, whose bases are the legal moves and whose next state is the move made. What was drawn goes into
//! the next step as it is, without a look at a single lane.
//!
//! - `block.rs`: the lanes of one word, and a step of them.
//! - `drawn.rs`: moves drawn by that circuit.
//! - `given.rs`: moves from outside, looked at lane by lane.
//! - `kept.rs`: states saved and restored.
//! - `policy.rs`: moves that a policy with scores chooses.
//! - `seen.rs`, `shown.rs`: what is shown; words of lanes -> rows of bits or bytes.
//! - `rollout.rs`: many steps of random moves on the circuits of playouts, with nothing to show on the way.

mod block;
mod drawn;
mod given;
mod kept;
mod policy;
mod rollout;
mod seen;
mod shown;

pub use block::{EnvBlock, EnvRoom, EnvTask, EnvWork};
pub use rollout::RolloutLanes;

use super::Totals;
use super::backend::Backend;
use super::engine::SlicedEngine;
use super::phases::Phases;
use super::plan::Purpose;
use crate::turns::Turns;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::Role;
use std::ops::Range;
use std::sync::Arc;

/// The circuits of environments, shared by all blocks.
pub struct EnvCircuits {
    net: Arc<Net>,
    steps: SlicedEngine,
    picks: SlicedEngine,
    playouts: Arc<SlicedEngine>,
    phases: Phases,
    /// By base, where it is the same in all phases.
    known: Vec<Option<bool>>,
    /// By input, whether it is legal in the initial state.
    at_start: Vec<bool>,
    /// By role its inputs.
    inputs: Vec<Range<usize>>,
    chance: Option<Role>,
    /// By role the input that it makes while others move, where there is one.
    waiting: Option<Vec<usize>>,
}

impl EnvCircuits {
    pub fn new(net: Arc<Net>, backend: Backend, budget: &Budget) -> Result<EnvCircuits, Stop> {
        budget.begin("code", 0);
        let phases = Phases::find(&net);
        let known = common(&phases);
        let one = Phases { values: vec![known.clone()] };
        let steps = SlicedEngine::new(&net, &one, backend, Purpose::Environments, budget)?;
        let choice = drawn::choice(&net);
        let free = Phases { values: vec![vec![None; choice.bases.len()]] };
        let picks = SlicedEngine::new(&choice, &free, backend, Purpose::Choices, budget)?;
        let playouts = SlicedEngine::new(&net, &phases, backend, Purpose::Playouts, budget)?;
        let initial: Vec<bool> = net.bases.iter().map(|base| base.initial).collect();
        let values = net.evaluate(&initial, &vec![false; net.inputs.len()]);
        Ok(EnvCircuits {
            steps,
            picks,
            playouts: Arc::new(playouts),
            phases,
            known,
            at_start: net.inputs.iter().map(|input| Net::holds(&values, input.legal)).collect(),
            inputs: (0..net.roles.len()).map(|role| net.inputs_of(role)).collect(),
            chance: net.chance(),
            waiting: Turns::guess(&net).waiting,
            net,
        })
    }

    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// The number of environments in a block.
    pub fn lanes(&self) -> usize {
        self.steps.backend.lanes()
    }

    /// Why another back end runs than the best of this processor.
    pub fn instead(&self) -> Option<&str> {
        self.steps.instead.as_deref()
    }

    /// The totals of no playout.
    pub fn no_playouts(&self) -> Totals {
        Totals::new(&self.playouts.goals)
    }

    /// The roles but for chance.
    pub fn players(&self) -> impl Iterator<Item = Role> + '_ {
        (0..self.inputs.len()).filter(|role| Some(*role) != self.chance)
    }

    /// The most moves that a player can have numbers for.
    pub fn actions(&self) -> usize {
        self.players().map(|role| self.inputs[role].len()).max().unwrap_or(0)
    }
}

/// What is known in every phase alike.
fn common(phases: &Phases) -> Vec<Option<bool>> {
    let of = |base: usize| {
        let first = phases.values[0][base];
        first.filter(|_| phases.values.iter().all(|phase| phase[base] == first))
    };
    (0..phases.values[0].len()).map(of).collect()
}
