//! `Mcts`: Monte Carlo tree search for any number of roles, with chance and simultaneous moves.
//!
//! The tree is a graph: equal states are one node. So are states that a symmetry exchanges which leaves
//! the root alone, where symmetries are known: what such a state leads to is met turned everywhere. Other
//! symmetries seldom bring together what can be reached from the root. A new node gets a pass of the sliced machine, or a share of one: hundreds of playouts, which tell the worth
//! of its moves as well. Values that are proved are backed up as bounds. Threads share one tree; it is
//! locked once for many ways down and once for many ways up, and engines run outside the lock.
//!
//! `mcts.rs` is Monte Carlo tree search over any engine (`Searchable`). Every role chooses by its
//! own statistics (decoupled UCT), the role `random` by chance. In the end the move of the best
//! value is made, of those that are proven or have at least a quarter of the visits of the
//! favourite; where roles move at once it is the favourite.
//!
//! - `tree.rs`: the nodes, found by state, so equal states are one. Room for all of them is
//!   reserved at the start; one that was not used for long goes for a new one. Handles carry a
//!   generation: what points at a node that went is seen to be stale.
//! - `node.rs`: what a way down reads of a node's moves lies side by side: what each is worth, how
//!   unsure that is, and where it leads. It is brought up to date on the way up.
//! - `descent.rs`: the way down by upper confidence bounds, and back up. The exploration term is
//!   weighed by the standard deviation of what iterations from the root came to: a leaf is worth
//!   the mean of many playouts, which differs far less than single ones do, and how much depends on
//!   the game. Of two moves that lead to the same node one is left out.
//! - `bounds.rs`: values that are proved, as bounds for every role; moves that cannot be best any
//!   more and states that are solved are not visited again. What a solved move is worth still
//!   counts: where it is better for the one who decides than the move that was visited, it is what
//!   goes up.
//! - `expansion.rs`: many ways down that end before unknown states are followed in one pass of the
//!   circuits, which also tells ends, goals and legal moves there.
//! - `worker.rs`: one thread. New states wait until a pass of the sliced machine is full
//!   (`ludex-machine/sliced/sample.rs`): 32 to 64 states share its lanes, the more the larger its
//!   circuits are. Which move a lane made first is kept, and which moves it made at all, so that
//!   the same playouts tell the worth of every move of a new node, and of all moves of the nodes
//!   above (all moves as first, RAVE). That is left alone in games whose playouts make the same
//!   move again and again, such as connect four, where a move means something else every time. On a
//!   path through a turned state the moves are given the names that they have above it.
//! - `playouts.rs`: single playouts that prefer moves which did well (MAST): for the reasoner, and
//!   until there is a sliced machine.
//! - `outlook.rs`, `minimax.rs`: where an evaluation was learned that wins against playouts
//!   (`learning.rs`, `study.rs`), a new node is worth what it expects after the best move, with no playouts at
//!   all. All children are looked at in one pass, so ends are known at once, and what is expected by best play
//!   is backed up beside the means.
//! - `length.rs`: of moves that win the one that wins soonest, of moves that lose the one that loses latest.
//! - `insights.rs`: the sliced machine, the one whose playouts make wins and prevent them, and the symmetries,
//!   found beside the search and used as soon as they are there.
//!
//! Threads share one tree behind one lock, which is held while a whole set of ways down is found or taken
//! up only; engines run outside of it, and visits under way count as lost. States that are exchanged by a symmetry which
//! leaves the root's state alone are one node (`ludex-symmetry/elements.rs`): whatever one of them
//! leads to the other leads to, turned. Other symmetries hardly ever bring together two states that
//! can both be reached, and are left alone; so most positions of a match cost nothing. Where fewer
//! than one question in 20 merges anything, symmetries are left alone until the next move. Every
//! edge knows the symmetry that turns the state after it into its node, and the match the one that
//! turns its state into the root; moves get their names by it on the way up, in what is told and in
//! what is heard. `cargo run --release -p ludex-bench --bin duel` plays two searches against each
//! other by CPU time.

mod bounds;
mod descent;
mod expansion;
mod minimax;
mod node;
mod outlook;
mod playouts;
mod tree;
mod length;
mod worker;

