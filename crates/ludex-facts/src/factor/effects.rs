//! `FactorPhase` -> `RoleEffects`: what every move of a role does to every base, and what makes it legal.
//!
//! Exactly one move of a role is made, so a move is looked at with all others off: the transitions that
//! it changes are functions of bases and of other roles' moves. Moves that give a base the same function
//! have the same effect on it. Names of moves play no part.

use super::agenda::Agenda;
use super::blocks::{BaseBlocks, Supports};
use super::phases::FactorPhase;
use super::tie::Reason;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::circuit::Circuit;
use ludex_net::fold::{copy_component, replace, through};
use ludex_net::{Gate, Lit, Net, Readers};
use rustc_hash::{FxHashMap, FxHashSet};

/// The moves of one role in one phase.
pub struct RoleEffects {
    pub role: usize,
    pub phase: usize,
    pub moves: Vec<MoveEffect>,
    /// Bases that none of these moves changes in any way while nobody else moves: they stay as they are.
    pub still: Vec<bool>,
}

pub struct MoveEffect {
    pub input: usize,
    /// Bases whose transition differs from what most moves do to them.
    pub changes: Vec<(usize, Lit)>,
    /// Conditions that must all hold for the move to be legal, in gates of the phase.
    pub parts: Vec<Lit>,
}

/// Finds the effects of a role's moves in a phase, whose circuit is given, and unites bases on which one
/// transition depends, or one condition of a move that is no conjunction. None as soon as everything is one.
pub fn effects(
    phases: &[FactorPhase],
    circuit: &Circuit,
    (phase, role): (usize, usize),
    supports: &mut Supports,
    blocks: &mut BaseBlocks,
    budget: &Budget,
) -> Result<Option<RoleEffects>, Stop> {
    let net = &phases[phase].net;
    let inputs = phases[phase].moves(role);
    let mut made = MoveCircuit::new(net, circuit.clone(), role, inputs.first().copied());
    let mut moves = Vec::new();
    // Where the game is over nothing is done.
    let over = net.terminal == Lit::TRUE;
    if let Some(first) = inputs.first() {
        blocks.reason = Reason::Effect(*first);
    }
    for b in (0..net.bases.len()).filter(|_| !inputs.is_empty() && !over) {
        let transition = through(&made.now, net.bases[b].next);
        made.depend(b, transition, blocks);
    }
    for input in inputs {
        budget.check()?;
        let changes = if over { vec![] } else { made.effects_of(input) };
        blocks.reason = Reason::Effect(input);
        for (base, lit) in &changes {
            made.depend(*base, *lit, blocks);
        }
        let parts = net.conjuncts(net.inputs[input].legal);
        blocks.reason = Reason::Legality(input);
        for part in &parts {
            supports.unite(&net.gates, *part, blocks);
        }
        moves.push(MoveEffect { input, changes, parts });
        if blocks.count <= 1 {
            return Ok(None);
        }
    }
    if over {
        return Ok(Some(RoleEffects { role, phase, moves, still: vec![true; net.bases.len()] }));
    }
    if let Some(last) = moves.last() {
        blocks.reason = Reason::Effect(last.input);
    }
    let usual = made.usual(&moves, blocks);
    for effect in &mut moves {
        let touched: FxHashSet<usize> = effect.changes.iter().map(|c| c.0).collect();
        effect.changes.retain(|(base, lit)| usual[*base] != Some(*lit));
        // Bases that most moves touch, and this one does not.
        let untouched = made.often.iter().filter(|b| !touched.contains(b));
        let own = |b: &usize| (*b, through(&made.now, net.bases[*b].next));
        effect.changes.extend(untouched.map(own).filter(|(b, lit)| usual[*b] != Some(*lit)));
        effect.changes.sort_unstable();
    }
    let still = |b: usize| usual[b] == Some(net.base_lit(b));
    let still = (0..net.bases.len()).map(still).collect();
    Ok(Some(RoleEffects { role, phase, moves, still }))
}

/// A circuit of the transitions in which one move of a role is made, and then each other instead: what
/// all moves have in common need not be looked at again.
struct MoveCircuit<'n> {
    net: &'n Net,
    circuit: Circuit,
    /// The move that is made at first.
    first: Option<usize>,
    /// What the gates of the net are in the circuit, at the moment.
    now: Vec<Lit>,
    readers: Readers,
    /// Bases by the gate of their transition.
    transitions: FxHashMap<usize, Vec<usize>>,
    supports: Supports,
    /// Bases whose usual transition is not that of the first move.
    often: Vec<usize>,
    /// Gates that are to be computed anew for this move.
    open: Agenda,
}

