//! `Induction`: backward induction over all states, for any number of roles.
//!
//! A role that chooses alone takes what is best for it; of what is equally good for it the outcome in which the
//! others together get least, then the one that is least in role order: so values depend neither on the
//! order of moves nor on symmetries. Chance takes the mean. Moves at the same time are left to
//! `matrix.rs`. No state may come back to itself.

use super::field::{Expansion, Field};
use super::keys::{Keys, Symmetry};
use super::matrix::{How, Payoffs};
use super::saving::Saving;
use super::table::{TableEntry, TranspositionTable};
use super::{Mixed, Value};
use indexmap::IndexSet;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_reason::{Move, Role, StateMachine};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// The outcome of a state, by number.
#[derive(Clone, Copy, Default)]
struct KnownOutcome {
    outcome: u32,
    work: u32,
    tag: u32,
}

impl TableEntry for KnownOutcome {
    fn work(&self) -> u32 {
        self.work
    }
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InductHalt {
    Stop(Stop),
    /// A state can come back to itself, or matches are too long to tell.
    Endless,
    /// Roles choose at the same time, and neither mixed moves nor dominance decide what they get. The
    /// joint moves that lead there.
    Undecided(Vec<Vec<Move>>),
}

impl From<Stop> for InductHalt {
    fn from(stop: Stop) -> InductHalt {
        InductHalt::Stop(stop)
    }
}

pub struct Induction<'a> {
    pub field: Field,
    pub keys: Keys,
    pub saving: Saving,
    table: TranspositionTable<KnownOutcome>,
    outcomes: IndexSet<Vec<Value>, FxBuildHasher>,
    path: FxHashSet<u128>,
    frames: Vec<InductFrame>,
    /// States deeper than this count as worth nothing to anybody.
    depth: Option<usize>,
    pub expanded: u64,
    /// Where roles that choose together have no one value any will do: only the work is of interest.
    pub any: bool,
    /// Whether the depth has cut anything.
    pub cut: bool,
    /// What else was needed: chance, mixed moves, dominance.
    pub by_chance: bool,
    pub how: Vec<How>,
    budget: &'a Budget,
}

#[derive(Default)]
struct InductFrame {
    state: Option<State>,
    all: Vec<u128>,
    key: u128,
    expansion: Expansion,
    values: Vec<u32>,
    before: u64,
}

/// Longer matches are not followed.
const DEEPEST: usize = 20_000;

