//! `Invariants` and the base of lemmas: what is known is taken over, what is proved is added.

use super::{Invariant, InvariantKind, Invariants};
use crate::lemmas::{Lemma, Lemmas};
use crate::prove::Verdict;
use ludex_net::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

impl Invariants {
    /// Takes over what others have proved, or an earlier search.
    pub(super) fn learn(&mut self, known: &Lemmas) {
        let own = self.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }));
        let own: FxHashSet<(InvariantKind, Vec<usize>)> =
            own.flat_map(|i| i.kind.parts().map(|kind| (kind, i.about.clone()))).collect();
        let groups = self.groups.iter().enumerate().map(|(g, group)| (group.bases.clone(), g));
        let groups: FxHashMap<Vec<usize>, usize> = groups.rev().collect();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, lemma) in known.iter().enumerate() {
            if own.contains(&(lemma.kind, lemma.about.clone())) || !self.is_told(lemma, &groups) {
                continue;
            }
            let Lemma { kind, about, by, k, rests_on } = lemma.clone();
            let lit = (kind.roles(about.len()) == 0).then(|| {
                let lits: Vec<Lit> = about.iter().map(|b| self.net.base_lit(*b)).collect();
                kind.lit(&lits, &mut self.prover)
            });
            let lemmas = lit.flatten().map(|lit| self.prover.add_lemma(lit));
            numbers.extend(lemmas.map(|lemma| (number, lemma)));
            let on = rests_on.iter().filter_map(|number| numbers.get(number).copied());
            let verdict = Verdict::Proved { k, lemmas: on.collect() };
            let group = kind.is_of_group().then(|| groups[&about]);
            let lemmas = lemmas.into_iter().collect();
            self.found.push(Invariant { kind, about, verdict, group, lemmas, by });
        }
    }

    /// Groups are those of the samples. That a fact changes once is told where it was seen to change.
    fn is_told(&self, lemma: &Lemma, groups: &FxHashMap<Vec<usize>, usize>) -> bool {
        let first = lemma.about.first().copied();
        match (lemma.kind, first) {
            (kind, _) if kind.is_of_group() => groups.contains_key(&lemma.about),
            (InvariantKind::Persistent, Some(b)) => self.samples.was_true(b) && !self.starts(b),
            (InvariantKind::NeverReturns, Some(b)) => self.starts(b) && !self.always_seen(b),
            // It is told with the weights that show it, which are found anew.
            (InvariantKind::Termination(_), _) => false,
            _ => true,
        }
    }

    fn starts(&self, base: usize) -> bool {
        self.net.bases[base].initial
    }

    fn always_seen(&self, base: usize) -> bool {
        self.samples.one_of(&[base]).0
    }

    /// Adds what is proved here.
    pub fn teach(&self, known: &mut Lemmas) {
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut fresh = Vec::new();
        for i in &self.found {
            let Verdict::Proved { k, lemmas } = &i.verdict else { continue };
            let before = known.len();
            let (kind, about) = (i.kind, i.about.clone());
            let number = known.add(Lemma { kind, about, by: i.by, k: *k, rests_on: vec![] });
            numbers.extend(i.lemmas.iter().map(|lemma| (*lemma, number)));
            if number == before {
                fresh.push((number, lemmas));
            }
        }
        for (number, lemmas) in fresh {
            let mut on: Vec<usize> =
                lemmas.iter().filter_map(|lemma| numbers.get(lemma).copied()).collect();
            on.retain(|other| *other != number);
            on.sort_unstable();
            on.dedup();
            known.found(number, on);
        }
    }
}

impl InvariantKind {
    fn is_of_group(self) -> bool {
        matches!(
            self,
            InvariantKind::ExactlyOne | InvariantKind::AtMostOne | InvariantKind::AtLeastOne
        )
    }

    /// What it consists of.
    pub(super) fn parts(self) -> impl Iterator<Item = InvariantKind> {
        let parts = match self {
            InvariantKind::ExactlyOne => {
                vec![InvariantKind::ExactlyOne, InvariantKind::AtMostOne, InvariantKind::AtLeastOne]
            }
            kind => vec![kind],
        };
        parts.into_iter()
    }
}