impl<'n> MoveCircuit<'n> {
    fn new(
        net: &'n Net,
        mut circuit: Circuit,
        role: usize,
        made: Option<usize>,
    ) -> MoveCircuit<'n> {
        let first = 1 + net.bases.len();
        let own = net.inputs_of(role);
        let off = first + own.start..first + own.end;
        let made_gate = made.map(|i| net.input_lit(i).gate());
        let given = |g: usize| match g {
            g if Some(g) == made_gate => Some(Lit::TRUE),
            g if off.contains(&g) => Some(Lit::FALSE),
            _ => None,
        };
        let now = replace(&mut circuit, given);
        let mut transitions: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (b, base) in net.bases.iter().enumerate() {
            transitions.entry(base.next.gate()).or_default().push(b);
        }
        MoveCircuit {
            net,
            circuit,
            first: made,
            now,
            readers: Readers::new(net),
            transitions,
            supports: Supports::default(),
            often: vec![],
            open: Agenda::new(net.gates.len()),
        }
    }

    /// The gates that read this one are to be computed anew.
    fn ask_readers(&mut self, gate: usize) {
        self.readers.of(gate).iter().for_each(|reader| self.open.push(*reader as usize));
    }

    /// The bases whose transitions are others when this move is made, with these.
    fn effects_of(&mut self, input: usize) -> Vec<(usize, Lit)> {
        if self.first == Some(input) {
            return vec![];
        }
        let mut before: Vec<(usize, Lit)> = Vec::new();
        for (i, made) in self.first.into_iter().map(|i| (i, false)).chain([(input, true)]) {
            let gate = self.net.input_lit(i).gate();
            before.push((gate, self.now[gate]));
            self.now[gate] = if made { Lit::TRUE } else { Lit::FALSE };
            self.ask_readers(gate);
        }
        let mut done = 0;
        while let Some(g) = self.open.pop() {
            if g < done {
                continue;
            }
            let changed = before.len();
            done = self.recompute(g, &mut before);
            before[changed..].iter().for_each(|(g, _)| self.ask_readers(*g));
        }
        let mut effects = Vec::new();
        for (g, _) in &before {
            for b in self.transitions.get(g).into_iter().flatten() {
                effects.push((*b, through(&self.now, self.net.bases[*b].next)));
            }
        }
        before.into_iter().rev().for_each(|(g, old)| self.now[g] = old);
        effects.sort_unstable();
        effects
    }

    /// Computes a gate, or the component it is in, anew, and notes what has changed with its old value;
    /// gives the first gate behind it.
    fn recompute(&mut self, gate: usize, before: &mut Vec<(usize, Lit)>) -> usize {
        let at = self.net.components.partition_point(|c| c.end <= gate);
        if let Some(range) = self.net.components.get(at).filter(|c| c.contains(&gate)) {
            let old = self.now[range.clone()].to_vec();
            let gates = &self.net.gates[range.clone()];
            copy_component(gates, &mut self.circuit, range, &|_| None, &mut self.now);
            let changed = range.clone().zip(old).filter(|(g, old)| self.now[*g] != *old);
            before.extend(changed);
            return range.end;
        }
        let of = |l| through(&self.now, l);
        let new = match self.net.gates[gate] {
            Gate::And(a, b) => self.circuit.and(of(a), of(b)),
            Gate::Or(a, b) => self.circuit.or(of(a), of(b)),
            other => unreachable!("{other:?} reads nothing, or is in a component"),
        };
        let old = std::mem::replace(&mut self.now[gate], new);
        before.extend((old != new).then_some((gate, old)));
        gate + 1
    }

    /// A base depends on all that its transition reads.
    fn depend(&mut self, base: usize, transition: Lit, blocks: &mut BaseBlocks) {
        let on = self.supports.unite(&self.circuit.gates, transition, blocks);
        if let (Some(on), false) = (on, blocks.is_shared(base)) {
            blocks.unite(base, on);
        }
    }

    /// For every base what most moves do to it; to leave it as it is where some do so. Where every move
    /// does something else to it none leaves it alone.
    fn usual(&mut self, moves: &[MoveEffect], blocks: &mut BaseBlocks) -> Vec<Option<Lit>> {
        let mut changes: Vec<(usize, Lit)> =
            moves.iter().flat_map(|m| m.changes.iter().copied()).collect();
        changes.sort_unstable();
        let mut best: Vec<usize> = vec![moves.len(); self.net.bases.len()];
        changes.iter().for_each(|(base, _)| best[*base] -= 1);
        let alone = |b: usize| through(&self.now, self.net.bases[b].next);
        let mut usual: Vec<Lit> = (0..best.len()).map(alone).collect();
        for b in (0..best.len()).filter(|b| best[*b] > 0) {
            if !blocks.is_shared(b)
                && let Some(on) = self.supports.unite(&self.circuit.gates, usual[b], blocks)
            {
                blocks.unite(b, on);
            }
        }
        for equal in changes.chunk_by(|a, b| a == b) {
            let ((base, lit), count) = (equal[0], equal.len());
            let same = self.net.base_lit(base);
            let better = usual[base] != same && (lit == same || count > best[base]);
            if better || (best[base] == 0 && lit == same) {
                (usual[base], best[base]) = (lit, count);
            }
        }
        let lone = |b: usize| moves.len() > 1 && best[b] == 1 && usual[b] != self.net.base_lit(b);
        let usual: Vec<Option<Lit>> =
            (0..best.len()).map(|b| (!lone(b)).then_some(usual[b])).collect();
        self.often = (0..best.len()).filter(|b| usual[*b] != Some(alone(*b))).collect();
        usual
    }
}
