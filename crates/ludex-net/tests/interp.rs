//! The reasoner on minimal games, one for each corner of the language.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Literal, Rules};
use ludex_gdl::source::Source;
use ludex_net::ground::{Ground, NotGround};
use ludex_reason::interp::{FactState, Interp, Problem};
use ludex_reason::{Move, StateMachine, view};

fn rules(text: &str) -> Rules {
    let source = Source::new("test.kif", text);
    Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0
}

fn game(text: &str) -> Interp {
    Interp::new(&rules(text)).unwrap()
}

/// A game of one role with the moves that `rules` make legal.
fn solo(rules: &str) -> Interp {
    game(&format!(
        "(role r) (init (s 0)) (next (s 0)) (goal r 50) (<= terminal (true over)) {rules}"
    ))
}

fn legal(game: &mut Interp, state: &FactState, role: usize) -> Vec<String> {
    let mut moves = view(game, state).legal.swap_remove(role);
    moves.sort_by(|a, b| a.1.cmp(&b.1));
    moves.into_iter().map(|(_, text)| text).collect()
}

fn first_legal(rules: &str) -> Vec<String> {
    let mut game = solo(rules);
    let state = game.initial();
    legal(&mut game, &state, 0)
}

/// Plays a joint move given as text.
fn play(game: &mut Interp, state: &FactState, joint: &[&str]) -> FactState {
    let seen = view(game, state);
    let find = |(legal, text): (&Vec<(Move, String)>, &&str)| {
        legal.iter().find(|(_, t)| t == text).unwrap_or_else(|| panic!("{text} in {legal:?}")).0
    };
    let joint: Vec<Move> = seen.legal.iter().zip(joint).map(find).collect();
    game.next(state, &joint)
}

#[test]
fn variables_stand_for_whole_facts_and_moves() {
    let mut game = game(
        "(role a) (role b) (init (f 1)) (init p) (init (g (h 2) 3))
         (legal a (go 1)) (legal a stay) (<= (legal b ?m) (legal a ?m))
         (<= (next ?x) (true ?x) (not (gone ?x)))
         (<= (gone (f ?n)) (does ?r (go ?n)))
         (<= (next (did ?r ?m)) (does ?r ?m))
         (<= (goal ?r 100) (role ?r) (true (did ?r ?any))) terminal",
    );
    let start = game.initial();
    assert_eq!(game.fact_texts(&start), ["(f 1)", "(g (h 2) 3)", "p"]);
    assert_eq!(legal(&mut game, &start, 1), ["(go 1)", "stay"]);
    let next = play(&mut game, &start, &["(go 1)", "stay"]);
    assert_eq!(game.fact_texts(&next), ["(did a (go 1))", "(did b stay)", "(g (h 2) 3)", "p"]);
    assert_eq!((game.goal(&start, 0), game.goal(&next, 1)), (None, Some(100)));
    assert!(game.terminal(&start));
}

#[test]
fn legal_goal_and_terminal_in_bodies() {
    let mut game = game(
        "(role r) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal r (up ?m)) (true (n ?k)) (succ ?k ?m))
         (<= any (legal ?r ?m)) (<= terminal (not any))
         (<= (next (n ?m)) (does r (up ?m)))
         (<= (goal r 100) terminal) (<= (goal r 0) (not (goal_done r)))
         (<= (goal_done ?r) (role ?r) terminal)",
    );
    let mut state = game.initial();
    for step in ["(up 1)", "(up 2)"] {
        assert_eq!((game.terminal(&state), game.goal(&state, 0)), (false, Some(0)));
        state = play(&mut game, &state, &[step]);
    }
    assert_eq!((game.terminal(&state), game.goal(&state, 0)), (true, Some(100)));
}

#[test]
fn next_and_init_in_bodies() {
    let mut game = game(
        "(role r) (init (a 1)) (<= (init (b 1)) (init (a 1)))
         (<= (legal r (m ?x)) (init (b ?x)))
         (<= (next (a 2)) (does r ?m)) (<= (next (c 2)) (next (a 2)))
         (<= terminal (true (c 2))) (goal r 0)",
    );
    let start = game.initial();
    assert_eq!(game.fact_texts(&start), ["(a 1)", "(b 1)"]);
    let next = play(&mut game, &start, &["(m 1)"]);
    assert_eq!(game.fact_texts(&next), ["(a 2)", "(c 2)"]);
    assert!(game.terminal(&next));
}

