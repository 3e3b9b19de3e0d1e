//! Recombination: the factors played side by side are the whole game, state by state.

use super::Factors;
use super::goals::evaluate;
use super::phases::GateCone;
use ludex_gdl::budget::Budget;
use ludex_machine::{Scalar, State};
use ludex_net::{Lit, Net};
use ludex_reason::{Joints, Move, Random, StateMachine};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    pub states: usize,
    pub steps: usize,
    /// Were these all reachable states?
    pub complete: bool,
}

/// Factors that are not the whole game: what differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorsDiffer(pub String);

impl fmt::Display for FactorsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FactorsDiffer {}

struct FactorRun<'f> {
    found: &'f Factors,
    whole: Scalar,
    games: Vec<Scalar>,
    /// Conditions of goals and end, for every factor those that read its bases, and for shared bases
    /// those that read no others.
    conditions: Vec<Conditions>,
    /// Goals, end, and the cut of a serial game.
    outputs: GateCone,
    values: Vec<bool>,
    checked: Checked,
}

/// Conditions on some bases.
struct Conditions {
    gates: Vec<usize>,
    cone: GateCone,
    reads: Vec<bool>,
}

impl Factors {
    /// Compares the whole game with its factors in random matches and in at most so
    /// many states one after the other, until the budget ends.
    pub fn verify(
        &self,
        matches: usize,
        states: usize,
        budget: &Budget,
    ) -> Result<Checked, FactorsDiffer> {
        let mut games = Vec::new();
        for net in [&self.net].into_iter().chain(self.factors.iter().map(|f| &f.net)) {
            let Ok(game) = Scalar::within(Arc::new(net.clone()), budget) else {
                return Ok(Checked::default());
            };
            games.push(game);
        }
        let whole = games.remove(0);
        let goals = self.net.goals.iter().flatten().map(|g| g.1);
        let mut run = FactorRun {
            found: self,
            whole,
            games,
            conditions: self.conditions(),
            outputs: GateCone::new(&self.net, goals.chain([self.net.terminal]).chain(self.cut)),
            values: vec![false; self.net.gates.len()],
            checked: Checked::default(),
        };
        let mut random = Random::new(1);
        let mut played = (0..matches).try_for_each(|_| run.play(&mut random, budget));
        played = played.and_then(|()| run.all(states, budget));
        played.map(|()| run.checked).map_err(FactorsDiffer)
    }

    /// The largest parts of goals and end that read one factor only, by factor; those that read none come
    /// last.
    fn conditions(&self) -> Vec<Conditions> {
        let net = &self.net;
        let mut of = vec![None; net.bases.len()];
        for (k, factor) in self.factors.iter().enumerate() {
            factor.bases.iter().for_each(|b| of[*b] = Some(k));
        }
        let goals = net.goals.iter().flatten().map(|g| g.1);
        let mut open: Vec<usize> = goals.chain([net.terminal]).map(Lit::gate).collect();
        let mut found = vec![Vec::new(); self.factors.len() + 1];
        let mut seen = FxHashSet::default();
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            let on = super::support(&net.gates, Lit::new(g, false));
            let mut factors: Vec<usize> = on.into_iter().filter_map(|b| of[b]).collect();
            factors.sort_unstable();
            factors.dedup();
            match net.gate_of(Lit::new(g, false)) {
                Some((a, b, _)) if factors.len() > 1 => open.extend([a.gate(), b.gate()]),
                _ => found[factors.first().copied().unwrap_or(self.factors.len())].push(g),
            }
        }
        let conditions = |(k, gates): (usize, Vec<usize>)| Conditions {
            cone: GateCone::new(net, gates.iter().map(|g| Lit::new(*g, false))),
            reads: of.iter().map(|of| of.is_none_or(|f| f == k)).collect(),
            gates,
        };
        found.into_iter().enumerate().map(conditions).collect()
    }
}

const MOST_MOVES: usize = 200;

