//! `Compiled` -> `Scene`: how the states of a game are drawn, with boards that are proved where time allows.

use super::{Compiled, Job, Refusal};
use ludex_facts::boards::Board;
use ludex_gdl::budget::{Budget, Proving};
use ludex_picture::{Evidence, SampledPlay, Scene, StaticRelations, sample};
use ludex_reason::StateMachine;

impl Compiled {
    /// Plans the pictures of the game. `looking` is for what the rules and random matches show,
    /// `proving` for proofs of boards; without enough of them the plan rests on what was seen.
    pub fn scene(&mut self, looking: &Budget, proving: Proving) -> Result<Scene, Refusal> {
        let matches = looking.lasting(looking.allowed() / 2.0);
        let (roles, seen) = self.run(SceneLook { budget: &matches })?;
        let statics = StaticRelations::new(&self.rules, looking);
        let boards = self.boards(proving.0);
        let possible: Vec<String> = match &self.net {
            Some(net) => net.bases.iter().map(|b| b.name.clone()).collect(),
            None => statics.declared.clone(),
        };
        let evidence = Evidence::new(&self.rules, statics, roles, possible, &seen);
        Ok(Scene::new(&evidence, &boards.unwrap_or_default()))
    }

    /// The boards that are proved before the budget ends: half of it is for lemmas.
    fn boards(&self, budget: &Budget) -> Option<Vec<Board>> {
        self.net.as_ref()?;
        let found = self.knowledge.boards(budget, budget.allowed() / 2.0, &mut |_| ());
        Some(found.ok()?.views())
    }
}

struct SceneLook<'a> {
    budget: &'a Budget,
}

impl Job for SceneLook<'_> {
    type Answer = (Vec<String>, SampledPlay);

    fn run<G: StateMachine>(self, game: &mut G) -> Self::Answer {
        let roles = (0..game.roles()).map(|r| game.role_text(r)).collect();
        (roles, sample(game, self.budget))
    }
}
