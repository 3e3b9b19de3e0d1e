//! Legality -> `Guards`: bases that change often and that many moves need, asked for when moves are
//! listed.
//!
//! Whose turn it is changes with every step. Left in the circuit it would turn all moves of one role
//! off and those of the other on, every time.

use super::wide::{cone, operands};
use ludex_net::{Circuit, Gate, Lit, Net};
use rustc_hash::FxHashMap;

pub struct Guards {
    /// A base, and the inputs that are legal only while it is true, as bits.
    pub guards: Vec<(usize, Vec<u64>)>,
    /// Per input, whether it is legal where its guards are true.
    pub legal: Vec<Lit>,
    pub terminal: Lit,
}

/// At most so many guards, each for at least so many moves.
const MOST_GUARDS: usize = 8;
const LEAST_MOVES: usize = 8;

impl Guards {
    /// `flips` tells how often a base changed in so many `steps`.
    pub fn new(net: &Net, circuit: &mut Circuit, flips: &[usize], steps: usize) -> Guards {
        let mut bases: Vec<usize> =
            (0..flips.len()).filter(|b| flips[*b] * 4 > steps && flips[*b] > 1).collect();
        bases.sort_by_key(|b| std::cmp::Reverse(flips[*b]));
        bases.truncate(2 * MOST_GUARDS);
        let needs = bases.into_iter().map(|base| (base, needing(net, base)));
        let needs = needs.filter(|(_, inputs)| inputs.len() >= LEAST_MOVES).take(MOST_GUARDS);
        let mut guards = Guards {
            guards: Vec::new(),
            legal: net.inputs.iter().map(|i| i.legal).collect(),
            terminal: net.terminal,
        };
        let mut of_input: Vec<Vec<usize>> = vec![vec![]; net.inputs.len()];
        for (base, inputs) in needs {
            let mut bits = vec![0; net.inputs.len().div_ceil(64)];
            for i in inputs {
                bits[i / 64] |= 1 << (i % 64);
                of_input[i].push(base);
            }
            guards.guards.push((base, bits));
        }
        guards.open(net, circuit, &of_input);
        guards
    }

    /// Takes the guards out of legality, and has the end of the game read what is left.
    fn open(&mut self, net: &Net, circuit: &mut Circuit, of_input: &[Vec<usize>]) {
        let mut guarded: Vec<usize> =
            (0..of_input.len()).filter(|i| !of_input[*i].is_empty()).collect();
        guarded.sort_by(|a, b| of_input[*a].cmp(&of_input[*b]));
        let mut parts = FxHashMap::default();
        for inputs in guarded.chunk_by(|a, b| of_input[*a] == of_input[*b]) {
            let bases = of_input[inputs[0]].iter().map(|b| net.base_lit(*b));
            let all = bases.clone().fold(Lit::TRUE, |all, base| circuit.and(all, base));
            let assumed = bases.map(|b| (b.gate(), (Lit::TRUE, Lit::TRUE))).collect();
            let roots: Vec<Lit> = inputs.iter().map(|i| net.inputs[*i].legal).collect();
            for (i, legal) in inputs.iter().zip(rebuilt(net, circuit, &roots, assumed)) {
                let old = net.inputs[*i].legal;
                if !old.negated() {
                    parts.insert(old.gate(), (all, legal));
                }
                self.legal[*i] = legal;
            }
        }
        self.terminal = rebuilt(net, circuit, &[net.terminal], parts)[0];
    }
}

/// The moves that are not legal where a base is false, whatever else holds.
fn needing(net: &Net, base: usize) -> Vec<usize> {
    let mut known: Vec<Option<bool>> = vec![None; net.gates.len()];
    known[0] = Some(false);
    known[net.base_lit(base).gate()] = Some(false);
    for (g, gate) in net.gates.iter().enumerate() {
        let value = |lit: Lit| known[lit.gate()].map(|v| v != lit.negated());
        known[g] = match *gate {
            Gate::And(a, b) => match (value(a), value(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Gate::Or(a, b) => match (value(a), value(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            // Of a loop nothing is known here.
            Gate::LoopAnd(..) | Gate::LoopOr(..) => None,
            Gate::False | Gate::Base(_) | Gate::Input(_) => known[g],
        };
    }
    let never = |i: &usize| {
        let legal = net.inputs[*i].legal;
        legal.gate() != 0 && known[legal.gate()] == Some(legal.negated())
    };
    (0..net.inputs.len()).filter(never).collect()
}

/// What a gate is replaced by: the conjunction of a guard and the rest.
type GuardedGates = FxHashMap<usize, (Lit, Lit)>;

/// Literals with some gates replaced; recursive components stay as they are. What has the same guard
/// is joined before the guard is.
fn rebuilt(net: &Net, circuit: &mut Circuit, roots: &[Lit], mut parts: GuardedGates) -> Vec<Lit> {
    let cone = cone(&circuit.gates, &net.components, roots.iter().copied());
    for g in (0..cone.len()).filter(|g| cone[*g]) {
        let Some((or, a, b)) = operands(circuit.gates[g]) else { continue };
        if circuit.gates[g].is_loop() || parts.contains_key(&g) {
            continue;
        }
        let part = |lit: Lit| parts.get(&lit.gate()).filter(|_| or && !lit.negated()).copied();
        let new = match (part(a), part(b)) {
            (Some((guard, x)), Some((same, y))) if guard == same => (guard, circuit.or(x, y)),
            _ => {
                let [x, y] = [a, b].map(|lit| whole(&parts, circuit, lit));
                if (x, y) == (a, b) {
                    continue;
                }
                (Lit::TRUE, if or { circuit.or(x, y) } else { circuit.and(x, y) })
            }
        };
        parts.insert(g, new);
    }
    roots.iter().map(|lit| whole(&parts, circuit, *lit)).collect()
}

fn whole(parts: &GuardedGates, circuit: &mut Circuit, lit: Lit) -> Lit {
    let Some((guard, rest)) = parts.get(&lit.gate()) else { return lit };
    let whole = circuit.and(*guard, *rest);
    if lit.negated() { !whole } else { whole }
}