impl<'a> Induction<'a> {
    pub fn new(field: Field, keys: Keys, bytes: usize, budget: &'a Budget) -> Induction<'a> {
        Induction {
            field,
            keys,
            saving: Saving::default(),
            table: TranspositionTable::new(bytes),
            outcomes: IndexSet::default(),
            path: FxHashSet::default(),
            frames: Vec::new(),
            depth: None,
            expanded: 0,
            any: false,
            cut: false,
            by_chance: false,
            how: vec![],
            budget,
        }
    }

    pub fn within(mut self, depth: Option<usize>) -> Self {
        self.depth = depth;
        self
    }

    /// What every role gets from a state on.
    pub fn value(&mut self, state: &State) -> Result<Vec<Value>, InductHalt> {
        let outcome = self.number(state)?;
        Ok(self.outcomes[outcome as usize].clone())
    }

    fn number(&mut self, state: &State) -> Result<u32, InductHalt> {
        self.path.clear();
        let mut all = Vec::new();
        self.keys.all(&state.0, &mut all);
        if let Some(outcome) = self.enter(0, state.clone(), all)? {
            return Ok(outcome);
        }
        let mut top = 0;
        loop {
            let frame = &mut self.frames[top];
            let child = frame.values.len();
            if child < frame.expansion.states.len() {
                // A child is searched once, so that its state can be taken.
                let next = std::mem::take(&mut frame.expansion.states[child]);
                let mut all = std::mem::take(&mut self.spare(top + 1).all);
                let frame = &self.frames[top];
                let before = frame.state.as_ref().expect("it is being searched");
                self.keys.step(&before.0, &next.0, &frame.all, &mut all);
                self.saving.looked += 1;
                match self.enter(top + 1, next, all)? {
                    Some(outcome) => self.frames[top].values.push(outcome),
                    None => top += 1,
                }
                continue;
            }
            let outcome = self.leave(top)?;
            if top == 0 {
                return Ok(outcome);
            }
            top -= 1;
            self.frames[top].values.push(outcome);
        }
    }

    fn spare(&mut self, at: usize) -> &mut InductFrame {
        if at == self.frames.len() {
            self.frames.push(InductFrame::default());
        }
        &mut self.frames[at]
    }

    /// The outcome of a state that is known, over or too deep; else a frame is made of it.
    fn enter(
        &mut self,
        at: usize,
        state: State,
        all: Vec<u128>,
    ) -> Result<Option<u32>, InductHalt> {
        let mut key = self.keys.key(&all, &state.0);
        if let Some(depth) = self.depth {
            // How much is left to search makes a difference.
            let left = (depth - at.min(depth) + 1) as u128;
            key ^= left.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        }
        let found = self.table.get(key).copied();
        let over = found.is_none() && self.field.machine.terminal(&state);
        let outcome = match found {
            Some(known) => {
                if known.tag != all[0] as u32 {
                    self.saving.saved += known.work as u64;
                }
                Some(known.outcome)
            }
            None if over => Some(self.end(&state)),
            None if self.depth.is_some_and(|d| at >= d) => {
                self.cut = true;
                Some(self.keep(vec![Value::from_integer(0.into()); self.field.roles]))
            }
            None => None,
        };
        self.spare(at).all = all;
        if outcome.is_some() {
            return Ok(outcome);
        }
        self.budget.check()?;
        if at >= DEEPEST || !self.path.insert(key) {
            return Err(InductHalt::Endless);
        }
        let mut frame = std::mem::take(&mut self.frames[at]);
        (frame.key, frame.before) = (key, self.expanded);
        frame.values.clear();
        let open = self.expand(&mut frame, &state);
        let end = (!open).then(|| self.end(&state));
        frame.state = Some(state);
        self.frames[at] = frame;
        if !open {
            self.path.remove(&key);
        }
        Ok(end)
    }

    fn expand(&mut self, frame: &mut InductFrame, state: &State) -> bool {
        self.expanded += 1;
        self.budget.advance(1);
        let roles = self.field.roles;
        if !self.field.joints(state, &mut frame.expansion) {
            return false;
        }
        // Which moves of roles that choose together are symmetric depends on both of them.
        if self.keys.mode == Symmetry::Moves && frame.expansion.choosers.len() < 2 {
            let keep = &mut self.saving.keep;
            // A symmetric move of chance counts as often as it occurs.
            if frame.expansion.choosers.first() != self.field.chance.as_ref() {
                self.keys.least_moves(&frame.all, roles, &frame.expansion.joints, keep);
                frame.expansion.retain(roles, keep);
            }
        }
        self.field.states(state, &mut frame.expansion);
        if self.saving.pays_not(self.expanded, self.keys.mode) {
            self.keys.switch_off();
        }
        true
    }

    fn end(&mut self, state: &State) -> u32 {
        let goals = self.field.goals(state);
        self.keep(goals.into_iter().map(|g| Value::from_integer(g.into())).collect())
    }

    fn keep(&mut self, outcome: Vec<Value>) -> u32 {
        self.outcomes.insert_full(outcome).0 as u32
    }

    /// The outcome of a frame whose children all have one.
    fn leave(&mut self, top: usize) -> Result<u32, InductHalt> {
        let frame = std::mem::take(&mut self.frames[top]);
        let outcome = match self.combine(&frame)? {
            Some(outcome) => outcome,
            None => return Err(InductHalt::Undecided(self.way(top))),
        };
        let work = (self.expanded - frame.before + 1).min(u32::MAX as u64) as u32;
        let tag = frame.all[0] as u32;
        self.path.remove(&frame.key);
        self.table.put(frame.key, KnownOutcome { outcome, work, tag });
        self.frames[top] = frame;
        Ok(outcome)
    }

    /// The joint moves on the way to a frame.
    fn way(&self, top: usize) -> Vec<Vec<Move>> {
        let made = |f: &InductFrame| f.expansion.joint(f.values.len(), self.field.roles).to_vec();
        self.frames[..top].iter().map(made).collect()
    }

    fn combine(&mut self, frame: &InductFrame) -> Result<Option<u32>, Stop> {
        let choosers = &frame.expansion.choosers;
        let chance = self.field.chance.filter(|c| choosers.contains(c));
        let minds: Vec<Role> = choosers.iter().copied().filter(|c| Some(*c) != chance).collect();
        Ok(match (chance, &minds[..]) {
            (None, []) => Some(frame.values[0]),
            (None, [role]) => {
                let all = frame.values.iter().copied();
                all.reduce(|a, b| if self.prefers(*role, b, a) { b } else { a })
            }
            _ => self.together(frame, &minds)?,
        })
    }

    /// Whether a role prefers outcome `a` to outcome `b`.
    fn prefers(&self, role: Role, a: u32, b: u32) -> bool {
        if a == b {
            return false;
        }
        let (x, y) = (&self.outcomes[a as usize], &self.outcomes[b as usize]);
        let others = |o: &[Value]| {
            o.iter().enumerate().filter(|(r, _)| *r != role).map(|o| o.1.clone()).sum::<Value>()
        };
        let order = x[role].cmp(&y[role]).then_with(|| others(y).cmp(&others(x)));
        order.then_with(|| y.cmp(x)).is_gt()
    }

    /// Moves of chance, and of several roles at once.
    fn together(&mut self, frame: &InductFrame, minds: &[Role]) -> Result<Option<u32>, Stop> {
        let (_, payoffs) = self.payoffs(&frame.expansion, &frame.values, minds);
        self.by_chance |= self.field.chance.is_some_and(|c| frame.expansion.choosers.contains(&c));
        Ok(match minds {
            // Where only chance moves there is one cell.
            [] | [_] => {
                let all: Vec<u32> = payoffs.cells.into_iter().map(|c| self.keep(c)).collect();
                let better = |a, b| if self.prefers(minds[0], b, a) { b } else { a };
                all.into_iter().reduce(better)
            }
            _ => {
                let decided =
                    payoffs.decide(self.budget)?.map(|decision| (decision.values, decision.how));
                let any = || self.any.then(|| (payoffs.cells[0].clone(), How::Dominance));
                let Some((values, how)) = decided.or_else(any) else { return Ok(None) };
                if !self.how.contains(&how) {
                    self.how.push(how);
                }
                Some(self.keep(values))
            }
        })
    }

    /// The moves of each of the minds, and what they come to together: the mean over the moves of chance.
    fn payoffs(
        &self,
        expansion: &Expansion,
        values: &[u32],
        minds: &[Role],
    ) -> (Vec<Vec<Move>>, Payoffs) {
        let roles = self.field.roles;
        let joints = || expansion.joints.chunks(roles);
        let lists: Vec<Vec<Move>> = minds
            .iter()
            .map(|r| {
                let mut moves: Vec<Move> = joints().map(|j| j[*r]).collect();
                moves.sort_unstable();
                moves.dedup();
                moves
            })
            .collect();
        let moves: Vec<usize> = lists.iter().map(Vec::len).collect();
        let count: usize = moves.iter().product();
        let mut cells = vec![vec![Value::from_integer(0.into()); roles]; count];
        let mut times = vec![0u32; count];
        for (joint, value) in joints().zip(values) {
            let at = minds.iter().zip(&lists).fold(0, |at, (r, list)| {
                at * list.len() + list.binary_search(&joint[*r]).expect("a move of the list")
            });
            let outcome = &self.outcomes[*value as usize];
            cells[at].iter_mut().zip(outcome).for_each(|(s, v)| *s += v);
            times[at] += 1;
        }
        for (sum, times) in cells.iter_mut().zip(times) {
            sum.iter_mut().for_each(|s| *s /= Value::from_integer(times.into()));
        }
        (lists, Payoffs { moves, cells, choosers: minds.to_vec() })
    }

    /// Whether two roles want opposite things wherever it was looked, so that each is sure of its value.
    pub fn is_constant_sum(&self) -> bool {
        let minds = || (0..self.field.roles).filter(|r| Some(*r) != self.field.chance);
        let sum = |outcome: &Vec<Value>| minds().map(|r| &outcome[r]).sum::<Value>();
        minds().count() == 2 && self.outcomes.iter().all(|o| sum(o) == sum(&self.outcomes[0]))
    }

    /// A line of play by which every role gets its value, up to where chance or mixed moves decide; and
    /// the mixed moves.
    pub fn line(&mut self, start: &State) -> Result<(Vec<Vec<Move>>, Mixed), InductHalt> {
        let (mut line, mut mixed, mut state) = (Vec::new(), Mixed::new(), start.clone());
        let mut expansion = Expansion::default();
        let depth = self.depth;
        while depth.is_none_or(|d| line.len() < d)
            && !self.field.machine.terminal(&state)
            && self.field.joints(&state, &mut expansion)
            && self.field.chance.is_none_or(|c| !expansion.choosers.contains(&c))
        {
            self.field.states(&state, &mut expansion);
            self.depth = depth.map(|d| d - line.len() - 1);
            let numbers = expansion.states.iter().map(|s| self.number(s));
            let values: Vec<u32> = numbers.collect::<Result<_, _>>()?;
            let child = match expansion.choosers[..] {
                [] => 0,
                [role] => (1..values.len()).fold(0, |best, child| {
                    if self.prefers(role, values[child], values[best]) { child } else { best }
                }),
                _ => {
                    let (lists, payoffs) = self.payoffs(&expansion, &values, &expansion.choosers);
                    let Some(decision) = payoffs.decide(self.budget)? else { break };
                    let made =
                        |(_, chance): &(Move, Value)| *chance > Value::from_integer(0.into());
                    let moves = lists.into_iter().zip(decision.chances);
                    let moves =
                        moves.map(|(l, chances)| l.into_iter().zip(chances).filter(made).collect());
                    mixed = expansion.choosers.iter().copied().zip(moves).collect();
                    let certain = |joint: &[Move]| {
                        mixed.iter().all(|(r, moves)| moves.len() == 1 && moves[0].0 == joint[*r])
                    };
                    let only = expansion.joints.chunks(self.field.roles).position(certain);
                    let Some(child) = only else { break };
                    mixed.clear();
                    child
                }
            };
            line.push(expansion.joint(child, self.field.roles).to_vec());
            state = expansion.states[child].clone();
        }
        self.depth = depth;
        Ok((line, mixed))
    }
}
