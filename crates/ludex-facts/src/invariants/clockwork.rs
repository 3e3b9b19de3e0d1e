//! Clockwork: facts that no move changes. They take the same values in every match, and where these end it at some
//! moment, every match ends by then: a counter of steps, of whatever form.

use super::search::InvariantSearch;
use ludex_gdl::budget::Stop;
use ludex_net::{Gate, Lit, Net, Readers};

/// Gates that are looked at in all moments together.
const WORK: usize = 30_000_000;

impl InvariantSearch<'_> {
    /// False if the clockwork ends no match.
    pub(super) fn clockwork(&mut self) -> Result<bool, Stop> {
        self.found.prover.budget().check()?;
        let Some((steps, about)) = last_moment(&self.found.net) else { return Ok(false) };
        self.report_end_seen(steps, about);
        Ok(true)
    }
}

/// The steps after which the clockwork ends every match, with its facts; none where it does not.
fn last_moment(net: &Net) -> Option<(usize, Vec<usize>)> {
    let moved = moved(net);
    let ends = net.operands(net.terminal, false).into_iter().filter(|end| !moved[end.gate()]);
    let ends: Vec<Lit> = ends.collect();
    let (about, gates) = needed(net, &ends);
    let mut values = vec![false; net.gates.len()];
    let mut now: Vec<bool> = about.iter().map(|b| net.bases[*b].initial).collect();
    let holds = |values: &[bool], lit: Lit| values[lit.gate()] != lit.negated();
    for step in 0..WORK / gates.len().max(1) {
        about.iter().zip(&now).for_each(|(b, value)| values[net.base_lit(*b).gate()] = *value);
        for g in &gates {
            values[*g] = match net.gates[*g] {
                Gate::And(a, b) => holds(&values, a) && holds(&values, b),
                Gate::Or(a, b) => holds(&values, a) || holds(&values, b),
                _ => values[*g],
            };
        }
        if ends.iter().any(|end| holds(&values, *end)) {
            return Some((step, about));
        }
        let next: Vec<bool> = about.iter().map(|b| holds(&values, net.bases[*b].next)).collect();
        if next == now {
            return None;
        }
        now = next;
    }
    None
}

/// The gates that moves may change, now or later. Those in loops count as such: their values do not follow from those
/// of their operands.
fn moved(net: &Net) -> Vec<bool> {
    let readers = Readers::new(net);
    let mut moved = vec![false; net.gates.len()];
    let from = |gate: &Gate| matches!(gate, Gate::Input(_)) || gate.is_loop();
    let mut open: Vec<usize> = (0..net.gates.len()).filter(|g| from(&net.gates[*g])).collect();
    let mut after: Vec<Vec<usize>> = vec![vec![]; net.gates.len()];
    for (b, base) in net.bases.iter().enumerate() {
        after[base.next.gate()].push(net.base_lit(b).gate());
    }
    while let Some(g) = open.pop() {
        if !std::mem::replace(&mut moved[g], true) {
            open.extend(readers.of(g).iter().map(|reader| *reader as usize));
            open.extend(&after[g]);
        }
    }
    moved
}

/// The facts and gates, in order, on which literals depend, now or later.
fn needed(net: &Net, lits: &[Lit]) -> (Vec<usize>, Vec<usize>) {
    let mut seen = vec![false; net.gates.len()];
    let mut open: Vec<usize> = lits.iter().map(|lit| lit.gate()).collect();
    while let Some(g) = open.pop() {
        if std::mem::replace(&mut seen[g], true) {
            continue;
        }
        match net.gates[g] {
            Gate::Base(b) => open.push(net.bases[b as usize].next.gate()),
            gate => {
                open.extend(gate.operands().into_iter().flat_map(|(a, b)| [a.gate(), b.gate()]))
            }
        }
    }
    let bases = (0..net.bases.len()).filter(|b| seen[net.base_lit(*b).gate()]).collect();
    let gates = (0..net.gates.len()).filter(|g| seen[*g]).collect();
    (bases, gates)
}