use super::evaluation::Evaluation;
use super::{Candidate, Choice, Insights, LeafWay, Options, Searchable, Searcher};
use descent::Selection;
use length::Lengths;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_reason::{Move, Random, Role, chance};
use ludex_symmetry::ElementId;
use node::{Bounds, MoveArm, Mover, Rating, TreeNode};
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use tree::{Handle, Tree};
use worker::{Worker, node};

pub struct Mcts<G: Searchable> {
    role: Role,
    workers: Vec<Worker<G>>,
    shared: SharedTree<G::State>,
    /// The symmetry that turns the present state of the match into the root's.
    frame: ElementId,
}

/// What the threads of a search share.
pub struct SharedTree<S> {
    tree: Mutex<Tree<S>>,
    root: Handle,
    /// Symmetries that leave the root's state as it is.
    fixing: Vec<ElementId>,
    options: Options,
    insights: Arc<Insights>,
    selection: Selection,
    /// By role, bounds that are true of every state.
    widest: Vec<Bounds>,
    /// Iterations that may still be begun.
    left: AtomicU64,
    merging: Merging,
    repeats: Repeats,
    /// What tells the worth of new nodes.
    way: LeafWay,
    evaluation: Option<Arc<Evaluation>>,
}

/// Whether symmetries pay from the present root on: how often they were asked, and led to a state
/// that was there.
#[derive(Default)]
struct Merging {
    asked: AtomicU64,
    merged: AtomicU64,
}

/// Questions after which symmetries that lead nowhere new are given up, and of how many at least one
/// must have merged states.
const TRIED: u64 = 4_000;
const MERGED_OF: u64 = 20;

impl Merging {
    fn pays(&self) -> bool {
        let asked = self.asked.load(Relaxed);
        asked < TRIED || self.merged.load(Relaxed) * MERGED_OF > asked
    }
}

/// Whether a move is much the same whenever it is made: what it came to at any time then tells what it
/// comes to at once. Moves that playouts make again and again, such as dropping a piece into a column,
/// are not.
#[derive(Default)]
struct Repeats {
    chosen: AtomicU64,
    repeated: AtomicU64,
}

/// Of how many chosen moves one may be a repetition.
const REPEATED_OF: u64 = 4;

impl Repeats {
    fn are_rare(&self) -> bool {
        self.repeated.load(Relaxed) * REPEATED_OF < self.chosen.load(Relaxed)
    }

    fn count(&self, (chosen, repeated): (u64, u64)) {
        self.chosen.fetch_add(chosen, Relaxed);
        self.repeated.fetch_add(repeated, Relaxed);
    }
}

impl<S> SharedTree<S> {
    fn tree(&self) -> MutexGuard<'_, Tree<S>> {
        self.tree.lock().expect("no thread panics with it")
    }

    /// The state that stands for this one and those that are symmetric to it, and the symmetry that
    /// turns this one into it.
    fn representative<G: Searchable<State = S>>(&self, state: S) -> (ElementId, S) {
        if self.fixing.is_empty() || !self.merging.pays() {
            return (ElementId::NONE, state);
        }
        let symmetry = self.insights.symmetry.get().expect("it fixes the root");
        self.merging.asked.fetch_add(1, Relaxed);
        let bits = G::bits(&state).expect("symmetries move bits");
        match symmetry.least(&self.fixing, &bits.0) {
            (ElementId::NONE, _) => (ElementId::NONE, state),
            (turn, least) => (turn, G::of_bits(State(least)).expect("made of bits")),
        }
    }

    /// Finds the symmetries that leave a state, that of the root, as it is.
    fn keep<G: Searchable<State = S>>(&mut self, root: &S) {
        let symmetry = self.insights.symmetry.get().filter(|_| self.options.symmetry);
        let fixing = symmetry.zip(G::bits(root)).map(|(symmetry, bits)| symmetry.fixing(&bits.0));
        self.fixing = fixing.unwrap_or_default();
    }

    /// Moves of a state as they are called in the state that a symmetry turns it into.
    fn turned(&self, moves: &[Move], turn: ElementId) -> Vec<Move> {
        match self.insights.symmetry.get() {
            Some(symmetry) => {
                let inputs = symmetry.inputs(turn);
                moves.iter().map(|m| Move(inputs[m.0 as usize])).collect()
            }
            None => moves.to_vec(),
        }
    }

    fn then(&self, a: ElementId, b: ElementId) -> ElementId {
        self.insights.symmetry.get().map_or(ElementId::NONE, |symmetry| symmetry.then(a, b))
    }

    fn inverse(&self, turn: ElementId) -> ElementId {
        self.insights.symmetry.get().map_or(ElementId::NONE, |symmetry| symmetry.inverse(turn))
    }
}

