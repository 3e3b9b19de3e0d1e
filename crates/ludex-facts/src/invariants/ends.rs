//! Does every match end? Found out in many ways, cheap ones first.

use super::again::{self, LoopPatience};
use super::groups::PlaceColumns;
use super::ranking::Ranking;
use super::search::{FEW_STEPS, InvariantCandidate, InvariantSearch, Open, SMALL_NET};
use super::times::over_after;
use super::{Invariant, InvariantKind, Invariants, counter};
use crate::lemmas::Author;
use crate::prove::Verdict;
use ludex_gdl::budget::Stop;
use ludex_net::Lit;
use rustc_hash::FxHashSet;

/// Seconds for each way that is tried before all else, and before the long proofs.
const SOON: f64 = 1.0;
pub(super) const LATER: f64 = 2.5;

impl Invariants {
    /// What is known of the end of every match.
    pub fn ends(&self) -> Option<&Invariant> {
        self.found.iter().find(|i| matches!(i.kind, InvariantKind::Termination(_)))
    }
}

impl InvariantSearch<'_> {
    /// Whether it is known that every match ends, or that it need not.
    fn is_end_decided(&self) -> bool {
        self.found.ends().is_some_and(|i| !matches!(i.verdict, Verdict::Unknown { .. }))
    }

    pub(super) fn report_end(&mut self, steps: usize, about: Vec<usize>, verdict: Verdict) {
        let kind = InvariantKind::Termination(steps);
        self.report(InvariantCandidate { kind, about, group: None, lit: Lit::TRUE }, verdict);
        (self.watch)(&self.found);
    }

    /// An end that the net alone shows, without lemmas.
    pub(super) fn report_end_seen(&mut self, steps: usize, about: Vec<usize>) {
        self.report_end(steps, about, Verdict::Proved { k: 1, lemmas: vec![] });
        self.found.found.last_mut().expect("just reported").by = Author::Structure;
    }

    /// What needs no lemmas but latches that the net shows. False if it is open.
    pub(super) fn end_at_once(&mut self) -> Result<bool, Stop> {
        Ok(self.is_end_decided()
            || self.clockwork()?
            || self.in_part(SOON, |search| search.moments(false))?
            || self.in_part(SOON, |search| search.comes_back(LoopPatience::SHORT))?
            || self.in_part(SOON, Self::changes)?)
    }

    /// Asks with so many seconds. What is not found in them is open.
    pub(super) fn in_part(
        &mut self,
        seconds: f64,
        find: impl FnOnce(&mut Self) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let whole = self.found.prover.budget().clone();
        self.found.prover.limit(&whole.lasting(seconds));
        let found = find(self);
        self.found.prover.limit(&whole);
        whole.check()?;
        Ok(found.unwrap_or(false))
    }

    /// What is known of each moment, whatever is played. False if that does not end every match.
    fn moments(&mut self, cases: bool) -> Result<bool, Stop> {
        let budget = self.found.prover.budget().clone();
        let Some(steps) = over_after(&self.found.net, cases, &budget)? else { return Ok(false) };
        self.report_end_seen(steps, vec![]);
        Ok(true)
    }

    /// Counters and facts that change once, as soon as it is known whose turn it is. False if it is open.
    pub(super) fn end_by_turns(&mut self) -> Result<bool, Stop> {
        Ok(self.is_end_decided()
            || self.counter()?
            || self.in_part(SOON, Self::changes)?
            || self.in_part(LATER, Self::passes)?)
    }

    /// Ways back, and weights, before the long proofs of groups of places, which they seldom need. False if it is open.
    pub(super) fn end_before_groups(&mut self) -> Result<bool, Stop> {
        Ok(self.is_end_decided()
            || self.has_few_facts()
                && (self.in_part(SOON, |search| search.comes_back(LoopPatience::LONG))?
                    || self.in_part(SOON, Self::weights)?))
    }

    /// Of many facts it is asked first whether they change only once.
    fn has_few_facts(&self) -> bool {
        self.found.net.bases.len() <= FEW_STEPS
    }

    /// The same with more time. False if it is open.
    fn end_by_lemmas(&mut self) -> Result<bool, Stop> {
        Ok(self.is_end_decided() || self.counter()? || self.changes()?)
    }

    /// The same, passes and weights, in parts of the time: what comes next may take long and says little about ends.
    pub(super) fn end_by_groups(&mut self) -> Result<bool, Stop> {
        Ok(self.end_by_lemmas()?
            || self.in_part(LATER, Self::passes)?
            || self.has_few_facts() && self.in_part(LATER, Self::weights)?)
    }

    /// With all that is known, and moments in which each move is looked at by itself.
    pub(super) fn end_at_last(&mut self) -> Result<(), Stop> {
        let decided = self.end_by_lemmas()?
            || self.moments(true)?
            || !self.has_few_facts() && self.comes_back(LoopPatience::LONG)?
            || self.weights()?;
        if !decided {
            self.report_end(0, vec![], Verdict::Unknown { k: 1 });
        }
        Ok(())
    }

    /// Play that comes back to a state. False if none is found.
    fn comes_back(&mut self, patience: LoopPatience) -> Result<bool, Stop> {
        let budget = self.found.prover.budget().clone();
        let line = again::line(&self.found.net, &self.found.samples, patience, &budget)?;
        let is_found = line.is_some();
        line.into_iter().for_each(|moves| self.report_end(0, vec![], Verdict::Refuted { moves }));
        Ok(is_found)
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

    /// Weights of facts whose sum falls end every match. False if none are found.
    fn weights(&mut self) -> Result<bool, Stop> {
        if self.found.net.gates.len() > SMALL_NET {
            return Ok(false);
        }
        let budget = self.found.prover.budget().clone();
        let found = Ranking::find(&self.found.prover, &self.found.samples, &budget)?;
        let Some((ranking, lemmas)) = found else { return Ok(false) };
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        let groups = self.found.proved_groups().map(|(g, one)| (&g.bases[..], one));
        let apart = groups.filter(|(bases, _)| {
            let free = bases.iter().all(|b| !taken.contains(b));
            taken.extend(bases.iter().filter(|_| free));
            free
        });
        let steps = ranking.longest(&self.found.net, &apart.collect::<Vec<_>>());
        let about = ranking.sums.iter().flatten().map(|w| w.0).collect();
        let verdict = Verdict::Proved { k: ranking.steps, lemmas };
        self.found.ranking = Some(ranking);
        self.report_end(steps.unwrap_or(usize::MAX), about, verdict);
        Ok(true)
    }

    /// Facts that change only once and of which one always does end every match. Those that are true at first may be
    /// enough, or those that are not: the fewer, the sooner the end. False if that is open.
    fn changes(&mut self) -> Result<bool, Stop> {
        let once = self.once();
        let is_initial = |base: &usize| self.found.net.bases[*base].initial;
        let (leaving, coming) = once.iter().copied().partition(is_initial);
        for about in [leaving, coming, once] {
            if self.one_changes(about)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every step changes one of these facts, none of which changes twice. False if that is open.
    fn one_changes(&mut self, about: Vec<usize>) -> Result<bool, Stop> {
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
