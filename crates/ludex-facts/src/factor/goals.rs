//! How the goal of every role follows from the factors' goals, found by checking all combinations.

use super::Analysis;
use super::aims::{outermost, project};
use super::blocks::{BaseBlocks, support};
use super::outcomes::{Outcomes, conditions_of};
use super::worth::{FactorWorth, GoalTable};
use ludex_net::circuit::Circuit;
use ludex_net::fold::{constant, copy, through};
use ludex_net::{Lit, Net};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How the goal of a role depends on the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Structure {
    /// It depends on none of them.
    #[serde(rename = "no factor")]
    None,
    #[serde(rename = "one factor")]
    One,
    /// The least of what the factors come to.
    Conjunction,
    /// The most of what they come to.
    Disjunction,
    Sum,
    /// No better outcome of a factor ever makes it worse.
    #[serde(rename = "ordered function")]
    Ordered,
    #[serde(rename = "other function")]
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
    /// Is it to be proved that the role has exactly one goal value at every end?
    pub gaps: bool,
    /// Where outcomes are in order and decide the goal.
    pub worth: Option<FactorWorth>,
    /// What conditions are taken to be for the goals of one factor: those of the others at their
    /// best, or at their worst where values add up or one suffices.
    others: FxHashMap<usize, bool>,
}

impl Aims {
    pub fn new(analysis: &mut Analysis, net: &Net, outcomes: &Outcomes) -> Aims {
        let ends = conditions_of(net, net.terminal, analysis);
        let over = ends.as_ref().map(|gates| (net.terminal, &gates[..]));
        let role = |goals: &Vec<(i32, Lit)>| RoleAims::new(analysis, net, goals, over, outcomes);
        Aims { roles: net.goals.iter().map(role).collect() }
    }

    /// The goals of a factor for all roles: those of the whole game with the others as they are taken.
    pub fn goals_of(
        &self,
        net: &Net,
        root: usize,
        blocks: &mut BaseBlocks,
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
        analysis: &mut Analysis,
        net: &Net,
        goals: &[(i32, Lit)],
        over: Option<(Lit, &[usize])>,
        outcomes: &Outcomes,
    ) -> Self {
        let all: Option<Vec<Vec<usize>>> =
            goals.iter().map(|g| conditions_of(net, g.1, analysis)).collect();
        let gates: Option<Vec<usize>> = all.map(|all| all.concat());
        let bases = goals.iter().flat_map(|g| support(&net.gates, g.1)).collect::<Vec<_>>();
        let own = bases.into_iter().filter(|b| !analysis.blocks.is_shared(*b)).collect::<Vec<_>>();
        let mut blocks: Vec<usize> = own.into_iter().map(|b| analysis.blocks.find(b)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut aims = RoleAims {
            structure: match blocks.len() {
                0 => Structure::None,
                1 => Structure::One,
                _ => by_form(net, goals, &mut analysis.blocks),
            },
            blocks,
            checked: None,
            gaps: false,
            worth: None,
            others: FxHashMap::default(),
        };
        let table = gates.filter(|_| !aims.blocks.is_empty()).and_then(|gates| {
            let only_ends =
                over.and_then(|o| GoalTable::new(net, goals, &gates, Some(o), outcomes));
            only_ends.or_else(|| GoalTable::new(net, goals, &gates, None, outcomes))
        });
        match table.filter(|t| !t.rows.is_empty()) {
            Some(table) => aims.by_combinations(&table),
            // Of ends that are not listed nothing is known.
            None => aims.gaps = aims.structure == Structure::One,
        }
        aims
    }

    fn by_combinations(&mut self, table: &GoalTable) {
        self.gaps = table.gaps;
        let ranks = table.ranks();
        if self.blocks.len() > 1 {
            self.checked = Some(table.rows.len());
            self.structure = table.structure(ranks.is_some());
        }
        let low = matches!(self.structure, Structure::Sum | Structure::Disjunction);
        let context = ranks.as_ref().and_then(|ranks| table.context(ranks, low));
        if let (Some(ranks), Some(context)) = (&ranks, context) {
            self.worth = table.worth(ranks, &context.0);
        }
        let key = |row: &&(Vec<usize>, i32)| if low { -row.1 } else { row.1 };
        let chosen = context.or(table.rows.iter().rev().max_by_key(key)).expect("there are rows");
        self.others = table.assigned(&chosen.0);
    }
}

/// The outermost connective of the best goal, where there are only two values.
fn by_form(net: &Net, goals: &[(i32, Lit)], blocks: &mut BaseBlocks) -> Structure {
    let best = goals.last().expect("a goal that depends on blocks").1;
    match outermost(net, best, blocks) {
        _ if goals.len() > 2 => Structure::Other,
        (true, _) => Structure::Conjunction,
        (false, _) => Structure::Disjunction,
    }
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
        let value = match net.gate_of(positive) {
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

impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Structure::None => "no factor",
            Structure::One => "one factor",
            Structure::Conjunction => "conjunction",
            Structure::Disjunction => "disjunction",
            Structure::Sum => "sum",
            Structure::Ordered => "ordered function",
            Structure::Other => "other function",
        })
    }
}
