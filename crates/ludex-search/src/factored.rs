//! `FactoredMcts`: tree search of a game that may be several games at once (paper 003), one tree for each of them.
//!
//! The trees grow side by side, those in which the role has a choice first. A move of the whole is worth what its
//! parts are worth together, by the table of the goal. Where factors do not follow the match, or were found to do
//! worse, the game is searched as a whole.

use super::insights::{FactorGames, Insights};
use super::mcts::Mcts;
use super::{Candidate, Choice, Options, Searchable, Searcher};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_reason::{Move, Role, StateMachine};
use std::sync::Arc;

pub struct FactoredMcts<G: Searchable> {
    whole: Mcts<G>,
    role: Role,
    options: Options,
    insights: Arc<Insights>,
    /// The joint moves of the match.
    made: Vec<Vec<Move>>,
    apart: Option<FactorTrees>,
    /// The factors did not follow.
    lost: bool,
}

impl<G: Searchable> FactoredMcts<G> {
    pub fn new(game: G, role: Role, options: &Options, insights: Arc<Insights>) -> FactoredMcts<G> {
        let whole = Mcts::new(game, role, options, insights.clone());
        let (options, made, apart, lost) = (options.clone(), Vec::new(), None, false);
        FactoredMcts { whole, role, options, insights, made, apart, lost }
    }

    /// Begins with trees for the factors, or ends with them, as was found to be better.
    fn take_up(&mut self) {
        let used = self.options.factoring && !self.lost;
        let used = used && self.options.factored.unwrap_or_else(|| self.insights.is_factored());
        let games = self.insights.factors.get().filter(|_| used);
        match games {
            None => self.apart = None,
            Some(games) if self.apart.is_none() => {
                let mut trees = FactorTrees::new(games.clone(), self.role, &self.options);
                self.lost = !self.made.iter().all(|joint| trees.advance(joint));
                self.apart = Some(trees).filter(|_| !self.lost);
            }
            Some(_) => {}
        }
    }
}

impl<G: Searchable> Searcher for FactoredMcts<G> {
    fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop> {
        self.take_up();
        match &mut self.apart {
            Some(apart) => apart.think(iterations, budget),
            None => self.whole.think(iterations, budget),
        }
    }

    fn choice(&mut self) -> Option<Choice> {
        let apart = self.apart.as_mut().and_then(FactorTrees::choice);
        apart.or_else(|| self.whole.choice())
    }

    fn advance(&mut self, joint: &[Move]) {
        self.whole.advance(joint);
        if self.apart.as_mut().is_some_and(|apart| !apart.advance(joint)) {
            (self.apart, self.lost) = (None, true);
        }
        self.made.push(joint.to_vec());
    }

    fn visits(&self) -> u64 {
        self.apart.as_ref().map_or_else(|| self.whole.visits(), FactorTrees::visits)
    }

    fn nodes(&self) -> usize {
        let apart = self.apart.iter().flat_map(|apart| &apart.trees);
        self.whole.nodes() + apart.map(|tree| tree.search.nodes()).sum::<usize>()
    }
}

/// Iterations of one tree before the next one has its turn.
const TURN: u64 = 1_024;
/// Longer lines are not followed.
const LONGEST: usize = 30;

/// A tree for each factor that matters.
struct FactorTrees {
    games: Arc<FactorGames>,
    role: Role,
    whole: Scalar,
    state: State,
    trees: Vec<FactorTree>,
}

struct FactorTree {
    search: Mcts<Scalar>,
    machine: Scalar,
    state: State,
}

impl FactorTree {
    /// What the factor came to for a role, if it is over.
    fn end(&mut self, role: Role) -> Option<f64> {
        let over = self.machine.terminal(&self.state);
        over.then(|| self.machine.goal(&self.state, role).unwrap_or(0) as f64)
    }

    fn has_choice(&mut self, role: Role) -> bool {
        let mut legal = Vec::new();
        self.machine.legal(&self.state, role, &mut legal);
        legal.len() > 1
    }
}

impl FactorTrees {
    fn new(games: Arc<FactorGames>, role: Role, options: &Options) -> FactorTrees {
        let nodes = options.nodes / games.games.len();
        let options = Options { nodes, ..options.clone() };
        let trees = games.games.iter().map(|game| {
            let mut machine = Scalar::clone(&game.machine);
            let state = machine.initial();
            let search = Mcts::new(machine.clone(), role, &options, game.insights.clone());
            FactorTree { search, machine, state }
        });
        let trees = trees.collect();
        let mut whole = Scalar::clone(&games.whole);
        let state = whole.initial();
        FactorTrees { games, role, whole, state, trees }
    }

