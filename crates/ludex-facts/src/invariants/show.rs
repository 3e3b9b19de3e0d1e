//! The text of invariants: one sentence each, families of groups told once.

use super::groups::{MutexGroup, PlaceColumns};
use super::pattern::{few, patterns, text};
use super::ranking::Ranking;
use super::{Invariant, InvariantKind, Invariants};
use crate::fluents::StateRelation;
use crate::prove::Verdict;
use indexmap::IndexMap;
use ludex_net::Net;

impl InvariantKind {
    /// The stable name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            InvariantKind::ExactlyOne => "exactly-one",
            InvariantKind::AtMostOne => "at-most-one",
            InvariantKind::AtLeastOne | InvariantKind::SomeOf => "at-least-one",
            InvariantKind::AlwaysTrue | InvariantKind::AlwaysFalse => "constant",
            InvariantKind::Equivalent => "equivalent",
            InvariantKind::Implies | InvariantKind::OnlyWith(_) => "implies",
            InvariantKind::NeverWith(_) => "excludes",
            InvariantKind::Persistent => "persistent",
            InvariantKind::NeverReturns => "never-returns",
            InvariantKind::Turn => "turn",
            InvariantKind::Alternation => "alternation",
            InvariantKind::Mobility => "mobility",
            InvariantKind::OneGoal => "one-goal",
            InvariantKind::ConstantSum(_) => "constant-sum",
            InvariantKind::Termination(_) => "termination",
        }
    }

    /// How many facts of a group hold.
    pub(crate) fn how_many(&self) -> &'static str {
        match self {
            InvariantKind::AtMostOne => "at most",
            InvariantKind::AtLeastOne => "at least",
            _ => "exactly",
        }
    }
}

impl Invariants {
    /// What an invariant says, in words.
    pub fn text(&self, invariant: &Invariant) -> String {
        let about = &invariant.about;
        match invariant.kind {
            InvariantKind::ExactlyOne | InvariantKind::AtMostOne | InvariantKind::AtLeastOne => {
                let facts = self.group_text(self.group(invariant));
                format!("{} one of {facts}", invariant.kind.how_many())
            }
            InvariantKind::OnlyWith(count) if self.is_whole(&about[..count]) => {
                let [of, other] = [about[0], about[count]].map(|b| self.relation_text(b));
                format!("{of} only with some {other}")
            }
            InvariantKind::NeverWith(count) => {
                let [of, other] = [about[0], about[count]].map(|b| self.relation_text(b));
                format!("{of} never with {other}")
            }
            InvariantKind::Termination(_)
                if !matches!(invariant.verdict, Verdict::Proved { .. }) =>
            {
                "every match ends".into()
            }
            InvariantKind::Termination(_) if !about.is_empty() && self.ranking.is_some() => {
                let ranking = self.ranking.as_ref().expect("there is one");
                let end = said(invariant.kind, about, &self.net);
                let lowers = match ranking.steps {
                    1 => "each lowers".to_string(),
                    steps => format!("{steps} of them lower"),
                };
                format!("{end}: {lowers} {}", self.ranking_text(ranking))
            }
            kind => said(kind, about, &self.net),
        }
    }

