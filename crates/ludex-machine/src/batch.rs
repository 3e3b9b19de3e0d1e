//! `Net` -> `Batch`: many positions and moves in; successors, ends, goals and legal moves out.
//!
//! A position is a row of words, one bit for each base as in a `State` and at least one word; many positions are rows one after
//! the other. Circuits with a lane for each position answer, or the scalar machine, one position after the
//! other, where so few are asked about that a pass over the circuits takes longer. Where that is so is
//! decided when the batch is made, by counts alone, and told (`Batch::why`). Both give the same answers, in
//! the same order.

use super::children::{ChildPlan, Children};
use super::looks::{Ask, Looks};
use super::sliced::{Backend, Passes};
use super::threats::{Refutation, Threats};
use super::turns::Turns;
use super::{Scalar, State};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::{Move, StateMachine};
use std::fmt;
use std::sync::Arc;

/// Clones share the code and run on their own.
#[derive(Clone)]
pub struct Batch {
    net: Arc<Net>,
    words: usize,
    passes: Passes,
    /// The machine for few positions, where there are so few.
    scalar: Option<Scalar>,
    /// What the columns of children are that the scalar machine makes.
    plan: Arc<ChildPlan>,
    choice: BatchChoice,
}

/// Which machine answers, and what that rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchChoice {
    /// Cells of one pass.
    pub cells: usize,
    /// Gates that change from one position to the next in random play.
    pub changes: usize,
    /// The fewest positions for which a pass is made.
    pub fewest: usize,
}

/// Cells that are computed while the scalar machine follows one change.
const CELLS_A_CHANGE: usize = 16;
/// The same while it does what it does for every position.
const CELLS_A_POSITION: usize = 400;
/// So few positions are worth no machine of their own.
const FEW: usize = 4;

impl Batch {
    pub fn new(net: Arc<Net>, budget: &Budget) -> Result<Batch, Stop> {
        Batch::on(net, Backend::best(), None, budget)
    }

    /// With another back end, or another number of positions from which on passes are made.
    pub fn on(
        net: Arc<Net>,
        backend: Backend,
        fewest: Option<usize>,
        budget: &Budget,
    ) -> Result<Batch, Stop> {
        let passes = Passes::new(&net, backend, budget)?;
        let size = passes.size();
        let (cells, changes) = (size.cells / size.phases, changes(&net));
        let even = cells.div_ceil(CELLS_A_CHANGE * changes + CELLS_A_POSITION);
        let fewest = fewest.unwrap_or(if even > FEW { even } else { 0 });
        let scalar = match fewest {
            0 => None,
            _ => Some(Scalar::within(net.clone(), budget)?),
        };
        let choice = BatchChoice { cells, changes, fewest };
        let plan = Arc::new(ChildPlan::open(&net));
        Ok(Batch { words: net.bases.len().div_ceil(64).max(1), passes, scalar, plan, choice, net })
    }

    /// The same with passes alone, however few the positions.
    pub fn without_scalar(self) -> Batch {
        Batch { scalar: None, choice: BatchChoice { fewest: 0, ..self.choice }, ..self }
    }

    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub fn roles(&self) -> usize {
        self.net.roles.len()
    }

    /// The words of a row, at least one.
    pub fn words(&self) -> usize {
        self.words
    }

    /// A number of positions that fills a pass.
    pub fn lanes(&self) -> usize {
        self.passes.lanes()
    }

    pub fn choice(&self) -> BatchChoice {
        self.choice
    }

    /// Which machine answers, and why.
    pub fn why(&self) -> String {
        let portable = self.passes.instead();
        let portable = portable.map(|why| format!("; on the portable back end: {why}"));
        format!("{}{}", self.choice, portable.unwrap_or_default())
    }

    /// The row of the initial state.
    pub fn initial(&self) -> Vec<u64> {
        let mut row = vec![0; self.words];
        for (base, _) in self.net.bases.iter().enumerate().filter(|(_, base)| base.initial) {
            row[base / 64] |= 1 << (base % 64);
        }
        row
    }

    /// The state of a row.
    pub fn state(&self, row: &[u64]) -> State {
        state(&self.net, row)
    }

    /// Appends the row of a state.
    pub fn push(&self, state: &State, rows: &mut Vec<u64>) {
        let end = rows.len() + self.words;
        rows.extend_from_slice(&state.0);
        rows.resize(end, 0);
    }

    /// What positions are like; what was in `out` goes.
    pub fn look(&mut self, rows: &[u64], ask: Ask, out: &mut Looks) {
        out.clear(self.net.roles.len());
        let words = self.words;
        match &mut self.scalar {
            Some(scalar) if rows.len() / words < self.choice.fewest => {
                let states = rows.chunks_exact(words).map(|row| state(&self.net, row));
                states.for_each(|state| look(scalar, &state, ask, out));
            }
            _ => self.passes.look(rows, words, ask, out),
        }
    }

    /// The positions after joint moves, one legal move of each role, in the positions that `parents` number;
    /// what was in `out` goes.
    pub fn follow(&mut self, rows: &[u64], parents: &[u32], moves: &[Move], out: &mut Vec<u64>) {
        out.clear();
        self.step(rows, (parents, moves), Some(out), None);
    }

    /// What the positions after joint moves are like; what was in `looks` goes.
    pub(crate) fn look_after(
        &mut self,
        rows: &[u64],
        (parents, moves): (&[u32], &[Move]),
        ask: Ask,
        looks: &mut Looks,
    ) {
        looks.clear(self.net.roles.len());
        self.step(rows, (parents, moves), None, Some((ask, looks)));
    }

