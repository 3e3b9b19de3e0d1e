//! Recombination: the factors played side by side are the whole game, state by state.

use super::Factors;
use super::goals::evaluate;
use crate::budget::{Budget, Stop};
use crate::facts::latches::bits;
use crate::game::{Game, Joints, Move, Random};
use crate::machine::{Scalar, State};
use crate::net::{Lit, Net};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub states: usize,
    pub steps: usize,
    /// Were these all reachable states?
    pub complete: bool,
}

struct Run<'f> {
    found: &'f Factors,
    whole: Scalar,
    games: Vec<Scalar>,
    /// Conditions of goals and end, by the factor whose bases they read; none: shared bases.
    conditions: Vec<(Option<usize>, usize)>,
    checked: Checked,
}

impl Factors {
    /// Compares the whole game with its factors in random matches and, breadth first, in at most so
    /// many states. The error tells what differs.
    pub fn verify(
        &self,
        matches: usize,
        states: usize,
        budget: &Budget,
    ) -> Result<Result<Checked, String>, Stop> {
        let games = self.factors.iter().map(|f| Scalar::new(Arc::new(f.net.clone()))).collect();
        let whole = Scalar::new(Arc::new(self.net.clone()));
        let conditions = self.conditions();
        let mut run = Run { found: self, whole, games, conditions, checked: Checked::default() };
        let mut random = Random::new(1);
        for _ in 0..matches {
            if let Err(why) = run.play(&mut random, budget)? {
                return Ok(Err(why));
            }
        }
        Ok(run.all(states, budget)?.map(|()| run.checked))
    }

    /// The largest parts of goals and end that read one factor only, with that factor.
    fn conditions(&self) -> Vec<(Option<usize>, usize)> {
        let net = &self.net;
        let mut of = vec![None; net.bases.len()];
        for (k, factor) in self.factors.iter().enumerate() {
            factor.bases.iter().for_each(|b| of[*b] = Some(k));
        }
        let goals = net.goals.iter().flatten().map(|g| g.1);
        let mut open: Vec<usize> = goals.chain([net.terminal]).map(Lit::gate).collect();
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        while let Some(g) = open.pop() {
            if !seen.insert(g) {
                continue;
            }
            let on = super::support(&net.gates, Lit::new(g, false));
            let mut factors: Vec<usize> = on.into_iter().filter_map(|b| of[b]).collect();
            factors.dedup();
            factors.sort_unstable();
            factors.dedup();
            match super::effects::gate_of(net, Lit::new(g, false)) {
                Some((a, b, _)) if factors.len() > 1 => open.extend([a.gate(), b.gate()]),
                _ => found.push((factors.first().copied(), g)),
            }
        }
        found
    }
}

const MOST_MOVES: usize = 200;

impl Run<'_> {
    fn play(&mut self, random: &mut Random, budget: &Budget) -> Result<Result<(), String>, Stop> {
        let mut state = self.whole.initial();
        for _ in 0..MOST_MOVES {
            budget.check()?;
            if let Err(why) = self.state(&state) {
                return Ok(Err(why));
            }
            if self.whole.terminal(&state) {
                break;
            }
            let mut joint = Vec::new();
            for role in 0..self.whole.roles() {
                let mut legal = Vec::new();
                self.whole.legal(&state, role, &mut legal);
                if legal.is_empty() {
                    return Ok(Ok(()));
                }
                joint.push(legal[random.below(legal.len())]);
            }
            let next = self.whole.next(&state, &joint);
            if let Err(why) = self.step(&state, &joint, &next) {
                return Ok(Err(why));
            }
            state = next;
        }
        Ok(Ok(()))
    }

    fn all(&mut self, most: usize, budget: &Budget) -> Result<Result<(), String>, Stop> {
        let mut seen: FxHashSet<State> = FxHashSet::from_iter([self.whole.initial()]);
        let mut open = vec![self.whole.initial()];
        while let Some(state) = open.pop() {
            budget.check()?;
            if let Err(why) = self.state(&state) {
                return Ok(Err(why));
            }
            if self.whole.terminal(&state) {
                continue;
            }
            for joint in Joints::of(&mut self.whole, &state) {
                let next = self.whole.next(&state, &joint);
                if let Err(why) = self.step(&state, &joint, &next) {
                    return Ok(Err(why));
                }
                if seen.len() < most && seen.insert(next.clone()) {
                    open.push(next);
                } else if seen.len() >= most {
                    return Ok(Ok(()));
                }
            }
        }
        self.checked.complete = most > 0;
        Ok(Ok(()))
    }

    /// The state of a factor within a state of the whole game.
    fn part(&self, k: usize, state: &State) -> State {
        let bases = &self.found.factors[k].whole_bases;
        bits(&bases.iter().map(|b| bit(state, *b)).collect::<Vec<_>>())
    }

    /// The factors that are being played: in a serial game the first until the cut, then the rest.
    fn active(&self, state: &State) -> Vec<bool> {
        let after = self.found.cut.map(|cut| {
            let values = self.values(|b| bit(state, b));
            Net::holds(&values, cut)
        });
        let active = |k: usize| after.is_none_or(|after| (k > 0) == after);
        (0..self.games.len()).map(active).collect()
    }

    fn values(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        let net = &self.found.net;
        let bases: Vec<bool> = (0..net.bases.len()).map(holds).collect();
        net.evaluate(&bases, &vec![false; net.inputs.len()])
    }

    /// Legal moves, end and goals follow from the factors.
    fn state(&mut self, state: &State) -> Result<(), String> {
        self.checked.states += 1;
        let (net, active) = (&self.found.net, self.active(state));
        for role in 0..net.roles.len() {
            let mut legal = Vec::new();
            self.whole.legal(state, role, &mut legal);
            let mut parts: Vec<Vec<Move>> = vec![vec![]; self.games.len()];
            for k in (0..self.games.len()).filter(|k| active[*k]) {
                let part = self.part(k, state);
                self.games[k].legal(&part, role, &mut parts[k]);
            }
            for i in net.inputs_of(role) {
                let ok = |k: usize| {
                    let part = self.found.factors[k].part_of[i];
                    !active[k] || part.is_some_and(|p| parts[k].contains(&Move(p as u32)))
                };
                let recombined = (0..self.games.len()).all(ok);
                if recombined != legal.contains(&Move(i as u32)) {
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
        for k in (0..found.factors.len()).map(Some).chain([None]) {
            let own = |b: usize| match k {
                Some(k) => {
                    found.shared.binary_search(&b).is_ok()
                        || found.factors[k].bases.binary_search(&b).is_ok()
                }
                None => found.shared.binary_search(&b).is_ok(),
            };
            let values = self.values(|b| own(b) && bit(state, b));
            for (_, g) in self.conditions.iter().filter(|c| c.0 == k) {
                assigned.insert(*g, values[*g]);
            }
        }
        let mut memo = FxHashMap::default();
        if evaluate(&found.net, found.net.terminal, &assigned, &mut memo)
            != self.whole.terminal(state)
        {
            return Err("terminal differs".into());
        }
        let values = self.values(|b| bit(state, b));
        for (role, goals) in found.net.goals.iter().enumerate() {
            for (value, lit) in goals {
                let recombined = evaluate(&found.net, *lit, &assigned, &mut memo);
                if recombined != Net::holds(&values, *lit) {
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

fn bit(state: &State, base: usize) -> bool {
    state.0[base / 64] >> (base % 64) & 1 == 1
}
