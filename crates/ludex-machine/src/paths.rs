//! `Batch` -> `Perft`: the same counts as `ludex_reason::perft`, a level of positions at a time.

use super::batch::Batch;
use super::looks::{Ask, Looks};
use super::positions::Positions;
use ludex_gdl::budget::Budget;
use ludex_reason::{Cut, Move, Perft};

/// Passes that are filled with positions before their successors are made.
const FULL: usize = 4;

/// The most positions for which there is room before they come.
const MOST: usize = 1 << 22;

/// Counts the paths of length `0..=depth`. With `past_terminal` they go on through terminal states as long as
/// every role has a move.
pub fn paths(batch: &mut Batch, depth: usize, past_terminal: bool, budget: &Budget) -> Perft {
    let mut count = Perft { paths: vec![], terminals: vec![], states: vec![], stuck: 0, cut: None };
    let mut counter = PathCounter::new(batch, past_terminal);
    let mut level = counter.first(batch);
    loop {
        let left = depth - count.paths.len();
        count.paths.push(level.paths);
        count.states.push(level.states);
        count.terminals.push(level.terminals);
        if left == 0 {
            return count;
        }
        if left < depth {
            counter.descend();
        }
        budget.begin("counting paths", level.states);
        level = match counter.step(batch, left == 1, budget) {
            Ok(level) => level,
            Err(cut) => {
                count.cut = Some(cut);
                return count;
            }
        };
        count.stuck += level.stuck;
    }
}

/// A level of positions, the next one, and memory for the way from one to the other.
struct PathCounter {
    past_terminal: bool,
    level: Positions,
    /// By number, the paths to a position.
    paths: Vec<u64>,
    next: Positions,
    next_paths: Vec<u64>,
    looks: Looks,
    /// What is seen of children.
    ends: Looks,
    parents: Vec<u32>,
    moves: Vec<Move>,
    children: Vec<u64>,
    numbers: Vec<u32>,
}

/// What a level comes to.
#[derive(Default)]
struct LevelCount {
    paths: u64,
    states: u64,
    terminals: u64,
    /// Paths that end in the level above, where a role has no move.
    stuck: u64,
}

impl PathCounter {
    fn new(batch: &Batch, past_terminal: bool) -> PathCounter {
        PathCounter {
            past_terminal,
            level: Positions::new(batch.words()),
            paths: vec![1],
            next: Positions::new(batch.words()),
            next_paths: Vec::new(),
            looks: Looks::default(),
            ends: Looks::default(),
            parents: Vec::new(),
            moves: Vec::new(),
            children: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The level of the initial position.
    fn first(&mut self, batch: &mut Batch) -> LevelCount {
        self.level.insert(&batch.initial(), &mut self.numbers);
        batch.look(self.level.all(), Ask::default(), &mut self.looks);
        LevelCount { paths: 1, states: 1, terminals: self.looks.terminal[0] as u64, stuck: 0 }
    }

    /// Makes the next level. Where it is the last, nobody asks for the paths to its positions.
    fn step(&mut self, batch: &mut Batch, last: bool, budget: &Budget) -> Result<LevelCount, Cut> {
        let mut level = LevelCount::default();
        let some = FULL * batch.lanes();
        let ask = Ask { legal: true, ..Ask::default() };
        for first in (0..self.level.len()).step_by(some) {
            budget.check().map_err(Cut::Stop)?;
            let count = some.min(self.level.len() - first);
            budget.advance(count as u64);
            let rows = first * batch.words()..(first + count) * batch.words();
            batch.look(&self.level.all()[rows.clone()], ask, &mut self.looks);
            self.list(first, &mut level);
            let PathCounter { children, ends, .. } = self;
            let steps = (&self.parents[..], &self.moves[..]);
            batch.follow_and_look(&self.level.all()[rows], steps, Ask::default(), children, ends);
            self.merge(first, last, &mut level)?;
        }
        budget.check().map_err(Cut::Stop)?;
        level.states = self.next.len() as u64;
        Ok(level)
    }

    /// Lists the joint moves of the positions from which paths go on.
    fn list(&mut self, first: usize, level: &mut LevelCount) {
        self.parents.clear();
        self.moves.clear();
        for (position, terminal) in self.looks.terminal.iter().enumerate() {
            if *terminal && !self.past_terminal {
                continue;
            }
            if !terminal && self.looks.is_stuck(position) {
                level.stuck += self.paths[first + position];
            }
            self.looks.joints(position, &mut self.parents, &mut self.moves);
        }
    }

    /// Counts the children, and adds the paths to them to those of equal ones.
    fn merge(&mut self, first: usize, last: bool, level: &mut LevelCount) -> Result<(), Cut> {
        self.next.insert(&self.children, &mut self.numbers);
        for (parent, terminal) in self.parents.iter().zip(&self.ends.terminal) {
            let paths = self.paths[first + *parent as usize];
            level.paths = level.paths.checked_add(paths).ok_or(Cut::Overflow)?;
            level.terminals += if *terminal { paths } else { 0 };
        }
        if !last {
            self.next_paths.resize(self.next.len(), 0);
            for (child, parent) in self.numbers.iter().zip(&self.parents) {
                self.next_paths[*child as usize] += self.paths[first + *parent as usize];
            }
        }
        Ok(())
    }

    /// Goes on to the next level; the one after it is expected to grow as this one did.
    fn descend(&mut self) {
        let growth = self.next.len() / self.level.len().max(1);
        std::mem::swap(&mut self.level, &mut self.next);
        std::mem::swap(&mut self.paths, &mut self.next_paths);
        self.next.clear();
        self.next_paths.clear();
        self.next.expect((self.level.len() * growth).min(MOST));
    }
}
