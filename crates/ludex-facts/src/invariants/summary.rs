//! `Invariants` -> `Summary`: what was found, in few sentences; facts of one kind are told together.

use super::groups::{MutexGroup, PlaceColumns};
use super::pattern::{few, patterns, variable};
use super::{Invariant, InvariantKind, Invariants};
use crate::lemmas::Author;
use crate::prove::Verdict;
use indexmap::IndexMap;

/// A sentence about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub kind: InvariantKind,
    pub text: String,
    /// That of all which were put together, all of one status.
    pub verdict: Verdict,
    /// How many invariants say it.
    pub count: usize,
    /// The numbers that they have as lemmas.
    pub lemmas: Vec<usize>,
    /// Who decided the first of them.
    pub by: Author,
}

impl Summary {
    /// Whether a proof uses one of these lemmas.
    pub fn is_used_by(&self, proof: &Verdict) -> bool {
        let Verdict::Proved { lemmas, .. } = proof else { return false };
        self.lemmas.iter().any(|lemma| lemmas.contains(lemma))
    }
}

/// Invariants with equal keys are put together: kind, status, relations with places, and a number
/// that keeps others apart.
type SummaryKey = (InvariantKind, &'static str, Vec<PlaceColumns>, Option<usize>);

impl Invariants {
    pub fn summaries(&self) -> Vec<Summary> {
        let relation_of = self.relations_by_base();
        let mut parts: IndexMap<SummaryKey, Vec<&Invariant>> = IndexMap::new();
        for (i, invariant) in self.found.iter().enumerate() {
            parts.entry(self.key(i, &relation_of)).or_default().push(invariant);
        }
        parts.sort_by(|a, _, b, _| a.0.cmp(&b.0));
        parts.values().map(|part| self.summary(part, &relation_of)).collect()
    }

    /// What the lemmas say that a proof uses.
    pub fn lemma_texts(&self, proof: &Verdict) -> Vec<String> {
        let used = self.summaries().into_iter().filter(|s| s.is_used_by(proof));
        used.map(|s| s.text).collect()
    }

    fn relations_by_base(&self) -> Vec<usize> {
        let mut relation_of = vec![0; self.net.bases.len()];
        for (r, relation) in self.fluents.relations.iter().enumerate() {
            relation.facts.iter().for_each(|f| relation_of[f.base] = r);
        }
        relation_of
    }

    fn key(&self, number: usize, relation_of: &[usize]) -> SummaryKey {
        let invariant = &self.found[number];
        let about = &invariant.about;
        let relation = |base: usize| vec![PlaceColumns::new(relation_of[base], vec![])];
        let (parts, apart) = match invariant.kind {
            InvariantKind::ExactlyOne | InvariantKind::AtMostOne | InvariantKind::AtLeastOne => {
                (self.group(invariant).family.clone(), None)
            }
            InvariantKind::AlwaysTrue
            | InvariantKind::AlwaysFalse
            | InvariantKind::SomeOf
            | InvariantKind::Persistent
            | InvariantKind::NeverReturns => (relation(about[0]), None),
            InvariantKind::Implies => (relation(about[1]), Some(about[0])),
            InvariantKind::OnlyWith(1) => (relation(about[0]), Some(relation_of[about[1]])),
            _ => (vec![], Some(number)),
        };
        (invariant.kind, invariant.verdict.status(), parts, apart)
    }

    fn summary(&self, part: &[&Invariant], relation_of: &[usize]) -> Summary {
        let (first, count) = (part[0], part.len());
        let text = match first.kind {
            _ if count == 1 => self.text(first),
            InvariantKind::ExactlyOne | InvariantKind::AtMostOne | InvariantKind::AtLeastOne => {
                self.groups_text(first, count)
            }
            InvariantKind::SomeOf => {
                let facts = self.relation_text(first.about[0]);
                format!("{facts}: {count} places, each of which always holds one")
            }
            InvariantKind::OnlyWith(_) => {
                let bases: Vec<usize> = part.iter().map(|i| i.about[0]).collect();
                let facts = patterns(&self.fluents.relations[relation_of[bases[0]]], &bases);
                format!("{facts} each only with some of {}", self.relation_text(first.about[1]))
            }
            kind => {
                let last = |i: &&Invariant| *i.about.last().expect("about a fact");
                let bases: Vec<usize> = part.iter().map(last).collect();
                let facts = patterns(&self.fluents.relations[relation_of[bases[0]]], &bases);
                said_of_many(kind, &self.net.bases[first.about[0]].name, &facts)
            }
        };
        let verdicts = part.iter().map(|i| i.verdict.clone());
        let verdict = verdicts.reduce(Verdict::and).expect("not empty");
        let lemmas = part.iter().flat_map(|i| i.lemmas.iter().copied()).collect();
        Summary { kind: first.kind, text, verdict, count, lemmas, by: first.by }
    }

    /// `exactly one of (cell ?x ?y *) for every ?x ?y`.
    fn groups_text(&self, invariant: &Invariant, count: usize) -> String {
        let family = &self.group(invariant).family;
        let variables: Vec<String> = family[0].places.iter().map(|a| variable(*a)).collect();
        let of_family = |g: &&MutexGroup| g.family == *family && g.bases.len() > 1;
        let all = self.groups.iter().filter(of_family).count();
        let every = match count == all {
            true => format!("every {}", variables.join(" ")),
            false => format!("{count} of {all} {}", variables.join(" ")),
        };
        let facts = self.family_text(family, &variables);
        format!("{} one of {facts} for {every}", invariant.kind.how_many())
    }
}

fn said_of_many(kind: InvariantKind, first: &str, facts: &str) -> String {
    match kind {
        InvariantKind::AlwaysTrue => format!("{facts} are always true"),
        InvariantKind::AlwaysFalse => format!("{facts} are never true"),
        InvariantKind::Persistent => format!("{facts} stay true once they are"),
        InvariantKind::NeverReturns => format!("{facts} stay false once they are"),
        InvariantKind::Implies => format!("{first} only with {facts}"),
        _ => few(vec![facts.to_string()]),
    }
}
