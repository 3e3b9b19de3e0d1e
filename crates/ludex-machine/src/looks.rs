//! `Ask` -> `Looks`: what can be asked about many positions, and the answers.

use ludex_reason::{Move, Role};

/// What is asked about positions besides their ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    pub goals: bool,
    pub legal: bool,
    /// How many joint moves there are in all positions that are not terminal.
    pub count: bool,
}

/// What positions are like, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    pub terminal: Vec<bool>,
    /// By position and role; none where there is not exactly one goal value.
    pub goals: Vec<Option<i32>>,
    /// The joint moves of all positions that are not terminal.
    pub count: u64,
    /// The legal moves by position and role, and where each list ends.
    pub(crate) moves: Vec<Move>,
    pub(crate) ends: Vec<u32>,
    roles: usize,
}

impl Looks {
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// The legal moves of a role in a position, ascending.
    pub fn legal(&self, position: usize, role: Role) -> &[Move] {
        let list = position * self.roles + role;
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.moves[start as usize..self.ends[list] as usize]
    }

    /// Whether a role has no move in a position.
    pub fn is_stuck(&self, position: usize) -> bool {
        (0..self.roles).any(|role| self.legal(position, role).is_empty())
    }

    /// Appends the joint moves of a position, the last role's moves going round fastest, and the position's
    /// number as often: what `Batch::follow` takes.
    pub fn joints(&self, position: usize, parents: &mut Vec<u32>, moves: &mut Vec<Move>) {
        let count: usize = (0..self.roles).map(|role| self.legal(position, role).len()).product();
        parents.resize(parents.len() + count, position as u32);
        let first = moves.len();
        moves.resize(first + count * self.roles, Move(0));
        // Role by role: its move stays the same while those of later roles go round.
        let mut still = count;
        for role in (0..self.roles).filter(|_| count > 0) {
            let legal = self.legal(position, role);
            still /= legal.len();
            let mut places = moves[first + role..].iter_mut().step_by(self.roles);
            for m in legal.iter().cycle().take(count / still) {
                places.by_ref().take(still).for_each(|place| *place = *m);
            }
        }
    }

    /// Makes room for the answers about other positions.
    pub(crate) fn clear(&mut self, roles: usize) {
        self.terminal.clear();
        self.goals.clear();
        self.moves.clear();
        self.ends.clear();
        self.count = 0;
        self.roles = roles;
    }
}
