//! The start clock -> what a search of the game should use: playouts of which kind, or an evaluation.
//!
//! What wins is found out by matches (`trial.rs`), first between kinds of playouts, then between the best of
//! them and the evaluation that was learned by then. Where time is too short for matches, it is the
//! evaluation where it tells more of what matches come to than playouts do. Whether a game that falls apart is
//! searched factor by factor tell matches, too; then each of them is studied as a game of its own.

use super::LeafWay;
use super::insights::{FactorGames, Insights};
use super::learning::Learning;
use super::trial::{SearchWay, WayTrial};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::sliced::Sliced;
use ludex_machine::{Batch, Scalar, Turns};
use std::sync::Arc;

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Positions to learn from at the most.
    pub positions: u64,
    /// Seconds of the clock that there are in all.
    pub seconds: f64,
}

/// The share of the time for matches between playouts, and between the best of them and the evaluation.
const PLAYOUTS: f64 = 0.2;
const EVALUATION: f64 = 0.35;
/// The share for matches of a search of the factors against that of the whole, and the one in which each factor is
/// studied for the first time, all together.
const APART: f64 = 0.25;
const FACTORS: f64 = 0.6;
/// Positions after which an evaluation is told for the first time; then after twice as many.
const FIRST_TOLD: u64 = 400_000;
/// After so many it is told when this share of the time is over.
const LEAST_TOLD: u64 = 60_000;
const SHARE: f64 = 0.5;
/// An evaluation that foretells no more than this is of no use.
const LEAST_GAIN: f32 = 0.01;
/// One that tells so much more than playouts do is used instead of them.
const BETTER: f32 = 1.2;
/// One that foretells so much is used even where playouts tell a little more, since it takes less time: it must
/// tell this share of what they do.
const MUCH: f32 = 0.15;
const NEARLY: f32 = 0.7;
const SEED: u64 = 1;

impl Insights {
    /// Finds out what to use. It goes on until it is `enough`, and until there is an evaluation.
    pub fn study(
        self: &Arc<Self>,
        study: Study,
        budget: &Budget,
        enough: &Budget,
    ) -> Result<(), Stop> {
        if let Some(games) = self.factors.get() {
            self.compare_factors(games, study, budget, enough);
            if self.is_factored() {
                return Insights::study_factors(games, study, budget, enough);
            }
        }
        let Some((sliced, batch)) = self.sliced.get().zip(self.batch.get()) else { return Ok(()) };
        // Who plays alone is better served by the solver.
        let Some(game) = self.scalar.get().filter(|_| batch.roles() > 1) else { return Ok(()) };
        let (sliced, game) = (&**sliced, &**game);
        Student { insights: self, sliced, batch, game, study, budget, enough }.run()
    }

    /// Finds out whether factors are better searched apart.
    fn compare_factors(
        self: &Arc<Self>,
        games: &FactorGames,
        study: Study,
        budget: &Budget,
        enough: &Budget,
    ) {
        let ways = [SearchWay::Factored, SearchWay::Whole(self.way())];
        let until = budget.seconds() + APART * study.seconds;
        let trial = WayTrial::new(&games.whole, self, ways);
        if let Some(won) = trial.and_then(|mut trial| trial.run([budget, enough], until)) {
            self.use_factors(won == SearchWay::Factored);
        }
    }

    /// Finds out what to use in every factor; then learns more of each.
    fn study_factors(
        games: &FactorGames,
        study: Study,
        budget: &Budget,
        enough: &Budget,
    ) -> Result<(), Stop> {
        let count = games.games.len();
        let seconds = FACTORS * study.seconds / count as f64;
        let part = Study { positions: study.positions / count as u64, seconds };
        for game in &games.games {
            game.insights.study(part, budget, &enough.lasting(seconds))?;
        }
        games.games.iter().try_for_each(|game| game.insights.study(part, budget, enough))
    }
}

struct Student<'a> {
    insights: &'a Arc<Insights>,
    sliced: &'a Sliced,
    batch: &'a Batch,
    game: &'a Scalar,
    study: Study,
    budget: &'a Budget,
    enough: &'a Budget,
}

