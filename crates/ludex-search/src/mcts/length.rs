//! How long play lasts where the end is known: who wins hurries, who loses does not.

use super::node::{Bounds, Mover, TreeNode};
use super::tree::{Handle, Tree};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::hash::Hash;

/// Nodes that are looked at for one answer.
const MOST: usize = 20_000;

/// Lengths of play from nodes whose values are exact.
pub struct Lengths<'a, S> {
    tree: &'a Tree<S>,
    widest: &'a [Bounds],
    known: FxHashMap<Handle, u32>,
}

impl<'a, S: Eq + Hash> Lengths<'a, S> {
    /// `widest` is what is true of every state, by role.
    pub fn new(tree: &'a Tree<S>, widest: &'a [Bounds]) -> Lengths<'a, S> {
        Lengths { tree, widest, known: FxHashMap::default() }
    }

    /// Of the moves of the one who decides alone in a node, those of the ranks given, which are worth the same: the
    /// one that wins soonest or loses latest. The first, where that is not known.
    pub fn best(&mut self, node: &TreeNode<S>, ranks: Vec<usize>) -> usize {
        let Mover::One(role) = node.mover else { return ranks[0] };
        let losing = node.of(role)[ranks[0]].bounds.high <= self.widest[role].low;
        let length = |rank: usize, lengths: &mut Self| lengths.of(node.child(rank as u64));
        let lengths: Vec<u32> = ranks.iter().map(|rank| length(*rank, self)).collect();
        let places = 0..ranks.len();
        let best = match losing {
            true => places.max_by_key(|place| (lengths[*place], Reverse(*place))),
            false => places.min_by_key(|place| (lengths[*place], *place)),
        };
        ranks[best.expect("a move")]
    }

    /// Moves from a node to the end; 0 where it is not in the tree any more.
    fn of(&mut self, at: Handle) -> u32 {
        if let Some(known) = self.known.get(&at) {
            return *known;
        }
        let Some(node) = self.tree.get(at).filter(|_| self.known.len() < MOST) else { return 0 };
        // States may come again.
        self.known.insert(at, 0);
        let length = match node.mover {
            Mover::One(role) if node.proven => {
                let value = node.shares[role].bounds.low;
                let reaches = |rank: &usize| node.of(role)[*rank].bounds.low >= value;
                let ranks: Vec<usize> = (0..node.of(role).len()).filter(reaches).collect();
                match ranks.is_empty() {
                    true => 0,
                    false => {
                        let best = self.best(node, ranks);
                        1 + self.of(node.child(best as u64))
                    }
                }
            }
            _ => 0,
        };
        self.known.insert(at, length);
        length
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, searcher};
    use ludex_gdl::budget::Budget;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_machine::Scalar;
    use ludex_net::{Net, ground::Ground};
    use ludex_reason::StateMachine;
    use std::sync::Arc;

    /// The first role takes a short way to the end or a long one; on the way both may wait in two ways.
    const WAYS: &str = "(role a) (role b) (init (turn 0)) (init (control a)) (way short) (way long)
        (++ 0 1) (++ 1 2) (++ 2 3) (++ 3 4) (++ 4 5) (++ 5 6)
        (idle x) (idle y)
        (<= (legal a (take ?w)) (true (turn 0)) (way ?w))
        (<= (legal ?r (wait ?x)) (true (control ?r)) (idle ?x) (not (true (turn 0))))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (turn ?m)) (true (turn ?n)) (++ ?n ?m))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next (took ?w)) (does a (take ?w))) (<= (next (took ?w)) (true (took ?w)))
        (<= (next (last ?x)) (does ?r (wait ?x)))
        (<= terminal (true (turn 2)) (true (took short))) (<= terminal (true (turn 6)))";

    fn taken(goals: &str) -> String {
        let text = format!("{WAYS} {goals}");
        let rules = Rules::read(&Source::new("ways", text), None).map_err(|r| r.complaints);
        let budget = Budget::unlimited();
        let ground = Ground::new(&rules.unwrap().0, &budget).unwrap();
        let game = Scalar::new(Net::new(&ground, &budget).unwrap().into());
        let mut search = searcher(&game, 0, &Options::default(), Arc::default());
        search.think(2_000, &budget).unwrap();
        let choice = search.choice().unwrap();
        assert!(choice.proven);
        game.move_text(0, choice.mv)
    }

    #[test]
    fn who_loses_does_not_hurry() {
        // The other one has the last word on either way.
        let lost = "(<= (goal a 100) (true (last x))) (<= (goal a 0) (not (true (last x))))
            (<= (goal b 0) (true (last x))) (<= (goal b 100) (not (true (last x))))";
        assert_eq!(taken(lost), "(take long)");
    }
}
