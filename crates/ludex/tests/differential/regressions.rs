//! The smallest games that once differed, each with what was wrong.

use crate::parts::{ALL, ask};
use crate::rules::Game;
use crate::subject::Subject;

/// Compares a game in all parts.
fn agrees(title: &str, text: &str) {
    let game = Game::read(text);
    let told = |why: String| panic!("{title}: {why}\n{game}");
    let subject = Subject::new(&game).unwrap_or_else(|failure| told(failure.to_string()));
    for part in &ALL {
        if let Err(failure) = ask(part, &subject) {
            told(failure.to_string());
        }
    }
}

#[test]
fn loops_that_lose_their_support_end() {
    agrees(
        "a symmetric closure keeps itself alive",
        "(role p) (init (link a b))
         (<= (adj ?x ?y) (true (link ?x ?y)))
         (<= (adj ?x ?y) (adj ?y ?x))
         (<= (legal p (use ?x ?y)) (adj ?x ?y))
         (legal p wait)
         (<= (next cut) (does p (use b a)))
         (<= terminal (true over)) (<= (next over) (true cut)) (goal p 0)",
    );
    agrees(
        "a transitive closure over a circle keeps itself alive",
        "(role p) (init (link a b)) (init (link b c)) (init (link c a))
         (<= (path ?x ?y) (true (link ?x ?y)))
         (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
         (<= (legal p (cut ?x ?y)) (path ?x ?y))
         (legal p wait)
         (<= (next (link ?x ?y)) (true (link ?x ?y)) (not (does p (cut ?x ?y))))
         (<= terminal (not (path a b)))
         (<= (goal p 100) (path b c)) (<= (goal p 0) (not (path b c)))",
    );
}

#[test]
fn negation_over_recursion_has_an_end() {
    agrees(
        "effects are followed round a loop",
        "(role p) (init (e 1 2)) (init (e 2 3)) (init (e 3 1))
         (<= (r ?x ?y) (true (e ?x ?y)))
         (<= (r ?x ?z) (r ?x ?y) (r ?y ?z))
         (<= (legal p go) (not (r 1 1)))
         (<= (legal p (cut ?x ?y)) (true (e ?x ?y)))
         (<= (next (e ?x ?y)) (true (e ?x ?y)) (not (does p (cut ?x ?y))))
         (<= terminal (not (r 1 1))) (goal p 30)",
    );
}

#[test]
fn loops_through_moves_come_after_loops_of_legality() {
    agrees(
        "sliced: nothing is taken, but something is marked",
        "(role r0) (node a) (init (link a a)) (init (control r0))
         (<= (path ?x ?y) (true (link ?x ?y)))
         (<= (path ?x ?y) (path ?y ?x))
         (<= (legal ?r (take ?x)) (true (control ?r)) (node ?x))
         (<= (legal ?r (cut ?x ?y)) (true (control ?r)) (path ?x ?y) (true (mark ?x)))
         (<= (legal ?r pass) (true (control ?r)))
         terminal (goal r0 30)
         (<= (hit ?x) (does ?r (take ?x)))
         (<= (hit ?y) (hit ?x) (true (link ?x ?y)))
         (<= (next (mark ?x)) (hit ?x))",
    );
}

#[test]
fn closures_of_moves_are_closed() {
    agrees(
        "sliced: a closure of moves is not closed",
        "(role r0) (node b) (node c) (edge c a)
         (<= (tied ?x ?y) (true (link ?x ?y)) (edge ?y ?z))
         (<= (tied ?x ?y) (tied ?y ?x))
         (<= (legal ?r (join ?x ?y)) (role ?r) (node ?x) (node ?y))
         (<= (legal ?r (go (from ?x) (to ?y))) (role ?r) (tied ?x ?y))
         terminal (goal r0 0)
         (<= (gone ?x ?y) (does r0 (go (from ?x) (to ?y))))
         (<= (gone ?x ?y) (gone ?y ?x))
         (<= (next (link ?x ?y)) (gone ?x ?y))
         (<= (next (link ?x ?y)) (does ?r (join ?x ?y)))",
    );
}

#[test]
fn symmetries_of_rules_may_be_none_of_the_net() {
    agrees(
        "the rules exchange a fact that always holds and one that does not",
        "(role r0) (node b) (node c) (init (link b c))
         (<= (legal ?r (cut ?x ?y)) (role ?r) (true (link ?x ?y)))
         terminal (goal r0 0)
         (<= (next (link ?x ?y)) (node ?x) (node ?y))",
    );
}

#[test]
fn symmetries_leave_constants_among_themselves() {
    agrees(
        "the net does not show any more what depends on a fact that always holds",
        "(role r0) (init flag)
         (<= (legal r0 pass) (true (mark b)))
         (<= terminal (true flag)) (goal r0 0)
         (next (mark b)) (next flag)",
    );
}

/// The end is a loop over both lamps, which the goals do not tie together.
#[test]
fn loops_tie_together_what_they_read() {
    agrees(
        "factors: the end is taken apart",
        "(role r) (lamp a) (lamp b)
         (<= (legal r (set ?x ?y)) (way ?x) (way ?y)) (way on) (way off)
         (<= (next (lit a)) (does r (set on ?y)))
         (<= (next (lit b)) (does r (set ?x on)))
         (<= over done) (<= done over)
         (<= done (true (lit a))) (<= done (true (lit b)))
         (<= terminal over)
         (<= (goal r 100) (true (lit a)) (true (lit b)))
         (<= (goal r 0) (not (true (lit a)))) (<= (goal r 0) (not (true (lit b))))",
    );
}

#[test]
fn the_first_question_may_be_about_a_state_without_facts() {
    agrees(
        "scalar: goals of the folded game are answered before they are asked for",
        "(role r0) (node b) (node c) (edge b b) (edge c a) (init (link a b)) (init (link b a))
         (<= (path ?x ?y) (edge ?x ?y) (not (true (mark ?x))))
         (<= (path ?x ?z) (path ?x ?y) (true (link ?y ?z)))
         (<= some (path ?x a))
         (<= (legal ?r wait) (role ?r))
         (<= terminal (true over))
         (<= (goal r0 0) (not some))
         (<= (next (link ?x ?y)) (true (link ?x ?y)))
         (<= (next (mark ?x)) (node ?x))",
    );
}

#[test]
fn goals_where_a_role_is_stuck_count_for_the_scale() {
    agrees(
        "solve: r0 cannot move after a step or two, which is worth nothing to anybody",
        "(role r0) (role r1) (node b) (node c)
         (init (control r0)) (next (control r0))
         (<= (legal r0 (mark ?x)) (true (control r0)) (node ?x) (not (true (mark ?x))))
         (<= (legal r1 wait) (true (control r0)))
         (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
         (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
         (<= (next (mark ?x)) (true (mark ?x)))
         (<= (next (mark ?x)) (does r0 (mark ?x)))
         (<= terminal (true (step 3)))
         (<= (goal r1 100) (not (true (mark b))))
         (<= (goal r1 100) terminal)",
    );
}

#[test]
fn factors_with_ends_of_two_goal_values_are_not_searched_apart() {
    agrees(
        "solve: cutting a b is worth 70 and 30 at once, so nothing, and cutting b b is worth 30",
        "(role r0)
         (edge a b)
         (init (link b b))
         (<= (linked ?x ?y) (true (link ?x ?y)))
         (<= (tied ?x ?y) (linked ?x ?y))
         (<= (tied ?x ?y) (edge ?x ?y))
         (<= (looped ?x) (true (link ?x ?x)))
         (<= (cuttable ?x ?y) (tied ?x ?y))
         (<= (open ?u) (cuttable ?u ?x) (looped ?z) (not (true (link ?z ?u))))
         (<= (open ?z) (open ?z) (not (true (link ?z ?z))))
         (<= (legal ?r (cut ?x ?y)) (role ?r) (cuttable ?x ?y))
         (after 2 3)
         (<= (next (step ?n)) (after ?m ?n))
         (<= terminal (true (step 3)))
         (<= marked (true (mark a)))
         (<= opened (open b))
         (<= (goal r0 70) marked)
         (<= (goal r0 30) terminal (not opened))
         (<= (next (link ?x ?y)) (true (link ?x ?y)) (not (does r0 (cut ?x ?y))))
         (<= (next (mark ?x)) (true (mark ?x)))
         (<= (next (mark ?x)) (does ?r (cut ?x ?y)))",
    );
}

#[test]
fn moves_that_are_never_legal_may_go_anywhere() {
    agrees(
        "symmetries: a link is cut only where nothing leads, so none ever is",
        "(role r1) (init (link a c)) (init (link c a)) (init (link c c))
         (<= (led ?x) (true (link ?y ?x)))
         (<= (legal ?r (cut ?x ?y)) (true (control ?r)) (true (link ?x ?y)) (not (led ?y)))
         (next (control r1)) terminal (goal r1 70)
         (<= (next (mark ?x)) (does ?r (cut ?x ?y)))",
    );
}