impl<G: Searchable> Mcts<G> {
    pub fn new(mut game: G, role: Role, options: &Options, insights: Arc<Insights>) -> Mcts<G> {
        let goals = (0..game.roles()).map(|r| game.goals(r));
        let bound = |(low, high): (i32, i32)| Bounds {
            low: low.min(0) as f32 / 100.0,
            high: high.max(0) as f32 / 100.0,
        };
        let selection = Selection {
            exploration: options.exploration,
            rave: options.rave,
            minimax: options.minimax,
            at_once: options.at_once,
            regret: options.regret,
            chance: chance(&game),
        };
        let shared = SharedTree {
            tree: Mutex::new(Tree::new(options.nodes)),
            root: Handle::NONE,
            fixing: Vec::new(),
            options: options.clone(),
            insights,
            selection,
            widest: goals.map(bound).collect(),
            left: AtomicU64::new(0),
            merging: Merging::default(),
            repeats: Repeats::default(),
            way: LeafWay::Playouts,
            evaluation: None,
        };
        let mut random = Random::new(options.seed);
        let state = game.initial();
        let threads = options.threads.max(1);
        let workers = (0..threads).map(|_| Worker::new(game.clone(), random.bits())).collect();
        let mut mcts = Mcts { role, workers, shared, frame: ElementId::NONE };
        mcts.stand_in(state);
        mcts
    }

    /// Makes a state the root; what is known of it stays.
    fn stand_in(&mut self, state: G::State) {
        self.shared.merging = Merging::default();
        self.shared.keep::<G>(&state);
        let found = self.shared.tree().find(&state);
        self.shared.root = match found {
            Some(root) => root,
            None => {
                let root = self.root(state);
                let old = self.shared.root;
                self.shared.tree().insert(root, old)
            }
        };
    }

    /// What was found in another way is not comparable.
    fn take_up_way(&mut self) {
        let shared = &mut self.shared;
        let way = shared.options.way.unwrap_or_else(|| shared.insights.way());
        let evaluation = shared.insights.evaluation().filter(|_| way == LeafWay::Evaluation);
        let pointer = |evaluation: &Option<Arc<Evaluation>>| evaluation.as_ref().map(Arc::as_ptr);
        if way == shared.way && pointer(&evaluation) == pointer(&shared.evaluation) {
            return;
        }
        (shared.way, shared.evaluation) = (way, evaluation);
        let tree = self.shared.tree();
        let state = tree.get(self.shared.root).expect("the root stays").state.clone();
        drop(tree);
        self.shared.tree = Mutex::new(Tree::new(self.shared.options.nodes));
        self.shared.root = Handle::NONE;
        self.stand_in(state);
    }

    /// Symmetries may have been found since the root was made.
    fn take_up_symmetries(&mut self) {
        if self.shared.fixing.is_empty() && self.shared.insights.symmetry.get().is_some() {
            let tree = self.shared.tree();
            let state = tree.get(self.shared.root).expect("the root stays").state.clone();
            drop(tree);
            self.shared.keep::<G>(&state);
        }
    }

    /// A new root, whose moves may lead to states that are known already.
    fn root(&mut self, state: G::State) -> TreeNode<G::State> {
        let game = &mut self.workers[0].game;
        let mut root = node(game, state, &self.shared);
        let Mover::One(role) = root.mover else { return root };
        let tree = self.shared.tree();
        if tree.len() < KNOWN_STATES * root.range(role).len() {
            return root;
        }
        for rank in 0..root.range(role).len() {
            let joint = root.joint(|_| rank);
            let next = game.next(&root.state, &root.moves(joint));
            let (turn, image) = self.shared.representative::<G>(next);
            let Some(child) = tree.find(&image) else { continue };
            let known = tree.get(child).expect("just found");
            let range = root.range(role);
            let twin = root.ratings[range.clone()].iter().any(|r| r.child == child);
            let visits = if twin { 0 } else { known.visits };
            for (share, known) in root.shares.iter_mut().zip(&known.shares) {
                share.sum += if twin { 0.0 } else { known.sum };
            }
            root.squares += if twin { 0.0 } else { known.squares };
            root.visits += visits;
            root.ratings[range.start + rank].child = child;
            let arm = &mut root.arms[range.start + rank];
            (arm.turn, arm.twin, arm.visits) = (turn, twin, visits);
            (arm.bounds, arm.closed) = (known.shares[role].bounds, known.proven);
            arm.sum = known.value(role) as f64 * visits as f64;
        }
        root.rate_all(&self.shared.selection);
        root
    }

