//! `Player`: a built-in player that thinks about positions.

use super::Position;
use crate::errors::LudexError;
use crate::work::{self, Limits};
use ludex::game::Thought;
use ludex::play::Spec;
use ludex::reason::Random;
use ludex::source::Misread;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;

/// A player: `mcts` (the strongest), `uct` (the plain yardstick) or `random`.
#[pyclass(module = "ludex", frozen)]
pub struct Player {
    spec: Spec,
}

impl Player {
    pub fn new(text: &str) -> PyResult<Player> {
        Ok(Player { spec: text.parse().map_err(|e: Misread| PyValueError::new_err(e.0))? })
    }
}

/// What a player would do, and what it expects.
#[pyclass(module = "ludex", frozen, get_all, name = "Thought")]
pub struct Thinking {
    /// The move.
    best: String,
    /// The goal value that is expected for the role.
    value: Option<f64>,
    /// Whether the value is exact.
    proven: bool,
    /// How often the search looked at the position.
    visits: u64,
}

#[pymethods]
impl Thinking {
    fn __repr__(&self) -> String {
        let Thinking { best, value, proven, visits } = self;
        let value = value.map_or("None".into(), |value| format!("{value:.1}"));
        let proven = if *proven { "True" } else { "False" };
        format!("<ludex.Thought {best:?} value={value} proven={proven} visits={visits}>")
    }
}

/// Between two looks at whether a search has ended by itself.
const PAUSE: Duration = Duration::from_millis(1);

#[pymethods]
impl Player {
    /// The player as text, with the options that are not as usual.
    #[getter]
    fn name(&self) -> String {
        self.spec.to_string()
    }

    /// Thinks about a position for some seconds, or for a number of iterations, which makes the answer the same on
    /// every machine. The role is the first that has a choice, unless it is named.
    ///
    ///     >>> position = ludex.load("tictactoe").initial()
    ///     >>> for move in ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2"]:
    ///     ...     position = position.play(move)
    ///     >>> position.game.player("mcts").think(position, iterations=1000).best
    ///     '(mark 1 3)'
    #[pyo3(signature = (position, time=1.0, *, role=None, iterations=None))]
    fn think(
        &self,
        py: Python,
        position: PyRef<Position>,
        time: f64,
        role: Option<&Bound<PyAny>>,
        iterations: Option<u64>,
    ) -> PyResult<Thinking> {
        let position = &*position;
        if position.inner.is_terminal() {
            return Err(LudexError::new_err("the match is over"));
        }
        let role = match role {
            Some(role) => position.role(role)?,
            None => first_choice(&position.inner),
        };
        let Some(options) = self.spec.options() else { return self.random(position, role) };
        let limits = Limits::new(Some(time).filter(|_| iterations.is_none()), None)?;
        let thought = work::run(py, limits, |budget| -> Option<Thought> {
            if let Some(iterations) = iterations {
                let mut search = position.inner.search(role, &options);
                let _ = search.think(iterations, budget);
                return search.best();
            }
            let thinking = position.inner.start_search(role, &options, budget);
            while budget.check().is_ok() && !thinking.is_over() {
                std::thread::sleep(PAUSE);
            }
            thinking.stop().best()
        })?;
        let Thought { text, value, proven, visits, .. } = thought.ok_or_else(no_move)?;
        Ok(Thinking { best: text, value: Some(value), proven, visits })
    }

    fn __repr__(&self) -> String {
        format!("<ludex.Player {}>", self.spec)
    }
}

impl Player {
    /// The same position and seed give the same move.
    fn random(&self, position: &Position, role: usize) -> PyResult<Thinking> {
        let moves: Vec<&str> = position.inner.legal(role).collect();
        let steps = position.inner.line().len() as u64;
        let mut random =
            Random::new(self.spec.seed.wrapping_mul(0x9E37_79B9) ^ steps << 8 ^ role as u64);
        let text = *moves.get(random.below(moves.len().max(1))).ok_or_else(no_move)?;
        Ok(Thinking { best: text.into(), value: None, proven: false, visits: 0 })
    }
}

fn no_move() -> PyErr {
    LudexError::new_err("the role has no legal move")
}

/// The first role that has a choice, or else the first.
fn first_choice(position: &ludex::Position) -> usize {
    (0..position.roles().len()).find(|r| position.legal(*r).len() > 1).unwrap_or(0)
}
