//! New nodes -> `Outlook`s: what their children are like, those of many nodes in one pass of the circuits.
//!
//! Children that are ends are known at once, so a move that wins is never overlooked, and neither is one that
//! lets the next one win. The others get what the evaluation expects of them.

use super::node::{Mover, TreeNode};
use crate::Searchable;
use crate::evaluation::Evaluation;
use ludex_machine::{Ask, Batch, Looks};
use ludex_reason::{Move, Random, Role};
use std::sync::Arc;

/// What the children of a node are like.
pub struct Outlook<S> {
    /// Children that are ends: the rank of the move, the state, what each role gets.
    pub ends: Vec<(usize, S, Vec<f32>)>,
    /// What the evaluation expects for each role, by the best move.
    pub values: Vec<f32>,
}

impl<S> Default for Outlook<S> {
    fn default() -> Outlook<S> {
        Outlook { ends: Vec::new(), values: Vec::new() }
    }
}

/// Nodes with more moves are not looked at.
const MOST_MOVES: usize = 256;
/// Visits that a guess counts for.
const GUESSED: f32 = 1.0;

/// Makes outlooks.
pub struct Outlooks {
    evaluation: Arc<Evaluation>,
    batch: Batch,
    chance: Option<Role>,
    random: Random,
    rows: Vec<u64>,
    parents: Vec<u32>,
    moves: Vec<Move>,
    next: Vec<u64>,
    looks: Looks,
}

impl Outlooks {
    pub fn new(batch: Batch, evaluation: Arc<Evaluation>, seed: u64) -> Outlooks {
        Outlooks {
            evaluation,
            chance: batch.net().chance(),
            batch,
            random: Random::new(seed),
            rows: Vec::new(),
            parents: Vec::new(),
            moves: Vec::new(),
            next: Vec::new(),
            looks: Looks::default(),
        }
    }

    /// The same with another evaluation.
    pub fn with(self, evaluation: Arc<Evaluation>) -> Outlooks {
        Outlooks { evaluation, ..self }
    }

    /// Looks at nodes that are open and in one phase. `most` is the best there is for each role.
    pub fn look<G: Searchable>(
        &mut self,
        nodes: &mut [&mut TreeNode<G::State>],
        phase: usize,
        most: &[f32],
    ) -> Vec<Outlook<G::State>> {
        self.ask::<G>(nodes);
        let mut first = 0;
        let of = |(number, node): (usize, &mut &mut TreeNode<G::State>)| {
            let from = first;
            first += tried(node, self.chance).map(|role| node.of(role).len()).sum::<usize>();
            match node.mover {
                Mover::One(role) if first > from => {
                    self.outlook::<G>(node, role, (from, phase + 1), most[role])
                }
                _ => {
                    self.guess::<G>(node, (from, phase + 1));
                    Outlook { values: self.static_values(number, phase), ends: Vec::new() }
                }
            }
        };
        nodes.iter_mut().enumerate().map(of).collect()
    }

    /// What the evaluation says of a node itself.
    fn static_values(&self, number: usize, phase: usize) -> Vec<f32> {
        let words = self.batch.words();
        let row = &self.rows[number * words..(number + 1) * words];
        self.evaluation.values(row, phase)
    }

    /// Follows all moves that are to be looked at.
    fn ask<G: Searchable>(&mut self, nodes: &[&mut TreeNode<G::State>]) {
        self.rows.clear();
        self.parents.clear();
        self.moves.clear();
        for (number, node) in nodes.iter().enumerate() {
            self.batch.push(G::bits(&node.state).expect("it has bits"), &mut self.rows);
            for role in tried(node, self.chance) {
                let others = node.joint(|other| self.random.below(node.range(other).len()));
                let others = node.moves(others);
                for arm in node.of(role) {
                    self.parents.push(number as u32);
                    let any = others.iter().enumerate();
                    self.moves.extend(any.map(|(r, any)| if r == role { arm.mv } else { *any }));
                }
            }
        }
        let ask = Ask { goals: true, ..Ask::default() };
        let (next, looks) = (&mut self.next, &mut self.looks);
        self.batch.follow_and_look(&self.rows, (&self.parents, &self.moves), ask, next, looks);
    }

    /// What the moves of a node, whose roles decide at once, are worth where others make any.
    fn guess<G: Searchable>(&self, node: &mut TreeNode<G::State>, (from, phase): (usize, usize)) {
        let (words, roles) = (self.batch.words(), self.batch.roles());
        let mut child = from;
        for role in tried(node, self.chance).collect::<Vec<_>>() {
            let range = node.range(role);
            for arm in &mut node.arms[range] {
                let row = &self.next[child * words..(child + 1) * words];
                arm.prior = match self.looks.terminal[child] {
                    true => self.looks.goals[child * roles + role].unwrap_or(0) as f32 / 100.0,
                    false => self.evaluation.value(row, phase, role),
                };
                arm.weight = GUESSED;
                child += 1;
            }
        }
    }

