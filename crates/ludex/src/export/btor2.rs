//! `Aig` -> BTOR2: words of one bit; the same states, bad states and constraint as in AIGER.

use super::aig::Aig;
use ludex_net::Lit;
use std::fmt::Write;

pub fn text(aig: &Aig) -> String {
    let net = &aig.net;
    let mut out = format!("; {}\n1 sort bitvec 1\n2 zero 1\n3 one 1\n", net.name);
    // A node has the number of its gate and these.
    const BEFORE: i64 = 3;
    let id = |lit: Lit| match lit {
        Lit::FALSE => 2,
        Lit::TRUE => 3,
        lit if lit.negated() => -(lit.gate() as i64 + BEFORE),
        lit => lit.gate() as i64 + BEFORE,
    };
    let mut line = |text: std::fmt::Arguments| writeln!(out, "{text}").expect("a string takes all");
    for i in 0..net.inputs.len() {
        let number = id(Lit::new(1 + i, false));
        line(format_args!("{number} input 1 {}", symbol(&aig.input_name(i))));
    }
    for (b, base) in net.bases.iter().enumerate() {
        line(format_args!("{} state 1 {}", id(aig.latch(b)), symbol(&base.name)));
    }
    line(format_args!("{} state 1 .over", id(aig.over)));
    for (i, (a, b)) in aig.ands.iter().enumerate() {
        let number = (aig.first() + i) as i64 + BEFORE;
        line(format_args!("{number} and 1 {} {}", id(*a), id(*b)));
    }
    let mut next = (aig.first() + aig.ands.len()) as i64 + BEFORE - 1;
    let mut numbered = |text: String| {
        next += 1;
        writeln!(out, "{next} {text}").expect("a string takes all");
    };
    for (b, base) in net.bases.iter().enumerate() {
        let first = if base.initial { 3 } else { 2 };
        numbered(format!("init 1 {} {first}", id(aig.latch(b))));
        numbered(format!("next 1 {} {}", id(aig.latch(b)), id(aig.of(base.next))));
    }
    numbered(format!("init 1 {} 2", id(aig.over)));
    numbered(format!("next 1 {} {}", id(aig.over), id(aig.over_next)));
    numbered(format!("constraint {}", id(aig.fair)));
    aig.best.iter().for_each(|(name, lit)| numbered(format!("bad {} {}", id(*lit), symbol(name))));
    for (name, lit) in aig.outputs() {
        numbered(format!("output {} {}", id(lit), symbol(&name)));
    }
    out
}

/// A name in one word.
fn symbol(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c == ';', "_")
}
