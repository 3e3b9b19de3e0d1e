//! Games whose terms grow from state to state: told before they are grounded at length, and run by the reasoner.

use ludex::budget::Budget;
use ludex::compile::{Engine, Means, compile};
use ludex::ground::{Ground, NotGround};
use ludex::instances::is_endless;
use ludex::interp::Interp;
use ludex::knowledge::Knowledge;
use ludex::reason::perft;
use ludex::rules::Rules;
use ludex::source::Source;
use ludex_testing::{bundled_games, collected_games};
use std::sync::Arc;

fn read(name: &str, text: &str) -> Rules {
    let source = Source::new(name, text);
    Rules::read(&source, None).map_err(|r| r.render(&source)).expect("a game").0
}

const TOWER: &str = "(role p) (init (n z)) (legal p go)
    (<= (next (n (s ?x))) (true (n ?x)))
    (<= terminal (true (n (s (s (s (s z)))))))
    (<= (goal p 100) (true (n (s (s (s (s z)))))))
    (<= (goal p 0) (not terminal))";

/// Six symbols are pushed: sooner or later there are as many terms as one likes.
const STACK: &str = "(role p) (init (l nil)) (sym a) (sym b) (sym c) (sym d) (sym e) (sym f)
    (<= (legal p (push ?x)) (sym ?x))
    (<= (next (l (c ?x ?l))) (does p (push ?x)) (true (l ?l)))
    (<= terminal (true (l (c ?a (c ?b (c ?c ?d))))))
    (<= (goal p 100) (true (l (c a ?l))))";

#[test]
fn growing_games_run_on_the_reasoner_at_once() {
    for (text, paths) in [(TOWER, vec![1, 1, 1, 1, 1, 0]), (STACK, vec![1, 6, 36, 216, 0, 0])] {
        let rules = read("growing", text);
        let budget = Budget::unlimited();
        assert_eq!(Ground::new(&rules, &budget).err(), Some(NotGround::Endless));
        let compiled =
            compile(Arc::new(Knowledge::of_rules(rules.clone())), None, Means::all(&budget))
                .expect("an engine");
        assert_eq!(compiled.engine, Engine::Interp, "{}", compiled.why);
        assert!(compiled.why.contains("terms grow from state to state"), "{}", compiled.why);
        let mut interp = Interp::new(&rules).expect("rules that run");
        assert_eq!(perft(&mut interp, 5, false, &budget).paths, paths);
    }
}

#[test]
fn terms_that_a_relation_bounds_are_grounded() {
    let bounded = TOWER
        .replace("(true (n ?x)))", "(true (n ?x)) (few ?x)) (few z) (few (s z)) (few (s (s z)))")
        .replace("(s (s (s (s z))))", "(s (s z))");
    let rules = read("bounded", &bounded);
    assert!(Ground::new(&rules, &Budget::unlimited()).is_ok());
    let compiled =
        compile(Arc::new(Knowledge::of_rules(rules)), None, Means::all(&Budget::unlimited()));
    assert_eq!(compiled.expect("an engine").engine, Engine::Scalar);
}

/// No game that people play is given up for this.
#[test]
fn terms_of_known_games_are_bounded() {
    let mut endless = Vec::new();
    for path in bundled_games().into_iter().chain(collected_games()) {
        let text = std::fs::read(&path).expect("a readable file");
        let name = path.to_string_lossy();
        let source = Source::new(name.clone(), String::from_utf8_lossy(&text));
        let Ok((rules, _)) = Rules::read(&source, None) else { continue };
        if is_endless(&rules) {
            endless.push(name.into_owned());
        }
    }
    assert!(endless.is_empty(), "{endless:?}");
}
