//! `Net` -> `Invariants`: what holds in every reachable state, found by itself and proved.
//!
//! Candidates are read from samples of random play. Those about one state are proved all together,
//! dropping what is not inductive; what is left serves as lemmas for properties of single steps.
//!
//! A property becomes a rule for a fact that is true after a step with which it fails; its
//! transition in the net is what is proved, and the reasoner replays refuting lines with the same
//! rules. Groups are proved first, because they are the lemmas that everything else needs, those of
//! whole relations before those of places: with them come turns and counters that end every match.
//! `phases.rs` finds relations that have facts only while another has some, or none. Facts that
//! change once, and the end of every match by them, follow; then constants and equivalences within
//! a number of rounds, goals and mobility one by one, and what was open once more. A search that
//! runs out of its budget keeps what it has proved.

mod again;
mod base;
mod candidates;
mod clockwork;
mod counter;
mod ends;
mod groups;
mod implications;
pub mod lemmas;
mod passes;
mod pattern;
mod phases;
mod ranking;
mod search;
mod show;
mod summary;
mod times;

pub use groups::{MutexGroup, PlaceColumns, groups};
pub use ranking::Ranking;
pub(crate) use show::said;
pub use summary::Summary;

use super::fluents::Fluents;
use super::samples::Samples;
use crate::lemmas::{Author, Lemmas};
use crate::prove::{Prover, Verdict};
use indexmap::IndexMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use pattern::variable;
use rustc_hash::FxHashMap;
use search::InvariantSearch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What an invariant says of its bases (`about`), or of its roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InvariantKind {
    /// Of these bases exactly one is true.
    ExactlyOne,
    AtMostOne,
    AtLeastOne,
    /// The same of any bases: those of one place of a board.
    SomeOf,
    AlwaysTrue,
    AlwaysFalse,
    /// The two bases have equal values.
    Equivalent,
    /// Wherever the first base is true, the second is.
    Implies,
    /// One of so many bases is true only while one of those after them is.
    OnlyWith(usize),
    /// Never is one of so many bases true together with one of those after them.
    NeverWith(usize),
    /// Once true, true for good.
    Persistent,
    /// Once false, false for good.
    NeverReturns,
    /// The role (first) has more than one legal move only while one of the bases (rest) is true.
    Turn,
    /// The bases, one per role, become true one after the other in this order, round and round.
    Alternation,
    /// The role can move in every state that is not terminal.
    Mobility,
    /// The role has exactly one goal value in every terminal state.
    OneGoal,
    /// The goals of all roles add up to this number in every terminal state.
    ConstantSum(i32),
    /// Every match ends, by proof after at most this many steps.
    Termination(usize),
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub kind: InvariantKind,
    pub about: Vec<usize>,
    pub verdict: Verdict,
    /// The group of which an invariant of groups speaks.
    pub group: Option<usize>,
    /// The numbers that it has as a lemma of the prover.
    pub lemmas: Vec<usize>,
    /// Who decided it.
    pub by: Author,
}

#[derive(Clone)]
pub struct Invariants {
    pub net: Arc<Net>,
    pub fluents: Fluents,
    pub groups: Vec<MutexGroup>,
    pub found: Vec<Invariant>,
    /// The states from which candidates were read.
    pub samples: Arc<Samples>,
    /// What shows that every match ends, where weights of facts do.
    pub ranking: Option<Ranking>,
    /// Why the search ended before its end.
    pub stopped: Option<Stop>,
    /// With every proved invariant over one state as a lemma.
    pub prover: Prover,
}

impl Invariants {
    /// All invariants that are looked for.
    pub fn find(net: &Arc<Net>, budget: &Budget) -> Result<Invariants, Stop> {
        let found = Invariants::within(net, budget)?;
        found.stopped.map_or(Ok(found), Err)
    }

    /// The invariants that are found before the budget ends; none if not even samples are.
    pub fn within(net: &Arc<Net>, budget: &Budget) -> Result<Invariants, Stop> {
        let samples = Arc::new(Samples::usual(net, budget)?);
        let known = Lemmas::new(net.clone());
        Ok(Invariants::lasting(&known, samples, budget, f64::INFINITY, &mut |_| ()))
    }

    /// The invariants that are known or found in so many seconds of proofs. Further proofs with them go by the
    /// whole budget. On the way they are shown to `watch`, for the case that a proof does not end when it should.
    pub fn lasting(
        known: &Lemmas,
        samples: Arc<Samples>,
        budget: &Budget,
        seconds: f64,
        watch: &mut dyn FnMut(&Invariants),
    ) -> Invariants {
        budget.begin("proving what holds in every state", 0);
        let net = &known.net;
        let fluents = Fluents::new(net);
        let groups = groups(&fluents, &samples);
        let mut prover = Prover::new(Net::clone(net), &budget.lasting(seconds));
        prover.effort = search::CONFLICTS;
        let (net, found) = (net.clone(), vec![]);
        let (stopped, ranking) = (None, None);
        let mut found =
            Invariants { net, fluents, groups, found, samples, ranking, stopped, prover };
        found.learn(known);
        found.searched(budget, watch)
    }

    /// The same with more time: what is proved or refuted stays, the rest is asked again.
    pub fn go_on(
        &self,
        known: &Lemmas,
        budget: &Budget,
        seconds: f64,
        watch: &mut dyn FnMut(&Invariants),
    ) -> Invariants {
        budget.begin("proving what holds in every state", 0);
        let mut found = self.clone();
        found.prover.limit(&budget.lasting(seconds));
        found.prover.effort = search::CONFLICTS;
        found.found.retain(|i| !matches!(i.verdict, Verdict::Unknown { .. }));
        found.learn(known);
        found.searched(budget, watch)
    }

