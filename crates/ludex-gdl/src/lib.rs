//! Text -> [`rules::Rules`]: the Game Description Language, read and checked.
//!
//! The modules are in reading order, which is the import law: a module uses only modules above it.
//!
//! ```
//! use ludex_gdl::{rules::Rules, source::Source};
//!
//! let source = Source::new("lamp", "(role you) (init off) (legal you press)
//!     (<= (next on) (does you press)) (<= terminal (true on)) (<= (goal you 100) (true on))");
//! let (rules, warnings) = Rules::read(&source, None).map_err(|faults| faults.render(&source)).unwrap();
//! assert_eq!(rules.rules.len(), 6);
//! println!("{}", warnings.render(&source));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod source;
pub mod budget;
pub mod digraph;
pub mod syntax;
pub mod explain;
pub mod rules;
pub mod policy;
