//! `Compiled` -> `Searcher`: a search over whatever engine runs the game.

use super::{Compiled, Running};
use ludex_reason::Role;
use ludex_search::{Insights, Options, Searcher, searcher};
use std::sync::Arc;

impl Compiled {
    /// A search in the initial state, with an engine of its own; its moves are those of this engine.
    pub fn searcher(
        &self,
        role: Role,
        options: &Options,
        insights: Arc<Insights>,
    ) -> Box<dyn Searcher> {
        match &self.running {
            Running::Interp(interp) => searcher(interp.as_ref(), role, options, insights),
            Running::Scalar(scalar) => searcher(scalar.as_ref(), role, options, insights),
            Running::Sliced(single) => searcher(single.as_ref(), role, options, insights),
        }
    }
}
