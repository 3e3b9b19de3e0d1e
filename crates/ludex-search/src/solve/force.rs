//! `Force`: what one role can force against all others, in games where one role chooses at a time.
//!
//! A question is whether the outcome can be kept at a rank of a scale or above. It is answered depth
//! first; a state is a node of an and-or tree. What is proved is kept in a transposition table as the least
//! and the greatest rank. Within a depth a question has an asker: the side whose success is looked for,
//! so that a branch is left as soon as that side cannot have it. A state that is being searched already is
//! unknown, never a draw: so no entry of the table depends on the way to its state.

mod crew;
mod influence;
mod known;
mod nodes;
mod ranks;
mod threats;

use self::crew::ForceCrew;
use self::influence::influence;
use self::nodes::{ForceFrame, spare};
use self::ranks::RankTable;
use self::threats::{ThreatOrder, Tries};
use super::field::{Expansion, Field};
use super::keys::Keys;
use super::potential::Potential;
use super::saving::Saving;
use super::scale::Scale;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Batch, State};
use ludex_reason::{Move, Role, StateMachine};
use rustc_hash::FxHashSet;
use std::sync::Arc;

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

/// What is asked of every state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ForceQuestion {
    rank: u8,
    asker: Asker,
}

/// Why a search cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForceHalt {
    Stop(Stop),
    /// Several roles choose at once, or one chooses by chance.
    Together,
    /// An end whose goals are not on the scale.
    OffScale,
    /// The expansions that a search may take are used up.
    Enough,
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
    batch: Batch,
    pub keys: Keys,
    pub scale: Scale,
    /// The role whose scale it is.
    role: Role,
    pub saving: Saving,
    potential: Option<Potential>,
    table: Arc<RankTable>,
    /// States that are being searched; not kept where no state can come twice.
    path: Option<FxHashSet<u128>>,
    /// For either side, by base, how much work a move saved that made it true.
    history: [Vec<u32>; 2],
    /// The same for its ways to the worst and to the best outcome.
    influence: [Vec<u64>; 2],
    threats: ThreatOrder,
    refuting: Tries,
    frames: Vec<ForceFrame>,
    /// Scratch: the replies to a child.
    replies: Vec<Move>,
    /// How many threads ask together where no state can come twice, those beside this one, and what they tell each other.
    pub threads: usize,
    helpers: Vec<Force<'a>>,
    crew: Option<Arc<ForceCrew>>,
    pub expanded: u64,
    /// A search is given up after so many.
    pub most: u64,
    /// Whether a state came back to itself.
    pub repeated: bool,
    budget: &'a Budget,
}

impl<'a> Force<'a> {
    pub fn new(
        (field, batch): (Field, Batch),
        keys: Keys,
        scale: Scale,
        role: Role,
        bytes: usize,
        budget: &'a Budget,
    ) -> Force<'a> {
        let bases = batch.words() * 64;
        let ends = [scale.outcomes[0], scale.outcomes[scale.best() as usize]];
        let influence = ends.map(|end| influence(batch.net(), role, end[0]));
        Force {
            field,
            batch,
            keys,
            scale,
            role,
            saving: Saving::default(),
            potential: None,
            table: Arc::new(RankTable::new(bytes)),
            path: Some(FxHashSet::default()),
            history: [vec![0; bases], vec![0; bases]],
            influence,
            threats: ThreatOrder::new(bases),
            refuting: Tries::default(),
            frames: Vec::new(),
            replies: Vec::new(),
            threads: 1,
            helpers: Vec::new(),
            crew: None,
            expanded: 0,
            most: u64::MAX,
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
        let question = ForceQuestion { rank, asker };
        let together = self.threads > 1 && depth == ENDLESS && self.path.is_none();
        let answer = match together {
            true => self.ask_together(state, question, depth),
            false => self.search(state, question, depth),
        };
        if let Some(path) = &mut self.path {
            path.clear();
        }
        answer
    }

