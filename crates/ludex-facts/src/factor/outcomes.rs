//! `Outcomes`: what goals and the end ask of every block, and which answers occur.
//!
//! A goal is a function of conditions that read one block each. The assignments of a block's conditions
//! are its outcomes. Where the block has few states they are all visited, without regard to the
//! other blocks; else the solver lists the assignments that any state has. Either way all that occur in
//! play are among them.

use super::Analysis;
use super::aims::{MOST_CONDITIONS, conditions, outermost};
use super::blocks::support;
use crate::prove::{SatAnswer, UnrollStart, Unrolling};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::{Lit, Net};
use ludex_reason::{Joints, StateMachine};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

pub struct Outcomes {
    pub columns: Vec<OutcomeColumn>,
}

/// The conditions on one block, or on what is shared.
pub struct OutcomeColumn {
    pub root: Option<usize>,
    /// Gates of the whole net, ascending.
    pub gates: Vec<usize>,
    /// Values of `gates`; none: too many.
    pub outcomes: Option<Vec<Vec<bool>>>,
    pub visited: Option<VisitedBlock>,
}

/// What a visit to all states of a block has shown.
#[derive(Default)]
pub struct VisitedBlock {
    /// Which outcome (by number) follows which in one step.
    pub steps: FxHashSet<(u32, u32)>,
    /// Is there a state in which several roles have a choice?
    pub at_once: bool,
}

const MOST_OUTCOMES: usize = 256;
const MOST_STATES: usize = 10_000;
const MOST_STEPS: usize = 100_000;
/// Gates that a visit to all states may evaluate.
const MOST_WORK: usize = 20_000_000;
const EFFORT: i32 = 20_000;

impl Outcomes {
    /// Of all goals and the end.
    pub fn new(analysis: &mut Analysis, net: &Net, budget: &Budget) -> Result<Outcomes, Stop> {
        let mut gates: Vec<usize> = Vec::new();
        let goals = net.goals.iter().flatten().map(|g| g.1);
        for lit in goals.chain([net.terminal]) {
            gates.extend(conditions_of(net, lit, analysis).into_iter().flatten());
        }
        let over = outermost(net, net.terminal, &mut analysis.blocks).1;
        gates.extend(over.iter().map(|l| l.gate()).filter(|g| analysis.reads_one(net, *g)));
        gates.sort_unstable();
        gates.dedup();
        let mut columns: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
        for g in gates.into_iter().filter(|g| *g != 0) {
            let root = analysis.block_of(net, g);
            match columns.iter_mut().find(|c| c.0 == root) {
                Some((_, list)) => list.push(g),
                None => columns.push((root, vec![g])),
            }
        }
        columns.sort();
        let column = |(root, gates)| OutcomeColumn::new(analysis, net, root, gates, budget);
        Ok(Outcomes { columns: columns.into_iter().map(column).collect::<Result<_, _>>()? })
    }

    pub fn column(&self, root: Option<usize>) -> Option<&OutcomeColumn> {
        self.columns.iter().find(|c| c.root == root)
    }
}

/// The conditions of a literal; none where there are too many.
pub fn conditions_of(net: &Net, lit: Lit, analysis: &mut Analysis) -> Option<Vec<usize>> {
    let blocks = &mut analysis.blocks;
    let own: Vec<usize> =
        support(&net.gates, lit).into_iter().filter(|b| !blocks.is_shared(*b)).collect();
    let found = conditions(net, lit, &own, blocks);
    let gates = found.iter().map(|l| l.gate()).filter(|g| *g != 0);
    (found.len() <= MOST_CONDITIONS).then(|| gates.collect())
}

impl Analysis {
    /// The root of the block that a gate reads; none where it reads what is shared alone.
    pub(crate) fn block_of(&mut self, net: &Net, gate: usize) -> Option<usize> {
        let on = support(&net.gates, Lit::new(gate, false));
        let own = on.into_iter().find(|b| !self.blocks.is_shared(*b));
        own.map(|b| self.blocks.find(b))
    }

    fn reads_one(&mut self, net: &Net, gate: usize) -> bool {
        let on = support(&net.gates, Lit::new(gate, false)).into_iter();
        let own: Vec<usize> = on.filter(|b| !self.blocks.is_shared(*b)).collect();
        own.iter().all(|b| self.blocks.find(*b) == self.blocks.find(own[0]))
    }
}

