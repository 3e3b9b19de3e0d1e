//! Matches against itself -> `Evaluation`: learned from nothing but the rules.
//!
//! Hundreds of matches run side by side. At first all moves are random; then each is mostly the one after
//! which the evaluation expects the most for whoever moves, all children of all positions in a few passes
//! of the circuits. What a position is fitted to lies between what the match came to and what is expected
//! later in it (temporal differences). One match in eight is not learned from and tells what the evaluation
//! is worth.

use super::evaluation::{Evaluation, EvaluationFit};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::sliced::Sliced;
use ludex_machine::{Ask, Batch, Looks};
use ludex_reason::{Move, Random, Role};
use std::collections::VecDeque;
use std::ops::Range;

/// Matches that are random throughout.
const RANDOM_MATCHES: u64 = 1_500;
/// At most so many moves of a position are looked at.
const MOST_MOVES: usize = 48;
/// The most random moves that a match begins with, and of how many later moves one is random.
const OPENING: usize = 10;
const RANDOM_OF: usize = 12;
/// Longer matches are not learned from.
const LONGEST: usize = 400;
/// How much of what is expected of a position comes from the end of the match and not from the next one.
const TRACE: f32 = 0.75;
/// Phases that have networks of their own, at the most.
const MOST_PHASES: usize = 4;
/// Playouts from each of them, and their chance.
const PLAYOUTS: usize = 32;
const SEED: u64 = 5;
/// Positions that are learned from together.
const POOL: usize = 20_000;
/// Positions by which the evaluation is compared with playouts.
const COMPARED: usize = 1_500;
/// Of how many matches one is not learned from.
const HELD_OF: u64 = 8;
/// Matches that are not learned from and count for what an evaluation is worth.
const RECENT: f32 = 400.0;
/// So many do not tell what an evaluation is worth that was learned before.
const FEW_HELD: f32 = 30.0;

pub struct Learning {
    batch: Batch,
    /// Matches that began so many steps apart can share a pass.
    period: usize,
    fit: EvaluationFit,
    random: Random,
    matches: Vec<LearningMatch>,
    /// Matches that came to their end.
    pub ended: u64,
    held: Held,
    /// Positions that wait to be learned from, and what they should be worth: those of one match, one after the
    /// other, would draw the evaluation to the end of that one.
    pool: Vec<(Box<[u64]>, usize, Vec<f32>)>,
}

/// A match under way.
struct LearningMatch {
    row: Vec<u64>,
    /// Rows of all positions so far.
    past: Vec<u64>,
    /// How many moves it still begins with at random.
    opening: usize,
}

/// A move that may be made.
#[derive(Clone, Copy)]
struct Continuation {
    of: usize,
    /// Who decides on it; none: nobody does.
    mover: Option<Role>,
}

/// Joint moves that may be made in matches, and where they lead.
#[derive(Default)]
struct Ahead {
    ways: Vec<Continuation>,
    parents: Vec<u32>,
    moves: Vec<Move>,
    next: Vec<u64>,
    looks: Looks,
}

impl Ahead {
    fn push(&mut self, of: usize, mover: Option<Role>, joint: Vec<Move>) {
        self.ways.push(Continuation { of, mover });
        self.parents.push(of as u32);
        self.moves.extend(joint);
    }

    fn joint(&self, place: usize, roles: usize) -> &[Move] {
        &self.moves[place * roles..(place + 1) * roles]
    }

    fn row(&self, place: usize, words: usize) -> &[u64] {
        &self.next[place * words..(place + 1) * words]
    }
}

impl Learning {
    /// `known` was learned before, and is gone on with.
    pub fn new(batch: Batch, period: usize, known: Option<EvaluationFit>, seed: u64) -> Learning {
        let (mut random, phases) = (Random::new(seed), period.min(MOST_PHASES));
        let (bases, roles) = (batch.net().bases.len(), batch.net().roles.len());
        let known = known.filter(|known| known.phases() == phases);
        let ended = if known.is_some() { RANDOM_MATCHES } else { 0 };
        let fit = known.unwrap_or_else(|| EvaluationFit::new(phases, bases, roles, &mut random));
        let lanes = batch.lanes();
        let (matches, pool, held) = (Vec::new(), Vec::new(), Held::default());
        let mut learning = Learning { batch, period, fit, random, matches, ended, held, pool };
        learning.matches = (0..lanes).map(|_| learning.begin()).collect();
        learning
    }

    /// The evaluation as it is now.
    pub fn evaluation(&self) -> Evaluation {
        self.fit().evaluation
    }