    /// The outlook of a node whose first child is at `from`; they are in this phase.
    fn outlook<G: Searchable>(
        &self,
        node: &mut TreeNode<G::State>,
        role: Role,
        (from, phase): (usize, usize),
        most: f32,
    ) -> Outlook<G::State> {
        let (words, roles) = (self.batch.words(), self.batch.roles());
        let mut outlook = Outlook::default();
        let mut best: Option<(f32, usize)> = None;
        let range = node.range(role);
        for (rank, arm) in node.arms[range].iter_mut().enumerate() {
            let child = from + rank;
            let row = &self.next[child * words..(child + 1) * words];
            if self.looks.terminal[child] {
                let goals = &self.looks.goals[child * roles..(child + 1) * roles];
                let goals: Vec<f32> = goals.iter().map(|g| g.unwrap_or(0) as f32 / 100.0).collect();
                let state = G::of_bits(self.batch.state(row)).expect("made of bits");
                arm.minimax = goals[role];
                outlook.ends.push((rank, state, goals));
                // Nothing is better.
                if arm.minimax >= most {
                    outlook.ends.drain(..outlook.ends.len() - 1);
                    best = Some((arm.minimax, child));
                    break;
                }
            } else {
                arm.minimax = self.evaluation.value(row, phase, role);
            }
            if best.is_none_or(|(value, _)| arm.minimax > value) {
                best = Some((arm.minimax, child));
            }
        }
        let (_, child) = best.expect("a move");
        let row = &self.next[child * words..(child + 1) * words];
        let end = outlook.ends.iter().find(|(rank, ..)| from + rank == child);
        outlook.values = match end {
            Some((_, _, goals)) => goals.clone(),
            None => self.evaluation.values(row, phase),
        };
        node.expect(&outlook.values);
        outlook
    }
}

/// The roles whose moves are looked at in a node.
fn tried<S>(node: &TreeNode<S>, chance: Option<Role>) -> impl Iterator<Item = Role> + use<S> {
    let sizes: Vec<usize> = (0..node.roles()).map(|role| node.range(role).len()).collect();
    let few = sizes.iter().sum::<usize>() <= MOST_MOVES;
    let mover = node.mover;
    (0..sizes.len()).filter(move |role| match mover {
        Mover::One(one) => *role == one && few,
        Mover::Several => sizes[*role] > 1 && Some(*role) != chance && few,
        Mover::Chance(_) | Mover::Over => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Insights, LeafWay, Options, Searcher, searcher};
    use ludex_gdl::budget::Budget;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_knowledge::Knowledge;
    use ludex_machine::Scalar;
    use ludex_reason::{Move, StateMachine};
    use std::sync::Arc;

    /// Makes moves that are named by one of the roles.
    fn advance(game: &mut Scalar, searcher: &mut dyn Searcher, moves: &[&str]) {
        let mut state = game.initial();
        for text in moves {
            let joint: Vec<Move> = (0..2)
                .map(|role| {
                    let mut legal = Vec::new();
                    game.legal(&state, role, &mut legal);
                    let named = legal.iter().find(|m| game.move_text(role, **m) == *text);
                    *named.unwrap_or(&legal[0])
                })
                .collect();
            searcher.advance(&joint);
            state = game.next(&state, &joint);
        }
    }

    #[test]
    fn threats_are_seen_as_soon_as_a_move_is_looked_at() {
        let text = include_str!("../../../../games/tictactoe.kif");
        let rules = Rules::read(&Source::new("tictactoe", text), None).map_err(|r| r.complaints);
        let (knowledge, budget) = (Knowledge::of_rules(rules.unwrap().0), Budget::unlimited());
        let insights = Arc::new(Insights::default());
        insights.gather(&knowledge, &budget).unwrap();
        insights.use_evaluation(Some(crate::learning::untaught(&insights)));
        let mut game = Scalar::clone(&knowledge.scalar(&budget).ok().unwrap());
        let way = Some(LeafWay::Evaluation);
        let options = Options { leaves: Some(1), way, ..Options::default() };
        let mut searcher = searcher(&game, 1, &options, insights);
        advance(&mut game, searcher.as_mut(), &["(mark 1 1)", "(mark 3 3)", "(mark 1 2)"]);
        searcher.think(12, &budget).unwrap();
        let choice = searcher.choice().unwrap();
        assert_eq!(game.move_text(1, choice.mv), "(mark 1 3)");
        let lost = choice.moves.iter().filter(|c| c.proven && c.value == 0.0).count();
        assert_eq!(lost, choice.moves.len() - 1, "{:?}", choice.moves);
    }
}
