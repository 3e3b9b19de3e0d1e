//! `Position`: a state of a game as a value of Python.

use super::Game;
use crate::errors::{bad_move, refused};
use crate::work::{self, Limits};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// A state of a game. It never changes: a move gives another one.
///
///     >>> position = ludex.load("tictactoe").initial().play("mark 2 2")
///     >>> position.to_move, position.terminal, position.goals
///     (['black'], False, {'white': 50, 'black': 50})
#[pyclass(module = "ludex", frozen)]
#[derive(Clone)]
pub struct Position {
    pub inner: ludex::Position,
}

impl Position {
    /// The number of a role, given by name or number.
    pub fn role(&self, role: &Bound<PyAny>) -> PyResult<usize> {
        let roles = self.inner.roles();
        let unknown = |text: String| {
            PyKeyError::new_err(format!("there is no role {text}; roles are {}", roles.join(", ")))
        };
        match role.extract::<usize>() {
            Ok(number) if number < roles.len() => Ok(number),
            Ok(number) => Err(unknown(number.to_string())),
            Err(_) => {
                let name: String = role.extract()?;
                let found = roles.iter().position(|r| r.eq_ignore_ascii_case(&name));
                found.ok_or_else(|| unknown(name))
            }
        }
    }

    fn by_role<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        values: impl Iterator<Item = T>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (role, value) in self.inner.roles().iter().zip(values) {
            dict.set_item(role, value)?;
        }
        Ok(dict)
    }

    fn picture(&self, py: Python) -> PyResult<ludex::picture::Picture> {
        work::run(py, Limits::none(), |budget| self.inner.picture(budget))?.map_err(refused)
    }
}

#[pymethods]
impl Position {
    /// The game that it is a position of.
    #[getter]
    fn game(&self) -> Game {
        Game { inner: self.inner.game().clone() }
    }

    /// The names of the roles.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.inner.roles().to_vec()
    }

    /// The facts that are true, sorted.
    #[getter]
    fn facts(&self) -> Vec<String> {
        self.inner.facts().to_vec()
    }

    /// Whether the match is over.
    #[getter]
    fn terminal(&self) -> bool {
        self.inner.is_terminal()
    }

    /// By role its goal value, or None where it has not exactly one.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_role(py, self.inner.goals().iter().copied())
    }

    /// The roles that have a choice here.
    #[getter]
    fn to_move(&self) -> Vec<String> {
        let roles = self.inner.roles().iter().enumerate();
        roles
            .filter(|(r, _)| self.inner.legal(*r).len() > 1)
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// The joint moves that led here from the initial position, each a list with one move of every role.
    #[getter]
    fn moves(&self) -> Vec<Vec<String>> {
        self.inner.line().to_vec()
    }

    /// The legal moves of a role, or of all roles as a dict.
    ///
    ///     >>> ludex.load("connectfour").initial().legal("red")[:3]
    ///     ['(drop 1)', '(drop 2)', '(drop 3)']
    #[pyo3(signature = (role=None))]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        role: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let legal = |r: usize| -> Vec<String> { self.inner.legal(r).map(String::from).collect() };
        match role {
            Some(role) => Ok(legal(self.role(role)?).into_pyobject(py)?.into_any()),
            None => Ok(self.by_role(py, (0..self.inner.roles().len()).map(legal))?.into_any()),
        }
    }

    /// The position after a joint move: the moves of all roles, or of those that have a choice, in the order of the
    /// roles, or by name of role.
    ///
    ///     >>> first = ludex.load("tictactoe").initial()
    ///     >>> first.play("mark 1 3") == first.play(white="mark 1 3", black="noop")
    ///     True
    #[pyo3(signature = (*moves, **by_role))]
    fn play(
        &self,
        py: Python,
        moves: &Bound<PyTuple>,
        by_role: Option<&Bound<PyDict>>,
    ) -> PyResult<Position> {
        let mut given: Vec<String> = moves.extract::<Vec<String>>()?;
        if let Some(named) = by_role {
            if !given.is_empty() {
                return Err(PyTypeError::new_err("moves are given in order or by role, not both"));
            }
            let mut places = Vec::new();
            for (role, text) in named {
                places.push((self.role(&role)?, text.extract::<String>()?));
            }
            places.sort();
            given = places.into_iter().map(|(_, text)| text).collect();
        }
        let texts: Vec<&str> = given.iter().map(String::as_str).collect();
        let inner = py.detach(|| self.inner.after(&texts)).map_err(bad_move)?;
        Ok(Position { inner })
    }

    /// The position as a picture.
    fn svg(&self, py: Python) -> PyResult<String> {
        Ok(self.picture(py)?.svg())
    }

    fn _repr_svg_(&self, py: Python) -> PyResult<String> {
        self.svg(py)
    }

    fn __str__(&self, py: Python) -> PyResult<String> {
        Ok(self.picture(py)?.to_string())
    }

    fn __repr__(&self) -> String {
        let (game, steps) = (self.inner.game().name(), self.inner.line().len());
        let over = if self.inner.is_terminal() { ", over" } else { "" };
        let moves = if steps == 1 { "move" } else { "moves" };
        format!("<ludex.Position of {game} after {steps} {moves}{over}>")
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let Ok(other) = other.cast::<Position>() else { return false };
        let (a, b) = (&self.inner, &other.get().inner);
        a.facts() == b.facts() && a.game().digest() == b.game().digest()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.facts().hash(&mut hasher);
        hasher.finish()
    }

    /// It never changes, so that a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let again = py.import("ludex")?.getattr("_position")?;
        Ok((again, (self.game(), self.moves()).into_pyobject(py)?.into_any()))
    }
}
