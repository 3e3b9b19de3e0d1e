//! `StateSweep`: states side by side, their ends and goals, and all that follows them: made one after the other at first, and in
//! passes of the machines for many positions once there are many.

use super::field::{Expansion, Field};
use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::{Ask, Batch, Looks, State};
use ludex_net::ground::NotGround;
use ludex_reason::{Move, Role, StateMachine};
use std::ops::Range;
use std::sync::Arc;

pub struct StateSweep {
    knowledge: Arc<Knowledge>,
    batch: Option<Batch>,
    looks: Looks,
    expansion: Expansion,
    roles: usize,
    words: usize,
    /// States that were swept.
    swept: usize,
    terminal: Vec<bool>,
    /// By state and role.
    goals: Vec<Option<i32>>,
    /// By state where its children begin.
    first: Vec<usize>,
    /// By child its state, the joint move that leads to it, and its row.
    parents: Vec<u32>,
    moves: Vec<Move>,
    rows: Vec<u64>,
}

/// States that are made one after the other before machines for many are worth their making.
const FEW: usize = 2_000;
/// Children that are made together, if they are not those of one state.
const MOST: usize = 1 << 14;

impl StateSweep {
    /// For states of a net.
    pub fn new(knowledge: Arc<Knowledge>, field: &Field) -> StateSweep {
        StateSweep {
            knowledge,
            batch: None,
            looks: Looks::default(),
            expansion: Expansion::default(),
            roles: field.roles,
            words: row_words(field.machine.net().bases.len()),
            swept: 0,
            terminal: vec![],
            goals: vec![],
            first: vec![],
            parents: vec![],
            moves: vec![],
            rows: vec![],
        }
    }

    /// Sweeps over the first of these rows; how many of them.
    pub fn over(
        &mut self,
        field: &mut Field,
        rows: &[u64],
        budget: &Budget,
    ) -> Result<usize, Stop> {
        if self.batch.is_none() && self.swept >= FEW {
            let batch = self.knowledge.batch(budget).map_err(NotGround::stop)?;
            self.batch = Some(Batch::clone(&batch));
        }
        self.terminal.clear();
        self.goals.clear();
        self.first.clear();
        self.parents.clear();
        self.moves.clear();
        self.rows.clear();
        match self.batch.take() {
            Some(mut batch) => {
                self.together(&mut batch, rows);
                self.batch = Some(batch);
            }
            None => self.alone(field, &rows[..self.words]),
        }
        self.first.push(self.parents.len());
        self.swept += self.terminal.len();
        Ok(self.terminal.len())
    }

    fn together(&mut self, batch: &mut Batch, rows: &[u64]) {
        let rows = &rows[..rows.len().min(batch.lanes() * self.words)];
        let ask = Ask { goals: true, legal: true, ..Ask::default() };
        batch.look(rows, ask, &mut self.looks);
        for (n, terminal) in self.looks.terminal.iter().enumerate() {
            if self.parents.len() > MOST {
                break;
            }
            self.first.push(self.parents.len());
            self.terminal.push(*terminal);
            if !terminal {
                self.looks.joints(n, &mut self.parents, &mut self.moves);
            }
        }
        self.goals.extend_from_slice(&self.looks.goals[..self.terminal.len() * self.roles]);
        batch.follow(rows, &self.parents, &self.moves, &mut self.rows);
    }

    fn alone(&mut self, field: &mut Field, row: &[u64]) {
        let state = State(row[..field.machine.net().bases.len().div_ceil(64)].into());
        let over = field.machine.terminal(&state);
        self.first.push(0);
        self.terminal.push(over);
        self.goals.extend((0..self.roles).map(|role| field.machine.goal(&state, role)));
        if over || !field.joints(&state, &mut self.expansion) {
            // Whoever asks counts those that are stuck.
            field.stuck -= u64::from(!over);
            return;
        }
        field.states(&state, &mut self.expansion);
        self.moves.extend_from_slice(&self.expansion.joints);
        for next in &self.expansion.states {
            self.parents.push(0);
            self.rows.extend_from_slice(&next.0);
            self.rows.resize(self.parents.len() * self.words, 0);
        }
    }

    pub fn is_terminal(&self, state: usize) -> bool {
        self.terminal[state]
    }

    pub fn goal(&self, state: usize, role: Role) -> Option<i32> {
        self.goals[state * self.roles + role]
    }

    /// The children of a state, by their numbers.
    pub fn children(&self, state: usize) -> Range<usize> {
        self.first[state]..self.first[state + 1]
    }

    /// The joint moves that lead to some children, one after the other.
    pub fn joints(&self, children: Range<usize>) -> &[Move] {
        &self.moves[children.start * self.roles..children.end * self.roles]
    }

    pub fn row(&self, child: usize) -> &[u64] {
        &self.rows[child * self.words..][..self.words]
    }
}

/// The words of the row of a state, one at least.
pub fn row_words(bases: usize) -> usize {
    bases.div_ceil(64).max(1)
}
