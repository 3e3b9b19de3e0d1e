//! `Savings`: what symmetries save, as in Figure 1 of paper 002: the same blind search of all states to a
//! depth with a transposition table, without symmetries, with one of symmetric moves, and with symmetric states.

use super::Subject;
use super::field::Field;
use super::induct::{InductHalt, Induction};
use super::keys::{Keys, Symmetry};
use super::tools::symmetries;
use ludex_gdl::budget::{Budget, Stop};
use num_bigint::BigUint;

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    pub states: u64,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct Savings {
    pub depth: usize,
    /// Whether the depth reaches every end.
    pub whole: bool,
    /// Symmetries that leave roles alone, and the seconds that it took to find them.
    pub order: BigUint,
    pub finding: f64,
    pub normal: Cost,
    pub moves: Cost,
    pub states: Cost,
}

impl Savings {
    /// To a depth, or to the first one at which more than `most` states are expanded.
    pub fn measure(
        subject: &Subject,
        depth: Option<usize>,
        most: u64,
        bytes: usize,
        budget: &Budget,
    ) -> Result<Savings, Stop> {
        let begin = budget.seconds();
        let found = symmetries(subject, budget)?;
        let finding = budget.seconds() - begin;
        let bases = subject.net.bases.len();
        let search = |mode, depth| -> Result<(Cost, bool), Stop> {
            let keys = Keys::new(bases, &found, mode, budget)?;
            cost(subject, keys, depth, bytes, budget)
        };
        let (mut to, mut whole) = (depth.unwrap_or(1), false);
        let normal = loop {
            let (cost, cut) = search(Symmetry::None, to)?;
            whole |= !cut;
            if depth.is_some() || whole || cost.states > most {
                break cost;
            }
            to += 1;
        };
        let (moves, _) = search(Symmetry::Moves, to)?;
        let (states, _) = search(Symmetry::States, to)?;
        Ok(Savings { depth: to, whole, order: found.order, finding, normal, moves, states })
    }
}

/// The cost of a search, and whether the depth cut anything.
fn cost(
    subject: &Subject,
    keys: Keys,
    depth: usize,
    bytes: usize,
    budget: &Budget,
) -> Result<(Cost, bool), Stop> {
    let field = Field::new(&subject.knowledge, budget)?;
    let begin = budget.seconds();
    let mut search = Induction::new(field, keys, bytes, budget).within(Some(depth));
    search.any = true;
    match search.value(&subject.start()) {
        Ok(_) => {}
        Err(InductHalt::Stop(stop)) => return Err(stop),
        Err(halt) => unreachable!("within a depth: {halt:?}"),
    }
    let cost = Cost { states: search.expanded, seconds: budget.seconds() - begin };
    Ok((cost, search.cut))
}

impl Cost {
    /// The part of the states, and of the time, that was saved against another search.
    pub fn saved(&self, normal: &Cost) -> (f64, f64) {
        let part = |own: f64, of: f64| if of > 0.0 { 1.0 - own / of } else { 0.0 };
        let states = part(self.states as f64, normal.states as f64);
        (states, part(self.seconds, normal.seconds))
    }
}
