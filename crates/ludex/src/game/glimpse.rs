//! `Glimpse`: the first state of a game and its picture, before an engine is ready.

use super::Game;
use crate::compile::{Refusal, reasoner};
use ludex_gdl::budget::{Budget, Proving};
use ludex_picture::Picture;

/// The first state, drawn from what was seen by then.
#[derive(Clone, Debug)]
pub struct Glimpse {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The true facts, sorted.
    pub facts: Vec<String>,
    /// How they look, as far as that was found out.
    pub picture: Picture,
}

impl Game {
    /// What the reasoner sees in the time of a budget, without a plan that is any good and without proofs.
    pub fn glimpse(&self, budget: &Budget) -> Result<Glimpse, Refusal> {
        let mut engine = reasoner(self.knowledge().clone(), true, budget)?;
        let roles = engine.roles()?;
        let first = engine.initial();
        let facts = engine.facts(&first);
        budget.check()?;
        let scene = engine.scene(budget, Proving(budget))?;
        Ok(Glimpse { roles, picture: scene.picture(&facts), facts })
    }
}
