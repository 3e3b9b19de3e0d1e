//! `Vector`: environments side by side, which fill arrays of NumPy in place.

use crate::buffers::{Buffer, Form, actions_of};
use crate::errors::{LudexError, MoveError, refused};
use crate::wishes::{Wishes, one_of};
use crate::work::{self, Limits};
use ludex::game::Planes;
use ludex::machine::sliced::EnvCircuits;
use ludex::machine::{
    Autoreset, EnvFault, EnvMoves, EnvPolicy, EnvRows, EnvScores, EnvSettings, Environments,
    RowForm,
};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Environments of one game side by side. `step` fills the same arrays each time and returns them.
///
///     >>> env = ludex.load("tictactoe").vector(1000, seed=1)
///     >>> observation, info = env.reset()
///     >>> observation, reward, terminated, truncated, info = env.step(env.sample())
///     >>> env.legal_action_mask.sum(axis=1)[:3].tolist(), env.current_player[:3].tolist()
///     ([8, 8, 8], [1, 1, 1])
#[pyclass(module = "ludex", frozen)]
pub struct Vector {
    inner: Mutex<Option<Running>>,
    shown: Shown,
    about: About,
}

struct Running {
    envs: Environments,
    actions: Vec<i32>,
}

/// The arrays that are filled.
struct Shown {
    observation: Buffer,
    last: Buffer,
    mask: Buffer,
    reward: Buffer,
    terminated: Buffer,
    truncated: Buffer,
    player: Buffer,
    made: Buffer,
    info: Py<PyDict>,
}

/// What is told about the environments.
struct About {
    count: usize,
    players: Vec<String>,
    roles: Vec<String>,
    actions: usize,
    at_once: bool,
    autoreset: String,
    /// What goals of 0 and of 100 are worth.
    reward: (f32, f32),
    engine: String,
}

impl Shown {
    /// Arrays for all that is wished for, of so many players and actions.
    fn new(
        py: Python,
        wishes: &Wishes,
        settings: &EnvSettings,
        planes: Option<&Planes>,
        (players, actions): (usize, usize),
    ) -> PyResult<Shown> {
        let count = wishes.count;
        let shape = match (&wishes.observation, planes) {
            (None, _) => vec![0],
            (_, Some(p)) => vec![count, p.planes.len(), p.height, p.width],
            (_, None) => vec![count, settings.observation.width(settings.columns.len())],
        };
        let of_mask = settings.mask.width(actions);
        let mask_shape = match (&wishes.mask, settings.at_once) {
            (None, _) => vec![0],
            (_, true) => vec![count, players, of_mask],
            (_, false) => vec![count, of_mask],
        };
        let mask_form = if settings.mask == RowForm::Bytes { Form::Bool } else { Form::U8 };
        let last = if wishes.final_observation { shape.clone() } else { vec![0] };
        let made = if wishes.record { vec![count, players] } else { vec![0] };
        let shown = Shown {
            observation: Buffer::new(py, &shape, Form::U8)?,
            last: Buffer::new(py, &last, Form::U8)?,
            mask: Buffer::new(py, &mask_shape, mask_form)?,
            reward: Buffer::new(py, &[count, players], Form::F32)?,
            terminated: Buffer::new(py, &[count], Form::Bool)?,
            truncated: Buffer::new(py, &[count], Form::Bool)?,
            player: Buffer::new(py, &[count], Form::U8)?,
            made: Buffer::new(py, &made, Form::I32)?,
            info: PyDict::new(py).unbind(),
        };
        let info = shown.info.bind(py);
        info.set_item("action_mask", shown.mask.object(py))?;
        info.set_item("current_player", shown.player.object(py))?;
        if wishes.final_observation {
            info.set_item("final_obs", shown.last.object(py))?;
        }
        if wishes.record {
            info.set_item("actions", shown.made.object(py))?;
        }
        Ok(shown)
    }
}

