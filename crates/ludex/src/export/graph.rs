//! `Net` -> GraphML: a node for each fact, move, gate and output, with an edge from what is read to what reads.

use ludex_net::{Gate, Lit, Net};
use std::fmt::Write;

pub fn graphml(net: &Net) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n\
         <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n\
         <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n\
         <key id=\"sense\" for=\"edge\" attr.name=\"sense\" attr.type=\"string\"/>\n\
         <graph id=\"net\" edgedefault=\"directed\">\n",
    );
    for (g, gate) in net.gates.iter().enumerate() {
        let (kind, label) = match gate {
            Gate::False => ("constant", "false".into()),
            Gate::Base(b) => ("fact", net.bases[*b as usize].name.clone()),
            Gate::Input(i) => ("move", move_name(net, *i as usize)),
            Gate::And(..) => ("and", String::new()),
            Gate::Or(..) => ("or", String::new()),
            Gate::LoopAnd(..) => ("and in a loop", String::new()),
            Gate::LoopOr(..) => ("or in a loop", String::new()),
        };
        node(&mut out, &format!("g{g}"), kind, &label);
    }
    for (g, gate) in net.gates.iter().enumerate() {
        if let Some((a, b)) = gate.operands() {
            [a, b].into_iter().for_each(|lit| edge(&mut out, lit, &format!("g{g}"), "reads"));
        }
    }
    for (b, base) in net.bases.iter().enumerate() {
        edge(&mut out, base.next, &format!("g{}", 1 + b), "next");
    }
    let mut output = |id: String, label: &str, lit: Lit| {
        node(&mut out, &id, "output", label);
        edge(&mut out, lit, &id, "reads");
    };
    output("terminal".into(), "terminal", net.terminal);
    for (i, input) in net.inputs.iter().enumerate() {
        output(format!("l{i}"), &format!("legal {}", move_name(net, i)), input.legal);
    }
    for (role, goals) in net.goals.iter().enumerate() {
        for (value, lit) in goals {
            let label = format!("goal {} {value}", net.roles[role]);
            output(format!("v{role}_{value}"), &label, *lit);
        }
    }
    out + "</graph>\n</graphml>\n"
}

fn move_name(net: &Net, input: usize) -> String {
    let input = &net.inputs[input];
    format!("{} {}", net.roles[input.role], input.name)
}

fn node(out: &mut String, id: &str, kind: &str, label: &str) {
    let label = label.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let data = format!("<data key=\"kind\">{kind}</data><data key=\"label\">{label}</data>");
    writeln!(out, "<node id=\"{id}\">{data}</node>").expect("a string takes all");
}

/// `sense` is `reads` or `next`, with `not` before it where the edge negates.
fn edge(out: &mut String, from: Lit, to: &str, sense: &str) {
    let (source, not) = (from.gate(), if from.negated() { "not " } else { "" });
    let data = format!("<data key=\"sense\">{not}{sense}</data>");
    writeln!(out, "<edge source=\"g{source}\" target=\"{to}\">{data}</edge>")
        .expect("a string takes all");
}
