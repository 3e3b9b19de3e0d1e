//! `Insights`: what searches that are already under way are told: what analyses find out about the game,
//! and when memory runs out.

mod games;

pub use games::FactorGames;

use super::LeafWay;
use super::evaluation::{Evaluation, EvaluationFit};
use super::experience::Experience;
use ludex_gdl::budget::{Budget, Memory, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::sliced::{Backend, Sliced};
use ludex_machine::{Batch, Scalar, decisive};
use ludex_net::ground::NotGround;
use ludex_symmetry::Elements;
use ludex_symmetry::same::CanonicalOrder;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

/// What was found out is set once, by whoever found it, and used from then on.
pub struct Insights {
    pub sliced: OnceLock<Arc<Sliced>>,
    pub batch: OnceLock<Batch>,
    pub symmetry: OnceLock<Elements>,
    /// The sliced machine whose playouts make wins and prevent them, where that is a circuit of some size.
    pub decisive: OnceLock<Arc<Sliced>>,
    pub scalar: OnceLock<Arc<Scalar>>,
    /// The games that this one falls apart into.
    pub factors: OnceLock<Arc<FactorGames>>,
    /// Whether they are searched apart.
    factored: AtomicBool,
    /// The last one.
    evaluation: Mutex<Option<Arc<Evaluation>>>,
    way: Mutex<LeafWay>,
    /// The fitting of the evaluation as it is kept from match to match.
    fit: Mutex<Option<EvaluationFit>>,
    /// A tree grows as long as this does.
    pub memory: Memory,
}

impl Default for Insights {
    fn default() -> Insights {
        Insights::new(Memory::unlimited(&Budget::unlimited()))
    }
}

/// Groups that are larger cost more than they save: a part of them is used.
const LARGEST_GROUP: u16 = 100;
/// Playouts that make wins and prevent them are used, until matches show that they do not pay, where their circuits
/// are at most so many times as large.
const CHEAP: usize = 12;
/// Seconds in which factors are to be found.
const FACTORING: f64 = 3.0;

impl Insights {
    pub fn new(memory: Memory) -> Insights {
        Insights {
            sliced: OnceLock::new(),
            batch: OnceLock::new(),
            symmetry: OnceLock::new(),
            decisive: OnceLock::new(),
            scalar: OnceLock::new(),
            factors: OnceLock::new(),
            factored: AtomicBool::new(false),
            evaluation: Mutex::default(),
            way: Mutex::new(LeafWay::Playouts),
            fit: Mutex::default(),
            memory,
        }
    }

    /// Finds out what helps a search, the most useful first. Without a net nothing does.
    pub fn gather(&self, knowledge: &Knowledge, budget: &Budget) -> Result<(), Stop> {
        if let Err(NotGround::Stopped(stop)) = self.look(knowledge, budget) {
            return Err(stop);
        }
        let found = FactorGames::find(knowledge, &self.memory, &budget.lasting(FACTORING));
        if let Ok(Some(games)) = found {
            self.use_factors(games.go_together());
            let _ = self.factors.set(Arc::new(games));
        }
        budget.check()
    }

    fn look(&self, knowledge: &Knowledge, budget: &Budget) -> Result<(), NotGround> {
        let _ = self.sliced.set(knowledge.sliced(budget)?);
        let _ = self.batch.set(Batch::clone(&*knowledge.batch(budget)?));
        let _ = self.scalar.set(knowledge.scalar(budget)?);
        if let Some(net) = decisive(&*knowledge.net(budget)?, budget)? {
            let machine = Sliced::of_samples(&net, Backend::best(), budget)?;
            let plain = self.sliced.get().map_or(0, |sliced| sliced.size().cells);
            if machine.size().cells <= CHEAP * plain {
                self.use_way(LeafWay::Decisive);
            }
            let _ = self.decisive.set(Arc::new(machine));
        }
        let found = knowledge.symmetries(budget)?;
        if let Some(symmetry) = Elements::within(&found.roles_fixed.generators, LARGEST_GROUP) {
            let _ = self.symmetry.set(symmetry);
        }
        Ok(())
    }

    /// Takes over what was found out in other matches.
    pub fn recall(&self, experience: &Experience, order: &CanonicalOrder) {
        let Some(way) = experience.way() else { return };
        let fit = experience.evaluation(order);
        if fit.is_some() || way != LeafWay::Evaluation {
            self.use_evaluation(fit.as_ref().map(|fit| fit.evaluation.clone()));
            self.use_way(way);
            self.keep_fit(fit);
        }
    }

    /// Tells what was found out, for other matches.
    pub fn note(&self, experience: &mut Experience, order: &CanonicalOrder) {
        if let Some(fit) = self.take_fit() {
            experience.learn(order, self.way(), Some(fit.clone()));
            self.keep_fit(Some(fit));
        }
    }

    pub(crate) fn keep_fit(&self, fit: Option<EvaluationFit>) {
        *self.fit.lock().expect("no panic while held") = fit;
    }

    pub(crate) fn take_fit(&self) -> Option<EvaluationFit> {
        self.fit.lock().expect("no panic while held").take()
    }

    /// The evaluation, once there is one; whether it is used `way` says.
    pub fn evaluation(&self) -> Option<Arc<Evaluation>> {
        self.evaluation.lock().expect("no panic while held").clone()
    }

    /// What tells the worth of new states, as far as that was found out.
    pub fn way(&self) -> LeafWay {
        *self.way.lock().expect("no panic while held")
    }

    /// Whether the factors of the game are searched apart.
    pub fn is_factored(&self) -> bool {
        self.factored.load(Relaxed)
    }

    pub(crate) fn use_factors(&self, used: bool) {
        self.factored.store(used, Relaxed);
    }

    pub(crate) fn use_way(&self, way: LeafWay) {
        *self.way.lock().expect("no panic while held") = way;
    }

    pub(crate) fn use_evaluation(&self, evaluation: Option<Evaluation>) {
        *self.evaluation.lock().expect("no panic while held") = evaluation.map(Arc::new);
    }
}
