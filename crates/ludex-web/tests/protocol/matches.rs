//! Whole matches: every move is legal, whatever happens beside them.

use super::server::Table;
use super::*;

/// Plays a match to its end and tells the goal of the role.
fn whole_match(player: &Listening, id: &str, rules: &str, role: usize, seed: u64) -> Option<i32> {
    let mut table = Table::new(rules, seed);
    let name = table.seen().roles[role].clone();
    assert_eq!(player.say(&start(id, &name, rules, "2 1")), "ready");
    while !table.seen().terminal {
        let answer = player.say(&format!("( PLAY {id} {} )", table.last()));
        table.make(role, &answer);
    }
    assert_eq!(player.say(&format!("( STOP {id} {} )", table.last())), "done");
    assert_eq!(player.status(), "available");
    table.seen().goals[role]
}

#[test]
fn a_full_match_is_played_with_legal_moves() {
    let player = Listening::new("uct,ponder");
    assert_eq!(player.say("( INFO )"), "((name Tester) (status available) (species program))");
    assert_eq!(player.say(&format!("( PREVIEW ({}) 5 )", one_line(TICTACTOE))), "ready");
    let goal = whole_match(&player, "m1", &one_line(TICTACTOE), 0, 3);
    assert!(goal >= Some(50), "it does not lose against chance: {goal:?}");
    whole_match(&player, "m2", &one_line(TICTACTOE), 1, 4);
    let log = player.log.lock().unwrap();
    assert!(log.iter().any(|line| line.starts_with("m1: turn 1, (mark ")), "{log:?}");
}

#[test]
fn names_may_be_scrambled_and_in_any_letter_case() {
    let player = Listening::new("random");
    let mut rules = one_line(TICTACTOE);
    for (name, word) in [("cell", "zaf"), ("control", "ÉTÉ"), ("mark", "Bo-x!"), ("white", "Ölq")]
    {
        rules = rules.replace(name, word);
    }
    let rules = rules.replace("(role ", "(ROLE ").replace("legal", "LEGAL");
    whole_match(&player, "m.Ä", &rules, 0, 1);
    whole_match(&player, "0", &rules, 1, 2);
}

/// 10^12 facts can become true, so there is no network; a match has four turns.
fn odometer() -> String {
    let digits: String = (0..9).map(|d| format!("(succ {d} {}) ", d + 1)).collect();
    let vars: Vec<String> = (0..12).map(|i| format!("?x{i}")).collect();
    let mut rules = format!("(role r) {digits} (init (c {})) (init (turn 0))", "0 ".repeat(12));
    for i in 0..12 {
        let mut after = vars.clone();
        after[i] = "?y".into();
        let (before, after) = (vars.join(" "), after.join(" "));
        rules += &format!(
            " (<= (legal r (turn {i})) (true (c {before})) (succ ?x{i} ?y))
              (<= (next (c {after})) (does r (turn {i})) (true (c {before})) (succ ?x{i} ?y))"
        );
    }
    rules
        + " (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n)) (<= terminal (true (turn 4)))
        (<= (goal r 100) (true (turn 4)))"
}

#[test]
fn rules_too_large_to_ground_are_played_by_the_reasoner() {
    let player = Listening::new("uct");
    assert_eq!(whole_match(&player, "large", &odometer(), 0, 1), Some(100));
}

#[test]
fn ten_megabytes_of_rules_are_read() {
    let player = Listening::new("random");
    let unused: String = (0..300_000).map(|i| format!("(unused fact {i} of no use) ")).collect();
    assert!(unused.len() > 8_000_000 && unused.len() < 20_000_000);
    let unused = one_line(TICTACTOE) + &unused + &" ".repeat(3_000_000);
    let needed: String = (0..400_000).map(|i| format!("(way {i} place{}) ", i / 2)).collect();
    assert!(needed.len() > 8_000_000 && needed.len() < 20_000_000);
    let needed = needed
        + "(role white) (init (at 3)) (<= (legal white (mark ?p)) (true (at ?n)) (way ?n ?p))
           (<= (next (at ?n)) (true (at ?n))) (<= terminal (true (at 4))) (goal white 0)";
    for rules in [unused, needed] {
        assert_eq!(player.say(&start("big", "white", &rules, "30 20")), "ready");
        let answer = player.say("( PLAY big NIL )");
        assert!(answer.starts_with("(mark "), "{answer}");
        assert_eq!(player.say("( STOP big NIL )"), "done");
    }
}
