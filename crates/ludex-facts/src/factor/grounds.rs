//! `Grounds`: what is proved of the game, for questions about steps in its folded net.

use crate::invariants::InvariantKind;
use crate::latches::Folding;
use crate::lemmas::Lemmas;
use crate::prove::{Prover, SatAnswer, Unrolling, Verdict};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use std::cell::RefCell;

/// The longest induction, and conflicts of the solver in it.
const STEPS: usize = 2;
const EFFORT: i32 = 20_000;

pub struct Grounds<'k> {
    known: &'k Lemmas,
    /// By base of the game, what it is in the folded net.
    lits: Vec<Option<Lit>>,
    /// The lemmas that were needed so far.
    used: RefCell<Vec<usize>>,
}

impl<'k> Grounds<'k> {
    pub fn new(known: &'k Lemmas, folding: &Folding) -> Grounds<'k> {
        Grounds { known, lits: folding.lits(), used: RefCell::default() }
    }

    /// A prover that knows the lemmas, and their numbers.
    pub fn prover(&self, net: &Net, budget: &Budget) -> (Prover, Vec<usize>) {
        let mut prover = Prover::new(net.clone(), budget);
        let numbers = self.known.restate(&mut prover, |b| self.lits[b]);
        (prover, numbers)
    }

    /// Does a role have exactly one goal value at every end?
    pub fn one_goal(&self, net: &Net, role: usize, budget: &Budget) -> Result<bool, Stop> {
        if self.known.number(InvariantKind::OneGoal, &[role]).is_some() {
            return Ok(true);
        }
        let (mut prover, numbers) = self.prover(net, budget);
        let lit = prover.one_goal(role);
        prover.effort = EFFORT;
        let verdict = prover.prove(lit, STEPS)?;
        if let Verdict::Proved { lemmas, .. } = &verdict {
            self.used.borrow_mut().extend(lemmas.iter().map(|lemma| numbers[*lemma]));
        }
        Ok(matches!(verdict, Verdict::Proved { .. }))
    }

    /// The lemmas that were needed, in words.
    pub fn texts(&self) -> Vec<String> {
        let mut used = self.used.borrow().clone();
        used.sort_unstable();
        used.dedup();
        used.into_iter().map(|number| self.known.text(number)).collect()
    }
}

/// Any step of the game, as far as the lemmas tell.
pub struct GroundedSteps<'p> {
    steps: Unrolling<'p>,
    switches: Vec<i32>,
    numbers: &'p [usize],
    grounds: &'p Grounds<'p>,
}

impl<'p> GroundedSteps<'p> {
    pub fn new(
        prover: &'p Prover,
        numbers: &'p [usize],
        grounds: &'p Grounds<'p>,
    ) -> GroundedSteps<'p> {
        let (steps, switches) = prover.any_step();
        GroundedSteps { steps, switches, numbers, grounds }
    }

    /// Does a literal stay true through every step before which these hold, too?
    pub fn keeps(&mut self, with: &[Lit], lit: Lit, effort: i32) -> Result<bool, Stop> {
        let mut asked = self.switches.clone();
        asked.extend(with.iter().map(|l| self.steps.at(0, *l)));
        asked.extend([self.steps.at(0, lit), -self.steps.at(1, lit)]);
        let kept = self.steps.solve(&asked, effort)? == SatAnswer::Unsat;
        if kept {
            let needed = self.switches.iter().zip(self.numbers);
            let needed = needed.filter(|(switch, _)| self.steps.needed(**switch));
            self.grounds.used.borrow_mut().extend(needed.map(|(_, number)| *number));
        }
        Ok(kept)
    }
}
