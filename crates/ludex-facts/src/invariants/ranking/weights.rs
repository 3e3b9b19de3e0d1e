//! Weights of facts by linear programming, from changes with which their sum must fall.

use super::{AT_ONCE, WeightChange, Weights, sum};
use ludex_gdl::budget::{Budget, Stop};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Of one linear program.
const LONGEST: Duration = Duration::from_secs(2);
/// Weights are whole numbers after a multiplication by at most this.
const SCALE: i64 = 12;

/// Small weights whose sum falls with every change.
pub(super) fn falling(changes: &[&WeightChange], budget: &Budget) -> Result<Option<Weights>, Stop> {
    let mut active: Vec<usize> = (0..changes.len().min(AT_ONCE)).collect();
    loop {
        budget.check()?;
        let mut program = LinearProgram::new(OptimizationDirection::Minimize, 1.0);
        for at in &active {
            program.limit(changes[*at], None);
        }
        let Some(weights) = program.solved(|w| active.iter().all(|at| sum(w, changes[*at]) < 0))
        else {
            return Ok(None);
        };
        let wrong = (0..changes.len()).filter(|at| sum(&weights, changes[*at]) >= 0);
        let wrong: Vec<usize> = wrong.take(AT_ONCE).collect();
        if wrong.is_empty() {
            return Ok(Some(weights));
        }
        active.extend(wrong);
    }
}

/// Weights whose sum rises with no change, and falls with as many as possible.
pub(super) fn not_rising(
    changes: &[&WeightChange],
    budget: &Budget,
) -> Result<Option<Weights>, Stop> {
    budget.check()?;
    let mut program = LinearProgram::new(OptimizationDirection::Maximize, -1e-4);
    for change in changes {
        let falls = program.problem.add_var(1.0, (0.0, 1.0));
        program.limit(change, Some(falls));
    }
    let fits = |w: &Weights| changes.iter().all(|change| sum(w, change) <= 0);
    Ok(program.solved(fits).filter(|w| w.values().any(|v| *v != 0)))
}

/// A linear program for weights: each is the difference of two variables that are not negative.
struct LinearProgram {
    problem: Problem,
    cost: f64,
    weights: FxHashMap<usize, [Variable; 2]>,
}

impl LinearProgram {
    fn new(direction: OptimizationDirection, cost: f64) -> LinearProgram {
        let mut problem = Problem::new(direction);
        problem.set_time_limit(LONGEST);
        LinearProgram { problem, cost, weights: FxHashMap::default() }
    }

    /// The sum falls by one with this change, or by what another variable says.
    fn limit(&mut self, change: &WeightChange, by: Option<Variable>) {
        let mut row = Vec::new();
        for (b, d) in change {
            let cost = self.cost;
            let (problem, weights) = (&mut self.problem, &mut self.weights);
            let new = || [0; 2].map(|_| problem.add_var(cost, (0.0, 1e4)));
            let [plus, minus] = *weights.entry(*b).or_insert_with(new);
            row.extend([(plus, *d as f64), (minus, -*d as f64)]);
        }
        row.extend(by.map(|by| (by, 1.0)));
        let most = if by.is_some() { 0.0 } else { -1.0 };
        self.problem.add_constraint(&row[..], ComparisonOp::Le, most);
    }

    /// Whole numbers that fit.
    fn solved(&self, fits: impl Fn(&Weights) -> bool) -> Option<Weights> {
        let Ok(SolveOutcome::Solution(solution)) = self.problem.solve() else { return None };
        let scaled = |scale: i64| -> Weights {
            let value = |[plus, minus]: &[Variable; 2]| solution[*plus] - solution[*minus];
            let whole = |v: f64| (v * scale as f64).round() as i64;
            self.weights.iter().map(|(b, vars)| (*b, whole(value(vars)))).collect()
        };
        (1..=SCALE).map(scaled).find(fits)
    }
}
