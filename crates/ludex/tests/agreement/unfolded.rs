//! A rule over four things with a property in common is split along the property.

use super::lockstep::{Plan, backends, net, walk};
use ludex::rules::Rules;
use ludex::source::Source;

fn alike() -> String {
    let has: String = (0..16)
        .flat_map(|thing| (0..4).map(move |bit| (thing, bit)))
        .map(|(thing, bit)| format!("(has p{bit}{} t{thing})\n", thing >> bit & 1))
        .collect();
    let things: String = (0..16).map(|t| format!("(thing t{t})\n")).collect();
    "(role r) (place 1) (place 2) (place 3) (place 4)\n".to_string()
        + &things
        + &has
        + "(<= (legal r (put ?x ?t)) (place ?x) (thing ?t) (not (taken ?x)))\n"
        + "(<= (taken ?x) (true (on ?x ?t)))\n"
        + "(<= (next (on ?x ?t)) (true (on ?x ?t)))\n"
        + "(<= (next (on ?x ?t)) (does r (put ?x ?t)))\n"
        + "(<= (alike ?a ?b ?c ?d) (has ?p ?a) (has ?p ?b) (has ?p ?c) (has ?p ?d))\n"
        + "(<= win (true (on 1 ?a)) (true (on 2 ?b)) (true (on 3 ?c)) (true (on 4 ?d)) (alike ?a ?b ?c ?d))\n"
        + "(<= terminal (taken 1) (taken 2) (taken 3) (taken 4))\n"
        + "(<= (goal r 100) win) (<= (goal r 0) (not win))\n"
}

#[test]
fn large_fixed_relations_are_unfolded() {
    let source = Source::new("alike.kif", alike());
    let (rules, _) = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
    let net = net(&rules).expect("a network").expect("small");
    assert!(net.gates.len() < 1_000, "{} gates for 27,120 sets of four", net.gates.len());
    let plan = Plan { seed: 3, playouts: 40, states: 5, past_terminal: false };
    let states = walk(&rules, &net, &backends(), plan).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(states, 200);
}
