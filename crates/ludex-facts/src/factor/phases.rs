//! `Net` -> `SharedBases`: what no move changes (IID of paper 003, Lemma 3.12), and the phases it goes through.
//!
//! The shared part has one state after each number of steps, whatever is played: whose turn it is,
//! how many steps are left. As far as moves and transitions read it, it takes few different states;
//! a net with one of them folded in is a phase. In a phase a move that another phase allows is gone, and
//! rules that depend on the turn fall apart.

use super::blocks::support;
use crate::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::circuit::Circuit;
use ludex_net::fold::{constant, copy, replace, through};
use ludex_net::{Gate, Lit, Net};
use rustc_hash::FxHashSet;
use std::sync::Arc;

#[derive(Clone)]
pub struct SharedBases {
    /// For every base whether it belongs to the largest action-independent set.
    pub bases: Vec<bool>,
    /// The states that the shared bases that matter for moves and transitions take, in the order of
    /// the steps. One with nothing known where there are too many.
    pub states: Vec<Vec<(usize, bool)>>,
    /// Does every match stay within these states in this order, with none coming back?
    pub forward: bool,
}

/// A net in which something is known: its bases and inputs keep their numbers.
pub struct FactorPhase {
    pub net: Net,
    /// What was folded in: shared bases, and a gate.
    pub known: Vec<(usize, bool)>,
    pub gate: Option<(usize, bool)>,
}

/// With more states than this the shared part is not folded in.
const MOST_STATES: usize = 64;
/// Where it is not, states of what comes back.
const FEW_STATES: usize = 8;
const MOST_STEPS: usize = 3_000;

impl SharedBases {
    pub fn find(net: &Net, budget: &Budget) -> Result<SharedBases, Stop> {
        let bases = action_independent(net);
        let (states, forward) = states(net, &bases, budget)?;
        Ok(SharedBases { bases, states, forward })
    }
}

/// The largest set of bases whose transitions read only bases of the set, and no input.
fn action_independent(net: &Net) -> Vec<bool> {
    // A gate is tainted if it depends on an input or on a base that is.
    let mut tainted: Vec<bool> = net.gates.iter().map(|g| matches!(g, Gate::Input(_))).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (g, gate) in net.gates.iter().enumerate() {
            let reads = |(a, b): (Lit, Lit)| tainted[a.gate()] || tainted[b.gate()];
            let new = match gate {
                Gate::Base(b) => tainted[net.bases[*b as usize].next.gate()],
                gate => gate.operands().is_some_and(reads),
            };
            changed |= new && !tainted[g];
            tainted[g] |= new;
        }
    }
    (0..net.bases.len()).map(|b| !tainted[1 + b]).collect()
}

type States = Vec<Vec<(usize, bool)>>;

fn states(net: &Net, shared: &[bool], budget: &Budget) -> Result<(States, bool), Stop> {
    let matters = mattering(net, shared);
    if matters.is_empty() {
        return Ok((vec![vec![]], false));
    }
    let all: Vec<usize> = (0..shared.len()).filter(|b| shared[*b]).collect();
    if let Some(course) = course(net, &all, &matters, MOST_STATES, budget)? {
        return Ok((course.states, course.forward));
    }
    // Too many steps: whose turn it is comes back soon, and depends on little.
    let (bases, closed) = returning(net, &matters, budget)?;
    let found = course(net, &closed, &bases, FEW_STATES, budget)?;
    Ok((found.map_or(vec![vec![]], |course| course.states), false))
}

/// The states that some bases take, in the order of the steps.
struct Course {
    states: States,
    /// Does none come back?
    forward: bool,
    /// Does the first come back?
    round: bool,
}

/// The course of some bases of a set whose transitions read nothing else; none if it is too long.
fn course(
    net: &Net,
    own: &[usize],
    bases: &[usize],
    most: usize,
    budget: &Budget,
) -> Result<Option<Course>, Stop> {
    // Only the closed set is evaluated; what depends on moves is left alone.
    let mut state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    let cone = GateCone::new(net, own.iter().map(|b| net.bases[*b].next));
    let mut values = vec![false; net.gates.len()];
    let (mut seen, mut states, mut whole) =
        (FxHashSet::default(), Vec::new(), FxHashSet::default());
    let mut last: Vec<(usize, bool)> = Vec::new();
    let mut forward = true;
    for _ in 0..MOST_STEPS {
        budget.check()?;
        let now: Vec<(usize, bool)> = bases.iter().map(|b| (*b, state[*b])).collect();
        match seen.insert(now.clone()) {
            true => states.push(now.clone()),
            false => forward &= now == last,
        }
        last = now;
        if states.len() > most {
            return Ok(None);
        }
        if !whole.insert(own.iter().map(|b| state[*b]).collect::<Vec<bool>>()) {
            let round = last == states[0];
            return Ok(Some(Course { states, forward, round }));
        }
        cone.evaluate(net, &state, &mut values);
        let next: Vec<bool> = own.iter().map(|b| Net::holds(&values, net.bases[*b].next)).collect();
        own.iter().zip(next).for_each(|(b, holds)| state[*b] = holds);
    }
    Ok(None)
}

