//! `Insights`: what analyses find out about a game, for searches that are already under way.

use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::Rules;
use ludex_machine::sliced::{Backend, Sliced};
use ludex_net::Net;
use ludex_net::ground::{Ground, NotGround};
use ludex_symmetry::{Elements, Keep, Logic, NetSymmetries};
use std::sync::OnceLock;

/// Each is set once, by whoever found it, and used from then on.
#[derive(Default)]
pub struct Insights {
    pub sliced: OnceLock<Sliced>,
    pub symmetry: OnceLock<Elements>,
}

/// Groups that are larger cost more than they save.
const LARGEST_GROUP: u16 = 100;

impl Insights {
    /// Finds out what helps a search over this net, the most useful first.
    pub fn gather(&self, rules: &Rules, net: &Net, budget: &Budget) -> Result<(), Stop> {
        let sliced = Sliced::of_samples(net, Backend::best(), budget)?;
        let _ = self.sliced.set(sliced);
        let ground = match Ground::new(rules, budget) {
            Ok(ground) => ground,
            Err(NotGround::Stopped(stop)) => return Err(stop),
            Err(_) => return Ok(()),
        };
        let logic = Logic::new(&ground, budget)?;
        let found = NetSymmetries::find(&logic, Keep { roles: true, state: None }, budget)?;
        if let Some(symmetry) = Elements::new(&found.generators, LARGEST_GROUP) {
            let _ = self.symmetry.set(symmetry);
        }
        Ok(())
    }
}
