//! `Net` -> machines: the scalar and the sliced engine, and both for many positions at once.
//!
//! ```
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_machine::Scalar;
//! use ludex_net::{Net, ground::Ground};
//! use ludex_reason::StateMachine;
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let budget = Budget::unlimited();
//! let ground = Ground::new(&rules, &budget).expect("it is small");
//! let net = Net::new(&ground, &budget).expect("there is no limit");
//! let mut machine = Scalar::new(net.into());
//! let start = machine.initial();
//! assert_eq!(machine.fact_texts(&start), ["off"]);
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod turns;
mod decisive;
mod effects;
mod wide;
mod costs;
mod guards;
mod parts;
mod wiring;
mod values;
mod lazy;
mod layout;
mod state;
mod scalar;
mod looks;
mod children;
mod threats;
mod env_settings;
mod crew;
pub mod sliced;
mod environments;
mod batch;
mod positions;
mod paths;
mod leaves;

pub use batch::{Batch, BatchChoice};
pub use children::Children;
pub use decisive::decisive;
pub use effects::MoveEffects;
pub use env_settings::{
    Autoreset, EnvMoves, EnvPolicy, EnvRows, EnvScores, EnvSettings, Illegal, IllegalMove, MaskOf,
    RowForm,
};
pub use environments::{EnvFault, Environments, Rollout};
pub use leaves::leaves;
pub use looks::{Ask, Looks};
pub use paths::paths;
pub use positions::Positions;
pub use scalar::Scalar;
pub use state::State;
pub use threats::{Refutation, ThreatFact, Threats};
pub use turns::Turns;
