//! The game of a quantified formula is the one its program makes, and loses `(cell 1)` if the formula is false.

use crate::{count, engine, text};
use ludex::budget::Budget;
use ludex::facts::boards::{Bases, Boards};
use ludex::facts::invariants::Invariants;
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::qbf::{QbfLiteral, QuantifiedFormula, game, parse};
use ludex::reason::{Joints, Random, StateMachine};
use ludex::rules::Rules;
use ludex::source::Source;
use std::sync::Arc;

#[test]
fn the_bundled_files_are_what_the_program_prints() {
    for (file, truth) in [("qbf-true.kif", true), ("qbf-false.kif", false)] {
        let rules = text(file);
        let quoted = rules.lines().filter_map(|l| l.strip_prefix(";     "));
        let formula = parse(&quoted.collect::<Vec<_>>().join("\n")).unwrap();
        assert_eq!(game(&formula), rules, "{file}");
        assert_eq!(holds(&formula), truth, "{file}");
        assert_eq!(keeps_cell(&rules), truth, "{file}");
        assert_eq!(count(&rules, 1).paths, [1, 3]);
    }
}

#[test]
fn the_projection_is_invariant_where_the_formula_is_true() {
    let mut random = Random::new(2016);
    let mut truths = [0, 0];
    for _ in 0..60 {
        let formula = QuantifiedFormula {
            universals: 1 + random.below(3),
            existentials: 1 + random.below(3),
            clauses: vec![],
        };
        let clauses = (0..3 + random.below(8)).map(|_| clause(&formula, &mut random)).collect();
        let formula = QuantifiedFormula { clauses, ..formula };
        let truth = holds(&formula);
        assert_eq!(keeps_cell(&game(&formula)), truth, "{}", game(&formula));
        assert_eq!(is_board(&game(&formula)), truth, "{}", game(&formula));
        truths[usize::from(truth)] += 1;
    }
    assert!(truths.iter().all(|n| *n > 10), "{truths:?}");
}

#[test]
fn what_is_no_such_formula_is_refused() {
    for (text, problem) in [
        ("p cnf 2 1\na 1 0\n1 0", "an `a` line and an `e` line are needed"),
        ("a 1 0\ne 2 0\n1 3 0", "variable 3 is not bound"),
        ("a 1 0\ne 2 0\n1 2", "the last clause does not end with 0"),
        ("a 1 0\ne 2 0\na 3 0\n1 2 0", "line 3: only one `a` line and then one `e` line are taken"),
        ("a 1 0\ne 2 0\n1 z 0", "line 3: `z` is not a number"),
    ] {
        assert_eq!(parse(text).unwrap_err().0, problem);
    }
}

fn clause(formula: &QuantifiedFormula, random: &mut Random) -> Vec<QbfLiteral> {
    let literal = |_| {
        let universal = random.below(2) == 0;
        let n = if universal { formula.universals } else { formula.existentials };
        QbfLiteral { universal, index: 1 + random.below(n), positive: random.below(2) == 0 }
    };
    (0..3).map(literal).collect()
}

/// For all values of the one kind there are values of the other that satisfy every clause.
fn holds(formula: &QuantifiedFormula) -> bool {
    let satisfied = |x: usize, y: usize| {
        let value = |l: &QbfLiteral| (if l.universal { x } else { y }) >> (l.index - 1) & 1 == 1;
        formula.clauses.iter().all(|c| c.iter().any(|l| value(l) == l.positive))
    };
    (0..1 << formula.universals).all(|x| (0..1 << formula.existentials).any(|y| satisfied(x, y)))
}

/// Whether the projection of `cell` is found to be invariant.
fn is_board(rules: &str) -> bool {
    let (rules, _) = Rules::read(&Source::new("formula.kif", rules), None).unwrap();
    let budget = Budget::unlimited();
    let net = Arc::new(Net::new(&Ground::new(&rules, &budget).unwrap(), &budget).unwrap());
    let mut invariants = Invariants::find(&net, &budget).unwrap();
    let bases = Bases::new(&rules, &net, &Budget::unlimited()).unwrap();
    let boards = Boards::decide(&bases, &mut invariants, None, &budget);
    let cell = boards.relations.iter().find(|r| r.relation == "cell").unwrap();
    assert_ne!(cell.projections[0].answer.status(), "unknown");
    cell.maximal == [[1]]
}

/// Whether every state that can be reached has the fact.
fn keeps_cell(rules: &str) -> bool {
    let mut game = engine("a formula", rules);
    let mut states = vec![game.initial()];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(state) = states.pop() {
        if !game.fact_texts(&state).contains(&"(cell 1)".to_string()) {
            return false;
        }
        if seen.insert(state.clone()) && !game.terminal(&state) {
            let joints = Joints::of(&mut game, &state);
            states.extend(joints.map(|joint| game.next(&state, &joint)));
        }
    }
    true
}
