//! `Net` -> `Sliced`: the engine that runs hundreds of random playouts side by side, one bit lane each.
//!
//! Every proposition is a word with one bit for each lane, and one pass over the circuit advances all
//! lanes. Counting the legal moves and picking one of a random rank are circuits as well, so the only
//! work outside the circuit is drawing ranks and refilling lanes whose playout ended. Where a
//! proposition such as `control` depends on the step alone, lanes keep in step and every phase has a
//! circuit of its own, in which it is a constant.
//!
//! `passes.rs` runs circuits of its own (`plan/positions.rs`) for many given positions, a lane for each, or for each
//! pair of a position and a joint move; `transpose.rs` turns their rows into words of lanes and back.
//!
//! Runs are deterministic: the same seed gives the same playouts with every back end of the same width.
//!
//! Every proposition is a word with a bit for each of 512 playouts (AVX-512), 256 (AVX2) or any
//! width (portable), and a step of all of them is a pass over a circuit. The choice of moves is a
//! circuit as well (`choice.rs`): a tree of adders counts the legal moves, and going down it again
//! finds the move of a rank. What is left outside the circuit is drawing the ranks, uniform by
//! rejection (`words.rs`), counting goals and refilling lanes (`lanes.rs`).
//!
//! - `phases.rs`: finds the period at which `control` and the like return, and what is known of the
//!   bases in each phase: a fixpoint in three values. Lanes keep in step, and every phase has its
//!   own circuit.
//! - `import.rs`, `graph.rs`: copy the net into an and/xor graph of a phase, constants folded,
//!   disjunctions factored (`ludex-net/net/factor.rs`); a disjunction of nearly all moves of a role
//!   becomes the negation of the others, since exactly one is made, and one of neighbours in the tree of
//!   the choice is that part of the tree. What one move brings to many places is one value
//!   (`import/selected.rs`). Recursive components become variables that are swept from false until
//!   nothing changes.
//! - `plan.rs`: the parts of a step: terminal, goals, counts, next state. Terminal and counts are
//!   one part where they share much; terminal states wait for their goals where these are costly, and
//!   phases with the same goals share them. The next state of playouts takes the place of the present one.
//! - `cover.rs`: cells of three inputs for `vpternlogq`, or plain gates with negations moved
//!   through them.
//! - `blocks.rs`: depth-first order, what is kept between parts, a block of its own for each
//!   recursive component.
//! - `registers.rs`, `native.rs`: registers by furthest next use, and an encoder for the dozen
//!   instructions of AVX2 and AVX-512 that circuits need. Code that leaves the caches comes in stretches,
//!   each of which two groups of 512 lanes (or four of 256) run one after the other.
//! - `portable.rs`: the interpreter, gates batched by level and kind: the reference, and the back
//!   end of other processors.
//! - `backend.rs`, `executable.rs`: what machine code needs of a processor, one list that is both
//!   asked of it and given to the compiler; pages that may be run. Where the processor lacks
//!   anything or the system refuses such pages, the portable back end of the same width stands in,
//!   and `instead` says why.
//!
//! `single.rs` is the machine as a `StateMachine`: all lanes hold the state that is asked about and
//! run the circuits of playouts, with the legal moves as outputs of their own; a move is made by
//! its rank. Slower than the scalar machine, but it makes every circuit comparable with the other
//! engines, state by state.
//!
//! `ludex/tests/agreement/main.rs` compares all engines in this way, on the games of the public
//! collection and on made-up ones with recursion, negation and simultaneous moves.
//!
//! Back ends of the same width play the same matches, bit for bit. Playouts that were begun are
//! always finished, so short ones have no advantage in the means.

mod backend;
mod blocks;
mod choice;
mod cover;
mod engine;
mod environment;
mod executable;
mod graph;
mod import;
mod lanes;
mod memory;
mod native;
mod passes;
mod phases;
mod plan;
mod portable;
mod registers;
mod sample;
mod single;
mod transpose;
mod words;
#[cfg(test)]
mod tests;

pub use backend::Backend;
pub use engine::Size;
pub use environment::{EnvBlock, EnvCircuits, EnvRoom, EnvTask, EnvWork, RolloutLanes};
pub use passes::Passes;
pub use sample::Sample;
pub use single::Single;

use backend::Host;
use engine::SlicedEngine;
use lanes::Lanes;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use phases::Phases;
use plan::Purpose;
use std::sync::Arc;

/// What playouts came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Playouts that reached a terminal state.
    pub playouts: u64,
    /// Steps of all playouts.
    pub transitions: u64,
    /// Per role, how often each goal value was reached.
    pub goals: Vec<Vec<(i32, u64)>>,
    /// Per role, terminal states without exactly one goal value.
    pub unscored: Vec<u64>,
    /// Playouts that ended because a role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// Playouts given up because they were longer than the bound.
    pub overlong: u64,
}

impl Totals {
    fn new(goals: &[Vec<(i32, u32)>]) -> Totals {
        Totals {
            playouts: 0,
            transitions: 0,
            goals: goals.iter().map(|role| role.iter().map(|(v, _)| (*v, 0)).collect()).collect(),
            unscored: vec![0; goals.len()],
            stuck: 0,
            overlong: 0,
        }
    }

    pub fn goal_sum(&self, role: usize) -> i64 {
        self.goals[role].iter().map(|(value, times)| *value as i64 * *times as i64).sum()
    }

