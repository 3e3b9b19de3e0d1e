//! `Knowledge` -> `Compiled`: a game with the engine that runs it, and why it is that one.
//!
//! Without a wish for an engine, grounding and the making of the machine get a part of the budget: at
//! most 20 CPU seconds and 4 GB, or a third of the user's limit; if that does not do, the reasoner runs
//! the game, and the answer says so. CPU time counts, so that a busy machine gets the same engine.

mod scene;
mod searcher;

use crate::frame::fastest;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Misread;
use ludex_knowledge::Knowledge;
use ludex_machine::sliced::{Backend, Single};
use ludex_machine::{Batch, Scalar};
use ludex_net::Net;
use ludex_net::ground::NotGround;
use ludex_reason::interp::{Interp, Problem};
use ludex_reason::{Move, StateMachine, View, Walks, view};
use ludex_search::Searchable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The engines that run a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The first-order reasoner, which runs every game.
    Interp,
    /// The network, one state and what changes in it.
    Scalar,
    /// The network, hundreds of states side by side.
    Sliced,
}

/// A game with the engine that runs it.
pub struct Compiled {
    /// All that is known of the game.
    pub knowledge: Arc<Knowledge>,
    /// Its rules.
    pub rules: Arc<Rules>,
    /// The engine that runs it.
    pub engine: Engine,
    /// Why this engine: what the user asked for, or what spoke against the others.
    pub why: String,
    /// The network, where the engine runs one.
    pub net: Option<Arc<Net>>,
    running: Running,
}

enum Running {
    Interp(Box<Interp>),
    Scalar(Box<Scalar>),
    Sliced(Box<Single>),
}

/// A state of whatever engine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyState {
    /// A state of a network.
    Net(ludex_machine::State),
    /// A state of the reasoner.
    Terms(ludex_reason::interp::FactState),
}

/// Why there is no engine, or no answer from it.
#[derive(Debug)]
pub enum Refusal {
    /// A limit struck.
    Stop(Stop),
    /// The engine that was asked for cannot run this game.
    Unavailable(String),
    /// The rules themselves cannot be run.
    Rules(String),
}

impl std::error::Error for Refusal {}

/// Something to do with a game, whatever its engine. (A closure cannot be generic.)
///
/// After a stop an engine's answers are incomplete, so a job checks the budget after its last
/// question.
pub trait Job {
    /// What it finds.
    type Answer;
    /// Does it.
    fn run<G: Searchable>(self, game: &mut G) -> Self::Answer;
}

/// What making an engine may use.
pub struct Means<'a> {
    /// All that may be used.
    pub whole: &'a Budget,
    /// The part that may be spent on the network before the reasoner, which needs none, is taken instead.
    pub grounding: &'a Budget,
}

