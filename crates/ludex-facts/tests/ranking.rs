//! Every match ends: weights of facts whose sum falls with every step, or play that comes back.

use ludex_facts::invariants::{Invariant, InvariantKind, Invariants, Ranking};
use ludex_facts::prove::Verdict;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_net::Net;
use ludex_net::ground::Ground;
use std::sync::Arc;

fn invariants(text: &str) -> (Invariants, Rules) {
    let source = Source::new("game", text);
    let read = Rules::read(&source, None);
    let (rules, _) = read.unwrap_or_else(|report| panic!("{}", report.render(&source)));
    let budget = Budget::unlimited();
    let ground = Ground::new(&rules, &budget).expect("a small game");
    let net = Net::new(&ground, &budget).expect("no limit");
    (Invariants::find(&Arc::new(net), &budget).expect("no limit"), rules)
}

fn ends(found: &Invariants) -> &Invariant {
    let of_ends = |i: &&Invariant| matches!(i.kind, InvariantKind::Termination(_));
    found.found.iter().find(of_ends).expect("it is always asked")
}

/// The sum falls with every sampled step: a check that shares nothing with the proof.
fn falls(found: &Invariants) {
    // Facts that change once need no weights.
    let Some(Ranking { sums, steps }) = &found.ranking else { return };
    let worth = |state: usize| -> Vec<i64> {
        let sum = |sum: &Vec<(usize, i64)>| {
            let holds = sum.iter().filter(|(base, _)| found.samples.holds(state, *base));
            holds.map(|(_, weight)| weight).sum()
        };
        sums.iter().map(sum).collect()
    };
    let goes_on = |s: &usize| found.samples.joints[*s..*s + steps].iter().all(|j| !j.is_empty());
    let mut starts = (0..found.samples.states.len() - steps).filter(goes_on);
    assert!(starts.all(|s| worth(s + steps) < worth(s)), "{sums:?}");
}

fn bound(text: &str) -> usize {
    let (found, _) = invariants(text);
    let end = ends(&found);
    assert!(matches!(end.verdict, Verdict::Proved { .. }), "{}", found.text(end));
    falls(&found);
    let InvariantKind::Termination(steps) = end.kind else { unreachable!() };
    steps
}

#[test]
fn pawns_go_forward() {
    let steps = bound(include_str!("../../../games/breakthrough-small.gdl"));
    assert!((20..=200).contains(&steps), "{steps}");
    let steps = bound(include_str!("../../../games/breakthrough.gdl"));
    assert!((100..=500).contains(&steps), "{steps}");
}

#[test]
fn squares_are_removed() {
    // Two pieces on a ring of squares; the square that is left goes.
    let steps = bound(
        "(role white) (role black)
         (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 1)
         (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
         (init (at white 1)) (init (at black 4)) (init (control white))
         (init (open 2)) (init (open 3)) (init (open 5)) (init (open 6))
         (<= (legal ?r (move ?x ?y)) (true (control ?r)) (true (at ?r ?x)) (near ?x ?y) (true (open ?y)))
         (<= (legal white noop) (true (control black))) (<= (legal black noop) (true (control white)))
         (<= (next (at ?r ?y)) (does ?r (move ?x ?y)))
         (<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moves ?r)))
         (<= (moves ?r) (does ?r (move ?x ?y)))
         (<= (next (open ?z)) (true (open ?z)) (not (taken ?z)))
         (<= (taken ?y) (does ?r (move ?x ?y)))
         (<= (next (control white)) (true (control black)))
         (<= (next (control black)) (true (control white)))
         (<= (can ?r) (true (at ?r ?x)) (near ?x ?y) (true (open ?y)))
         (<= terminal (true (control ?r)) (not (can ?r)))
         (<= (goal ?r 0) (true (control ?r)) (not (can ?r)))
         (<= (goal ?r 100) (role ?r) (not (true (control ?r))))
         (<= (goal ?r 50) (true (control ?r)) (can ?r))",
    );
    assert!((4..=20).contains(&steps), "{steps}");
}

