//! `Net` -> `MoveEffects`: what every move does to the bases, with the inputs taken out of the circuit.
//!
//! Transitions are cofactored by moves. Where roles take turns, the others make their waiting moves;
//! else only bases are looked at that the moves of one role alone decide. What comes out for a move is
//! a literal over the state, mostly a constant, and mostly the same for nearly all moves: that the base
//! stays as it is. Conditions that make the move legal count as true.

use super::turns::Turns;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Circuit, Gate, Lit, Net};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

pub struct MoveEffects {
    /// The circuit of the net, and after it the gates of the cofactors.
    pub circuit: Circuit,
    /// The gates that depend on inputs.
    pub moving: Vec<bool>,
    /// Per role that moves and base, the next value after most moves.
    pub rest: Vec<Vec<Lit>>,
    /// Per input, the bases that become something else, ascending, with what they become.
    pub changes: Vec<Vec<(u32, Lit)>>,
    /// Bases to which all this does not apply: their transition stays a part of the circuit.
    pub wired: Vec<bool>,
}

/// What is looked at before transitions stay as they are.
const WORK: usize = 20_000_000;
/// What a base becomes is simplified by the legality of the move in no more gates than these.
const SIMPLIFIED: usize = 50;

/// A base that a move can change, what it becomes, and the input.
type Change = (u32, Lit, u32);
/// Changes by input, and the bases that are left in the circuit.
type Touched = (Vec<Vec<(u32, Lit)>>, Vec<bool>);

impl MoveEffects {
    /// `waiting` is what the roles do while another moves, where they take turns.
    pub fn new(net: &Net, waiting: Option<&[usize]>, budget: &Budget) -> Result<MoveEffects, Stop> {
        MoveEffects::within(net, waiting, WORK, budget)
    }

    /// The same with more work, or less.
    pub fn within(
        net: &Net,
        waiting: Option<&[usize]>,
        work: usize,
        budget: &Budget,
    ) -> Result<MoveEffects, Stop> {
        let moving = moving(net);
        let mut cofactors = Cofactors::new(net, &moving, work);
        let mut wired = cofactors.wired(waiting.is_some());
        let mut rest: Vec<Vec<Lit>> = Vec::new();
        let mut changes = vec![vec![]; net.inputs.len()];
        for role in 0..net.roles.len() {
            cofactors.wait(role, waiting);
            let none = cofactors.next_values();
            let mut own = cofactors.usual(role);
            let Some(found) = cofactors.found(role, &own, &wired, budget)? else {
                wired = net.bases.iter().map(|b| moving[b.next.gate()]).collect();
                changes = vec![vec![]; net.inputs.len()];
                rest = vec![none];
                break;
            };
            settle(&mut own, found, net.inputs_of(role), &mut changes);
            match rest.first_mut().filter(|_| waiting.is_none()) {
                None => rest.push(own),
                // No base is decided by two roles: this one adds its own.
                Some(all) => {
                    let changed = (0..none.len()).filter(|b| own[*b] != none[*b]);
                    changed.for_each(|b| all[b] = own[b]);
                }
            }
        }
        changes.iter_mut().for_each(|c| c.sort_unstable());
        Ok(MoveEffects { circuit: cofactors.circuit, moving, rest, changes, wired })
    }

    /// Whether the next value of a base depends on moves and is not left in the circuit.
    pub fn moves(&self, net: &Net, base: usize) -> bool {
        self.moving[net.bases[base].next.gate()] && !self.wired[base]
    }

    /// What the moves made in a few states ask for, with those states.
    pub(crate) fn asked_for<'a>(
        &'a self,
        turns: &'a Turns,
    ) -> impl Iterator<Item = (Lit, u64)> + 'a {
        let moves = turns.states.iter().enumerate().flat_map(|(s, state)| {
            let changing = |m: &&usize| !turns.waiting.as_ref().is_some_and(|w| w.contains(m));
            state.joint.iter().filter(changing).map(move |m| (*m, 1 << s))
        });
        moves.flat_map(|(m, states)| self.changes[m].iter().map(move |c| (c.1, states)))
    }

    /// With bases left in the circuit that must be asked for after many moves, if there are any.
    pub(crate) fn leave_dense(&self) -> Option<Touched> {
        let mut asked = vec![0; self.wired.len()];
        for (base, _) in self.changes.iter().flatten().filter(|c| c.1.gate() != 0) {
            asked[*base as usize] += 1;
        }
        let dense = |b: usize| asked[b] * 16 > self.changes.len();
        if !(0..asked.len()).any(dense) {
            return None;
        }
        let wired: Vec<bool> = (0..asked.len()).map(|b| self.wired[b] || dense(b)).collect();
        let left = |changes: &Vec<(u32, Lit)>| {
            changes.iter().filter(|c| !wired[c.0 as usize]).copied().collect()
        };
        let changes = self.changes.iter().map(left).collect();
        Some((changes, wired))
    }

    /// Exchanges what moves touch.
    pub fn exchange(&mut self, (changes, wired): &mut Touched) {
        std::mem::swap(&mut self.changes, changes);
        std::mem::swap(&mut self.wired, wired);
    }
}

