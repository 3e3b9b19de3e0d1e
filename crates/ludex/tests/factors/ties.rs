//! What ties a game together is told: moves by what they do or by when they are legal, and goals only where
//! the game would fall apart without them.

use super::*;
use ludex::facts::factor::Tie;

/// Three lamps that stay lit; how each is lit, and when the game is won, is to be put in.
fn lamps(rules: &str) -> Arc<Net> {
    let common = "(role you) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (lamp a) (lamp b) (lamp c)
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (on ?x)) (true (on ?x)))
        (<= terminal (true (step 3)))
        (legal you wait) (<= (goal you 0) (not won)) (<= (goal you 100) won)";
    read("lamps", &format!("{common}\n{rules}")).expect("a game")
}

fn explained(net: &Net) -> Factors {
    let nothing = Lemmas::new(Arc::new(net.clone()));
    Factors::explained(net, &initial(net), &nothing, &Budget::unlimited()).expect("no limit")
}

fn tie(net: &Net) -> Tie {
    let found = explained(net);
    assert_eq!(found.kind, FactorKind::Single);
    found.tie.expect("one game")
}

const PRESS: &str = "(<= (next (on ?x)) (does you (press ?x)))";
const EACH: &str = "(<= (legal you (press ?x)) (lamp ?x))";
/// Two of the lamps are tied by the goal, the third is not.
const GOAL: &str = "(<= won (true (on a)) (true (on b))) (<= won (true (on c)))";

#[test]
fn legality_alone_is_not_told_as_a_goal() {
    let legal = "(<= (legal you (press a)) (not (true (on b))) (not (true (on c))))
        (<= (legal you (press b)) (not (true (on a))) (not (true (on c))))
        (<= (legal you (press c)) (not (true (on a))) (not (true (on b))))";
    let found = tie(&lamps(&format!("{PRESS} {legal} {GOAL}")));
    assert_eq!((&found.goal, &found.effect, &found.other), (&None, &None, &None), "{found}");
    assert!(found.legality.is_some());
    assert!(found.to_string().starts_with("when moves are legal, such as (press "), "{found}");
}

#[test]
fn effects_alone_are_not_told_as_a_goal() {
    let press = "(<= (next (on ?x)) (does you (press ?y)) (lamp ?x) (distinct ?x ?y))";
    let found = tie(&lamps(&format!("{press} {EACH} {GOAL}")));
    assert_eq!((&found.goal, &found.legality, &found.other), (&None, &None, &None), "{found}");
    assert!(found.to_string().starts_with("what moves do, such as (press "), "{found}");
}

#[test]
fn a_goal_that_ties_all_is_told_alone() {
    let goal =
        "(<= won (true (on a)) (not (true (on b)))) (<= won (true (on b)) (not (true (on c))))
        (<= won (true (on c)) (not (true (on a))))";
    let found = tie(&lamps(&format!("{PRESS} {EACH} {goal}")));
    assert_eq!(found.to_string(), "goal 100 of you");
}

#[test]
fn a_goal_and_moves_that_tie_only_together_are_both_told() {
    let legal = "(<= (legal you (press ?x)) (lamp ?x) (distinct ?x b))
        (<= (legal you (press b)) (not (true (on c))))";
    let found = tie(&lamps(&format!("{PRESS} {legal} {GOAL}")));
    assert_eq!(found.to_string(), "goal 100 of you, and when moves are legal, such as (press b)");
}

#[test]
fn without_such_ties_it_falls_apart() {
    let net = lamps(&format!("{PRESS} {EACH} {GOAL}"));
    let found = explained(&net);
    assert_eq!((found.tie, found.factors.len()), (None, 2));
}
