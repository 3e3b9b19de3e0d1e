//! `Net` -> `Fluents`: the bases of a net as facts of relations with arguments.

use indexmap::IndexMap;
use ludex_net::Net;

/// The relations of a net's bases, in the order of their first base.
#[derive(Clone, Debug)]
pub struct Fluents {
    pub relations: Vec<StateRelation>,
}

/// A relation of the state: a name at an arity, and its possible facts.
#[derive(Clone, Debug)]
pub struct StateRelation {
    pub name: String,
    pub arity: usize,
    pub facts: Vec<BaseFact>,
}

/// A base with its arguments as KIF text.
#[derive(Clone, Debug)]
pub struct BaseFact {
    pub base: usize,
    pub args: Vec<String>,
}

impl Fluents {
    pub fn new(net: &Net) -> Fluents {
        Fluents::of(net.bases.iter().map(|b| b.name.as_str()))
    }

    /// The relations of facts as text, each a base by its place.
    pub fn of<'a>(facts: impl Iterator<Item = &'a str>) -> Fluents {
        let mut relations: IndexMap<(String, usize), Vec<BaseFact>> = IndexMap::new();
        for (base, fact) in facts.enumerate() {
            let (name, args) = parts(fact);
            relations.entry((name, args.len())).or_default().push(BaseFact { base, args });
        }
        let relation = |((name, arity), facts)| StateRelation { name, arity, facts };
        Fluents { relations: relations.into_iter().map(relation).collect() }
    }
}

impl Fluents {
    /// The number of a relation.
    pub fn find(&self, name: &str, arity: usize) -> Option<usize> {
        self.relations.iter().position(|r| r.name == name && r.arity == arity)
    }
}

impl StateRelation {
    /// The relation without facts that have another value at an argument (from 0).
    pub(crate) fn only(&self, argument: usize, value: &str) -> StateRelation {
        let has = |fact: &&BaseFact| fact.args[argument] == value;
        let facts = self.facts.iter().filter(has).cloned().collect();
        StateRelation { name: self.name.clone(), arity: self.arity, facts }
    }

    /// The facts grouped by the values of some arguments (numbered from 0), in the facts' order.
    pub(crate) fn by_args(&self, args: &[usize]) -> IndexMap<Vec<&str>, Vec<usize>> {
        let mut groups: IndexMap<Vec<&str>, Vec<usize>> = IndexMap::new();
        for fact in &self.facts {
            let key = args.iter().map(|a| fact.args[*a].as_str()).collect();
            groups.entry(key).or_default().push(fact.base);
        }
        groups
    }
}

/// The functor and the arguments of a term's KIF text.
pub fn parts(text: &str) -> (String, Vec<String>) {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return (text.to_string(), vec![]);
    };
    let mut words: Vec<String> = vec![String::new()];
    let mut depth = 0;
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                words.push(String::new());
                continue;
            }
            _ => (),
        }
        words.last_mut().expect("never empty").push(c);
    }
    if words.len() == 1 {
        // `(f)` is a constant of its own.
        return (text.to_string(), vec![]);
    }
    (words.remove(0), words)
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn arguments_may_be_nested() {
        let owned = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(parts("step"), ("step".into(), vec![]));
        assert_eq!(parts("(f)"), ("(f)".into(), vec![]));
        assert_eq!(parts("(on (b 1) c)"), ("on".into(), owned(&["(b 1)", "c"])));
    }
}
