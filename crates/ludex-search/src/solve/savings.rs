//! `Savings`: what symmetries save, as in Figure 1 of paper 002: the same blind search to a depth with a
//! transposition table in every state on a path through the game, without symmetries, with one of symmetric
//! moves, with symmetric states, and with these until the paper's rule switches them off.

use super::Subject;
use super::field::{Expansion, Field};
use super::induct::{InductHalt, Induction};
use super::keys::{Keys, Symmetry};
use super::saving::{LIMIT, Saving};
use super::tools::symmetries;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_reason::{Random, StateMachine};
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
    /// States on the path, in each of which was searched.
    pub positions: usize,
    /// Symmetries that leave roles alone, and the seconds that it took to find them.
    pub order: BigUint,
    pub finding: f64,
    /// Seconds for an expansion, and for the symmetric states of a state.
    pub expand: f64,
    pub symmetric: f64,
    pub normal: Cost,
    pub moves: Cost,
    pub states: Cost,
    /// Symmetric states as long as the rule lets them.
    pub limited: Cost,
    pub switched_off: bool,
}

/// What is to be measured.
#[derive(Clone, Copy, Debug)]
pub struct SavingsQuestion {
    /// Search to this depth; none: to the first at which more than `most` states are expanded at the start.
    pub depth: Option<usize>,
    pub most: u64,
    /// The length of the path.
    pub positions: usize,
    /// Seconds that symmetries may cost more than they save.
    pub limit: f64,
    /// Memory of a table.
    pub bytes: usize,
}

impl Default for SavingsQuestion {
    fn default() -> SavingsQuestion {
        SavingsQuestion { depth: None, most: 100_000, positions: 1, limit: LIMIT, bytes: 1 << 30 }
    }
}

impl Savings {
    pub fn measure(
        subject: &Subject,
        question: &SavingsQuestion,
        budget: &Budget,
    ) -> Result<Savings, Stop> {
        let begin = budget.seconds();
        let found = symmetries(subject, budget)?;
        let finding = budget.seconds() - begin;
        let bases = subject.net.bases.len();
        let keys = |mode| Keys::new(bases, &found, mode, budget);
        let start = [subject.start()];
        let (mut depth, mut whole) = (question.depth.unwrap_or(1), false);
        loop {
            let mut first = Searches::new(subject, depth, question.bytes, budget);
            let cost = first.cost(&start, &keys(Symmetry::None)?, &mut Saving::default())?;
            whole |= !first.cut;
            if question.depth.is_some() || whole || cost.states > question.most {
                break;
            }
            depth += 1;
        }
        let path = path(subject, question.positions, budget)?;
        let mut searches = Searches::new(subject, depth, question.bytes, budget);
        let symmetric = keys(Symmetry::States)?;
        let normal = searches.cost(&path, &keys(Symmetry::None)?, &mut Saving::default())?;
        let moves = searches.cost(&path, &keys(Symmetry::Moves)?, &mut Saving::default())?;
        let states = searches.cost(&path, &symmetric, &mut Saving::default())?;
        let mut field = Field::new(&subject.knowledge, budget)?;
        let mut saving = Saving::measure(&mut field, &symmetric, &path[0], budget);
        saving.limit = question.limit;
        let limited = searches.cost(&path, &symmetric, &mut saving)?;
        Ok(Savings {
            depth,
            whole,
            positions: path.len(),
            order: found.order,
            finding,
            expand: saving.expand,
            symmetric: saving.symmetric,
            normal,
            moves,
            states,
            limited,
            switched_off: saving.switched_off,
        })
    }
}

/// Searches to a depth.
struct Searches<'a> {
    subject: &'a Subject,
    depth: usize,
    bytes: usize,
    budget: &'a Budget,
    /// Whether the depth cut anything.
    cut: bool,
}

impl<'a> Searches<'a> {
    fn new(subject: &'a Subject, depth: usize, bytes: usize, budget: &'a Budget) -> Searches<'a> {
        Searches { subject, depth, bytes, budget, cut: false }
    }

    /// The cost of a search in each of the states. What is saved is kept from one to the next.
    fn cost(&mut self, path: &[State], keys: &Keys, saving: &mut Saving) -> Result<Cost, Stop> {
        let mut sum = Cost::default();
        for state in path {
            let field = Field::new(&self.subject.knowledge, self.budget)?;
            let keys = match saving.switched_off {
                true => Keys::plain(self.subject.net.bases.len()),
                false => keys.clone(),
            };
            let begin = self.budget.seconds();
            let mut search =
                Induction::new(field, keys, self.bytes, self.budget).within(Some(self.depth));
            search.any = true;
            search.saving = std::mem::take(saving);
            match search.value(state) {
                Ok(_) => {}
                Err(InductHalt::Stop(stop)) => return Err(stop),
                Err(halt) => unreachable!("within a depth: {halt:?}"),
            }
            self.cut |= search.cut;
            sum.states += search.expanded;
            sum.seconds += self.budget.seconds() - begin;
            *saving = search.saving;
        }
        Ok(sum)
    }
}

/// The states of a random match that are not over, from the start on.
fn path(subject: &Subject, most: usize, budget: &Budget) -> Result<Vec<State>, Stop> {
    let mut field = Field::new(&subject.knowledge, budget)?;
    let mut random = Random::new(1);
    let mut expansion = Expansion::default();
    let mut states = vec![subject.start()];
    while states.len() < most.max(1) {
        let last = states.last().expect("the start");
        if !field.joints(last, &mut expansion) {
            break;
        }
        let joint = random.below(expansion.joints.len() / field.roles);
        let next = field.machine.next(last, expansion.joint(joint, field.roles));
        if field.machine.terminal(&next) {
            break;
        }
        states.push(next);
    }
    Ok(states)
}

impl Cost {
    /// The part of the states, and of the time, that was saved against another search.
    pub fn saved(&self, normal: &Cost) -> (f64, f64) {
        let part = |own: f64, of: f64| if of > 0.0 { 1.0 - own / of } else { 0.0 };
        let states = part(self.states as f64, normal.states as f64);
        (states, part(self.seconds, normal.seconds))
    }
}
