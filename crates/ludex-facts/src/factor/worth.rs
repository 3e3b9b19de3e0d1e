//! `FactorWorth`: what the outcomes of blocks are worth to a role, found by checking all combinations.
//!
//! The table of a goal has a row for every combination of outcomes in which the game may be over and the
//! goal has one value: in a well-formed game no other combination is an end, and where there are others it
//! is to be proved that they are none. Outcomes of a block are in
//! order if exchanging one for another never makes things better in one row and worse in another.
//! Then who can make sure of some outcome in each block can make sure of the value of the combination.

use super::goals::{Structure, evaluate};
use super::outcomes::Outcomes;
use ludex_net::{Lit, Net};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

/// The values of a goal.
pub struct GoalTable {
    /// Per column its block and the gates of the goal in it; none: what is shared.
    pub columns: Vec<(Option<usize>, Vec<usize>)>,
    /// Per column the outcomes, as values of its gates.
    pub outcomes: Vec<Vec<Vec<bool>>>,
    /// Numbers of outcomes, and the value.
    pub rows: Vec<(Vec<usize>, i32)>,
    /// Are there combinations in which the game may be over and the goal has no value, or several?
    pub gaps: bool,
}

const MOST_COMBINATIONS: usize = 20_000;

impl GoalTable {
    /// None where there are too many combinations. With `over` only of those in which it holds.
    pub fn new(
        net: &Net,
        values: &[(i32, Lit)],
        gates: &[usize],
        over: Option<(Lit, &[usize])>,
        all: &Outcomes,
    ) -> Option<GoalTable> {
        let mut wanted: FxHashSet<usize> = gates.iter().copied().collect();
        wanted.extend(over.iter().flat_map(|o| o.1));
        let (columns, outcomes) = projected(all, &wanted)?;
        let (mut rows, mut gaps) = (Vec::new(), false);
        for at in combinations(&outcomes)? {
            let assigned = assigned(&columns, &outcomes, &at);
            let mut memo = FxHashMap::default();
            if over.is_some_and(|o| !evaluate(net, o.0, &assigned, &mut memo)) {
                continue;
            }
            let holds = |g: &&(i32, Lit)| evaluate(net, g.1, &assigned, &mut memo);
            match values.iter().filter(holds).collect::<Vec<_>>()[..] {
                [only] => rows.push((at, only.0)),
                _ => gaps = true,
            }
        }
        let table = GoalTable { columns, outcomes, rows, gaps };
        let own: FxHashSet<usize> = gates.iter().copied().collect();
        Some(if over.is_some() { table.onto(&own) } else { table })
    }

    /// The same values by fewer gates, which decide them.
    fn onto(self, gates: &FxHashSet<usize>) -> GoalTable {
        let mut columns = Vec::new();
        let mut outcomes: Vec<Vec<Vec<bool>>> = Vec::new();
        let mut new: Vec<Vec<usize>> = vec![vec![]; self.rows.len()];
        for (k, (root, all)) in self.columns.iter().enumerate() {
            let kept: Vec<usize> = (0..all.len()).filter(|i| gates.contains(&all[*i])).collect();
            if kept.is_empty() {
                continue;
            }
            let mut distinct: Vec<Vec<bool>> = Vec::new();
            for (row, (at, _)) in new.iter_mut().zip(&self.rows) {
                let outcome: Vec<bool> = kept.iter().map(|i| self.outcomes[k][at[k]][*i]).collect();
                let known = distinct.iter().position(|d| *d == outcome);
                row.push(known.unwrap_or(distinct.len()));
                if known.is_none() {
                    distinct.push(outcome);
                }
            }
            columns.push((*root, kept.iter().map(|i| all[*i]).collect()));
            outcomes.push(distinct);
        }
        let mut rows: Vec<(Vec<usize>, i32)> =
            new.into_iter().zip(self.rows.iter().map(|r| r.1)).collect();
        rows.sort_unstable();
        rows.dedup();
        GoalTable { columns, outcomes, rows, gaps: self.gaps }
    }

    /// What the gates are in a row.
    pub fn assigned(&self, row: &[usize]) -> FxHashMap<usize, bool> {
        assigned(&self.columns, &self.outcomes, row)
    }

    /// What function of the blocks' outcomes the value is.
    pub fn structure(&self, ordered: bool) -> Structure {
        let values: Vec<i32> = self.rows.iter().map(|row| row.1).collect();
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else {
            return Structure::Other;
        };
        let two = values.iter().all(|v| v == least || v == most);
        let least_of_best = || self.is_made_of(i32::max, |of| of.into_iter().min());
        let best_of_least = || self.is_made_of(i32::min, |of| of.into_iter().max());
        match () {
            () if two && least_of_best() => Structure::Conjunction,
            () if two && best_of_least() => Structure::Disjunction,
            () if sums(&self.rows) => Structure::Sum,
            () if least_of_best() => Structure::Conjunction,
            () if best_of_least() => Structure::Disjunction,
            () if ordered => Structure::Ordered,
            () => Structure::Other,
        }
    }

