//! `Net` -> influence: in how many ways a fact counts for an outcome, such as the lines through a cell.

use ludex_net::{Gate, Net};
use ludex_reason::Role;

/// More ways are not told apart.
const MOST: u64 = (1 << 12) - 1;

/// By base, the ways from its truth to a goal of a role. Nothing where the goal rests on recursion.
pub fn influence(net: &Net, role: Role, goal: i32) -> Vec<u64> {
    // To the truth and to the falsity of each gate.
    let mut ways = vec![[0u64; 2]; net.gates.len()];
    let mut bases = vec![0; net.bases.len()];
    for (_, lit) in net.goals[role].iter().filter(|(value, _)| *value == goal) {
        ways[lit.gate()][usize::from(lit.negated())] += 1;
    }
    for g in (0..net.gates.len()).rev().filter(|g| net.gates[*g] != Gate::False) {
        let many = ways[g];
        match net.gates[g] {
            _ if many == [0; 2] => {}
            Gate::Base(b) => bases[b as usize] = many[0].min(MOST),
            Gate::And(a, b) | Gate::Or(a, b) => {
                for lit in [a, b] {
                    let [same, other] = [lit.negated(), !lit.negated()].map(usize::from);
                    let to = &mut ways[lit.gate()];
                    to[same] = to[same].saturating_add(many[0]);
                    to[other] = to[other].saturating_add(many[1]);
                }
            }
            Gate::LoopAnd(..) | Gate::LoopOr(..) => return vec![0; net.bases.len()],
            Gate::False | Gate::Input(_) => {}
        }
    }
    bases
}
