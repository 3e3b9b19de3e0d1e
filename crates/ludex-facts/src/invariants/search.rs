//! The search for invariants: candidates seen in samples, proved together and one by one.

use super::ends::LATER;
use super::groups::PlaceColumns;
use super::implications::implications;
use super::phases::phases;
use super::{Invariant, InvariantKind, Invariants};
use crate::lemmas::Author;
use crate::prove::Verdict;
use crate::samples::Samples;
use indexmap::IndexMap;
use ludex_gdl::budget::Stop;
use ludex_net::Lit;
use rustc_hash::FxHashSet;

/// Questions to the solver for candidates that are proved together.
const GROUP_ROUNDS: usize = 500;
const OTHER_ROUNDS: usize = 600;
const PHASE_ROUNDS: usize = 20;
/// Phases are not worth that a larger net is encoded for them.
pub(super) const SMALL_NET: usize = 20_000;
/// Properties of single steps that are tried early, for the end of every match; more wait for their turn.
pub(super) const FEW_STEPS: usize = 1_500;
const IMPLICATION_ROUNDS: usize = 60;
/// Groups that are tried one by one in the end.
const SINGLE_PROOFS: usize = 10;
/// The longest induction for those.
const STEPS: usize = 2;
/// States of the matches that open candidates must stand, by the gates of the net.
const LONGER_WORK: usize = 50_000_000;
const LEAST_LONGER: usize = 1_000;
const MOST_LONGER: usize = 20_000;
/// Conflicts of the solver in one question.
pub const CONFLICTS: i32 = 50_000;

pub struct InvariantSearch<'w> {
    pub found: Invariants,
    /// What an earlier search has proved or refuted.
    decided: FxHashSet<(InvariantKind, Vec<usize>)>,
    /// Is shown what is found.
    pub watch: &'w mut dyn FnMut(&Invariants),
}

/// A property that may hold, before it is decided.
pub struct InvariantCandidate {
    pub kind: InvariantKind,
    pub about: Vec<usize>,
    pub group: Option<usize>,
    pub lit: Lit,
}

/// What becomes of a question that is not answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    /// It is asked again later.
    Kept,
    Reported,
}

