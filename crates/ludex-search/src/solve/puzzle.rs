//! `Puzzle`: the best end that a single role can reach, and a plan that leads there.
//!
//! Breadth first while the states fit in memory, so that plans are shortest; then best first, by how much of
//! the best goal's condition is missing; then depth first with a table of bounded size. A state from
//! which nothing better than the best plan so far is possible, by facts that never change again, is left
//! alone. Symmetries that cost more time than they save are switched off, from one state to the next while states
//! are kept, and before the search in depth.

use super::concept::Method;
use super::distance::Distance;
use super::field::{Expansion, Field};
use super::keys::{Keys, Symmetry};
use super::potential::Potential;
use super::saving::{LIMIT, OrbitSample, ROUND, Saving};
use super::scale::Scale;
use super::store::StateStore;
use super::sweep::StateSweep;
use super::table::{TableEntry, TranspositionTable};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_reason::{Move, StateMachine};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Puzzle<'a> {
    pub field: Field,
    sweep: StateSweep,
    pub keys: Keys,
    pub scale: Scale,
    potential: Option<Potential>,
    /// The bytes that states may take.
    bytes: usize,
    pub expanded: u64,
    /// The rank of the best end found and the moves to it.
    pub best: Option<(u8, Vec<Vec<Move>>)>,
    /// The greatest rank that may be possible.
    pub top: u8,
    /// The greatest rank whose goal held in any state, ends or not.
    promised: Option<u8>,
    /// The ways that were tried.
    pub how: Method,
    keep: Vec<bool>,
    /// Seconds that symmetries may cost more than they save.
    pub limit: f64,
    /// What they save; times are measured once that is worth a look.
    saving: Saving,
    measured: bool,
    budget: &'a Budget,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing better is possible.
    Best,
    /// Everything was looked at.
    All,
    /// The depth cut something.
    Cut,
    /// No more states fit.
    Full,
}

/// States that are searched breadth first before another way is tried, and best first.
const BREADTH: usize = 600_000;
const GREEDY: usize = 6_000_000;