    /// Is every value made of what its outcomes can come to by themselves?
    fn is_made_of(
        &self,
        alone: fn(i32, i32) -> i32,
        together: fn(Vec<i32>) -> Option<i32>,
    ) -> bool {
        let mut of: FxHashMap<(usize, usize), i32> = FxHashMap::default();
        for (row, value) in &self.rows {
            for at in row.iter().copied().enumerate() {
                of.entry(at).and_modify(|v| *v = alone(*v, *value)).or_insert(*value);
            }
        }
        let parts = |row: &[usize]| row.iter().copied().enumerate().map(|at| of[&at]).collect();
        self.rows.iter().all(|(row, value)| together(parts(row)) == Some(*value))
    }

    /// The order of every column's outcomes as ranks, none where they are in no order.
    pub fn ranks(&self) -> Option<Vec<Vec<usize>>> {
        let ranks = |k: usize| match self.columns[k].0 {
            Some(_) => self.ranks_in(k),
            None => Some(vec![0; self.outcomes[k].len()]),
        };
        (0..self.columns.len()).map(ranks).collect()
    }

    fn ranks_in(&self, column: usize) -> Option<Vec<usize>> {
        let size = self.outcomes[column].len();
        let mut by_rest: FxHashMap<Vec<usize>, Vec<(usize, i32)>> = FxHashMap::default();
        for (row, value) in &self.rows {
            let rest = [&row[..column], &row[column + 1..]].concat();
            by_rest.entry(rest).or_default().push((row[column], *value));
        }
        let mut order: Vec<Option<Ordering>> = vec![None; size * size];
        for rows in by_rest.values() {
            for (a, x) in rows {
                for (b, y) in rows {
                    let known = &mut order[a * size + b];
                    *known = match (*known, x.cmp(y)) {
                        (None, new) | (Some(Ordering::Equal), new) => Some(new),
                        (old, Ordering::Equal) => old,
                        (old, new) if old == Some(new) => old,
                        _ => return None,
                    };
                }
            }
        }
        // An outcome that is in no row never ends the game.
        let occurs = |a: &usize| order[a * size + a].is_some();
        let below = |a: usize| {
            let less = |b: &usize| order[b * size + a] == Some(Ordering::Less);
            (0..size).filter(less).count()
        };
        let ranks: Vec<usize> = (0..size).map(below).collect();
        let fits = |a: usize, b: usize| order[a * size + b] == Some(ranks[a].cmp(&ranks[b]));
        let all: Vec<usize> = (0..size).filter(occurs).collect();
        all.iter().all(|a| all.iter().all(|b| fits(*a, *b))).then_some(ranks)
    }
}

/// The columns of these gates with the outcomes that are different in them.
type GateProjection = (Vec<(Option<usize>, Vec<usize>)>, Vec<Vec<Vec<bool>>>);

fn projected(all: &Outcomes, gates: &FxHashSet<usize>) -> Option<GateProjection> {
    let (mut columns, mut outcomes) = (Vec::new(), Vec::new());
    for column in &all.columns {
        let places: Vec<usize> =
            (0..column.gates.len()).filter(|i| gates.contains(&column.gates[*i])).collect();
        if places.is_empty() {
            continue;
        }
        let own = |o: &Vec<bool>| places.iter().map(|i| o[*i]).collect::<Vec<bool>>();
        let mut distinct: Vec<Vec<bool>> = column.outcomes.as_ref()?.iter().map(own).collect();
        distinct.sort();
        distinct.dedup();
        columns.push((column.root, places.iter().map(|i| column.gates[*i]).collect()));
        outcomes.push(distinct);
    }
    Some((columns, outcomes))
}