impl<'w> InvariantSearch<'w> {
    pub fn new(found: Invariants, watch: &'w mut dyn FnMut(&Invariants)) -> InvariantSearch<'w> {
        let mut decided = FxHashSet::default();
        for i in found.found.iter().filter(|i| !matches!(i.verdict, Verdict::Unknown { .. })) {
            decided.extend(i.kind.parts().map(|kind| (kind, i.about.clone())));
        }
        InvariantSearch { found, decided, watch }
    }

    pub fn run(&mut self) -> Result<(), Stop> {
        self.end_at_once()?;
        let (whole, by_place): (Vec<_>, Vec<_>) =
            self.groups_by_relation().into_iter().partition(|part| self.are_whole(part));
        // What is proved in passing comes first: with it known, the rest may take its time.
        let whole = self.locally(whole)?;
        let early = self.turns(Open::Kept)?;
        let by_place = if early { self.by_moves(by_place)? } else { by_place };
        let known = self.found.prover.lemmas();
        let open = self.groups(whole)?;
        let turns = early || self.turns(Open::Kept)?;
        self.end_by_turns()?;
        self.phases()?;
        let more = !early || self.found.prover.lemmas() > known;
        let by_place = if more { self.by_moves(by_place)? } else { by_place };
        let open_end = !by_place.is_empty() && !self.end_before_groups()?;
        // They help groups of places to be inductive.
        let implied = open_end && self.in_part(LATER, Self::implications)?;
        let others = self.groups(by_place)?;
        let once = self.changing_once();
        let once = self.undecided(once);
        let once = if once.len() <= FEW_STEPS { self.steps(once)? } else { once };
        self.end_by_groups()?;
        let open = self.with_times(open.into_iter().chain(others).collect())?;
        self.small(open)?;
        self.goals_and_mobility()?;
        // Once more, with more lemmas.
        let once = self.steps(once)?;
        let unseen = self.unseen_latches();
        let unseen = self.undecided(unseen);
        self.steps(unseen)?;
        once.into_iter().for_each(|c| self.report(c, Verdict::Unknown { k: 1 }));
        if !turns {
            self.turns(Open::Reported)?;
        }
        self.end_at_last()?;
        if !implied {
            self.implications()?;
        }
        self.sift()
    }

    /// Drops what is open and fails in more matches than candidates were read from.
    fn sift(&mut self) -> Result<(), Stop> {
        let is_open = |i: &Invariant| {
            let verdict = matches!(i.verdict, Verdict::Unknown { .. });
            verdict && !matches!(i.kind, InvariantKind::Termination(_))
        };
        if !self.found.found.iter().any(is_open) {
            return Ok(());
        }
        let net = self.found.net.clone();
        let states = (LONGER_WORK / net.gates.len().max(1)).clamp(LEAST_LONGER, MOST_LONGER);
        let more = Samples::gather(&net, 2, states, self.found.prover.budget())?;
        self.found.found.retain(|i| !is_open(i) || !i.kind.fails_in(&i.about, &more));
        Ok(())
    }

    /// Candidates that an earlier search has not decided.
    pub(super) fn undecided(
        &self,
        mut candidates: Vec<InvariantCandidate>,
    ) -> Vec<InvariantCandidate> {
        if !self.decided.is_empty() {
            candidates.retain(|c| !self.decided.contains(&(c.kind, c.about.clone())));
        }
        candidates
    }

    pub(super) fn merge_groups(&mut self) {
        self.found.merge_groups();
        (self.watch)(&self.found);
    }

    /// A candidate of a kind that speaks of the bases of a state alone.
    pub fn candidate(
        &mut self,
        kind: InvariantKind,
        about: Vec<usize>,
        group: Option<usize>,
    ) -> InvariantCandidate {
        let lits: Vec<Lit> = about.iter().map(|b| self.base(*b)).collect();
        let lit = kind.lit(&lits, &mut self.found.prover).expect("of the bases of a state");
        InvariantCandidate { kind, about, group, lit }
    }

    pub fn base(&self, base: usize) -> Lit {
        self.found.net.base_lit(base)
    }

    pub(super) fn report(&mut self, candidate: InvariantCandidate, verdict: Verdict) {
        let InvariantCandidate { kind, about, group, .. } = candidate;
        let (lemmas, by) = (vec![], Author::Invariants);
        self.found.found.push(Invariant { kind, about, verdict, group, lemmas, by });
    }

    /// Reports what is decided of every state; what is proved becomes a lemma.
    fn report_of_states(&mut self, candidate: InvariantCandidate, verdict: Verdict) {
        let lemma = match verdict {
            Verdict::Proved { .. } => Some(self.found.prover.add_lemma(candidate.lit)),
            _ => None,
        };
        self.report(candidate, verdict);
        self.found.found.last_mut().expect("just reported").lemmas.extend(lemma);
    }

    /// The groups that local proofs do not show to be inductive.
    fn locally(
        &mut self,
        parts: Vec<Vec<InvariantCandidate>>,
    ) -> Result<Vec<Vec<InvariantCandidate>>, Stop> {
        let mut open = Vec::new();
        for part in parts {
            let lits: Vec<Lit> = part.iter().map(|c| c.lit).collect();
            let proved = self.found.prover.local(&lits)?;
            open.push(self.report_kept(part, proved));
            self.merge_groups();
        }
        open.retain(|part| !part.is_empty());
        Ok(open)
    }

    /// The groups that proofs move by move, or local ones where roles do not take turns, do not show to
    /// be inductive.
    fn by_moves(
        &mut self,
        parts: Vec<Vec<InvariantCandidate>>,
    ) -> Result<Vec<Vec<InvariantCandidate>>, Stop> {
        if parts.is_empty() {
            return Ok(parts);
        }
        let lits: Vec<Lit> = parts.iter().flatten().map(|c| c.lit).collect();
        let Some(proved) = self.found.prover.by_moves(&lits)? else { return self.locally(parts) };
        let parts = parts.into_iter().map(|part| self.report_kept(part, proved.clone()));
        let open = parts.filter(|part| !part.is_empty()).collect();
        self.merge_groups();
        self.locally(open)
    }

    /// Groups say most, so they come first, those of whole relations (such as `control`) and of small
    /// ones before others. What is left of them is given back.
    fn groups(
        &mut self,
        parts: Vec<Vec<InvariantCandidate>>,
    ) -> Result<Vec<InvariantCandidate>, Stop> {
        let mut open = Vec::new();
        for groups in parts {
            open.extend(self.together(groups, GROUP_ROUNDS)?);
            self.merge_groups();
        }
        Ok(open)
    }

    /// The many small properties, together with what is left of the groups.
    fn small(&mut self, open: Vec<InvariantCandidate>) -> Result<(), Stop> {
        let mut others = self.constants();
        others.extend(self.equal());
        let mut others = self.undecided(others);
        others.extend(open);
        let mut open = self.together(others, OTHER_ROUNDS)?;
        // A board needs that a place holds one fact at most.
        open.sort_by_key(|c| (c.group.is_none(), c.kind != InvariantKind::AtMostOne));
        for (i, candidate) in open.into_iter().enumerate() {
            let verdict = match candidate.group {
                Some(_) if i < SINGLE_PROOFS => self.found.prover.prove(candidate.lit, STEPS)?,
                _ => Verdict::Unknown { k: 1 },
            };
            self.report_of_states(candidate, verdict);
        }
        self.merge_groups();
        Ok(())
    }

    fn goals_and_mobility(&mut self) -> Result<(), Stop> {
        self.found.prover.effort = CONFLICTS / 5;
        let candidates = self.of_goals_and_mobility();
        for candidate in self.undecided(candidates) {
            let verdict = match self.seen_to_fail(&candidate) {
                Some(state) => Verdict::Refuted { moves: self.found.samples.line_to(state) },
                None => self.found.prover.prove(candidate.lit, STEPS)?,
            };
            self.report_of_states(candidate, verdict);
            (self.watch)(&self.found);
        }
        Ok(())
    }

    /// Whether groups are about whole relations.
    fn are_whole(&self, part: &[InvariantCandidate]) -> bool {
        let whole = |c: &InvariantCandidate| {
            let group = &self.found.groups[c.group.expect("of a group")];
            group.family.iter().all(PlaceColumns::is_whole)
        };
        part.iter().all(whole)
    }

    /// The candidates of each relation, and of relations together, few before many.
    fn groups_by_relation(&mut self) -> Vec<Vec<InvariantCandidate>> {
        type Kinds = Vec<(usize, Option<(usize, String)>)>;
        let mut parts: IndexMap<Kinds, Vec<InvariantCandidate>> = IndexMap::new();
        let groups = self.one_of_groups();
        for candidate in self.undecided(groups) {
            let group = &self.found.groups[candidate.group.expect("of a group")];
            let kinds = group.family.iter().map(|part| (part.relation, part.only.clone()));
            parts.entry(kinds.collect()).or_default().push(candidate);
        }
        let mut parts: Vec<Vec<InvariantCandidate>> = parts.into_values().collect();
        parts.sort_by_key(Vec::len);
        parts
    }

    /// Reports the candidates that are inductive together and makes them lemmas; the others are left.
    pub(super) fn together(
        &mut self,
        candidates: Vec<InvariantCandidate>,
        rounds: usize,
    ) -> Result<Vec<InvariantCandidate>, Stop> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let lits: Vec<Lit> = candidates.iter().map(|c| c.lit).collect();
        let proved = self.found.prover.inductive_within(&lits, rounds)?;
        Ok(self.report_kept(candidates, proved))
    }