impl FactorRun<'_> {
    fn play(&mut self, random: &mut Random, budget: &Budget) -> Result<(), String> {
        let mut state = self.whole.initial();
        for _ in 0..MOST_MOVES {
            if budget.check().is_err() {
                break;
            }
            self.state(&state)?;
            if self.whole.terminal(&state) {
                break;
            }
            let mut joint = Vec::new();
            for role in 0..self.whole.roles() {
                let mut legal = Vec::new();
                self.whole.legal(&state, role, &mut legal);
                if legal.is_empty() {
                    return Ok(());
                }
                joint.push(legal[random.below(legal.len())]);
            }
            let next = self.whole.next(&state, &joint);
            self.step(&state, &joint, &next)?;
            state = next;
        }
        Ok(())
    }

    fn all(&mut self, most: usize, budget: &Budget) -> Result<(), String> {
        let mut seen: FxHashSet<State> = FxHashSet::from_iter([self.whole.initial()]);
        let mut open = vec![self.whole.initial()];
        while let Some(state) = open.pop() {
            self.state(&state)?;
            if self.whole.terminal(&state) {
                continue;
            }
            for joint in Joints::of(&mut self.whole, &state) {
                if budget.check().is_err() {
                    return Ok(());
                }
                let next = self.whole.next(&state, &joint);
                self.step(&state, &joint, &next)?;
                if seen.len() < most && seen.insert(next.clone()) {
                    open.push(next);
                } else if seen.len() >= most {
                    return Ok(());
                }
            }
        }
        self.checked.complete = most > 0;
        Ok(())
    }

    /// The state of a factor within a state of the whole game.
    fn part(&self, k: usize, state: &State) -> State {
        let bases = &self.found.factors[k].whole_bases;
        State::of(bases.iter().map(|b| state.holds(*b)))
    }

    /// The factors that are being played: in a serial game the first until the cut, then the rest.
    fn active(&mut self, state: &State) -> Vec<bool> {
        let after = self.found.cut.map(|cut| {
            self.evaluate(state);
            Net::holds(&self.values, cut)
        });
        let active = |k: usize| after.is_none_or(|after| (k > 0) == after);
        (0..self.games.len()).map(active).collect()
    }

    /// Goals, end and cut of the whole game.
    fn evaluate(&mut self, state: &State) {
        let net = &self.found.net;
        let bases: Vec<bool> = state.values(net.bases.len());
        self.outputs.evaluate(net, &bases, &mut self.values);
    }

    /// Legal moves, end and goals follow from the factors.
    fn state(&mut self, state: &State) -> Result<(), String> {
        self.checked.states += 1;
        let active = self.active(state);
        let net = &self.found.net;
        for role in 0..net.roles.len() {
            let legal = marks(&mut self.whole, state, role);
            let mut parts: Vec<Vec<bool>> = vec![vec![]; self.games.len()];
            for k in (0..self.games.len()).filter(|k| active[*k]) {
                let part = self.part(k, state);
                parts[k] = marks(&mut self.games[k], &part, role);
            }
            for i in net.inputs_of(role) {
                let ok = |k: usize| {
                    let part = self.found.factors[k].part_of[i];
                    !active[k] || part.is_some_and(|p| parts[k][p])
                };
                if (0..self.games.len()).all(ok) != legal[i] {
                    return Err(format!("legality of {} differs", net.inputs[i].name));
                }
            }
        }
        self.outcome(state)
    }

    /// End and goals, from conditions that are read in the bases of one factor each.
    fn outcome(&mut self, state: &State) -> Result<(), String> {
        let found = self.found;
        let mut assigned: FxHashMap<usize, bool> = FxHashMap::default();
        for of in &self.conditions {
            let bases: Vec<bool> =
                (0..of.reads.len()).map(|b| of.reads[b] && state.holds(b)).collect();
            of.cone.evaluate(&found.net, &bases, &mut self.values);
            assigned.extend(of.gates.iter().map(|g| (*g, self.values[*g])));
        }
        let mut memo = FxHashMap::default();
        if evaluate(&found.net, found.net.terminal, &assigned, &mut memo)
            != self.whole.terminal(state)
        {
            return Err("terminal differs".into());
        }
        self.evaluate(state);
        for (role, goals) in found.net.goals.iter().enumerate() {
            for (value, lit) in goals {
                let recombined = evaluate(&found.net, *lit, &assigned, &mut memo);
                if recombined != Net::holds(&self.values, *lit) {
                    return Err(format!("goal {value} of {} differs", found.net.roles[role]));
                }
            }
        }
        Ok(())
    }

    /// The factors' next states make up the next state.
    fn step(&mut self, state: &State, joint: &[Move], next: &State) -> Result<(), String> {
        self.checked.steps += 1;
        let active = self.active(state);
        for (k, active) in active.into_iter().enumerate() {
            let factor = &self.found.factors[k];
            let (before, after) = (self.part(k, state), self.part(k, next));
            let parts: Option<Vec<Move>> = joint
                .iter()
                .map(|m| factor.part_of[m.0 as usize].map(|p| Move(p as u32)))
                .collect();
            let reached = match parts {
                Some(parts) if active || k == 0 => self.games[k].next(&before, &parts),
                _ => before,
            };
            if reached != after {
                return Err(format!("the next state of factor {} differs", k + 1));
            }
        }
        Ok(())
    }
}

/// For every move of a game whether it is a legal one of a role.
fn marks(game: &mut Scalar, state: &State, role: usize) -> Vec<bool> {
    let mut legal = Vec::new();
    game.legal(state, role, &mut legal);
    let mut marks = vec![false; game.net().inputs.len()];
    legal.iter().for_each(|m| marks[m.0 as usize] = true);
    marks
}