    /// `the sum of 2 for (at ?x 1), 1 for (at ?x 2)`: facts of one relation and weight are told together.
    fn ranking_text(&self, ranking: &Ranking) -> String {
        let text = |sum: &Vec<(usize, i64)>| {
            let mut parts: IndexMap<(i64, usize), Vec<usize>> = IndexMap::new();
            for (base, weight) in sum {
                let has = |r: &StateRelation| r.facts.iter().any(|f| f.base == *base);
                let relation = self.fluents.relations.iter().position(has).expect("a relation");
                parts.entry((*weight, relation)).or_default().push(*base);
            }
            parts.sort_by(|a, _, b, _| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            let part = |((weight, relation), bases): (&(i64, usize), &Vec<usize>)| {
                format!("{weight} for {}", patterns(&self.fluents.relations[*relation], bases))
            };
            format!("the sum of {}", parts.iter().map(part).collect::<Vec<_>>().join("; "))
        };
        ranking.sums.iter().map(text).collect::<Vec<_>>().join(", or leaves it and lowers ")
    }

    /// Whether these are all facts of a relation.
    fn is_whole(&self, bases: &[usize]) -> bool {
        let has = |r: &&StateRelation| r.facts.iter().any(|f| f.base == bases[0]);
        let relation = self.fluents.relations.iter().find(has);
        relation.is_some_and(|r| r.facts.len() == bases.len())
    }

    /// `(cell * * *)`: all facts of the relation of a base.
    pub(crate) fn relation_text(&self, base: usize) -> String {
        let mut relations = self.fluents.relations.iter();
        let relation = relations.find(|r| r.facts.iter().any(|f| f.base == base));
        text(relation.expect("a fact of a relation"), |_| "*".into())
    }

    /// `(cell 1 2 *)`: what its facts have in common.
    fn group_text(&self, group: &MutexGroup) -> String {
        let part = |part: &PlaceColumns| {
            let mut facts = self.fluents.relations[part.relation].facts.iter();
            let first = facts.find(|f| f.base == group.bases[0])?;
            Some(part.places.iter().map(|a| first.args[*a].clone()).collect::<Vec<_>>())
        };
        let values = group.family.iter().find_map(part).expect("a fact of one of the relations");
        self.family_text(&group.family, &values)
    }

    /// The facts of a family at a place, told by these values or variables.
    pub(crate) fn family_text(&self, family: &[PlaceColumns], values: &[String]) -> String {
        let part = |PlaceColumns { relation, places, only }: &PlaceColumns| {
            let placed = |a| places.iter().position(|p| *p == a).map(|i| values[i].clone());
            let fixed = |a| only.iter().find(|(b, _)| *b == a).map(|(_, value)| value.clone());
            let value = |a| placed(a).or_else(|| fixed(a)).unwrap_or("*".into());
            text(&self.fluents.relations[*relation], value)
        };
        family.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}

/// What is said of these roles or facts, in words.
pub(crate) fn said(kind: InvariantKind, about: &[usize], net: &Net) -> String {
    let fact = |b: &usize| net.bases[*b].name.clone();
    let facts = |bases: &[usize]| bases.iter().map(fact).collect::<Vec<_>>();
    let role = |r: usize| &net.roles[r];
    match kind {
        InvariantKind::ExactlyOne | InvariantKind::AtMostOne | InvariantKind::AtLeastOne => {
            format!("{} one of {}", kind.how_many(), few(facts(about)))
        }
        InvariantKind::SomeOf => format!("always one of {}", few(facts(about))),
        InvariantKind::AlwaysTrue => format!("{} is always true", fact(&about[0])),
        InvariantKind::AlwaysFalse => format!("{} is never true", fact(&about[0])),
        InvariantKind::Equivalent => {
            format!("{} and {} are always equal", fact(&about[0]), fact(&about[1]))
        }
        InvariantKind::Implies => format!("{} only with {}", fact(&about[0]), fact(&about[1])),
        InvariantKind::OnlyWith(count) => {
            let (of, other) = about.split_at(count);
            format!("{} only with some of {}", few(facts(of)), few(facts(other)))
        }
        InvariantKind::NeverWith(count) => {
            let (of, other) = about.split_at(count);
            format!("{} never with {}", few(facts(of)), few(facts(other)))
        }
        InvariantKind::Persistent => format!("{} stays true once it is", fact(&about[0])),
        InvariantKind::NeverReturns => {
            format!("{} stays false once it is", fact(&about[0]))
        }
        InvariantKind::Turn if about.len() == 1 => format!("{} never has a choice", role(about[0])),
        InvariantKind::Turn => {
            format!("{} has a choice only with {}", role(about[0]), facts(&about[1..]).join(" or "))
        }
        InvariantKind::Alternation => {
            format!("{} follow each other in turn", facts(about).join(", "))
        }
        InvariantKind::Mobility => format!("{} can always move until the end", role(about[0])),
        InvariantKind::OneGoal => {
            format!("{} has exactly one goal value at the end", role(about[0]))
        }
        InvariantKind::ConstantSum(sum) => format!("the goals add up to {sum} at the end"),
        InvariantKind::Termination(usize::MAX) => "every match ends".into(),
        InvariantKind::Termination(steps) => {
            format!("every match ends after at most {steps} steps")
        }
    }
}