    /// Adds the playouts of another run of the same game.
    pub fn add(&mut self, other: &Totals) {
        self.playouts += other.playouts;
        self.transitions += other.transitions;
        self.stuck += other.stuck;
        self.overlong += other.overlong;
        self.unscored.iter_mut().zip(&other.unscored).for_each(|(a, b)| *a += b);
        let cells = self.goals.iter_mut().flatten().zip(other.goals.iter().flatten());
        cells.for_each(|(a, b)| a.1 += b.1);
    }

    /// A number that changes when anything counted changes.
    pub fn signature(&self) -> u64 {
        let counts = [self.playouts, self.transitions, self.stuck, self.overlong];
        let goals = self.goals.iter().flatten().map(|(_, times)| *times);
        let all = counts.into_iter().chain(goals).chain(self.unscored.iter().copied());
        all.fold(0xCBF2_9CE4_8422_2325, |hash, n| {
            (hash ^ n).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
        })
    }
}

/// The engine. Clones share the code and run on their own.
#[derive(Clone)]
pub struct Sliced {
    width: Width,
    phases: Arc<Phases>,
    /// Playouts are given up after at least this many steps and at most twice as many.
    pub bound: u64,
}

#[derive(Clone)]
#[allow(clippy::large_enum_variant)] // A machine has one.
enum Width {
    W1(Lanes<1>),
    W4(Lanes<4>),
    W8(Lanes<8>),
    /// Groups of lanes that share long code.
    W16(Lanes<16>),
}

/// Does the same with the lanes of any width.
macro_rules! with_lanes {
    ($sliced:expr, $lanes:ident => $body:expr) => {
        match &mut $sliced.width {
            Width::W1($lanes) => $body,
            Width::W4($lanes) => $body,
            Width::W8($lanes) => $body,
            Width::W16($lanes) => $body,
        }
    };
}

/// Steps between two looks at the budget.
const STEPS: u64 = 256;

impl Sliced {
    /// The default bound on the length of a playout.
    pub const BOUND: u64 = 100_000;

    pub fn new(net: &Net, backend: Backend, budget: &Budget) -> Result<Sliced, Stop> {
        Sliced::with_phases(net, backend, Phases::find(net), Purpose::Playouts, budget)
    }

    /// An engine whose samples tell which moves were made; a little slower.
    pub fn of_samples(net: &Net, backend: Backend, budget: &Budget) -> Result<Sliced, Stop> {
        Sliced::with_phases(net, backend, Phases::find(net), Purpose::Samples, budget)
    }

    fn with_phases(
        net: &Net,
        backend: Backend,
        phases: Phases,
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<Sliced, Stop> {
        budget.begin("code", 0);
        let form = (backend, groups(net, backend, purpose));
        let engine = SlicedEngine::on(Host::default(), net, &phases, form, purpose, budget)?;
        let engine = Arc::new(engine);
        let width = match engine.lanes() / 64 {
            1 => Width::W1(Lanes::new(engine)),
            4 => Width::W4(Lanes::new(engine)),
            8 => Width::W8(Lanes::new(engine)),
            16 => Width::W16(Lanes::new(engine)),
            other => panic!("{other} words are no width of the sliced machine"),
        };
        Ok(Sliced { width, phases: Arc::new(phases), bound: Sliced::BOUND })
    }

    /// Plays this many random playouts from the initial state.
    pub fn run(&mut self, seed: u64, playouts: u64, budget: &Budget) -> Result<Totals, Stop> {
        self.run_while(seed, playouts, &mut |_| true, budget)
    }

    /// Begins playouts from the initial state as long as `more` says so, at most `playouts`, and ends
    /// all that were begun: short playouts have no advantage. `more` is no type parameter, so that the loop is
    /// compiled here and not as the caller's crate is.
    pub fn run_while(
        &mut self,
        seed: u64,
        playouts: u64,
        more: &mut dyn FnMut(&Totals) -> bool,
        budget: &Budget,
    ) -> Result<Totals, Stop> {
        let bound = self.bound;
        with_lanes!(self, lanes => {
            lanes.begin(seed, playouts, bound);
            while !lanes.is_done() {
                budget.check()?;
                lanes.advance(STEPS);
                if lanes.remaining > 0 && !more(&lanes.totals) {
                    lanes.remaining = 0;
                }
            }
            Ok(lanes.totals.clone())
        })
    }

    /// The number of playouts that run side by side.
    pub fn lanes(&self) -> usize {
        self.engine().lanes()
    }

    fn engine(&self) -> &SlicedEngine {
        match &self.width {
            Width::W1(lanes) => lanes.engine(),
            Width::W4(lanes) => lanes.engine(),
            Width::W8(lanes) => lanes.engine(),
            Width::W16(lanes) => lanes.engine(),
        }
    }

    /// The number of phases: steps after which the same circuit is used again.
    pub fn period(&self) -> usize {
        self.phases.period()
    }

    pub fn backend(&self) -> Backend {
        self.engine().backend
    }

    /// Why another back end runs than the one asked for.
    pub fn instead(&self) -> Option<&str> {
        self.engine().instead.as_deref()
    }

    pub fn size(&self) -> Size {
        self.engine().size
    }
}

/// Gates from which on the code of a step leaves the caches of a core, and is shared by groups of lanes.
const LONG: usize = 50_000;

/// Groups of lanes, as many as make 16 words, where playouts have long code.
fn groups(net: &Net, backend: Backend, purpose: Purpose) -> usize {
    match backend.lanes() / 64 {
        words @ (4 | 8) if purpose == Purpose::Playouts && net.gates.len() > LONG => 16 / words,
        _ => 1,
    }
}
