//! Bases that never change and bases that are always equal or opposite, proved by induction.
//!
//! Playouts, 64 side by side, tell which bases could be. All of these are then assumed at once and put
//! into the circuit; those whose next states are not one literal any more are told apart, until the
//! assumption gives itself back (van Eijk's method). It holds initially, hence always.

use super::circuit::Circuit;
use super::{Gate, Lit, Net};
use crate::budget::{Budget, Stop};
use crate::game::Random;
use rustc_hash::FxHashMap;

/// What a base is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    No,
    Always(bool),
    /// Another base, or its negation.
    As(usize, bool),
}

/// Gates that may be evaluated in playouts, and gates that may be rebuilt in proofs.
const SIMULATED: usize = 20_000_000;
const REBUILT: usize = 20_000_000;

pub fn bases(net: &Net, budget: &Budget) -> Result<Vec<Same>, Stop> {
    budget.begin("equal bases", 0);
    let none = vec![Same::No; net.bases.len()];
    if net.gates.len() * 8 > SIMULATED {
        return Ok(none);
    }
    let mut class = Classes::new(net, &simulate(net, budget)?);
    let mut rounds = REBUILT / net.gates.len();
    while rounds > 0 {
        budget.check()?;
        let same = class.same(net);
        if !class.refine(net, &next_under(net, &same)) {
            return Ok(same);
        }
        rounds -= 1;
    }
    Ok(none)
}

