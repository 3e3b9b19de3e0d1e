//! `Children`: the positions after the moves of one position, kept by columns, and what they are like.
//!
//! Children stand in groups of eight, with a byte for each base and for each move that may be legal: bit `i`
//! belongs to child `i` of the group. So they leave the lanes of a pass with little work, and a search,
//! which looks closely at few of them, makes rows of those alone.

use super::scalar::Scalar;
use super::state::State;
use ludex_net::Net;
use ludex_reason::{Move, Role, StateMachine};
use std::sync::Arc;

#[derive(Clone, Default)]
pub struct Children {
    len: usize,
    /// Bits by child.
    terminal: Vec<u64>,
    /// By child and role, where the child is terminal.
    goals: Vec<Option<i32>>,
    /// By group the bytes of the bases and of each role's moves, eight to a word.
    columns: Vec<u64>,
    /// Whether the columns are there, and whether a pass made the children.
    shown: bool,
    passed: bool,
    plan: Arc<ChildPlan>,
}

/// What the columns are.
#[derive(Default)]
pub(crate) struct ChildPlan {
    /// Where the moves of each role begin among the words of a group, and the words of a group.
    starts: Vec<usize>,
    stride: usize,
    /// The bases that are known of all children, and their values, as rows.
    known: Vec<u64>,
    values: Vec<u64>,
    /// By role the moves that may be legal.
    moves: Vec<Vec<u32>>,
}

impl ChildPlan {
    pub(crate) fn new(
        bases: usize,
        (known, values): (&[u64], &[u64]),
        moves: Vec<Vec<u32>>,
    ) -> ChildPlan {
        let mut starts = vec![bases.div_ceil(8)];
        for moves in &moves {
            starts.push(starts[starts.len() - 1] + moves.len().div_ceil(8));
        }
        let stride = starts[starts.len() - 1];
        ChildPlan { starts, stride, known: known.to_vec(), values: values.to_vec(), moves }
    }

    /// Nothing is known, and all moves may be legal.
    pub(crate) fn open(net: &Net) -> ChildPlan {
        let none = vec![0; net.bases.len().div_ceil(64)];
        let moves = |role| net.inputs_of(role).map(|input| input as u32).collect();
        let moves = (0..net.roles.len()).map(moves).collect();
        ChildPlan::new(net.bases.len(), (&none, &none), moves)
    }
}

/// Children in a group.
pub(crate) const GROUP: usize = 8;

impl Children {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn is_terminal(&self, child: usize) -> bool {
        self.terminal[child / 64] >> (child % 64) & 1 == 1
    }

    /// The goal of a terminal child; none where there is not exactly one value.
    #[inline]
    pub fn goal(&self, child: usize, role: Role) -> Option<i32> {
        self.goals[child * self.plan.moves.len() + role]
    }

    /// Writes the row of a child.
    #[inline]
    pub fn row(&self, child: usize, row: &mut [u64]) {
        let plan = &*self.plan;
        let columns = &self.columns[child / GROUP * plan.stride..][..plan.starts[0]];
        for (w, (word, eight)) in row.iter_mut().zip(columns.chunks(8)).enumerate() {
            *word = gather(eight, child % GROUP) & !plan.known[w] | plan.values[w];
        }
    }

    /// Appends the legal moves of a role in a child, ascending, where they were asked for and it is not terminal.
    #[inline]
    pub fn legal(&self, child: usize, role: Role, out: &mut Vec<Move>) {
        let plan = &*self.plan;
        let group = &self.columns[child / GROUP * plan.stride..][..plan.stride];
        let columns = &group[plan.starts[role]..plan.starts[role + 1]];
        for (w, eight) in columns.chunks(8).enumerate() {
            let mut left = gather(eight, child % GROUP);
            while left != 0 {
                out.push(Move(plan.moves[role][w * 64 + left.trailing_zeros() as usize]));
                left &= left - 1;
            }
        }
    }