#[test]
fn roles_and_initial_facts_by_rules_and_no_initial_facts() {
    let mut game = game(
        "(player x) (player o) (<= (role ?p) (player ?p)) (<= (legal ?p wait) (role ?p))
         (<= (next (seen ?p)) (does ?p wait)) (<= terminal (true (seen ?p))) (<= (goal ?p 1) (role ?p))",
    );
    assert_eq!((game.role_text(0), game.role_text(1)), ("x".into(), "o".into()));
    let start = game.initial();
    assert!(game.fact_texts(&start).is_empty() && !game.terminal(&start));
    let next = play(&mut game, &start, &["wait", "wait"]);
    assert_eq!(game.fact_texts(&next), ["(seen o)", "(seen x)"]);
}

#[test]
fn one_name_at_several_arities_and_as_constant_function_and_relation() {
    let rules = "p (p 1) (p 1 2) (q p) (q (p 3))
        (<= (legal r (p ?x)) (p ?x)) (<= (legal r (p ?x ?y)) (p ?x ?y)) (<= (legal r p) p)
        (<= (legal r (m ?x)) (q ?x)) (<= (legal r (n ?x)) (q (p ?x)))";
    assert_eq!(first_legal(rules), ["(m (p 3))", "(m p)", "(n 3)", "(p 1 2)", "(p 1)", "p"]);
}

#[test]
fn a_variable_twice_in_a_literal_and_deep_functions() {
    let rules = "(e 1 1) (e 1 2) (e 2 2) (t (f (g 1 2) 2)) (t (f (g 2 2) 2)) (t (f 3 2))
        (<= (legal r (loop ?x)) (e ?x ?x))
        (<= (legal r (deep ?x ?y)) (t (f (g ?x ?y) ?y)))
        (<= (legal r (same ?x)) (t (f (g ?x ?x) ?x)))
        (<= (legal r (built (h ?x (h ?x ?y)))) (e ?x ?y) (distinct ?x ?y))";
    let expected = "(built (h 1 (h 1 2)))|(deep 1 2)|(deep 2 2)|(loop 1)|(loop 2)|(same 2)";
    assert_eq!(first_legal(rules).join("|"), expected);
}

#[test]
fn recursion_of_every_shape() {
    // Left, right and double recursion, two relations together, a cycle, all asked in several ways.
    let rules = "(e a b) (e b c) (e c a) (e c d)
        (<= (l ?x ?y) (e ?x ?y)) (<= (l ?x ?z) (l ?x ?y) (e ?y ?z))
        (<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?z) (e ?x ?y) (t ?y ?z))
        (<= (d ?x ?y) (e ?x ?y)) (<= (d ?x ?z) (d ?x ?y) (d ?y ?z))
        (<= (odd ?x ?y) (e ?x ?y)) (<= (odd ?x ?z) (even ?x ?y) (e ?y ?z))
        (<= (even ?x ?z) (odd ?x ?y) (e ?y ?z))
        (<= (node ?x) (e ?x ?y)) (<= (node ?y) (e ?x ?y))
        (<= (differ ?x ?y) (l ?x ?y) (not (t ?x ?y))) (<= (differ ?x ?y) (t ?x ?y) (not (d ?x ?y)))
        (<= (differ ?x ?y) (d ?x ?y) (not (l ?x ?y)))
        (<= (legal r (differ ?x ?y)) (differ ?x ?y))
        (<= (legal r (from_d ?y)) (t d ?y)) (<= (legal r (to_a ?x)) (d ?x a))
        (<= (legal r (apart ?x ?y)) (node ?x) (node ?y) (not (l ?x ?y)))
        (<= (legal r (odd ?x)) (odd a ?x))";
    let dynamic = rules.replace("(e a b) (e b c) (e c a) (e c d)", "")
        + "(init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge c d))
           (<= (e ?x ?y) (true (edge ?x ?y)))";
    let expected = "(apart d a)|(apart d b)|(apart d c)|(apart d d)|(odd a)|(odd b)|(odd c)|(odd d)|(to_a a)|(to_a b)|(to_a c)";
    assert_eq!(first_legal(rules).join("|"), expected);
    assert_eq!(first_legal(&dynamic).join("|"), expected);
}

/// Asking for ever larger terms would not end, though only few facts follow.
#[test]
fn recursion_that_takes_terms_apart() {
    let rules = "(t (f (f (f a)))) (t (g b)) (<= (sub ?x) (t ?x)) (<= (sub ?x) (sub (f ?x)))
        (<= (legal r (yes ?x)) (cand ?x) (sub ?x)) (cand a) (cand b) (cand (f a)) (cand (g b))";
    assert_eq!(first_legal(rules), ["(yes (f a))", "(yes (g b))", "(yes a)"]);
    let dynamic = rules
        .replace("(t (f (f (f a)))) (t (g b))", "(init (t (f (f (f a))))) (init (t (g b)))")
        + "(<= (t ?x) (true (t ?x)))";
    assert_eq!(first_legal(&dynamic), ["(yes (f a))", "(yes (g b))", "(yes a)"]);
}