impl<'a> Puzzle<'a> {
    pub fn new(
        (field, sweep): (Field, StateSweep),
        keys: Keys,
        potential: Option<Potential>,
        bytes: usize,
        budget: &'a Budget,
    ) -> Puzzle<'a> {
        let scale = Scale::of_role(field.machine.net(), 0);
        let top = scale.best();
        let (keep, limit, saving, measured) = (vec![], LIMIT, Saving::default(), false);
        let (best, promised, how) = (None, None, Method::BreadthFirst);
        let expanded = 0;
        Puzzle {
            field,
            sweep,
            keys,
            scale,
            potential,
            bytes,
            expanded,
            best,
            top,
            promised,
            how,
            keep,
            limit,
            saving,
            measured,
            budget,
        }
    }

    /// Looks for the best end. `blind` are keys that do not see the number of steps, if there are such.
    pub fn solve(
        &mut self,
        start: &State,
        blind: Option<Keys>,
        depth: Option<usize>,
    ) -> Result<Ended, Stop> {
        if let Some((_, greatest)) = self.potential.as_mut().and_then(|p| p.ranks(&start.0)) {
            self.top = greatest;
        }
        if let Some(mut blind) = blind {
            let ended = self.breadth(start, &mut blind, depth)?;
            if self.saving.switched_off {
                self.keys.switch_off();
            }
            let promised = self.promised <= self.best.as_ref().map(|b| b.0);
            match ended {
                // The goal was nowhere better, so it is not better at any later moment.
                Ended::All if promised => return Ok(Ended::All),
                Ended::Best | Ended::Full => return self.after(start, ended, depth),
                _ => {}
            }
        }
        let mut keys = std::mem::replace(&mut self.keys, Keys::plain(0));
        let ended = self.breadth(start, &mut keys, depth);
        self.keys = keys;
        self.after(start, ended?, depth)
    }

    fn after(&mut self, start: &State, ended: Ended, depth: Option<usize>) -> Result<Ended, Stop> {
        if ended != Ended::Full {
            return Ok(ended);
        }
        self.how = Method::BestFirst;
        match self.greedy(start, depth)? {
            Ended::Full => {
                self.how = Method::DepthFirst;
                if self.keys.mode == Symmetry::States && self.saving.seconds() < 0.0 {
                    self.keys.switch_off();
                }
                self.deep(start, depth)
            }
            ended => Ok(ended),
        }
    }

    /// Notes what an end is worth; true if nothing better is possible.
    fn look(&mut self, state: &State, over: bool, line: impl FnOnce() -> Vec<Vec<Move>>) -> bool {
        let goal = self.field.machine.goal(state, 0);
        self.note(goal, over, line)
    }

    /// The same, where the goal of the state is known.
    fn note(
        &mut self,
        goal: Option<i32>,
        over: bool,
        line: impl FnOnce() -> Vec<Vec<Move>>,
    ) -> bool {
        self.field.without_goal += (over && goal.is_none()) as u64;
        let rank = self.scale.rank([goal.unwrap_or(0), 0]).expect("a goal of the role");
        self.promised = self.promised.max(Some(rank));
        if over && self.best.as_ref().is_none_or(|b| b.0 < rank) {
            self.best = Some((rank, line()));
            self.tell();
        }
        self.best.as_ref().is_some_and(|b| b.0 >= self.top)
    }

    /// Tells how good the best end so far is.
    fn tell(&self) {
        let goal = |rank: u8| self.scale.outcomes[rank as usize][0];
        if let Some((best, line)) = &self.best {
            let (best, top, steps) = (goal(*best), goal(self.top), line.len());
            self.budget.note(format!("goal {best} in {steps} steps, at most {top}"));
        }
    }

    /// Can nothing better come of a state?
    fn hopeless(&mut self, row: &[u64]) -> bool {
        let Some((best, _)) = self.best else { return false };
        let Some(potential) = &mut self.potential else { return false };
        let hopeless = potential.ranks(row).is_some_and(|(_, greatest)| greatest <= best);
        if hopeless {
            potential.helped();
        }
        hopeless
    }

    /// Makes the states after a state; false where it is stuck.
    fn expand(&mut self, state: &State, all: &[u128], keys: &Keys, out: &mut Expansion) -> bool {
        self.expanded += 1;
        self.budget.advance(1);
        if !self.field.joints(state, out) {
            return false;
        }
        if keys.mode == Symmetry::Moves {
            keys.least_moves(all, 1, &out.joints, &mut self.keep);
            out.retain(1, &self.keep);
        }
        self.field.states(state, out);
        true
    }

    /// The saved-time rule: from now on without symmetries, where they do not pay.
    fn weigh(&mut self, start: &State, keys: &mut Keys, store: &mut StateStore) {
        if keys.mode != Symmetry::States || !self.expanded.is_multiple_of(ROUND) {
            return;
        }
        if !std::mem::replace(&mut self.measured, true) {
            let Saving { saved, looked, .. } = self.saving;
            self.saving = Saving::measure(&mut self.field, keys, start, self.budget);
            (self.saving.saved, self.saving.looked) = (saved, looked);
            self.saving.limit = self.limit;
        }
        if self.saving.pays_not(self.expanded, keys.mode) {
            keys.switch_off();
            let mut all = Vec::new();
            store.rekey(|row| {
                keys.all(row, &mut all);
                keys.key(&all, row)
            });
        }
    }

    fn most(&self, start: &State) -> usize {
        self.bytes / (start.0.len() * 8 + 48)
    }

    fn breadth(
        &mut self,
        start: &State,
        keys: &mut Keys,
        depth: Option<usize>,
    ) -> Result<Ended, Stop> {
        let most = self.most(start).min(BREADTH);
        let mut store = StateStore::new(start);
        let (mut all, mut next_all) = (Vec::new(), Vec::new());
        keys.all(&start.0, &mut all);
        store.insert(keys.key(&all, &start.0), &start.0, None);
        let (mut at, mut level, mut level_end, mut ended) = (0, 0, 1, Ended::All);
        // States that one which is kept stands for: as many as its ancestors do, at the least.
        let (mut sample, mut stands_for) = (OrbitSample::default(), 1.0f64);
        let (before, mut instead) = (self.saving.saved, 0.0);
        let (mut row, mut swept) = (Vec::new(), 0..0);
        while at < store.len() {
            self.budget.check()?;
            if at == level_end {
                (level, level_end) = (level + 1, store.len());
                stands_for = sample.ratio().map_or(stands_for, |ratio| stands_for.max(ratio));
            }
            if at == swept.end {
                let rows = store.rows(at..level_end);
                swept = at..at + self.sweep.over(&mut self.field, rows, self.budget)?;
            }
            let n = at - swept.start;
            let (over, goal) = (self.sweep.is_terminal(n), self.sweep.goal(n, 0));
            if self.note(goal, over, || store.line(at)) {
                return Ok(Ended::Best);
            }
            row.clear();
            row.extend_from_slice(store.rows(at..at + 1));
            at += 1;
            if over || self.hopeless(&row) {
                continue;
            }
            if depth.is_some_and(|d| level >= d) {
                ended = Ended::Cut;
                continue;
            }
            self.expanded += 1;
            self.budget.advance(1);
            let children = self.sweep.children(n);
            if children.is_empty() {
                self.field.stuck += 1;
                self.note(goal, true, || store.line(at - 1));
                continue;
            }
            keys.all(&row, &mut all);
            let moves = self.sweep.joints(children.clone());
            if keys.mode == Symmetry::Moves {
                keys.least_moves(&all, 1, moves, &mut self.keep);
            }
            for (child, m) in children.clone().zip(moves) {
                if keys.mode == Symmetry::Moves && !self.keep[child - children.start] {
                    continue;
                }
                let next = self.sweep.row(child);
                keys.step(&row, next, &all, &mut next_all);
                let key = keys.key(&next_all, next);
                let new = store.insert(key, next, Some((at - 1, *m)));
                if keys.mode == Symmetry::States {
                    self.saving.looked += 1;
                    sample.meet(next_all[0], key, new);
                }
            }
            if store.len() > most {
                return Ok(Ended::Full);
            }
            instead += stands_for - 1.0;
            self.saving.saved = before + instead as u64;
            self.weigh(start, keys, &mut store);
        }
        Ok(ended)
    }

    /// Best first.
    fn greedy(&mut self, start: &State, depth: Option<usize>) -> Result<Ended, Stop> {
        let mut keys = std::mem::replace(&mut self.keys, Keys::plain(0));
        let ended = self.greedy_by(start, &mut keys, depth);
        self.keys = keys;
        ended
    }

    fn greedy_by(
        &mut self,
        start: &State,
        keys: &mut Keys,
        depth: Option<usize>,
    ) -> Result<Ended, Stop> {
        let most = self.most(start).min(GREEDY);
        let net = self.field.machine.net().clone();
        let value = self.scale.outcomes[self.top as usize][0];
        let goals = net.goals[0].iter().filter(|g| g.0 == value).map(|g| g.1);
        let mut distance = Distance::new(&net, goals);
        let mut store = StateStore::new(start);
        let (mut all, mut next_all) = (Vec::new(), Vec::new());
        keys.all(&start.0, &mut all);
        store.insert(keys.key(&all, &start.0), &start.0, None);
        let mut open = BinaryHeap::from([Reverse((0u32, 0u32, 0usize))]);
        let mut expansion = Expansion::default();
        let (mut ended, mut sample) = (Ended::All, OrbitSample::default());
        while let Some(Reverse((_, level, at))) = open.pop() {
            self.budget.check()?;
            let state = store.state(at);
            let over = self.field.machine.terminal(&state);
            if self.look(&state, over, || store.line(at)) {
                return Ok(Ended::Best);
            }
            if over || self.hopeless(&state.0) {
                continue;
            }
            if depth.is_some_and(|d| level as usize >= d) {
                ended = Ended::Cut;
                continue;
            }
            keys.all(&state.0, &mut all);
            if !self.expand(&state, &all, keys, &mut expansion) {
                self.look(&state, true, || store.line(at));
                continue;
            }
            for (next, m) in expansion.states.iter().zip(&expansion.joints) {
                keys.step(&state.0, &next.0, &all, &mut next_all);
                let key = keys.key(&next_all, &next.0);
                let new = store.insert(key, &next.0, Some((at, *m)));
                if new {
                    open.push(Reverse((distance.of(next), level + 1, store.len() - 1)));
                }
                if keys.mode == Symmetry::States {
                    self.saving.looked += 1;
                    self.saving.saved += sample.meet(next_all[0], key, new);
                }
            }
            if store.len() > most {
                return Ok(Ended::Full);
            }
            self.weigh(start, keys, &mut store);
        }
        Ok(ended)
    }

    /// Depth first, with a table of states that were searched.
    fn deep(&mut self, start: &State, depth: Option<usize>) -> Result<Ended, Stop> {
        let keys = std::mem::replace(&mut self.keys, Keys::plain(0));
        let ended = self.deep_by(start, &keys, depth);
        self.keys = keys;
        ended
    }

    fn deep_by(&mut self, start: &State, keys: &Keys, depth: Option<usize>) -> Result<Ended, Stop> {
        let mut table: TranspositionTable<Done> = TranspositionTable::new(self.bytes);
        let mut frames: Vec<PuzzleFrame> = Vec::new();
        let (mut ended, mut top) = (Ended::All, 0);
        let (mut state, mut all) = (start.clone(), Vec::new());
        keys.all(&start.0, &mut all);
        loop {
            // 1. A state that is new: is it better, and does it lead on?
            self.budget.check()?;
            let over = self.field.machine.terminal(&state);
            if self.look(&state, over, || line_to(&frames[..top])) {
                return Ok(Ended::Best);
            }
            let deep = depth.is_some_and(|d| top >= d) || top >= DEEPEST;
            if !over && !self.hopeless(&state.0) {
                if deep {
                    ended = Ended::Cut;
                } else {
                    if top == frames.len() {
                        frames.push(PuzzleFrame::default());
                    }
                    let frame = &mut frames[top];
                    let open = self.expand(&state, &all, keys, &mut frame.expansion);
                    frame.all.clone_from(&all);
                    (frame.state, frame.at) = (Some(state.clone()), 0);
                    match open {
                        true => top += 1,
                        false => drop(self.look(&state, true, || line_to(&frames[..top]))),
                    }
                }
            }
            // 2. The next state that is new.
            loop {
                if top == 0 {
                    return Ok(ended);
                }
                let frame = &mut frames[top - 1];
                let Some(next) = frame.expansion.states.get(frame.at) else {
                    top -= 1;
                    continue;
                };
                frame.at += 1;
                let before = frame.state.as_ref().expect("it was expanded");
                keys.step(&before.0, &next.0, &frame.all, &mut all);
                let key = keys.key(&all, &next.0);
                if table.get(key).is_none() {
                    // The earlier in a line, the more lies below it.
                    table.put(key, Done { work: (DEEPEST - top) as u32 });
                    state = next.clone();
                    break;
                }
            }
        }
    }
}

fn line_to(frames: &[PuzzleFrame]) -> Vec<Vec<Move>> {
    frames.iter().map(|f| vec![f.expansion.joints[f.at - 1]]).collect()
}

/// Depth-first lines are not followed further.
const DEEPEST: usize = 10_000;

#[derive(Clone, Copy, Default)]
struct Done {
    work: u32,
}

impl TableEntry for Done {
    fn work(&self) -> u32 {
        self.work
    }
}

#[derive(Default)]
struct PuzzleFrame {
    state: Option<State>,
    all: Vec<u128>,
    expansion: Expansion,
    at: usize,
}
