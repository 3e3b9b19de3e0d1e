//! Corner cases of the translation, each a minimal game.

use super::matches::same_states;
use super::{changes, read, translated};
use ludex::frame::{Basis, Covering};
use ludex::rules::Rules;

/// One player who can do `a`, or `b` with a number; rules are added.
fn game(rules: &str) -> Rules {
    let common = "(role p) (num 1) (num 2) (num 3) (<= (legal p (b ?n)) (num ?n)) (legal p a)
        (<= terminal (true never)) (goal p 0) (<= (next alive) (true alive)) (init alive) ";
    read("corner.kif", &format!("{common} {rules}"))
}

fn check(rules: &Rules) {
    let bases = [Basis::Names, Basis::Heads, Basis::Only(vec!["q".into()])];
    let frames: Vec<_> = Covering::ALL
        .into_iter()
        .flat_map(|c| bases.iter().map(move |b| (c, b)))
        .map(|(covering, basis)| translated(rules, covering, basis))
        .collect();
    for seed in 0..4 {
        assert_eq!(same_states(rules, &frames, 30, seed), 30);
    }
}

fn direct(rules: &Rules) -> Vec<String> {
    changes(&translated(rules, Covering::Direct, &Basis::Names))
}

#[test]
fn kept_and_produced() {
    let rules = game(
        "(init (q 1)) (<= (next (q ?n)) (true (q ?n)) (does p (b ?m)) (distinct ?n ?m))
         (<= (next (q 2)) (true (q 1))) (<= (next (q 2)) (does p (b 2))) (<= (next (q 1)) (does p a))",
    );
    check(&rules);
    assert_eq!(
        direct(&rules),
        [
            "(<= (fnext (q ?X)) (does p (b ?X)) (true (q ?X)))",
            "(<= (fnext (q ?X)) (does p a) (true (q ?X)))",
        ]
    );
}

#[test]
fn negated_moves() {
    let rules = game(
        "(init (q 1)) (init (q 2)) (<= (next (q ?n)) (true (q ?n)) (not (does p (b ?n))))
         (<= (next (q 1)) (does p (b 3)))",
    );
    check(&rules);
    assert_eq!(direct(&rules), ["(<= (fnext (q ?X)) (does p (b ?X)) (true (q ?X)))"]);
}

#[test]
fn several_frame_rules_for_one_fluent() {
    let rules = game(
        "(init (q 1 x)) (init (q 2 y)) (<= (next (q ?n x)) (true (q ?n x)))
         (<= (next (q ?n y)) (true (q ?n y)) (does p a))
         (<= (next (q ?n y)) (true (q ?n y)) (does p (b ?m)) (true (q ?m x)))
         (<= (next (q ?n y)) (does p (b ?n)))",
    );
    check(&rules);
    assert_eq!(
        direct(&rules),
        ["(<= (fnext (q ?X y)) (does p (b ?A)) (true (q ?X y)) (not (true (q ?A x))))"]
    );
}

#[test]
fn quantified_conditions() {
    let rules = game(
        "(less 1 2) (less 2 3) (init (q 1)) (init (q 2)) (init (q 3))
         (<= (next (q ?n)) (true (q ?n)) (less ?n ?m) (not (does p (b ?m))))
         (<= (next (q 3)) (does p a)) (<= (next (q ?n)) (does p (b ?n)))",
    );
    check(&rules);
}

#[test]
fn nested_terms() {
    let rules = game(
        "(init (q (pair 1 2))) (init (q (pair 2 2))) (init (q alone))
         (<= (next (q (pair ?x ?y))) (true (q (pair ?x ?y))) (does p (b ?z)) (distinct ?x ?z))
         (<= (next (q (pair ?x ?x))) (true (q (pair ?x ?x))) (does p a))
         (<= (next (q alone)) (true (q alone)) (not (true (q (pair 1 2)))))
         (<= (next (q (pair ?x 2))) (does p (b ?x)) (not (true (q (pair ?x 2)))))",
    );
    check(&rules);
}

#[test]
fn recursion_in_the_conditions() {
    let rules = game(
        "(edge 1 2) (edge 2 3) (init (q 1)) (init (q 2)) (init (q 3)) (init (cut 2 3))
         (<= (reach ?x) (does p (b ?x))) (<= (reach ?y) (reach ?x) (edge ?x ?y) (not (true (cut ?x ?y))))
         (<= (next (q ?n)) (true (q ?n)) (not (reach ?n)))
         (<= (next (cut ?x ?y)) (true (cut ?x ?y)) (not (does p a)))
         (<= (next (cut ?x ?y)) (edge ?x ?y) (does p (b 1)))
         (<= (next (q 2)) (does p a)) (<= (next (q 1)) (does p a))",
    );
    check(&rules);
}