#[test]
fn negation_over_recursion_over_negation() {
    let rules =
        "(init (wall 2)) (succ 1 2) (succ 2 3) (succ 3 4) (cell 1) (cell 2) (cell 3) (cell 4)
        (<= (free ?x) (cell ?x) (not (true (wall ?x))))
        (<= (reach 1) (free 1)) (<= (reach ?y) (reach ?x) (succ ?x ?y) (free ?y))
        (<= (legal r (cut ?x)) (cell ?x) (not (reach ?x)))";
    assert_eq!(first_legal(rules), ["(cut 2)", "(cut 3)", "(cut 4)"]);
}

#[test]
fn disjunctions_whose_branches_bind_different_variables() {
    let rules = "(p 1) (p 2) (q 3) (<= (legal r (a ?x)) (p ?x) (or (distinct ?x 1) (and (q ?y) (distinct ?y 3))))
        (<= (legal r (b ?x)) (or (p ?x) (q ?x)) (not (or (q ?x) (r2 ?x)))) (r2 2)";
    assert_eq!(first_legal(rules), ["(a 2)", "(b 1)"]);
}

#[test]
fn goals_that_are_not_one_integer() {
    let mut game = game(
        "(role a) (role b) (role c) (role d) (<= (legal ?r x) (role ?r)) (init p) (next p) terminal
         (goal a 1) (goal a 2) (goal b high) (<= (goal d -5) (true p))",
    );
    let start = game.initial();
    let goals: Vec<Option<i32>> = (0..4).map(|role| game.goal(&start, role)).collect();
    assert_eq!(goals, [None, None, None, Some(-5)]);
}

/// The text of the move has a billion symbols.
#[test]
fn terms_that_double_are_an_error_too() {
    let steps: String =
        (0..30).map(|i| format!("(<= (p{} (f ?x ?x)) (p{i} ?x)) ", i + 1)).collect();
    let text = format!(
        "(role r) (init s) (p0 a) {steps} (<= (legal r ?x) (p30 ?x)) (goal r 0) (<= terminal (true t))"
    );
    let mut game = Interp::new(&rules(&text)).unwrap();
    let (start, mut moves) = (game.initial(), Vec::new());
    game.legal(&start, 0, &mut moves);
    assert_eq!((moves.len(), game.problem()), (0, Some(Problem::TooDeep)));
    let ground = Ground::new(&rules(&text), &Budget::unlimited());
    assert!(matches!(ground, Err(NotGround::TooLarge)));
}

#[test]
fn terms_that_grow_for_ever_are_an_error_not_a_hang() {
    let text = "(role r) (init (n 0)) (legal r m) (goal r 0) (<= terminal (big ?x))
        (<= (big ?x) (true (n ?x))) (<= (next (n ?x)) (true (n ?x))) (small 0)
        (<= (big (s ?x)) (small ?x))";
    // The checks refuse such a recursion, so it is made behind their back.
    let mut rules = rules(text);
    let rule = rules.rules.last_mut().unwrap();
    let Literal::Pos(atom) = &mut rule.body[0] else { panic!("not an atom") };
    atom.rel = rule.head.rel;
    rules.stratify().unwrap();
    let mut game = Interp::new(&rules).unwrap();
    let start = game.initial();
    game.terminal(&start);
    assert_eq!(game.problem(), Some(Problem::TooDeep));
    // The next question begins afresh.
    let mut moves = Vec::new();
    game.legal(&start, 0, &mut moves);
    assert_eq!((moves.len(), game.problem()), (1, None));
}

#[test]
fn a_counter_made_of_terms_runs() {
    let mut game = game(
        "(role r) (init (n zero)) (legal r m) (<= (next (n (s ?x))) (true (n ?x)))
         (<= terminal (true (n (s (s (s zero)))))) (goal r 100)",
    );
    let mut state = game.initial();
    for _ in 0..3 {
        assert!(!game.terminal(&state));
        state = play(&mut game, &state, &["m"]);
    }
    assert_eq!((game.terminal(&state), game.problem()), (true, None));
}