impl<'a> Means<'a> {
    /// All of a budget for grounding, too.
    pub fn all(budget: &'a Budget) -> Means<'a> {
        Means { whole: budget, grounding: budget }
    }
}

/// Makes the engine that was wished for, or else the fastest one that can run the game, which has rules.
pub fn compile(
    knowledge: Arc<Knowledge>,
    wish: Option<Engine>,
    means: Means,
) -> Result<Compiled, Refusal> {
    let Means { whole, grounding } = means;
    let asked = || "asked for".to_string();
    // A faster reasoner is worth half as much.
    let seconds = grounding.allowed() / 2.0;
    match wish {
        Some(Engine::Interp) => interp(knowledge, asked(), whole, seconds, Some(grounding)),
        Some(Engine::Sliced) => {
            let net = knowledge.net(whole).map_err(refused)?;
            sliced(knowledge, asked(), net, whole)
        }
        Some(Engine::Scalar) => {
            let made = knowledge.scalar(whole).map_err(refused)?;
            Ok(scalar(knowledge, asked(), &made))
        }
        None => match knowledge.scalar(grounding) {
            Ok(made) => Ok(scalar(knowledge, "the rules fit in a network".into(), &made)),
            Err(why) => interp(knowledge, without_network(&why), whole, seconds, None),
        },
    }
}

/// The machines for many positions at once, where there is a network to run.
pub fn batch(knowledge: &Knowledge, budget: &Budget) -> Result<Batch, Refusal> {
    Ok(knowledge.batch(budget).map_err(refused)?.as_ref().clone())
}

fn refused(why: NotGround) -> Refusal {
    match why {
        NotGround::Stopped(stop) => Refusal::Stop(stop),
        why => Refusal::Unavailable(format!("there is no network to run: {why}")),
    }
}

/// The reasoner with the rules as they are, ready before any other engine; in haste even sooner,
/// without a plan that is any good.
pub fn reasoner(
    knowledge: Arc<Knowledge>,
    haste: bool,
    budget: &Budget,
) -> Result<Compiled, Refusal> {
    let rules = knowledge.rules().clone();
    let interp = match haste {
        true => Interp::hasty(&rules, budget)?,
        false => Interp::with_budget(&rules, budget)?,
    };
    let running = Running::Interp(Box::new(interp));
    let why = "it is ready soonest".into();
    Ok(Compiled { knowledge, rules, engine: Engine::Interp, why, net: None, running })
}

/// Why the reasoner stands in for a machine.
pub fn without_network(why: &NotGround) -> String {
    match why {
        NotGround::Stopped(Stop::Time) => {
            "grounding the rules took too long and was given up".into()
        }
        NotGround::Stopped(Stop::Memory) => {
            "grounding the rules took too much memory and was given up".into()
        }
        why => format!("the rules cannot be grounded: {why}"),
    }
}

fn scalar(knowledge: Arc<Knowledge>, why: String, made: &Scalar) -> Compiled {
    let (rules, net) = (knowledge.rules().clone(), made.net().clone());
    let running = Running::Scalar(Box::new(made.clone()));
    Compiled { knowledge, rules, engine: Engine::Scalar, why, net: Some(net), running }
}

/// The sliced machine for single states: slower there than the scalar one, so only where it is asked for.
fn sliced(
    knowledge: Arc<Knowledge>,
    why: String,
    net: Arc<Net>,
    budget: &Budget,
) -> Result<Compiled, Refusal> {
    let rules = knowledge.rules().clone();
    let single = Single::new(net.clone(), Backend::best(), budget)?;
    let portable = single.instead().map(|reason| format!("; on the portable back end: {reason}"));
    let why = why + &portable.unwrap_or_default();
    let running = Running::Sliced(Box::new(single));
    Ok(Compiled { knowledge, rules, engine: Engine::Sliced, why, net: Some(net), running })
}

/// The reasoner, with translated frame rules where these take less work.
fn interp(
    knowledge: Arc<Knowledge>,
    why: String,
    budget: &Budget,
    seconds: f64,
    grounding: Option<&Budget>,
) -> Result<Compiled, Refusal> {
    budget.check()?;
    let rules = knowledge.rules().clone();
    let (interp, portfolio) = fastest(&knowledge, budget, seconds, grounding)?;
    let running = Running::Interp(Box::new(interp));
    let why = format!("{why}; {portfolio}");
    Ok(Compiled { knowledge, rules, engine: Engine::Interp, why, net: None, running })
}

struct Roles;

impl Job for Roles {
    type Answer = Vec<String>;

    fn run<G: StateMachine>(self, game: &mut G) -> Vec<String> {
        (0..game.roles()).map(|role| game.role_text(role)).collect()
    }
}

impl Compiled {
    /// The names of the roles, in their order.
    pub fn roles(&mut self) -> Result<Vec<String>, Refusal> {
        self.run(Roles)
    }

    /// The initial state.
    pub fn initial(&mut self) -> AnyState {
        match &mut self.running {
            Running::Scalar(scalar) => AnyState::Net(scalar.initial()),
            Running::Sliced(single) => AnyState::Net(single.initial()),
            Running::Interp(interp) => AnyState::Terms(interp.initial()),
        }
    }

