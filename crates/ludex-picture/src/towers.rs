//! Things that stand on each other -> a `Grid`: a relation that says what stands on what, as towers.
//!
//! What carries several things at a time, a table, is not drawn: what stands on it is a bottom.

use super::evidence::{DrawnRelation, Fact};
use super::grid::{CELL, Grid, Shape};
use rustc_hash::FxHashMap;

/// How a relation tells what stands on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacking {
    UpperFirst,
    LowerFirst,
}

/// A relation that says what stands on what, with everything that can stand somewhere.
#[derive(Clone, Debug)]
pub struct Towers {
    pub name: String,
    pub stacking: Stacking,
    pub things: Vec<String>,
}

impl Towers {
    pub fn are_told_by(&self, fact: &Fact) -> bool {
        fact.name == self.name && fact.args.len() == 2
    }
}

impl Stacking {
    /// For a relation of two things of one kind, each on at most one other and under at most one,
    /// without circles, in most states seen.
    pub fn of(relation: &DrawnRelation) -> Option<Stacking> {
        let [first, second] = &relation.orders[..] else { return None };
        let shared = first.values.iter().filter(|v| second.values.contains(v)).count();
        let number = |v: &String| v.parse::<i64>().is_ok();
        let words = !first.values.iter().chain(&second.values).any(number);
        let begun = relation.states.first().is_some_and(|s| !s.is_empty());
        if !words || !begun || shared < 2 || shared * 2 < first.len().min(second.len()) {
            return None;
        }
        let stands = |way: &Stacking| {
            let good = relation.states.iter().filter(|s| towers(&way.pairs(s), &[]).is_some());
            good.count() * 2 > relation.states.len()
        };
        [Stacking::UpperFirst, Stacking::LowerFirst].into_iter().find(stands)
    }

    /// What is above in a fact.
    pub fn upper(self, fact: &[String]) -> &str {
        if self == Stacking::UpperFirst { &fact[0] } else { &fact[1] }
    }

    /// The facts with what is above first.
    fn pairs(self, facts: &[Vec<String>]) -> Vec<Vec<String>> {
        let turn = |f: &Vec<String>| match self {
            Stacking::UpperFirst => f.clone(),
            Stacking::LowerFirst => vec![f[1].clone(), f[0].clone()],
        };
        facts.iter().map(turn).collect()
    }
}

/// The towers of a state, each from the bottom up; none if the facts are not towers. `others` are
/// things that may stand alone.
fn towers(facts: &[Vec<String>], others: &[String]) -> Option<Vec<Vec<String>>> {
    let mut above: FxHashMap<&str, &str> = FxHashMap::default();
    let mut below: FxHashMap<&str, &str> = FxHashMap::default();
    let carried = |table: &str| facts.iter().filter(|f| f[1] == table).count();
    let standing = |thing: &str| facts.iter().any(|f| f[0] == thing);
    let is_table = |lower: &str| carried(lower) > 1 && !standing(lower);
    let (on_table, facts): (Vec<&Vec<String>>, Vec<&Vec<String>>) =
        facts.iter().partition(|f| is_table(&f[1]));
    for fact in &facts {
        let (upper, lower) = (fact[0].as_str(), fact[1].as_str());
        let free = above.insert(lower, upper).is_none() && below.insert(upper, lower).is_none();
        if !free || upper == lower {
            return None;
        }
    }
    let bottoms = on_table.iter().map(|f| &f[0]);
    let others = others.iter().filter(|t| on_table.iter().all(|f| f[1] != **t));
    let things = facts.iter().copied().flatten().chain(others).chain(bottoms).map(String::as_str);
    let mut bottoms: Vec<&str> = things.filter(|t| !below.contains_key(t)).collect();
    bottoms.sort_by(|a, b| super::order::natural(a, b));
    bottoms.dedup();
    let mut placed = 0;
    let mut found: Vec<Vec<String>> = Vec::new();
    for bottom in bottoms {
        let mut tower = vec![bottom.to_string()];
        let mut at = bottom;
        while let Some(next) = above.get(at) {
            tower.push(next.to_string());
            at = next;
        }
        placed += tower.len() - 1;
        found.push(tower);
    }
    // Things that stand on each other in a circle have no bottom.
    (placed == facts.len()).then_some(found)
}

/// The towers of a state as cells, named by the things.
pub fn grid(stacking: Stacking, facts: &[Vec<String>], others: &[String]) -> Option<Grid> {
    let towers = towers(&stacking.pairs(facts), others)?;
    let height = others.len().max(towers.iter().map(Vec::len).max().unwrap_or(0)).min(12) as i32;
    let mut grid = Grid::empty(Shape::Square);
    for (column, tower) in towers.iter().enumerate() {
        for (level, thing) in tower.iter().enumerate() {
            let x = column as i32 * (CELL + CELL / 4) + CELL / 2;
            let y = (height - 1 - level as i32) * CELL + CELL / 2;
            grid.points.insert(vec![thing.clone()], (x, y));
        }
    }
    let width = towers.len() as i32 * (CELL + CELL / 4) - CELL / 4;
    grid.edges.push(((-CELL / 4, height * CELL + 3), (width + CELL / 4, height * CELL + 3)));
    Some(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towers_are_built_from_the_bottom() {
        let fact = |a: &str, b: &str| vec![a.to_string(), b.to_string()];
        let all = towers(&[fact("a", "b"), fact("b", "c")], &["d".into()]).unwrap();
        assert_eq!(all, vec![vec!["c", "b", "a"], vec!["d"]]);
        assert!(towers(&[fact("a", "b"), fact("b", "a")], &[]).is_none());
        let all = towers(&[fact("a", "t"), fact("b", "t"), fact("c", "b")], &["t".into()]).unwrap();
        assert_eq!(all, vec![vec!["a"], vec!["b", "c"]]);
    }
}
