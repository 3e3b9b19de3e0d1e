//! `Tools`: searches made ready for a net, with the symmetries, latches and clocks that can be found in time.

use super::clock::CounterClock;
use super::field::Field;
use super::force::Force;
use super::keys::{Keys, Symmetry};
use super::potential::Potential;
use super::puzzle::{Ended, Puzzle};
use super::saving::Saving;
use super::scale::Scale;
use super::sweep::StateSweep;
use super::{Settings, Subject};
use ludex_facts::invariants::{Invariant, InvariantKind};
use ludex_facts::latches::Latches;
use ludex_facts::prove::{Prover, SatAnswer, Verdict};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::Batch;
use ludex_net::Net;
use ludex_net::ground::NotGround;
use ludex_reason::Role;
use ludex_symmetry::NetSymmetries;
use std::sync::Arc;

#[derive(Clone, Copy)]
pub struct Tools<'a> {
    pub settings: &'a Settings,
    pub budget: &'a Budget,
    /// The part of the budget for all proofs, which make faster searches possible.
    pub proving: &'a Budget,
}

impl<'a> Tools<'a> {
    /// The part of the budget for one proof, so that one which takes long leaves time for the others.
    pub fn proof(&self) -> Budget {
        self.proving.lasting(self.settings.proof_seconds)
    }

    /// Keys with the symmetries that are wanted; none where they are not found in time.
    pub fn keys(&self, subject: &Subject) -> Result<Option<Keys>, Stop> {
        let bases = subject.net.bases.len();
        if self.settings.symmetry == Symmetry::None {
            return Ok(Some(Keys::plain(bases)));
        }
        self.budget.begin("symmetries", 0);
        let keys = symmetries(subject, &self.proof())
            .and_then(|found| Keys::new(bases, &found, self.settings.symmetry, &self.proof()));
        self.budget.check()?;
        Ok(keys.ok())
    }

    /// Latches that the structure of the net shows.
    fn latches(&self, subject: &Subject) -> Result<Option<Arc<Latches>>, Stop> {
        if !self.settings.latches {
            return Ok(None);
        }
        subject.knowledge.latches_seen(self.budget).map(Some).map_err(NotGround::stop)
    }

    /// A search for what a role can force, and the most steps of a match where these are known.
    pub fn force(
        &self,
        subject: &Subject,
        keys: Keys,
        scale: &Scale,
        role: Role,
        one_goal: bool,
    ) -> Result<(Force<'a>, Option<usize>), Stop> {
        let mut field = Field::new(&subject.knowledge, self.budget)?;
        let clock = CounterClock::new(&subject.net, &subject.state);
        let latches = self.latches(subject)?;
        let progress = match &latches {
            Some(latches) => self.progresses(subject, latches, scale)?,
            None => false,
        };
        self.budget.check()?;
        let saving = Saving::measure(&mut field, &keys, &subject.start(), self.budget);
        let bytes = self.settings.bytes;
        let batch = subject.knowledge.batch(self.budget).map_err(NotGround::stop)?;
        let machines = (field, Batch::clone(&batch));
        let mut force = Force::new(machines, keys, scale.clone(), role, bytes, self.budget);
        (force.saving, force.threads) = (saving, self.settings.threads.max(1));
        force.saving.limit = self.settings.symmetry_limit;
        if clock.longest.is_some() || progress {
            let latches = latches.filter(|_| one_goal);
            force = force.acyclic(latches.and_then(|l| Potential::new(&l, scale, role)));
        }
        Ok((force, clock.longest.or(progress.then_some(UNKNOWN))))
    }

    /// Whether it is shown that no state comes twice, if need be with what is known of all states.
    fn progresses(
        &self,
        subject: &Subject,
        latches: &Latches,
        scale: &Scale,
    ) -> Result<bool, Stop> {
        let plain = Prover::new(Net::clone(&latches.net), &self.proof());
        if progresses(latches, &plain).unwrap_or(false) {
            return Ok(true);
        }
        self.budget.check()?;
        // The outcomes of two roles were proved with the same invariants.
        if scale.alone {
            return Ok(false);
        }
        let seconds = self.settings.proof_seconds;
        let found = subject.knowledge.invariants_in(self.proving, seconds, &mut |_| ());
        let Ok(found) = found else { return Ok(false) };
        // A state that comes back would come back again and again.
        let ends = |i: &Invariant| {
            let proved = matches!(i.verdict, Verdict::Proved { .. });
            proved && matches!(i.kind, InvariantKind::Termination(_))
        };
        if found.found.iter().any(ends) {
            return Ok(true);
        }
        let mut prover = found.prover.clone();
        prover.limit(&self.proof());
        Ok(progresses(latches, &prover).unwrap_or(false))
    }

    /// A search for the best end of a single role's game, and how it ended.
    pub fn puzzle(
        &self,
        subject: &Subject,
        mut keys: Keys,
    ) -> Result<(Puzzle<'a>, Result<Ended, Stop>), Stop> {
        let net = &subject.net;
        let start = subject.start();
        if !keys.is_exact()
            && Saving::measure(
                &mut Field::new(&subject.knowledge, self.budget)?,
                &keys,
                &start,
                self.budget,
            )
            .is_hopeless()
        {
            keys.switch_off();
        }
        let scale = Scale::of_role(net, 0);
        let latches = self.latches(subject)?;
        let potential = latches.and_then(|l| Potential::new(&l, &scale, 0));
        let limit = CounterClock::new(net, &subject.state).limit;
        let blind = (!limit.is_empty()).then(|| keys.clone().without(&limit));
        self.budget.begin("searching states", 0);
        let bytes = self.settings.bytes;
        let field = Field::new(&subject.knowledge, self.budget)?;
        let sweep = StateSweep::new(subject.knowledge.clone(), &field);
        let mut puzzle = Puzzle::new((field, sweep), keys, potential, bytes, self.budget);
        puzzle.limit = self.settings.symmetry_limit;
        let ended = puzzle.solve(&start, blind, self.settings.depth);
        Ok((puzzle, ended))
    }
}

/// Matches end, but it is not known after how many steps.
const UNKNOWN: usize = usize::MAX - 1;

/// The symmetries that leave roles alone.
pub fn symmetries(subject: &Subject, budget: &Budget) -> Result<NetSymmetries, Stop> {
    let found = subject.knowledge.symmetries(budget).map_err(NotGround::stop)?;
    Ok(found.roles_fixed.clone())
}

/// Does every step change a fact that never changes back? Then no state comes twice.
fn progresses(latches: &Latches, prover: &Prover) -> Result<bool, Stop> {
    let net = &latches.net;
    let mut step = prover.any_state(true);
    let over = step.at(0, net.terminal);
    step.clause([-over]);
    for (list, rises) in [(&latches.positive, true), (&latches.negative, false)] {
        for b in list {
            let (now, next) = (step.at(0, net.base_lit(*b)), step.at(0, net.bases[*b].next));
            step.clause(if rises { [now, -next] } else { [-now, next] });
        }
    }
    Ok(step.solve(&[], EFFORT)? == SatAnswer::Unsat)
}

/// Conflicts of the solver.
const EFFORT: i32 = 20_000;
