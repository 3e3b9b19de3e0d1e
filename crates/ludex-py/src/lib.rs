//! `ludex._ludex`: the library as a Python module. A call is arguments, one call of `ludex`, and plain data back.
//!
//! What Python people meet first (docstrings, adapters for other libraries, work on several machines) is written in
//! Python, in `python/ludex`, over this module.

mod errors;
mod work;
mod buffers;
mod wishes;
mod vector;
mod game;

use pyo3::prelude::*;

#[pymodule]
mod _ludex {
    #[pymodule_export]
    use crate::errors::{LudexError, MoveError, RulesError, StoppedError};
    #[pymodule_export]
    use crate::game::{Game, Player, Position, Thinking, bundled, load};
    #[pymodule_export]
    use crate::vector::Vector;
}