impl Vector {
    /// Environments on circuits of the game, all in the initial state.
    pub fn new(
        py: Python,
        game: &ludex::Game,
        circuits: Arc<EnvCircuits>,
        wishes: Wishes,
    ) -> PyResult<Vector> {
        let net = circuits.net();
        let planes = wishes.planes(py, game, net)?;
        let settings = wishes.settings(planes.as_ref(), net.bases.len())?;
        let players: Vec<String> = circuits.players().map(|r| net.roles[r].clone()).collect();
        if players.is_empty() {
            return Err(LudexError::new_err("the game has no role but chance"));
        }
        let shown = Shown::new(
            py,
            &wishes,
            &settings,
            planes.as_ref(),
            (players.len(), circuits.actions()),
        )?;
        let instead = circuits.instead().map(|why| format!(" on the portable back end: {why}"));
        let about = About {
            count: wishes.count,
            roles: net.roles.clone(),
            players,
            actions: circuits.actions(),
            at_once: settings.at_once,
            autoreset: wishes.autoreset,
            reward: wishes.reward,
            engine: format!("sliced{}", instead.unwrap_or_default()),
        };
        let (count, seed, threads) = (wishes.count, wishes.seed, wishes.threads);
        let envs = py.detach(|| Environments::new(circuits, settings, count, seed, threads));
        let vector =
            Vector { inner: Mutex::new(Some(Running { envs, actions: vec![] })), shown, about };
        vector.show(py, |running, rows| {
            running.envs.look(rows);
            Ok(())
        })?;
        Ok(vector)
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Running>>> {
        match self.inner.try_lock() {
            Ok(held) if held.is_some() => Ok(held),
            Ok(_) => Err(PyRuntimeError::new_err("the environment is closed")),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the environment is at work in another thread"))
            }
            Err(TryLockError::Poisoned(_)) => {
                Err(PyRuntimeError::new_err("the environment has failed before"))
            }
        }
    }

    /// Does something that fills the arrays, without the lock of the interpreter.
    fn show(
        &self,
        py: Python,
        work: impl FnOnce(&mut Running, &mut EnvRows) -> Result<(), EnvFault> + Send,
    ) -> PyResult<()> {
        let mut held = self.lock()?;
        let running = held.as_mut().expect("it is open");
        let shown = &self.shown;
        // SAFETY: the arrays are those that were made for the environments, each of another memory, and the lock is
        // held while they are filled.
        let mut rows = unsafe {
            EnvRows {
                observation: shown.observation.bytes(py)?,
                last: shown.last.bytes(py)?,
                mask: shown.mask.bytes(py)?,
                reward: shown.reward.values::<f32>(py)?,
                terminated: shown.terminated.bytes(py)?,
                truncated: shown.truncated.bytes(py)?,
                player: shown.player.bytes(py)?,
                made: shown.made.values::<i32>(py)?,
            }
        };
        py.detach(|| work(running, &mut rows)).map_err(fault)
    }
}

fn fault(why: EnvFault) -> PyErr {
    match why {
        EnvFault::Illegal(_) => MoveError::new_err(why.to_string()),
        EnvFault::AtOnce => LudexError::new_err(format!("{why} (turn=\"all\")")),
        EnvFault::Count { .. } => PyValueError::new_err(why.to_string()),
    }
}

#[pymethods]
impl Vector {
    #[getter]
    fn num_envs(&self) -> usize {
        self.about.count
    }

