//! `MoveEffects` -> `Parts`: the gates that are kept up from state to state, and those that are asked for.
//!
//! Transitions that many moves decide can be either. What is cheaper shows in a few random states.

use super::costs::Costs;
use super::effects::MoveEffects;
use super::guards::Guards;
use super::turns::Turns;
use super::wide::{Wide, WidePart, cone, operands};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Gate, Lit, Net};

pub struct Parts {
    /// The different states that most moves of a role lead to.
    pub rests: Vec<Vec<Lit>>,
    /// For every rest its bases, unless they stay as they are, filled up to a whole word; then the
    /// legality of the inputs.
    pub outputs: Vec<Lit>,
    pub kept: Vec<Wide>,
    pub lazy: Vec<Wide>,
    price: u32,
}

impl Parts {
    /// The cheapest ones; `effects` become those that go with them.
    pub fn new(
        net: &Net,
        effects: &mut MoveEffects,
        guards: &Guards,
        turns: &Turns,
        budget: &Budget,
    ) -> Result<Parts, Stop> {
        let costs = Costs::new(net, &effects.circuit.gates, turns);
        let goals = net.goals.iter().flatten().map(|g| (g.1, turns.ends()));
        let made = |effects: &MoveEffects| {
            let asked = || effects.asked_for(turns).chain(goals.clone());
            let mut parts = Parts::made(net, effects, guards, &[]);
            costs.order(&mut parts.lazy);
            let looks = costs.looks(&parts.lazy, asked());
            budget.check()?;
            let better = costs.better_kept(&parts.lazy, &looks, &mut parts.held(net, effects));
            if !better.is_empty() {
                parts = Parts::made(net, effects, guards, &better);
                costs.order(&mut parts.lazy);
            }
            let looks: u32 = costs.looks(&parts.lazy, asked()).iter().sum();
            parts.price = costs.kept(&parts.kept) + looks;
            budget.check().map(|()| parts)
        };
        let sparse = made(effects)?;
        let Some(mut dense) = effects.leave_dense() else { return Ok(sparse) };
        effects.exchange(&mut dense);
        let parts = made(effects)?;
        if parts.price < sparse.price {
            return Ok(parts);
        }
        effects.exchange(&mut dense);
        Ok(sparse)
    }

    /// The gates whose values are at hand: bases, and what is kept up.
    fn held(&self, net: &Net, effects: &MoveEffects) -> Vec<bool> {
        let mut held = vec![false; effects.circuit.gates.len()];
        (0..net.bases.len()).for_each(|b| held[net.base_lit(b).gate()] = true);
        self.kept.iter().for_each(|w| held[w.gate] = true);
        held
    }

    /// `better` are kept up too.
    fn made(net: &Net, effects: &MoveEffects, guards: &Guards, better: &[Lit]) -> Parts {
        let gates = &effects.circuit.gates;
        let mut rests = effects.rest.clone();
        rests.sort_unstable();
        rests.dedup();
        let outputs = outputs(net, effects, &rests, &guards.legal);
        let asked: Vec<Lit> = asked(net, effects).collect();
        let wanted = cone(gates, &net.components, asked.iter().copied());
        let kept_components = net.components.iter().map(|c| c.start);
        let kept_components = kept_components.filter(|g| wanted[*g] && !effects.moving[*g]);
        let kept_roots = outputs.iter().chain([&guards.terminal]).chain(better).copied();
        let kept_roots = kept_roots.chain(kept_components.map(|g| Lit::new(g, false)));
        let kept = cone(gates, &net.components, kept_roots);
        let lazy: Vec<bool> = wanted.iter().zip(&kept).map(|(w, k)| *w && !k).collect();
        let uses =
            uses(gates, &kept, &lazy, outputs.iter().chain([&guards.terminal]).chain(&asked));
        let part = |within| WidePart { gates, within, uses: &uses };
        Parts { kept: part(&kept).widen(), lazy: part(&lazy).widen(), rests, outputs, price: 0 }
    }
}

fn outputs(net: &Net, effects: &MoveEffects, rests: &[Vec<Lit>], legal: &[Lit]) -> Vec<Lit> {
    let mut outputs = Vec::new();
    for rest in rests {
        outputs.extend(rest.iter().enumerate().map(|(b, lit)| match effects.wired[b] {
            true => net.bases[b].next,
            false if *lit == net.base_lit(b) => Lit::FALSE,
            false => *lit,
        }));
        outputs.resize(outputs.len().next_multiple_of(64), Lit::FALSE);
    }
    outputs.extend(legal);
    outputs
}

/// What may be asked for: goals, effects that depend on the state, transitions.
fn asked<'a>(net: &'a Net, effects: &'a MoveEffects) -> impl Iterator<Item = Lit> + 'a {
    let goals = net.goals.iter().flatten().map(|g| g.1);
    let changes = effects.changes.iter().flatten().map(|t| t.1);
    let moving = (0..net.bases.len()).filter(|b| effects.moves(net, *b));
    let next = moving.map(|b| net.bases[b].next);
    goals.chain(changes).chain(next)
}

/// How often a gate is read within its part; being read from elsewhere counts twice.
fn uses<'a>(
    gates: &[Gate],
    kept: &[bool],
    lazy: &[bool],
    roots: impl Iterator<Item = &'a Lit>,
) -> Vec<u32> {
    let mut uses = vec![0u32; gates.len()];
    for (g, (_, a, b)) in gates.iter().enumerate().filter_map(|(g, x)| Some((g, operands(*x)?))) {
        for operand in [a, b].into_iter().filter(|_| kept[g] || lazy[g]) {
            uses[operand.gate()] += if kept[g] == kept[operand.gate()] { 1 } else { 2 };
        }
    }
    roots.for_each(|lit| uses[lit.gate()] += 2);
    uses
}
