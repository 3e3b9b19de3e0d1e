//! How the goal of every role follows from the factors' goals, found by checking all combinations.

use super::aims::{conditions, outermost, project};
use super::blocks::{Blocks, support};
use super::effects::gate_of;
use crate::budget::{Budget, Stop};
use crate::net::circuit::Circuit;
use crate::net::fold::{constant, copy, through};
use crate::net::{Lit, Net};
use crate::prove::{Answer, Start, Unrolling};
use rustc_hash::FxHashMap;
use std::fmt;

/// How the goal of a role depends on the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// It depends on none of them.
    None,
    One,
    Conjunction,
    Disjunction,
    Sum,
    Other,
}

/// The goals of all roles over the blocks.
pub struct Aims {
    pub roles: Vec<RoleAims>,
}

pub struct RoleAims {
    pub structure: Structure,
    /// Blocks (by root) on which the goal depends.
    pub blocks: Vec<usize>,
    /// Were all combinations of outcomes checked, and how many?
    pub checked: Option<usize>,
    /// What conditions are taken to be for the goals of one factor: those of the others at their
    /// best, or at their worst where values add up or one suffices.
    others: FxHashMap<usize, bool>,
}

type Outcome = Vec<(usize, bool)>;

const MOST_OUTCOMES: usize = 64;
const MOST_COMBINATIONS: usize = 20_000;
const EFFORT: i32 = 20_000;

impl Aims {
    pub fn new(net: &Net, blocks: &mut Blocks, budget: &Budget) -> Result<Aims, Stop> {
        let role = |goals: &Vec<(i32, Lit)>| RoleAims::new(net, goals, blocks, budget);
        Ok(Aims { roles: net.goals.iter().map(role).collect::<Result<_, _>>()? })
    }

    /// The goals of a factor for all roles: those of the whole game with the others as they are taken.
    pub fn goals_of(
        &self,
        net: &Net,
        root: usize,
        blocks: &mut Blocks,
        circuit: &mut Circuit,
        leaves: &[Lit],
        became: &[Lit],
    ) -> Vec<Vec<(i32, Lit)>> {
        let mut goals = Vec::new();
        for (r, aims) in self.roles.iter().enumerate() {
            let all = &net.goals[r];
            let mut values: Vec<(i32, Lit)> = match aims.checked {
                None => all
                    .iter()
                    .map(|(v, l)| {
                        let lit = project(net, *l, root, blocks, circuit, became);
                        (*v, lit.unwrap_or(Lit::FALSE))
                    })
                    .collect(),
                Some(_) => {
                    let mut fixed = aims.others.clone();
                    fixed.retain(|g, _| {
                        let on = support(&net.gates, Lit::new(*g, false));
                        let own = on.into_iter().find(|b| !blocks.is_shared(*b));
                        own.is_some_and(|b| blocks.find(b) != root)
                    });
                    let given = |g: usize| {
                        fixed.get(&g).map(|v| constant(*v)).or_else(|| leaves.get(g).copied())
                    };
                    let here = copy(net, circuit, given);
                    all.iter().map(|(v, l)| (*v, through(&here, *l))).collect()
                }
            };
            values.retain(|(_, lit)| *lit != Lit::FALSE);
            goals.push(values);
        }
        goals
    }
}

impl RoleAims {
    /// For the goals of a role, or anything else with values.
    pub fn new(
        net: &Net,
        goals: &[(i32, Lit)],
        blocks: &mut Blocks,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut gates: Vec<usize> = Vec::new();
        for (_, lit) in goals {
            let own: Vec<usize> =
                support(&net.gates, *lit).into_iter().filter(|b| !blocks.is_shared(*b)).collect();
            gates.extend(conditions(net, *lit, &own, blocks).iter().map(|l| l.gate()));
        }
        gates.sort_unstable();
        gates.dedup();
        let mut by_block: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for g in gates.into_iter().filter(|g| *g != 0) {
            let on = support(&net.gates, Lit::new(g, false));
            let own = on.into_iter().find(|b| !blocks.is_shared(*b)).map(|b| blocks.find(b));
            match by_block.iter_mut().find(|b| b.0 == own) {
                Some((_, list)) => list.push(g),
                None => by_block.push((own, vec![g])),
            }
        }
        by_block.sort();
        let roots: Vec<usize> = by_block.iter().filter_map(|b| b.0).collect();
        let mut aims = RoleAims {
            structure: Structure::None,
            blocks: roots.clone(),
            checked: None,
            others: FxHashMap::default(),
        };
        aims.structure = match roots.len() {
            0 => Structure::None,
            1 => Structure::One,
            _ => aims.by_form(net, goals, blocks),
        };
        let outcomes = outcomes(net, &by_block, budget)?;
        if let (Some(outcomes), true) = (outcomes, roots.len() > 1) {
            aims.by_combinations(net, goals, &outcomes);
        }
        Ok(aims)
    }

    /// The outermost connective of the best goal, where there are only two values.
    fn by_form(&self, net: &Net, goals: &[(i32, Lit)], blocks: &mut Blocks) -> Structure {
        let best = goals.last().expect("a goal that depends on blocks").1;
        match outermost(net, best, blocks) {
            _ if goals.len() > 2 => Structure::Other,
            (true, _) => Structure::Conjunction,
            (false, _) => Structure::Disjunction,
        }
    }