impl Student<'_> {
    fn run(&self) -> Result<(), Stop> {
        let begun = self.budget.seconds();
        let known = self.insights.take_fit();
        // What was found out in other matches is not asked again.
        let (mut told, mut tried) = match &known {
            Some(fit) => (fit.evaluation.positions, Some(self.insights.way())),
            None => (0, None),
        };
        let playouts = match tried {
            Some(LeafWay::Evaluation) => LeafWay::Playouts,
            Some(way) => way,
            None => self.best_playouts(),
        };
        let mut learning = Learning::new(self.batch.clone(), self.sliced.period(), known, SEED);
        while learning.positions() < self.study.positions
            && (told == 0 || self.enough.check().is_ok())
        {
            learning.advance(self.budget)?;
            let late = self.budget.seconds() - begun > SHARE * self.study.seconds;
            let first = if late { LEAST_TOLD } else { FIRST_TOLD };
            if learning.positions() >= first.max(2 * told) {
                told = learning.positions();
                self.tell(&learning, playouts, &mut tried)?;
            }
        }
        match learning.positions() > told {
            true => self.tell(&learning, playouts, &mut tried),
            false => {
                self.insights.keep_fit(Some(learning.fit()));
                Ok(())
            }
        }
    }

    /// The kind of playouts that wins.
    fn best_playouts(&self) -> LeafWay {
        let at_once = Turns::guess(self.batch.net()).waiting.is_none();
        let mut won = self.insights.way();
        if self.insights.decisive.get().is_some() {
            won = self.trial([LeafWay::Decisive, LeafWay::Playouts], PLAYOUTS).unwrap_or(won);
        }
        if at_once {
            won = self.trial([LeafWay::Single, won], PLAYOUTS).unwrap_or(won);
        }
        self.insights.use_way(won);
        won
    }

    /// Lets searches use what was learned, where it wins; whether it did is asked again where it did not.
    fn tell(
        &self,
        learning: &Learning,
        playouts: LeafWay,
        tried: &mut Option<LeafWay>,
    ) -> Result<(), Stop> {
        let evaluation = learning.evaluation();
        let promising = self.is_promising(learning, evaluation.gain)?;
        let useful = evaluation.gain >= LEAST_GAIN;
        self.insights.use_evaluation(Some(evaluation));
        self.insights.keep_fit(Some(learning.fit()));
        if useful && *tried != Some(LeafWay::Evaluation) {
            let won = self.trial([LeafWay::Evaluation, playouts], EVALUATION);
            *tried = won.or(*tried);
        }
        let way = if promising { LeafWay::Evaluation } else { playouts };
        self.insights.use_way(tried.filter(|_| useful).unwrap_or(way));
        Ok(())
    }

    /// Whether an evaluation tells more of what matches come to than playouts do.
    fn is_promising(&self, learning: &Learning, gain: f32) -> Result<bool, Stop> {
        let (evaluated, played) = learning.compare(self.sliced, self.budget)?;
        let better = evaluated >= BETTER * played && gain >= LEAST_GAIN;
        Ok(better || evaluated >= NEARLY * played && gain >= MUCH)
    }

    fn trial(&self, ways: [LeafWay; 2], share: f64) -> Option<LeafWay> {
        let until = self.budget.seconds() + share * self.study.seconds;
        let trial = WayTrial::new(self.game, self.insights, ways.map(SearchWay::Whole));
        match trial?.run([self.budget, self.enough], until)? {
            SearchWay::Whole(way) => Some(way),
            SearchWay::Factored => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_knowledge::Knowledge;

    #[test]
    fn an_evaluation_is_learned_within_the_budget() {
        let text = include_str!("../../../games/breakthrough-small.gdl");
        let rules = Rules::read(&Source::new("small", text), None).map_err(|r| r.complaints);
        let (knowledge, budget) = (Knowledge::of_rules(rules.unwrap().0), Budget::unlimited());
        let insights = Arc::new(Insights::default());
        insights.gather(&knowledge, &budget).unwrap();
        let study = Study { positions: 70_000, seconds: 1.0 };
        insights.study(study, &budget, &budget).unwrap();
        let evaluation = insights.evaluation().expect("it was learned");
        assert!(evaluation.positions >= 70_000 && evaluation.gain > 0.0);
        // What is not wanted any more is not begun.
        let ended = budget.part();
        ended.stop(Stop::Time);
        let more = Study { positions: 140_000, ..study };
        assert_eq!(insights.study(more, &ended, &budget), Err(Stop::Time));
    }
}