    /// The roles that are asked for moves, in the order of rewards.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.about.players.clone()
    }

    /// All roles; `current_player` numbers them.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.about.roles.clone()
    }

    /// Actions are numbers below this one; of a role those of `game.actions[role]`.
    #[getter]
    fn num_actions(&self) -> usize {
        self.about.actions
    }

    /// When matches begin anew: next, same or off.
    #[getter]
    fn autoreset(&self) -> &str {
        &self.about.autoreset
    }

    /// Whether every player is asked in every step.
    #[getter]
    fn at_once(&self) -> bool {
        self.about.at_once
    }

    /// What runs the game.
    #[getter]
    fn engine(&self) -> &str {
        &self.about.engine
    }

    /// The last observation, an array that the next step fills again.
    #[getter]
    fn observation(&self, py: Python) -> Py<PyAny> {
        self.shown.observation.object(py)
    }

    /// The legal moves of the player to move, or of all players.
    #[getter]
    fn legal_action_mask(&self, py: Python) -> Py<PyAny> {
        self.shown.mask.object(py)
    }

    /// The number of the role that moves.
    #[getter]
    fn current_player(&self, py: Python) -> Py<PyAny> {
        self.shown.player.object(py)
    }

    #[getter]
    fn reward(&self, py: Python) -> Py<PyAny> {
        self.shown.reward.object(py)
    }

    #[getter]
    fn terminated(&self, py: Python) -> Py<PyAny> {
        self.shown.terminated.object(py)
    }

    #[getter]
    fn truncated(&self, py: Python) -> Py<PyAny> {
        self.shown.truncated.object(py)
    }

    /// Puts all environments, or those that `mask` marks, into the initial state. A seed begins chance anew.
    ///
    ///     >>> env = ludex.load("tictactoe").vector(2)
    ///     >>> _ = env.step([0, 4])
    ///     >>> env.reset(mask=np.array([True, False]))[1]["action_mask"].sum(axis=1).tolist()
    ///     [9, 8]
    #[pyo3(signature = (*, seed=None, mask=None))]
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        mask: Option<PyReadonlyArrayDyn<'py, bool>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let which = mask.map(|mask| mask.as_array().iter().copied().collect::<Vec<bool>>());
        if which.as_ref().is_some_and(|which| which.len() != self.about.count) {
            return Err(PyValueError::new_err("mask has one value for each environment"));
        }
        self.show(py, |running, rows| {
            running.envs.reset(which.as_deref(), seed, rows);
            Ok(())
        })?;
        PyTuple::new(py, [self.observation(py), self.shown.info.clone_ref(py).into_any()])
    }

    /// One step of all environments. Actions: one number for each, or with turn="all" one for each and player; without
    /// them every role draws a legal move. Returns observation, reward, terminated, truncated, info.
    ///
    ///     >>> env = ludex.load("tictactoe").vector(2, autoreset="off")
    ///     >>> for action in [0, 3, 1, 4, 2]:
    ///     ...     observation, reward, terminated, truncated, info = env.step([action] * 2)
    ///     >>> terminated.tolist(), reward[0].tolist()
    ///     ([True, True], [1.0, -1.0])
    #[pyo3(signature = (actions=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let given = actions.map(|actions| actions_of(actions, self.shape())).transpose()?;
        match &given {
            None => self.show(py, |running, rows| running.envs.step(EnvMoves::Drawn, rows))?,
            Some(given) => {
                let given = given.as_slice()?;
                self.show(py, |running, rows| running.envs.step(EnvMoves::Given(given), rows))?;
            }
        }
        let shown = &self.shown;
        let arrays = [&shown.observation, &shown.reward, &shown.terminated, &shown.truncated];
        let all = arrays.map(|array| array.object(py)).into_iter();
        PyTuple::new(py, all.chain([shown.info.clone_ref(py).into_any()]).collect::<Vec<_>>())
    }

    /// Legal actions that a policy chooses: "random", or scores for actions, an array of floats of one value for each
    /// action or for each environment and action. With epsilon the best of them but for that chance, without it as
    /// likely as softmax says.
    ///
    ///     >>> env = ludex.load("connectfour").vector(4)
    ///     >>> env.sample(np.arange(env.num_actions), epsilon=0.0).tolist()
    ///     [6, 6, 6, 6]
    #[pyo3(signature = (policy=None, *, epsilon=None))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        policy: Option<&Bound<'py, PyAny>>,
        epsilon: Option<f32>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let array = PyArrayDyn::<i32>::zeros(py, &self.shape()[..], false);
        let chosen = self.chosen(policy, epsilon)?;
        let mut held = self.lock()?;
        let running = held.as_mut().expect("it is open");
        let mut actions = vec![0; array.len()];
        py.detach(|| running.envs.choose(chosen.policy(), &mut actions)).map_err(fault)?;
        array.readwrite().as_slice_mut()?.copy_from_slice(&actions);
        Ok(array)
    }

    /// Plays so many steps inside, with no observation on the way. Returns what they came to: transitions, episodes,
    /// rewards by player (mean of the matches that ended), and of random play also goals, and matches without legal moves.
    ///
    ///     >>> totals = ludex.load("tictactoe").vector(1000).rollout(100, policy="random")
    ///     >>> totals["episodes"] > 10_000, totals["rewards"]["white"] > totals["rewards"]["black"]
    ///     (True, True)
    #[pyo3(signature = (steps, policy=None, *, epsilon=None))]
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        steps: u64,
        policy: Option<&Bound<'py, PyAny>>,
        epsilon: Option<f32>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let chosen = self.chosen(policy, epsilon)?;
        match chosen.policy() {
            EnvPolicy::Random => self.random_rollout(py, steps),
            policy => self.chosen_rollout(py, steps, policy),
        }
    }

    /// The states of all environments, as an array that can be kept, written to a file, and set again.
    ///
    ///     >>> env = ludex.load("tictactoe").vector(3)
    ///     >>> kept = env.states
    ///     >>> _ = env.step()
    ///     >>> env.states = kept
    ///     >>> env.legal_action_mask.sum(axis=1).tolist()
    ///     [9, 9, 9]
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u64>>> {
        let mut held = self.lock()?;
        let running = held.as_mut().expect("it is open");
        let (words, states) = (running.envs.state_words(), running.envs.states());
        let array = PyArrayDyn::<u64>::zeros(py, &[self.about.count, words][..], false);
        array.readwrite().as_slice_mut()?.copy_from_slice(&states);
        Ok(array)
    }

    #[setter]
    fn set_states(&self, py: Python, states: PyReadonlyArrayDyn<u64>) -> PyResult<()> {
        let needed = {
            let held = self.lock()?;
            [self.about.count, held.as_ref().expect("it is open").envs.state_words()]
        };
        if states.shape() != needed {
            return Err(PyValueError::new_err(format!(
                "states have the shape {:?}, but {needed:?} is needed",
                states.shape()
            )));
        }
        let states: Vec<u64> = states.as_array().iter().copied().collect();
        self.show(py, |running, rows| running.envs.set_states(&states, rows))
    }

    /// Frees the memory; whatever is asked afterwards is an error.
    fn close(&self) -> PyResult<()> {
        let mut held = self
            .inner
            .try_lock()
            .map_err(|_| PyRuntimeError::new_err("the environment is at work in another thread"))?;
        *held = None;
        Ok(())
    }

    fn __repr__(&self) -> String {
        let About { count, players, actions, .. } = &self.about;
        format!("<ludex.Vector of {count}, {} players, {actions} actions>", players.len())
    }
}

