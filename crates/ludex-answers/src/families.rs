//! Facts -> families of facts of one relation that belong together: `(cell * * x)`.

use ludex_facts::fluents::Fluents;
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// All facts of the game that fit a pattern, arguments that differ as `*`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactFamily {
    pub pattern: String,
    pub facts: usize,
}

/// Bases, ascending, as few families: all of a relation, or all with the same value of one argument.
pub fn families(net: &Net, bases: &[usize]) -> Vec<FactFamily> {
    let mut found = Vec::new();
    for relation in Fluents::new(net).relations {
        let (mut own, mut others) = (vec![], vec![]);
        for fact in &relation.facts {
            match bases.binary_search(&fact.base) {
                Ok(_) => own.push(&fact.args),
                Err(_) => others.push(&fact.args),
            }
        }
        let ways = (0..relation.arity).map(Some).chain([None]);
        let ways = ways.map(|fixed| split(&own, &others, fixed));
        let best = ways.min_by_key(Vec::len).unwrap_or_default();
        found.extend(best.iter().map(|group| family(&relation.name, group)));
    }
    found
}

/// Groups by the value of an argument, or one of all; what is not all there is told fact by fact.
fn split<'a>(
    own: &[&'a Vec<String>],
    others: &[&Vec<String>],
    fixed: Option<usize>,
) -> Vec<Vec<&'a Vec<String>>> {
    let key = |args: &Vec<String>| fixed.map(|a| args[a].clone());
    let mut groups: BTreeMap<Option<String>, Vec<&Vec<String>>> = BTreeMap::new();
    own.iter().for_each(|args| groups.entry(key(args)).or_default().push(args));
    let whole = |value: &Option<String>| others.iter().all(|args| key(args) != *value);
    let each = groups.into_iter().flat_map(|(value, group)| match whole(&value) {
        true => vec![group],
        false => group.into_iter().map(|one| vec![one]).collect(),
    });
    each.collect()
}

fn family(name: &str, group: &[&Vec<String>]) -> FactFamily {
    let first = group[0];
    let arg = |a: usize| match group.iter().all(|args| args[a] == first[a]) {
        true => first[a].as_str(),
        false => "*",
    };
    let args: Vec<&str> = (0..first.len()).map(arg).collect();
    let pattern = match args.is_empty() {
        true => name.to_string(),
        false => format!("({name} {})", args.join(" ")),
    };
    FactFamily { pattern, facts: group.len() }
}

impl fmt::Display for FactFamily {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.facts {
            1 => f.write_str(&self.pattern),
            facts => write!(f, "{}  {facts} facts", self.pattern),
        }
    }
}