    /// The same with all that is needed to go on.
    pub fn fit(&self) -> EvaluationFit {
        let mut fit = self.fit.clone();
        if self.held.count >= FEW_HELD {
            fit.evaluation.gain = self.held.gain();
        }
        fit
    }

    /// How much of what matches came to the evaluation tells, and how much the means of random playouts do: the
    /// squared correlations, over positions that it was not fitted to.
    pub fn compare(&self, sliced: &Sliced, budget: &Budget) -> Result<(f32, f32), Stop> {
        let mut sliced = sliced.clone();
        sliced.bound = LONGEST as u64;
        let group = (sliced.lanes() / PLAYOUTS).min(sliced.leaves());
        let (mut evaluated, mut played) = (Correlation::default(), Correlation::default());
        for phase in 0..self.period {
            let here = self.held.positions.iter().filter(|(_, at, _)| at % self.period == phase);
            let here: Vec<_> = here.collect();
            for some in here.chunks_exact(group) {
                let states: Vec<_> = some.iter().map(|(row, ..)| self.batch.state(row)).collect();
                let states: Vec<_> = states.iter().collect();
                let samples = sliced.sample(SEED ^ phase as u64, phase, &states, budget)?;
                for ((row, at, goals), sample) in some.iter().zip(samples) {
                    let values = self.fit.evaluation.values(row, *at);
                    let means = sample.goals.iter().map(|sum| (sum / 100.0) as f32);
                    for ((value, mean), goal) in values.iter().zip(means).zip(goals) {
                        evaluated.count(*value, *goal);
                        played.count(mean / sample.playouts as f32, *goal);
                    }
                }
            }
        }
        Ok((evaluated.squared(), played.squared()))
    }

    /// Positions learned from.
    pub fn positions(&self) -> u64 {
        self.fit.evaluation.positions
    }

    fn begin(&mut self) -> LearningMatch {
        let opening = match self.ended < RANDOM_MATCHES {
            true => usize::MAX,
            false => self.random.below(OPENING + 1),
        };
        LearningMatch { row: self.batch.initial(), past: Vec::new(), opening }
    }

    /// Makes a move in every match.
    pub fn advance(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.check()?;
        let (words, period, roles) = (self.batch.words(), self.period, self.batch.roles());
        self.matches.sort_by_key(|m| m.past.len() / words % period);
        let rows: Vec<u64> = self.matches.iter().flat_map(|m| m.row.iter().copied()).collect();
        let mut looks = Looks::default();
        self.batch.look(&rows, Ask { legal: true, ..Ask::default() }, &mut looks);
        let mut ahead = Ahead::default();
        for of in 0..self.matches.len() {
            self.continuations(of, &looks, &mut ahead);
        }
        let ask = Ask { goals: true, ..Ask::default() };
        self.follow(&rows, &mut ahead, ask);
        budget.check()?;
        // Where several move at once the moves that seem best are made together.
        let (mut together, mut from) = (Ahead::default(), 0);
        while from < ahead.ways.len() {
            let of = ahead.ways[from].of;
            let count = ahead.ways[from..].iter().take_while(|way| way.of == of).count();
            let mut joint = ahead.joint(from, roles).to_vec();
            let (mut at, mut movers, mut best) = (from, 0, from);
            while at < from + count {
                let mover = ahead.ways[at].mover;
                let same = ahead.ways[at..from + count].iter().take_while(|w| w.mover == mover);
                let same = same.count();
                best = self.best(&ahead, at..at + same);
                if let Some(role) = mover {
                    joint[role] = ahead.joint(best, roles)[role];
                }
                (at, movers) = (at + same, movers + 1);
            }
            match movers {
                1 => self.go_on(of, &ahead, best),
                _ => together.push(of, None, joint),
            }
            from += count;
        }
        if !together.ways.is_empty() {
            self.follow(&rows, &mut together, ask);
            (0..together.ways.len()).for_each(|at| self.go_on(together.ways[at].of, &together, at));
        }
        Ok(())
    }

    fn follow(&mut self, rows: &[u64], ahead: &mut Ahead, ask: Ask) {
        let Ahead { parents, moves, next, looks, .. } = ahead;
        self.batch.follow_and_look(rows, (parents, moves), ask, next, looks);
    }

