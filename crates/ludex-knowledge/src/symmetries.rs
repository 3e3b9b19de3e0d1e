//! The symmetries as a stage: one search for whoever wants to use them and whoever wants to see them.

use crate::{Grounded, Knowledge, Made};
use ludex_gdl::budget::Budget;
use ludex_net::ground::NotGround;
use ludex_symmetry::{
    Keep, KeptStructure, Logic, NetGroups, Normal, OfNet, RuleSymmetries, Settled, SymmetricGame,
};

/// Seconds for symmetries of the rules with constants told apart by sort; who wants to see them all gives more.
const SORTING: f64 = 4.0;

impl Knowledge {
    /// The ground rules, or the net where there are none, in the normal form of symmetries.
    pub fn logic(&self, budget: &Budget) -> Grounded<Logic> {
        self.logic.get(budget, |_| {
            let net = self.net(budget)?;
            let settled = Settled::of(&net, budget)?;
            let logic = match self.rules {
                Some(_) => Logic::of_settled(&*self.ground(budget)?, &settled, budget)?,
                None => Logic::of_net(&net, &settled, budget)?,
            };
            Ok(Made::Complete(logic))
        })
    }

    /// The symmetries of the ground game.
    pub fn symmetries(&self, budget: &Budget) -> Grounded<NetGroups> {
        self.symmetries_sorted(budget, SORTING)
    }

    fn symmetries_sorted(&self, budget: &Budget, sorting: f64) -> Grounded<NetGroups> {
        let logic = self.logic(budget)?;
        let kept = KeptStructure::default();
        self.symmetries.get(budget, |before| {
            let groups = match (before, self.groups(&logic, kept, budget, sorting)) {
                // A shorter search does not take away what a longer one found.
                (Some(known), Ok(now)) if known.all.order > now.all.order => (*known).clone(),
                (Some(known), Err(_)) => (*known).clone(),
                (_, found) => found?,
            };
            Ok(Made::of(groups.all.complete, groups))
        })
    }

    /// The symmetries that keep more than the rules, joined with those that the rules show, and told. They are
    /// looked for in so many seconds; what is found by then is told.
    pub fn symmetries_told(
        &self,
        rules: &RuleSymmetries,
        kept: KeptStructure,
        budget: &Budget,
        seconds: f64,
    ) -> Result<OfNet, NotGround> {
        let (ground, net, logic) = (self.ground(budget)?, self.net(budget)?, self.logic(budget)?);
        let (searching, sorting) = (budget.lasting(seconds), SORTING.max(seconds / 2.0));
        let mut groups = match kept {
            KeptStructure { initial: true, .. } => {
                self.groups(&logic, kept, &searching, sorting)?
            }
            KeptStructure { roles: true, .. } => {
                self.symmetries_sorted(&searching, sorting)?.with_roles_fixed()
            }
            _ => NetGroups::clone(&*self.symmetries_sorted(&searching, sorting)?),
        };
        let game = SymmetricGame { ground: &ground, net: &net, logic: &logic };
        let told = game.tell(rules, &mut groups, &searching, budget)?;
        if !kept.roles && !kept.initial {
            self.symmetries.improve(groups);
        }
        Ok(told)
    }

    fn groups(
        &self,
        logic: &Logic,
        kept: KeptStructure,
        budget: &Budget,
        sorting: f64,
    ) -> Result<NetGroups, NotGround> {
        let Some(rules) = &self.rules else {
            return Ok(NetGroups::find(logic, Keep::default(), budget)?);
        };
        let (ground, net) = (self.ground(budget)?, self.net(budget)?);
        let normal = Normal::as_written((**rules).clone());
        let game = SymmetricGame { ground: &ground, net: &net, logic };
        Ok(game.groups(&normal, kept, budget, &budget.lasting(sorting))?)
    }
}