/// The bases that go through few states again and again, whatever the others do, and all they depend on.
fn returning(
    net: &Net,
    bases: &[usize],
    budget: &Budget,
) -> Result<(Vec<usize>, Vec<usize>), Stop> {
    let (mut found, mut all) = (Vec::new(), Vec::new());
    for base in bases {
        let Some(own) = depends_on(net, *base) else { continue };
        let course = course(net, &own, &own, FEW_STATES, budget)?;
        if course.is_some_and(|c| c.round && !c.forward) {
            found.push(*base);
            all.extend(own);
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok((found, all))
}

/// The bases that a base depends on over any number of steps, and itself; none if they are many.
fn depends_on(net: &Net, base: usize) -> Option<Vec<usize>> {
    let (mut open, mut found) = (vec![base], Vec::new());
    while let Some(b) = open.pop() {
        if !found.contains(&b) {
            found.push(b);
            open.extend(support(&net.gates, net.bases[b].next));
        }
        if found.len() > FEW_STATES {
            return None;
        }
    }
    Some(found)
}

/// The gates that some literals depend on.
pub struct GateCone {
    gates: Vec<usize>,
    recursive: bool,
}

impl GateCone {
    pub fn new(net: &Net, lits: impl Iterator<Item = Lit>) -> GateCone {
        let mut reached = vec![false; net.gates.len()];
        let mut open: Vec<usize> = lits.map(Lit::gate).collect();
        while let Some(g) = open.pop() {
            if !std::mem::replace(&mut reached[g], true)
                && let Some((a, b)) = net.gates[g].operands()
            {
                open.extend([a.gate(), b.gate()]);
            }
        }
        let recursive = (0..reached.len()).any(|g| reached[g] && net.gates[g].is_loop());
        GateCone { gates: (0..reached.len()).filter(|g| reached[*g]).collect(), recursive }
    }

    /// The values of these gates with no move made; others may keep what they had.
    pub fn evaluate(&self, net: &Net, bases: &[bool], values: &mut Vec<bool>) {
        if self.recursive {
            *values = net.evaluate(bases, &vec![false; net.inputs.len()]);
            return;
        }
        for g in &self.gates {
            values[*g] = match net.gates[*g] {
                Gate::Base(b) => bases[b as usize],
                Gate::And(a, b) => Net::holds(values, a) && Net::holds(values, b),
                Gate::Or(a, b) => Net::holds(values, a) || Net::holds(values, b),
                Gate::False | Gate::Input(_) => false,
                Gate::LoopAnd(..) | Gate::LoopOr(..) => unreachable!("not recursive"),
            };
        }
    }
}

/// The shared bases that moves or transitions of other bases read.
fn mattering(net: &Net, shared: &[bool]) -> Vec<usize> {
    let mut reached = vec![false; net.gates.len()];
    let next = net.bases.iter().enumerate().filter(|(b, _)| !shared[*b]).map(|(_, b)| b.next);
    let mut open: Vec<usize> =
        next.chain(net.inputs.iter().map(|i| i.legal)).map(Lit::gate).collect();
    while let Some(g) = open.pop() {
        if !std::mem::replace(&mut reached[g], true)
            && let Some((a, b)) = net.gates[g].operands()
        {
            open.extend([a.gate(), b.gate()]);
        }
    }
    (0..net.bases.len()).filter(|b| shared[*b] && reached[1 + b]).collect()
}

impl FactorPhase {
    /// The phase, and the circuit of its net.
    pub fn new(
        net: &Net,
        known: &[(usize, bool)],
        gate: Option<(usize, bool)>,
    ) -> (FactorPhase, Circuit) {
        let mut leaves: Vec<Lit> =
            (0..=net.bases.len() + net.inputs.len()).map(|g| Lit::new(g, false)).collect();
        known.iter().for_each(|(b, value)| leaves[1 + b] = constant(*value));
        let (once, circuit) = rebuilt(net, &leaves, gate);
        // What is illegal in this phase is not done in it, and a role's only move is made.
        for role in 0..net.roles.len() {
            let legal: Vec<usize> =
                net.inputs_of(role).filter(|i| once.inputs[*i].legal != Lit::FALSE).collect();
            for i in net.inputs_of(role) {
                leaves[1 + net.bases.len() + i] = match legal[..] {
                    [only] => constant(only == i),
                    _ if legal.binary_search(&i).is_err() => Lit::FALSE,
                    _ => leaves[1 + net.bases.len() + i],
                };
            }
        }
        let (net, circuit) = done(once, circuit, &leaves);
        (FactorPhase { net, known: known.to_vec(), gate }, circuit)
    }

    /// The moves of a role that are legal in some state of this phase.
    pub fn moves(&self, role: usize) -> Vec<usize> {
        let legal = |i: &usize| self.net.inputs[*i].legal != Lit::FALSE;
        self.net.inputs_of(role).filter(legal).collect()
    }
}

/// The net over other leaves, and its circuit; numbers of bases and inputs stay.
fn rebuilt(net: &Net, leaves: &[Lit], gate: Option<(usize, bool)>) -> (Net, Circuit) {
    let moves: Vec<usize> = (0..net.roles.len()).map(|r| net.inputs_of(r).len()).collect();
    let mut circuit = Circuit::new(net.bases.len(), &moves);
    let given = |g: usize| match gate {
        Some((cut, value)) if cut == g => Some(constant(value)),
        _ => leaves.get(g).copied(),
    };
    let became = copy(net, &mut circuit, given);
    (over(net, &circuit, &became), circuit)
}

/// The net of a circuit with other leaves. Most of it stays as it is; where it does not, what is needed no
/// more would be in the way.
fn done(net: Net, circuit: Circuit, leaves: &[Lit]) -> (Net, Circuit) {
    let mut changed = circuit;
    let other = |(g, lit): (usize, &Lit)| (*lit != Lit::new(g, false)).then_some(*lit);
    let given: Vec<Option<Lit>> = leaves.iter().enumerate().map(other).collect();
    let became = replace(&mut changed, |g| given.get(g).copied().flatten());
    match 4 * changed.gates.len() > 5 * net.gates.len() {
        true => rebuilt(&net, leaves, None),
        false => (over(&net, &changed, &became), changed),
    }
}

/// The net with what its gates became in a circuit.
pub fn over(net: &Net, circuit: &Circuit, became: &[Lit]) -> Net {
    let (gates, components) = (circuit.gates.clone(), circuit.components.clone());
    let mut new = Net { gates, components, ..net.clone() };
    new.bases.iter_mut().for_each(|b| b.next = through(became, b.next));
    new.inputs.iter_mut().for_each(|i| i.legal = through(became, i.legal));
    new.terminal = through(became, net.terminal);
    new.goals.iter_mut().flatten().for_each(|g| g.1 = through(became, g.1));
    new
}

/// Gates that some moves need and that others need not to hold, most moves in all: a serial game may be
/// cut at one. Those that were seen both to rise and to fall in random play are none.
pub fn cuts(net: &Net, shared: &[bool], budget: &Budget) -> Result<Vec<usize>, Stop> {
    let mut uses: rustc_hash::FxHashMap<usize, (usize, usize)> = Default::default();
    for input in &net.inputs {
        let (mut open, mut seen) = (vec![input.legal], FxHashSet::default());
        while let Some(lit) = open.pop() {
            if lit.gate() == 0 || !seen.insert(lit) {
                continue;
            }
            let count = uses.entry(lit.gate()).or_default();
            if lit.negated() {
                count.1 += 1
            } else {
                count.0 += 1
            }
            if let Some((a, b, true)) = net.gate_of(lit) {
                open.extend([a, b]);
            }
        }
    }
    let own = |g: usize| support(&net.gates, Lit::new(g, false)).iter().any(|b| !shared[*b]);
    let mut both: Vec<(usize, usize)> = uses
        .into_iter()
        .filter(|(g, (yes, no))| {
            *yes > 0 && *no > 0 && 2 * (yes + no) >= net.inputs.len() && own(*g)
        })
        .map(|(g, (yes, no))| (yes + no, g))
        .collect();
    both.sort_unstable_by(|a, b| b.cmp(a));
    let gates: Vec<usize> = both.into_iter().map(|(_, g)| g).take(MOST_SEEN).collect();
    latching(net, gates, budget)
}

/// Cuts and states that are looked at before cuts are tried.
const MOST_SEEN: usize = 200;
const STATES: usize = 2_000;

fn latching(net: &Net, gates: Vec<usize>, budget: &Budget) -> Result<Vec<usize>, Stop> {
    if gates.is_empty() {
        return Ok(gates);
    }
    let samples = Samples::gather(&Arc::new(net.clone()), 1, STATES, budget)?;
    let cone = GateCone::new(net, gates.iter().map(|g| Lit::new(*g, false)));
    let mut values = vec![false; net.gates.len()];
    let mut of = |state: usize| -> Vec<bool> {
        let bases: Vec<bool> = (0..net.bases.len()).map(|b| samples.holds(state, b)).collect();
        cone.evaluate(net, &bases, &mut values);
        gates.iter().map(|g| values[*g]).collect()
    };
    let mut seen = vec![(false, false); gates.len()];
    let mut last = of(0);
    for state in 1..samples.states.len() {
        budget.check()?;
        let now = of(state);
        let before = std::mem::replace(&mut last, now);
        if samples.joints[state - 1].is_empty() {
            continue;
        }
        for (seen, (before, now)) in seen.iter_mut().zip(before.iter().zip(&last)) {
            seen.0 |= !before && *now;
            seen.1 |= *before && !now;
        }
    }
    let both = |(g, seen): (usize, (bool, bool))| (seen != (true, true)).then_some(g);
    Ok(gates.into_iter().zip(seen).filter_map(both).collect())
}
