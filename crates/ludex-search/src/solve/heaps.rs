//! Sums of games in which two roles move in turn, each time in one factor, and both could make the same moves:
//! heaps of nim in disguise. Every state of a factor has a Grundy number (the least that none of its followers
//! has), and who can make their exclusive sum zero wins. All that this takes is looked at in the factors: who is
//! stuck is at the end, turns alternate, and the end depends on whose turn it is.
//!
//! Where who is stuck wins (misère play) the factors must be heaps themselves: every state leads to all lower
//! ones.

use ludex_facts::factor::{Ending, Factor, FactorKind, Factors, Structure};
use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::{Scalar, State};
use ludex_net::ground::NotGround;
use ludex_net::{KnownGates, Lit, Net};
use ludex_reason::{Joints, Move, StateMachine};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A game as a sum of heaps.
pub struct Heaps {
    /// By factor: the Grundy number of every state of its own.
    numbers: Vec<FxHashMap<Vec<bool>, u32>>,
    /// The own bases of every factor, in the whole net.
    bases: Vec<Vec<usize>>,
    /// Does who is stuck win?
    misere: bool,
    /// The goals at the end where the role that begins is stuck, and where the other is.
    goals: [Vec<i32>; 2],
    /// States of every factor.
    pub states: Vec<u64>,
}

/// States of a factor that are visited.
const MOST: usize = 200_000;

/// What is shared, as it is before a role moves.
type CommonState = Vec<bool>;

/// One factor, visited.
struct Visited {
    /// By what is shared and the factor's own state: what can follow.
    next: FxHashMap<(CommonState, Vec<bool>), FxHashSet<Vec<bool>>>,
    /// Who moves in it, by what is shared.
    movers: FxHashMap<CommonState, FxHashSet<usize>>,
}

impl Heaps {
    /// None where the game is no such sum, or is not seen to be.
    pub fn new(found: &Factors, budget: &Budget) -> Result<Option<Heaps>, Stop> {
        let free = found.goals.iter().all(|(structure, ..)| *structure == Structure::None);
        let one_each = (0..found.net.inputs.len()).all(|i| touched(found, i) <= 1);
        let all_over =
            matches!(&found.ending, Ending::All(all) if all.len() == found.factors.len());
        let by_choice = found.kind == FactorKind::ByChoice && found.net.roles.len() == 2;
        if !(by_choice && free && one_each && all_over) {
            return Ok(None);
        }
        let mut all = Vec::new();
        for factor in &found.factors {
            match Visited::new(found, factor, budget)? {
                Some(visited) => all.push(visited),
                None => return Ok(None),
            }
        }
        Ok(Heaps::of(found, &all))
    }

    fn of(found: &Factors, all: &[Visited]) -> Option<Heaps> {
        let first = found.shared_at_first();
        let second: FxHashSet<&CommonState> =
            all.iter().flat_map(|v| v.next.keys().map(|k| &k.0)).filter(|s| **s != first).collect();
        let [second] = second.into_iter().collect::<Vec<_>>()[..] else { return None };
        let (beginner, other) = (mover(all, &first)?, mover(all, second)?);
        if beginner == other {
            return None;
        }
        let waits = |role: usize, shared: &[bool]| found.idle_moves(role, shared);
        let turns = waits(beginner, &first) == Some(0) && waits(other, second) == Some(0);
        if !turns || waits(other, &first)? == 0 || waits(beginner, second)? == 0 {
            return None;
        }
        let goals = [found.goals_at(&first)?, found.goals_at(second)?];
        let misere = match [beginner, other].map(|r| goals[0][r].cmp(&goals[1][r]) as i8) {
            [-1, 1] => false,
            [1, -1] => true,
            _ => return None,
        };
        let numbers: Option<Vec<_>> =
            all.iter().map(|v| v.numbers(&first, second, misere)).collect();
        let bases = found.factors.iter().map(|f| f.bases.clone()).collect();
        let states = all.iter().map(|v| v.next.len() as u64).collect();
        Some(Heaps { numbers: numbers?, bases, misere, goals, states })
    }

    /// Does the role that is to move get what it wants in a state of the whole?
    pub fn wins(&self, state: &State) -> Option<bool> {
        let mut heaps = Vec::new();
        for (numbers, bases) in self.numbers.iter().zip(&self.bases) {
            let own: Vec<bool> = bases.iter().map(|b| state.holds(*b)).collect();
            heaps.push(*numbers.get(&own)?);
        }
        let sum = heaps.iter().fold(0, |sum, n| sum ^ n);
        let small = heaps.iter().all(|n| *n <= 1);
        Some(if self.misere && small { sum == 0 } else { sum != 0 })
    }

    /// What the roles get from the first state on, given whether the role that begins wins there.
    pub fn values(&self, wins: bool) -> Vec<i32> {
        // In normal play who wins leaves the other stuck.
        self.goals[(wins != self.misere) as usize].clone()
    }
}

/// The factors that a move of the whole net changes.
fn touched(found: &Factors, input: usize) -> usize {
    let changes = |f: &&Factor| f.part_of[input].is_some_and(|part| !f.elsewhere[part]);
    found.factors.iter().filter(changes).count()
}

/// The role that moves in all factors under what is shared.
fn mover(all: &[Visited], shared: &[bool]) -> Option<usize> {
    let movers: FxHashSet<usize> =
        all.iter().filter_map(|v| v.movers.get(shared)).flatten().copied().collect();
    let [only] = movers.into_iter().collect::<Vec<_>>()[..] else { return None };
    Some(only)
}

