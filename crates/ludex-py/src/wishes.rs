//! `Wishes`: how the environments of a game are made, as Python says it.

use crate::work::{self, Limits};
use ludex::game::Planes;
use ludex::machine::{Autoreset, EnvSettings, Illegal, MaskOf, RowForm};
use ludex::net::Net;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub struct Wishes {
    pub count: usize,
    pub seed: u64,
    pub threads: usize,
    pub observation: Option<String>,
    pub mask: Option<String>,
    pub turn: String,
    pub autoreset: String,
    pub illegal: String,
    pub reward: (f32, f32),
    pub max_steps: Option<u32>,
    pub final_observation: bool,
    pub record: bool,
    pub board_time: f64,
}

const OBSERVATIONS: [(&str, RowForm); 3] =
    [("planes", RowForm::Bytes), ("facts", RowForm::Bytes), ("packed", RowForm::Packed)];
const MASKS: [(&str, RowForm); 2] = [("bytes", RowForm::Bytes), ("packed", RowForm::Packed)];
const TURNS: [(&str, bool); 2] = [("mover", false), ("all", true)];
const RESETS: [(&str, Autoreset); 3] =
    [("next", Autoreset::Next), ("same", Autoreset::Same), ("off", Autoreset::Off)];
const ILLEGAL: [(&str, Illegal); 2] = [("error", Illegal::Error), ("loss", Illegal::Loss)];

/// One of some words.
pub fn one_of<T: Copy>(what: &str, given: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| *name == given);
    let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let wrong = || PyValueError::new_err(format!("{what} is one of {}, not {given}", names()));
    found.map(|(_, value)| *value).ok_or_else(wrong)
}

/// The form of rows that may not be shown at all.
fn form(what: &str, given: Option<&str>, known: &[(&str, RowForm)]) -> PyResult<RowForm> {
    given.map_or(Ok(RowForm::Bytes), |given| one_of(what, given, known))
}

impl Wishes {
    /// Tells what no environment can be like, before any work is done.
    pub fn check(&self) -> PyResult<()> {
        if self.count == 0 || self.count > 1 << 24 {
            return Err(PyValueError::new_err("num_envs is a number from 1 to 2^24"));
        }
        if self.threads == 0 || self.threads > 1024 {
            return Err(PyValueError::new_err("threads is a number from 1 to 1024"));
        }
        if !(self.reward.0.is_finite() && self.reward.1.is_finite()) {
            return Err(PyValueError::new_err("reward is two numbers, for goals of 0 and of 100"));
        }
        if self.max_steps == Some(0) {
            return Err(PyValueError::new_err("max_steps is 1 or more"));
        }
        self.settings(None, 0).map(drop)
    }

    /// How observations are laid out, where they are planes.
    pub fn planes(&self, py: Python, game: &ludex::Game, net: &Net) -> PyResult<Option<Planes>> {
        if self.observation.as_deref() != Some("planes") {
            return Ok(None);
        }
        let limits = Limits::new(Some(self.board_time), None)?;
        let found = work::run(py, limits, |budget| game.planes(budget, self.board_time / 2.0))?;
        Ok(Some(found.unwrap_or_else(|_| Planes::new(net, None))))
    }

    pub fn settings(&self, planes: Option<&Planes>, facts: usize) -> PyResult<EnvSettings> {
        let at_once = one_of("turn", &self.turn, &TURNS)?;
        Ok(EnvSettings {
            observation: form("observation", self.observation.as_deref(), &OBSERVATIONS)?,
            mask: form("mask", self.mask.as_deref(), &MASKS)?,
            mask_of: if at_once { MaskOf::All } else { MaskOf::Mover },
            at_once,
            autoreset: one_of("autoreset", &self.autoreset, &RESETS)?,
            illegal: one_of("illegal", &self.illegal, &ILLEGAL)?,
            reward: self.reward,
            max_steps: self.max_steps,
            columns: planes.map_or_else(|| (0..facts as u32).collect(), Planes::columns),
        })
    }

    /// The same as named arguments.
    pub fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        options.set_item("seed", self.seed)?;
        options.set_item("threads", self.threads)?;
        options.set_item("observation", &self.observation)?;
        options.set_item("mask", &self.mask)?;
        options.set_item("turn", &self.turn)?;
        options.set_item("autoreset", &self.autoreset)?;
        options.set_item("illegal", &self.illegal)?;
        options.set_item("reward", self.reward)?;
        options.set_item("max_steps", self.max_steps)?;
        options.set_item("final_observation", self.final_observation)?;
        options.set_item("record", self.record)?;
        options.set_item("board_time", self.board_time)?;
        Ok(options)
    }
}
