//! Facts of one relation -> a few patterns with variables that tell them all: `(cell ?x ?y b)`.

use crate::fluents::StateRelation;
use rustc_hash::FxHashSet;

/// The names of variables, by argument.
const NAMES: [&str; 6] = ["?x", "?y", "?z", "?u", "?v", "?w"];
/// More patterns than this are not told one by one.
const MOST: usize = 8;

/// The variable that stands for an argument (from 0).
pub fn variable(argument: usize) -> String {
    NAMES.get(argument).map_or_else(|| format!("?x{}", argument + 1), |name| name.to_string())
}

/// The text of a fact of a relation with some of its arguments replaced.
pub fn text(relation: &StateRelation, arg: impl Fn(usize) -> String) -> String {
    let args: String = (0..relation.arity).map(|a| format!(" {}", arg(a))).collect();
    if args.is_empty() { relation.name.clone() } else { format!("({}{args})", relation.name) }
}

/// Patterns whose instances are exactly these facts (bases), or the first few facts.
pub fn patterns(relation: &StateRelation, bases: &[usize]) -> String {
    let wanted: FxHashSet<usize> = bases.iter().copied().collect();
    let facts: Vec<&[String]> =
        relation.facts.iter().filter(|f| wanted.contains(&f.base)).map(|f| &f.args[..]).collect();
    let by_argument = (0..relation.arity).filter_map(|a| split(relation, &facts, a));
    let found = whole(relation, &facts).map(|p| vec![p]);
    match found.or_else(|| by_argument.min_by_key(Vec::len)) {
        Some(patterns) => join(&patterns),
        None => {
            let text = |args: &&[String]| text(relation, |a| args[a].clone());
            few(facts.iter().map(text).collect())
        }
    }
}

/// One pattern for all facts, where no other fact has it.
fn whole(relation: &StateRelation, facts: &[&[String]]) -> Option<String> {
    let first = facts.first()?;
    let fixed = |a: &usize| facts.iter().all(|f| f[*a] == first[*a]);
    let fixed: Vec<usize> = (0..relation.arity).filter(fixed).collect();
    let like = |args: &[String]| fixed.iter().all(|a| args[*a] == first[*a]);
    let all = relation.facts.iter().filter(|f| like(&f.args)).count();
    let arg = |a| if fixed.contains(&a) { first[a].clone() } else { variable(a) };
    (all == facts.len()).then(|| text(relation, arg))
}

/// One pattern for each value of an argument.
fn split(relation: &StateRelation, facts: &[&[String]], argument: usize) -> Option<Vec<String>> {
    let mut values: Vec<&String> = facts.iter().map(|f| &f[argument]).collect();
    values.sort();
    values.dedup();
    let part = |value: &&String| {
        let part: Vec<&[String]> =
            facts.iter().copied().filter(|f| f[argument] == **value).collect();
        whole(relation, &part)
    };
    if values.len() > MOST { None } else { values.iter().map(part).collect() }
}

/// The first few of a list, and how many more there are.
pub fn few(mut texts: Vec<String>) -> String {
    let all = texts.len();
    if all <= MOST {
        return join(&texts);
    }
    texts.truncate(MOST / 2);
    format!("{} and {} more", texts.join(", "), all - MOST / 2)
}

fn join(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fluents::BaseFact;

    #[test]
    fn facts_are_told_by_few_patterns() {
        let mut facts = Vec::new();
        for x in ["1", "2"] {
            for c in ["b", "r", "w"] {
                facts.push(BaseFact { base: facts.len(), args: vec![x.into(), c.into()] });
            }
        }
        let relation = StateRelation { name: "cell".into(), arity: 2, facts };
        assert_eq!(patterns(&relation, &[0, 1, 2, 3, 4, 5]), "(cell ?x ?y)");
        assert_eq!(patterns(&relation, &[0, 3]), "(cell ?x b)");
        assert_eq!(patterns(&relation, &[1, 2, 4, 5]), "(cell ?x r) and (cell ?x w)");
        assert_eq!(patterns(&relation, &[0, 4]), "(cell 1 b) and (cell 2 r)");
    }
}
