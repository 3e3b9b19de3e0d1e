//! A language server for game descriptions in both syntaxes: complaints as one types, with what mends them; what
//! names mean and where they stand; layout and colours.
//!
//! One thread reads messages and answers from the text as it is now. What takes longer, domains and the first
//! state, is found beside it under a budget (`deep`) and told when it is there. The modules are in reading
//! order, which is the import law.
//!
//! ```
//! let glance = ludex_lsp::Glance::of("mine.kif", "(role white");
//! assert_eq!(glance.complaints[0].fault.code, "unbalanced");
//! ```

mod text;
mod document;
mod deep;
mod complaints;
mod names;
mod hover;
mod complete;
mod layout;
mod glance;
mod server;

pub use glance::{Glance, PlacedFault};
pub use server::{Broken, serve_stdio};
