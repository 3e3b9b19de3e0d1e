//! Fixed relations with too many tuples to list are conditions on one value after the other.

use super::lockstep::{Plan, backends, net, walk};
use ludex::machine::Scalar;
use ludex::reason::StateMachine;
use ludex::rules::Rules;
use ludex::source::Source;

/// Eight places for eight marks, most of them marked from the beginning. The goal is that every mark is
/// there once, said by a relation of 6.6 million tuples for "the first and no other is this one".
fn marks() -> String {
    let x = |from: usize| (from..=8).map(|i| format!("?x{i} ")).collect::<String>();
    let numbers = || 1..=8;
    let facts: String = numbers().map(|i| format!("(number {i}) (same {i} {i})\n")).collect();
    let bound: String = numbers().map(|i| format!("(number ?x{i}) ")).collect();
    let others: String = (2..=8).map(|i| format!("(not (same ?z ?x{i})) ")).collect();
    let once: String = numbers()
        .map(|i| {
            let rest: String = numbers().filter(|k| *k != i).map(|k| format!("?x{k} ")).collect();
            format!("(<= (once ?z {}) (first ?z ?x{i} {rest}))\n", x(1))
        })
        .collect();
    let marked: String = numbers().map(|i| format!("(true (mark {i} ?x{i})) ")).collect();
    let each: String = numbers().map(|z| format!("(once {z} {}) ", x(1))).collect();
    let init: String = [2, 3, 5, 6, 8].map(|i| format!("(init (mark {i} {i}))\n")).concat();
    format!(
        "(role r) {facts}{init}
         (<= (first ?z {all}) (same ?z ?x1) {bound}{others})
         {once}
         (<= (taken ?p) (true (mark ?p ?m)))
         (<= (legal r (put ?p ?m)) (number ?p) (number ?m) (not (taken ?p)))
         (<= (next (mark ?p ?m)) (does r (put ?p ?m)))
         (<= (next (mark ?p ?m)) (true (mark ?p ?m)))
         (<= good {marked}{each})
         (<= (lone ?x4) {marked}(once ?x4 {all}) (not (once 1 {all})))
         (<= open (number ?p) (not (taken ?p)))
         (<= terminal (not open))
         (<= (goal r 100) good)
         (<= (goal r 50) (not good) (lone ?m))
         (<= (goal r 0) (not good) (not some))
         (<= some (lone ?m))",
        all = x(1)
    )
}

#[test]
fn relations_that_cannot_be_listed_are_diagrams() {
    let source = Source::new("marks.kif", marks());
    let (rules, _) = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
    let net = net(&rules).expect("a network").expect("no relation is listed");
    assert!(net.gates.len() < 20_000, "{} gates for 8! ways", net.gates.len());
    let plan = Plan { seed: 1, playouts: 400, states: 4, past_terminal: false };
    let states = walk(&rules, &net, &backends(), plan).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(states, 1600);
    let mut game = Scalar::new(net);
    for (last, goal) in [("(put 7 7)", 100), ("(put 7 1)", 50), ("(put 7 4)", 0)] {
        let mut state = game.initial();
        for wanted in ["(put 1 1)", "(put 4 4)", last] {
            let mut legal = Vec::new();
            game.legal(&state, 0, &mut legal);
            let made = legal.into_iter().find(|m| game.move_text(0, *m) == wanted);
            state = game.next(&state, &[made.expect("legal")]);
        }
        assert_eq!(game.goal(&state, 0), Some(goal), "after {last}");
    }
}
