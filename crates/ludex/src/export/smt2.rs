//! `Aig` -> SMT-LIB 2 with the annotations of VMT-LIB: first state, transition, and by role the property that it
//! never ends with its best goal.

use super::aig::Aig;
use ludex_net::Lit;
use std::fmt::Write;

pub fn text(aig: &Aig) -> String {
    let net = &aig.net;
    let mut out = format!("; {}\n(set-logic QF_UF)\n", net.name);
    let mut line = |text: String| writeln!(out, "{text}").expect("a string takes all");
    let states: Vec<String> =
        net.bases.iter().map(|b| b.name.clone()).chain([".over".to_string()]).collect();
    for i in 0..net.inputs.len() {
        line(format!("(declare-fun {} () Bool)", symbol(&aig.input_name(i))));
    }
    for (i, state) in states.iter().enumerate() {
        let (now, next) = (symbol(state), symbol(&format!("{state}'")));
        line(format!("(declare-fun {now} () Bool)\n(declare-fun {next} () Bool)"));
        line(format!("(define-fun .state{i} () Bool (! {now} :next {next}))"));
    }
    for (i, (a, b)) in aig.ands.iter().enumerate() {
        let number = aig.first() + i;
        line(format!("(define-fun .g{number} () Bool (and {} {}))", term(aig, *a), term(aig, *b)));
    }
    for (name, lit) in aig.outputs() {
        line(format!("(define-fun {} () Bool {})", symbol(&name), term(aig, lit)));
    }
    let first = |(name, initial): (&String, bool)| match initial {
        true => symbol(name),
        false => format!("(not {})", symbol(name)),
    };
    let initial = net.bases.iter().map(|b| b.initial).chain([false]);
    let initial: Vec<String> = states.iter().zip(initial).map(first).collect();
    line(format!("(define-fun .init () Bool (! (and true {}) :init true))", initial.join(" ")));
    let nexts = net.bases.iter().map(|b| aig.of(b.next)).chain([aig.over_next]);
    let step = |(name, lit): (&String, Lit)| {
        format!("(= {} {})", symbol(&format!("{name}'")), term(aig, lit))
    };
    let steps: Vec<String> = states.iter().zip(nexts).map(step).collect();
    line(format!("(define-fun .fair () Bool {})", term(aig, aig.fair)));
    line(format!("(define-fun .trans () Bool (! (and .fair {}) :trans true))", steps.join(" ")));
    for (i, (name, lit)) in aig.best.iter().enumerate() {
        let told = symbol(&format!("never: {name}"));
        line(format!("(define-fun {told} () Bool (! {} :invar-property {i}))", term(aig, !*lit)));
    }
    out
}

fn term(aig: &Aig, lit: Lit) -> String {
    let (inputs, bases) = (aig.net.inputs.len(), aig.net.bases.len());
    let plain = match lit.gate() {
        0 => return if lit.negated() { "true" } else { "false" }.into(),
        g if g <= inputs => symbol(&aig.input_name(g - 1)),
        g if g <= inputs + bases => symbol(&aig.net.bases[g - 1 - inputs].name),
        g if g < aig.first() => ".over".into(),
        g => format!(".g{g}"),
    };
    if lit.negated() { format!("(not {plain})") } else { plain }
}

/// A name with anything in it, between bars.
fn symbol(name: &str) -> String {
    match name {
        ".over" => name.into(),
        name => format!("|{}|", name.replace(['|', '\\'], "_")),
    }
}