#[test]
fn one_sum_is_not_enough() {
    // A step lowers the second counter, or lowers the first and sets the second anew to any value.
    let steps = bound(
        "(role you) (succ 0 1) (succ 1 2) (succ 2 3) (value 0) (value 1) (value 2) (value 3)
         (init (high 3)) (init (low 3))
         (<= (legal you down) (true (low ?n)) (succ ?m ?n))
         (<= (legal you (set ?n)) (true (high ?h)) (succ ?g ?h) (value ?n))
         (<= (next (low ?m)) (does you down) (true (low ?n)) (succ ?m ?n))
         (<= (next (high ?h)) (does you down) (true (high ?h)))
         (<= (next (low ?n)) (does you (set ?n)))
         (<= (next (high ?g)) (does you (set ?n)) (true (high ?h)) (succ ?g ?h))
         (<= terminal (true (high 0)) (true (low 0)))
         (goal you 100)",
    );
    assert!((15..=40).contains(&steps), "{steps}");
}

#[test]
fn play_that_comes_back_refutes() {
    let (mut found, rules) = invariants(
        "(role you) (init (at a)) (link a b) (link b c) (link c a) (link c d)
         (<= (legal you (go ?y)) (true (at ?x)) (link ?x ?y))
         (<= (next (at ?y)) (does you (go ?y)))
         (<= terminal (true (at d)))
         (goal you 100)",
    );
    found.confirm(&rules, &Budget::unlimited());
    let Verdict::Refuted { moves } = &ends(&found).verdict else { panic!("not refuted") };
    assert_eq!(moves.len() % 3, 0, "{moves:?}");
}

#[test]
fn who_cannot_move_passes() {
    // Pawns on one file; one step may change nothing but whose turn it is, two never do.
    let text = "(role x) (role o) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (file a) (file b)
         (init (at a 1 x)) (init (at a 3 o)) (init (at b 1 x)) (init (at b 5 o)) (init (control x))
         (<= (taken ?f ?y) (true (at ?f ?y ?r)))
         (<= (can x ?f ?y ?z) (true (at ?f ?y x)) (succ ?y ?z) (not (taken ?f ?z)))
         (<= (can o ?f ?y ?z) (true (at ?f ?y o)) (succ ?z ?y) (not (taken ?f ?z)))
         (<= (some ?r) (can ?r ?f ?y ?z))
         (<= (legal ?r (move ?f ?y ?z)) (true (control ?r)) (can ?r ?f ?y ?z))
         (<= (legal ?r pass) (role ?r) (not (true (control ?r))))
         (<= (legal ?r pass) (role ?r) (not (some ?r)))
         (<= (left ?f ?y) (does ?r (move ?f ?y ?z)))
         (<= (next (at ?f ?y ?r)) (true (at ?f ?y ?r)) (not (left ?f ?y)))
         (<= (next (at ?f ?z ?r)) (does ?r (move ?f ?y ?z)))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= terminal (not (some x)) (not (some o)))
         (<= (goal ?r 50) (role ?r))";
    let steps = bound(text);
    assert!((4..=40).contains(&steps), "{steps}");
}

#[test]
fn whatever_is_chosen_time_goes_on() {
    // The counter goes on with each of the moves, and what they have put down falls.
    let steps = bound(
        "(role you) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (lane a) (lane b) (init (put 0))
         (<= (legal you (drop ?l)) (lane ?l) (not (true (put 4))))
         (<= (legal you wait) (true (put 4)))
         (<= dropped (does you (drop ?l)))
         (<= (next (put ?m)) dropped (true (put ?n)) (succ ?n ?m))
         (<= (next (put ?n)) (true (put ?n)) (not dropped))
         (<= (next (block ?l 4)) (does you (drop ?l)))
         (<= (next (block ?l ?m)) (true (block ?l ?n)) (succ ?m ?n))
         (<= terminal (true (put 4)) (not (true (block a 1))) (not (true (block b 1))))
         (goal you 100)",
    );
    assert_eq!(steps, 8);
}

