//! What a game is made of: boards, symmetries, factors, latches; each is plain data that prints itself.
//!
//! ```
//! use ludex_facts::invariants::Invariants;
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_net::{Net, ground::Ground};
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let budget = Budget::unlimited();
//! let ground = Ground::new(&rules, &budget).expect("it is small");
//! let net = Net::new(&ground, &budget).expect("there is no limit");
//! let found = Invariants::within(&net.into(), &budget).expect("there is no limit");
//! for summary in found.summaries() {
//!     println!("{}", summary.text);
//! }
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod prove;
pub mod fluents;
pub mod samples;
pub mod reach;
pub mod property;
pub mod invariants;
pub mod certificate;
pub mod turns;
pub mod decide;
pub mod latches;
pub mod boards;
pub mod factor;
pub mod independence;

pub use invariants::lemmas;
