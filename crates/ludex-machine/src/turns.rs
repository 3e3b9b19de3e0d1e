//! `Net` -> `Turns`: who waits while another moves and what changes often, in a few random states.

use ludex_net::Net;
use ludex_reason::Random;

/// States looked at, and gates in them all together.
const STATES: usize = 64;
const WORK: usize = 30_000_000;

/// What a few random states show. A guess: other states may be otherwise.
pub struct Turns {
    /// Per role the move it makes while another has the turn: its only legal one. None where two
    /// roles have a choice at once.
    pub waiting: Option<Vec<usize>>,
    /// Per base, how often it changed, in how many steps.
    pub flips: Vec<usize>,
    pub steps: usize,
    /// The states, at most 64.
    pub states: Vec<VisitedState>,
}

/// A state on the way.
pub struct VisitedState {
    pub bases: Vec<bool>,
    /// The moves made in it, one a role; none where the game ended.
    pub joint: Vec<usize>,
    /// Whether the next state of the list is its successor.
    pub followed: bool,
}

impl Turns {
    pub fn guess(net: &Net) -> Turns {
        let mut random = Random::new(1);
        let mut only = vec![vec![]; net.roles.len()];
        let flips = vec![0; net.bases.len()];
        let mut turns = Turns { waiting: None, flips, steps: 0, states: vec![] };
        let mut in_turn = true;
        let initial: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
        let mut bases = initial.clone();
        for _ in 0..STATES.min(WORK / net.gates.len()).max(1) {
            let values = net.evaluate(&bases, &vec![false; net.inputs.len()]);
            let legal = |i: &usize| Net::holds(&values, net.inputs[*i].legal);
            let legal = (0..net.roles.len()).map(|r| net.inputs_of(r).filter(legal).collect());
            let legal: Vec<Vec<usize>> = legal.collect();
            if Net::holds(&values, net.terminal) || legal.iter().any(Vec::is_empty) {
                turns.states.push(VisitedState { bases, joint: vec![], followed: false });
                bases = initial.clone();
                continue;
            }
            in_turn &= legal.iter().filter(|moves| moves.len() > 1).count() < 2;
            for (only, moves) in only.iter_mut().zip(&legal).filter(|(_, moves)| moves.len() == 1) {
                only.push(moves[0]);
            }
            let joint = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
            turns.step(net, &mut bases, joint);
        }
        turns.states.last_mut().expect("the initial one").followed = false;
        let waiting = |(role, only): (usize, &Vec<usize>)| {
            let count = |m: &usize| only.iter().filter(|o| *o == m).count();
            only.iter().copied().max_by_key(|m| (count(m), *m)).or(net.inputs_of(role).next())
        };
        turns.waiting = only.iter().enumerate().map(waiting).collect();
        turns.waiting = turns.waiting.filter(|_| in_turn);
        turns
    }

    /// The states in which a game ended, as bits; the last one where none did.
    pub fn ends(&self) -> u64 {
        let end = |(s, state): (usize, &VisitedState)| (state.joint.is_empty() as u64) << s;
        let ends = self.states.iter().enumerate().map(end).fold(0, |ends, end| ends | end);
        if ends == 0 { 1 << (self.states.len() - 1) } else { ends }
    }

    fn step(&mut self, net: &Net, bases: &mut Vec<bool>, joint: Vec<usize>) {
        let mut inputs = vec![false; net.inputs.len()];
        joint.iter().for_each(|i| inputs[*i] = true);
        let values = net.evaluate(bases, &inputs);
        let next = net.bases.iter().map(|b| Net::holds(&values, b.next)).collect();
        let bases = std::mem::replace(bases, next);
        for ((flips, was), base) in self.flips.iter_mut().zip(&bases).zip(&net.bases) {
            *flips += (*was != Net::holds(&values, base.next)) as usize;
        }
        self.states.push(VisitedState { bases, joint, followed: true });
        self.steps += 1;
    }
}
