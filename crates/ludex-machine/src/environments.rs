//! `Environments`: any number of environments of one game, in blocks of lanes, on any number of threads.
//!
//! Each block has its own stream of chance, so that the same seed gives the same run on any number of threads.

mod rollout;

pub use rollout::Rollout;

use crate::crew::Crew;
use crate::env_settings::{
    EnvMoves, EnvPolicy, EnvRows, EnvSettings, Illegal, IllegalMove, MaskOf,
};
use crate::sliced::{EnvBlock, EnvCircuits, EnvRoom, EnvTask, EnvWork, RolloutLanes};
use ludex_net::Net;
use ludex_reason::{Random, Role};
use std::fmt;
use std::sync::Arc;

pub struct Environments {
    circuits: Arc<EnvCircuits>,
    settings: EnvSettings,
    count: usize,
    crew: Crew,
    fleet: Fleet,
    /// Several players have a choice at once somewhere.
    crowded: bool,
}

enum Fleet {
    W1(Blocks<1>),
    W4(Blocks<4>),
    W8(Blocks<8>),
}

struct Blocks<const W: usize> {
    blocks: Vec<EnvBlock<W>>,
    rooms: Vec<EnvRoom<W>>,
    /// Made when they are needed first.
    lanes: Vec<RolloutLanes<W>>,
}

/// Why a step was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvFault {
    /// A move is not legal; nothing was changed.
    Illegal(IllegalMove),
    /// Several players have a choice at once, but only one is asked.
    AtOnce,
    /// So many numbers were expected.
    Count { given: usize, expected: usize },
}

/// Does the same with blocks of any width.
macro_rules! with_blocks {
    ($fleet:expr, $blocks:ident => $body:expr) => {
        match $fleet {
            Fleet::W1($blocks) => $body,
            Fleet::W4($blocks) => $body,
            Fleet::W8($blocks) => $body,
        }
    };
}

impl Environments {
    /// So many environments, all in the initial state.
    pub fn new(
        circuits: Arc<EnvCircuits>,
        settings: EnvSettings,
        count: usize,
        seed: u64,
        threads: usize,
    ) -> Environments {
        let code = &*circuits;
        let fleet = match code.lanes() / 64 {
            1 => Fleet::W1(Blocks::new(code, count, seed, threads)),
            4 => Fleet::W4(Blocks::new(code, count, seed, threads)),
            _ => Fleet::W8(Blocks::new(code, count, seed, threads)),
        };
        let crew = Crew::new(threads.max(1));
        Environments { fleet, crew, settings, count, circuits, crowded: false }
    }

    pub fn net(&self) -> &Arc<Net> {
        self.circuits.net()
    }

    pub fn circuits(&self) -> &Arc<EnvCircuits> {
        &self.circuits
    }

    pub fn settings(&self) -> &EnvSettings {
        &self.settings
    }

    /// The number of environments.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The roles but for chance.
    pub fn players(&self) -> Vec<Role> {
        self.circuits.players().collect()
    }

    /// The numbers that a step takes.
    pub fn moves_a_step(&self) -> usize {
        self.count * if self.settings.at_once { self.players().len() } else { 1 }
    }

    /// Puts environments back into the initial state: all, or those that are marked. A seed begins all streams of chance
    /// anew.
    pub fn reset(&mut self, which: Option<&[bool]>, seed: Option<u64>, rows: &mut EnvRows) {
        let code = &*self.circuits;
        with_blocks!(&mut self.fleet, blocks => blocks.reset(code, which, seed));
        self.look(rows);
    }

    /// Shows the states as they are.
    pub fn look(&mut self, rows: &mut EnvRows) {
        self.visit(None, rows);
    }

    /// One step of every environment.
    pub fn step(&mut self, moves: EnvMoves, rows: &mut EnvRows) -> Result<(), EnvFault> {
        if let EnvMoves::Given(actions) = moves {
            let expected = self.moves_a_step();
            if actions.len() != expected {
                return Err(EnvFault::Count { given: actions.len(), expected });
            }
            if self.settings.illegal == Illegal::Error
                && let Some(wrong) = self.illegal(actions)
            {
                return Err(EnvFault::Illegal(wrong));
            }
        }
        if !self.settings.at_once && self.crowded {
            return Err(EnvFault::AtOnce);
        }
        self.visit(Some(moves), rows);
        Ok(())
    }

    /// The first move that is not legal.
    fn illegal(&mut self, actions: &[i32]) -> Option<IllegalMove> {
        let (code, at_once, crew) = (&*self.circuits, self.settings.at_once, &self.crew);
        let each = (actions.len() / self.count.max(1)).max(1);
        with_blocks!(&mut self.fleet, blocks => blocks.illegal(code, crew, actions, (each, at_once)))
    }

