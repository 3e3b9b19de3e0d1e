//! `Saving`: whether symmetries save more time than they cost (paper 002, the rule at its end).
//!
//! A search in depth knows how many states lie below one that it need not expand. A search that keeps its states
//! side by side does not: there `OrbitSample` tells how many states each of those that were kept stands for.

use super::field::{Expansion, Field};
use super::keys::{Keys, Symmetry};
use ludex_gdl::budget::Budget;
use ludex_machine::State;
use ludex_reason::{Random, StateMachine};
use rustc_hash::FxHashSet;

#[derive(Clone, Default)]
pub struct Saving {
    /// Expansions that were saved by symmetric states: those below each of them.
    pub saved: u64,
    /// States that were looked up.
    pub looked: u64,
    /// Seconds for an expansion, and for the symmetric states of a state (the paper's t_exp and t_sym).
    pub expand: f64,
    pub symmetric: f64,
    /// Seconds that symmetries may cost more than they save (t_limit).
    pub limit: f64,
    /// States that follow a state, on average.
    children: f64,
    pub switched_off: bool,
    /// Scratch of the search: moves that are kept.
    pub keep: Vec<bool>,
}

/// The limit where nobody sets another.
pub const LIMIT: f64 = 0.5;
/// Expansions between two looks at what symmetries save.
pub const ROUND: u64 = 1024;
/// Expansions that the symmetric states of all that follows a state may cost in a puzzle.
const HOPELESS: f64 = 20.0;
/// States in which times are measured, and how often; the seconds after which that is enough, looked at
/// after every few states.
const STATES: usize = 50;
const ROUNDS: usize = 40;
const ENOUGH: f64 = 0.05;
const FEW: usize = 8;

impl Saving {
    /// Measures times in states of a random match. Without a clock symmetries are never switched off.
    pub fn measure(field: &mut Field, keys: &Keys, start: &State, budget: &Budget) -> Saving {
        let states = walk(field, start);
        let plain = Keys::plain(field.machine.net().bases.len());
        let time = |work: &mut dyn FnMut(&State)| {
            let (begin, mut count) = (budget.seconds(), 0);
            for state in (0..ROUNDS).flat_map(|_| &states) {
                work(state);
                count += 1;
                if count % FEW == 0 && budget.seconds() - begin > ENOUGH {
                    break;
                }
            }
            (budget.seconds() - begin) / count as f64
        };
        let mut expansion = Expansion::default();
        let (mut expanded, mut children) = (0, 0);
        let expand = time(&mut |state| {
            if !field.machine.terminal(state) && field.joints(state, &mut expansion) {
                field.states(state, &mut expansion);
                (expanded, children) = (expanded + 1, children + expansion.states.len());
            }
        });
        let children = children as f64 / expanded.max(1) as f64;
        let mut all = Vec::new();
        let mut sum = 0;
        let mut keyed = |keys: &Keys| {
            time(&mut |state| {
                keys.all(&state.0, &mut all);
                sum ^= keys.key(&all, &state.0);
            })
        };
        let symmetric = (keyed(keys) - keyed(&plain)).max(0.0);
        std::hint::black_box(sum);
        Saving { expand, symmetric, children, limit: LIMIT, ..Saving::default() }
    }

    /// Do the symmetric states cost more than many expansions? A puzzle looks up all that follows a state
    /// once, so that there is little to hope for.
    pub fn is_hopeless(&self) -> bool {
        self.symmetric * self.children > HOPELESS * self.expand
    }

    /// Whether the symmetries are to be switched off now.
    pub fn pays_not(&mut self, expanded: u64, mode: Symmetry) -> bool {
        if mode != Symmetry::States || !expanded.is_multiple_of(ROUND) {
            return false;
        }
        self.switched_off |= self.seconds() < -self.limit;
        self.switched_off
    }

    /// The same times, and nothing saved yet.
    pub fn again(&self) -> Saving {
        Saving { saved: 0, looked: 0, ..self.clone() }
    }

    /// Seconds that were saved so far.
    pub fn seconds(&self) -> f64 {
        self.saved as f64 * self.expand - self.looked as f64 * self.symmetric
    }
}

/// How many different states were met, and how many after symmetric ones were put together: of one in so many
/// classes of symmetric states.
#[derive(Default)]
pub struct OrbitSample {
    seen: FxHashSet<u64>,
    states: u64,
    orbits: u64,
}

const SAMPLED: u128 = 16;

impl OrbitSample {
    /// Notes a state by its own number and the key of its class; the states that it stands for if its class was
    /// met before and it was not.
    pub fn meet(&mut self, own: u128, key: u128, is_new: bool) -> u64 {
        if !key.is_multiple_of(SAMPLED) || !self.seen.insert((own >> 8) as u64) {
            return 0;
        }
        self.states += 1;
        self.orbits += u64::from(is_new);
        if is_new { 0 } else { SAMPLED as u64 }
    }

    /// States a class since the last time, where enough were met.
    pub fn ratio(&mut self) -> Option<f64> {
        let (states, orbits) = (std::mem::take(&mut self.states), std::mem::take(&mut self.orbits));
        (orbits >= ENOUGH_ORBITS).then(|| states as f64 / orbits as f64)
    }
}

const ENOUGH_ORBITS: u64 = 8;

/// States of random matches.
fn walk(field: &mut Field, start: &State) -> Vec<State> {
    let mut random = Random::new(1);
    let mut expansion = Expansion::default();
    let mut states = vec![start.clone()];
    while states.len() < STATES {
        let last = states.last().expect("the start").clone();
        let open = !field.machine.terminal(&last) && field.joints(&last, &mut expansion);
        if !open {
            if states.len() == 1 {
                break;
            }
            states.push(start.clone());
            continue;
        }
        let joint = random.below(expansion.joints.len() / field.roles);
        let next = field.machine.next(&last, expansion.joint(joint, field.roles));
        states.push(next);
    }
    states
}