    /// Of moves that win, or that all lose, the one by which that takes the shortest or the longest time.
    fn by_length(
        &self,
        tree: &Tree<G::State>,
        root: &TreeNode<G::State>,
        moves: &[Candidate],
        best: usize,
    ) -> usize {
        let Bounds { low, high } = self.shared.widest[self.role];
        let extreme = [low, high].map(|value| 100.0 * value as f64).contains(&moves[best].value);
        if !extreme || !moves[best].proven || root.mover != Mover::One(self.role) {
            return best;
        }
        let same = |c: &Candidate| c.proven && c.value == moves[best].value;
        let equal = (0..moves.len()).filter(|place| same(&moves[*place])).collect();
        Lengths::new(tree, &self.shared.widest).best(root, equal)
    }

    /// What is known of the moves of our role at the root, in their order.
    fn candidates(&self, tree: &Tree<G::State>, root: &TreeNode<G::State>) -> Vec<Candidate> {
        if let [only] = root.of(self.role) {
            let value = 100.0 * root.value(self.role) as f64;
            let proven = root.shares[self.role].bounds.is_exact();
            let visits = root.visits as u64;
            return vec![Candidate { mv: only.mv, value, proven, visits }];
        }
        let candidate = |(arm, rating): (&MoveArm, &Rating)| {
            let child = tree.get(rating.child).filter(|_| root.mover == Mover::One(self.role));
            let count = arm.visits as f64 + arm.weight as f64;
            let mean = (arm.sum + (arm.prior * arm.weight) as f64) / count;
            let mut mean = if count > 0.0 { mean as f32 } else { root.value(self.role) };
            if !arm.minimax.is_nan() {
                mean += self.shared.selection.minimax * (arm.minimax - mean);
            }
            let bounds = child.map_or(arm.bounds, |c| c.shares[self.role].bounds);
            Candidate {
                mv: arm.mv,
                value: 100.0 * bounds.clamp(mean) as f64,
                proven: bounds.is_exact(),
                visits: arm.visits as u64,
            }
        };
        let ratings = &root.ratings[root.range(self.role)];
        root.of(self.role).iter().zip(ratings).map(candidate).collect()
    }
}

/// A new root's moves are tried where the search has met so many states a move: that takes little of the
/// time then, however slow the engine is, and finds some of them.
const KNOWN_STATES: usize = 16;

/// A move was looked at long enough to be made where it has one of so many visits of the favourite.
const KNOWN_OF: u64 = 4;

/// The move of the best value, of those that are proven or were looked at long enough. The most visited
/// one alone will not do: it stays that for long after it was found to be worse, or even to lose.
fn best(candidates: &[Candidate]) -> usize {
    let most = candidates.iter().filter(|c| !c.proven).map(|c| c.visits).max().unwrap_or(0);
    let known = |c: &Candidate| c.proven || c.visits * KNOWN_OF >= most;
    let order = |a: &Candidate, b: &Candidate| {
        let sure = |c: &Candidate| (c.proven, c.visits);
        a.value.total_cmp(&b.value).then(sure(a).cmp(&sure(b)))
    };
    let known = candidates.iter().enumerate().rev().filter(|(_, c)| known(c));
    known.max_by(|a, b| order(a.1, b.1)).expect("a legal move").0
}

/// The move that is made where roles decide at once: the most visited one. Others reckon with what is
/// visited often, so what seldom is may be worth less than it seems. Not one drawn as often as it was
/// visited: most visits of most moves were made to explore.
fn favourite(candidates: &[Candidate]) -> usize {
    let visits = |place: &usize| candidates[*place].visits;
    (0..candidates.len()).rev().max_by_key(visits).expect("a legal move")
}