/// A signature of the values each base took in playouts, as if all were false at first.
fn simulate(net: &Net, budget: &Budget) -> Result<Vec<u64>, Stop> {
    let flip: Vec<u64> = net.bases.iter().map(|b| if b.initial { !0 } else { 0 }).collect();
    let mut state = flip.clone();
    let mut signature = vec![0u64; net.bases.len()];
    let mut random = Random::new(1);
    let steps = (SIMULATED / net.gates.len()).min(200);
    let mut values = vec![0u64; net.gates.len()];
    for _ in 0..steps {
        budget.check()?;
        sweep(net, &state, &vec![0; net.inputs.len()], &mut values);
        let (inputs, mut restart) = choose(net, &values, &mut random);
        restart |= word(&values, net.terminal);
        sweep(net, &state, &inputs, &mut values);
        for (b, base) in net.bases.iter().enumerate() {
            let next = word(&values, base.next);
            state[b] = next & !restart | flip[b] & restart;
            signature[b] = (signature[b].rotate_left(7) ^ state[b] ^ flip[b])
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }
    Ok(signature)
}

/// A random legal move of every role in every lane, and the lanes where a role has none.
fn choose(net: &Net, values: &[u64], random: &mut Random) -> (Vec<u64>, u64) {
    let mut inputs = vec![0u64; net.inputs.len()];
    let mut stuck = 0;
    for role in 0..net.roles.len() {
        let (mut count, mut chosen) = ([0u64; 64], [usize::MAX; 64]);
        for i in net.inputs_of(role) {
            let mut legal = word(values, net.inputs[i].legal);
            while legal != 0 {
                let lane = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                count[lane] += 1;
                if random.below(count[lane] as usize) == 0 {
                    chosen[lane] = i;
                }
            }
        }
        for (lane, i) in chosen.into_iter().enumerate() {
            match i {
                usize::MAX => stuck |= 1 << lane,
                _ => inputs[i] |= 1 << lane,
            }
        }
    }
    (inputs, stuck)
}

fn word(values: &[u64], lit: Lit) -> u64 {
    let value = values[lit.gate()];
    if lit.negated() { !value } else { value }
}

fn sweep(net: &Net, bases: &[u64], inputs: &[u64], values: &mut [u64]) {
    let mut components = net.components.iter().peekable();
    let mut at = 0;
    let one = |g: usize, values: &mut [u64]| {
        let new = match net.gates[g] {
            Gate::False => 0,
            Gate::Base(b) => bases[b as usize],
            Gate::Input(i) => inputs[i as usize],
            Gate::And(a, b) => word(values, a) & word(values, b),
            Gate::Or(a, b) => word(values, a) | word(values, b),
        };
        new != std::mem::replace(&mut values[g], new)
    };
    while at < net.gates.len() {
        if let Some(range) = components.next_if(|c| c.start == at) {
            values[range.clone()].fill(0);
            while range.clone().fold(false, |changed, g| one(g, values) | changed) {}
            at = range.end;
        } else {
            one(at, values);
            at += 1;
        }
    }
}

/// Bases that could be equal, after negation of those that are true at first. Class 0: always false.
struct Classes {
    class: Vec<u32>,
    count: u32,
}

impl Classes {
    fn new(net: &Net, signature: &[u64]) -> Classes {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        numbers.insert(0, 0);
        let mut class = Vec::with_capacity(net.bases.len());
        for s in signature {
            let next = numbers.len() as u32;
            class.push(*numbers.entry(*s).or_insert(next));
        }
        Classes { class, count: numbers.len() as u32 }
    }

    /// What each base is if the classes are right: the first of its class, or a constant.
    fn same(&self, net: &Net) -> Vec<Same> {
        let mut first = vec![usize::MAX; self.count as usize];
        let mut out = Vec::with_capacity(self.class.len());
        for (b, c) in self.class.iter().enumerate() {
            let leader = &mut first[*c as usize];
            out.push(match (*c, *leader) {
                (0, _) => Same::Always(net.bases[b].initial),
                (_, usize::MAX) => {
                    *leader = b;
                    Same::No
                }
                (_, l) => Same::As(l, net.bases[b].initial != net.bases[l].initial),
            });
        }
        out
    }

    /// Tells apart bases of one class whose next literals differ; false if there are none.
    fn refine(&mut self, net: &Net, next: &[Lit]) -> bool {
        let mut numbers: FxHashMap<(u32, Lit), u32> = FxHashMap::default();
        numbers.insert((0, Lit::FALSE), 0);
        let mut count = 1;
        let before = self.count;
        for (b, class) in self.class.iter_mut().enumerate() {
            let lit = if net.bases[b].initial { !next[b] } else { next[b] };
            *class = *numbers.entry((*class, lit)).or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        self.count = count;
        // The class of constants counts even when it is empty, before as after.
        count != before
    }
}

/// The next literals of all bases in a circuit in which each base is what it is assumed to be.
fn next_under(net: &Net, same: &[Same]) -> Vec<Lit> {
    let mut circuit = Circuit::new(net.bases.len(), net.inputs.len());
    let mut map: Vec<Lit> = Vec::with_capacity(net.gates.len());
    let leaves = 1 + net.bases.len() + net.inputs.len();
    for g in 0..leaves {
        let lit = match net.gates[g] {
            Gate::Base(b) => match same[b as usize] {
                Same::No => Lit::new(g, false),
                Same::Always(value) => {
                    if value {
                        Lit::TRUE
                    } else {
                        Lit::FALSE
                    }
                }
                Same::As(other, negated) => Lit::new(1 + other, negated),
            },
            _ => Lit::new(g, false),
        };
        map.push(lit);
    }
    let of = |map: &[Lit], l: Lit| if l.negated() { !map[l.gate()] } else { map[l.gate()] };
    let mut components = net.components.iter().peekable();
    let mut at = leaves;
    while at < net.gates.len() {
        if let Some(range) = components.next_if(|c| c.start == at) {
            let start = circuit.gates.len();
            map.extend((0..range.len()).map(|i| Lit::new(start + i, false)));
            for g in range.clone() {
                circuit.gates.push(match net.gates[g] {
                    Gate::And(a, b) => Gate::And(of(&map, a), of(&map, b)),
                    Gate::Or(a, b) => Gate::Or(of(&map, a), of(&map, b)),
                    leaf => leaf,
                });
            }
            circuit.components.push(start..circuit.gates.len());
            at = range.end;
            continue;
        }
        let lit = match net.gates[at] {
            Gate::And(a, b) => circuit.and(of(&map, a), of(&map, b)),
            Gate::Or(a, b) => circuit.or(of(&map, a), of(&map, b)),
            _ => unreachable!("leaves come first"),
        };
        map.push(lit);
        at += 1;
    }
    net.bases.iter().map(|b| of(&map, b.next)).collect()
}