    /// Lists the moves of a match that are looked at; where they are made at random or by chance, one of them.
    fn continuations(&mut self, of: usize, looks: &Looks, ahead: &mut Ahead) {
        let roles = self.batch.roles();
        if looks.is_stuck(of) {
            self.matches[of] = self.begin();
            return;
        }
        let first: Vec<Move> = (0..roles)
            .map(|role| {
                let legal = looks.legal(of, role);
                legal[self.random.below(legal.len())]
            })
            .collect();
        let at_random = self.matches[of].opening > 0 || self.random.below(RANDOM_OF) == 0;
        self.matches[of].opening = self.matches[of].opening.saturating_sub(1);
        let chance = self.batch.net().chance();
        let mut movers = (0..roles)
            .filter(|role| !at_random && looks.legal(of, *role).len() > 1 && Some(*role) != chance)
            .peekable();
        if movers.peek().is_none() {
            return ahead.push(of, None, first);
        }
        for role in movers {
            let mut legal = looks.legal(of, role).to_vec();
            for place in 0..legal.len().min(MOST_MOVES) {
                let other = place + self.random.below(legal.len() - place);
                legal.swap(place, other);
            }
            for m in legal.into_iter().take(MOST_MOVES) {
                let mut joint = first.clone();
                joint[role] = m;
                ahead.push(of, Some(role), joint);
            }
        }
    }

    /// The continuation that is worth most to the one who moves, of some that are his.
    fn best(&self, ahead: &Ahead, places: Range<usize>) -> usize {
        let Continuation { of, mover } = ahead.ways[places.start];
        let Some(role) = mover else { return places.start };
        let (words, roles, looks) = (self.batch.words(), self.batch.roles(), &ahead.looks);
        let phase = self.matches[of].past.len() / words + 1;
        let worth = |place: usize| match looks.terminal[place] {
            true => looks.goals[place * roles + role].unwrap_or(0) as f32 / 100.0,
            false => self.fit.evaluation.value(ahead.row(place, words), phase, role),
        };
        let worths = places.map(|place| (place, worth(place)));
        worths.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a move").0
    }

    /// Takes a match to one of the positions ahead, or to its end.
    fn go_on(&mut self, of: usize, ahead: &Ahead, place: usize) {
        let (words, roles) = (self.batch.words(), self.batch.roles());
        let there = &mut self.matches[of];
        there.past.extend_from_slice(&there.row);
        there.row.copy_from_slice(ahead.row(place, words));
        if ahead.looks.terminal[place] {
            let goals = ahead.looks.goals[place * roles..][..roles].iter();
            let goals: Vec<f32> = goals.map(|g| g.unwrap_or(0) as f32 / 100.0).collect();
            let past = std::mem::take(&mut there.past);
            self.learn(&past, &goals);
            self.matches[of] = self.begin();
        } else if there.past.len() > LONGEST * self.batch.words() {
            self.matches[of] = self.begin();
        }
    }

    fn learn(&mut self, past: &[u64], goals: &[f32]) {
        let trace = if self.ended < RANDOM_MATCHES { 1.0 } else { TRACE };
        self.ended += 1;
        let rows = past.chunks_exact(self.batch.words()).enumerate().rev();
        if self.ended.is_multiple_of(HELD_OF) {
            let evaluation = &self.fit.evaluation;
            let of = rows.clone().map(|(phase, row)| evaluation.values(row, phase));
            self.held.count(&of.collect::<Vec<_>>(), goals);
            let (phase, row) = rows.clone().nth(self.random.below(rows.len())).expect("a position");
            self.held.keep((row.into(), phase, goals.into()));
            return;
        }
        let mut wanted = goals.to_vec();
        for (phase, row) in rows {
            self.pool.push((row.into(), phase, wanted.clone()));
            let values = self.fit.evaluation.values(row, phase);
            for (wanted, value) in wanted.iter_mut().zip(values) {
                *wanted = trace * *wanted + (1.0 - trace) * value;
            }
        }
        if self.pool.len() >= POOL {
            self.empty_pool();
        }
    }

    /// Fits the evaluation to positions of many matches, one here and one there.
    fn empty_pool(&mut self) {
        let mut pool = std::mem::take(&mut self.pool);
        for place in (1..pool.len()).rev() {
            pool.swap(place, self.random.below(place + 1));
        }
        for (row, phase, wanted) in &pool {
            self.fit.fit(row, *phase, wanted);
        }
    }
}

/// What the evaluation said of matches that it was not fitted to, and what those came to; older ones count
/// less.
#[derive(Default)]
struct Held {
    count: f32,
    /// By role.
    goals: Vec<f32>,
    squares: Vec<f32>,
    /// Squared errors of all roles.
    errors: f32,
    /// One of each of the last matches.
    positions: VecDeque<HeldPosition>,
}

/// A position, its phase, and what the match came to.
type HeldPosition = (Box<[u64]>, usize, Box<[f32]>);

