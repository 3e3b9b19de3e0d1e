//! `ludex._ludex`: the library as a Python module. A call is arguments, one call of `ludex`, and plain data back.
//!
//! What Python people meet first (docstrings, adapters for other libraries, work on several machines) is written in
//! Python, in `python/ludex`, over this module.

mod errors;
mod work;
mod position;
mod player;
mod buffers;
mod vector;
mod game;

use pyo3::prelude::*;

#[pymodule]
mod _ludex {
    #[pymodule_export]
    use crate::errors::{LudexError, MoveError, RulesError, StoppedError};
    #[pymodule_export]
    use crate::game::{Game, bundled, load};
    #[pymodule_export]
    use crate::player::{Player, Thinking};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::vector::Vector;
}
