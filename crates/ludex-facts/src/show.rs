//! The text of invariants: one sentence each, families of groups told once.

use super::groups::{Group, Part};
use super::invariants::{Invariant, Invariants, Kind};
use super::pattern::text;
use crate::prove::Verdict;

impl Kind {
    /// The stable name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::ExactlyOne => "exactly-one",
            Kind::AtMostOne => "at-most-one",
            Kind::AtLeastOne => "at-least-one",
            Kind::AlwaysTrue | Kind::AlwaysFalse => "constant",
            Kind::Equivalent => "equivalent",
            Kind::Implies | Kind::OnlyWith(_) => "implies",
            Kind::NeverWith(_) => "excludes",
            Kind::Persistent => "persistent",
            Kind::NeverReturns => "never-returns",
            Kind::Turn => "turn",
            Kind::Alternation => "alternation",
            Kind::Mobility => "mobility",
            Kind::OneGoal => "one-goal",
            Kind::ConstantSum(_) => "constant-sum",
            Kind::Termination(_) => "termination",
        }
    }

    /// How many facts of a group hold.
    pub fn how_many(&self) -> &'static str {
        match self {
            Kind::AtMostOne => "at most",
            Kind::AtLeastOne => "at least",
            _ => "exactly",
        }
    }
}

impl Invariants {
    /// What an invariant says, in words.
    pub fn text(&self, invariant: &Invariant) -> String {
        let fact = |b: &usize| self.net.bases[*b].name.clone();
        let role = |r: usize| &self.net.roles[r];
        let about = &invariant.about;
        match invariant.kind {
            Kind::ExactlyOne | Kind::AtMostOne | Kind::AtLeastOne => {
                let facts = self.group_text(self.group(invariant));
                format!("{} one of {facts}", invariant.kind.how_many())
            }
            Kind::AlwaysTrue => format!("{} is always true", fact(&about[0])),
            Kind::AlwaysFalse => format!("{} is never true", fact(&about[0])),
            Kind::Equivalent => {
                format!("{} and {} are always equal", fact(&about[0]), fact(&about[1]))
            }
            Kind::Implies => format!("{} only with {}", fact(&about[0]), fact(&about[1])),
            Kind::OnlyWith(count) => {
                let [of, other] = [about[0], about[count]].map(|b| self.relation_text(b));
                format!("{of} only with some {other}")
            }
            Kind::NeverWith(count) => {
                let [of, other] = [about[0], about[count]].map(|b| self.relation_text(b));
                format!("{of} never with {other}")
            }
            Kind::Persistent => format!("{} stays true once it is", fact(&about[0])),
            Kind::NeverReturns => format!("{} never comes back once it is false", fact(&about[0])),
            Kind::Turn if about.len() == 1 => format!("{} never has a choice", role(about[0])),
            Kind::Turn => {
                let facts: Vec<String> = about[1..].iter().map(fact).collect();
                format!("{} has a choice only with {}", role(about[0]), facts.join(" or "))
            }
            Kind::Alternation => {
                let facts: Vec<String> = about.iter().map(fact).collect();
                format!("{} follow each other in turn", facts.join(", "))
            }
            Kind::Mobility => format!("{} can always move until the end", role(about[0])),
            Kind::OneGoal => format!("{} has exactly one goal value at the end", role(about[0])),
            Kind::ConstantSum(sum) => format!("the goals add up to {sum} at the end"),
            Kind::Termination(steps) => match invariant.verdict {
                Verdict::Proved { .. } => format!("every match ends after at most {steps} steps"),
                _ => "every match ends".into(),
            },
        }
    }

    /// `(cell * * *)`: all facts of the relation of a base.
    fn relation_text(&self, base: usize) -> String {
        let mut relations = self.fluents.relations.iter();
        let relation = relations.find(|r| r.facts.iter().any(|f| f.base == base));
        text(relation.expect("a fact of a relation"), |_| "*".into())
    }

    /// `(cell 1 2 *)`: what its facts have in common.
    fn group_text(&self, group: &Group) -> String {
        let part = |(relation, place): &Part| {
            let mut facts = self.fluents.relations[*relation].facts.iter();
            let first = facts.find(|f| f.base == group.bases[0])?;
            Some(place.iter().map(|a| first.args[*a].clone()).collect::<Vec<_>>())
        };
        let values = group.family.iter().find_map(part).expect("a fact of one of the relations");
        self.family_text(&group.family, &values)
    }

    /// The facts of a family at a place, told by these values or variables.
    pub fn family_text(&self, family: &[Part], values: &[String]) -> String {
        let part = |(relation, place): &Part| {
            let value = |a| place.iter().position(|p| *p == a).map(|i| values[i].clone());
            text(&self.fluents.relations[*relation], |a| value(a).unwrap_or("*".into()))
        };
        family.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}