/// The joint moves that are expected from the root on, which a symmetry has turned the state of the
/// match into.
fn line<S: Eq + Hash>(
    tree: &Tree<S>,
    shared: &SharedTree<S>,
    mut frame: ElementId,
    first: (Role, usize),
) -> Vec<Vec<Move>> {
    let (mut line, mut at, mut first) = (Vec::new(), shared.root, Some(first));
    while let Some(node) = tree.get(at).filter(|n| n.mover != Mover::Over && line.len() < 200) {
        let popular = |role: Role| -> usize {
            let arms = node.of(role);
            let key = |a: &usize| (arms[*a].visits, -(*a as i64));
            (0..arms.len()).max_by_key(key).expect("an arm")
        };
        let joint = node.joint(|role| match first {
            Some((own, rank)) if own == role => rank,
            _ => popular(role),
        });
        if first.is_none() && node.visits < 2 {
            break;
        }
        first = None;
        line.push(shared.turned(&node.moves(joint), shared.inverse(frame)));
        (at, frame) = (node.child(joint), shared.then(frame, node.turn(joint)));
    }
    line
}

impl<G: Searchable> Searcher for Mcts<G> {
    fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop> {
        self.shared.left = AtomicU64::new(iterations);
        self.take_up_symmetries();
        self.take_up_way();
        let shared = &self.shared;
        if let [worker] = &mut self.workers[..] {
            return worker.work(shared, budget);
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = (self.workers.iter_mut())
                .map(|worker| scope.spawn(move || worker.work(shared, budget)))
                .collect();
            threads.into_iter().try_for_each(|t| t.join().expect("no thread panics"))
        })
    }

    fn choice(&mut self) -> Option<Choice> {
        let tree = self.shared.tree();
        let root = tree.get(self.shared.root).expect("the root stays");
        if root.mover == Mover::Over {
            return None;
        }
        let mut moves = self.candidates(&tree, root);
        let best = match root.mover {
            Mover::Several => favourite(&moves),
            _ => best(&moves),
        };
        let best = self.by_length(&tree, root, &moves, best);
        drop(tree);
        let back = self.shared.inverse(self.frame);
        for candidate in &mut moves {
            candidate.mv = self.shared.turned(&[candidate.mv], back)[0];
        }
        let Candidate { mv, value, proven, visits } = moves[best];
        moves.sort_by_key(|c| std::cmp::Reverse(c.visits));
        let tree = self.shared.tree();
        let line = line(&tree, &self.shared, self.frame, (self.role, best));
        Some(Choice { mv, value, proven, visits, line, moves, factors: 0 })
    }

    fn advance(&mut self, joint: &[Move]) {
        let moves = self.shared.turned(joint, self.frame);
        let (next, turn) = {
            let tree = self.shared.tree();
            let root = tree.get(self.shared.root).expect("the root stays");
            let joint = root.joint_of(&moves);
            let child = joint.and_then(|joint| Some((tree.get(root.child(joint))?, joint)));
            match child {
                Some((child, joint)) => (child.state.clone(), root.turn(joint)),
                None => (self.workers[0].game.next(&root.state, &moves), ElementId::NONE),
            }
        };
        self.frame = self.shared.then(self.frame, turn);
        self.stand_in(next);
    }

    fn visits(&self) -> u64 {
        self.shared.tree().get(self.shared.root).map_or(0, |root| root.visits as u64)
    }

    fn nodes(&self) -> usize {
        self.shared.tree().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(known: &[(f64, bool, u64)]) -> usize {
        let candidate = |&(value, proven, visits)| Candidate { mv: Move(0), value, proven, visits };
        best(&known.iter().map(candidate).collect::<Vec<_>>())
    }

    #[test]
    fn the_favourite_is_left_where_it_is_found_to_be_worse() {
        assert_eq!(chosen(&[(0.0, true, 94_646), (42.2, false, 48_936), (43.0, false, 314)]), 1);
        assert_eq!(chosen(&[(50.1, false, 90_818), (58.8, false, 59_415)]), 1);
        assert_eq!(chosen(&[(50.1, false, 90_818), (58.8, false, 20)]), 0);
    }

    #[test]
    fn what_is_sure_is_made_where_more_is_not_expected() {
        assert_eq!(chosen(&[(47.0, false, 900), (50.0, true, 3)]), 1);
        assert_eq!(chosen(&[(53.0, false, 900), (50.0, true, 3)]), 0);
        assert_eq!(chosen(&[(100.0, true, 1), (100.0, true, 5), (0.0, true, 9)]), 1);
        assert_eq!(chosen(&[(100.0, false, 2), (100.0, true, 1)]), 1);
        assert_eq!(chosen(&[(50.0, false, 0), (50.0, false, 0)]), 0);
    }
}
