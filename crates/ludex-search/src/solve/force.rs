//! `Force`: what one role can force against all others, in games where one role chooses at a time.
//!
//! A question is whether the outcome can be kept at a rank of a scale or above. It is answered depth
//! first; a state is a node of an and-or tree. What is proved is kept in a transposition table as the least
//! and the greatest rank. Within a depth a question has an asker: the side whose success is looked for,
//! so that a branch is left as soon as that side cannot have it. A state that is being searched already is
//! unknown, never a draw: so no entry of the table depends on the way to its state.

use super::field::{Expansion, Field};
use super::keys::{Keys, Symmetry};
use super::potential::Potential;
use super::saving::Saving;
use super::scale::Scale;
use super::table::{TableEntry, TranspositionTable};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_reason::{Move, Role, StateMachine};
use rustc_hash::FxHashSet;

/// What a state is known to be worth.
#[derive(Clone, Copy)]
struct KnownRanks {
    least: u8,
    greatest: u8,
    /// The rank that was last asked for in vain, and the depths to which either side has tried.
    asked: u8,
    /// A part of the state's own number, to tell it from symmetric states.
    tag: u8,
    tried: [u16; 2],
    /// The chooser's move that decided; none at first.
    best: u32,
    work: u32,
}

impl Default for KnownRanks {
    fn default() -> KnownRanks {
        KnownRanks {
            least: 0,
            greatest: 255,
            asked: 0,
            tag: 0,
            tried: [0; 2],
            best: u32::MAX,
            work: 0,
        }
    }
}

impl TableEntry for KnownRanks {
    fn work(&self) -> u32 {
        self.work
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceAnswer {
    Yes,
    No,
    /// Not within the depth, or not without coming back to a state.
    Unknown,
}

/// Whose success is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// The role whose scale it is: that it can reach the rank.
    Role = 0,
    /// The others: that they can keep it below.
    Others = 1,
}

/// Why a search cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForceHalt {
    Stop(Stop),
    /// Several roles choose at once, or one chooses by chance.
    Together,
    /// An end whose goals are not on the scale.
    OffScale,
}

impl From<Stop> for ForceHalt {
    fn from(stop: Stop) -> ForceHalt {
        ForceHalt::Stop(stop)
    }
}

/// A depth without end.
pub const ENDLESS: u16 = u16::MAX;

pub struct Force<'a> {
    pub field: Field,
    pub keys: Keys,
    pub scale: Scale,
    /// The role whose scale it is.
    role: Role,
    pub saving: Saving,
    potential: Option<Potential>,
    table: TranspositionTable<KnownRanks>,
    /// States that are being searched; not kept where no state can come twice.
    path: Option<FxHashSet<u128>>,
    history: Vec<u32>,
    frames: Vec<ForceFrame>,
    pub expanded: u64,
    /// Whether a state came back to itself.
    pub repeated: bool,
    budget: &'a Budget,
}

/// A state that is being searched.
#[derive(Default)]
struct ForceFrame {
    state: Option<State>,
    tag: u8,
    all: Vec<u128>,
    key: u128,
    expansion: Expansion,
    order: Vec<(u32, u32)>,
    at: usize,
    /// Does the role of the scale choose here?
    own: bool,
    unknown: bool,
    depth: u16,
    before: u64,
}

