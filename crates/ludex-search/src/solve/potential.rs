//! `Potential`: the goals that are still possible in a state, by facts that keep their value (latches,
//! paper 003).
//!
//! The conditions of the goals are evaluated with three values: a fact that is a latch and has its final
//! value is known, all others are open. What is certain or impossible then is so at every later end.
//! Every role is taken to have exactly one goal value there.

use super::scale::Scale;
use ludex_facts::latches::Latches;
use ludex_machine::State;
use ludex_net::{Gate, Lit, Net};
use ludex_reason::Role;

pub struct Potential {
    /// The bases that latch as true, and as false, as bits.
    rising: Vec<u64>,
    falling: Vec<u64>,
    /// The gates that goals depend on, in order, and where the goals of both roles stand among them.
    gates: Vec<PotentialCone>,
    goals: Vec<Vec<(i32, usize, bool)>>,
    /// For every gate whether it must and whether it may hold.
    values: Vec<(bool, bool)>,
    scale: Scale,
    asked: u64,
    useful: u64,
}

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
const SHARE: u64 = 50;

impl Potential {
    /// None where no goal depends on a latch.
    pub fn new(latches: &Latches, scale: &Scale, role: Role) -> Option<Potential> {
        let net = &latches.net;
        let words = net.bases.len().div_ceil(64);
        let mask = |list: &[usize]| {
            let mut bits = vec![0u64; words];
            list.iter().for_each(|b| bits[b / 64] |= 1 << (b % 64));
            bits
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
            PotentialCone::Base(b) => (rising[b / 64] | falling[b / 64]) >> (b % 64) & 1 == 1,
            _ => false,
        };
        gates.iter().any(latched).then(|| Potential {
            rising: rising.clone(),
            falling: falling.clone(),
            values: vec![(false, true); gates.len()],
            gates,
            goals,
            scale: scale.clone(),
            asked: 0,
            useful: 0,
        })
    }

    /// The least and the greatest rank that an end after this state can have. None when asking has
    /// turned out not to help.
    pub fn ranks(&mut self, state: &State) -> Option<(u8, u8)> {
        if self.asked > TRIAL && self.useful * SHARE < self.asked {
            return None;
        }
        self.asked += 1;
        self.evaluate(state);
        let possible: Vec<u8> =
            (0..=self.scale.best()).filter(|r| self.is_possible(*r as usize)).collect();
        let all = (0, self.scale.best());
        let found = possible.first().copied().zip(possible.last().copied()).unwrap_or(all);
        self.useful += (found != all) as u64;
        Some(found)
    }

    fn evaluate(&mut self, state: &State) {
        for (g, cone) in self.gates.iter().enumerate() {
            let of = |(g, negated): (usize, bool)| {
                let (must, may) = self.values[g];
                if negated { (!may, !must) } else { (must, may) }
            };
            self.values[g] = match cone {
                PotentialCone::False => (false, false),
                PotentialCone::Open => (false, true),
                PotentialCone::Base(b) => {
                    let (w, bit) = (b / 64, b % 64);
                    let holds = state.0[w] >> bit & 1 == 1;
                    let stays = if holds { self.rising[w] } else { self.falling[w] };
                    if stays >> bit & 1 == 1 { (holds, holds) } else { (false, true) }
                }
                PotentialCone::And(a, b) => {
                    let (a, b) = (of(*a), of(*b));
                    (a.0 && b.0, a.1 && b.1)
                }
                PotentialCone::Or(a, b) => {
                    let (a, b) = (of(*a), of(*b));
                    (a.0 || b.0, a.1 || b.1)
                }
            };
        }
    }

    /// May every role get its goal of this outcome?
    fn is_possible(&self, rank: usize) -> bool {
        let may = |(_, g, negated): &(i32, usize, bool)| {
            let (must, may) = self.values[*g];
            if *negated { !must } else { may }
        };
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
