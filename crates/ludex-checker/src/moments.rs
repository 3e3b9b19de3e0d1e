//! What is known of a state after so many steps, whatever is played: three-valued simulation.

use crate::aiger::AigerFile;
use crate::claims::Claims;

/// Whether it must be true, and whether it may be.
type Ternary = (bool, bool);
const FALSE: Ternary = (false, false);
const TRUE: Ternary = (true, true);
const OPEN: Ternary = (false, true);

/// Is every match over after so many steps? With `cases` each move of a role is looked at by itself.
pub fn over_within(circuit: &AigerFile, claims: &Claims, steps: usize, cases: bool) -> bool {
    let first = |initial: bool| if initial { TRUE } else { FALSE };
    let mut state: Vec<Ternary> = circuit.latches.iter().map(|l| first(l.initial)).collect();
    for _ in 0..=steps {
        let free = vec![OPEN; circuit.inputs];
        let known = evaluate(circuit, &state, &free);
        if value(&known, circuit.outputs[0]) == TRUE {
            return true;
        }
        let moves = moves(circuit, claims, &known);
        let mut next = after(circuit, &state, &moves);
        for role in claims.roles.iter().filter(|_| cases) {
            let possible = role.clone().filter(|i| moves[*i] == OPEN);
            let each = possible.map(|made| {
                let mut moves = moves.clone();
                moves[role.clone()].fill(FALSE);
                moves[made] = TRUE;
                after(circuit, &state, &moves)
            });
            let Some(common) = each.reduce(common) else { continue };
            for (next, common) in next.iter_mut().zip(common) {
                *next = if *next == OPEN { common } else { *next };
            }
        }
        state = next;
    }
    false
}

/// Moves that are not legal are not made, and a role's only possible move is.
fn moves(circuit: &AigerFile, claims: &Claims, known: &[Ternary]) -> Vec<Ternary> {
    let mut moves = vec![FALSE; circuit.inputs];
    for role in &claims.roles {
        let possible = |i: &usize| value(known, circuit.outputs[1 + i]) != FALSE;
        let possible: Vec<usize> = role.clone().filter(possible).collect();
        let made = if possible.len() == 1 { TRUE } else { OPEN };
        possible.into_iter().for_each(|i| moves[i] = made);
    }
    moves
}

/// What two cases have in common.
fn common(one: Vec<Ternary>, other: Vec<Ternary>) -> Vec<Ternary> {
    one.into_iter().zip(other).map(|(a, b)| if a == b { a } else { OPEN }).collect()
}

fn after(circuit: &AigerFile, state: &[Ternary], moves: &[Ternary]) -> Vec<Ternary> {
    let known = evaluate(circuit, state, moves);
    circuit.latches.iter().map(|l| value(&known, l.next)).collect()
}

/// By variable.
fn evaluate(circuit: &AigerFile, state: &[Ternary], moves: &[Ternary]) -> Vec<Ternary> {
    let mut known = vec![FALSE; 1 + circuit.variables as usize];
    known[1..=circuit.inputs].copy_from_slice(moves);
    for (latch, value) in circuit.latches.iter().zip(state) {
        known[latch.lit as usize / 2] = *value;
    }
    for [lit, a, b] in &circuit.ands {
        let (a, b) = (value(&known, *a), value(&known, *b));
        known[*lit as usize / 2] = (a.0 && b.0, a.1 && b.1);
    }
    known
}

fn value(known: &[Ternary], lit: u32) -> Ternary {
    let (must, may) = known[lit as usize / 2];
    if lit & 1 == 1 { (!may, !must) } else { (must, may) }
}