/// Makes what a base becomes after most moves the rest, and notes the moves that make it something
/// else.
fn settle(
    rest: &mut [Lit],
    mut found: Vec<Change>,
    inputs: Range<usize>,
    changes: &mut [Vec<(u32, Lit)>],
) {
    found.sort_unstable();
    for of_base in found.chunk_by(|a, b| a.0 == b.0) {
        let base = of_base[0].0;
        let untouched = rest[base as usize];
        let count = |values: &[Change]| {
            let others = inputs.len() - of_base.len();
            values.len() + if values[0].1 == untouched { others } else { 0 }
        };
        let mut most = (inputs.len() - of_base.len(), untouched);
        for values in of_base.chunk_by(|a, b| a.1 == b.1) {
            most = most.max((count(values), values[0].1));
        }
        let most = most.1;
        for (_, value, input) in of_base.iter().filter(|c| c.1 != most) {
            changes[*input as usize].push((base, *value));
        }
        if untouched != most {
            let touching: FxHashSet<u32> = of_base.iter().map(|c| c.2).collect();
            for input in inputs.clone().filter(|i| !touching.contains(&(*i as u32))) {
                changes[input].push((base, untouched));
            }
        }
        rest[base as usize] = most;
    }
}

/// The gates that depend on inputs.
fn moving(net: &Net) -> Vec<bool> {
    let leaf = |gate: &Gate| matches!(gate, Gate::Input(_));
    above(net, net.gates.iter().map(leaf).collect())
}

/// The marked gates and all that depend on them; a recursive component is marked as a whole.
fn above(net: &Net, mut marked: Vec<bool>) -> Vec<bool> {
    let mut components = net.components.iter().peekable();
    for g in 0..net.gates.len() {
        let component = components.next_if(|c| c.start == g);
        let group = component.cloned().unwrap_or(g..g + 1);
        let reads = |g: usize, marked: &[bool]| {
            net.gates[g].operands().is_some_and(|(a, b)| marked[a.gate()] || marked[b.gate()])
        };
        if group.clone().any(|g| marked[g] || reads(g, &marked)) {
            marked[group].fill(true);
        }
    }
    marked
}

/// Cofactors in the making. They stand at one move at a time; to go on to another, only what it
/// changes is evaluated again: moves that are neighbours in the alphabet do nearly the same.
struct Cofactors<'a> {
    net: &'a Net,
    circuit: Circuit,
    moving: &'a [bool],
    /// Gates that are not cofactored: recursive components that depend on moves, and what is above.
    opaque: Vec<bool>,
    /// Per gate that moves, the gates that read it, and the bases whose transition it is.
    readers: Vec<Vec<u32>>,
    transitions: Vec<Vec<u32>>,
    /// Per gate that moves, its value after the present move, and without one.
    values: Vec<Lit>,
    none: Vec<Lit>,
    /// The gate of the present move.
    present: Option<usize>,
    /// The gates that are to be evaluated again, in order, and whether a gate is among them.
    open: BinaryHeap<Reverse<u32>>,
    is_open: Vec<bool>,
    /// Per gate of the circuit, its value where the move is legal, with the number of the move.
    legal: Vec<(u32, Lit)>,
    /// What may still be looked at.
    work: usize,
}

