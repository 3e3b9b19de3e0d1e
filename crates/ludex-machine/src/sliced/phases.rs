//! `Net` -> `Phases`: base propositions that are known at every step with the same remainder.
//!
//! Where the same role moves at every even step, `control` is known at each step of every playout,
//! and with it what only one role can bring about. The period comes from a simulation with three
//! values in which moves are unknown; what is known in each phase is the least fixpoint, in the same
//! three values, of the steps from the initial state.

use ludex_net::{KnownGates, Net};

/// The longest period that is looked for.
const LONGEST: usize = 8;
/// Gates looked at before the search for reachable values is cut short.
const WORK: usize = 100_000_000;
/// Steps simulated to find candidates.
const STEPS: usize = 3 * LONGEST;

#[derive(Clone, Debug)]
pub struct Phases {
    /// For every phase the known values of the bases. A state after `t` steps is in phase
    /// `t % values.len()`.
    pub values: Vec<Vec<Option<bool>>>,
}

impl Phases {
    /// One phase in which nothing is known.
    #[cfg(test)]
    pub fn none(net: &Net) -> Phases {
        Phases { values: vec![vec![None; net.bases.len()]] }
    }

    pub fn find(net: &Net) -> Phases {
        let trace = simulate(net);
        let periods: Vec<Option<usize>> =
            (0..net.bases.len()).map(|base| shortest_period(&trace, base)).collect();
        let mut period = 1;
        for p in 1..=LONGEST {
            let common = period / gcd(period, p) * p;
            if common <= LONGEST && periods.contains(&Some(p)) {
                period = common;
            }
        }
        Phases { values: reachable(net, period, &periods) }.shortened()
    }

    pub fn period(&self) -> usize {
        self.values.len()
    }

    /// The phase that a state with these bases can be in.
    pub fn phase_of(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        self.values.iter().position(|phase| {
            phase.iter().enumerate().all(|(base, value)| value.is_none_or(|v| v == holds(base)))
        })
    }

    /// The same with the shortest period that the values still have.
    fn shortened(mut self) -> Phases {
        let n = self.values.len();
        let repeats = |p: usize| (p..n).all(|t| self.values[t] == self.values[t - p]);
        let period = (1..=n).find(|p| n.is_multiple_of(*p) && repeats(*p)).unwrap_or(n);
        self.values.truncate(period);
        self
    }
}

/// Bases of the first steps, as far as they are the same in every playout.
fn simulate(net: &Net) -> Vec<Vec<Option<bool>>> {
    let mut trace = vec![net.bases.iter().map(|b| Some(b.initial)).collect::<Vec<_>>()];
    for t in 1..STEPS {
        trace.push(step(net, &trace[t - 1]));
    }
    trace
}

fn shortest_period(trace: &[Vec<Option<bool>>], base: usize) -> Option<usize> {
    (1..=LONGEST).find(|p| {
        trace.iter().all(|state| state[base].is_some())
            && (*p..trace.len()).all(|t| trace[t][base] == trace[t - p][base])
    })
}

/// What is known of the bases in every phase: from the initial state on, whatever follows is joined
/// to the phase it falls in, until nothing changes. After too many rounds everything but periodic
/// bases counts as unknown.
fn reachable(net: &Net, period: usize, periods: &[Option<usize>]) -> Vec<Vec<Option<bool>>> {
    let initial: Vec<Option<bool>> = net.bases.iter().map(|base| Some(base.initial)).collect();
    let mut values: Vec<Option<Vec<Option<bool>>>> = vec![None; period];
    values[0] = Some(initial);
    let (mut phase, mut unchanged) = (0, 0);
    let mut rounds = WORK / net.gates.len().max(1);
    while unchanged < period {
        let from = values[phase].as_mut().expect("phases follow each other");
        if rounds == 0 {
            let aperiodic = from.iter_mut().zip(periods).filter(|(_, p)| p.is_none());
            aperiodic.for_each(|(value, _)| *value = None);
        }
        let after = step(net, from);
        phase = (phase + 1) % period;
        unchanged = if join(&mut values[phase], after) { 0 } else { unchanged + 1 };
        rounds = rounds.saturating_sub(1);
    }
    values.into_iter().map(|phase| phase.expect("all were reached")).collect()
}

/// Forgets what differs, and says whether anything did.
fn join(values: &mut Option<Vec<Option<bool>>>, more: Vec<Option<bool>>) -> bool {
    let Some(values) = values else {
        *values = Some(more);
        return true;
    };
    let mut changed = false;
    for (value, other) in values.iter_mut().zip(more) {
        if value.is_some() && *value != other {
            (*value, changed) = (None, true);
        }
    }
    changed
}

/// What is known of the bases after one step from a state of which `bases` are known.
fn step(net: &Net, bases: &[Option<bool>]) -> Vec<Option<bool>> {
    let mut inputs = vec![None; net.inputs.len()];
    let known = KnownGates::new(net, bases, &inputs);
    let legal = |i: &usize| known.of(net.inputs[*i].legal).may;
    for role in 0..net.roles.len() {
        let mut open = net.inputs_of(role).filter(legal);
        if let (Some(only), None) = (open.next(), open.next()) {
            inputs[only] = Some(true);
        }
    }
    (0..inputs.len()).filter(|i| !legal(i)).for_each(|i| inputs[i] = Some(false));
    let known = KnownGates::new(net, bases, &inputs);
    net.bases.iter().map(|base| known.value(base.next)).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
