//! `Invariants` -> `Summary`: what was found, in few sentences; facts of one kind are told together.

use super::invariants::{Invariant, Invariants, Kind};
use super::pattern::{few, patterns, text, variable};
use crate::prove::Verdict;
use indexmap::IndexMap;

/// A sentence about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub kind: Kind,
    pub text: String,
    /// The weakest verdict of those that were put together, all of one status.
    pub verdict: Verdict,
    /// How many invariants say it.
    pub count: usize,
}

/// Invariants with equal keys are put together: kind, status, relation, place arguments.
type Key = (Kind, &'static str, Option<usize>, Option<Vec<usize>>);

impl Verdict {
    /// `proved`, `refuted` or `unknown`.
    pub fn status(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Unknown { .. } => "unknown",
        }
    }

    /// The number of steps of the induction; 0 where a line of play decides.
    pub fn k(&self) -> usize {
        match self {
            Verdict::Proved { k, .. } | Verdict::Unknown { k } => *k,
            Verdict::Refuted { .. } => 0,
        }
    }
}

impl Invariants {
    pub fn summaries(&self) -> Vec<Summary> {
        let relation_of = self.relations_by_base();
        let mut parts: IndexMap<Key, Vec<&Invariant>> = IndexMap::new();
        for (i, invariant) in self.found.iter().enumerate() {
            let mut key = self.key(invariant, &relation_of);
            if key.2.is_none() {
                // Nothing to put it together with: the number keeps it apart.
                key.3 = Some(vec![i]);
            }
            parts.entry(key).or_default().push(invariant);
        }
        parts.sort_by(|a, _, b, _| a.0.cmp(&b.0));
        parts.values().map(|part| self.summary(part, &relation_of)).collect()
    }

    fn relations_by_base(&self) -> Vec<usize> {
        let mut relation_of = vec![0; self.net.bases.len()];
        for (r, relation) in self.fluents.relations.iter().enumerate() {
            relation.facts.iter().for_each(|f| relation_of[f.base] = r);
        }
        relation_of
    }

    fn key(&self, invariant: &Invariant, relation_of: &[usize]) -> Key {
        let status = invariant.verdict.status();
        let family = invariant.group.and_then(|g| self.groups[g].family.clone());
        let (relation, place) = match invariant.kind {
            Kind::ExactlyOne | Kind::AtMostOne => family.unzip(),
            Kind::AlwaysTrue | Kind::AlwaysFalse | Kind::Persistent | Kind::NeverReturns => {
                (Some(relation_of[invariant.about[0]]), None)
            }
            _ => (None, None),
        };
        (invariant.kind, status, relation, place)
    }

    fn summary(&self, part: &[&Invariant], relation_of: &[usize]) -> Summary {
        let (first, count) = (part[0], part.len());
        let text = match first.kind {
            _ if count == 1 => self.text(first),
            Kind::ExactlyOne | Kind::AtMostOne => self.family_text(first, count),
            _ => {
                let relation = &self.fluents.relations[relation_of[first.about[0]]];
                let bases: Vec<usize> = part.iter().map(|i| i.about[0]).collect();
                said_of_many(first.kind, &patterns(relation, &bases))
            }
        };
        let k = part.iter().map(|i| i.verdict.k()).max().unwrap_or(0);
        let verdict = match &first.verdict {
            Verdict::Proved { lemmas, .. } => Verdict::Proved { k, lemmas: lemmas.clone() },
            Verdict::Unknown { .. } => Verdict::Unknown { k },
            refuted => refuted.clone(),
        };
        Summary { kind: first.kind, text, verdict, count }
    }

    /// `exactly one of (cell ?x ?y *) for every ?x ?y`.
    fn family_text(&self, invariant: &Invariant, count: usize) -> String {
        let group = &self.groups[invariant.group.expect("of a group")];
        let (relation, place) = group.family.clone().expect("of a family");
        let relation = &self.fluents.relations[relation];
        let arg = |a: usize| if place.contains(&a) { variable(a) } else { "*".into() };
        let places: Vec<String> = place.iter().map(|a| variable(*a)).collect();
        let all = relation.by_args(&place).values().filter(|g| g.len() > 1).count();
        let every = match count == all {
            true => format!("every {}", places.join(" ")),
            false => format!("{count} of {all} {}", places.join(" ")),
        };
        let one = if invariant.kind == Kind::ExactlyOne { "exactly" } else { "at most" };
        format!("{one} one of {} for {every}", text(relation, arg))
    }
}

fn said_of_many(kind: Kind, facts: &str) -> String {
    match kind {
        Kind::AlwaysTrue => format!("{facts} are always true"),
        Kind::AlwaysFalse => format!("{facts} are never true"),
        Kind::Persistent => format!("{facts} stay true once they are"),
        Kind::NeverReturns => format!("{facts} never come back once they are false"),
        _ => few(vec![facts.to_string()]),
    }
}