impl<'a> Cofactors<'a> {
    fn new(net: &'a Net, moving: &'a [bool], work: usize) -> Cofactors<'a> {
        let loops = net.gates.iter().zip(moving).map(|(gate, moves)| gate.is_loop() && *moves);
        let opaque = above(net, loops.collect());
        let mut cofactors = Cofactors {
            circuit: Circuit::of(net),
            moving,
            opaque,
            readers: vec![vec![]; net.gates.len()],
            transitions: vec![vec![]; net.gates.len()],
            values: vec![Lit::FALSE; net.gates.len()],
            none: vec![],
            present: None,
            open: BinaryHeap::new(),
            is_open: vec![false; net.gates.len()],
            legal: vec![],
            work,
            net,
        };
        cofactors.connect();
        cofactors
    }

    fn connect(&mut self) {
        for (g, gate) in self.net.gates.iter().enumerate() {
            let Some((a, b)) = gate.operands() else { continue };
            if self.moving[g] && !self.opaque[g] {
                for operand in [a, b].into_iter().filter(|o| self.moving[o.gate()]) {
                    self.readers[operand.gate()].push(g as u32);
                }
            }
        }
        for (b, base) in self.net.bases.iter().enumerate() {
            let gate = base.next.gate();
            if self.moving[gate] && !self.opaque[gate] {
                self.transitions[gate].push(b as u32);
            }
        }
    }

    /// Bases that cannot be cofactored: opaque ones and, where roles move at once, those that more
    /// than one of them decides.
    fn wired(&self, turns: bool) -> Vec<bool> {
        let mut roles: Vec<u64> = vec![0; self.net.gates.len()];
        for (g, gate) in self.net.gates.iter().enumerate() {
            roles[g] = match gate {
                Gate::Input(i) => 1 << self.net.inputs[*i as usize].role.min(63),
                Gate::And(a, b) | Gate::Or(a, b) => roles[a.gate()] | roles[b.gate()],
                // Loops that depend on moves are opaque, and so is all above them.
                Gate::LoopAnd(..) | Gate::LoopOr(..) | Gate::False | Gate::Base(_) => 0,
            };
        }
        let many = |gate: usize| !turns && (roles[gate].count_ones() > 1 || roles[gate] >> 63 == 1);
        let next = self.net.bases.iter().map(|b| b.next.gate());
        next.map(|gate| self.opaque[gate] || many(gate)).collect()
    }

    /// Evaluates everything for a role that makes no move while the others wait.
    fn wait(&mut self, role: usize, waiting: Option<&[usize]>) {
        for input in 0..self.net.inputs.len() {
            let of = self.net.inputs[input].role;
            let waits = waiting.is_some_and(|w| of != role && w[of] == input);
            self.values[self.net.input_lit(input).gate()] =
                if waits { Lit::TRUE } else { Lit::FALSE };
        }
        for g in 0..self.net.gates.len() {
            if self.moving[g] && !self.opaque[g] {
                self.values[g] = self.evaluate(g);
            }
        }
        self.none = self.values.clone();
        self.present = None;
    }

    /// The value of a gate after the present move, from those of its operands.
    fn evaluate(&mut self, g: usize) -> Lit {
        match self.net.gates[g] {
            Gate::And(a, b) => self.circuit.and(self.value(a), self.value(b)),
            Gate::Or(a, b) => self.circuit.or(self.value(a), self.value(b)),
            Gate::False | Gate::Base(_) | Gate::Input(_) => self.values[g],
            looped => unreachable!("{looped:?} is opaque or does not move"),
        }
    }

    /// The same while moves are made. Most gates are soon what they are without a move.
    fn again(&mut self, g: usize) -> Lit {
        let Some((a, b)) = self.net.gates[g].operands() else { return self.values[g] };
        let as_without = |l: Lit| self.values[l.gate()] == self.none[l.gate()];
        if as_without(a) && as_without(b) { self.none[g] } else { self.evaluate(g) }
    }

    /// The value of a literal after the present move.
    fn value(&self, lit: Lit) -> Lit {
        if self.moving[lit.gate()] { signed(self.values[lit.gate()], lit) } else { lit }
    }

    fn next_values(&self) -> Vec<Lit> {
        self.net.bases.iter().map(|b| self.value(b.next)).collect()
    }

    /// Goes on to another move; the bases whose next values change.
    fn go_to(&mut self, input: usize) -> Vec<u32> {
        let leaf = self.net.input_lit(input).gate();
        let before = self.present.replace(leaf).filter(|p| *p != leaf);
        let mut touched = Vec::new();
        for (g, value) in before.map(|p| (p, Lit::FALSE)).into_iter().chain([(leaf, Lit::TRUE)]) {
            self.set(g, value, &mut touched);
        }
        while let Some(Reverse(g)) = self.open.pop() {
            self.is_open[g as usize] = false;
            self.work = self.work.saturating_sub(1);
            let value = self.again(g as usize);
            self.set(g as usize, value, &mut touched);
        }
        touched
    }

    /// Gives a gate a value and opens those that read it if that is another one.
    fn set(&mut self, g: usize, value: Lit, touched: &mut Vec<u32>) {
        if std::mem::replace(&mut self.values[g], value) == value {
            return;
        }
        touched.extend(&self.transitions[g]);
        for reader in &self.readers[g] {
            if !std::mem::replace(&mut self.is_open[*reader as usize], true) {
                self.open.push(Reverse(*reader));
            }
        }
    }

    /// The next values that two of three moves of a role agree on, or those after the last of them.
    /// It does not matter which they are, but little is noted of moves that do the usual.
    fn usual(&mut self, role: usize) -> Vec<Lit> {
        let inputs = self.net.inputs_of(role);
        let mut usual = self.next_values();
        if inputs.is_empty() {
            return usual;
        }
        let moves = [inputs.start, inputs.start + inputs.len() / 2, inputs.end - 1];
        let [first, second, third] = moves.map(|input| {
            self.go_to(input);
            self.next_values()
        });
        for (base, value) in usual.iter_mut().enumerate() {
            *value = if first[base] == second[base] { first[base] } else { third[base] };
        }
        usual
    }

    /// The bases of which the moves of a role make something unusual; none when it is too much.
    fn found(
        &mut self,
        role: usize,
        usual: &[Lit],
        wired: &[bool],
        budget: &Budget,
    ) -> Result<Option<Vec<Change>>, Stop> {
        let mut found = Vec::new();
        let differs = |c: &Cofactors, b: u32| {
            !wired[b as usize] && c.value(c.net.bases[b as usize].next) != usual[b as usize]
        };
        let bases = 0..usual.len() as u32;
        let mut unusual: BTreeSet<u32> = bases.filter(|b| differs(self, *b)).collect();
        for input in self.net.inputs_of(role) {
            budget.check()?;
            for base in self.go_to(input) {
                if differs(self, base) {
                    unusual.insert(base)
                } else {
                    unusual.remove(&base)
                };
            }
            self.assume(self.net.inputs[input].legal, input as u32);
            for base in &unusual {
                let value = self.value(self.net.bases[*base as usize].next);
                found.push((*base, self.where_legal(value, input as u32), input as u32));
            }
            self.work = self.work.saturating_sub(1 + unusual.len());
            let large = self.circuit.gates.len() > 2 * self.net.gates.len() + WORK / 10;
            if self.work == 0 || large {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Notes what is true where a move is legal: the conjunction's parts.
    fn assume(&mut self, legal: Lit, now: u32) {
        self.legal.resize(self.circuit.gates.len(), (u32::MAX, Lit::FALSE));
        let mut open = vec![legal];
        while let Some(lit) = open.pop() {
            self.legal[lit.gate()] = (now, if lit.negated() { Lit::FALSE } else { Lit::TRUE });
            if let Some((a, b, true)) = self.net.gate_of(lit) {
                open.extend([a, b]);
            }
        }
    }

    /// A literal over the state before a move, simplified where that is legal.
    fn where_legal(&mut self, lit: Lit, now: u32) -> Lit {
        let mut open = vec![lit.gate()];
        let mut visited = 0;
        while let Some(&g) = open.last() {
            self.legal.resize(self.circuit.gates.len(), (u32::MAX, Lit::FALSE));
            let known = |l: Lit| match self.legal[l.gate()] {
                (number, value) if number == now => Some(signed(value, l)),
                _ => None,
            };
            let gate = self.circuit.gates[g];
            let value = match gate {
                _ if known(Lit::new(g, false)).is_some() => {
                    open.pop();
                    continue;
                }
                Gate::And(a, b) | Gate::Or(a, b) if visited < SIMPLIFIED => {
                    let [Some(x), Some(y)] = [a, b].map(known) else {
                        visited += 1;
                        let missing = [a, b].into_iter().filter(|l| known(*l).is_none());
                        open.extend(missing.map(Lit::gate));
                        continue;
                    };
                    match gate {
                        Gate::And(..) => self.circuit.and(x, y),
                        _ => self.circuit.or(x, y),
                    }
                }
                _ => Lit::new(g, false),
            };
            self.legal[g] = (now, value);
            open.pop();
        }
        self.work = self.work.saturating_sub(visited);
        signed(self.legal[lit.gate()].1, lit)
    }
}

/// `value` as `lit` is signed.
fn signed(value: Lit, lit: Lit) -> Lit {
    if lit.negated() { !value } else { value }
}
