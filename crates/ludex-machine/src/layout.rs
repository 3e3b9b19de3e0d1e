//! `Net` -> `Layout`: what the scalar machine keeps up, what it asks for, and what its moves do.

use super::effects::MoveEffects;
use super::guards::Guards;
use super::lazy::{Lazy, LazyOperand};
use super::parts::Parts;
use super::turns::Turns;
use super::wiring::Wiring;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};

pub struct Layout {
    /// Kept up from state to state: for every rest the next state after most moves, then, from output
    /// word `legal` on, the legal moves, and the end.
    pub wiring: Wiring,
    pub legal: usize,
    pub lazy: Lazy,
    pub terminal: LazyOperand,
    pub goals: Vec<Vec<(i32, LazyOperand)>>,
    /// Where roles take turns, what they do while another moves.
    pub waiting: Option<Vec<usize>>,
    /// Per role that moves.
    pub rest: Vec<RestOfState>,
    /// Bases with the inputs that are legal only while they are true.
    pub guards: Vec<(usize, Vec<u64>)>,
    /// By input.
    pub moves: Vec<RestEffect>,
    /// The transitions that depend on moves, but for those in the wiring.
    pub transitions: Vec<(u32, LazyOperand)>,
    /// Whether moves are made in the wiring too.
    pub wired: bool,
    pub initial: Vec<u64>,
}

/// The next state after most moves.
#[derive(Clone)]
pub struct RestOfState {
    /// Its first word among the outputs.
    pub first: usize,
    /// Bases that stay as they are.
    pub same: Vec<u64>,
}

/// What a move makes of the rest.
#[derive(Default)]
pub struct RestEffect {
    /// Bits to clear and to set, by word.
    pub bits: Vec<(u32, u64, u64)>,
    /// Bases whose next value depends on the state.
    pub asked: Vec<(u32, LazyOperand)>,
}

impl Layout {
    pub fn new(net: &Net, budget: &Budget) -> Result<Layout, Stop> {
        let turns = Turns::guess(net);
        let mut effects = MoveEffects::new(net, turns.waiting.as_deref(), budget)?;
        let guards = Guards::new(net, &mut effects.circuit, &turns.flips, turns.steps);
        budget.check()?;
        let parts = Parts::new(net, &mut effects, &guards, &turns, budget)?;
        let gates = effects.circuit.gates.len();
        let wiring = Wiring::new(net, gates, parts.kept, &parts.outputs);
        let lazy = Lazy::new(net, &parts.lazy, &wiring, gates);
        let goal = |(value, lit): &(i32, Lit)| (*value, lazy.operand(*lit));
        let words = net.bases.len().div_ceil(64);
        let rest = |role: usize| {
            let rest = &effects.rest[role.min(effects.rest.len() - 1)];
            let stays = |b: &usize| !effects.wired[*b] && rest[*b] == net.base_lit(*b);
            let first = words * parts.rests.binary_search(rest).expect("one of them");
            RestOfState { first, same: bits(net.bases.len(), (0..net.bases.len()).filter(stays)) }
        };
        let moving = (0..net.bases.len()).filter(|b| effects.moves(net, *b));
        let initial = (0..net.bases.len()).filter(|b| net.bases[*b].initial);
        Ok(Layout {
            legal: words * parts.rests.len(),
            terminal: lazy.operand(guards.terminal),
            goals: net.goals.iter().map(|goals| goals.iter().map(goal).collect()).collect(),
            rest: (0..net.roles.len()).map(rest).collect(),
            moves: effects.changes.iter().map(|c| RestEffect::new(c, &lazy)).collect(),
            transitions: moving.map(|b| (b as u32, lazy.operand(net.bases[b].next))).collect(),
            wired: effects.wired.contains(&true),
            initial: bits(net.bases.len(), initial),
            waiting: turns.waiting,
            guards: guards.guards,
            wiring,
            lazy,
        })
    }
}

impl RestEffect {
    fn new(changes: &[(u32, Lit)], lazy: &Lazy) -> RestEffect {
        let mut effect = RestEffect::default();
        for (base, value) in changes {
            if value.gate() != 0 {
                effect.asked.push((*base, lazy.operand(*value)));
                continue;
            }
            let (word, bit) = (base / 64, 1 << (base % 64));
            let set = if *value == Lit::TRUE { bit } else { 0 };
            match effect.bits.last_mut().filter(|last| last.0 == word) {
                Some(last) => (last.1, last.2) = (last.1 | bit, last.2 | set),
                None => effect.bits.push((word, bit, set)),
            }
        }
        effect
    }
}

fn bits(len: usize, ones: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0; len.div_ceil(64)];
    ones.for_each(|i| words[i / 64] |= 1 << (i % 64));
    words
}
