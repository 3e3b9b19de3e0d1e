//! `Game`: the one door, for Python. Answers leave as JSON with their text for people; `ludex/answers.py` reads them.

mod player;
mod position;

pub use player::{Player, Thinking};
pub use position::Position;

use crate::errors::{not_opened, plain, refused, unanswered, unreadable};
use crate::vector::Vector;
use crate::wishes::Wishes;
use crate::work::{self, Limits};
use ludex::budget::Budget;
use ludex::compile::{Engine, Means, Refusal};
use ludex::facts::boards::Verify;
use ludex::facts::decide::Effort;
use ludex::facts::property::Property;
use ludex::game::{Bundled, Plane};
use ludex::machine::sliced::EnvCircuits;
use ludex::policy::Policy;
use ludex::search::solve::Settings;
use ludex::source::{Misread, Report, Severity};
use ludex::syntax::Syntax;
use ludex_answers::{
    Answer, Boards, CheckEffort, CheckReport, FactorEffort, Factors, Fault, Latches, Proved,
    Solved, Symmetries, SymmetryEffort, TrialEffort, Unanswered,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A game in GDL and all that is found out about it, each once.
///
///     >>> game = ludex.load("connectfour")
///     >>> game, game.roles, game.actions["red"][:2]
///     (<ludex.Game connectfour>, ['red', 'yellow'], ['(drop 1)', '(drop 2)'])
#[pyclass(module = "ludex", frozen)]
#[derive(Clone)]
pub struct Game {
    pub inner: ludex::Game,
}

/// The names of the games that come with Ludex.
#[pyfunction]
pub fn bundled() -> Vec<&'static str> {
    Bundled::all().map(|game| game.name()).collect()
}

/// A game from a name, a path or its rules as text.
#[pyfunction]
#[pyo3(signature = (game, name=None))]
pub fn load(py: Python, game: &str, name: Option<&str>) -> PyResult<Game> {
    let is_text = game.contains(['(', '\n']);
    let inner = match is_text {
        true => {
            let read = || ludex::Game::from_text(name.unwrap_or("game"), game);
            py.detach(read).map_err(|why| unreadable(py, &why))?
        }
        false => {
            let opened = py.detach(|| ludex::Game::open(game));
            opened.map_err(|why| not_opened(py, game, why))?
        }
    };
    Ok(Game { inner })
}

/// An answer as `ludex.Answer`: plain data with a text for people.
fn told(py: Python, answer: &impl Answer) -> PyResult<Py<PyAny>> {
    let json = serde_json::to_string(answer).expect("answers are plain data");
    Ok(py.import("ludex.answers")?.call_method1("read", (json, answer.to_string()))?.unbind())
}

impl Game {
    /// An answer made within limits.
    fn ask<A: Answer>(
        &self,
        py: Python,
        (time, memory): (Option<f64>, Option<f64>),
        make: impl FnOnce(&Budget, f64) -> Result<A, Unanswered> + Send,
    ) -> PyResult<Py<PyAny>> {
        let limits = Limits::new(time, memory)?;
        let answer = work::run(py, limits, |budget| make(budget, limits.seconds() / 3.0))?;
        told(py, &answer.map_err(|why| unanswered(py, why))?)
    }
}

#[pymethods]
impl Game {
    /// The name, for messages.
    #[getter]
    fn name(&self) -> String {
        self.inner.name().into()
    }

    /// What tells the rules apart, whatever their layout.
    #[getter]
    fn hash(&self) -> String {
        self.inner.digest()
    }

    /// The rules as they were read.
    #[getter]
    fn text(&self) -> String {
        self.inner.source().text.to_string()
    }

