//! `Evaluation`: the facts of a state -> the goal that each role can expect.
//!
//! A small network over the facts of a state: a weight for each fact and role (material, pieces on squares),
//! and a layer of units that see facts together. `EvaluationFit` fits it to what positions came to, one after
//! the other, by gradients with a step of its own for every weight (Adagrad).

use ludex_reason::{Random, Role};
use ludex_symmetry::same::CanonicalOrder;

/// Units of the layer: a multiple of what processors add at once.
const UNITS: usize = 32;
type Units = [f32; UNITS];

/// How far a gradient goes.
const STEP: f32 = 0.02;
/// What gradients are taken to have come to before the first one, squared.
const BEFORE: f32 = 0.1;
/// First weights of the units are at most this far from 0.
const FIRST: f32 = 0.15;

/// A network for each phase of the game, since the same facts mean something else to whoever is to move.
#[derive(Clone, Debug)]
pub struct Evaluation {
    phases: Vec<PhaseNetwork>,
    /// How much better than their mean it foretold what matches came to that it was not fitted to: 1 less
    /// the ratio of the squared errors.
    pub gain: f32,
    /// Positions that it was fitted to.
    pub positions: u64,
}

#[derive(Clone, Debug)]
struct PhaseNetwork {
    /// By fact.
    into: Vec<Units>,
    bias: Units,
    outputs: Vec<RoleOutput>,
}

/// What a role can expect.
#[derive(Clone, Debug)]
struct RoleOutput {
    /// By fact.
    direct: Vec<f32>,
    units: Units,
    offset: f32,
}

impl Evaluation {
    fn new(phases: usize, bases: usize, roles: usize, random: &mut Random) -> Evaluation {
        let phases = (0..phases).map(|_| PhaseNetwork::new(bases, roles, random)).collect();
        Evaluation { phases, gain: 0.0, positions: 0 }
    }

    /// What a role can expect in the state of a row, between 0 and 1. The phase of a state is the number of steps
    /// to it, of so many as there are phases.
    pub fn value(&self, row: &[u64], phase: usize, role: Role) -> f32 {
        self.phases[phase % self.phases.len()].value(row, role)
    }

    /// The same for all roles.
    pub fn values(&self, row: &[u64], phase: usize) -> Vec<f32> {
        self.phases[phase % self.phases.len()].values(row)
    }
}

impl PhaseNetwork {
    fn new(bases: usize, roles: usize, random: &mut Random) -> PhaseNetwork {
        let mut weight = || (random.below(2001) as f32 / 1000.0 - 1.0) * FIRST;
        let into = (0..bases).map(|_| std::array::from_fn(|_| weight())).collect();
        let outputs = (0..roles).map(|_| RoleOutput {
            direct: vec![0.0; bases],
            units: std::array::from_fn(|_| weight()),
            offset: 0.0,
        });
        let outputs = outputs.collect();
        PhaseNetwork { into, bias: [0.1; UNITS], outputs }
    }

    fn value(&self, row: &[u64], role: Role) -> f32 {
        let (mut units, mut direct) = (self.bias, 0.0);
        let output = &self.outputs[role];
        facts(row, |fact| {
            add(&mut units, &self.into[fact]);
            direct += output.direct[fact];
        });
        output.expect(&lit(&units), direct)
    }

    fn values(&self, row: &[u64]) -> Vec<f32> {
        let units = lit(&self.sums(row));
        let value = |output: &RoleOutput| {
            let mut direct = 0.0;
            facts(row, |fact| direct += output.direct[fact]);
            output.expect(&units, direct)
        };
        self.outputs.iter().map(value).collect()
    }

    fn sums(&self, row: &[u64]) -> Units {
        let mut units = self.bias;
        facts(row, |fact| add(&mut units, &self.into[fact]));
        units
    }
}

impl RoleOutput {
    fn expect(&self, lit: &Units, direct: f32) -> f32 {
        let seen: f32 = self.units.iter().zip(lit).map(|(weight, unit)| weight * unit).sum();
        1.0 / (1.0 + (-(self.offset + direct + seen)).exp())
    }
}