    /// Makes room for so many children of another position.
    pub(crate) fn begin(&mut self, plan: &Arc<ChildPlan>, len: usize) {
        if !Arc::ptr_eq(&self.plan, plan) {
            self.plan = plan.clone();
        }
        (self.len, self.passed) = (len, true);
        self.terminal.clear();
        self.terminal.resize(len.div_ceil(64), 0);
        self.goals.clear();
        self.columns.resize(len.div_ceil(GROUP) * self.plan.stride, 0);
    }

    /// The columns of the bases of a group.
    #[inline(always)]
    pub(crate) fn bases(&mut self, group: usize) -> &mut [u64] {
        &mut self.columns[group * self.plan.stride..][..self.plan.starts[0]]
    }

    /// The columns of the moves of a role.
    #[inline(always)]
    pub(crate) fn moves(&mut self, group: usize, role: Role) -> &mut [u64] {
        let (start, end) = (self.plan.starts[role], self.plan.starts[role + 1]);
        &mut self.columns[group * self.plan.stride..][start..end]
    }

    /// Which of the first 64 children are terminal.
    #[inline(always)]
    pub(crate) fn terminal_bits(&self) -> u64 {
        self.terminal.first().copied().unwrap_or(0)
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.shown
    }

    pub(crate) fn is_passed(&self) -> bool {
        self.passed
    }

    pub(crate) fn shown(&mut self, shown: bool) {
        self.shown = shown;
    }

    /// Notes which of 64 children are terminal.
    #[inline(always)]
    pub(crate) fn ends(&mut self, word: usize, terminal: u64) {
        self.terminal[word] = terminal;
    }

    /// Notes a goal of a terminal child.
    pub(crate) fn end(&mut self, child: usize, role: Role, goal: Option<i32>) {
        let roles = self.plan.moves.len();
        if self.goals.is_empty() {
            self.goals.resize(self.len * roles, None);
        }
        self.goals[child * roles + role] = goal;
    }

    /// The children of a position after joint moves, made one after the other by an open plan.
    pub(crate) fn one_by_one(
        &mut self,
        plan: &Arc<ChildPlan>,
        scalar: &mut Scalar,
        row: &[u64],
        joints: &[Move],
    ) {
        let roles = plan.moves.len();
        self.begin(plan, joints.len() / roles);
        (self.shown, self.passed) = (true, false);
        self.columns.fill(0);
        let state = State(row[..plan.known.len()].into());
        for (child, joint) in joints.chunks_exact(roles).enumerate() {
            let next = scalar.next(&state, joint);
            self.note(scalar, child, &next);
        }
    }

    fn note(&mut self, scalar: &mut Scalar, child: usize, state: &State) {
        let (group, bit) = (child / GROUP, child % GROUP);
        let set = |columns: &mut [u64], at: usize| columns[at / 8] |= 1 << (at % 8 * 8 + bit);
        for (w, word) in state.0.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                set(self.bases(group), w * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        let terminal = scalar.terminal(state);
        self.terminal[child / 64] |= (terminal as u64) << (child % 64);
        let mut legal = Vec::new();
        for role in 0..self.plan.moves.len() {
            if terminal {
                self.end(child, role, scalar.goal(state, role));
                continue;
            }
            legal.clear();
            scalar.legal(state, role, &mut legal);
            let first = self.plan.moves[role].first().copied().unwrap_or(0);
            let columns = self.moves(group, role);
            legal.iter().for_each(|m| set(columns, (m.0 - first) as usize));
        }
    }
}

/// Bit `child` of up to 64 bytes.
#[inline(always)]
fn gather(columns: &[u64], child: usize) -> u64 {
    let lowest = |word: &u64| word >> child & 0x0101_0101_0101_0101;
    // The product brings the lowest bits of all bytes together in the highest.
    let byte = |word: &u64| lowest(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    columns.iter().rev().fold(0, |all, word| all << 8 | byte(word))
}
