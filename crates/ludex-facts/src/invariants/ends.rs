//! Does every match end? Found out in many ways, cheap ones first.
//!
//! A moment at which it must be over, play that comes back, counters, facts that change once, and weights of
//! facts. The first two need no lemmas, so they come before everything else.

use super::again::{self, Patience};
use super::groups::PlaceColumns;
use super::ranking::Ranking;
use super::search::{InvariantCandidate, InvariantSearch, Open, SMALL_NET};
use super::times::over_after;
use super::{Invariant, InvariantKind, Invariants, counter};
use crate::lemmas::Author;
use crate::prove::Verdict;
use ludex_gdl::budget::Stop;
use ludex_net::Lit;
use rustc_hash::FxHashSet;

impl Invariants {
    /// What is known of the end of every match.
    pub fn ends(&self) -> Option<&Invariant> {
        self.found.iter().find(|i| matches!(i.kind, InvariantKind::Termination(_)))
    }
}

impl InvariantSearch<'_> {
    /// Whether it is known that every match ends, or that it does not.
    fn is_end_decided(&self) -> bool {
        self.found.ends().is_some_and(|i| !matches!(i.verdict, Verdict::Unknown { .. }))
    }

    fn report_end(&mut self, steps: usize, about: Vec<usize>, verdict: Verdict) {
        let kind = InvariantKind::Termination(steps);
        self.report(InvariantCandidate { kind, about, group: None, lit: Lit::TRUE }, verdict);
        (self.watch)(&self.found);
    }

    /// What needs no lemmas. False if it is open.
    pub(super) fn end_at_once(&mut self) -> Result<bool, Stop> {
        if self.is_end_decided() {
            return Ok(true);
        }
        let budget = self.found.prover.budget().clone();
        if let Some(steps) = over_after(&self.found.net, &budget)? {
            self.report_end(steps, vec![], Verdict::Proved { k: 1, lemmas: vec![] });
            self.found.found.last_mut().expect("just reported").by = Author::Structure;
            return Ok(true);
        }
        self.comes_back(Patience::SHORT)
    }

    fn comes_back(&mut self, patience: Patience) -> Result<bool, Stop> {
        let budget = self.found.prover.budget().clone();
        let line = again::line(&self.found.net, &self.found.samples, patience, &budget)?;
        let is_found = line.is_some();
        line.into_iter().for_each(|moves| self.report_end(0, vec![], Verdict::Refuted { moves }));
        Ok(is_found)
    }

    /// Counters and facts that change once, with what is known by now. False if it is open.
    pub(super) fn end_by_lemmas(&mut self) -> Result<bool, Stop> {
        Ok(self.is_end_decided() || self.counter()? || self.changes()?)
    }

    /// The same, then longer ways back, and weights.
    pub(super) fn end_at_last(&mut self) -> Result<(), Stop> {
        if self.end_by_lemmas()? || self.comes_back(Patience::LONG)? {
            return Ok(());
        }
        self.weights()
    }

    /// A counter that only goes forward ends every match. False if there is none.
    fn counter(&mut self) -> Result<bool, Stop> {
        let counters: Vec<Vec<usize>> = self
            .found
            .proved_groups()
            .filter(|(g, one)| *one && g.family.iter().all(PlaceColumns::is_whole))
            .map(|(g, _)| g.bases.clone())
            .filter(|bases| !self.found.samples.returns_to(bases))
            .collect();
        for about in counters {
            if let Some(steps) = counter::longest(&self.found.prover, &about)? {
                let lemmas = self.lemmas_about(&about);
                self.report_end(steps, about, Verdict::Proved { k: 1, lemmas });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Weights of facts whose sum falls with every step end every match.
    fn weights(&mut self) -> Result<(), Stop> {
        let budget = self.found.prover.budget().clone();
        let found = match self.found.net.gates.len() <= SMALL_NET {
            true => Ranking::find(&self.found.prover, &self.found.samples, &budget)?,
            false => None,
        };
        let Some((ranking, lemmas)) = found else {
            self.report_end(0, vec![], Verdict::Unknown { k: 1 });
            return Ok(());
        };
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        let groups = self.found.proved_groups().map(|(g, one)| (&g.bases[..], one));
        let apart = groups.filter(|(bases, _)| {
            let free = bases.iter().all(|b| !taken.contains(b));
            taken.extend(bases.iter().filter(|_| free));
            free
        });
        let steps = ranking.longest(&self.found.net, &apart.collect::<Vec<_>>());
        let about = ranking.sums.iter().flatten().map(|w| w.0).collect();
        self.found.ranking = Some(ranking);
        self.report_end(steps.unwrap_or(usize::MAX), about, Verdict::Proved { k: 1, lemmas });
        Ok(())
    }

    /// Facts that change only once and of which one always does end every match. False if that is open.
    fn changes(&mut self) -> Result<bool, Stop> {
        let once = self.found.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        let once = once
            .filter(|i| matches!(i.kind, InvariantKind::Persistent | InvariantKind::NeverReturns));
        let about: Vec<usize> = once.map(|i| i.about[0]).collect();
        if about.is_empty() {
            return Ok(false);
        }
        let mut changes = Vec::new();
        for base in &about {
            let (now, next) = (self.base(*base), self.found.net.bases[*base].next);
            changes.push(self.found.prover.and([now, !next]));
            changes.push(self.found.prover.and([!now, next]));
        }
        let lit = self.found.prover.or(changes);
        let kind = InvariantKind::Termination(about.len());
        self.decide_steps(vec![InvariantCandidate { kind, about, group: None, lit }], Open::Kept)
    }
}
