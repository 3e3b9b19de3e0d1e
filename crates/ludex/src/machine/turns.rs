//! `Net` -> `Turns`: who waits while another moves and what changes often, in a few random states.

use crate::game::Random;
use crate::net::Net;

/// States looked at, and gates in them all together.
const STATES: usize = 48;
const WORK: usize = 30_000_000;

/// What a few random states show. A guess: other states may be otherwise.
pub struct Turns {
    /// Per role the move it makes while another has the turn: its only legal one. None where two
    /// roles have a choice at once.
    pub waiting: Option<Vec<usize>>,
    /// Per base, how often it changed, in how many steps.
    pub flips: Vec<usize>,
    pub steps: usize,
}

impl Turns {
    pub fn guess(net: &Net) -> Turns {
        let mut random = Random::new(1);
        let mut only = vec![vec![]; net.roles.len()];
        let mut turns = Turns { waiting: None, flips: vec![0; net.bases.len()], steps: 0 };
        let mut in_turn = true;
        let initial: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
        let mut bases = initial.clone();
        for _ in 0..STATES.min(WORK / net.gates.len()) {
            let values = net.evaluate(&bases, &vec![false; net.inputs.len()]);
            let legal = |i: &usize| Net::holds(&values, net.inputs[*i].legal);
            let legal = (0..net.roles.len()).map(|r| net.inputs_of(r).filter(legal).collect());
            let legal: Vec<Vec<usize>> = legal.collect();
            if Net::holds(&values, net.terminal) || legal.iter().any(Vec::is_empty) {
                bases.clone_from(&initial);
                continue;
            }
            in_turn &= legal.iter().filter(|moves| moves.len() > 1).count() < 2;
            let mut inputs = vec![false; net.inputs.len()];
            for (role, moves) in legal.iter().enumerate() {
                inputs[moves[random.below(moves.len())]] = true;
                if let [single] = moves[..] {
                    only[role].push(single);
                }
            }
            turns.step(net, &mut bases, &inputs);
        }
        let waiting = |(role, only): (usize, &Vec<usize>)| {
            let count = |m: &usize| only.iter().filter(|o| *o == m).count();
            only.iter().copied().max_by_key(|m| (count(m), *m)).or(net.inputs_of(role).next())
        };
        turns.waiting = only.iter().enumerate().map(waiting).collect();
        turns.waiting = turns.waiting.filter(|_| in_turn);
        turns
    }

    fn step(&mut self, net: &Net, bases: &mut [bool], inputs: &[bool]) {
        let values = net.evaluate(bases, inputs);
        for (b, base) in bases.iter_mut().enumerate() {
            let next = Net::holds(&values, net.bases[b].next);
            self.flips[b] += (*base != next) as usize;
            *base = next;
        }
        self.steps += 1;
    }
}
