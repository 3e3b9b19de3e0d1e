//! Candidates for invariants, read from samples of random play.

use super::InvariantKind;
use super::groups::MutexGroup;
use super::search::{InvariantCandidate, InvariantSearch};
use crate::prove::Verdict;
use crate::samples::Samples;
use ludex_net::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

impl InvariantKind {
    /// Whether what is said of these bases fails in a sampled state, or from one to the next.
    pub(super) fn fails_in(self, about: &[usize], samples: &Samples) -> bool {
        let changes = |before: bool| {
            let holds = |s: usize| samples.holds(s, about[0]);
            samples.steps().any(|s| holds(s) == before && holds(s + 1) != before)
        };
        match self {
            InvariantKind::AtMostOne => !samples.one_of(about).1,
            InvariantKind::AtLeastOne | InvariantKind::AlwaysTrue => !samples.one_of(about).0,
            InvariantKind::ExactlyOne => samples.one_of(about) != (true, true),
            InvariantKind::AlwaysFalse => samples.was_true(about[0]),
            InvariantKind::Equivalent => samples.columns[about[0]] != samples.columns[about[1]],
            InvariantKind::Persistent => changes(true),
            InvariantKind::NeverReturns => changes(false),
            _ => false,
        }
    }
}

impl InvariantSearch<'_> {
    pub(super) fn constants(&mut self) -> Vec<InvariantCandidate> {
        let samples = &self.found.samples;
        let constant = |b: usize| match (samples.was_true(b), samples.one_of(&[b]).0) {
            (false, _) => Some((InvariantKind::AlwaysFalse, b)),
            (true, true) => Some((InvariantKind::AlwaysTrue, b)),
            _ => None,
        };
        let constants: Vec<_> = (0..self.found.net.bases.len()).filter_map(constant).collect();
        constants.into_iter().map(|(kind, b)| self.candidate(kind, vec![b], None)).collect()
    }

    /// Bases with equal columns, each beside the first of its kind.
    pub(super) fn equal(&mut self) -> Vec<InvariantCandidate> {
        let mut first: FxHashMap<&[u64], usize> = FxHashMap::default();
        let mut pairs = Vec::new();
        for (base, column) in self.found.samples.columns.iter().enumerate() {
            let constant = self.found.samples.one_of(&[base]).0 || column.iter().all(|w| *w == 0);
            let same = *first.entry(column).or_insert(base);
            if same != base && !constant {
                pairs.push((same, base));
            }
        }
        let equal = |(a, b)| self.candidate(InvariantKind::Equivalent, vec![a, b], None);
        pairs.into_iter().map(equal).collect()
    }

    /// For every group that at most one and, where so seen, at least one of its bases is true.
    pub(super) fn one_of_groups(&mut self) -> Vec<InvariantCandidate> {
        let mut candidates = Vec::new();
        for g in 0..self.found.groups.len() {
            let MutexGroup { bases, always, .. } = self.found.groups[g].clone();
            candidates.push(self.candidate(InvariantKind::AtMostOne, bases.clone(), Some(g)));
            if always {
                candidates.push(self.candidate(InvariantKind::AtLeastOne, bases, Some(g)));
            }
        }
        candidates
    }

    pub(super) fn of_goals_and_mobility(&mut self) -> Vec<InvariantCandidate> {
        let net = self.found.net.clone();
        let prover = &mut self.found.prover;
        let mut candidates = Vec::new();
        let about = |kind, about, lit| InvariantCandidate { kind, about, group: None, lit };
        for role in 0..net.roles.len() {
            let legal = net.inputs_of(role).map(|i| net.inputs[i].legal);
            let lit = prover.or(legal.chain([net.terminal]).collect::<Vec<_>>());
            candidates.push(about(InvariantKind::Mobility, vec![role], lit));
            // Chance needs no goal.
            if net.chance() == Some(role) {
                continue;
            }
            let lit = prover.one_goal(role);
            candidates.push(about(InvariantKind::OneGoal, vec![role], lit));
        }
        candidates.extend(self.constant_sum());
        candidates
    }

    /// That the goals add up to the sum first seen: no other combination of values is possible.
    pub(super) fn constant_sum(&mut self) -> Option<InvariantCandidate> {
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
        Some(InvariantCandidate { kind: InvariantKind::ConstantSum(sum), about, group: None, lit })
    }

    /// Bases that were never seen to fall, or to come back.
    pub(super) fn changing_once(&mut self) -> Vec<InvariantCandidate> {
        let mut candidates = Vec::new();
        for base in 0..self.found.net.bases.len() {
            let values = |s: usize| {
                (self.found.samples.holds(s, base), self.found.samples.holds(s + 1, base))
            };
            let seen = |pair| self.found.samples.steps().any(|s| values(s) == pair);
            let (rises, falls) = (seen((false, true)), seen((true, false)));
            let (now, next) = (self.base(base), self.found.net.bases[base].next);
            if rises && !falls {
                candidates.push((InvariantKind::Persistent, base, !now, next));
            } else if falls && !rises {
                candidates.push((InvariantKind::NeverReturns, base, now, !next));
            }
        }
        let candidate = |(kind, base, a, b)| {
            let lit = self.found.prover.or([a, b]);
            InvariantCandidate { kind, about: vec![base], group: None, lit }
        };
        candidates.into_iter().map(candidate).collect()
    }

    /// Bases that were never seen to hold, may hold for all that is proved, and then stay by their rules.
    pub(super) fn unseen_latches(&mut self) -> Vec<InvariantCandidate> {
        let net = &self.found.net;
        let never = self.found.found.iter().filter(|i| i.kind == InvariantKind::AlwaysFalse);
        let proved = never.filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        let proved: FxHashSet<usize> = proved.map(|i| i.about[0]).collect();
        let latch = |b: &usize| {
            self.found.samples.columns[*b].iter().all(|w| *w == 0)
                && !proved.contains(b)
                && net.operands(net.bases[*b].next, false).contains(&net.base_lit(*b))
        };
        let latches: Vec<usize> = (0..net.bases.len()).filter(latch).collect();
        let candidate = |b: usize| {
            let (now, next) = (self.base(b), self.found.net.bases[b].next);
            let lit = self.found.prover.or([!now, next]);
            InvariantCandidate { kind: InvariantKind::Persistent, about: vec![b], group: None, lit }
        };
        latches.into_iter().map(candidate).collect()
    }
}