impl Vector {
    fn shape(&self) -> Vec<usize> {
        match self.about.at_once {
            true => vec![self.about.count, self.about.players.len()],
            false => vec![self.about.count],
        }
    }

    /// A policy, whose scores have a place for each action or for each environment and action.
    fn chosen(&self, policy: Option<&Bound<PyAny>>, epsilon: Option<f32>) -> PyResult<Chosen> {
        let About { count, actions, .. } = self.about;
        Chosen::new(policy, epsilon, [&[actions], &[count, actions]])
    }

    fn random_rollout<'py>(&self, py: Python<'py>, steps: u64) -> PyResult<Bound<'py, PyDict>> {
        let mut held = self.lock()?;
        let running = held.as_mut().expect("it is open");
        let totals = match (running.envs.count() as u64).saturating_mul(steps) {
            // So little is done before anybody could interrupt it.
            few if few < 1 << 22 => {
                let budget = ludex::budget::Budget::unlimited();
                py.detach(|| running.envs.rollout(steps, &budget))
            }
            _ => work::run(py, Limits::none(), |budget| running.envs.rollout(steps, budget))?,
        };
        let totals = totals.map_err(|stop| refused(stop.into()))?;
        drop(held);
        self.show(py, |running, rows| {
            running.envs.look(rows);
            Ok(())
        })?;
        let dict = PyDict::new(py);
        dict.set_item("transitions", totals.transitions)?;
        dict.set_item("episodes", totals.playouts)?;
        dict.set_item("stuck", totals.stuck)?;
        let ended = totals.playouts as f64;
        let (goals, rewards) = (PyDict::new(py), PyDict::new(py));
        let (low, high) = self.about.reward;
        for (number, role) in self.about.roles.iter().enumerate() {
            if self.about.players.contains(role) {
                // Matches that end without a goal of the role earn nothing.
                let scored = ended - totals.unscored[number] as f64;
                let sum = totals.goal_sum(number) as f64;
                let earned = low as f64 * scored + (high - low) as f64 * sum / 100.0;
                goals.set_item(role, (ended > 0.0).then(|| sum / ended))?;
                rewards.set_item(role, (ended > 0.0).then(|| earned / ended))?;
            }
        }
        dict.set_item("rewards", rewards)?;
        dict.set_item("goals", goals)?;
        Ok(dict)
    }

    /// Step by step; the arrays are filled with what is seen after the last.
    fn chosen_rollout<'py>(
        &self,
        py: Python<'py>,
        steps: u64,
        policy: EnvPolicy,
    ) -> PyResult<Bound<'py, PyDict>> {
        let players = self.about.players.len();
        let (mut transitions, mut episodes, mut sums) = (0, 0, vec![0.0f64; players]);
        for step in 0..steps {
            if step % 64 == 0 {
                py.check_signals()?;
            }
            self.show(py, |running, rows| {
                let mut actions = std::mem::take(&mut running.actions);
                actions.resize(running.envs.moves_a_step(), 0);
                let over: u64 = rows.terminated.iter().map(|t| *t as u64).sum();
                let resets = running.envs.settings().autoreset != Autoreset::Same;
                running.envs.choose(policy, &mut actions)?;
                running.envs.step(EnvMoves::Given(&actions), rows)?;
                running.actions = actions;
                transitions += rows.terminated.len() as u64 - if resets { over } else { 0 };
                for (t, reward) in rows.terminated.iter().zip(rows.reward.chunks(players)) {
                    episodes += *t as u64;
                    if *t == 1 {
                        sums.iter_mut().zip(reward).for_each(|(sum, r)| *sum += *r as f64);
                    }
                }
                Ok(())
            })?;
        }
        let dict = PyDict::new(py);
        dict.set_item("transitions", transitions)?;
        dict.set_item("episodes", episodes)?;
        let rewards = PyDict::new(py);
        for (role, sum) in self.about.players.iter().zip(sums) {
            rewards.set_item(role, (episodes > 0).then(|| sum / episodes as f64))?;
        }
        dict.set_item("rewards", rewards)?;
        Ok(dict)
    }
}

