//! Short matches of a search against itself -> which of two ways to search wins more.
//!
//! Both ways have the same time for a move: how many iterations that is comes from a clock as the trial goes
//! on. Each opening, a few random moves, is played twice with sides swapped. The trial ends as soon as it is
//! clear who wins, or with its budget.

use super::factored::FactoredMcts;
use super::{Insights, LeafWay, Options, Searcher};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_reason::{Move, Random, Role, StateMachine, chance};
use std::sync::Arc;

/// Seconds for a move.
const SECONDS: f64 = 0.012;
/// Iterations for a move at first, where nothing is known of their time, and at least.
const FIRST: f64 = 200.0;
const FEWEST: f64 = 40.0;
/// The most random moves that a match begins with.
const OPENING: usize = 6;
/// Longer matches are drawn.
const LONGEST: usize = 300;
/// Pairs of matches, at least for an answer before time is up, and at the most.
const LEAST: usize = 3;
const MOST: usize = 12;
/// Standard errors from nothing at which it is clear who wins, and at the end of the time.
const CLEAR: f64 = 2.0;
const LIKELY: f64 = 1.0;
/// States that each of the searches keeps.
const NODES: usize = 20_000;
const SEED: u64 = 77;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchWay {
    /// The game as a whole, what new states are worth told in this way.
    Whole(LeafWay),
    /// Its factors apart.
    Factored,
}

/// Two ways and what they came to.
pub struct WayTrial<'a> {
    game: Scalar,
    insights: &'a Arc<Insights>,
    ways: [SearchWay; 2],
    /// By way: iterations and their seconds.
    spent: [(f64, f64); 2],
    /// By pair of matches, what the first way got more than the second, from -1 to 1.
    pairs: Vec<f64>,
}