    /// All that can be seen of a state of this engine.
    pub fn view(&mut self, state: &AnyState) -> View {
        match (&mut self.running, state) {
            (Running::Scalar(scalar), AnyState::Net(state)) => view(scalar.as_mut(), state),
            (Running::Sliced(single), AnyState::Net(state)) => view(single.as_mut(), state),
            (Running::Interp(interp), AnyState::Terms(state)) => view(interp.as_mut(), state),
            _ => panic!("a state of another engine"),
        }
    }

    /// The true facts of a state of this engine, sorted.
    pub fn facts(&self, state: &AnyState) -> Vec<String> {
        match (&self.running, state) {
            (Running::Scalar(m), AnyState::Net(state)) => m.fact_texts(state),
            (Running::Sliced(m), AnyState::Net(state)) => m.fact_texts(state),
            (Running::Interp(m), AnyState::Terms(state)) => m.fact_texts(state),
            _ => panic!("a state of another engine"),
        }
    }

    /// The state after a joint move: one legal move of this engine for each role.
    pub fn next(&mut self, state: &AnyState, joint: &[Move]) -> AnyState {
        match (&mut self.running, state) {
            (Running::Scalar(m), AnyState::Net(state)) => AnyState::Net(m.next(state, joint)),
            (Running::Sliced(m), AnyState::Net(state)) => AnyState::Net(m.next(state, joint)),
            (Running::Interp(m), AnyState::Terms(state)) => AnyState::Terms(m.next(state, joint)),
            _ => panic!("a state of another engine"),
        }
    }

    /// Why the last answers are not complete.
    pub fn problem(&mut self) -> Option<Refusal> {
        match &mut self.running {
            Running::Interp(interp) => interp.problem().map(Refusal::from),
            Running::Scalar(_) | Running::Sliced(_) => None,
        }
    }

    /// Whole walks through the game on its engine.
    pub fn walk<T>(&mut self, walk: impl FnOnce(&mut dyn Walks) -> T) -> Result<T, Refusal> {
        match &mut self.running {
            Running::Scalar(scalar) => Ok(walk(scalar.walks())),
            Running::Sliced(single) => Ok(walk(single.walks())),
            Running::Interp(interp) => {
                let answer = walk(interp.walks());
                unhindered(interp, answer)
            }
        }
    }

    /// Does something with the game on its engine.
    pub fn run<J: Job>(&mut self, job: J) -> Result<J::Answer, Refusal> {
        match &mut self.running {
            Running::Scalar(scalar) => Ok(job.run(scalar.as_mut())),
            Running::Sliced(single) => Ok(job.run(single.as_mut())),
            Running::Interp(interp) => {
                let answer = job.run(interp.as_mut());
                unhindered(interp, answer)
            }
        }
    }
}

/// What the reasoner answered, if nothing but a limit stopped it: whoever asked has seen that, too, and may
/// have an answer all the same.
fn unhindered<T>(interp: &mut Interp, answer: T) -> Result<T, Refusal> {
    match interp.problem() {
        None | Some(Problem::Stopped(_)) => Ok(answer),
        Some(problem) => Err(problem.into()),
    }
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 3] = [Engine::Interp, Engine::Scalar, Engine::Sliced];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Engine::Interp => "interp",
            Engine::Scalar => "scalar",
            Engine::Sliced => "sliced",
        })
    }
}

impl FromStr for Engine {
    type Err = Misread;

    fn from_str(name: &str) -> Result<Engine, Misread> {
        let named = Engine::ALL.into_iter().find(|e| e.to_string() == name);
        named.ok_or_else(|| Misread(format!("there is no engine {name}")))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::Stop(stop) => stop.fmt(f),
            Refusal::Unavailable(why) | Refusal::Rules(why) => f.write_str(why),
        }
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stop(stop)
    }
}

impl From<NotGround> for Refusal {
    fn from(why: NotGround) -> Refusal {
        match why {
            NotGround::Stopped(stop) => Refusal::Stop(stop),
            why => Refusal::Unavailable(why.to_string()),
        }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        match problem {
            Problem::Stopped(stop) => Refusal::Stop(stop),
            problem => Refusal::Rules(problem.to_string()),
        }
    }
}