    /// The warnings about the rules: dicts with code, message, file, line, column and hint.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (report, source) = (self.inner.report(), self.inner.source());
        plain(py, &Fault::of_report(report, Some(source), Severity::Warning))
    }

    /// The rules in the prefix form (`kif`) or the infix form (`infix`).
    #[pyo3(signature = (infix=false))]
    fn rules(&self, infix: bool) -> String {
        self.inner.rules().text(if infix { Syntax::Infix } else { Syntax::Kif })
    }

    /// The names of the roles.
    #[getter]
    fn roles(&self, py: Python) -> PyResult<Vec<String>> {
        Ok(self.initial(py, None)?.inner.roles().to_vec())
    }

    /// By role its moves, in the order of their numbers in environments.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let net = work::run(py, Limits::none(), |budget| self.inner.knowledge().net(budget))?;
        let net = net.map_err(|why| refused(why.into()))?;
        let dict = PyDict::new(py);
        for (number, role) in net.roles.iter().enumerate() {
            let names: Vec<&str> = net.inputs_of(number).map(|i| &*net.inputs[i].name).collect();
            dict.set_item(role, names)?;
        }
        Ok(dict)
    }

    /// All facts that can be true, in the order of their numbers in environments.
    #[getter]
    fn facts(&self, py: Python) -> PyResult<Vec<String>> {
        let net = work::run(py, Limits::none(), |budget| self.inner.knowledge().net(budget))?;
        let net = net.map_err(|why| refused(why.into()))?;
        Ok(net.bases.iter().map(|base| base.name.clone()).collect())
    }

    /// The initial position, on the fastest engine or on the one that is named: interp, scalar or sliced.
    ///
    ///     >>> ludex.load("tictactoe").initial().to_move
    ///     ['white']
    #[pyo3(signature = (engine=None))]
    fn initial(&self, py: Python, engine: Option<&str>) -> PyResult<Position> {
        let wish: Option<Engine> =
            engine.map(str::parse).transpose().map_err(|e: Misread| PyValueError::new_err(e.0))?;
        let made = work::run(py, Limits::none(), |budget| match wish {
            Some(engine) => self.inner.position_on(engine, budget),
            None => self.inner.position(budget),
        })?;
        Ok(Position { inner: made.map_err(refused)? })
    }

    /// Everything that is wrong or doubtful in the rules; with `simulate` also what random matches show.
    ///
    ///     >>> ludex.load("tictactoe").check().ok
    ///     True
    #[pyo3(signature = (*, simulate=0, seed=1, time=None, memory=None))]
    fn check(
        &self,
        py: Python,
        simulate: usize,
        seed: u64,
        time: Option<f64>,
        memory: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let trial = TrialEffort { matches: simulate, seed, bound: 1000 };
        let effort = CheckEffort {
            syntax: None,
            errors_only: false,
            policy: Policy::default(),
            trial: (simulate > 0).then_some(trial),
            noted: Report::default(),
            render: Report::render,
        };
        self.ask(py, (time, memory), |budget, _| {
            let (name, source) = (self.inner.name(), self.inner.source());
            Ok(CheckReport::of(name, source, &effort, Means::all(budget), &mut |_| ()))
        })
    }

    /// The boards of the game: projections of its relations that are proved to stay the same all match.
    ///
    ///     >>> [(view.relation, view.size) for view in ludex.load("tictactoe").boards().views]
    ///     [('cell', 9)]
    #[pyo3(signature = (*, time=30.0, memory=None))]
    fn boards(&self, py: Python, time: Option<f64>, memory: Option<f64>) -> PyResult<Py<PyAny>> {
        self.ask(py, (time, memory), |budget, share| {
            Boards::of(&self.inner, Verify::Lemmas, share, budget, &mut |_| ())
        })
    }

    /// The facts that never change again once they are true, or false.
    ///
    ///     >>> ludex.load("tictactoe").latches().positive[0]
    ///     '(cell 1 1 o)'
    #[pyo3(signature = (*, time=30.0, memory=None))]
    fn latches(&self, py: Python, time: Option<f64>, memory: Option<f64>) -> PyResult<Py<PyAny>> {
        self.ask(py, (time, memory), |budget, share| Latches::of(&self.inner, budget, share))
    }

    /// The symmetries of the rules and of the ground game: order, generators, whole maps.
    ///
    ///     >>> ludex.load("tictactoe").symmetries(fix_roles=True).net.order
    ///     '8'
    #[pyo3(signature = (*, fix_roles=false, time=30.0, memory=None))]
    fn symmetries(
        &self,
        py: Python,
        fix_roles: bool,
        time: Option<f64>,
        memory: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        self.ask(py, (time, memory), |budget, share| {
            let (trial_seconds, net_seconds) = (share.min(5.0), share);
            let effort =
                SymmetryEffort { fix_roles, trial_seconds, net_seconds, ..Default::default() };
            Ok(Symmetries::of(&self.inner, effort, budget, &mut |_| ())?.0)
        })
    }

    /// The independent games that the game consists of.
    ///
    ///     >>> ludex.load("doubletictactoe").factors().kind
    ///     'synchronous'
    #[pyo3(signature = (*, time=30.0, memory=None))]
    fn factors(&self, py: Python, time: Option<f64>, memory: Option<f64>) -> PyResult<Py<PyAny>> {
        self.ask(py, (time, memory), |budget, share| {
            let effort = FactorEffort {
                states: 20_000,
                seconds: share.min(5.0),
                leaves: false,
                whole_leaves: false,
                lemma_seconds: share,
            };
            Factors::of(&self.inner, None, &effort, budget, &mut |_| ())
        })
    }

    /// What holds in every reachable state: all that is found, or whether one property holds, a formula in GDL.
    ///
    ///     >>> answer = ludex.load("tictactoe").prove("(not (and (true (control white)) (true (control black))))")
    ///     >>> answer.facts[0].status
    ///     'proved'
    #[pyo3(signature = (property=None, *, time=30.0, memory=None))]
    fn prove(
        &self,
        py: Python,
        property: Option<&str>,
        time: Option<f64>,
        memory: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let Some(text) = property else {
            return self
                .ask(py, (time, memory), |budget, _| Proved::of(&self.inner, budget, &mut |_| ()));
        };
        let wrong =
            |(source, report): (_, _)| unreadable(py, &ludex::game::Unreadable { source, report });
        let property = Property::read(text, self.inner.rules()).map_err(|told| wrong(*told))?;
        self.ask(py, (time, memory), |budget, lemma_seconds| {
            let effort = Effort { lemma_seconds, ..Effort::default() };
            Proved::decide(&self.inner, &property, effort, budget, &mut |_| ())
        })
    }

    /// The exact value of the game, or of a position of it, for every role, with a line of best play; bounds where a
    /// limit strikes first.
    ///
    ///     >>> ludex.load("tictactoe").solve().values.to_dict()
    ///     {'white': 50, 'black': 50}
    #[pyo3(signature = (position=None, *, depth=None, time=120.0, memory=None))]
    fn solve(
        &self,
        py: Python,
        position: Option<PyRef<Position>>,
        depth: Option<usize>,
        time: Option<f64>,
        memory: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let facts = position.map(|position| position.inner.facts().to_vec());
        self.ask(py, (time, memory), |budget, share| {
            let state = match &facts {
                Some(facts) => Some(state_of(&self.inner, facts, budget)?),
                None => None,
            };
            let proof_seconds = share / 2.0;
            let settings = Settings { depth, proof_seconds, ..Settings::default() };
            Solved::of(&self.inner, state, &settings, budget, &mut |_| ())
        })
    }

    /// A player: `mcts`, `uct` or `random`, with options as in `mcts,threads=2` or by name: threads, seed, nodes,
    /// leaves, symmetry, factoring.
    ///
    ///     >>> ludex.load("tictactoe").player("mcts", threads=2, seed=3)
    ///     <ludex.Player mcts,threads=2,seed=3>
    #[pyo3(signature = (spec="mcts", **options))]
    fn player(&self, spec: &str, options: Option<&Bound<PyDict>>) -> PyResult<Player> {
        let mut text = spec.to_string();
        for (name, value) in options.into_iter().flatten() {
            let value = match value.extract::<bool>() {
                Ok(value) => if value { "on" } else { "off" }.into(),
                Err(_) => value.to_string(),
            };
            text.push_str(&format!(",{name}={value}"));
        }
        Player::new(&text)
    }

    /// Environments side by side; see `ludex.Vector`. Where no circuit is made within `compile_time` seconds the
    /// reasoner runs them (`ludex.reasoned`), and `engine` says so.
    ///
    ///     >>> env = ludex.load("tictactoe").vector(8, seed=1, observation="facts", turn="mover")
    ///     >>> env, env.observation.shape, env.legal_action_mask.shape
    ///     (<ludex.Vector of 8, 2 players, 10 actions>, (8, 29), (8, 10))
    #[pyo3(signature = (
        num_envs, *, seed=0, threads=1, observation=Some("planes".into()), mask=Some("bytes".into()),
        turn="mover".into(), autoreset="next".into(), illegal="error".into(), reward=(-1.0, 1.0),
        max_steps=None, final_observation=false, record=false, board_time=10.0, engine=None,
        compile_time=120.0, capacity=4096,
    ), text_signature = "($self, num_envs, *, seed=0, threads=1, observation='planes', mask='bytes', turn='mover', \
        autoreset='next', illegal='error', reward=(-1.0, 1.0), max_steps=None, final_observation=False, record=False, \
        board_time=10.0, engine=None, compile_time=120.0, capacity=4096)")]
    #[allow(clippy::too_many_arguments, reason = "they are named")]
    fn vector(
        &self,
        py: Python,
        num_envs: usize,
        seed: u64,
        threads: usize,
        observation: Option<String>,
        mask: Option<String>,
        turn: String,
        autoreset: String,
        illegal: String,
        reward: (f32, f32),
        max_steps: Option<u32>,
        final_observation: bool,
        record: bool,
        board_time: f64,
        engine: Option<String>,
        compile_time: f64,
        capacity: usize,
    ) -> PyResult<Py<PyAny>> {
        let wishes = Wishes {
            count: num_envs,
            seed,
            threads,
            observation,
            mask,
            turn,
            autoreset,
            illegal,
            reward,
            max_steps,
            final_observation,
            record,
            board_time,
        };
        wishes.check()?;
        let why = match engine.as_deref() {
            Some("interp") => "asked for".to_string(),
            None | Some("sliced") => match self.circuits(py, compile_time)? {
                Ok(circuits) => {
                    let made = Vector::new(py, &self.inner, circuits, wishes)?;
                    return Ok(Py::new(py, made)?.into_any());
                }
                Err(why) if engine.is_some() => return Err(refused(why)),
                Err(why) => why.to_string(),
            },
            Some(other) => {
                let message = format!("engine is sliced or interp, not {other}");
                return Err(PyValueError::new_err(message));
            }
        };
        let seconds = if engine.is_some() { compile_time } else { 1.0 };
        self.reasoned(py, &wishes, why, seconds, capacity)
    }

    /// The symmetries that leave roles alone, as permutations of facts and of actions; see `ludex.learn`.
    ///
    ///     >>> mirror = ludex.load("connectfour").augmentations()[0]
    ///     >>> mirror["actions"]["red"].tolist()
    ///     [6, 5, 4, 3, 2, 1, 0, 7]
    #[pyo3(signature = (*, time=30.0))]
    fn augmentations<'py>(slf: Bound<'py, Self>, time: f64) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("ludex.learn")?.call_method1("augmentations", (slf, time))
    }

    /// What observations by planes show: `shape` (planes, rows, columns), `planes`, each with its kind (board, whole or
    /// rest) and its facts, and `facts`, by place the number of its fact or None.
    ///
    ///     >>> planes = ludex.load("tictactoe").planes()
    ///     >>> planes["shape"], planes["planes"][0]
    ///     ((5, 3, 3), ('board', ['(cell * * b)']))
    #[pyo3(signature = (*, time=10.0))]
    fn planes<'py>(&self, py: Python<'py>, time: f64) -> PyResult<Bound<'py, PyDict>> {
        let limits = Limits::new(Some(time), None)?;
        let found = work::run(py, limits, |budget| self.inner.planes(budget, time / 2.0))?;
        let planes = found.map_err(refused)?;
        let dict = PyDict::new(py);
        dict.set_item("shape", (planes.planes.len(), planes.height, planes.width))?;
        let names: Vec<(&str, Vec<String>)> = planes.planes.iter().map(told_plane).collect();
        dict.set_item("planes", names)?;
        dict.set_item("facts", planes.bases)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<ludex.Game {}>", self.inner.name())
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| other.get().inner.digest() == self.inner.digest())
    }

    fn __hash__(&self) -> u64 {
        u64::from_str_radix(&self.inner.digest(), 16).unwrap_or(0)
    }

    /// It never changes, so that a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<PyAny>) -> Py<Self> {
        slf
    }

    /// The rules travel, not a path.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let again = py.import("ludex")?.getattr("_game")?;
        Ok((again, (self.text(), self.name())))
    }
}