    /// Numbers of moves that a policy chooses, as a step takes them.
    pub fn choose(&mut self, policy: EnvPolicy, actions: &mut [i32]) -> Result<(), EnvFault> {
        let (given, expected) = (actions.len(), self.moves_a_step());
        if given != expected {
            return Err(EnvFault::Count { given, expected });
        }
        let (code, settings, crew) = (&*self.circuits, &self.settings, &self.crew);
        let wanted = code.actions();
        if let EnvPolicy::Scored(policy) = policy
            && ![wanted, wanted * self.count].contains(&policy.scores.len())
        {
            return Err(EnvFault::Count { given: policy.scores.len(), expected: wanted });
        }
        let each = (expected / self.count.max(1)).max(1);
        with_blocks!(&mut self.fleet, blocks => {
            blocks.choose(code, settings, crew, policy, (actions, each))
        });
        Ok(())
    }

    /// A step or a look of every block; notes whether several players have a choice at once somewhere.
    fn visit(&mut self, moves: Option<EnvMoves>, rows: &mut EnvRows) {
        let (code, settings, count) = (&*self.circuits, &self.settings, self.count);
        let crew = &self.crew;
        with_blocks!(&mut self.fleet, blocks => {
            let rows = Splitter { rows: rows.lend(), left: count };
            self.crowded = blocks.visit(code, settings, crew, moves, rows);
        });
    }

    /// The states: rows of words, one bit for each base, and a last word: whether the match is over.
    pub fn states(&mut self) -> Vec<u64> {
        let mut rows = Vec::new();
        with_blocks!(&mut self.fleet, blocks => {
            blocks.blocks.iter_mut().for_each(|block| block.save(&mut rows))
        });
        rows
    }

    /// The words of a state in `states`.
    pub fn state_words(&self) -> usize {
        self.net().bases.len().div_ceil(64) + 1
    }

    /// Takes states of this game over, as `states` gave them.
    pub fn set_states(&mut self, rows: &[u64], shown: &mut EnvRows) -> Result<(), EnvFault> {
        let words = self.state_words();
        let (given, expected) = (rows.len(), self.count * words);
        if given != expected {
            return Err(EnvFault::Count { given, expected });
        }
        let each = self.circuits.lanes() * words;
        let code = &*self.circuits;
        with_blocks!(&mut self.fleet, blocks => {
            let parts = blocks.blocks.iter_mut().zip(rows.chunks(each));
            parts.for_each(|(block, rows)| block.restore(code, rows))
        });
        self.look(shown);
        with_blocks!(&mut self.fleet, blocks => {
            let parts = blocks.blocks.iter_mut().zip(rows.chunks(each));
            parts.for_each(|(block, rows)| block.restore_ends(rows))
        });
        Ok(())
    }
}

impl<const W: usize> Blocks<W> {
    fn new(code: &EnvCircuits, count: usize, seed: u64, threads: usize) -> Blocks<W> {
        let lanes = EnvBlock::<W>::LANES;
        let of = |first: usize| EnvBlock::new(code, (count - first).min(lanes), 0);
        let mut made = Blocks {
            blocks: (0..count).step_by(lanes).map(of).collect(),
            rooms: vec![EnvRoom::new(code); threads.max(1)],
            lanes: vec![],
        };
        made.seed(seed);
        made
    }

    fn seed(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        self.blocks.iter_mut().for_each(|block| block.seed(random.bits()));
    }