#[test]
fn a_variable_as_fluent_stays_as_it_is() {
    let rules =
        game("(init (q 1)) (<= (next ?f) (true ?f) (does p a)) (<= (next (q ?n)) (does p (b ?n)))");
    check(&rules);
}

#[test]
fn roles_as_variables_and_simultaneous_moves() {
    let rules = read(
        "roles.kif",
        "(role x) (role y) (role z) (num 1) (num 2) (num 3)
         (<= (legal ?r (take ?n)) (role ?r) (true (heap ?n))) (<= (legal ?r wait) (role ?r))
         (init (heap 1)) (init (heap 2)) (init (heap 3)) (init (last x))
         (<= taken (does ?r (take ?n)))
         (<= (next (heap ?n)) (true (heap ?n)) (not (gone ?n)))
         (<= (gone ?n) (does ?r (take ?n)) (does ?s (take ?n)) (distinct ?r ?s))
         (<= (next (heap ?n)) (num ?n) (not taken))
         (<= (next (last ?r)) (true (last ?r)) (does ?r wait))
         (<= (next (last ?r)) (true (last ?r)) (does ?s (take ?n)) (distinct ?r ?s) (does ?r (take ?m)) (distinct ?n ?m))
         (<= (next (last ?r)) (does ?r (take 1)))
         (<= terminal (true (heap 9))) (<= (goal ?r 0) (role ?r))",
    );
    let frames: Vec<_> =
        Covering::ALL.into_iter().map(|c| translated(&rules, c, &Basis::Names)).collect();
    for seed in 0..6 {
        assert_eq!(same_states(&rules, &frames, 40, seed), 40);
    }
}

#[test]
fn a_relation_that_is_called_fnext_already() {
    let rules = game("(init (q 1)) (fnext 1) (<= (next (q ?n)) (true (q ?n)) (fnext ?n))");
    check(&rules);
}

#[test]
fn definitions_are_unfolded() {
    let rules = game(
        "(init (q 1)) (init (q 2)) (<= (differ ?x ?y) (num ?x) (num ?y) (distinct ?x ?y))
         (<= (next (q ?n)) (true (q ?n)) (does p (b ?m)) (differ ?n ?m))
         (<= (next (q ?n)) (true (q ?n)) (does p a)) (<= (next (q 1)) (does p a))",
    );
    check(&rules);
    assert_eq!(direct(&rules), ["(<= (fnext (q ?X)) (does p (b ?X)) (true (q ?X)))"]);
}

/// Where conditions leave few values of a variable, the rules name these.
#[test]
fn few_values_are_named() {
    let rules = game(
        "(init (q 1 x)) (init (q 2 y)) (init (q 3 z)) (<= (next (q ?n x)) (true (q ?n x)))
         (<= (next (q ?n ?c)) (true (q ?n ?c)) (does p (b ?m)) (or (distinct ?n ?m) (keeps ?c)))
         (keeps y) (<= (next (q ?n ?c)) (does p a) (turns ?n ?c)) (turns 1 z) (turns 3 x) (turns 2 y)
         (<= (next (q ?n w)) (does p (b ?n)) (true (q ?n x))) ",
    );
    check(&rules);
    assert_eq!(
        direct(&rules),
        [
            "(<= (fnext (q ?X ?Y)) (does p a) (true (q ?X ?Y)) (distinct ?Y x))",
            "(<= (fnext (q ?X w)) (does p (b ?X)) (true (q ?X w)))",
            "(<= (fnext (q ?X z)) (does p (b ?X)) (true (q ?X z)))",
        ]
    );
}

/// What is known where a joint move is made is no condition of the rules.
#[test]
fn whose_turn_it_is_is_known_from_the_moves() {
    let text =
        "(role x) (role o) (succ 1 2) (succ 2 3) (init (piece 1)) (init (piece 2)) (init (piece 3))
        (init (control x))
        (<= (legal ?r (bite ?n)) (true (control ?r)) (true (piece ?n)))
        (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
        (<= (below ?a ?b) (succ ?a ?b)) (<= (below ?a ?c) (succ ?b ?c) (below ?a ?b))
        (<= (next (piece ?n)) (true (piece ?n)) (does ?r (bite ?m)) (below ?n ?m))
        (<= (next (piece ?n)) (true (piece ?n)) (not (true (control x))) (not (true (control o))))
        (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
        (<= terminal (not (true (piece 2)))) (<= (goal ?r 50) (role ?r))";
    let frame = translated(&read("bites", text), Covering::Pruned, &Basis::Names);
    let bites: Vec<String> =
        changes(&frame).into_iter().filter(|rule| rule.contains("(fnext (piece")).collect();
    assert!(!bites.is_empty() && bites.iter().all(|rule| !rule.contains("control")), "{bites:?}");
}
