//! What the page shows of games, as plain data: the same with a server (`ludex-page`) and without one (`ludex-wasm`).
//!
//! An [`OpenGame`] keeps the positions that were seen and the plan of its picture. [`sight`] is a position, [`card`]
//! a game, [`find`] an answer to a question about it, [`Telling`] a thought of the search; the functions about a
//! [`DraftText`] serve the editor. The modules are in reading order, which is the import law.
//!
//! ```
//! use ludex::{Game, budget::Budget};
//! use ludex_sight::{OpenGame, sight};
//!
//! let open = OpenGame::new("tictactoe", Game::bundled("tictactoe").expect("it is bundled"));
//! let moves = [vec!["(mark 2 2)".into(), "noop".into()]];
//! let seen = sight(&open, &moves, &Budget::unlimited()).expect("a legal move");
//! assert!(seen.svg.contains("data-place"));
//! assert_eq!(seen.legal[1].len(), 8);
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod trouble;
mod open;
mod sight;
mod thought;
mod remarks;
mod pace;
mod finding;
mod writing;

pub use finding::{Inquiry, PageFinding, Patience, find};
pub use ludex_lsp::Glance;
pub use open::{ListedGame, OpenGame, about, text_id};
pub use remarks::guise;
pub use sight::{Card, Sight, card, drawn, first_sight, sight};
pub use thought::Telling;
pub use trouble::Trouble;
pub use writing::{DraftText, explained, format, simulate, templates};
