//! [`Knowledge`]: the rules of a game, or a net alone, and all that is found out about it.
//!
//! Each stage and each analysis is made once, by whoever asks for it first, and kept. Clones of the
//! handles that it gives out are cheap, and it can be shared between threads, so that a search, a
//! solver and the analyses beside them use one and the same. What a limit cuts short goes on when it
//! is asked for with more time.
//!
//! ```
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_knowledge::Knowledge;
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let (knowledge, budget) = (Knowledge::of_rules(rules), Budget::unlimited());
//! let net = knowledge.net(&budget).expect("it is small");
//! // The ground rules are there already.
//! knowledge.symmetries(&budget).expect("there is no limit");
//! assert_eq!(net.bases.len(), 2);
//! assert!(knowledge.runs().iter().all(|(_, runs)| *runs <= 1));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod analyses;
mod stage;
mod symmetries;

pub use stage::{Made, Stage};

use ludex_facts::boards::{Bases, Boards};
use ludex_facts::factor::Factors;
use ludex_facts::invariants::Invariants;
use ludex_facts::latches::Latches;
use ludex_facts::lemmas::{KeptLemma, Lemmas};
use ludex_facts::samples::Samples;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_machine::sliced::{Backend, EnvCircuits, Sliced};
use ludex_machine::{Batch, Scalar};
use ludex_net::Net;
use ludex_net::ground::{Ground, NotGround};
use ludex_symmetry::{Logic, NetGroups};
use std::sync::{Arc, Mutex};

/// What rules cannot be made into stays so: no budget helps.
type Grounded<T> = Result<Arc<T>, NotGround>;

pub struct Knowledge {
    rules: Option<Arc<Rules>>,
    ground: Stage<Grounded<Ground>>,
    net: Stage<Net>,
    scalar: Stage<Scalar>,
    sliced: Stage<Sliced>,
    batch: Stage<Batch>,
    environments: Stage<EnvCircuits>,
    samples: Stage<Samples>,
    lemmas: Mutex<Option<Arc<Lemmas>>>,
    /// Lemmas of an earlier run, until there is a net for them.
    recalled: Mutex<Vec<KeptLemma>>,
    invariants: Stage<Invariants>,
    latches: Stage<Latches>,
    bases: Stage<Bases>,
    boards: Stage<Boards>,
    factors: Stage<Factors>,
    logic: Stage<Logic>,
    symmetries: Stage<NetGroups>,
}

impl Knowledge {
    pub fn of_rules(rules: impl Into<Arc<Rules>>) -> Knowledge {
        Knowledge::new(Some(rules.into()), Stage::new("net"))
    }

    /// Of a net whose rules are not at hand, such as a factor's.
    pub fn of_net(net: Arc<Net>) -> Knowledge {
        Knowledge::new(None, Stage::given("net", net))
    }

    fn new(rules: Option<Arc<Rules>>, net: Stage<Net>) -> Knowledge {
        Knowledge {
            rules,
            ground: Stage::new("ground"),
            net,
            scalar: Stage::new("scalar"),
            sliced: Stage::new("sliced"),
            batch: Stage::new("batch"),
            environments: Stage::new("environments"),
            samples: Stage::new("samples"),
            lemmas: Mutex::default(),
            recalled: Mutex::default(),
            invariants: Stage::new("invariants"),
            latches: Stage::new("latches"),
            bases: Stage::new("bases"),
            boards: Stage::new("boards"),
            factors: Stage::new("factors"),
            logic: Stage::new("logic"),
            symmetries: Stage::new("symmetries"),
        }
    }

    /// The rules of a game that has rules.
    pub fn rules(&self) -> &Arc<Rules> {
        self.rules.as_ref().expect("a net alone has no rules")
    }

    /// The ground rules of a game that has rules.
    pub fn ground(&self, budget: &Budget) -> Grounded<Ground> {
        let rules = self.rules();
        let made = self.ground.get(budget, |_| match Ground::new(rules, budget) {
            Err(NotGround::Stopped(stop)) => Err(NotGround::Stopped(stop)),
            other => Ok(Made::Complete(other.map(Arc::new))),
        })?;
        (*made).clone()
    }

    pub fn net(&self, budget: &Budget) -> Grounded<Net> {
        self.net.get(budget, |_| {
            let ground = self.ground(budget)?;
            Ok(Made::Complete(Net::new(&ground, budget)?))
        })
    }

    /// The scalar machine, to be cloned by whoever runs it.
    pub fn scalar(&self, budget: &Budget) -> Grounded<Scalar> {
        let net = self.net(budget)?;
        self.scalar.get(budget, |_| Ok(Made::Complete(Scalar::within(net, budget)?)))
    }

    /// The sliced machine for playouts.
    pub fn sliced(&self, budget: &Budget) -> Grounded<Sliced> {
        let net = self.net(budget)?;
        let make = || Sliced::of_samples(&net, Backend::best(), budget);
        self.sliced.get(budget, |_| Ok(Made::Complete(make()?)))
    }

    /// The machines for many positions at once, to be cloned by whoever runs them.
    pub fn batch(&self, budget: &Budget) -> Grounded<Batch> {
        let net = self.net(budget)?;
        self.batch.get(budget, |_| Ok(Made::Complete(Batch::new(net, budget)?)))
    }

    /// The circuits of environments.
    pub fn environments(&self, budget: &Budget) -> Grounded<EnvCircuits> {
        let net = self.net(budget)?;
        let make = || EnvCircuits::new(net.clone(), Backend::best(), budget);
        self.environments.get(budget, |_| Ok(Made::Complete(make()?)))
    }

    /// The name of every stage, and how often it was worked on.
    pub fn runs(&self) -> Vec<(&'static str, usize)> {
        vec![
            self.ground.runs(),
            self.net.runs(),
            self.scalar.runs(),
            self.sliced.runs(),
            self.batch.runs(),
            self.environments.runs(),
            self.samples.runs(),
            self.invariants.runs(),
            self.latches.runs(),
            self.bases.runs(),
            self.boards.runs(),
            self.factors.runs(),
            self.logic.runs(),
            self.symmetries.runs(),
        ]
    }
}
