//! `Insights`: what analyses find out about a game, for searches that are already under way.

use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::sliced::Sliced;
use ludex_net::ground::NotGround;
use ludex_symmetry::Elements;
use std::sync::{Arc, OnceLock};

/// Each is set once, by whoever found it, and used from then on.
#[derive(Default)]
pub struct Insights {
    pub sliced: OnceLock<Arc<Sliced>>,
    pub symmetry: OnceLock<Elements>,
}

/// Groups that are larger cost more than they save.
const LARGEST_GROUP: u16 = 100;

impl Insights {
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
        if let Some(symmetry) = Elements::new(&found.roles_fixed.generators, LARGEST_GROUP) {
            let _ = self.symmetry.set(symmetry);
        }
        Ok(())
    }
}