impl Held {
    fn count(&mut self, values: &[Vec<f32>], goals: &[f32]) {
        let keep = 1.0 - 1.0 / RECENT;
        self.goals.resize(goals.len(), 0.0);
        self.squares.resize(goals.len(), 0.0);
        self.count = self.count * keep + 1.0;
        for (role, goal) in goals.iter().enumerate() {
            self.goals[role] = self.goals[role] * keep + goal;
            self.squares[role] = self.squares[role] * keep + goal * goal;
        }
        let error = |values: &Vec<f32>| -> f32 {
            values.iter().zip(goals).map(|(value, goal)| (value - goal) * (value - goal)).sum()
        };
        let mean = values.iter().map(error).sum::<f32>() / values.len().max(1) as f32;
        self.errors = self.errors * keep + mean;
    }

    fn keep(&mut self, position: HeldPosition) {
        self.positions.push_back(position);
        if self.positions.len() > COMPARED {
            self.positions.pop_front();
        }
    }

    fn gain(&self) -> f32 {
        let scatter = |(sum, squares): (&f32, &f32)| squares - sum * sum / self.count.max(1.0);
        let scatter: f32 = self.goals.iter().zip(&self.squares).map(scatter).sum();
        if scatter > 0.0 { 1.0 - self.errors / scatter } else { 0.0 }
    }
}

/// How well one number tells another, over many pairs.
#[derive(Default)]
struct Correlation {
    count: f64,
    sums: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Correlation {
    fn count(&mut self, a: f32, b: f32) {
        let (a, b) = (a as f64, b as f64);
        self.count += 1.0;
        self.sums = (self.sums.0 + a, self.sums.1 + b);
        self.squares = (self.squares.0 + a * a, self.squares.1 + b * b);
        self.products += a * b;
    }

    /// The squared correlation; 0 where they fall together.
    fn squared(&self) -> f32 {
        let n = self.count.max(1.0);
        let both = self.products - self.sums.0 * self.sums.1 / n;
        let scatter = |sum: f64, squares: f64| (squares - sum * sum / n).max(1e-9);
        let (a, b) = (scatter(self.sums.0, self.squares.0), scatter(self.sums.1, self.squares.1));
        if both > 0.0 { (both * both / (a * b)) as f32 } else { 0.0 }
    }
}

/// An evaluation that has not learned anything.
#[cfg(test)]
pub(crate) fn untaught(insights: &crate::Insights) -> Evaluation {
    let batch = insights.batch.get().expect("a net");
    Learning::new(batch.clone(), 1, None, 1).evaluation()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_net::{Net, ground::Ground};

    /// The first role takes one of two sides, of which one wins when a few idle turns are over.
    const SIDES: &str =
        "(role a) (role b) (init (turn 0)) (init (control a)) (side left) (side right)
        (++ 0 1) (++ 1 2) (++ 2 3) (++ 3 4) (++ 4 5) (idle x) (idle y)
        (<= (legal a (take ?s)) (true (turn 0)) (side ?s))
        (<= (legal ?r (wait ?x)) (true (control ?r)) (idle ?x) (not (true (turn 0))))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (turn ?m)) (true (turn ?n)) (++ ?n ?m))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next (took ?s)) (does a (take ?s))) (<= (next (took ?s)) (true (took ?s)))
        (<= terminal (true (turn 5)))
        (<= (goal a 100) (true (took left))) (<= (goal a 0) (true (took right)))
        (<= (goal b 0) (true (took left))) (<= (goal b 100) (true (took right)))";

    #[test]
    fn what_decides_a_match_is_learned() {
        let budget = Budget::unlimited();
        let rules = Rules::read(&Source::new("sides", SIDES), None).map_err(|r| r.complaints);
        let ground = Ground::new(&rules.unwrap().0, &budget).unwrap();
        let batch = Batch::new(Net::new(&ground, &budget).unwrap().into(), &budget).unwrap();
        let (mut looks, mut next, row) = (Looks::default(), Vec::new(), batch.initial());
        let mut asked = batch.clone();
        asked.look(&row, Ask { legal: true, ..Ask::default() }, &mut looks);
        let (mut parents, mut moves) = (Vec::new(), Vec::new());
        looks.joints(0, &mut parents, &mut moves);
        asked.follow(&row, &parents, &moves, &mut next);
        let mut learning = Learning::new(batch, 2, None, 1);
        while learning.positions() < 60_000 {
            learning.advance(&budget).unwrap();
        }
        let evaluation = learning.evaluation();
        assert!(evaluation.gain > 0.3, "{}", evaluation.gain);
        // The second role is to move, and one of the sides has won.
        let mut values: Vec<f32> =
            next.chunks_exact(asked.words()).map(|row| evaluation.value(row, 1, 0)).collect();
        values.sort_by(f32::total_cmp);
        assert!(values.len() == 2 && values[0] < 0.2 && values[1] > 0.8, "{values:?}");
    }
}