    fn reset(&mut self, code: &EnvCircuits, which: Option<&[bool]>, seed: Option<u64>) {
        if let Some(seed) = seed {
            self.seed(seed);
        }
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let first = number * EnvBlock::<W>::LANES;
            let is = |lane: usize| {
                which.is_none_or(|which| which.get(first + lane).is_some_and(|marked| *marked))
            };
            block.begin_where(code, is);
        }
    }

    fn visit(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        crew: &Crew,
        moves: Option<EnvMoves>,
        mut rows: Splitter,
    ) -> bool {
        let lanes = EnvBlock::<W>::LANES;
        let players = code.players().count();
        let each = if settings.at_once { players } else { 1 };
        let of_block = |number: usize| match moves {
            Some(EnvMoves::Given(all)) => {
                let end = all.len().min((number + 1) * lanes * each);
                Some(EnvMoves::Given(&all[number * lanes * each..end]))
            }
            other => other,
        };
        let pieces = self.pieces().map(|(first, blocks, room)| {
            let left = blocks.iter().map(EnvBlock::lanes).sum();
            (first, blocks, room, Splitter { rows: rows.next(left, code, settings), left })
        });
        let crowded = crew.on_each(pieces, |(first, blocks, room, mut rows)| {
            let mut crowded = false;
            for (number, block) in (first..).zip(blocks) {
                let rows = rows.next(block.lanes(), code, settings);
                let work = EnvWork::Show { moves: of_block(number), rows };
                block.run(code, EnvTask { settings, room, work });
                crowded |= block.is_crowded();
            }
            crowded
        });
        crowded.contains(&true)
    }

    /// Blocks that follow each other, a share for each thread: the number of the first, they, and room to work in.
    fn pieces(&mut self) -> impl Iterator<Item = (usize, &mut [EnvBlock<W>], &mut EnvRoom<W>)> {
        let share = self.blocks.len().div_ceil(self.rooms.len()).max(1);
        let pieces = self.blocks.chunks_mut(share).zip(&mut self.rooms).enumerate();
        pieces.map(move |(piece, (blocks, room))| (piece * share, blocks, room))
    }

    /// The first move that is not legal, where there are so many for each environment.
    fn illegal(
        &mut self,
        code: &EnvCircuits,
        crew: &Crew,
        actions: &[i32],
        (each, at_once): (usize, bool),
    ) -> Option<IllegalMove> {
        let lanes = EnvBlock::<W>::LANES;
        let seen = crew.on_each(self.pieces(), |(first, blocks, _)| {
            let parts = actions[first * lanes * each..].chunks(lanes * each);
            let mut parts = (first..).zip(blocks).zip(parts);
            parts.find_map(|((number, block), actions)| {
                let mut wrong = block.illegal(code, actions, at_once)?;
                wrong.environment += number * lanes;
                Some(wrong)
            })
        });
        seen.into_iter().flatten().next()
    }

    /// Writes moves that a policy chooses, so many for each environment.
    fn choose(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        crew: &Crew,
        policy: EnvPolicy,
        (mut actions, each): (&mut [i32], usize),
    ) {
        let lanes = EnvBlock::<W>::LANES;
        let pieces = self.pieces().map(|(first, blocks, room)| {
            let count: usize = blocks.iter().map(EnvBlock::lanes).sum();
            (first, blocks, room, take(&mut actions, count * each))
        });
        crew.on_each(pieces, |(first, blocks, room, actions)| {
            let parts = blocks.iter_mut().zip(actions.chunks_mut(lanes * each));
            for (number, (block, actions)) in (first..).zip(parts) {
                match policy {
                    EnvPolicy::Random => {
                        block.run(code, EnvTask { settings, room, work: EnvWork::Draw(actions) });
                    }
                    EnvPolicy::Scored(policy) => {
                        block.choose_by(code, policy, settings.at_once, number * lanes, actions);
                    }
                }
            }
        });
    }
}

/// Hands out the rows of some environments after those of others.
struct Splitter<'a> {
    rows: EnvRows<'a>,
    left: usize,
}

impl<'a> Splitter<'a> {
    fn next(&mut self, lanes: usize, code: &EnvCircuits, settings: &EnvSettings) -> EnvRows<'a> {
        debug_assert!(lanes <= self.left);
        self.left -= lanes;
        let players = code.players().count();
        let masks = if settings.mask_of == MaskOf::All { players } else { 1 };
        let row = settings.observation.width(settings.columns.len());
        let mask = settings.mask.width(code.actions()) * masks;
        EnvRows {
            observation: take(&mut self.rows.observation, lanes * row),
            last: take(&mut self.rows.last, lanes * row),
            mask: take(&mut self.rows.mask, lanes * mask),
            reward: take(&mut self.rows.reward, lanes * players),
            terminated: take(&mut self.rows.terminated, lanes),
            truncated: take(&mut self.rows.truncated, lanes),
            player: take(&mut self.rows.player, lanes),
            made: take(&mut self.rows.made, lanes * players),
        }
    }
}

/// The first so many of what is left, or nothing where there is no room at all.
fn take<'a, T>(from: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(from);
    let (first, rest) = all.split_at_mut(if all.is_empty() { 0 } else { count });
    *from = rest;
    first
}

impl fmt::Display for EnvFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EnvFault::Illegal(wrong) => wrong.fmt(f),
            EnvFault::AtOnce => {
                f.write_str("several players have a choice at the same time: ask all of them")
            }
            EnvFault::Count { given, expected } => {
                write!(f, "{given} numbers, but {expected} are needed")
            }
        }
    }
}

impl std::error::Error for EnvFault {}
