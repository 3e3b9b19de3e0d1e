//! `Insights`: what searches that are already under way are told: what analyses find out about the game,
//! and when memory runs out.

use ludex_gdl::budget::{Budget, Memory, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::sliced::Sliced;
use ludex_net::ground::NotGround;
use ludex_symmetry::Elements;
use std::sync::{Arc, OnceLock};

/// What was found out is set once, by whoever found it, and used from then on.
pub struct Insights {
    pub sliced: OnceLock<Arc<Sliced>>,
    pub symmetry: OnceLock<Elements>,
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

impl Insights {
    pub fn new(memory: Memory) -> Insights {
        Insights { sliced: OnceLock::new(), symmetry: OnceLock::new(), memory }
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
        let found = knowledge.symmetries(budget)?;
        if let Some(symmetry) = Elements::within(&found.roles_fixed.generators, LARGEST_GROUP) {
            let _ = self.symmetry.set(symmetry);
        }
        Ok(())
    }
}