    fn think(&mut self, iterations: u64, budget: &Budget) -> Result<(), Stop> {
        let role = self.role;
        let open: Vec<bool> = self.trees.iter_mut().map(|t| t.end(role).is_none()).collect();
        let chosen = self.trees.iter_mut().map(|t| t.has_choice(role));
        let chosen: Vec<bool> = chosen.zip(&open).map(|(choice, open)| choice && *open).collect();
        let at_work = if chosen.contains(&true) { chosen } else { open };
        let mut left = iterations;
        while left > 0 {
            let before = self.visits();
            for (tree, _) in self.trees.iter_mut().zip(&at_work).filter(|(_, at_work)| **at_work) {
                tree.search.think(left.min(TURN), budget)?;
                left -= left.min(TURN);
            }
            if self.visits() == before {
                break;
            }
        }
        Ok(())
    }

    fn visits(&self) -> u64 {
        self.trees.iter().map(|tree| tree.search.visits()).sum()
    }

    fn legal(&mut self, role: Role) -> Vec<Move> {
        let mut legal = Vec::new();
        self.whole.legal(&self.state, role, &mut legal);
        legal
    }

    /// None where the match is over, or the trees do not know its moves.
    fn choice(&mut self) -> Option<Choice> {
        if self.whole.terminal(&self.state) {
            return None;
        }
        let role = self.role;
        let looks: Vec<Result<f64, Choice>> = (self.trees.iter_mut())
            .map(|tree| match tree.end(role) {
                Some(goal) => Some(Ok(goal)),
                None => tree.search.choice().map(Err),
            })
            .collect::<Option<_>>()?;
        let legal = self.legal(role);
        let rated: Option<Vec<(usize, Candidate)>> =
            legal.iter().map(|m| self.candidate(*m, &looks)).collect();
        let mut rated = rated?;
        let order = |a: &(usize, Candidate), b: &(usize, Candidate)| {
            let rest = |(agreed, c): &(usize, Candidate)| (*agreed, c.visits);
            b.1.value.total_cmp(&a.1.value).then(rest(b).cmp(&rest(a)))
        };
        rated.sort_by(order);
        let Candidate { mv, value, proven, visits } = rated.first()?.1;
        let line = self.line(mv, &looks);
        let mut moves: Vec<Candidate> = rated.into_iter().map(|(_, candidate)| candidate).collect();
        moves.sort_by_key(|c| std::cmp::Reverse(c.visits));
        Some(Choice { mv, value, proven, visits, line, moves, factors: self.trees.len() })
    }

    /// What is known of a move by its parts, and how many of these are the choices of their trees.
    fn candidate(&self, mv: Move, looks: &[Result<f64, Choice>]) -> Option<(usize, Candidate)> {
        let (mut expected, mut visits, mut agreed) = (Vec::new(), u64::MAX, 0);
        for (k, look) in looks.iter().enumerate() {
            let choice = match look {
                Ok(goal) => {
                    expected.push(*goal);
                    continue;
                }
                Err(choice) => choice,
            };
            let Some(part) = self.games.part(k, mv) else {
                expected.push(choice.value);
                continue;
            };
            let known = choice.moves.iter().find(|candidate| candidate.mv == part)?;
            // A move that seems better than the choice is not known well enough.
            expected.push(known.value.min(choice.value));
            // Where there is no choice nothing had to be looked at.
            if choice.moves.len() > 1 {
                visits = visits.min(known.visits);
            }
            agreed += (part == choice.mv) as usize;
        }
        let visits = if visits == u64::MAX { 0 } else { visits };
        let value = self.games.worth(self.role, &expected);
        Some((agreed, Candidate { mv, value, proven: false, visits }))
    }

    /// The joint moves that the lines of the trees come to, this move first.
    fn line(&mut self, first: Move, looks: &[Result<f64, Choice>]) -> Vec<Vec<Move>> {
        let (begin, mut line) = (self.state.clone(), Vec::new());
        while line.len() < LONGEST && !self.whole.terminal(&self.state) {
            let step = line.len();
            let wanted =
                |k: usize, role: Role| Some(looks[k].as_ref().err()?.line.get(step)?[role]);
            if step > 0 && (0..looks.len()).all(|k| wanted(k, 0).is_none()) {
                break;
            }
            let mut joint = Vec::new();
            for role in 0..self.whole.roles() {
                let fits = |m: &Move| {
                    let fits = |k: &usize| {
                        wanted(*k, role).is_some_and(|w| self.games.part(*k, *m) == Some(w))
                    };
                    (0..looks.len()).filter(fits).count()
                };
                let mut legal = Vec::new();
                self.whole.legal(&self.state, role, &mut legal);
                let best = legal.into_iter().rev().max_by_key(fits);
                joint.extend(if step == 0 && role == self.role { Some(first) } else { best });
            }
            if joint.len() < self.whole.roles() {
                break;
            }
            self.state = self.whole.next(&self.state, &joint);
            line.push(joint);
        }
        self.state = begin;
        line
    }

