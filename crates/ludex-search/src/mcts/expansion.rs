//! Ways down the tree -> `LeafExpansion`: the states that they lead to, many in one pass of the circuits.

use super::SharedTree;
use super::node::TreeNode;
use crate::Searchable;
use ludex_machine::{Ask, Batch, Looks};
use ludex_reason::Move;
use ludex_symmetry::ElementId;

/// States and the joint moves that are made there. Without circuits the engine of the tree makes them, one by one.
pub struct LeafExpansion<S> {
    batch: Option<Batch>,
    above: Vec<S>,
    rows: Vec<u64>,
    parents: Vec<u32>,
    moves: Vec<Move>,
    next: Vec<u64>,
    looks: Looks,
}

impl<S: Clone> LeafExpansion<S> {
    pub fn new(batch: Option<Batch>) -> LeafExpansion<S> {
        LeafExpansion {
            batch,
            above: Vec::new(),
            rows: Vec::new(),
            parents: Vec::new(),
            moves: Vec::new(),
            next: Vec::new(),
            looks: Looks::default(),
        }
    }

    pub fn has_circuits(&self) -> bool {
        self.batch.is_some()
    }

    pub fn clear(&mut self) {
        self.above.clear();
        self.rows.clear();
        self.parents.clear();
        self.moves.clear();
    }

    pub fn push<G: Searchable<State = S>>(&mut self, state: &S, joint: impl Iterator<Item = Move>) {
        match self.batch.as_ref().zip(G::bits(state)) {
            Some((batch, bits)) => {
                self.parents.push(self.parents.len() as u32);
                batch.push(bits, &mut self.rows);
            }
            None => self.above.push(state.clone()),
        }
        self.moves.extend(joint);
    }

    /// Makes the moves.
    pub fn run(&mut self) {
        if let Some(batch) = &mut self.batch {
            let ask = Ask { goals: true, legal: true, ..Ask::default() };
            let steps = (&self.parents[..], &self.moves[..]);
            batch.follow_and_look(&self.rows, steps, ask, &mut self.next, &mut self.looks);
        }
    }

    /// The state after the moves of a number.
    pub fn state<G: Searchable<State = S>>(&self, number: usize, game: &mut G) -> S {
        match &self.batch {
            Some(batch) => {
                let row = &self.next[number * batch.words()..][..batch.words()];
                G::of_bits(batch.state(row)).expect("made of bits")
            }
            None => {
                let roles = game.roles();
                game.next(&self.above[number], &self.moves[number * roles..][..roles])
            }
        }
    }

    /// The node of that state, turned by a symmetry: who can move, or who got what.
    pub fn node<G: Searchable<State = S>>(
        &self,
        number: usize,
        (turn, state): (ElementId, S),
        game: &mut G,
        shared: &SharedTree<S>,
    ) -> TreeNode<S> {
        let (looks, roles) = (&self.looks, shared.widest.len());
        if self.batch.is_none() {
            return super::worker::node(game, state, shared);
        }
        if looks.terminal[number] || looks.is_stuck(number) {
            let goals = looks.goals[number * roles..][..roles].iter();
            let goals: Vec<f32> = goals.map(|g| g.unwrap_or(0) as f32 / 100.0).collect();
            return TreeNode::end(state, &goals);
        }
        let (widest, chance) = (&shared.widest, shared.selection.chance);
        let legal = (0..roles).map(|role| looks.legal(number, role));
        if turn == ElementId::NONE {
            return TreeNode::open(state, legal, widest, chance);
        }
        let mut turned: Vec<Vec<Move>> = legal.map(|moves| shared.turned(moves, turn)).collect();
        turned.iter_mut().for_each(|moves| moves.sort_unstable());
        TreeNode::open(state, turned.iter().map(Vec::as_slice), widest, chance)
    }
}
