//! `Net` -> `Invariants`: what holds in every reachable state, found by itself and proved.
//!
//! Candidates are read from samples of random play. Those about one state are proved all together,
//! dropping what is not inductive; what is left serves as lemmas for properties of single steps.

use super::counter;
use super::fluents::Fluents;
use super::groups::{Group, groups};
use super::implications::implications;
use super::samples::Samples;
use crate::budget::{Budget, Stop};
use crate::net::{Lit, Net};
use crate::prove::{Prover, Verdict};
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What an invariant says of its bases (`about`), or of its roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Of these bases exactly one is true.
    ExactlyOne,
    AtMostOne,
    AlwaysTrue,
    AlwaysFalse,
    /// The two bases have equal values.
    Equivalent,
    /// Wherever the first base is true, the second is.
    Implies,
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
    /// Every match ends after at most this many steps.
    Termination(usize),
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub kind: Kind,
    pub about: Vec<usize>,
    pub verdict: Verdict,
    /// The group of which an exactly-one or at-most-one invariant speaks.
    pub group: Option<usize>,
}

pub struct Invariants {
    pub net: Arc<Net>,
    pub fluents: Fluents,
    pub groups: Vec<Group>,
    pub found: Vec<Invariant>,
    /// The states from which candidates were read.
    pub samples: Samples,
    /// Why the search ended before its end.
    pub stopped: Option<Stop>,
    /// With every proved invariant over one state as a lemma.
    pub prover: Prover,
}

/// States of random play from which candidates are read.
const SAMPLES: usize = 2_000;
/// Questions to the solver for candidates that are proved together.
const GROUP_ROUNDS: usize = 500;
const OTHER_ROUNDS: usize = 600;
const IMPLICATION_ROUNDS: usize = 60;
/// Groups that are tried one by one in the end.
const SINGLE_PROOFS: usize = 10;
/// Conflicts of the solver in one question.
const CONFLICTS: i32 = 50_000;

impl Invariants {
    /// All invariants that are looked for.
    pub fn find(net: &Arc<Net>, budget: &Budget) -> Result<Invariants, Stop> {
        let found = Invariants::within(net, budget)?;
        found.stopped.map_or(Ok(found), Err)
    }

    /// The invariants that are found before the budget ends; none if not even samples are.
    pub fn within(net: &Arc<Net>, budget: &Budget) -> Result<Invariants, Stop> {
        let samples = Samples::gather(net, 1, SAMPLES, budget)?;
        let fluents = Fluents::new(net);
        let groups = groups(&fluents, &samples);
        let mut prover = Prover::new(Net::clone(net), budget);
        prover.effort = CONFLICTS;
        let (net, found) = (net.clone(), vec![]);
        let found = Invariants { net, fluents, groups, found, samples, stopped: None, prover };
        let mut search = Search { found };
        let done = search.run();
        search.found.stopped = done.err();
        Ok(search.found)
    }

    /// The proved groups, with whether exactly one of their bases is always true.
    pub fn proved_groups(&self) -> impl Iterator<Item = (&Group, bool)> {
        let proved = self.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        proved.filter_map(|i| Some((&self.groups[i.group?], i.kind == Kind::ExactlyOne)))
    }

    /// The sets of place arguments (from 0) of a relation all of whose groups are proved, with
    /// whether exactly one fact of each is always true.
    pub fn proved_families(&self, name: &str, arity: usize) -> Vec<(Vec<usize>, bool)> {
        let Some(r) = self.fluents.find(name, arity) else { return vec![] };
        let places = self.seen_families(name, arity);
        let proved: FxHashMap<&[usize], bool> =
            self.proved_groups().map(|(g, one)| (g.bases.as_slice(), one)).collect();
        let mut families = Vec::new();
        for place in places {
            let groups = self.fluents.relations[r].by_args(&place);
            // A group of one is no question.
            let found = |bases: &Vec<usize>| match bases.len() {
                1 => Some(self.proved(Kind::AlwaysTrue, bases)),
                _ => proved.get(bases.as_slice()).copied(),
            };
            let found: Option<Vec<bool>> = groups.values().map(found).collect();
            families.extend(found.map(|one| (place, one.into_iter().all(|o| o))));
        }
        families
    }

