//! `Seen`: Definition 2 over the states seen so far, kept up state by state (section 4 of the paper).
//!
//! Complete and not sound: a projection that is not left is not invariant, one that is left may not be
//! invariant either. A search can go on showing it the states that it visits.

use super::bases::{Bases, Places};
use super::prune::maximal;
use crate::fluents::StateRelation;
use ludex_machine::State;
use ludex_net::Net;

/// The projections of one relation that gave all their values in every state seen.
#[derive(Clone, Debug)]
pub struct Seen {
    left: Vec<LeftProjection>,
    gone: Vec<(Vec<usize>, usize)>,
    pub states: usize,
}

/// Arguments from 1, with the bases of each place and those that lie in none.
#[derive(Clone, Debug)]
struct LeftProjection {
    arguments: Vec<usize>,
    places: Places,
}

/// The largest arity all of whose projections are looked at.
const MOST_ARGUMENTS: usize = 8;

impl Seen {
    pub fn new(net: &Net, bases: &Bases, relation: &StateRelation) -> Seen {
        let arity = relation.arity.min(MOST_ARGUMENTS);
        let mut left = Vec::new();
        for mask in 1..1usize << arity {
            let args: Vec<usize> = (0..arity).filter(|a| mask >> a & 1 == 1).collect();
            let places = bases.places(net, relation, &args);
            left.push(LeftProjection { arguments: args.iter().map(|a| a + 1).collect(), places });
        }
        left.sort_by_key(|l: &LeftProjection| (l.arguments.len(), l.arguments.clone()));
        Seen { left, gone: vec![], states: 0 }
    }

    pub fn observe(&mut self, state: &State) {
        self.states += 1;
        let holds = |b: &usize| state.holds(*b);
        let (number, gone) = (self.states, &mut self.gone);
        self.left.retain(|LeftProjection { arguments, places }| {
            let listed = places.bases.iter().all(|bases| bases.iter().any(holds));
            let stays = listed && !places.outside.iter().any(holds);
            if !stays {
                gone.push((arguments.clone(), number));
            }
            stays
        });
    }

    /// The projections that are not left, with the number of the state that refuted each, from 1.
    pub fn gone(&self) -> &[(Vec<usize>, usize)] {
        &self.gone
    }

    /// The projections that are left, smaller ones first.
    pub fn left(&self) -> impl Iterator<Item = &[usize]> {
        self.left.iter().map(|l| l.arguments.as_slice())
    }

    pub fn contains(&self, args: &[usize]) -> bool {
        self.left().any(|l| l == args)
    }

    pub fn maximal(&self) -> Vec<Vec<usize>> {
        maximal(&self.left().map(<[usize]>::to_vec).collect::<Vec<_>>())
    }
}
