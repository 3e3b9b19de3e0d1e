//! `Lore`: what other matches of a game have shown, found by the game's canonical hash, and what this one adds to it.

use ludex_gdl::budget::Budget;
use ludex_knowledge::Knowledge;
use ludex_machine::State;
use ludex_reason::{Move, Role};
use ludex_search::{Choice, Experience, Insights};
use ludex_symmetry::same::CanonicalOrder;
use std::sync::{Arc, Mutex, MutexGuard};

/// Where a front keeps experiences, by the names of games.
pub trait Memories: Send + Sync {
    /// The experience of a game; none where there is none that can be read.
    fn recall(&self, game: &str) -> Option<Experience>;
    /// Keeps it; where that fails it is not kept.
    fn keep(&self, game: &str, experience: &Experience);
}

/// A move with fewer visits is not worth keeping.
const LEAST_VISITS: u64 = 1_000;
/// A move that had so many times the visits is made instead of the one that was found now.
const MORE: u64 = 2;

/// The experience of one game.
pub struct Lore {
    memories: Arc<dyn Memories>,
    order: CanonicalOrder,
    experience: Mutex<Experience>,
}

impl Lore {
    /// None where the game is too large for a canonical form within the budget.
    pub fn open(memories: Arc<dyn Memories>, known: &Knowledge, budget: &Budget) -> Option<Lore> {
        let (ground, net) = (known.ground(budget).ok()?, known.net(budget).ok()?);
        let order = CanonicalOrder::new(&ground, &net, budget).ok()?;
        let experience = Mutex::new(memories.recall(&order.hash).unwrap_or_default());
        Some(Lore { memories, order, experience })
    }

    fn lock(&self) -> MutexGuard<'_, Experience> {
        self.experience.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Lets a search use what is known.
    pub fn teach(&self, insights: &Insights) {
        insights.recall(&self.lock(), &self.order);
    }

    /// Keeps what a search has learned.
    pub fn note_learned(&self, insights: &Insights) {
        insights.note(&mut self.lock(), &self.order);
        self.save();
    }

    /// States from which on best play is known, and the joint moves made there.
    pub fn solved(&self) -> Vec<(State, Vec<Move>)> {
        self.lock().solved(&self.order)
    }

    /// Keeps a line of best play.
    pub fn note_solved(&self, line: &[(State, Vec<Move>)]) {
        self.lock().solve(&self.order, line);
        self.save();
    }

    /// The move that was found in another match, where far more was known of it than is known now.
    pub fn opening(&self, state: &State, role: Role, choice: &Choice) -> Option<(Move, u64)> {
        let known = self.lock().opening(&self.order, (state, role));
        known.filter(|(_, visits)| !choice.proven && *visits > MORE * choice.visits)
    }

    /// Keeps a choice.
    pub fn note_choice(&self, state: &State, role: Role, choice: &Choice) {
        if choice.visits >= LEAST_VISITS {
            self.lock().note(&self.order, (state, role), (choice.mv, choice.visits));
        }
    }

    pub fn save(&self) {
        let experience = self.lock().clone();
        self.memories.keep(&self.order.hash, &experience);
    }
}