impl Visited {
    /// All states of a factor; none where they are too many, or where it is over and goes on, or not over and
    /// stuck.
    fn new(found: &Factors, factor: &Factor, budget: &Budget) -> Result<Option<Visited>, Stop> {
        let knowledge = Knowledge::of_net(Arc::new(factor.net.clone()));
        let mut game = Scalar::clone(&*knowledge.scalar(budget).map_err(NotGround::stop)?);
        let own: Vec<usize> = places(factor, &factor.bases);
        let shared: Vec<usize> = places(factor, &found.shared);
        if shared.len() != found.shared.len() || own.len() != factor.bases.len() {
            return Ok(None);
        }
        let part = |state: &State, places: &[usize]| -> Vec<bool> {
            places.iter().map(|b| state.holds(*b)).collect()
        };
        let (mut visited, mut seen) = (
            Visited { next: FxHashMap::default(), movers: FxHashMap::default() },
            FxHashSet::default(),
        );
        let mut open = vec![game.initial()];
        seen.insert(game.initial());
        while let Some(state) = open.pop() {
            budget.check()?;
            if seen.len() > MOST {
                return Ok(None);
            }
            let key = (part(&state, &shared), part(&state, &own));
            let mut after: FxHashSet<Vec<bool>> = FxHashSet::default();
            let mut laters = FxHashSet::default();
            // An end of the factor is none of the whole: elsewhere it goes on.
            for joint in Joints::of(&mut game, &state) {
                let next = game.next(&state, &joint);
                laters.insert(part(&next, &shared));
                let moving = moving(factor, &joint);
                if moving.len() > 1 {
                    return Ok(None);
                }
                if let Some(role) = moving.first() {
                    visited.movers.entry(key.0.clone()).or_default().insert(*role);
                    after.insert(part(&next, &own));
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
            let turns = laters.len() <= 1 && !laters.contains(&key.0);
            if !turns || game.terminal(&state) != after.is_empty() {
                return Ok(None);
            }
            visited.next.insert(key, after);
        }
        Ok(Some(visited))
    }

    /// The Grundy number of every state, if both roles have the same moves in it.
    fn numbers(
        &self,
        first: &[bool],
        second: &[bool],
        misere: bool,
    ) -> Option<FxHashMap<Vec<bool>, u32>> {
        let mut numbers: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        let states: FxHashSet<&Vec<bool>> = self.next.keys().map(|k| &k.1).collect();
        let of =
            |state: &[bool], shared: &[bool]| self.next.get(&(shared.to_vec(), state.to_vec()));
        let mut open: Vec<&Vec<bool>> = states.into_iter().collect();
        open.sort();
        // From the ends upwards; what is left over goes round in circles.
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            for state in open {
                let (next, by_other) = (of(state, first)?, of(state, second)?);
                if next != by_other {
                    return None;
                }
                let lower: Option<FxHashSet<u32>> =
                    next.iter().map(|n| numbers.get(n).copied()).collect();
                match lower {
                    Some(lower) => {
                        let number = (0..).find(|n| !lower.contains(n)).expect("one is free");
                        let is_heap = next.len() == number as usize;
                        if misere && !is_heap {
                            return None;
                        }
                        numbers.insert(state.clone(), number);
                    }
                    None => left.push(state),
                }
            }
            if left.len() == before {
                return None;
            }
            open = left;
        }
        Some(numbers)
    }
}

/// Where bases of the whole net stand in the net of a factor.
fn places(factor: &Factor, bases: &[usize]) -> Vec<usize> {
    bases.iter().filter_map(|b| factor.whole_bases.iter().position(|w| w == b)).collect()
}

/// The roles whose moves change a factor.
fn moving(factor: &Factor, joint: &[Move]) -> Vec<usize> {
    (0..joint.len()).filter(|r| !factor.elsewhere[joint[*r].0 as usize]).collect()
}

/// What of a game depends on what is shared alone.
trait SharedParts {
    fn shared_at_first(&self) -> CommonState;
    fn idle_moves(&self, role: usize, shared: &[bool]) -> Option<usize>;
    fn goals_at(&self, shared: &[bool]) -> Option<Vec<i32>>;
}

impl SharedParts for Factors {
    fn shared_at_first(&self) -> CommonState {
        self.shared.iter().map(|b| self.net.bases[*b].initial).collect()
    }

    /// The moves of a role that change no factor and are legal; none where that hangs on the factors.
    fn idle_moves(&self, role: usize, shared: &[bool]) -> Option<usize> {
        let values = by_shared(self, shared);
        let idle = self.net.inputs_of(role).filter(|i| touched(self, *i) == 0);
        let legal: Option<Vec<bool>> =
            idle.map(|i| values.value(self.net.inputs[i].legal)).collect();
        Some(legal?.into_iter().filter(|legal| *legal).count())
    }

    fn goals_at(&self, shared: &[bool]) -> Option<Vec<i32>> {
        let values = by_shared(self, shared);
        let goal = |goals: &Vec<(i32, Lit)>| {
            let held: Option<Vec<bool>> = goals.iter().map(|g| values.value(g.1)).collect();
            let held: Vec<i32> =
                goals.iter().zip(held?).filter(|(_, held)| *held).map(|(g, _)| g.0).collect();
            (held.len() == 1).then(|| held[0])
        };
        self.net.goals.iter().map(goal).collect()
    }
}

/// What follows in the whole net from what is shared.
fn by_shared(found: &Factors, shared: &[bool]) -> KnownGates {
    let net: &Net = &found.net;
    let mut bases = vec![None; net.bases.len()];
    found.shared.iter().zip(shared).for_each(|(b, value)| bases[*b] = Some(*value));
    KnownGates::new(net, &bases, &vec![None; net.inputs.len()])
}
