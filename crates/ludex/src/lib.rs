//! Ludex: from the rules of a game in GDL to what it is made of, and to engines that solve and play it.
//!
//! [`Game`] is the one door: it owns the rules and all that is found out about them. A match against
//! the search, the last position as a picture, and the symmetries of the game:
//!
//! ```
//! use ludex::{Game, budget::Budget, search::Options};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let (game, budget) = (Game::bundled("tictactoe")?, Budget::unlimited());
//!     let mut position = game.position(&budget)?;
//!     while !position.is_terminal() {
//!         let mut search = position.search(1, &Options::default());
//!         search.think(300, &budget)?;
//!         let ours = position.legal(0).next().ok_or("no move")?;
//!         let theirs = search.best().ok_or("no move")?.text;
//!         position = position.after(&[ours, &theirs])?;
//!     }
//!     println!("{}{:?}", position.picture(&budget)?, position.goals());
//!     println!("{} symmetries", game.knowledge().symmetries(&budget)?.all.order);
//!     Ok(())
//! }
//! ```
//!
//! The crates below are listed in reading order, and so are the modules; a crate or module uses only
//! those above it.

#![warn(missing_docs)]
// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub use game::{Game, Position};
pub use ludex_facts as facts;
pub use ludex_facts::prove;
pub use ludex_gdl::{budget, explain, policy, rules, source, syntax};
pub use ludex_knowledge as knowledge;
pub use ludex_machine as machine;
pub use ludex_net as net;
pub use ludex_net::{domains, ground, instances};
pub use ludex_picture as picture;
pub use ludex_reason as reason;
pub use ludex_reason::interp;
pub use ludex_search as search;
pub use ludex_symmetry as symmetry;

pub mod frame;
pub mod compile;
pub mod game;
pub mod expect;
pub mod play;
pub mod qbf;
pub mod export;
