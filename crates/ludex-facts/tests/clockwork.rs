//! Every match ends: facts that no move changes, and that end it at a moment.

use ludex_facts::invariants::{InvariantKind, Invariants};
use ludex_facts::prove::Verdict;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_net::Net;
use ludex_net::ground::Ground;
use std::sync::Arc;

/// The steps after which every match is proved to end.
fn end(text: &str) -> Option<usize> {
    let source = Source::new("game", text);
    let read = Rules::read(&source, None);
    let (rules, _) = read.unwrap_or_else(|report| panic!("{}", report.render(&source)));
    let budget = Budget::unlimited();
    let ground = Ground::new(&rules, &budget).expect("a small game");
    let net = Net::new(&ground, &budget).expect("no limit");
    let found = Invariants::find(&Arc::new(net), &budget).expect("no limit");
    found.found.iter().find_map(|i| match (&i.kind, &i.verdict) {
        (InvariantKind::Termination(steps), Verdict::Proved { .. }) => Some(*steps),
        _ => None,
    })
}

/// A lamp that is switched at will, beside `clock`.
fn lamp(clock: &str) -> String {
    format!(
        "(role you) (legal you switch) (legal you wait) (goal you 50) {clock}
         (<= (next lit) (does you switch) (not (true lit)))
         (<= (next lit) (does you wait) (true lit))"
    )
}

/// A binary number of four digits; `counts` is the condition on which it counts on.
fn binary(counts: &str, terminal: &str) -> String {
    lamp(&format!(
        "(digit 0) (digit 1) (digit 2) (digit 3) (below 0 1) (below 0 2) (below 0 3) (below 1 2) (below 1 3)
         (below 2 3)
         (<= (held ?d) (below ?e ?d) (not (true (bit ?e))))
         (<= (held ?d) (digit ?d) (not {counts}))
         (<= (next (bit ?d)) (true (bit ?d)) (held ?d))
         (<= (next (bit ?d)) (digit ?d) (not (true (bit ?d))) (not (held ?d)))
         (<= terminal {terminal})"
    ))
}

#[test]
fn a_binary_number_ends_the_match() {
    assert_eq!(end(&binary("(role you)", "(true (bit 2)) (true (bit 3))")), Some(12));
    let other = "(true (bit 0)) (true (bit 3)) (true lit)";
    let either = format!("(or (and {other}) (and (true (bit 2)) (true (bit 3))))");
    assert_eq!(end(&binary("(role you)", &either)), Some(12));
}

#[test]
fn a_number_that_a_move_holds_ends_nothing() {
    assert_eq!(end(&binary("(does you wait)", "(true (bit 2)) (true (bit 3))")), None);
    assert_eq!(end(&binary("(true lit)", "(true (bit 2)) (true (bit 3))")), None);
}

#[test]
fn an_end_that_needs_a_move_is_none() {
    assert_eq!(end(&binary("(role you)", "(true (bit 2)) (true (bit 3)) (true lit)")), None);
}

#[test]
fn clocks_that_pass_the_end_by_end_nothing() {
    // Two clocks of two moments each never show the third.
    let clock = "(init (at a)) (<= (next (at b)) (true (at a))) (<= (next (at a)) (true (at b)))
         (<= (next (at c)) (true (at a)) (true (at b))) (<= terminal (true (at c)))";
    assert_eq!(end(&lamp(clock)), None);
    // Clocks of two and three moments first meet after five steps.
    let clocks = "(after x y) (after y x) (after a b) (after b c) (after c a) (init (two x)) (init (three a))
         (<= (next (two ?n)) (true (two ?m)) (after ?m ?n))
         (<= (next (three ?n)) (true (three ?m)) (after ?m ?n))
         (<= terminal (true (two y)) (true (three c)))";
    assert_eq!(end(&lamp(clocks)), Some(5));
}