    /// Both in the same pass.
    pub fn follow_and_look(
        &mut self,
        rows: &[u64],
        (parents, moves): (&[u32], &[Move]),
        ask: Ask,
        out: &mut Vec<u64>,
        looks: &mut Looks,
    ) {
        looks.clear(self.net.roles.len());
        out.clear();
        self.step(rows, (parents, moves), Some(out), Some((ask, looks)));
    }

    /// The paths of so many moves from positions, where counting them in the lanes takes less than listing what follows.
    pub(crate) fn leaves(&mut self, rows: &[u64], steps: usize) -> Option<u64> {
        let few = self.scalar.is_some() && rows.len() / self.words < self.choice.fewest;
        if few || rows.is_empty() { None } else { self.passes.leaves(rows, self.words, steps) }
    }

    /// The children of one position after joint moves, one legal move of each role: their ends, and the goals
    /// there. The caller's scalar machine makes them where they are few, or where no match comes to the position.
    pub fn children(
        &mut self,
        scalar: &mut Scalar,
        (row, joints): (&[u64], &[Move]),
        out: &mut Children,
    ) {
        let few = joints.len() < self.choice.fewest * self.net.roles.len();
        if few || !self.passes.children(row, joints, out) {
            out.one_by_one(&self.plan, scalar, row, joints);
        }
    }

    /// The rows and, where they are wanted, the legal moves of the children that were asked for last.
    pub fn show(&mut self, legal: bool, out: &mut Children) {
        if !out.is_shown() {
            self.passes.show(legal, out);
            out.shown(true);
        }
    }

    /// Which of the children that were made and shown last, with their legal moves, have a reply that refutes them, in a
    /// game of two roles: bits by child. None where that is not known.
    pub fn refuted(&mut self, ask: &Refutation, children: &Children) -> Option<u64> {
        let known = children.is_passed() && self.net.roles.len() == 2;
        if known { self.passes.refuted(ask, children) } else { None }
    }

    /// Counts the facts that would each be a win in the children of a position. False where they are not counted.
    pub fn threats(&mut self, row: &[u64], threats: &mut Threats) -> bool {
        let lanes = threats.counts.len() * threats.facts.len();
        lanes > 0 && lanes >= self.choice.fewest && self.passes.threats(row, threats)
    }

    fn step(
        &mut self,
        rows: &[u64],
        (parents, moves): (&[u32], &[Move]),
        mut out: Option<&mut Vec<u64>>,
        mut asked: Option<(Ask, &mut Looks)>,
    ) {
        let (words, roles) = (self.words, self.net.roles.len());
        assert_eq!(parents.len() * roles, moves.len(), "one move of each role");
        match &mut self.scalar {
            Some(scalar) if parents.len() < self.choice.fewest => {
                for (parent, joint) in parents.iter().zip(moves.chunks_exact(roles)) {
                    let row = &rows[*parent as usize * words..][..words];
                    let next = scalar.next(&state(&self.net, row), joint);
                    if let Some(out) = &mut out {
                        let end = out.len() + words;
                        out.extend_from_slice(&next.0);
                        out.resize(end, 0);
                    }
                    if let Some((ask, looks)) = &mut asked {
                        look(scalar, &next, *ask, looks);
                    }
                }
            }
            _ => self.passes.follow(rows, words, (parents, moves), out, asked),
        }
    }
}

/// The state of a row.
fn state(net: &Net, row: &[u64]) -> State {
    State(row[..net.bases.len().div_ceil(64)].into())
}

fn look(scalar: &mut Scalar, state: &State, ask: Ask, out: &mut Looks) {
    let terminal = scalar.terminal(state);
    out.terminal.push(terminal);
    if ask.count && !terminal {
        let (roles, mut moves) = (scalar.roles(), Vec::new());
        let count = |role| {
            moves.clear();
            scalar.legal(state, role, &mut moves);
            moves.len() as u64
        };
        out.count += (0..roles).map(count).product::<u64>();
    }
    for role in 0..scalar.roles() {
        if ask.goals {
            out.goals.push(scalar.goal(state, role));
        }
        if ask.legal {
            scalar.legal(state, role, &mut out.moves);
            out.ends.push(out.moves.len() as u32);
        }
    }
}

/// How many gates change from one position to the next, on average in a few random ones.
fn changes(net: &Net) -> usize {
    let none = vec![false; net.inputs.len()];
    let states = Turns::guess(net).states;
    let values: Vec<Vec<bool>> = states.iter().map(|s| net.evaluate(&s.bases, &none)).collect();
    let pairs = values.windows(2).zip(&states).filter(|(_, state)| state.followed);
    let differ = |pair: &[Vec<bool>]| pair[0].iter().zip(&pair[1]).filter(|(a, b)| a != b).count();
    let (sum, count) =
        pairs.fold((0, 0), |(sum, count), (pair, _)| (sum + differ(pair), count + 1));
    sum / count.max(1)
}

impl fmt::Display for BatchChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let BatchChoice { cells, changes, fewest } = self;
        match fewest {
            0 => write!(f, "sliced for any number of positions")?,
            _ => write!(f, "sliced for {fewest} positions and more, scalar for fewer")?,
        }
        write!(f, ": a pass has {cells} cells, a move changes {changes} gates")
    }
}