    fn searched(self, budget: &Budget, watch: &mut dyn FnMut(&Invariants)) -> Invariants {
        let mut search = InvariantSearch::new(self, watch);
        let done = search.run();
        let mut found = search.found;
        found.stopped = done.err();
        found.prover.limit(budget);
        found
    }

    /// At most one and at least one are together exactly one. Of one fact there is nothing to say.
    fn merge_groups(&mut self) {
        let found = std::mem::take(&mut self.found);
        let key = |kind, i: &Invariant| (kind, i.group, i.verdict.status());
        let all: FxHashMap<_, &Invariant> = found.iter().map(|i| (key(i.kind, i), i)).collect();
        for invariant in &found {
            let mut invariant = invariant.clone();
            let (most, least) = [InvariantKind::AtMostOne, InvariantKind::AtLeastOne]
                .map(|kind| all.get(&key(kind, &invariant)))
                .into();
            match (invariant.kind, most, least) {
                (InvariantKind::AtMostOne | InvariantKind::AtLeastOne, ..)
                    if invariant.about.len() == 1 =>
                {
                    continue;
                }
                (InvariantKind::AtMostOne, _, Some(_)) => continue,
                (InvariantKind::AtLeastOne, Some(most), _) => {
                    invariant.kind = InvariantKind::ExactlyOne;
                    invariant.verdict = invariant.verdict.and(most.verdict.clone());
                    invariant.lemmas.extend(&most.lemmas);
                }
                _ => {}
            }
            self.found.push(invariant);
        }
    }

    /// The group of which an invariant of groups speaks.
    pub fn group(&self, invariant: &Invariant) -> &MutexGroup {
        &self.groups[invariant.group.expect("of a group")]
    }

    /// The proved groups, with whether exactly one of their bases is always true.
    pub(crate) fn proved_groups(&self) -> impl Iterator<Item = (&MutexGroup, bool)> {
        let one =
            |i: &&Invariant| matches!(i.kind, InvariantKind::ExactlyOne | InvariantKind::AtMostOne);
        let proved = self.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        let groups = proved.filter(one);
        groups.filter_map(|i| Some((&self.groups[i.group?], i.kind == InvariantKind::ExactlyOne)))
    }

    /// The sets of place arguments (from 0) of a relation all of whose groups are proved, with
    /// whether exactly one fact of each is always true.
    pub(crate) fn proved_families(&self, name: &str, arity: usize) -> Vec<(Vec<usize>, bool)> {
        let Some(r) = self.fluents.find(name, arity) else { return vec![] };
        let places = self.seen_families(name, arity);
        let proved: FxHashMap<&[usize], bool> =
            self.proved_groups().map(|(g, one)| (g.bases.as_slice(), one)).collect();
        let mut families = Vec::new();
        for place in places {
            let groups = self.fluents.relations[r].by_args(&place);
            // A group of one is no question.
            let found = |bases: &Vec<usize>| match bases.len() {
                1 => Some(self.proved(InvariantKind::AlwaysTrue, bases)),
                _ => proved.get(bases.as_slice()).copied(),
            };
            let found: Option<Vec<bool>> = groups.values().map(found).collect();
            families.extend(found.map(|one| (place, one.into_iter().all(|o| o))));
        }
        families
    }

    /// The sets of place arguments (from 0) of a relation that had at most one fact a place in all
    /// sampled states.
    pub(crate) fn seen_families(&self, name: &str, arity: usize) -> Vec<Vec<usize>> {
        let relation = self.fluents.find(name, arity);
        let of = |g: &MutexGroup| match &g.family[..] {
            [part] if Some(part.relation) == relation && part.only.is_none() => {
                Some(part.places.clone())
            }
            _ => None,
        };
        let mut places: Vec<Vec<usize>> = self.groups.iter().filter_map(of).collect();
        places.dedup();
        places
    }

    /// The sets of place arguments (from 0) of a relation that it shares with other relations, so that
    /// every place always has exactly one fact of one of them, by proof; with the text of the family.
    pub(crate) fn proved_shared(&self, name: &str, arity: usize) -> Vec<(Vec<usize>, String)> {
        let Some(r) = self.fluents.find(name, arity) else { return vec![] };
        let mut left: IndexMap<&[PlaceColumns], usize> = IndexMap::new();
        for group in self.groups.iter().filter(|g| g.family.len() > 1) {
            *left.entry(&group.family).or_default() += 1;
        }
        for (group, _) in self.proved_groups().filter(|(g, one)| *one && g.family.len() > 1) {
            left[&group.family[..]] -= 1;
        }
        let shared = |(family, open): (&[PlaceColumns], usize)| {
            let part = family.iter().find(|part| part.relation == r && open == 0)?;
            let variables: Vec<String> = part.places.iter().map(|a| variable(*a)).collect();
            Some((part.places.clone(), self.family_text(family, &variables)))
        };
        left.into_iter().filter_map(shared).collect()
    }

    /// Is there a proved invariant of this kind about exactly these bases or roles?
    pub fn proved(&self, kind: InvariantKind, about: &[usize]) -> bool {
        let same = |i: &&Invariant| i.kind == kind && i.about == about;
        let proved = |i: &Invariant| matches!(i.verdict, Verdict::Proved { .. });
        self.found.iter().find(same).is_some_and(proved)
    }
}