    /// The sets of place arguments (from 0) of a relation that had at most one fact a place in all
    /// sampled states.
    pub fn seen_families(&self, name: &str, arity: usize) -> Vec<Vec<usize>> {
        let relation = self.fluents.find(name, arity);
        let of = |g: &Group| g.family.clone().filter(|f| Some(f.0) == relation).map(|f| f.1);
        let mut places: Vec<Vec<usize>> = self.groups.iter().filter_map(of).collect();
        places.dedup();
        places
    }

    /// Is there a proved invariant of this kind about exactly these bases or roles?
    pub fn proved(&self, kind: Kind, about: &[usize]) -> bool {
        let same = |i: &&Invariant| i.kind == kind && i.about == about;
        let proved = |i: &Invariant| matches!(i.verdict, Verdict::Proved { .. });
        self.found.iter().find(same).is_some_and(proved)
    }
}

struct Search {
    found: Invariants,
}

/// A property that may hold, before it is decided.
struct Candidate {
    kind: Kind,
    about: Vec<usize>,
    group: Option<usize>,
    lit: Lit,
}

impl Search {
    fn run(&mut self) -> Result<(), Stop> {
        self.states()?;
        self.steps()?;
        self.turns()?;
        self.termination()?;
        self.implications()
    }

    fn base(&self, base: usize) -> Lit {
        self.found.net.base_lit(base)
    }

    fn report(&mut self, candidate: Candidate, verdict: Verdict) {
        let Candidate { kind, about, group, .. } = candidate;
        self.found.found.push(Invariant { kind, about, verdict, group });
    }

    /// Properties of one state. Groups say most, so they come first, those of small relations (such
    /// as `control`) before others; what is left of them is tried again together with the many small
    /// properties.
    fn states(&mut self) -> Result<(), Stop> {
        let mut open = Vec::new();
        for groups in self.groups_by_relation() {
            open.extend(self.together(groups, GROUP_ROUNDS)?);
        }
        let mut others = self.constants();
        others.extend(self.equal());
        others.extend(open);
        let open = self.together(others, OTHER_ROUNDS)?;
        for (i, candidate) in open.into_iter().enumerate() {
            let verdict = match candidate.group {
                Some(_) if i < SINGLE_PROOFS => self.prove(candidate.lit)?,
                _ => Verdict::Unknown { k: 1 },
            };
            self.report(candidate, verdict);
        }
        self.merge_groups();
        self.found.prover.effort = CONFLICTS / 5;
        for candidate in self.goals_and_mobility() {
            let verdict = match self.seen_to_fail(&candidate) {
                Some(state) => Verdict::Refuted { moves: self.found.samples.line_to(state) },
                None => self.prove(candidate.lit)?,
            };
            self.report(candidate, verdict);
        }
        Ok(())
    }

    /// The candidates of each relation and of mixed groups, few before many.
    fn groups_by_relation(&mut self) -> Vec<Vec<Candidate>> {
        let mut parts: IndexMap<Option<usize>, Vec<Candidate>> = IndexMap::new();
        for candidate in self.one_of_groups() {
            let family = candidate.group.and_then(|g| self.found.groups[g].family.as_ref());
            parts.entry(family.map(|f| f.0)).or_default().push(candidate);
        }
        let mut parts: Vec<Vec<Candidate>> = parts.into_values().collect();
        parts.sort_by_key(Vec::len);
        parts
    }