/// All rows of numbers of outcomes; none if they are too many.
fn combinations(outcomes: &[Vec<Vec<bool>>]) -> Option<Vec<Vec<usize>>> {
    let number = outcomes.iter().try_fold(1usize, |n, o| n.checked_mul(o.len()))?;
    if number > MOST_COMBINATIONS {
        return None;
    }
    let mut rows = vec![vec![]];
    for column in outcomes {
        let with = |row: &Vec<usize>| {
            let longer = |o| row.iter().copied().chain([o]).collect::<Vec<usize>>();
            (0..column.len()).map(longer).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(with).collect();
    }
    Some(rows)
}

fn assigned(
    columns: &[(Option<usize>, Vec<usize>)],
    outcomes: &[Vec<Vec<bool>>],
    row: &[usize],
) -> FxHashMap<usize, bool> {
    let mut found = FxHashMap::default();
    for (((_, gates), all), at) in columns.iter().zip(outcomes).zip(row) {
        found.extend(gates.iter().copied().zip(all[*at].iter().copied()));
    }
    found
}

/// Is every value the sum of what the outcomes of the blocks are worth? Outcomes are compared with
/// those of one row; of the rows the one is taken that allows most comparisons.
fn sums(table: &[(Vec<usize>, i32)]) -> bool {
    let index: FxHashMap<&[usize], i32> = table.iter().map(|(r, v)| (r.as_slice(), *v)).collect();
    let guess = |origin: &(Vec<usize>, i32), row: &[usize]| {
        let mut sum = origin.1;
        for k in 0..row.len() {
            let mut one = origin.0.clone();
            one[k] = row[k];
            sum += index.get(one.as_slice())? - origin.1;
        }
        Some(sum)
    };
    let compared = |origin: &(Vec<usize>, i32)| {
        table.iter().filter(|row| guess(origin, &row.0).is_some()).count()
    };
    let Some(origin) = table.iter().take(50).max_by_key(|row| compared(row)) else { return false };
    2 * compared(origin) > table.len()
        && table.iter().all(|(row, value)| guess(origin, row).is_none_or(|sum| sum == *value))
}

/// The outcomes of blocks in their order, and the value of every combination by the values that the
/// factors' own goals have.
#[derive(Clone, Debug)]
pub struct FactorWorth {
    pub ranks: Vec<Ranked>,
    /// From the values of the blocks' own goals to the value of the whole.
    pub values: FxHashMap<Vec<i32>, i32>,
}

/// A block by its root, its gates, and the rank of every assignment of them.
pub type Ranked = (usize, Vec<usize>, FxHashMap<Vec<bool>, usize>);

impl GoalTable {
    /// A row whose other outcomes stand in for those of the other blocks in a block's own goals:
    /// with it every two outcomes of different rank have different values.
    pub fn context(&self, ranks: &[Vec<usize>], low: bool) -> Option<&(Vec<usize>, i32)> {
        let index: FxHashMap<&[usize], i32> =
            self.rows.iter().map(|(r, v)| (r.as_slice(), *v)).collect();
        let mut rows: Vec<&(Vec<usize>, i32)> = self.rows.iter().rev().collect();
        rows.sort_by_key(|row| if low { row.1 } else { -row.1 });
        let occurs = |k: usize| self.rows.iter().map(|r| r.0[k]).collect::<FxHashSet<usize>>();
        let occurring: Vec<FxHashSet<usize>> = (0..self.columns.len()).map(occurs).collect();
        let tells = |row: &&&(Vec<usize>, i32)| {
            (0..self.columns.len()).filter(|k| self.columns[*k].0.is_some()).all(|k| {
                let mut of: FxHashMap<usize, i32> = FxHashMap::default();
                (0..self.outcomes[k].len()).filter(|o| occurring[k].contains(o)).all(|o| {
                    let mut one = row.0.clone();
                    one[k] = o;
                    let value = index.get(one.as_slice()).copied();
                    value.is_some_and(|v| *of.entry(ranks[k][o]).or_insert(v) == v)
                }) && of.values().collect::<FxHashSet<_>>().len() == of.len()
            })
        };
        rows.iter().take(100).find(tells).copied()
    }

    /// The worth of outcomes, given such a row; none where the value depends on what is shared, too.
    pub fn worth(&self, ranks: &[Vec<usize>], context: &[usize]) -> Option<FactorWorth> {
        let index: FxHashMap<&[usize], i32> =
            self.rows.iter().map(|(r, v)| (r.as_slice(), *v)).collect();
        let blocks: Vec<usize> =
            (0..self.columns.len()).filter(|k| self.columns[*k].0.is_some()).collect();
        let mut values: FxHashMap<Vec<i32>, i32> = FxHashMap::default();
        for (row, value) in &self.rows {
            let own = |k: &usize| {
                let mut one = context.to_vec();
                one[*k] = row[*k];
                index.get(one.as_slice()).copied()
            };
            let key: Option<Vec<i32>> = blocks.iter().map(own).collect();
            if *values.entry(key?).or_insert(*value) != *value {
                return None;
            }
        }
        let ranked = |k: &usize| {
            let (root, gates) = &self.columns[*k];
            let outcomes = self.outcomes[*k].iter().cloned().zip(ranks[*k].iter().copied());
            (root.expect("a block"), gates.clone(), outcomes.collect())
        };
        Some(FactorWorth { ranks: blocks.iter().map(ranked).collect(), values })
    }
}
