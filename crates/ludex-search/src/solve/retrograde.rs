//! `Retrograde`: all reachable states at once, for games in which a state can come back to itself.
//!
//! A rank is forced by a role if it can bring the match to an end of that rank or a better one, whatever the
//! others do: the states from which it can are those that attract (backwards from the ends, a state
//! of the role by one successor, any other by all). What neither side can force is play without end,
//! of which the rules say nothing: a role is sure of what it can force, and of no more.

use super::field::{Expansion, Field};
use super::force::ForceHalt;
use super::keys::Keys;
use super::scale::Scale;
use super::sweep::{StateSweep, row_words};
use ludex_gdl::budget::Budget;
use ludex_knowledge::Knowledge;
use ludex_machine::State;
use ludex_reason::{Move, Role};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

pub struct Retrograde {
    pub field: Field,
    keys: Keys,
    /// The numbers of the states by their keys.
    number: FxHashMap<u128, u32>,
    start: State,
    /// The successors of state i are `next[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    next: Vec<u32>,
    /// Does the role of the scale choose? And the rank of an end.
    own: Vec<bool>,
    ends: Vec<Option<u8>>,
    best: u8,
    /// Per state and rank above 0 the steps in which the role can force it, and the others the opposite.
    forced: Vec<[Vec<u32>; 2]>,
}

const NEVER: u32 = u32::MAX;

/// The role with more than one move among joint moves, if there is one. None where there are several.
fn choosers(joints: &[Move], roles: usize) -> Option<Option<Role>> {
    let chooses = |role: &usize| joints.chunks(roles).any(|joint| joint[*role] != joints[*role]);
    let mut choosing = (0..roles).filter(chooses);
    let first = choosing.next();
    choosing.next().is_none().then_some(first)
}