impl Game {
    /// The circuits of environments, where they are made in time.
    fn circuits(&self, py: Python, seconds: f64) -> PyResult<Result<Arc<EnvCircuits>, Refusal>> {
        let limits = Limits::new(Some(seconds), None)?;
        work::run(py, limits, |budget| self.inner.environments(budget))
    }

    /// Environments on the reasoner. Facts and moves have the numbers of the net where that is made in time.
    fn reasoned(
        &self,
        py: Python,
        wishes: &Wishes,
        why: String,
        seconds: f64,
        capacity: usize,
    ) -> PyResult<Py<PyAny>> {
        let limits = Limits::new(Some(seconds), None)?;
        let grounded = work::run(py, limits, |budget| self.inner.knowledge().net(budget).is_ok())?;
        let options = wishes.options(py)?;
        options.set_item("why", why)?;
        options.set_item("grounded", grounded)?;
        options.set_item("capacity", capacity)?;
        let vector = py.import("ludex.reasoned")?.getattr("ReasonedVector")?;
        Ok(vector.call((self.clone(), wishes.count), Some(&options))?.unbind())
    }
}

/// A plane as Python sees it: board, whole or rest, and its facts.
fn told_plane(plane: &Plane) -> (&'static str, Vec<String>) {
    match plane {
        Plane::Board { facts } => ("board", vec![facts.clone()]),
        Plane::Whole { fact } => ("whole", vec![fact.clone()]),
        Plane::Rest { facts } => ("rest", facts.clone()),
    }
}

/// The state of the net in which these facts are true.
fn state_of(
    game: &ludex::Game,
    facts: &[String],
    budget: &Budget,
) -> Result<Vec<bool>, Unanswered> {
    let net = game.knowledge().net(budget)?;
    let wrong = |why| {
        let message = format!("{why} in {}", net.name);
        Unanswered::Wrong(Box::new(Fault::new("no-fact", message)))
    };
    net.state_of(facts).map_err(wrong)
}
