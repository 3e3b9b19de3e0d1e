//! What a net needs: the gates that some output reads.

use super::{Gate, Lit, Net};

impl Net {
    /// Removes the gates that no output needs.
    pub fn sweep_dead(&mut self) {
        let leaves = 1 + self.bases.len() + self.inputs.len();
        let mut live = vec![false; self.gates.len()];
        live[..leaves].fill(true);
        let mut stack: Vec<Lit> = Vec::new();
        self.for_each_output(|l| stack.push(*l));
        let mut seen = vec![false; self.gates.len()];
        while let Some(l) = stack.pop() {
            if std::mem::replace(&mut seen[l.gate()], true) {
                continue;
            }
            live[l.gate()] = true;
            if let Some((a, b)) = self.gates[l.gate()].operands() {
                stack.extend([a, b]);
            }
        }
        let mut number = Vec::with_capacity(live.len());
        let mut count = 0;
        for l in &live {
            number.push(count);
            count += *l as usize;
        }
        let rename = |l: &mut Lit| *l = Lit::new(number[l.gate()], l.negated());
        let mut at = 0;
        self.gates.retain(|_| {
            at += 1;
            live[at - 1]
        });
        for gate in &mut self.gates {
            match gate {
                Gate::False | Gate::Base(_) | Gate::Input(_) => {}
                Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b) => {
                    rename(a);
                    rename(b);
                }
            }
        }
        self.for_each_output(rename);
        number.push(count);
        for c in &mut self.components {
            *c = number[c.start]..number[c.end];
        }
        self.components.retain(|c| !c.is_empty());
    }

    /// Calls `f` on every literal that leaves the circuit.
    fn for_each_output(&mut self, mut f: impl FnMut(&mut Lit)) {
        self.bases.iter_mut().for_each(|b| f(&mut b.next));
        self.inputs.iter_mut().for_each(|i| f(&mut i.legal));
        f(&mut self.terminal);
        self.goals.iter_mut().flatten().for_each(|g| f(&mut g.1));
    }
}