impl Retrograde {
    /// Visits all states; none where they do not fit.
    pub fn new(
        (mut field, knowledge): (Field, Arc<Knowledge>),
        keys: Keys,
        scale: &Scale,
        role: Role,
        start: &State,
        bytes: usize,
        budget: &Budget,
    ) -> Result<Option<Retrograde>, ForceHalt> {
        let mut number: FxHashMap<u128, u32> = FxHashMap::default();
        let mut sweep = StateSweep::new(knowledge, &field);
        let words = row_words(field.machine.net().bases.len());
        let mut found = start.0.to_vec();
        found.resize(words, 0);
        let (mut first, mut next, mut own, mut ends) = (vec![0], vec![], vec![], vec![]);
        let (mut all, mut next_all) = (Vec::new(), Vec::new());
        keys.all(&start.0, &mut all);
        number.insert(keys.key(&all, &start.0), 0);
        let (mut at, mut swept) = (0, 0..0);
        while at < found.len() / words {
            budget.check()?;
            budget.advance(1);
            if at == swept.end {
                swept = at..at + sweep.over(&mut field, &found[at * words..], budget)?;
            }
            let n = at - swept.start;
            let children = sweep.children(n);
            let over = children.is_empty();
            field.stuck += u64::from(over && !sweep.is_terminal(n));
            let chooser = choosers(sweep.joints(children.clone()), field.roles);
            let Some(chooser) = chooser.filter(|c| c.is_none() || *c != field.chance) else {
                return Err(ForceHalt::Together);
            };
            own.push(chooser.is_none_or(|c| c == role));
            ends.push(match over {
                true => {
                    let mut goal = |role: Role| {
                        let goal = sweep.goal(n, role);
                        field.without_goal += u64::from(goal.is_none());
                        goal.unwrap_or(0)
                    };
                    let goals = [goal(role), if scale.alone { 0 } else { goal(1 - role) }];
                    Some(scale.rank(goals).ok_or(ForceHalt::OffScale)?)
                }
                false => None,
            });
            let state = found[at * words..][..words].to_vec();
            keys.all(&state, &mut all);
            for child in children {
                let after = sweep.row(child);
                keys.step(&state, after, &all, &mut next_all);
                let new = (found.len() / words) as u32;
                let to = *number.entry(keys.key(&next_all, after)).or_insert(new);
                if to == new {
                    found.extend_from_slice(after);
                }
                next.push(to);
            }
            first.push(next.len() as u32);
            at += 1;
            let size = found.len() * 8 + number.len() * 48 + next.len() * 12;
            if size > bytes || next.len() > u32::MAX as usize / 2 {
                return Ok(None);
            }
        }
        drop(found);
        let (start, best, forced) = (start.clone(), scale.best(), vec![]);
        let mut all =
            Retrograde { field, keys, number, start, first, next, own, ends, best, forced };
        for rank in 1..=best {
            let role = all.attract(rank, true, budget)?;
            let others = all.attract(rank, false, budget)?;
            all.forced.push([role, others]);
        }
        Ok(Some(all))
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// For every state the steps in which the role can force the rank, or the others that it is missed.
    fn attract(&self, rank: u8, role: bool, budget: &Budget) -> Result<Vec<u32>, ForceHalt> {
        let mut steps = vec![NEVER; self.len()];
        let mut left: Vec<u32> = self.first.windows(2).map(|w| w[1] - w[0]).collect();
        let mut into = vec![vec![]; self.len()];
        for from in 0..self.len() {
            for to in &self.next[self.first[from] as usize..self.first[from + 1] as usize] {
                into[*to as usize].push(from as u32);
            }
        }
        let mut open: Vec<u32> = Vec::new();
        for (i, end) in self.ends.iter().enumerate() {
            if end.is_some_and(|end| (end >= rank) == role) {
                steps[i] = 0;
                open.push(i as u32);
            }
        }
        let mut at = 0;
        while at < open.len() {
            budget.check()?;
            let state = open[at] as usize;
            at += 1;
            for from in into[state].iter().map(|f| *f as usize) {
                left[from] -= 1;
                if steps[from] == NEVER && (self.own[from] == role || left[from] == 0) {
                    steps[from] = steps[state] + 1;
                    open.push(from as u32);
                }
            }
        }
        Ok(steps)
    }

    /// The least and the greatest rank of the first state: what the role and what the others can force.
    pub fn bounds(&self) -> (u8, u8) {
        let least = (1..=self.best).rev().find(|r| self.steps(0, *r, true) != NEVER);
        let greatest = (1..=self.best).find(|r| self.steps(0, *r, false) != NEVER);
        (least.unwrap_or(0), greatest.map_or(self.best, |r| r - 1))
    }

    fn steps(&self, state: usize, rank: u8, role: bool) -> u32 {
        self.forced[rank as usize - 1][!role as usize][state]
    }

    /// A line by which both sides get what they can force, where they can force the same: whoever can get
    /// more than the worst goes the shortest way to it, while the other holds out.
    pub fn line(&mut self) -> Vec<Vec<Move>> {
        let (least, greatest) = self.bounds();
        let mut line = Vec::new();
        if least != greatest {
            return line;
        }
        // The side that forces the end: the role its rank, or the others that it is not exceeded.
        let (rank, role) = if least > 0 { (least, true) } else { (1, false) };
        let (mut at, mut state) = (0, self.start.clone());
        let mut expansion = Expansion::default();
        let mut all = Vec::new();
        while self.ends[at].is_none() && line.len() < self.len() {
            self.field.joints(&state, &mut expansion);
            self.field.states(&state, &mut expansion);
            // Under symmetries the successors that are stored may be others than these.
            let mut children = Vec::new();
            for (child, next) in expansion.states.iter().enumerate() {
                self.keys.all(&next.0, &mut all);
                let to = self.number[&self.keys.key(&all, &next.0)] as usize;
                children.push((self.steps(to, rank, role), child, to));
            }
            let chosen = match self.own[at] == role {
                true => children.into_iter().min_by_key(|c| (c.0, c.1)),
                false => children.into_iter().max_by_key(|c| (c.0, Reverse(c.1))),
            };
            let (_, child, to) = chosen.expect("a move");
            line.push(expansion.joint(child, self.field.roles).to_vec());
            (at, state) = (to, expansion.states[child].clone());
        }
        line
    }
}