    fn search(
        &mut self,
        state: &State,
        question: ForceQuestion,
        depth: u16,
    ) -> Result<ForceAnswer, ForceHalt> {
        let mut answer = self.begin(state, question, depth)?;
        let mut top = 0;
        loop {
            answer = match answer {
                None => self.go_on(&mut top, question)?,
                // A frame that has an answer gives it to the one below.
                Some(found) => {
                    if top == 0 {
                        return Ok(found);
                    }
                    top -= 1;
                    self.take(top, found, question)
                }
            };
            if let Some(found) = answer {
                self.leave(top, found, question);
            }
        }
    }

    /// Makes the first frame, or answers at once.
    fn begin(
        &mut self,
        state: &State,
        question: ForceQuestion,
        depth: u16,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        let words = self.batch.words();
        let frame = spare(&mut self.frames, 0, self.field.roles);
        frame.row.clear();
        frame.row.extend_from_slice(&state.0);
        frame.row.resize(words, 0);
        self.keys.all(&frame.row, &mut frame.all);
        frame.key = self.keys.key(&frame.all, &frame.row);
        frame.depth = depth;
        if let Some(answer) = self.look_up(0, question) {
            return Ok(Some(answer));
        }
        if self.field.machine.terminal(state) {
            return self.end(state, question).map(Some);
        }
        if depth == 0 {
            return Ok(Some(ForceAnswer::Unknown));
        }
        for (role, legal) in self.frames[0].legal.iter_mut().enumerate() {
            legal.clear();
            self.field.machine.legal(state, role, legal);
        }
        self.open(0, question)
    }

    /// Tries the next children of a frame: an answer if the frame is through, none if there is a frame above it now.
    fn go_on(
        &mut self,
        top: &mut usize,
        question: ForceQuestion,
    ) -> Result<Option<ForceAnswer>, ForceHalt> {
        loop {
            self.put_off(*top);
            let frame = &mut self.frames[*top];
            let Some(&(_, child)) = frame.order.get(frame.at) else {
                let through = if frame.own { ForceAnswer::No } else { ForceAnswer::Yes };
                return Ok(Some(if frame.unknown { ForceAnswer::Unknown } else { through }));
            };
            frame.at += 1;
            let Some(answer) = self.enter(*top, child as usize, question)? else {
                *top += 1;
                return Ok(None);
            };
            let decided = self.take(*top, answer, question);
            if decided.is_some() {
                return Ok(decided);
            }
        }
    }

    /// What an answer of a child means for a frame; none if it goes on.
    fn take(
        &mut self,
        top: usize,
        answer: ForceAnswer,
        question: ForceQuestion,
    ) -> Option<ForceAnswer> {
        let frame = &mut self.frames[top];
        match answer {
            ForceAnswer::Yes if frame.own => Some(ForceAnswer::Yes),
            ForceAnswer::No if !frame.own => Some(ForceAnswer::No),
            ForceAnswer::Unknown => {
                frame.unknown = true;
                // The asker needs all children of the other side.
                (frame.own == (question.asker == Asker::Others)).then_some(ForceAnswer::Unknown)
            }
            _ => None,
        }
    }

    fn end(&mut self, state: &State, question: ForceQuestion) -> Result<ForceAnswer, ForceHalt> {
        let own = self.field.goal(state, self.role);
        let other = match self.scale.alone {
            true => 0,
            false => self.field.goal(state, 1 - self.role),
        };
        match self.scale.rank([own, other]).ok_or(ForceHalt::OffScale)? >= question.rank {
            true => Ok(ForceAnswer::Yes),
            false => Ok(ForceAnswer::No),
        }
    }

    /// What is known of the ranks of a state.
    pub fn bounds(&self, state: &State) -> (u8, u8) {
        let mut all = Vec::new();
        self.keys.all(&state.0, &mut all);
        let known = self.table.get(self.keys.key(&all, &state.0)).unwrap_or_default();
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