impl WayTrial<'_> {
    /// A trial of a game in which two roles play, whatever chance does.
    pub fn new<'a>(
        game: &Scalar,
        insights: &'a Arc<Insights>,
        ways: [SearchWay; 2],
    ) -> Option<WayTrial<'a>> {
        let players = (0..game.roles()).filter(|role| Some(*role) != chance(game)).count();
        let (game, spent, pairs) = (game.clone(), [(0.0, 0.0); 2], Vec::new());
        (players == 2).then_some(WayTrial { game, insights, ways, spent, pairs })
    }

    /// Plays until it is clear which way wins, or until a budget or the time ends. The way that won, if one did.
    pub fn run(&mut self, budgets: [&Budget; 2], until: f64) -> Option<SearchWay> {
        while self.pairs.len() < MOST && self.winner(CLEAR, LEAST).is_none() {
            let seed = SEED + self.pairs.len() as u64;
            let scores = [0, 1].map(|first| self.play(first, seed, (budgets, until)));
            let [Ok(one), Ok(other)] = scores else { break };
            self.pairs.push((one + other) / 2.0);
        }
        self.winner(LIKELY, 1).map(|winner| self.ways[winner])
    }

    /// Which way is so many standard errors ahead after at least so many pairs.
    fn winner(&self, errors: f64, least: usize) -> Option<usize> {
        let count = self.pairs.len() as f64;
        if self.pairs.len() < least {
            return None;
        }
        let mean = self.pairs.iter().sum::<f64>() / count;
        let scatter: f64 = self.pairs.iter().map(|pair| (pair - mean) * (pair - mean)).sum();
        // As if one pair had been won and lost as well: few are no proof.
        let error = ((scatter + 1.0) / count / count).sqrt();
        (mean.abs() > errors * error).then_some((mean < 0.0) as usize)
    }

    /// A match in which the first way plays the player of this number; what it got more than the other.
    fn play(
        &mut self,
        first: usize,
        seed: u64,
        (budgets, until): ([&Budget; 2], f64),
    ) -> Result<f64, Stop> {
        let chance = chance(&self.game);
        let players: Vec<Role> = (0..self.game.roles()).filter(|r| Some(*r) != chance).collect();
        let way = |role: Role| match Some(role) == chance {
            true => None,
            false => Some((role != players[first]) as usize),
        };
        let mut searches: Vec<Option<FactoredMcts<Scalar>>> =
            (0..self.game.roles()).map(|role| Some(self.search(role, way(role)?, seed))).collect();
        let mut random = Random::new(seed);
        let opening = random.below(OPENING + 1);
        let mut state = self.game.initial();
        for step in 0..LONGEST {
            budgets.iter().try_for_each(|budget| budget.check())?;
            if budgets[0].seconds() > until {
                return Err(Stop::Time);
            }
            if self.game.terminal(&state) {
                break;
            }
            let mut joint = Vec::new();
            for (role, search) in searches.iter_mut().enumerate() {
                let legal = self.legal(&state, role);
                if legal.is_empty() {
                    return Ok(0.0);
                }
                let drawn = legal[random.below(legal.len())];
                let search = search.as_mut().filter(|_| step >= opening && legal.len() > 1);
                joint.push(match search.zip(way(role)) {
                    Some((search, way)) => self.think(search, way, budgets[1])?.unwrap_or(drawn),
                    None => drawn,
                });
            }
            state = self.game.next(&state, &joint);
            searches.iter_mut().flatten().for_each(|search| search.advance(&joint));
        }
        if !self.game.terminal(&state) {
            return Ok(0.0);
        }
        let goal = |game: &mut Scalar, player: usize| {
            game.goal(&state, players[player]).unwrap_or(0) as f64 / 100.0
        };
        Ok(goal(&mut self.game, first) - goal(&mut self.game, 1 - first))
    }

    fn legal(&mut self, state: &State, role: Role) -> Vec<Move> {
        let mut legal = Vec::new();
        self.game.legal(state, role, &mut legal);
        legal
    }

    fn search(&self, role: Role, way: usize, seed: u64) -> FactoredMcts<Scalar> {
        let (way, factored) = match self.ways[way] {
            SearchWay::Whole(way) => (Some(way), Some(false)),
            SearchWay::Factored => (None, Some(true)),
        };
        let seed = seed + role as u64;
        let options = Options { way, factored, nodes: NODES, seed, ..Options::default() };
        FactoredMcts::new(self.game.clone(), role, &options, self.insights.clone())
    }

    /// A move of a way, for which it has as much time as the other one.
    fn think(
        &mut self,
        search: &mut FactoredMcts<Scalar>,
        way: usize,
        budget: &Budget,
    ) -> Result<Option<Move>, Stop> {
        let (iterations, seconds) = self.spent[way];
        let wished = if seconds > 0.0 { SECONDS * iterations / seconds } else { FIRST };
        let wished = wished.max(FEWEST).round();
        let (before, begun) = (search.visits(), budget.seconds());
        search.think(wished as u64, budget)?;
        let made = search.visits().saturating_sub(before) as f64;
        self.spent[way] = (iterations + made, seconds + budget.seconds() - begun);
        Ok(search.choice().map(|choice| choice.mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_knowledge::Knowledge;

    #[test]
    fn who_sees_more_is_found_out() {
        let text = include_str!("../../../games/connectfour.kif");
        let rules = Rules::read(&Source::new("connectfour", text), None).map_err(|r| r.complaints);
        let (knowledge, budget) = (Knowledge::of_rules(rules.unwrap().0), Budget::unlimited());
        let insights = Arc::new(Insights::default());
        insights.gather(&knowledge, &budget).unwrap();
        let game = knowledge.scalar(&budget).ok().unwrap();
        insights.use_evaluation(Some(crate::learning::untaught(&insights)));
        // With as many iterations each, since the clock stands still.
        let ways = [LeafWay::Evaluation, LeafWay::Playouts].map(SearchWay::Whole);
        let mut trial = WayTrial::new(&game, &insights, ways).unwrap();
        assert_eq!(trial.run([&budget; 2], f64::INFINITY), Some(ways[1]));
        assert!(trial.pairs.len() >= LEAST && trial.spent[0].0 > 0.0);
        let stopped = budget.part();
        stopped.stop(Stop::Time);
        let mut trial = WayTrial::new(&game, &insights, ways).unwrap();
        assert_eq!(trial.run([&budget, &stopped], f64::INFINITY), None);
    }
}