    fn by_combinations(&mut self, net: &Net, goals: &[(i32, Lit)], outcomes: &[Vec<Outcome>]) {
        let mut table: Vec<(Vec<usize>, i32)> = Vec::new();
        let mut at = vec![0; outcomes.len()];
        loop {
            let assigned: FxHashMap<usize, bool> =
                at.iter().zip(outcomes).flat_map(|(i, o)| o[*i].iter().copied()).collect();
            let mut memo = FxHashMap::default();
            let holds = |g: &&(i32, Lit)| evaluate(net, g.1, &assigned, &mut memo);
            if let [only] = goals.iter().filter(holds).collect::<Vec<_>>()[..] {
                table.push((at.clone(), only.0));
            }
            let Some(k) = (0..at.len()).rev().find(|k| at[*k] + 1 < outcomes[*k].len()) else {
                break;
            };
            at[k] += 1;
            at[k + 1..].fill(0);
        }
        if table.is_empty() {
            return;
        }
        self.checked = Some(table.len());
        self.structure = classify(&table, outcomes.len());
        let low = matches!(self.structure, Structure::Sum | Structure::Disjunction);
        let key = |row: &&(Vec<usize>, i32)| if low { -row.1 } else { row.1 };
        let chosen = table.iter().rev().max_by_key(key).expect("not empty");
        self.others =
            chosen.0.iter().zip(outcomes).flat_map(|(i, o)| o[*i].iter().copied()).collect();
    }
}

/// The assignments of every block's conditions that occur in some state (reachable or not).
fn outcomes(
    net: &Net,
    by_block: &[(Option<usize>, Vec<usize>)],
    budget: &Budget,
) -> Result<Option<Vec<Vec<Outcome>>>, Stop> {
    let mut all = Vec::new();
    let mut combinations = 1;
    for (_, gates) in by_block {
        let mut state = Unrolling::new(net, Start::Any, budget);
        let vars: Vec<i32> = gates.iter().map(|g| state.at(0, Lit::new(*g, false))).collect();
        let mut found: Vec<Outcome> = Vec::new();
        loop {
            match state.solve(&[], EFFORT)? {
                Answer::Unsat => break,
                Answer::Unknown => return Ok(None),
                Answer::Sat => {}
            }
            let outcome: Outcome =
                gates.iter().map(|g| (*g, state.holds(0, Lit::new(*g, false)))).collect();
            let other =
                vars.iter().zip(&outcome).map(|(v, (_, holds))| if *holds { -v } else { *v });
            state.clause(other.collect::<Vec<_>>());
            found.push(outcome);
            if found.len() > MOST_OUTCOMES {
                return Ok(None);
            }
        }
        found.sort();
        combinations *= found.len().max(1);
        if combinations > MOST_COMBINATIONS {
            return Ok(None);
        }
        all.push(found);
    }
    Ok(Some(all))
}

/// The value of a literal, given those of the conditions it is made of.
pub fn evaluate(
    net: &Net,
    lit: Lit,
    assigned: &FxHashMap<usize, bool>,
    memo: &mut FxHashMap<usize, bool>,
) -> bool {
    let positive = Lit::new(lit.gate(), false);
    let known = assigned.get(&lit.gate()).or_else(|| memo.get(&lit.gate())).copied();
    let value = known.unwrap_or_else(|| {
        let value = match gate_of(net, positive) {
            Some((a, b, and)) => {
                let a = evaluate(net, a, assigned, memo);
                let b = evaluate(net, b, assigned, memo);
                if and { a && b } else { a || b }
            }
            None => false,
        };
        memo.insert(lit.gate(), value);
        value
    });
    value != lit.negated()
}

/// What function of the blocks' outcomes a table of values is.
fn classify(table: &[(Vec<usize>, i32)], blocks: usize) -> Structure {
    let values: Vec<i32> = table.iter().map(|row| row.1).collect();
    let (least, most) = (*values.iter().min().expect("rows"), *values.iter().max().expect("rows"));
    let two = values.iter().all(|v| *v == least || *v == most);
    let reaching = |value: i32| -> Vec<Vec<bool>> {
        let mut of = vec![vec![false; 1 + MOST_OUTCOMES]; blocks];
        for (row, _) in table.iter().filter(|r| r.1 == value) {
            row.iter().enumerate().for_each(|(k, o)| of[k][*o] = true);
        }
        of
    };
    let product = |value: i32| {
        let of = reaching(value);
        let inside = |row: &[usize]| row.iter().enumerate().all(|(k, o)| of[k][*o]);
        table.iter().all(|(row, v)| inside(row) == (*v == value))
    };
    match () {
        () if two && product(most) => Structure::Conjunction,
        () if two && product(least) => Structure::Disjunction,
        () if sums(table) => Structure::Sum,
        () if product(most) => Structure::Conjunction,
        () if product(least) => Structure::Disjunction,
        () => Structure::Other,
    }
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

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Structure::None => "no factor",
            Structure::One => "one factor",
            Structure::Conjunction => "conjunction",
            Structure::Disjunction => "disjunction",
            Structure::Sum => "sum",
            Structure::Other => "other function",
        })
    }
}
