//! The text of invariants: one sentence each, families of groups told once.

use super::groups::Group;
use super::invariants::{Invariant, Invariants, Kind};

impl Kind {
    /// The stable name of the kind in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::ExactlyOne => "exactly-one",
            Kind::AtMostOne => "at-most-one",
            Kind::AlwaysTrue | Kind::AlwaysFalse => "constant",
            Kind::Equivalent => "equivalent",
            Kind::Implies => "implies",
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
}

impl Invariants {
    /// What an invariant says, in words.
    pub fn text(&self, invariant: &Invariant) -> String {
        let fact = |b: &usize| self.net.bases[*b].name.clone();
        let role = |r: usize| &self.net.roles[r];
        let about = &invariant.about;
        match invariant.kind {
            Kind::ExactlyOne => format!("exactly one of {}", self.group_text(invariant)),
            Kind::AtMostOne => format!("at most one of {}", self.group_text(invariant)),
            Kind::AlwaysTrue => format!("{} is always true", fact(&about[0])),
            Kind::AlwaysFalse => format!("{} is never true", fact(&about[0])),
            Kind::Equivalent => {
                format!("{} and {} are always equal", fact(&about[0]), fact(&about[1]))
            }
            Kind::Implies => format!("{} only with {}", fact(&about[0]), fact(&about[1])),
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
            Kind::Termination(steps) => format!("every match ends after at most {steps} steps"),
        }
    }

    fn group_text(&self, invariant: &Invariant) -> String {
        let group = invariant.group.map(|g| &self.groups[g]);
        match group {
            Some(Group { family: Some((relation, place)), bases, .. }) => {
                let relation = &self.fluents.relations[*relation];
                let first =
                    relation.facts.iter().find(|f| f.base == bases[0]).expect("in its relation");
                let arg = |a: usize| if place.contains(&a) { first.args[a].as_str() } else { "*" };
                let args: Vec<&str> = (0..relation.arity).map(arg).collect();
                format!("({} {})", relation.name, args.join(" "))
            }
            _ => {
                let facts: Vec<&str> =
                    invariant.about.iter().map(|b| self.net.bases[*b].name.as_str()).collect();
                facts.join(", ")
            }
        }
    }
}
