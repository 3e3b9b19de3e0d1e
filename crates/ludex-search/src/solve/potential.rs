//! `Potential`: the goals that are still possible in a state, by facts that keep their value (latches,
//! paper 003).
//!
//! The conditions of the goals are evaluated with three values: a fact that is a latch and has its final
//! value is known, all others are open. What is certain or impossible then is so at every later end.
//! Every role is taken to have exactly one goal value there.

use super::scale::Scale;
use ludex_facts::latches::Latches;
use ludex_machine::State;
use ludex_net::{Gate, Known, Lit, Net};
use ludex_reason::Role;

#[derive(Clone)]
pub struct Potential {
    /// The bases that latch as true, and as false, as bits.
    rising: State,
    falling: State,
    /// The gates that goals depend on, in order, and where the goals of both roles stand among them.
    gates: Vec<PotentialCone>,
    goals: Vec<Vec<(i32, usize, bool)>>,
    /// What is known of every gate.
    values: Vec<Known>,
    scale: Scale,
    asked: u64,
    useful: u64,
}

#[derive(Clone)]
enum PotentialCone {
    Base(usize),
    /// Anything may be: part of a recursive component.
    Open,
    And((usize, bool), (usize, bool)),
    Or((usize, bool), (usize, bool)),
    False,
}

/// Questions after which it is seen whether they help, and the share that must.
const TRIAL: u64 = 20_000;
const SHARE: u64 = 8;

impl Potential {
    /// None where no goal depends on a latch.
    pub fn new(latches: &Latches, scale: &Scale, role: Role) -> Option<Potential> {
        let net = &latches.net;
        let mask = |list: &[usize]| {
            let mut latch = vec![false; net.bases.len()];
            list.iter().for_each(|b| latch[*b] = true);
            State::of(latch)
        };
        let (rising, falling) = (mask(&latches.positive), mask(&latches.negative));
        let mut cone = PotentialBuilder { net, place: vec![None; net.gates.len()], gates: vec![] };
        let mut roles = vec![role];
        if !scale.alone {
            roles.push(1 - role);
        }
        let goals = roles.iter().map(|r| {
            let goal = |(v, l): &(i32, Lit)| (*v, cone.add(l.gate()), l.negated());
            net.goals[*r].iter().map(goal).collect()
        });
        let goals: Vec<Vec<(i32, usize, bool)>> = goals.collect();
        let gates = cone.gates;
        let latched = |g: &PotentialCone| match g {
            PotentialCone::Base(b) => rising.holds(*b) || falling.holds(*b),
            _ => false,
        };
        gates.iter().any(latched).then(|| Potential {
            rising: rising.clone(),
            falling: falling.clone(),
            values: vec![Known::OPEN; gates.len()],
            gates,
            goals,
            scale: scale.clone(),
            asked: 0,
            useful: 0,
        })
    }

    /// The least and the greatest rank that an end after this state can have. None when asking has
    /// turned out not to help.
    pub fn ranks(&mut self, row: &[u64]) -> Option<(u8, u8)> {
        if self.asked > TRIAL && self.useful * SHARE < self.asked {
            return None;
        }
        self.asked += 1;
        self.evaluate(row);
        let possible: Vec<u8> =
            (0..=self.scale.best()).filter(|r| self.is_possible(*r as usize)).collect();
        let all = (0, self.scale.best());
        Some(possible.first().copied().zip(possible.last().copied()).unwrap_or(all))
    }

    /// Notes that the ranks of a state decided what to do with it.
    pub fn helped(&mut self) {
        self.useful += 1;
    }

    fn evaluate(&mut self, row: &[u64]) {
        for (g, cone) in self.gates.iter().enumerate() {
            let of = |(g, negated): (usize, bool)| self.values[g].negated_if(negated);
            self.values[g] = match cone {
                PotentialCone::False => Known::FALSE,
                PotentialCone::Open => Known::OPEN,
                PotentialCone::Base(b) => {
                    let holds = row[*b / 64] >> (*b % 64) & 1 == 1;
                    let latch = if holds { &self.rising } else { &self.falling };
                    Known::of(latch.holds(*b).then_some(holds))
                }
                PotentialCone::And(a, b) => of(*a).and(of(*b)),
                PotentialCone::Or(a, b) => of(*a).or(of(*b)),
            };
        }
    }

    /// May every role get its goal of this outcome?
    fn is_possible(&self, rank: usize) -> bool {
        let may = |(_, g, negated): &(i32, usize, bool)| self.values[*g].negated_if(*negated).may;
        let own = |(goals, value): (&Vec<(i32, usize, bool)>, i32)| {
            goals.iter().find(|g| g.0 == value).is_some_and(may)
        };
        self.goals.iter().zip(self.scale.outcomes[rank]).all(own)
    }
}

struct PotentialBuilder<'n> {
    net: &'n Net,
    place: Vec<Option<usize>>,
    gates: Vec<PotentialCone>,
}

impl PotentialBuilder<'_> {
    /// The place of a gate, with all it depends on before it.
    fn add(&mut self, gate: usize) -> usize {
        let mut open = vec![gate];
        while let Some(g) = open.pop() {
            if self.place[g].is_some() {
                continue;
            }
            let cone = match self.net.gates[g] {
                Gate::False => PotentialCone::False,
                Gate::Base(b) => PotentialCone::Base(b as usize),
                Gate::Input(_) | Gate::LoopAnd(..) | Gate::LoopOr(..) => PotentialCone::Open,
                Gate::And(a, b) | Gate::Or(a, b) => {
                    let places = (self.place[a.gate()], self.place[b.gate()]);
                    let (Some(x), Some(y)) = places else {
                        open.extend([g, a.gate(), b.gate()]);
                        continue;
                    };
                    let (x, y) = ((x, a.negated()), (y, b.negated()));
                    match self.net.gates[g] {
                        Gate::And(..) => PotentialCone::And(x, y),
                        _ => PotentialCone::Or(x, y),
                    }
                }
            };
            self.place[g] = Some(self.gates.len());
            self.gates.push(cone);
        }
        self.place[gate].expect("it was added")
    }
}