    /// Reports the candidates that are inductive together and makes them lemmas; the others are left.
    fn together(
        &mut self,
        candidates: Vec<Candidate>,
        rounds: usize,
    ) -> Result<Vec<Candidate>, Stop> {
        let lits: Vec<Lit> = candidates.iter().map(|c| c.lit).collect();
        let kept = self.found.prover.inductive_within(&lits, rounds)?;
        let kept: FxHashSet<Lit> = kept.into_iter().collect();
        let (proved, open): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|c| kept.contains(&c.lit));
        for candidate in proved {
            self.found.prover.add_lemma(candidate.lit);
            self.report(candidate, Verdict::Proved { k: 1, lemmas: vec![] });
        }
        Ok(open)
    }

    /// Decides one property; what is proved becomes a lemma.
    fn prove(&mut self, lit: Lit) -> Result<Verdict, Stop> {
        let verdict = self.found.prover.prove(lit, 2)?;
        if let Verdict::Proved { .. } = verdict {
            self.found.prover.add_lemma(lit);
        }
        Ok(verdict)
    }

    /// A sampled state in which a property of goals or mobility fails. The others hold in all.
    fn seen_to_fail(&self, candidate: &Candidate) -> Option<usize> {
        let role = *candidate.about.first()?;
        let samples = &self.found.samples;
        let fails = |s: &usize| match candidate.kind {
            Kind::Mobility => !samples.terminal[*s] && samples.legal[*s][role] == 0,
            Kind::OneGoal => samples.terminal[*s] && samples.goals[*s][role].is_none(),
            Kind::ConstantSum(sum) => {
                let total = samples.goals[*s].iter().copied().sum::<Option<i32>>();
                samples.terminal[*s] && total != Some(sum)
            }
            _ => false,
        };
        (0..samples.states.len()).find(fails)
    }

    fn constants(&self) -> Vec<Candidate> {
        let all = self.found.samples.states.len();
        let count = |b: usize| {
            self.found.samples.columns[b].iter().map(|w| w.count_ones() as usize).sum::<usize>()
        };
        let constant = |b: usize| match count(b) {
            0 => Some((Kind::AlwaysFalse, !self.base(b))),
            n if n == all => Some((Kind::AlwaysTrue, self.base(b))),
            _ => None,
        };
        let bases = 0..self.found.net.bases.len();
        bases
            .filter_map(|b| {
                let (kind, lit) = constant(b)?;
                Some(Candidate { kind, about: vec![b], group: None, lit })
            })
            .collect()
    }

    /// Bases with equal columns, each beside the first of its kind.
    fn equal(&mut self) -> Vec<Candidate> {
        let mut first: FxHashMap<&[u64], usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (base, column) in self.found.samples.columns.iter().enumerate() {
            let constant = self.found.samples.one_of(&[base]).0 || column.iter().all(|w| *w == 0);
            let same = *first.entry(column).or_insert(base);
            if same != base && !constant {
                pairs.push((same, base));
            }
        }
        pairs
            .into_iter()
            .map(|(a, b)| {
                let (x, y) = (self.base(a), self.base(b));
                let (up, down) = (self.found.prover.or([!x, y]), self.found.prover.or([x, !y]));
                let lit = self.found.prover.and([up, down]);
                Candidate { kind: Kind::Equivalent, about: vec![a, b], group: None, lit }
            })
            .collect()
    }

    /// For every group that at most one and, where so seen, at least one of its bases is true.
    fn one_of_groups(&mut self) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for g in 0..self.found.groups.len() {
            let Group { bases, always, .. } = self.found.groups[g].clone();
            let lits: Vec<Lit> = bases.iter().map(|b| self.base(*b)).collect();
            let lit = self.found.prover.at_most_one(&lits);
            candidates.push(Candidate {
                kind: Kind::AtMostOne,
                about: bases.clone(),
                group: Some(g),
                lit,
            });
            if always {
                let lit = self.found.prover.or(lits);
                candidates.push(Candidate {
                    kind: Kind::ExactlyOne,
                    about: bases,
                    group: Some(g),
                    lit,
                });
            }
        }
        candidates
    }

    /// At most one and at least one are together exactly one: only the stronger is kept.
    fn merge_groups(&mut self) {
        let proved = |i: &Invariant| matches!(i.verdict, Verdict::Proved { .. });
        let found = &self.found.found;
        let holds =
            |kind, group| found.iter().any(|i| i.kind == kind && i.group == group && proved(i));
        let keep: Vec<bool> = found
            .iter()
            .map(|i| match i.kind {
                Kind::AtMostOne => i.about.len() > 1 && !holds(Kind::ExactlyOne, i.group),
                Kind::ExactlyOne => i.about.len() > 1 && holds(Kind::AtMostOne, i.group),
                _ => true,
            })
            .collect();
        let mut keep = keep.into_iter();
        self.found.found.retain(|_| keep.next().expect("one each"));
    }

    fn goals_and_mobility(&mut self) -> Vec<Candidate> {
        let net = self.found.net.clone();
        let prover = &mut self.found.prover;
        let mut candidates = Vec::new();
        let about = |kind, about, lit| Candidate { kind, about, group: None, lit };
        for role in 0..net.roles.len() {
            let legal = net.inputs_of(role).map(|i| net.inputs[i].legal);
            let lit = prover.or(legal.chain([net.terminal]).collect::<Vec<_>>());
            candidates.push(about(Kind::Mobility, vec![role], lit));
            let goals: Vec<Lit> = net.goals[role].iter().map(|g| g.1).collect();
            let (one, some) = (prover.at_most_one(&goals), prover.or(goals));
            let exactly = prover.and([one, some]);
            let lit = prover.or([!net.terminal, exactly]);
            candidates.push(about(Kind::OneGoal, vec![role], lit));
        }
        candidates.extend(self.constant_sum());
        candidates
    }

    /// That the goals add up to the sum first seen: no other combination of values is possible.
    fn constant_sum(&mut self) -> Option<Candidate> {
        let net = self.found.net.clone();
        let combinations: usize = net.goals.iter().map(Vec::len).product();
        let sum = self
            .found
            .samples
            .goals
            .iter()
            .find(|g| !g.is_empty())?
            .iter()
            .copied()
            .sum::<Option<i32>>()?;
        if net.roles.len() < 2 || combinations > 2_000 {
            return None;
        }
        let mut wrong = Vec::new();
        for mut n in 0..combinations {
            let choice = net.goals.iter().map(|values| {
                let value = values[n % values.len()];
                n /= values.len();
                value
            });
            let choice: Vec<(i32, Lit)> = choice.collect();
            if choice.iter().map(|c| c.0).sum::<i32>() != sum {
                wrong.push(self.found.prover.and(choice.iter().map(|c| c.1)));
            }
        }
        let wrong = self.found.prover.or(wrong);
        let lit = self.found.prover.or([!net.terminal, !wrong]);
        let about = (0..net.roles.len()).collect();
        Some(Candidate { kind: Kind::ConstantSum(sum), about, group: None, lit })
    }

    /// Bases that were never seen to fall, or to come back.
    fn steps(&mut self) -> Result<(), Stop> {
        let mut candidates = Vec::new();
        for base in 0..self.found.net.bases.len() {
            let values = |s: usize| {
                (self.found.samples.holds(s, base), self.found.samples.holds(s + 1, base))
            };
            let seen = |pair| self.found.samples.steps().any(|s| values(s) == pair);
            let (rises, falls) = (seen((false, true)), seen((true, false)));
            let (now, next) = (self.base(base), self.found.net.bases[base].next);
            if rises && !falls {
                candidates.push((Kind::Persistent, base, !now, next));
            } else if falls && !rises {
                candidates.push((Kind::NeverReturns, base, now, !next));
            }
        }
        let candidates: Vec<Candidate> = candidates
            .into_iter()
            .map(|(kind, base, a, b)| {
                let lit = self.found.prover.or([a, b]);
                Candidate { kind, about: vec![base], group: None, lit }
            })
            .collect();
        self.decide_steps(candidates)
    }

    /// Of implications there are many that only seem to hold: only proved ones are reported.
    fn implications(&mut self) -> Result<(), Stop> {
        let pairs = implications(&self.found.samples);
        let mut candidates = Vec::new();
        for (a, b) in pairs {
            let lit = self.found.prover.or([!self.base(a), self.base(b)]);
            let about = vec![a, b];
            candidates.push(Candidate { kind: Kind::Implies, about, group: None, lit });
        }
        self.together(candidates, IMPLICATION_ROUNDS).map(|_| ())
    }

    /// Decides properties of single steps from the lemmas.
    fn decide_steps(&mut self, candidates: Vec<Candidate>) -> Result<(), Stop> {
        let lits: Vec<Lit> = candidates.iter().map(|c| c.lit).collect();
        let implied = self.found.prover.implied(&lits)?;
        for (candidate, implied) in candidates.into_iter().zip(implied) {
            let verdict = match implied {
                true => Verdict::Proved { k: 1, lemmas: vec![] },
                false => Verdict::Unknown { k: 1 },
            };
            self.report(candidate, verdict);
        }
        Ok(())
    }

    /// Who has a choice when, told by the facts of one exactly-one group.
    fn turns(&mut self) -> Result<(), Stop> {
        let net = self.found.net.clone();
        let groups = self.found.proved_groups().filter(|(g, one)| *one && g.bases.len() <= 64);
        let families = groups.map(|(g, _)| -> Vec<Vec<usize>> {
            (0..net.roles.len()).map(|role| self.choosing(role, &g.bases)).collect()
        });
        let families = families.filter(|f| all_different(f.concat()));
        let family = families.min_by_key(|f| f.concat().len()).filter(|_| net.roles.len() > 1);
        let Some(family) = family else { return Ok(()) };
        let mut candidates = Vec::new();
        for (role, bases) in family.iter().enumerate() {
            let legal: Vec<Lit> = net.inputs_of(role).map(|i| net.inputs[i].legal).collect();
            let one = self.found.prover.at_most_one(&legal);
            let turn: Vec<Lit> =
                bases.iter().map(|b| self.base(*b)).chain([one, net.terminal]).collect();
            let lit = self.found.prover.or(turn);
            let about = [role].into_iter().chain(bases.iter().copied()).collect();
            candidates.push(Candidate { kind: Kind::Turn, about, group: None, lit });
        }
        candidates.extend(self.alternation(&family));
        self.decide_steps(candidates)
    }

    /// The bases that were true in some state in which a role had a choice.
    fn choosing(&self, role: usize, bases: &[usize]) -> Vec<usize> {
        let had_choice = |s: &usize| self.found.samples.legal[*s][role] > 1;
        let states: Vec<usize> = (0..self.found.samples.states.len()).filter(had_choice).collect();
        let seen = |b: &usize| states.iter().any(|s| self.found.samples.holds(*s, *b));
        bases.iter().copied().filter(seen).collect()
    }

    /// One base per role, each followed by the next one's.
    fn alternation(&mut self, family: &[Vec<usize>]) -> Option<Candidate> {
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
        Some(Candidate { kind: Kind::Alternation, about: order, group: None, lit })
    }

    /// A counter that only goes forward, or facts that change only once and of which one always does.
    fn termination(&mut self) -> Result<(), Stop> {
        let counters: Vec<Vec<usize>> = self
            .found
            .proved_groups()
            .filter(|(g, one)| *one && g.family.as_ref().is_some_and(|f| f.1.is_empty()))
            .map(|(g, _)| g.bases.clone())
            .collect();
        for bases in counters {
            if let Some(steps) = counter::longest(&self.found.prover, &bases)? {
                let verdict = Verdict::Proved { k: 1, lemmas: vec![] };
                let kind = Kind::Termination(steps);
                self.found.found.push(Invariant { kind, about: bases, verdict, group: None });
                return Ok(());
            }
        }
        let once = self.found.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        let once = once.filter(|i| matches!(i.kind, Kind::Persistent | Kind::NeverReturns));
        let about: Vec<usize> = once.map(|i| i.about[0]).collect();
        let mut changes = Vec::new();
        for base in &about {
            let (now, next) = (self.base(*base), self.found.net.bases[*base].next);
            changes.push(self.found.prover.and([now, !next]));
            changes.push(self.found.prover.and([!now, next]));
        }
        let lit = self.found.prover.or(changes);
        let kind = Kind::Termination(about.len());
        self.decide_steps(vec![Candidate { kind, about, group: None, lit }])
    }
}

fn all_different(mut items: Vec<usize>) -> bool {
    let count = items.len();
    items.sort_unstable();
    items.dedup();
    items.len() == count
}