impl<'a> Force<'a> {
    pub fn new(
        field: Field,
        keys: Keys,
        scale: Scale,
        role: Role,
        bytes: usize,
        budget: &'a Budget,
    ) -> Force<'a> {
        let inputs = field.machine.net().inputs.len();
        Force {
            field,
            keys,
            scale,
            role,
            saving: Saving::default(),
            potential: None,
            table: TranspositionTable::new(bytes),
            path: Some(FxHashSet::default()),
            history: vec![0; inputs],
            frames: Vec::new(),
            expanded: 0,
            repeated: false,
            budget,
        }
    }

    /// No state can come twice: ways need not be watched, and matches end.
    pub fn acyclic(mut self, potential: Option<Potential>) -> Self {
        (self.path, self.potential) = (None, potential);
        self
    }

    pub fn budget(&self) -> &Budget {
        self.budget
    }

    /// Can the role reach this rank from the state?
    pub fn ask(
        &mut self,
        state: &State,
        rank: u8,
        asker: Asker,
        depth: u16,
    ) -> Result<ForceAnswer, ForceHalt> {
        if rank == 0 {
            return Ok(ForceAnswer::Yes);
        }
        let answer = self.search(state, rank, asker, depth);
        if let Some(path) = &mut self.path {
            path.clear();
        }
        answer
    }

    fn search(
        &mut self,
        state: &State,
        rank: u8,
        asker: Asker,
        depth: u16,
    ) -> Result<ForceAnswer, ForceHalt> {
        let mut all = Vec::new();
        self.keys.all(state, &mut all);
        let key = self.keys.key(&all, state);
        if let Some(answer) = self.enter(0, state.clone(), &all, key, rank, asker, depth)? {
            return Ok(answer);
        }
        self.frames[0].all = all;
        let mut top = 0;
        loop {
            let Some(mut answer) = self.go_on(&mut top, rank, asker)? else { continue };
            // A frame that has an answer gives it to the one below.
            loop {
                self.leave(top, answer, rank, asker);
                if top == 0 {
                    return Ok(answer);
                }
                top -= 1;
                match self.take(top, answer, asker) {
                    Some(decided) => answer = decided,
                    None => break,
                }
            }
        }
    }

    /// Tries the next child of a frame: an answer if the frame is through.
    fn go_on(
        &mut self,
        top: &mut usize,
        rank: u8,
        asker: Asker,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        let frame = &mut self.frames[*top];
        let Some(&(_, child)) = frame.order.get(frame.at) else {
            let through = if frame.own { ForceAnswer::No } else { ForceAnswer::Yes };
            return Ok(Some(if frame.unknown { ForceAnswer::Unknown } else { through }));
        };
        frame.at += 1;
        // A child is tried once, so that its state can be taken.
        let state = std::mem::take(&mut frame.expansion.states[child as usize]);
        let depth = if frame.depth == ENDLESS { ENDLESS } else { frame.depth - 1 };
        let mut all = std::mem::take(&mut self.spare(*top + 1).all);
        let frame = &self.frames[*top];
        let before = frame.state.as_ref().expect("it is being searched");
        self.keys.step(before, &state, &frame.all, &mut all);
        self.saving.looked += 1;
        let key = self.keys.key(&all, &state);
        let entered = self.enter(*top + 1, state, &all, key, rank, asker, depth);
        match entered? {
            None => {
                *top += 1;
                self.frames[*top].all = all;
                Ok(None)
            }
            Some(answer) => {
                self.frames[*top + 1].all = all;
                Ok(self.take(*top, answer, asker))
            }
        }
    }

    fn spare(&mut self, at: usize) -> &mut ForceFrame {
        if at == self.frames.len() {
            self.frames.push(ForceFrame::default());
        }
        &mut self.frames[at]
    }

    /// What an answer of a child means for a frame; none if it goes on.
    fn take(&mut self, top: usize, answer: ForceAnswer, asker: Asker) -> Option<ForceAnswer> {
        let frame = &mut self.frames[top];
        match answer {
            ForceAnswer::Yes if frame.own => Some(ForceAnswer::Yes),
            ForceAnswer::No if !frame.own => Some(ForceAnswer::No),
            ForceAnswer::Unknown => {
                frame.unknown = true;
                // The asker needs all children of the other side.
                (frame.own == (asker == Asker::Others)).then_some(ForceAnswer::Unknown)
            }
            _ => None,
        }
    }

    /// Answers at once, or makes a frame of the state.
    #[allow(clippy::too_many_arguments)]
    fn enter(
        &mut self,
        at: usize,
        state: State,
        all: &[u128],
        key: u128,
        rank: u8,
        asker: Asker,
        depth: u16,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        // 1. What is known.
        let known = self.table.get(key).copied();
        if let Some(known) = known {
            let answer = match () {
                () if known.least >= rank => Some(ForceAnswer::Yes),
                () if known.greatest < rank => Some(ForceAnswer::No),
                () if known.asked == rank && known.tried[asker as usize] >= depth => {
                    Some(ForceAnswer::Unknown)
                }
                () => None,
            };
            if answer.is_some() {
                if known.tag != all[0] as u8 {
                    self.saving.saved += known.work as u64;
                }
                return Ok(answer);
            }
        }
        if self.path.as_ref().is_some_and(|path| path.contains(&key)) {
            self.repeated = true;
            return Ok(Some(ForceAnswer::Unknown));
        }
        // 2. The end.
        if self.field.machine.terminal(&state) {
            return self.end(&state, rank).map(Some);
        }
        if depth == 0 {
            return Ok(Some(ForceAnswer::Unknown));
        }
        match self.potential.as_mut().and_then(|p| p.ranks(&state)) {
            Some((least, _)) if least >= rank => return Ok(Some(ForceAnswer::Yes)),
            Some((_, greatest)) if greatest < rank => return Ok(Some(ForceAnswer::No)),
            _ => {}
        }
        // 3. The children.
        self.budget.check()?;
        self.spare(at);
        let mut frame = std::mem::take(&mut self.frames[at]);
        let answer = self.expand(&mut frame, &state, all, rank, known.map_or(u32::MAX, |k| k.best));
        (frame.key, frame.depth, frame.before) = (key, depth, self.expanded);
        frame.tag = all[0] as u8;
        frame.state = Some(state);
        self.frames[at] = frame;
        match (answer?, &mut self.path) {
            (Some(answer), _) => {
                self.leave(at, answer, rank, asker);
                Ok(Some(answer))
            }
            (None, path) => {
                path.as_mut().map(|path| path.insert(key));
                Ok(None)
            }
        }
    }

    fn end(&mut self, state: &State, rank: u8) -> Result<ForceAnswer, ForceHalt> {
        let own = self.field.goal(state, self.role);
        let other = match self.scale.alone {
            true => 0,
            false => self.field.goal(state, 1 - self.role),
        };
        match self.scale.rank([own, other]).ok_or(ForceHalt::OffScale)? >= rank {
            true => Ok(ForceAnswer::Yes),
            false => Ok(ForceAnswer::No),
        }
    }

    fn expand(
        &mut self,
        frame: &mut ForceFrame,
        state: &State,
        all: &[u128],
        rank: u8,
        best: u32,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        self.expanded += 1;
        self.budget.advance(1);
        let roles = self.field.roles;
        let expansion = &mut frame.expansion;
        if !self.field.joints(state, expansion) {
            return self.end(state, rank).map(Some);
        }
        let chooser = match expansion.choosers[..] {
            [] => self.role,
            [one] if self.field.chance != Some(one) => one,
            _ => return Err(ForceHalt::Together),
        };
        if self.keys.mode == Symmetry::Moves {
            let keep = &mut self.saving.keep;
            self.keys.least_moves(all, roles, &expansion.joints, keep);
            expansion.retain(roles, keep);
        }
        self.field.states(state, expansion);
        frame.own = chooser == self.role;
        (frame.at, frame.unknown) = (0, false);
        frame.order.clear();
        for (child, joint) in expansion.joints.chunks(roles).enumerate() {
            let m = joint[chooser].0;
            let score = if m == best { 0 } else { u32::MAX - self.history[m as usize] };
            frame.order.push((score, child as u32));
        }
        frame.order.sort_unstable();
        if self.saving.pays_not(self.expanded, self.keys.mode) {
            self.keys.switch_off();
        }
        Ok(None)
    }

    /// Keeps the answer of a frame.
    fn leave(&mut self, top: usize, answer: ForceAnswer, rank: u8, asker: Asker) {
        let roles = self.field.roles;
        let frame = &mut self.frames[top];
        let mut known = self.table.get(frame.key).copied().unwrap_or_default();
        known.tag = frame.tag;
        let work = (self.expanded - frame.before + 1).min(u32::MAX as u64) as u32;
        known.work = known.work.saturating_add(work);
        match answer {
            ForceAnswer::Yes => known.least = known.least.max(rank),
            ForceAnswer::No => known.greatest = known.greatest.min(rank - 1),
            ForceAnswer::Unknown => {
                if known.asked != rank {
                    (known.asked, known.tried) = (rank, [0; 2]);
                }
                known.tried[asker as usize] = frame.depth;
            }
        }
        let decided = (answer == ForceAnswer::Yes) == frame.own && answer != ForceAnswer::Unknown;
        if decided && frame.at > 0 && frame.expansion.choosers.len() == 1 {
            let chooser = frame.expansion.choosers[0];
            let child = frame.order[frame.at - 1].1 as usize;
            known.best = frame.expansion.joint(child, roles)[chooser].0;
            let history = &mut self.history[known.best as usize];
            *history = history.saturating_add(work.min(1 << 16));
        }
        if let Some(path) = &mut self.path {
            path.remove(&frame.key);
        }
        frame.state = None;
        self.table.put(frame.key, known);
    }

    /// What is known of the ranks of a state.
    pub fn bounds(&self, state: &State) -> (u8, u8) {
        let mut all = Vec::new();
        self.keys.all(state, &mut all);
        let known = self.table.get(self.keys.key(&all, state)).copied().unwrap_or_default();
        (known.least, known.greatest.min(self.scale.best()))
    }

    /// A line of best play from a state of this rank, as far as it can be followed.
    pub fn line(
        &mut self,
        start: &State,
        rank: u8,
        depth: u16,
    ) -> Result<Vec<Vec<Move>>, ForceHalt> {
        let (mut line, mut state) = (Vec::new(), start.clone());
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut expansion = Expansion::default();
        while !self.field.machine.terminal(&state)
            && self.field.joints(&state, &mut expansion)
            && seen.insert(state.clone())
        {
            self.field.states(&state, &mut expansion);
            let own = expansion.choosers.first().is_none_or(|c| *c == self.role);
            let mut children: Vec<usize> = (0..expansion.states.len()).collect();
            // What is known already needs no search.
            children.sort_by_key(|c| {
                let (least, greatest) = self.bounds(&expansion.states[*c]);
                if own { least < rank } else { greatest > rank }
            });
            let mut chosen = None;
            for child in children {
                let next = &expansion.states[child];
                let keeps = match own {
                    true => self.ask(next, rank, Asker::Role, depth)? == ForceAnswer::Yes,
                    false if rank == self.scale.best() => true,
                    false => self.ask(next, rank + 1, Asker::Others, depth)? == ForceAnswer::No,
                };
                if keeps {
                    chosen = Some(child);
                    break;
                }
            }
            let Some(child) = chosen else { break };
            line.push(expansion.joint(child, self.field.roles).to_vec());
            state = expansion.states[child].clone();
        }
        Ok(line)
    }
}
