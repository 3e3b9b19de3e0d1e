//! The role `random` is chance wherever a game is looked at, and games with hidden information are refused.

use ludex::budget::{Budget, Proving};
use ludex::facts::factor::{Exactness, Factors};
use ludex::facts::invariants::Invariants;
use ludex::facts::lemmas::Lemmas;
use ludex::ground::Ground;
use ludex::knowledge::Knowledge;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::search::solve::{Settings, Subject, solve};
use ludex::source::Source;
use ludex::symmetry::same::{same_nets, same_rules};
use ludex::symmetry::{KeptStructure, SymmetryQuestion, of_rules};
use std::sync::Arc;

fn read(text: &str) -> Rules {
    let source = Source::new("game.kif", text);
    Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0
}

fn stages(rules: &Rules) -> (Ground, Net) {
    let ground = Ground::new(rules, &Budget::unlimited()).expect("a small game");
    let net = Net::new(&ground, &Budget::unlimited()).expect("no limit");
    (ground, net)
}

/// Two roles that do the same: each shows a side of its coin, and who shows heads alone wins.
fn coins(a: &str, b: &str) -> String {
    format!(
        "(role {a}) (role {b}) (side heads) (side tails)
         (<= (legal ?r (show ?s)) (role ?r) (side ?s))
         (<= (next (shown ?r ?s)) (does ?r (show ?s)))
         (<= terminal (true (shown ?r ?s)))
         (<= (goal ?r 100) (true (shown ?r heads)))
         (<= (goal ?r 0) (role ?r) (not (true (shown ?r heads))))"
    )
}

#[test]
fn no_other_role_is_exchanged_for_chance() {
    let budget = Budget::unlimited();
    let orders = |text: &str| {
        let rules = read(text);
        let found =
            of_rules(&rules, &SymmetryQuestion::default(), &budget, &budget).expect("no limit");
        let (knowledge, kept) = (Knowledge::of_rules(rules), KeptStructure::default());
        let on_net = knowledge.symmetries_told(&found.found, kept, &budget, f64::INFINITY);
        let on_net = on_net.expect("no limit");
        [found.order.to_string(), on_net.order.to_string()]
    };
    assert_eq!(orders(&coins("a", "b")), ["2", "2"]);
    assert_eq!(orders(&coins("a", "random")), ["1", "1"]);
    assert_eq!(orders(&coins("Random", "b")), ["1", "1"]);
}

#[test]
fn a_game_with_chance_is_not_the_same_without() {
    let budget = Budget::unlimited();
    let same = |a: &Rules, b: &Rules| {
        let ((ga, na), (gb, nb)) = (stages(a), stages(b));
        let rules = same_rules(a, b, &budget).expect("no limit").is_same();
        let nets = same_nets((&ga, &na), (&gb, &nb), &budget).expect("no limit").is_same();
        (rules, nets)
    };
    let [plain, other, chance] =
        [("a", "b"), ("c", "d"), ("a", "random")].map(|(a, b)| read(&coins(a, b)));
    assert_eq!(same(&plain, &other), (true, true));
    assert_eq!(same(&plain, &chance), (false, false));
    assert_eq!(same(&chance, &read(&coins("random", "x"))), (true, true));
}

/// Two coins of chance beside two bets; random has no goal.
const BETS: &str = "(role player) (role random) (side heads) (side tails)
    (<= (legal player (bet ?x ?y)) (side ?x) (side ?y))
    (<= (legal random (throw ?x ?y)) (side ?x) (side ?y))
    (<= (next (left ?x)) (does random (throw ?x ?y)))
    (<= (next (right ?y)) (does random (throw ?x ?y)))
    (<= (next (one ?x)) (does player (bet ?x ?y)))
    (<= (next (two ?y)) (does player (bet ?x ?y)))
    (<= terminal (true (left ?x)))
    (<= hit (true (left ?x)) (true (one ?x)))
    (<= hit2 (true (right ?y)) (true (two ?y)))
    (<= (goal player 100) hit hit2) (<= (goal player 0) (not hit)) (<= (goal player 0) hit (not hit2))";

#[test]
fn chance_needs_no_goal_and_means_are_taken() {
    let rules = read(BETS);
    let (_, report) = Rules::read(&Source::new("game.kif", BETS), None).expect("rules");
    assert!(report.complaints.iter().any(|c| c.code == "random-role"));
    assert!(report.complaints.iter().all(|c| c.code != "role-without-goal"));
    let net = Arc::new(stages(&rules).1);
    let found = Invariants::find(&net, &Budget::unlimited()).expect("no limit");
    let texts: Vec<String> = found.found.iter().map(|i| found.text(i)).collect();
    assert!(texts.iter().any(|t| t == "player has exactly one goal value at the end"), "{texts:?}");
    assert!(!texts.iter().any(|t| t == "random has exactly one goal value at the end"));
    let subject = Subject::of_net(net);
    let budget = Budget::unlimited();
    let solution = solve(&subject, &Settings::default(), &budget, Proving(&budget.part()));
    assert_eq!(solution.values.expect("a value")[0].to_string(), "25");
    assert!(solution.notes.is_empty(), "{:?}", solution.notes);
}

/// What two coins are worth on average does not follow from what each is worth on average.
#[test]
fn factors_with_chance_are_not_searched_apart() {
    let (_, net) = stages(&read(BETS));
    let state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    let nothing = Lemmas::new(Arc::new(net.clone()));
    let found = Factors::find(&net, &state, &nothing, &Budget::unlimited()).expect("no limit");
    assert_eq!(found.factors.len(), 2);
    assert!(matches!(found.exact, Exactness::Heuristic(why) if why.contains("chance")));
}

#[test]
fn games_with_hidden_information_are_refused() {
    let game = coins("a", "b");
    for (rule, hidden) in [
        ("(<= (sees ?r ?s) (does ?r (show ?s)))", true),
        ("(Sees a b)", true),
        ("(<= (known ?x) (sees a ?x))", true),
        ("(sees a b c)", false),
        ("(<= (sees_xml ?r ?s) (does ?r (show ?s)))", false),
    ] {
        let source = Source::new("game.kif", format!("{game}\n{rule}"));
        let strict = Rules::read(&source, None);
        assert_eq!(strict.is_err(), hidden, "{rule}");
        if let Err(report) = strict {
            let found: Vec<_> = report.complaints.iter().filter(|c| c.span.is_some()).collect();
            assert!(found.iter().any(|c| c.code == "hidden-information"), "{rule}");
        }
        // A player that is sent such rules refuses them, too.
        assert_eq!(Rules::read_to_play(&source, None).is_err(), hidden, "{rule}");
    }
}