#[test]
fn moves_that_are_taken_back_are_found() {
    // A large board, on which random play does not come back soon.
    let (mut found, rules) = invariants(
        "(role you) (role me) (init (at you 1 1)) (init (at me 8 8)) (init (control you))
         (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
         (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
         (<= (legal ?r (go ?x ?y ?z ?u)) (true (control ?r)) (true (at ?r ?x ?y)) (near ?x ?z) (near ?y ?u))
         (<= (legal you noop) (true (control me))) (<= (legal me noop) (true (control you)))
         (<= (next (at ?r ?z ?u)) (does ?r (go ?x ?y ?z ?u)))
         (<= (next (at ?r ?x ?y)) (true (at ?r ?x ?y)) (does ?r noop))
         (<= (next (control you)) (true (control me))) (<= (next (control me)) (true (control you)))
         (<= terminal (true (at you 8 8)))
         (<= (goal ?r 50) (role ?r))",
    );
    found.confirm(&rules, &Budget::unlimited());
    assert!(matches!(ends(&found).verdict, Verdict::Refuted { .. }));
}

#[test]
fn passes_do_not_follow_each_other() {
    // Who has no square left waits for the other; what is filled stays so.
    let steps = bound(
        "(role x) (role o) (own x 1) (own x 2) (own x 3) (own o 4) (init (control x))
         (<= (some ?r) (own ?r ?s) (not (true (full ?s))))
         (<= (legal ?r (fill ?s)) (true (control ?r)) (own ?r ?s) (not (true (full ?s))))
         (<= (legal ?r pass) (role ?r) (not (true (control ?r))))
         (<= (legal ?r pass) (true (control ?r)) (not (some ?r)))
         (<= (next (full ?s)) (true (full ?s))) (<= (next (full ?s)) (does ?r (fill ?s)))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= terminal (not (some x)) (not (some o)))
         (<= (goal ?r 50) (role ?r))",
    );
    assert_eq!(steps, 9);
}

#[test]
fn passes_that_may_follow_each_other_prove_nothing() {
    // The same, but nobody needs to fill.
    let (found, _) = invariants(
        "(role x) (role o) (own x 1) (own x 2) (own o 4) (init (control x))
         (<= (legal ?r (fill ?s)) (true (control ?r)) (own ?r ?s) (not (true (full ?s))))
         (<= (legal ?r pass) (role ?r))
         (<= (next (full ?s)) (true (full ?s))) (<= (next (full ?s)) (does ?r (fill ?s)))
         (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
         (<= terminal (true (full 1)) (true (full 2)) (true (full 4)))
         (<= (goal ?r 50) (role ?r))",
    );
    assert!(matches!(ends(&found).verdict, Verdict::Refuted { .. }));
}

#[test]
fn after_a_pass_comes_none() {
    // After each square something is switched at will.
    let steps = bound(
        "(role you) (cell a) (cell b) (cell c) (way up) (way down) (init (phase put))
         (<= (legal you (put ?c)) (true (phase put)) (cell ?c) (not (true (full ?c))))
         (<= (legal you (turn ?w)) (true (phase turn)) (way ?w))
         (<= (next (full ?c)) (true (full ?c))) (<= (next (full ?c)) (does you (put ?c)))
         (<= (next (phase turn)) (does you (put ?c))) (<= (next (phase put)) (does you (turn ?w)))
         (<= (next high) (does you (turn up))) (<= (next high) (true high) (not (does you (turn down))))
         (<= open (cell ?c) (not (true (full ?c))))
         (<= terminal (true (phase put)) (not open))
         (goal you 50)",
    );
    assert_eq!(steps, 7);
}
