//! What goals and the end of the game tie together.
//!
//! A goal that is a conjunction or a disjunction of conditions ties together what each condition reads,
//! and not the conditions: a line ties its squares, and lines that cross tie the board; two boards that
//! must both be won stay two (Definition 3.14, with disjunctions beside it). Only the outermost connective
//! is looked through. Values below a role's best one, and the end, are functions of conditions on blocks
//! that better goals have shaped; only where they read something else do they tie it in the same way.

use super::blocks::{BaseBlocks, BlockReads, Supports, reads, support};
use super::games::CutOut;
use super::tie::Reason;
use ludex_net::circuit::Circuit;
use ludex_net::fold::through;
use ludex_net::{Lit, Net};
use rustc_hash::FxHashSet;

/// Conditions on one block that all goals and the end together may use before they unite blocks.
pub const MOST_CONDITIONS: usize = 64;

/// Unites what goals and the end tie together; true if anything was united.
pub fn join(net: &Net, supports: &mut Supports, blocks: &mut BaseBlocks) -> bool {
    let first = blocks.count;
    let mut settled: Vec<usize> = Vec::new();
    let goals = net.goals.iter().flat_map(|g| g.iter().rev().map(|(_, lit)| *lit));
    // The best value of every role comes first.
    let best = net.goals.iter().filter_map(|g| g.last().map(|(_, lit)| *lit));
    for lit in best.chain(goals).chain([net.terminal]) {
        let own: Vec<usize> =
            support(&net.gates, lit).into_iter().filter(|b| !blocks.is_shared(*b)).collect();
        let shaped: FxHashSet<usize> = settled.iter().map(|b| blocks.find(*b)).collect();
        let known = own.iter().all(|b| shaped.contains(&blocks.find(*b)));
        let found = conditions(net, lit, &own, blocks);
        blocks.reason = Reason::Goal(lit);
        if !known || found.len() > MOST_CONDITIONS {
            for operand in outermost(net, lit, blocks).1 {
                supports.unite(&net.gates, operand, blocks);
            }
            settled.extend(own);
        } else {
            // A loop is one condition, however much it reads.
            for condition in found.into_iter().filter(|l| net.gates[l.gate()].is_loop()) {
                supports.unite(&net.gates, condition, blocks);
            }
        }
    }
    blocks.count < first
}

/// Unites what the first goal that depends on any block ties together: `join` does so in any case, and
/// a game that is one by its goal needs no look at its moves.
pub fn join_first(net: &Net, supports: &mut Supports, blocks: &mut BaseBlocks) {
    let best = net.goals.iter().filter_map(|g| g.last().map(|(_, lit)| *lit));
    let mut own = best.filter(|l| support(&net.gates, *l).iter().any(|b| !blocks.is_shared(*b)));
    let Some(lit) = own.next() else { return };
    blocks.reason = Reason::Goal(lit);
    for operand in outermost(net, lit, blocks).1 {
        supports.unite(&net.gates, operand, blocks);
    }
}

/// The goal or end that a literal is.
pub fn name(net: &Net, lit: Lit) -> String {
    let mut roles = net.goals.iter().zip(&net.roles);
    let goal = roles.find_map(|(goals, role)| {
        let (value, _) = goals.iter().rev().find(|g| g.1 == lit)?;
        Some(format!("goal {value} of {role}"))
    });
    goal.unwrap_or("the end of the game".into())
}

/// The outermost connective (true: and) over conditions that do not read shared bases alone, and
/// these conditions.
pub fn outermost(net: &Net, lit: Lit, blocks: &mut BaseBlocks) -> (bool, Vec<Lit>) {
    let reads = reads(net, blocks);
    let own = |l: &Lit| reads[l.gate()] != BlockReads::Shared;
    let mut at = lit;
    loop {
        let Some((_, _, and)) = net.gate_of(at) else { return (true, vec![at]) };
        let mut found: Vec<Lit> = net.operands(at, and).into_iter().filter(own).collect();
        match found[..] {
            [only] if only != at => at = only,
            _ => {
                found.sort_unstable();
                return (and, found);
            }
        }
    }
}

/// The largest parts of a literal that read only one block (and shared bases), as gates; and loops, which
/// have no parts.
pub fn conditions(net: &Net, lit: Lit, own: &[usize], blocks: &mut BaseBlocks) -> Vec<Lit> {
    let roots: FxHashSet<usize> = own.iter().map(|b| blocks.find(*b)).collect();
    if roots.len() <= 1 {
        return vec![Lit::new(lit.gate(), false)];
    }
    let reads = reads(net, blocks);
    let (mut open, mut found, mut seen) = (vec![lit.gate()], Vec::new(), FxHashSet::default());
    while let Some(g) = open.pop() {
        if !seen.insert(g) || found.len() > MOST_CONDITIONS {
            continue;
        }
        let lit = Lit::new(g, false);
        let one = reads[g] != BlockReads::Several;
        match net.gate_of(lit) {
            Some((a, b, _)) if !one => open.extend([a.gate(), b.gate()]),
            _ => found.push(lit),
        }
    }
    found.sort_unstable();
    found
}

/// What a literal comes to in one block: conditions on other blocks are left out of conjunctions and
/// disjunctions. A disjunction of several conditions that each join blocks says nothing of one alone.
pub fn project(
    net: &Net,
    lit: Lit,
    root: usize,
    blocks: &mut BaseBlocks,
    circuit: &mut Circuit,
    became: &[Lit],
) -> Option<Lit> {
    let reads = |l: Lit, blocks: &mut BaseBlocks| -> (bool, bool) {
        let own = support(&net.gates, l).into_iter().filter(|b| !blocks.is_shared(*b));
        let roots: Vec<usize> = own.collect::<Vec<_>>().iter().map(|b| blocks.find(*b)).collect();
        (roots.contains(&root), roots.iter().any(|r| *r != root))
    };
    match (reads(lit, blocks), net.gate_of(lit)) {
        ((_, false), _) => Some(through(became, lit)),
        ((false, true), _) | (_, None) => None,
        ((true, true), Some((_, _, and))) => {
            let all = net.operands(lit, and);
            let mixed = |l: &&Lit, blocks: &mut BaseBlocks| reads(**l, blocks) == (true, true);
            let joins = all.iter().filter(|l| mixed(l, blocks)).count();
            let mut found = Vec::new();
            for operand in all {
                let joining = reads(operand, blocks) == (true, true);
                if !(joining && !and && joins > 1) {
                    found.extend(project(net, operand, root, blocks, circuit, became));
                }
            }
            if found.is_empty() {
                return None;
            }
            Some(if and { circuit.and_all(found) } else { circuit.or_all(found) })
        }
    }
}

/// What makes a literal hold, as far as one block and what is shared can tell.
pub fn sure(net: &Net, lit: Lit, root: usize, blocks: &mut BaseBlocks, cut: &mut CutOut) -> Lit {
    let on: Vec<usize> =
        support(&net.gates, lit).into_iter().filter(|b| !blocks.is_shared(*b)).collect();
    if on.iter().all(|b| blocks.find(*b) == root) {
        return through(&cut.became, lit);
    }
    let Some((_, _, and)) = net.gate_of(lit) else { return Lit::FALSE };
    let parts = net.operands(lit, and);
    let parts: Vec<Lit> = parts.into_iter().map(|l| sure(net, l, root, blocks, cut)).collect();
    if and { cut.circuit.and_all(parts) } else { cut.circuit.or_all(parts) }
}