    /// False where the factors do not follow.
    fn advance(&mut self, joint: &[Move]) -> bool {
        self.state = self.whole.next(&self.state, joint);
        for (k, tree) in self.trees.iter_mut().enumerate() {
            if tree.machine.terminal(&tree.state) {
                continue;
            }
            let parts = joint.iter().map(|m| self.games.part(k, *m));
            let parts: Vec<Option<Move>> = parts.collect();
            // One of factors that are played one after the other may not have begun.
            if parts.iter().all(Option::is_none) {
                continue;
            }
            let Some(parts) = parts.into_iter().collect::<Option<Vec<Move>>>() else {
                return false;
            };
            let mut legal = Vec::new();
            for (role, part) in parts.iter().enumerate() {
                legal.clear();
                tree.machine.legal(&tree.state, role, &mut legal);
                if !legal.contains(part) {
                    return false;
                }
            }
            tree.state = tree.machine.next(&tree.state, &parts);
            tree.search.advance(&parts);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_knowledge::Knowledge;

    /// Two piles grow by one or two to five; on each one role begins, and who makes the five wins all.
    const PILES: &str = "(role w) (role b) (init (at a 0)) (init (at z 0)) (init (turn a w)) (init (turn z b))
        (other w b) (other b w) (amount 1) (amount 2)
        (sum 0 1 1) (sum 0 2 2) (sum 1 1 2) (sum 1 2 3) (sum 2 1 3) (sum 2 2 4) (sum 3 1 4) (sum 3 2 5)
        (sum 4 1 5) (sum 4 2 5)
        (<= (legal ?r (go ?x ?n)) (true (turn ?x ?r)) (amount ?n))
        (<= (next (at ?x ?m)) (does ?r (go ?x ?n)) (true (at ?x ?k)) (sum ?k ?n ?m))
        (<= (next (turn ?x ?r)) (true (turn ?x ?q)) (other ?q ?r))
        (<= (won ?r) (true (at ?x 5)) (true (turn ?x ?q)) (other ?q ?r))
        (<= terminal (won ?r)) (<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))";

    fn insights() -> (Scalar, Arc<Insights>) {
        let rules = Rules::read(&Source::new("piles", PILES), None).map_err(|r| r.complaints);
        let (knowledge, budget) = (Knowledge::of_rules(rules.unwrap().0), Budget::unlimited());
        let insights = Arc::new(Insights::default());
        insights.gather(&knowledge, &budget).unwrap();
        (Scalar::clone(&knowledge.scalar(&budget).ok().unwrap()), insights)
    }

    #[test]
    fn a_game_in_factors_has_a_tree_for_each() {
        let (mut game, insights) = insights();
        assert!(insights.is_factored());
        let budget = Budget::unlimited();
        let players = [0, 1].map(|role| {
            FactoredMcts::new(game.clone(), role, &Options::default(), insights.clone())
        });
        let (mut players, mut state, mut made) = (players, game.initial(), Vec::new());
        while !game.terminal(&state) {
            let joint = players.iter_mut().map(|player| {
                player.think(2_000, &budget).unwrap();
                let choice = player.choice().unwrap();
                assert_eq!((choice.factors, choice.line[0][player.role]), (2, choice.mv));
                assert!(choice.visits > 0);
                choice.mv
            });
            let joint: Vec<Move> = joint.collect();
            made.push([0, 1].map(|role| game.move_text(role, joint[role])));
            players.iter_mut().for_each(|player| player.advance(&joint));
            state = game.next(&state, &joint);
        }
        // Who begins on a pile leaves three, and both make the five at the same time.
        assert_eq!((made.len(), &made[0]), (3, &["(go a 2)".into(), "(go z 2)".into()]));
        assert_eq!([0, 1].map(|role| game.goal(&state, role)), [Some(100); 2]);
    }

    #[test]
    fn what_is_expected_of_factors_is_put_together_by_the_goal() {
        let (_, insights) = insights();
        let games = insights.factors.get().unwrap();
        for (expected, worth) in [([0.0, 0.0], 0.0), ([100.0, 0.0], 100.0), ([50.0, 50.0], 75.0)] {
            assert!((games.worth(0, &expected) - worth).abs() < 1e-6, "{expected:?}");
        }
    }

    #[test]
    fn searching_apart_can_be_switched_off() {
        let (game, insights) = insights();
        let options = Options { factoring: false, ..Options::default() };
        let mut search = FactoredMcts::new(game, 0, &options, insights);
        search.think(100, &Budget::unlimited()).unwrap();
        assert_eq!(search.choice().unwrap().factors, 0);
    }
}