    /// Reports the candidates that were kept, by these lemmas; the others are left.
    fn report_kept(
        &mut self,
        candidates: Vec<InvariantCandidate>,
        (kept, lemmas): (Vec<Lit>, Vec<usize>),
    ) -> Vec<InvariantCandidate> {
        let kept: FxHashSet<Lit> = kept.into_iter().collect();
        let (proved, open): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|c| kept.contains(&c.lit));
        for candidate in proved {
            let verdict = Verdict::Proved { k: 1, lemmas: lemmas.clone() };
            self.report_of_states(candidate, verdict);
        }
        open
    }

    /// A sampled state in which a property of goals or mobility fails. The others hold in all.
    fn seen_to_fail(&self, candidate: &InvariantCandidate) -> Option<usize> {
        let role = *candidate.about.first()?;
        let samples = &self.found.samples;
        let fails = |s: &usize| match candidate.kind {
            InvariantKind::Mobility => !samples.terminal[*s] && samples.legal[*s][role] == 0,
            InvariantKind::OneGoal => samples.terminal[*s] && samples.goals[*s][role].is_none(),
            InvariantKind::ConstantSum(sum) => {
                let total = samples.goals[*s].iter().copied().sum::<Option<i32>>();
                samples.terminal[*s] && total != Some(sum)
            }
            _ => false,
        };
        (0..samples.states.len()).find(fails)
    }

    /// What is there only while something else is, or is not: in a later phase of the game.
    fn phases(&mut self) -> Result<(), Stop> {
        let mut candidates = Vec::new();
        for phase in phases(&self.found.fluents, &self.found.samples) {
            let facts = |r: usize| self.found.fluents.relations[r].facts.iter().map(|f| f.base);
            let (of, other): (Vec<_>, Vec<_>) =
                (facts(phase.of).collect(), facts(phase.other).collect());
            let kind = match phase.some {
                true => InvariantKind::OnlyWith(of.len()),
                false => InvariantKind::NeverWith(of.len()),
            };
            candidates.push(self.candidate(kind, [of, other].concat(), None));
        }
        let candidates = self.undecided(candidates);
        let open = self.locally(vec![candidates])?;
        if self.found.net.gates.len() > SMALL_NET {
            return Ok(());
        }
        self.together(open.into_iter().flatten().collect(), PHASE_ROUNDS).map(|_| ())
    }

    /// Reports the properties of single steps that follow from the lemmas; the others are left.
    fn steps(
        &mut self,
        candidates: Vec<InvariantCandidate>,
    ) -> Result<Vec<InvariantCandidate>, Stop> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let once = |c: &InvariantCandidate| {
            matches!(c.kind, InvariantKind::Persistent | InvariantKind::NeverReturns)
        };
        let of_steps = candidates.iter().all(once);
        let lits: Vec<Lit> = candidates.iter().map(|c| c.lit).collect();
        let (implied, stop) = self.found.prover.implied_in_time(&lits, of_steps);
        let proved: Vec<Lit> = lits.iter().zip(&implied).filter(|x| *x.1).map(|x| *x.0).collect();
        let lemmas = match stop {
            None => self.found.prover.lemmas_of(&proved, of_steps)?,
            // There is no time to find out which.
            Some(_) => (0..self.found.prover.lemmas()).collect(),
        };
        let mut open = Vec::new();
        for (candidate, implied) in candidates.into_iter().zip(implied) {
            match implied {
                true => self.report(candidate, Verdict::Proved { k: 1, lemmas: lemmas.clone() }),
                false => open.push(candidate),
            }
        }
        (self.watch)(&self.found);
        stop.map_or(Ok(open), Err)
    }

    /// Of implications there are many that only seem to hold: only proved ones are reported.
    fn implications(&mut self) -> Result<bool, Stop> {
        let pairs = implications(&self.found.samples);
        let candidate = |(a, b)| self.candidate(InvariantKind::Implies, vec![a, b], None);
        let candidates = pairs.into_iter().map(candidate).collect();
        let candidates = self.undecided(candidates);
        self.together(candidates, IMPLICATION_ROUNDS).map(|_| true)
    }

    /// Decides properties of single steps from the lemmas, all or none of them with `Open::Kept`.
    /// False if something is left open.
    pub(super) fn decide_steps(
        &mut self,
        candidates: Vec<InvariantCandidate>,
        open: Open,
    ) -> Result<bool, Stop> {
        let candidates = self.undecided(candidates);
        if candidates.is_empty() {
            return Ok(true);
        }
        let lits: Vec<Lit> = candidates.iter().map(|c| c.lit).collect();
        let all = open == Open::Reported || self.found.prover.implied(&lits)?.iter().all(|i| *i);
        if !all {
            return Ok(false);
        }
        let left = self.steps(candidates)?;
        let all = left.is_empty();
        left.into_iter().for_each(|c| self.report(c, Verdict::Unknown { k: 1 }));
        Ok(all)
    }

    /// The lemmas that are about exactly these bases.
    pub(super) fn lemmas_about(&self, bases: &[usize]) -> Vec<usize> {
        let same = self.found.found.iter().filter(|i| i.about == bases);
        same.flat_map(|i| i.lemmas.iter().copied()).collect()
    }

    /// Who has a choice when, told by the facts of one exactly-one group. False if that is open.
    fn turns(&mut self, open: Open) -> Result<bool, Stop> {
        let net = self.found.net.clone();
        let groups = self.found.proved_groups().filter(|(g, one)| *one && g.bases.len() <= 64);
        let families = groups.map(|(g, _)| -> Vec<Vec<usize>> {
            (0..net.roles.len()).map(|role| self.choosing(role, &g.bases)).collect()
        });
        let families = families.filter(|f| all_different(f.concat()));
        let family = families.min_by_key(|f| f.concat().len()).filter(|_| net.roles.len() > 1);
        let Some(family) = family else { return Ok(false) };
        let mut candidates = Vec::new();
        for (role, bases) in family.iter().enumerate() {
            let legal: Vec<Lit> = net.inputs_of(role).map(|i| net.inputs[i].legal).collect();
            let one = match self.all_but_one_need(&legal, bases) {
                true => Lit::TRUE,
                false => self.found.prover.at_most_one(&legal),
            };
            let turn: Vec<Lit> =
                bases.iter().map(|b| self.base(*b)).chain([one, net.terminal]).collect();
            let lit = self.found.prover.or(turn);
            let about = [role].into_iter().chain(bases.iter().copied()).collect();
            candidates.push(InvariantCandidate {
                kind: InvariantKind::Turn,
                about,
                group: None,
                lit,
            });
        }
        candidates.extend(self.alternation(&family));
        self.decide_steps(candidates, open)
    }

    /// Whether all of these but one are conjunctions with one of the bases.
    fn all_but_one_need(&self, legal: &[Lit], bases: &[usize]) -> bool {
        let needs = |lit: &&Lit| {
            let conditions = self.found.net.conjuncts(**lit);
            bases.iter().any(|b| conditions.binary_search(&self.base(*b)).is_ok())
        };
        legal.iter().filter(|lit| !needs(lit)).take(2).count() < 2
    }

    /// The bases that were true in some state in which a role had a choice.
    fn choosing(&self, role: usize, bases: &[usize]) -> Vec<usize> {
        let had_choice = |s: &usize| self.found.samples.legal[*s][role] > 1;
        let states: Vec<usize> = (0..self.found.samples.states.len()).filter(had_choice).collect();
        let seen = |b: &usize| states.iter().any(|s| self.found.samples.holds(*s, *b));
        bases.iter().copied().filter(seen).collect()
    }

    /// One base per role, each followed by the next one's.
    fn alternation(&mut self, family: &[Vec<usize>]) -> Option<InvariantCandidate> {
        if family.iter().any(|bases| bases.len() != 1) {
            return None;
        }
        let bases = family.concat();
        let after = |b: usize| {
            let step = self.found.samples.steps().find(|s| self.found.samples.holds(*s, b))?;
            bases.iter().copied().find(|c| self.found.samples.holds(step + 1, *c))
        };
        let mut order = vec![*bases.iter().find(|b| self.found.net.bases[**b].initial)?];
        while order.len() < bases.len() {
            let next = after(*order.last().expect("not empty"))?;
            if order.contains(&next) {
                return None;
            }
            order.push(next);
        }
        let mut follows = Vec::new();
        for (i, b) in order.iter().enumerate() {
            let next = self.found.net.bases[order[(i + 1) % order.len()]].next;
            follows.push(self.found.prover.or([!self.found.net.base_lit(*b), next]));
        }
        let lit = self.found.prover.and(follows);
        Some(InvariantCandidate {
            kind: InvariantKind::Alternation,
            about: order,
            group: None,
            lit,
        })
    }
}

fn all_different(mut items: Vec<usize>) -> bool {
    let count = items.len();
    items.sort_unstable();
    items.dedup();
    items.len() == count
}
