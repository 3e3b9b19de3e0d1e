//! `Insights`: what searches that are already under way are told: what analyses find out about the game,
//! and when memory runs out.

use super::evaluation::Evaluation;
use super::learning::Learning;
use ludex_gdl::budget::{Budget, Memory, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::Batch;
use ludex_machine::sliced::Sliced;
use ludex_net::ground::NotGround;
use ludex_symmetry::Elements;
use std::sync::{Arc, Mutex, OnceLock};

/// What was found out is set once, by whoever found it, and used from then on.
pub struct Insights {
    pub sliced: OnceLock<Arc<Sliced>>,
    pub batch: OnceLock<Batch>,
    pub symmetry: OnceLock<Elements>,
    /// The best so far.
    evaluation: Mutex<Option<Arc<Evaluation>>>,
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

/// Positions after which an evaluation is told for the first time; then after twice as many.
const FIRST_TOLD: u64 = 400_000;
/// An evaluation that foretells no more than this is of no use.
const LEAST_GAIN: f32 = 0.01;
/// One that tells so much more than playouts do is used instead of them.
const BETTER: f32 = 1.2;
/// One that foretells so much is used even where playouts tell a little more, since it takes less time: it must
/// tell this share of what they do.
const MUCH: f32 = 0.15;
const NEARLY: f32 = 0.7;
const SEED: u64 = 1;

impl Insights {
    pub fn new(memory: Memory) -> Insights {
        Insights {
            sliced: OnceLock::new(),
            batch: OnceLock::new(),
            symmetry: OnceLock::new(),
            evaluation: Mutex::default(),
            memory,
        }
    }

    /// Finds out what helps a search, the most useful first. Without a net nothing does.
    pub fn gather(&self, knowledge: &Knowledge, budget: &Budget) -> Result<(), Stop> {
        match self.look(knowledge, budget) {
            Err(NotGround::Stopped(stop)) => Err(stop),
            _ => Ok(()),
        }
    }

    fn look(&self, knowledge: &Knowledge, budget: &Budget) -> Result<(), NotGround> {
        let _ = self.sliced.set(knowledge.sliced(budget)?);
        let _ = self.batch.set(Batch::clone(&*knowledge.batch(budget)?));
        let found = knowledge.symmetries(budget)?;
        if let Some(symmetry) = Elements::within(&found.roles_fixed.generators, LARGEST_GROUP) {
            let _ = self.symmetry.set(symmetry);
        }
        Ok(())
    }

    /// The evaluation, once there is one that is worth something.
    pub fn evaluation(&self) -> Option<Arc<Evaluation>> {
        self.evaluation.lock().expect("no panic while held").clone()
    }

    /// Learns to evaluate positions, until so many were learned from, or until it is `enough` and there is an
    /// evaluation.
    pub fn learn(&self, positions: u64, budget: &Budget, enough: &Budget) -> Result<(), Stop> {
        let Some((sliced, batch)) = self.sliced.get().zip(self.batch.get()) else { return Ok(()) };
        // Who plays alone is better served by the solver.
        if batch.roles() < 2 {
            return Ok(());
        }
        let mut learning = Learning::new(batch.clone(), sliced.period(), SEED);
        let mut told = FIRST_TOLD;
        while learning.positions() < positions && (told == FIRST_TOLD || enough.check().is_ok()) {
            learning.advance(budget)?;
            if learning.positions() >= told {
                self.tell(&learning, sliced, budget)?;
                told *= 2;
            }
        }
        self.tell(&learning, sliced, budget)
    }

    /// Lets searches use what was learned, where it tells enough.
    fn tell(&self, learning: &Learning, sliced: &Sliced, budget: &Budget) -> Result<(), Stop> {
        let evaluation = learning.evaluation();
        let (evaluated, played) = learning.compare(sliced, budget)?;
        let better = evaluated >= BETTER * played && evaluation.gain >= LEAST_GAIN;
        let good = evaluated >= NEARLY * played && evaluation.gain >= MUCH;
        self.use_evaluation((better || good).then_some(evaluation));
        Ok(())
    }

    pub(crate) fn use_evaluation(&self, evaluation: Option<Evaluation>) {
        *self.evaluation.lock().expect("no panic while held") = evaluation.map(Arc::new);
    }
}
