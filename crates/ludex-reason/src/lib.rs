//! [`StateMachine`]: what every engine offers; what is true of any of them; and the first-order
//! reasoner, the meaning of GDL here.
//!
//! ```
//! use ludex_gdl::{rules::Rules, source::Source};
//! use ludex_reason::{StateMachine, interp::Interp};
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let mut game = Interp::new(&rules).expect("it can be played");
//! let start = game.initial();
//! let mut moves = Vec::new();
//! game.legal(&start, 0, &mut moves);
//! let next = game.next(&start, &moves);
//! assert_eq!(game.fact_texts(&next), ["on"]);
//! assert!(game.terminal(&next));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod state_machine;
mod random;
mod perft;
mod playout;
mod notice;
mod trial;
mod tally;
mod walks;
mod tree;
mod view;
mod meant;
pub mod interp;
mod first;
mod few;

pub use few::few_matches;
pub use first::first_state;
pub use meant::{moves_meant, moves_with, words};
pub use notice::Notice;
pub use perft::{Cut, Joints, Perft, perft};
pub use playout::{End, Playout, playout};
pub use random::Random;
pub use state_machine::{Move, Role, StateMachine, chance};
pub use tally::{Tally, signature, tally};
pub use tree::visit;
pub use trial::{Declared, Finding, Trial, trial};
pub use view::{View, canonical, digest, find_move, guess_move, view};
pub use walks::Walks;
