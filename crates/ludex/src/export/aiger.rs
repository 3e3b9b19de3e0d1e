//! `Aig` -> AIGER 1.9 as ASCII: inputs, latches with their first values, outputs, and by role a bad state, the
//! end with the role's best goal, under the constraint of legal play.

use super::aig::Aig;
use std::fmt::Write;

pub fn text(aig: &Aig) -> String {
    let net = &aig.net;
    let outputs = aig.outputs();
    let (inputs, latches) = (net.inputs.len(), net.bases.len() + 1);
    let mut out = format!(
        "aag {} {inputs} {latches} {} {} {} 1\n",
        inputs + latches + aig.ands.len(),
        outputs.len(),
        aig.ands.len(),
        aig.best.len(),
    );
    let mut line = |text: std::fmt::Arguments| writeln!(out, "{text}").expect("a string takes all");
    (1..=inputs).for_each(|i| line(format_args!("{}", 2 * i)));
    for (b, base) in net.bases.iter().enumerate() {
        let first = base.initial as u8;
        line(format_args!("{} {} {first}", aig.latch(b).0, aig.of(base.next).0));
    }
    line(format_args!("{} {} 0", aig.over.0, aig.over_next.0));
    outputs.iter().for_each(|(_, lit)| line(format_args!("{}", lit.0)));
    aig.best.iter().for_each(|(_, lit)| line(format_args!("{}", lit.0)));
    line(format_args!("{}", aig.fair.0));
    for (i, (a, b)) in aig.ands.iter().enumerate() {
        line(format_args!("{} {} {}", 2 * (aig.first() + i), b.0, a.0));
    }
    (0..inputs).for_each(|i| line(format_args!("i{i} {}", aig.input_name(i))));
    net.bases.iter().enumerate().for_each(|(b, base)| line(format_args!("l{b} {}", base.name)));
    line(format_args!("l{} .over", net.bases.len()));
    outputs.iter().enumerate().for_each(|(i, (name, _))| line(format_args!("o{i} {name}")));
    aig.best.iter().enumerate().for_each(|(i, (name, _))| line(format_args!("b{i} {name}")));
    line(format_args!("c0 legal play"));
    line(format_args!("c\n{}", net.name));
    out
}
