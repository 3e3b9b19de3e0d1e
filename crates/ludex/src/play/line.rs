//! `Line`: the present state of a match, which follows a history given as text.

use ludex_gdl::budget::Budget;
use ludex_reason::{Move, Role, StateMachine, find_move};

/// The present state, and the joint moves that led to it.
pub struct Line<G: StateMachine> {
    /// The state that was reached.
    pub now: G::State,
    /// The joint moves that led to it.
    pub joints: Vec<Vec<Move>>,
    texts: Vec<Vec<String>>,
}

impl<G: StateMachine> Line<G> {
    /// The initial state.
    pub fn new(game: &mut G) -> Line<G> {
        Line { now: game.initial(), joints: vec![], texts: vec![] }
    }

    /// Whether a history goes on from here.
    pub fn leads_to(&self, history: &[Vec<String>]) -> bool {
        history.starts_with(&self.texts)
    }

    /// Goes to the state after a history that goes on from here, or to the last one before a joint
    /// move that is not legal.
    pub fn follow(&mut self, game: &mut G, history: &[Vec<String>], budget: &Budget) {
        for texts in &history[self.texts.len()..] {
            let Some(joint) = joint(game, &self.now, texts, budget) else { return };
            self.now = game.next(&self.now, &joint);
            self.joints.push(joint);
            self.texts.push(texts.clone());
        }
    }
}

fn joint<G: StateMachine>(
    game: &mut G,
    state: &G::State,
    texts: &[String],
    budget: &Budget,
) -> Option<Vec<Move>> {
    if texts.len() != game.roles() {
        return None;
    }
    let each = texts.iter().enumerate();
    each.map(|(role, text)| find_move(&legal(game, state, role, budget), text)).collect()
}

/// The legal moves of a role with their texts, in the order of these: the same for every engine. Some of
/// them where the budget ends first.
pub fn legal<G: StateMachine>(
    game: &mut G,
    state: &G::State,
    role: Role,
    budget: &Budget,
) -> Vec<(Move, String)> {
    let mut moves = Vec::new();
    game.legal(state, role, &mut moves);
    let in_budget = |(i, _): &(usize, Move)| *i == 0 || budget.check().is_ok();
    let moves = moves.into_iter().enumerate().take_while(in_budget);
    let mut named: Vec<_> = moves.map(|(_, m)| (m, game.move_text(role, m))).collect();
    named.sort_unstable_by(|a, b| a.1.cmp(&b.1));
    named
}
