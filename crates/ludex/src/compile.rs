//! `Rules` -> `Compiled`: the one driver that runs the stages, chooses an engine and says why.

mod scene;
mod searcher;

use crate::frame::fastest;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::Rules;
use ludex_machine::Scalar;
use ludex_machine::sliced::{Backend, Single};
use ludex_net::Net;
use ludex_net::ground::{Ground, NotGround};
use ludex_reason::StateMachine;
use ludex_reason::interp::{Interp, Problem};
use ludex_search::Searchable;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The engines that run a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Interp,
    Scalar,
    Sliced,
}

/// A game with the engine that runs it.
pub struct Compiled {
    pub rules: Arc<Rules>,
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

/// Why there is no engine, or no answer from it.
#[derive(Debug)]
pub enum Refusal {
    Stop(Stop),
    /// The engine that was asked for cannot run this game.
    Unavailable(String),
    /// The rules themselves cannot be run.
    Rules(String),
}

/// Something to do with a game, whatever its engine. (A closure cannot be generic.)
///
/// After a stop an engine's answers are incomplete, so a job checks the budget after its last
/// question.
pub trait Job {
    type Answer;
    fn run<G: Searchable>(self, game: &mut G) -> Self::Answer;
}

/// Makes the engine that was wished for, or else the fastest one that can run the game.
/// `grounding` is the part of the budget that may be spent on the network before the reasoner,
/// which needs none, is taken instead.
pub fn compile(
    rules: impl Into<Arc<Rules>>,
    wish: Option<Engine>,
    budget: &Budget,
    grounding: &Budget,
) -> Result<Compiled, Refusal> {
    let rules = rules.into();
    match wish {
        Some(Engine::Interp) => interp(rules, "asked for".into(), budget, Some(grounding)),
        Some(engine) => match net(&rules, budget) {
            Ok(net) if engine == Engine::Sliced => sliced(rules, "asked for".into(), net, budget),
            Ok(net) => Ok(scalar(rules, "asked for".into(), net, budget)?),
            Err(NotGround::Stopped(stop)) => Err(Refusal::Stop(stop)),
            Err(why) => Err(Refusal::Unavailable(format!("there is no network to run: {why}"))),
        },
        None => match net(&rules, grounding) {
            Ok(net) => {
                let why = "the rules fit in a network".into();
                scalar(rules.clone(), why, net, grounding).or_else(|_| {
                    let why = "making the machine of the network was given up: it takes long";
                    interp(rules, why.into(), budget, None)
                })
            }
            Err(why) => interp(rules, without_network(&why), budget, None),
        },
    }
}

/// The reasoner with the rules as they are, ready before any other engine; in haste even sooner,
/// without a plan that is any good.
pub fn reasoner(rules: Arc<Rules>, haste: bool, budget: &Budget) -> Result<Compiled, Refusal> {
    let interp = match haste {
        true => Interp::hasty(&rules, budget)?,
        false => Interp::with_budget(&rules, budget)?,
    };
    let running = Running::Interp(Box::new(interp));
    let why = "it is ready soonest".into();
    Ok(Compiled { rules, engine: Engine::Interp, why, net: None, running })
}

fn net(rules: &Rules, budget: &Budget) -> Result<Net, NotGround> {
    let ground = Ground::new(rules, budget)?;
    Ok(Net::new(&ground, budget)?)
}

/// Why the reasoner stands in for a machine.
pub fn without_network(why: &NotGround) -> String {
    match why {
        NotGround::Stopped(Stop::Time) => "grounding the rules was given up: it takes long".into(),
        NotGround::Stopped(Stop::Memory) => {
            "grounding the rules was given up: it takes much memory".into()
        }
        why => format!("the rules cannot be grounded: {why}"),
    }
}

fn scalar(rules: Arc<Rules>, why: String, net: Net, budget: &Budget) -> Result<Compiled, Stop> {
    let net = Arc::new(net);
    let running = Running::Scalar(Box::new(Scalar::within(net.clone(), budget)?));
    Ok(Compiled { rules, engine: Engine::Scalar, why, net: Some(net), running })
}

/// The sliced machine for single states: slower there than the scalar one, so only where it is asked for.
fn sliced(rules: Arc<Rules>, why: String, net: Net, budget: &Budget) -> Result<Compiled, Refusal> {
    let net = Arc::new(net);
    let single = Single::new(net.clone(), Backend::best(), budget)?;
    let running = Running::Sliced(Box::new(single));
    Ok(Compiled { rules, engine: Engine::Sliced, why, net: Some(net), running })
}

/// The reasoner, with translated frame rules where these take less work.
fn interp(
    rules: Arc<Rules>,
    why: String,
    budget: &Budget,
    grounding: Option<&Budget>,
) -> Result<Compiled, Refusal> {
    budget.check()?;
    let (interp, portfolio) = fastest(&rules, budget, grounding)?;
    let running = Running::Interp(Box::new(interp));
    let why = format!("{why}; {portfolio}");
    Ok(Compiled { rules, engine: Engine::Interp, why, net: None, running })
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

    pub fn run<J: Job>(&mut self, job: J) -> Result<J::Answer, Refusal> {
        match &mut self.running {
            Running::Scalar(scalar) => Ok(job.run(scalar.as_mut())),
            Running::Sliced(single) => Ok(job.run(single.as_mut())),
            Running::Interp(interp) => {
                let answer = job.run(interp.as_mut());
                match interp.problem() {
                    // The job has seen it too, and may have an answer all the same.
                    None | Some(Problem::Stopped(_)) => Ok(answer),
                    Some(problem) => Err(problem.into()),
                }
            }
        }
    }
}

impl Engine {
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
    type Err = String;

    fn from_str(name: &str) -> Result<Engine, String> {
        let named = Engine::ALL.into_iter().find(|e| e.to_string() == name);
        named.ok_or_else(|| format!("there is no engine {name}"))
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

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        match problem {
            Problem::Stopped(stop) => Refusal::Stop(stop),
            problem => Refusal::Rules(problem.to_string()),
        }
    }
}
