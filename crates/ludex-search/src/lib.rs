//! `StateMachine`, facts and a budget -> a choice: search for the move to make.
//!
//! A `Searcher` stands in a state of a match and plays one role of it. It thinks as long as it is let,
//! names a legal move at any time, and keeps what it knows when the match goes on.
//!
//! ```
//! use ludex_gdl::{budget::{Budget, Proving}, rules::Rules, source::Source};
//! use ludex_net::{Net, ground::Ground};
//! use ludex_search::solve::{Settings, Subject, solve};
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let budget = Budget::unlimited();
//! let ground = Ground::new(&rules, &budget).expect("it is small");
//! let net = Net::new(&ground, &budget).expect("there is no limit");
//! let subject = Subject::of_net(net.into());
//! let solution = solve(&subject, &Settings::default(), &budget, Proving(&budget));
//! assert!(solution.complete);
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod arms;
mod evaluation;
mod experience;
mod learning;
mod insights;
mod mcts;
mod factored;
mod trial;
mod study;
pub mod solve;
mod uct;
mod watched;

pub use evaluation::Evaluation;
pub use experience::Experience;
pub use insights::Insights;
pub use mcts::Mcts;
pub use study::Study;
pub use uct::Uct;
pub use watched::{SeenInMatch, Watched, show, show_match};

use factored::FactoredMcts;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::sliced::Single;
use ludex_machine::{Scalar, State};
use ludex_reason::interp::Interp;
use ludex_reason::{Move, Role, StateMachine};
use std::sync::Arc;

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub method: SearchMethod,
    /// Threads that search one tree.
    pub threads: usize,
    /// States kept in the tree.
    pub nodes: usize,
    /// Symmetric states are one, where symmetries are known.
    pub symmetry: bool,
    /// Independent parts of a game are solved and searched apart.
    pub factoring: bool,
    /// One tree for each of them; none: where that was found to be better.
    pub factored: Option<bool>,
    /// The solver works beside the search of a match.
    pub solver: bool,
    /// Leaves that share a pass of the sliced machine; 0: playouts on the engine of the tree, one each;
    /// none: the more, the larger the circuits are.
    pub leaves: Option<usize>,
    /// Weight of the exploration term, in standard deviations of what iterations came to.
    pub exploration: f32,
    /// Visits that the playouts of a new node count for at each of its moves.
    pub prior: f32,
    /// Visits of a move at which the playouts that made it at any time count as much as they do; 0:
    /// these do not count at all.
    pub rave: f32,
    /// What tells the worth of a new node; none: what was found to win.
    pub way: Option<LeafWay>,
    /// The share that the best reply by the evaluation, backed up through the tree, has in the worth of a move.
    pub minimax: f32,
    /// Weight of the exploration term where roles decide at once.
    pub at_once: f32,
    /// Where roles decide at once they choose by regrets and not by upper confidence bounds.
    pub regret: bool,
    pub seed: u64,
}

/// What tells a search what a new state is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafWay {
    /// Random playouts, hundreds side by side.
    Playouts,
    /// The same, but that wins are made and prevented in them.
    Decisive,
    /// Playouts on the engine of the tree, one each, with moves that did well.
    Single,
    /// A learned evaluation, and no playouts.
    Evaluation,
}

impl LeafWay {
    pub const ALL: [LeafWay; 4] =
        [LeafWay::Playouts, LeafWay::Decisive, LeafWay::Single, LeafWay::Evaluation];
}

impl std::fmt::Display for LeafWay {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            LeafWay::Playouts => "playouts",
            LeafWay::Decisive => "decisive",
            LeafWay::Single => "single",
            LeafWay::Evaluation => "evaluation",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// All that is known of a game used.
    Mcts,
    /// Plain UCT with one random playout an iteration: the yardstick.
    Uct,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: SearchMethod::Mcts,
            threads: 1,
            nodes: 1_000_000,
            symmetry: true,
            factoring: true,
            factored: None,
            solver: true,
            leaves: None,
            exploration: 1.0,
            prior: 1.0,
            rave: 50.0,
            way: None,
            minimax: 0.3,
            at_once: 1.0,
            regret: true,
            seed: 1,
        }
    }
}

/// A move with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub mv: Move,
    /// The goal value that is expected for the role.
    pub value: f64,
    /// Whether the value is exact, given best play of everyone.
    pub proven: bool,
    /// Iterations that this move was looked at in.
    pub visits: u64,
    /// The joint moves that are expected, this one first.
    pub line: Vec<Vec<Move>>,
    /// All legal moves of the role, the most visited first.
    pub moves: Vec<Candidate>,
    /// The factors of the game that were searched apart; 0: the game was searched as a whole.
    pub factors: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub mv: Move,
    pub value: f64,
    pub proven: bool,
    pub visits: u64,
}

/// A search for one role of a match, whatever the engine. The state it stands in is not terminal.
pub trait Searcher: Send {
    /// Thinks for at most this many iterations. Ends early where nothing is left to find out, and
    /// with `Stop` within a millisecond or so after the budget is stopped.
    fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop>;

    /// A legal move, also without any thinking; none where the state is terminal or the role is stuck.
    fn choice(&mut self) -> Option<Choice>;

    /// Goes on to the state after a joint move, legal and one for each role.
    fn advance(&mut self, joint: &[Move]);

    /// Iterations so far in the present state, those before it was reached included.
    fn visits(&self) -> u64;

    /// States in the tree.
    fn nodes(&self) -> usize;
}

/// An engine that can be searched: it has copies for other threads and can be interrupted.
pub trait Searchable: StateMachine + Clone + Send + 'static {
    /// Questions from now on end with this budget.
    fn limit(&mut self, _budget: &Budget) {}

    /// Whether all answers since the last call were complete.
    fn is_sound(&mut self) -> bool {
        true
    }

    /// The state as one bit for each base of the net, where there is one.
    fn bits(_state: &Self::State) -> Option<&State> {
        None
    }

    /// The other way round.
    fn of_bits(_bits: State) -> Option<Self::State> {
        None
    }

    /// The least and the greatest goal value of a role.
    fn goals(&self, _role: Role) -> (i32, i32) {
        (0, 100)
    }
}

impl Searchable for Scalar {
    fn bits(state: &State) -> Option<&State> {
        Some(state)
    }

    fn of_bits(bits: State) -> Option<State> {
        Some(bits)
    }

    fn goals(&self, role: Role) -> (i32, i32) {
        let values = self.net().goals[role].iter().map(|(value, _)| *value);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    }
}

impl Searchable for Single {
    fn bits(state: &State) -> Option<&State> {
        Some(state)
    }

    fn of_bits(bits: State) -> Option<State> {
        Some(bits)
    }
}

impl Searchable for Interp {
    fn limit(&mut self, budget: &Budget) {
        self.set_budget(budget);
    }

    fn is_sound(&mut self) -> bool {
        self.problem().is_none()
    }
}

/// A search in the initial state of a game. It uses insights as they come.
pub fn searcher<G: Searchable>(
    game: &G,
    role: Role,
    options: &Options,
    insights: Arc<Insights>,
) -> Box<dyn Searcher> {
    match options.method {
        SearchMethod::Mcts => Box::new(FactoredMcts::new(game.clone(), role, options, insights)),
        SearchMethod::Uct => {
            Box::new(Uct::new(game.clone(), role, options).within(&insights.memory))
        }
    }
}
