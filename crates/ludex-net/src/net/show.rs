//! What a net looks like: its size, its depth, and its picture.

use super::{Gate, Lit, Net};
use std::fmt::Write;

impl Net {
    /// The number of gates, without bases and inputs.
    pub fn gate_count(&self) -> usize {
        self.gates.len() - 1 - self.bases.len() - self.inputs.len()
    }

    /// The number of gates on the longest path; inside a component a gate counts operands before it.
    pub fn depth(&self) -> usize {
        let mut depth = vec![0u32; self.gates.len()];
        for (g, gate) in self.gates.iter().enumerate() {
            if let Some((a, b)) = gate.operands() {
                let of = |l: Lit| if l.gate() < g { depth[l.gate()] } else { 0 };
                depth[g] = 1 + of(a).max(of(b));
            }
        }
        depth.into_iter().max().unwrap_or(0) as usize
    }

    /// The net in the language of Graphviz: negated edges are dashed, transitions dotted.
    pub fn dot(&self) -> String {
        let mut out =
            String::from("digraph net {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
        let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        for (g, gate) in self.gates.iter().enumerate() {
            let (label, shape) = match gate {
                Gate::False => continue,
                Gate::Base(b) => (quote(&self.bases[*b as usize].name), "box"),
                Gate::Input(i) => {
                    let input = &self.inputs[*i as usize];
                    (quote(&format!("{} {}", self.roles[input.role], input.name)), "house")
                }
                Gate::And(..) | Gate::LoopAnd(..) => ("and".into(), "ellipse"),
                Gate::Or(..) | Gate::LoopOr(..) => ("or".into(), "ellipse"),
            };
            let _ = writeln!(out, "  g{g} [label=\"{label}\", shape={shape}];");
            if let Some((a, b)) = gate.operands() {
                edge(&mut out, a, &format!("g{g}"), "");
                edge(&mut out, b, &format!("g{g}"), "");
            }
        }
        for (i, base) in self.bases.iter().enumerate() {
            edge(&mut out, base.next, &format!("g{}", 1 + i), "color=gray, constraint=false, ");
        }
        let mut output = |name: String, text: String, lit: Lit| {
            let _ = writeln!(out, "  {name} [label=\"{}\", shape=plaintext];", quote(&text));
            edge(&mut out, lit, &name, "");
        };
        output("terminal".into(), "terminal".into(), self.terminal);
        for (i, input) in self.inputs.iter().enumerate() {
            let text = format!("legal {} {}", self.roles[input.role], input.name);
            output(format!("l{i}"), text, input.legal);
        }
        for (r, goals) in self.goals.iter().enumerate() {
            for (value, lit) in goals {
                output(
                    format!("goal{r}_{}", value.unsigned_abs()),
                    format!("goal {} {value}", self.roles[r]),
                    *lit,
                );
            }
        }
        out.push_str("}\n");
        out
    }
}

/// An edge from a literal; constants have none.
fn edge(out: &mut String, lit: Lit, to: &str, style: &str) {
    if lit.gate() != 0 {
        let line = if lit.negated() { "dashed" } else { "solid" };
        let _ = writeln!(out, "  g{} -> {to} [{style}style={line}];", lit.gate());
    }
}