/// Calls with every fact of a row.
fn facts(row: &[u64], mut with: impl FnMut(usize)) {
    for (place, word) in row.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            with(place * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

fn add(units: &mut Units, more: &Units) {
    units.iter_mut().zip(more).for_each(|(unit, more)| *unit += more);
}

fn lit(units: &Units) -> Units {
    units.map(|unit| unit.max(0.0))
}

/// An evaluation that is being fitted.
#[derive(Clone, Debug)]
pub struct EvaluationFit {
    pub evaluation: Evaluation,
    /// Squares of the gradients of every weight.
    squares: Vec<PhaseNetwork>,
}

impl EvaluationFit {
    pub fn new(phases: usize, bases: usize, roles: usize, random: &mut Random) -> EvaluationFit {
        let evaluation = Evaluation::new(phases, bases, roles, random);
        let mut squares = evaluation.phases.clone();
        for network in &mut squares {
            network.into.fill([BEFORE; UNITS]);
            network.bias = [BEFORE; UNITS];
            for output in &mut network.outputs {
                output.direct.fill(BEFORE);
                (output.units, output.offset) = ([BEFORE; UNITS], BEFORE);
            }
        }
        EvaluationFit { evaluation, squares }
    }

    /// An evaluation of which nothing is known but its shape, for weights that are known.
    pub fn blank(phases: usize, order: &CanonicalOrder) -> EvaluationFit {
        let (bases, roles) = (order.bases.len(), order.roles.len());
        EvaluationFit::new(phases, bases, roles, &mut Random::new(0))
    }

    pub fn phases(&self) -> usize {
        self.squares.len()
    }

    /// Calls with every weight, and with what its gradients came to, in the order of the game's facts and roles.
    pub fn visit(&mut self, order: &CanonicalOrder, visit: &mut dyn FnMut(&mut f32)) {
        let own = |ranks: &[u32]| {
            let mut own = vec![0; ranks.len()];
            ranks.iter().enumerate().for_each(|(place, rank)| own[*rank as usize] = place);
            own
        };
        let (bases, roles) = (own(&order.bases), own(&order.roles));
        for network in self.evaluation.phases.iter_mut().chain(&mut self.squares) {
            bases.iter().for_each(|base| network.into[*base].iter_mut().for_each(&mut *visit));
            network.bias.iter_mut().for_each(&mut *visit);
            for output in roles.iter() {
                let output = &mut network.outputs[*output];
                bases.iter().for_each(|base| visit(&mut output.direct[*base]));
                output.units.iter_mut().for_each(&mut *visit);
                visit(&mut output.offset);
            }
        }
    }

    /// Draws the values of a state nearer to what they should be, by role.
    pub fn fit(&mut self, row: &[u64], phase: usize, wanted: &[f32]) {
        let place = phase % self.squares.len();
        let (network, squared) = (&mut self.evaluation.phases[place], &mut self.squares[place]);
        let values = network.values(row);
        let sums = network.sums(row);
        let units = lit(&sums);
        let mut back = [0.0; UNITS];
        for (role, (value, wanted)) in values.iter().zip(wanted).enumerate() {
            let error = value - wanted;
            let (output, squares) = (&mut network.outputs[role], &mut squared.outputs[role]);
            for (back, weight) in back.iter_mut().zip(&output.units) {
                *back += error * weight;
            }
            let slopes = units.map(|unit| error * unit);
            descend(&mut output.units, &mut squares.units, &slopes);
            step(&mut output.offset, &mut squares.offset, error);
            facts(row, |fact| step(&mut output.direct[fact], &mut squares.direct[fact], error));
        }
        let live: Units = std::array::from_fn(|u| if sums[u] > 0.0 { back[u] } else { 0.0 });
        descend(&mut network.bias, &mut squared.bias, &live);
        let (into, squares) = (&mut network.into, &mut squared.into);
        facts(row, |fact| descend(&mut into[fact], &mut squares[fact], &live));
        self.evaluation.positions += 1;
    }
}

fn descend(weights: &mut Units, squares: &mut Units, slopes: &Units) {
    for u in 0..UNITS {
        squares[u] += slopes[u] * slopes[u];
        weights[u] -= STEP * slopes[u] / squares[u].sqrt();
    }
}

fn step(weight: &mut f32, square: &mut f32, slope: f32) {
    *square += slope * slope;
    *weight -= STEP * slope / square.sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two facts of which exactly one must hold: no sum of weights tells that.
    #[test]
    fn facts_are_seen_together() {
        let mut random = Random::new(3);
        let mut fit = EvaluationFit::new(1, 70, 2, &mut random);
        let wanted = |row: &[u64]| ((row[0] & 1) ^ (row[1] >> 2 & 1)) as f32;
        let rows: Vec<[u64; 2]> = (0..4).map(|n| [n & 1, (n >> 1) << 2]).collect();
        for _ in 0..20_000 {
            let row = rows[random.below(4)];
            fit.fit(&row, 0, &[wanted(&row), 1.0 - wanted(&row)]);
        }
        for row in rows {
            let values = fit.evaluation.values(&row, 0);
            assert!((values[0] - wanted(&row)).abs() < 0.2, "{row:?} {values:?}");
            assert!((values[0] + values[1] - 1.0).abs() < 0.2);
            assert_eq!(values[1], fit.evaluation.value(&row, 0, 1));
        }
    }
}