impl OutcomeColumn {
    fn new(
        analysis: &mut Analysis,
        net: &Net,
        root: Option<usize>,
        gates: Vec<usize>,
        budget: &Budget,
    ) -> Result<OutcomeColumn, Stop> {
        let probe = root.map(|r| analysis.probe(net, r, &gates));
        if let Some(probe) = probe.filter(|p| p.gates.len() * 1_000 < MOST_WORK)
            && let Some((outcomes, visited)) = visit(probe, budget)?
        {
            return Ok(OutcomeColumn {
                root,
                gates,
                outcomes: Some(outcomes),
                visited: Some(visited),
            });
        }
        let outcomes = in_any_state(net, &gates, budget)?;
        Ok(OutcomeColumn { root, gates, outcomes, visited: None })
    }

    /// Does an outcome that satisfies this stay as it is for good, as far as these gates see it?
    pub fn stays(&self, over: impl Fn(&[bool]) -> bool, gates: &[usize]) -> bool {
        let (Some(outcomes), Some(visited)) = (&self.outcomes, &self.visited) else {
            return false;
        };
        let seen = |o: u32| {
            let value = |g: &usize| outcomes[o as usize][self.gates.binary_search(g).expect("own")];
            gates.iter().map(value).collect::<Vec<bool>>()
        };
        let over = |o: u32| over(&outcomes[o as usize]);
        visited.steps.iter().all(|(a, b)| !over(*a) || (over(*b) && seen(*a) == seen(*b)))
    }
}

/// Outcomes, and how they follow each other.
type Visit = (Vec<Vec<bool>>, VisitedBlock);

/// All states of a block as a game, whose goals are the conditions; none if they are too many.
fn visit(probe: Net, budget: &Budget) -> Result<Option<Visit>, Stop> {
    let probe = Arc::new(probe);
    let mut game = Scalar::within(probe.clone(), budget)?;
    let mut numbers: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
    let mut of: FxHashMap<State, u32> = FxHashMap::default();
    let mut visited = VisitedBlock::default();
    let mut number = |state: &State, of: &mut FxHashMap<State, u32>| {
        let next = numbers.len() as u32;
        let outcome = *numbers.entry(outcome(&probe, state)).or_insert(next);
        of.insert(state.clone(), outcome);
        outcome
    };
    let initial = State::of(probe.bases.iter().map(|b| b.initial));
    number(&initial, &mut of);
    let (mut open, mut steps) = (vec![initial], 0);
    while let Some(state) = open.pop() {
        budget.check()?;
        if of.len() > MOST_STATES || of.len() * probe.gates.len() > MOST_WORK || steps > MOST_STEPS
        {
            return Ok(None);
        }
        if game.terminal(&state) {
            continue;
        }
        let here = of[&state];
        visited.at_once |= choosers(&mut game, &state) > 1;
        for joint in Joints::of(&mut game, &state) {
            steps += 1;
            let next = game.next(&state, &joint);
            let there = of.get(&next).copied().unwrap_or_else(|| {
                open.push(next.clone());
                number(&next, &mut of)
            });
            visited.steps.insert((here, there));
            if steps > MOST_STEPS {
                return Ok(None);
            }
        }
    }
    let mut outcomes = vec![vec![]; numbers.len()];
    numbers.into_iter().for_each(|(outcome, n)| outcomes[n as usize] = outcome);
    Ok((outcomes.len() <= MOST_OUTCOMES).then_some((outcomes, visited)))
}

fn outcome(probe: &Net, state: &State) -> Vec<bool> {
    let values = probe.evaluate(&state.values(probe.bases.len()), &vec![false; probe.inputs.len()]);
    probe.goals[0].iter().map(|g| Net::holds(&values, g.1)).collect()
}

fn choosers(game: &mut Scalar, state: &State) -> usize {
    let mut number = 0;
    for role in 0..game.roles() {
        let mut legal = Vec::new();
        game.legal(state, role, &mut legal);
        number += (legal.len() > 1) as usize;
    }
    number
}

/// The assignments of these gates in any state, reachable or not.
fn in_any_state(
    net: &Net,
    gates: &[usize],
    budget: &Budget,
) -> Result<Option<Vec<Vec<bool>>>, Stop> {
    let mut state = Unrolling::new(net, UnrollStart::Any, budget);
    let vars: Vec<i32> = gates.iter().map(|g| state.at(0, Lit::new(*g, false))).collect();
    let mut found: Vec<Vec<bool>> = Vec::new();
    while found.len() <= MOST_OUTCOMES {
        match state.solve(&[], EFFORT)? {
            SatAnswer::Unsat => {
                found.sort();
                return Ok(Some(found));
            }
            SatAnswer::Unknown => return Ok(None),
            SatAnswer::Sat => {}
        }
        let outcome: Vec<bool> =
            gates.iter().map(|g| state.holds(0, Lit::new(*g, false))).collect();
        let other = vars.iter().zip(&outcome).map(|(v, holds)| if *holds { -v } else { *v });
        state.clause(other.collect::<Vec<_>>());
        found.push(outcome);
    }
    Ok(None)
}