/// Scores as an array of floats; what is no real number would lose a part of it.
fn numbers<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = given.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["b", "i", "u", "f"].contains(&kind.as_str()) {
        return Err(PyTypeError::new_err("a policy is scores or \"random\""));
    }
    // A single number gets a dimension here, which is not what it had.
    let shape = array.getattr("shape")?;
    let array = numpy.call_method1("ascontiguousarray", (array, "float32"))?;
    Ok(array.call_method1("reshape", (shape,))?.extract()?)
}

/// A policy as Python gives it.
struct Chosen {
    scores: Option<Vec<f32>>,
    epsilon: Option<f32>,
}

impl Chosen {
    fn new(
        policy: Option<&Bound<PyAny>>,
        epsilon: Option<f32>,
        shapes: [&[usize]; 2],
    ) -> PyResult<Chosen> {
        if epsilon.is_some_and(|epsilon| !(0.0..=1.0).contains(&epsilon)) {
            return Err(PyValueError::new_err("epsilon is a chance from 0 to 1"));
        }
        let Some(policy) = policy else { return Ok(Chosen { scores: None, epsilon: None }) };
        if let Ok(name) = policy.extract::<String>() {
            one_of("policy", &name, &[("random", ())])?;
            return Ok(Chosen { scores: None, epsilon: None });
        }
        let array = numbers(policy)?;
        let shape = array.shape();
        if !shapes.contains(&shape) {
            let [one, each] = shapes;
            return Err(PyValueError::new_err(format!(
                "scores have the shape {shape:?}, but {one:?} or {each:?} are needed"
            )));
        }
        let scores: Vec<f32> = array.as_array().iter().copied().collect();
        if scores.iter().any(|score| score.is_nan()) {
            return Err(PyValueError::new_err("a score is not a number"));
        }
        Ok(Chosen { scores: Some(scores), epsilon })
    }

    fn policy(&self) -> EnvPolicy<'_> {
        self.scores.as_deref().map_or(EnvPolicy::Random, |scores| {
            EnvPolicy::Scored(EnvScores { scores, epsilon: self.epsilon })
        })
    }
}
