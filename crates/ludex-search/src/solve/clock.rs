//! `Net` -> `CounterClock`: bases that no move changes, such as a number of steps or whose turn it is.
//!
//! What they are after so many steps is known beforehand. So it is often known after how many steps at
//! the latest a match is over, and therefore that no state comes twice.

use ludex_net::{Gate, KnownGates, Lit, Net};

pub struct CounterClock {
    /// Bases of the clock that say nothing but when a match ends: neither legal moves nor what moves
    /// do nor goals depend on them.
    pub limit: Vec<usize>,
    /// The most steps of a match from the state that was asked about.
    pub longest: Option<usize>,
}

/// Steps of the clock that are looked at.
const MOST_STEPS: usize = 5_000;
/// Work for them: gates times steps.
const WORK: usize = 200_000_000;

impl CounterClock {
    pub fn new(net: &Net, state: &[bool]) -> CounterClock {
        let reads = GateReads::new(net);
        let clock = reads.closed(net);
        let limit = limit(net, &reads, &clock);
        CounterClock { limit, longest: longest(net, &clock, state) }
    }
}

/// For every gate the bases it depends on, as bits, and whether it depends on inputs.
struct GateReads {
    words: usize,
    bases: Vec<u64>,
    inputs: Vec<bool>,
}

impl GateReads {
    fn new(net: &Net) -> GateReads {
        let words = net.bases.len().div_ceil(64);
        let size = net.gates.len();
        let mut reads =
            GateReads { words, bases: vec![0; size * words], inputs: vec![false; size] };
        let mut components = net.components.iter().peekable();
        for (g, gate) in net.gates.iter().enumerate() {
            match gate {
                Gate::False => {}
                Gate::Base(b) => reads.bases[g * words + *b as usize / 64] |= 1 << (b % 64),
                Gate::Input(_) => reads.inputs[g] = true,
                Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b) => {
                    reads.join(g, a.gate());
                    reads.join(g, b.gate());
                }
            }
            // Gates of a recursive component read each other.
            if let Some(c) = components.next_if(|c| c.end == g + 1) {
                c.clone().for_each(|g| reads.join(c.start, g));
                c.clone().for_each(|g| reads.join(g, c.start));
            }
        }
        reads
    }

    fn join(&mut self, g: usize, with: usize) {
        for w in 0..self.words {
            self.bases[g * self.words + w] |= self.bases[with * self.words + w];
        }
        self.inputs[g] |= self.inputs[with];
    }

    fn of(&self, lit: Lit) -> impl Iterator<Item = usize> + '_ {
        let words = &self.bases[lit.gate() * self.words..][..self.words];
        (0..self.words * 64).filter(|b| words[b / 64] >> (b % 64) & 1 == 1)
    }

    /// The largest set of bases whose transitions read only each other.
    fn closed(&self, net: &Net) -> Vec<bool> {
        let mut inside: Vec<bool> = net.bases.iter().map(|b| !self.inputs[b.next.gate()]).collect();
        loop {
            let leaves = |b: &usize| inside[*b] && self.of(net.bases[*b].next).any(|r| !inside[r]);
            let out: Vec<usize> = (0..inside.len()).filter(leaves).collect();
            if out.is_empty() {
                return inside;
            }
            out.into_iter().for_each(|b| inside[b] = false);
        }
    }
}

/// The bases of the clock that only the end, and other bases of this kind, depend on.
fn limit(net: &Net, reads: &GateReads, clock: &[bool]) -> Vec<usize> {
    let mut alone = clock.to_vec();
    let legal = net.inputs.iter().map(|i| i.legal);
    let goals = net.goals.iter().flatten().map(|g| g.1);
    for lit in legal.chain(goals) {
        reads.of(lit).for_each(|b| alone[b] = false);
    }
    loop {
        let before = alone.clone();
        for (b, base) in net.bases.iter().enumerate().filter(|(b, _)| !before[*b]) {
            reads.of(base.next).filter(|r| *r != b).for_each(|r| alone[r] = false);
        }
        if alone == before {
            return (0..alone.len()).filter(|b| alone[*b]).collect();
        }
    }
}

fn longest(net: &Net, clock: &[bool], state: &[bool]) -> Option<usize> {
    if !clock.contains(&true) {
        return None;
    }
    let mut bases: Vec<Option<bool>> =
        clock.iter().zip(state).map(|(inside, value)| inside.then_some(*value)).collect();
    let inputs = vec![None; net.inputs.len()];
    for step in 0..MOST_STEPS.min(WORK / net.gates.len()) {
        let known = KnownGates::new(net, &bases, &inputs);
        if known.value(net.terminal) == Some(true) {
            return Some(step);
        }
        let next = |b: usize| clock[b].then(|| known.value(net.bases[b].next).expect("a clock"));
        let after: Vec<Option<bool>> = (0..bases.len()).map(next).collect();
        if after == bases {
            return None;
        }
        bases = after;
    }
    None
}