#[test]
fn rules_chained_thirty_thousand_deep_run() {
    let mut text = String::from("(role r) (init (n 0)) (legal r m) (next (n 0)) (goal r 0) ");
    text += "(<= (p0 ?x) (true (n ?x))) (<= terminal (p30000 ?x))";
    for i in 0..30_000 {
        text += &format!("(<= (p{} ?x) (p{i} ?x))", i + 1);
    }
    let mut game = game(&text);
    let start = game.initial();
    assert!(game.terminal(&start));
}

/// States of one clone are states of the other, also when they meet new terms in another order.
#[test]
fn clones_share_terms() {
    let text = "(role r) (init (at (p 0 0))) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal r (x ?b)) (true (at (p ?a ?y))) (succ ?a ?b))
        (<= (legal r (y ?b)) (true (at (p ?x ?a))) (succ ?a ?b))
        (<= (next (at (p ?b ?y))) (does r (x ?b)) (true (at (p ?a ?y))))
        (<= (next (at (p ?x ?b))) (does r (y ?b)) (true (at (p ?x ?a))))
        (<= terminal (true (at (p 3 3)))) (goal r 0)";
    let mut one = game(text);
    let mut other = one.clone();
    let start = one.initial();
    let a = play(&mut one, &start, &["(x 1)"]);
    let b = play(&mut other, &start, &["(y 1)"]);
    let ab = play(&mut one, &b, &["(x 1)"]);
    let ba = play(&mut other, &a, &["(y 1)"]);
    assert_eq!(ab, ba);
    assert_eq!(other.fact_texts(&ab), ["(at (p 1 1))"]);
    assert_eq!(legal(&mut other, &ab, 0), ["(x 2)", "(y 2)"]);
}

/// What the moves alone decide is kept for the next time; not so where they hardly come again.
#[test]
fn joint_moves_that_come_again_and_that_do_not() {
    let numbers: String = (0..80).map(|n| format!("(num {n}) ")).collect();
    let mut game = game(&format!(
        "(role a) (role b) {numbers} (init (turn even)) (init (last a 0)) (init (last b 0))
         (<= (legal ?r (say ?n)) (role ?r) (num ?n)) (goal a 0) (goal b 0) (<= terminal (true end))
         (<= (next (turn odd)) (true (turn even))) (<= (next (turn even)) (true (turn odd)))
         (<= (next (last ?r ?n)) (does ?r (say ?n)))
         (<= (next (changed ?r)) (does ?r (say ?n)) (true (last ?r ?m)) (distinct ?m ?n))
         (<= (next (same ?n)) (does a (say ?n)) (does b (say ?n)) (not (true (last a ?n))))"
    ));
    let mut state = game.initial();
    let moves: Vec<Vec<Move>> =
        view(&mut game, &state).legal.iter().map(|l| l.iter().map(|m| m.0).collect()).collect();
    let number = |game: &Interp, role: usize, at: usize| -> usize {
        let text = game.move_text(role, moves[role][at]);
        text.trim_matches(|c: char| !c.is_ascii_digit()).parse().unwrap()
    };
    let mut last = (0, 0);
    for i in 0..7000 {
        let (x, y) = if i < 100 { (i % 3, i % 2) } else { (i / 80 % 80, i % 80) };
        let said = (number(&game, 0, x), number(&game, 1, y));
        state = game.next(&state, &[moves[0][x], moves[1][y]]);
        let mut facts = vec![format!("(last a {})", said.0), format!("(last b {})", said.1)];
        facts.push(if i % 2 == 0 { "(turn odd)".into() } else { "(turn even)".into() });
        facts.extend((said.0 != last.0).then(|| "(changed a)".to_string()));
        facts.extend((said.1 != last.1).then(|| "(changed b)".to_string()));
        facts.extend((said.0 == said.1 && said.0 != last.0).then(|| format!("(same {})", said.0)));
        facts.sort();
        assert_eq!(game.fact_texts(&state), facts, "step {i}");
        last = said;
    }
}

#[test]
fn a_move_that_changes_very_much() {
    let numbers: String = (0..40).map(|n| format!("(num {n}) ")).collect();
    let mut game = solo(&format!(
        "{numbers} (legal r flip) (legal r wait)
         (<= (next (p ?x ?y)) (does r flip) (num ?x) (num ?y) (not (true (p ?x ?y))))
         (<= (next (p ?x ?y)) (does r wait) (true (p ?x ?y)))"
    ));
    let mut state = game.initial();
    for (joint, facts) in [("flip", 1601), ("wait", 1601), ("flip", 1), ("wait", 1), ("flip", 1601)]
    {
        state = play(&mut game, &state, &[joint]);
        assert_eq!(game.fact_texts(&state).len(), facts);
    }
}
