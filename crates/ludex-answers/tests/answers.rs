//! Answers can be read back, also those that are partly filled, and say what they are.

use ludex::Game;
use ludex::budget::{Budget, Stop};
use ludex::facts::boards::Verify;
use ludex::frame::{Basis, Covering};
use ludex::search::solve::{Concept, Method, Settings};
use ludex::syntax::Syntax;
use ludex_answers::{
    Answer, Boards, FactorEffort, Factors, FrameQuestion, FrameRules, GroundSize, Latches,
    LatchesAt, Proved, Solved, Status, StoppedBy, Symmetries, SymmetryEffort, VERSION, commands,
    schema_of,
};
use serde::de::DeserializeOwned;

fn round_trip<A: Answer + DeserializeOwned>(answer: &A) {
    let text = serde_json::to_string(answer).expect("plain data");
    let again: A = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(serde_json::to_string(&again).expect("plain data"), text);
    assert_eq!(answer.account().version, VERSION);
    assert!(answer.account().complete == answer.account().stopped.is_empty());
}

const EFFORT: FactorEffort = FactorEffort {
    states: 100,
    seconds: f64::INFINITY,
    leaves: true,
    whole_leaves: false,
    lemma_seconds: f64::INFINITY,
};

fn symmetry_effort() -> SymmetryEffort {
    SymmetryEffort {
        trial_seconds: f64::INFINITY,
        net_seconds: f64::INFINITY,
        ..SymmetryEffort::default()
    }
}

/// A fact that stays because it is always one turn or the other: that needs a proof by induction.
#[test]
fn what_is_proved_to_stay_is_final_in_a_position() {
    let rules = "(role a) (init (turn x)) (legal a go) (legal a set)
        (<= (next (turn y)) (true (turn x))) (<= (next (turn x)) (true (turn y)))
        (<= (next kept) (does a set))
        (<= (next kept) (true kept) (true (turn x))) (<= (next kept) (true kept) (true (turn y)))
        (<= (next over) (true kept) (does a go))
        (<= terminal (true over)) (<= (goal a 100) (true over)) (<= (goal a 0) (not (true over)))";
    let (game, budget) = (Game::from_text("kept", rules).expect("rules"), Budget::unlimited());
    let net = game.knowledge().net(&budget).expect("a small game");
    let state = net.state_of(&["(turn y)".to_string(), "kept".to_string()]).expect("its facts");
    let found = LatchesAt::of(&game, &net, &state, (&budget, f64::INFINITY)).expect("no limit");
    assert_eq!(found.positive, ["kept"]);
    assert!(found.account.complete);
}

#[test]
fn answers_are_read_back_as_they_were() {
    let budget = Budget::unlimited();
    for name in ["tictactoe", "doubletictactoe", "buttonsandlights"] {
        let game = Game::bundled(name).expect("a bundled game");
        let mut drafts = 0;
        round_trip(&Latches::of(&game, &budget, f64::INFINITY).unwrap());
        let mut watch = |draft: Boards| {
            round_trip(&draft);
            drafts += 1;
        };
        let found = Boards::of(&game, Verify::Lemmas, f64::INFINITY, &budget, &mut watch).unwrap();
        round_trip(&found);
        assert!(drafts > 1, "{drafts} drafts");
        round_trip(&Factors::of(&game, None, &EFFORT, &budget, &mut |d| round_trip(&d)).unwrap());
        let watch = &mut |draft: Symmetries| round_trip(&draft);
        round_trip(&Symmetries::of(&game, symmetry_effort(), &budget, watch).unwrap().0);
        let proved = Proved::of(&game, &budget, &mut |draft| round_trip(&draft)).unwrap();
        assert!(proved.facts.iter().any(|fact| fact.status == Status::Proved));
        round_trip(&proved);
        let question = FrameQuestion {
            covering: Covering::Pruned,
            basis: Basis::Names,
            syntax: Syntax::Kif,
            changes: false,
        };
        round_trip(&FrameRules::of(&game, &question, &budget, &budget).unwrap());
    }
    round_trip(&Latches::unknown("chess"));
    round_trip(&Solved::unknown("chess"));
}

#[test]
fn a_solution_says_by_what_and_of_what() {
    let (game, budget) = (Game::bundled("tictactoe").unwrap(), Budget::unlimited());
    let mut drafts = Vec::new();
    let watch = &mut |draft: Solved| drafts.push(draft);
    let solved = Solved::of(&game, None, &Settings::default(), &budget, watch).unwrap();
    assert_eq!((solved.concept, solved.constant_sum), (Concept::Minimax, Some(100)));
    assert_eq!(solved.method, Method::AlphaBeta);
    assert!(solved.account.complete && solved.account.stopped_by.is_none());
    round_trip(&solved);
    assert!(drafts.len() >= 2);
    for draft in &mut drafts {
        assert!(!draft.account.complete, "{draft}");
        draft.stop(StoppedBy::MemoryLimit);
        assert!(draft.account.stopped_by.is_some());
        round_trip(draft);
    }
}

#[test]
fn a_limit_is_told_and_not_taken_for_an_answer() {
    let budget = Budget::unlimited();
    budget.stop(Stop::Memory);
    let game = Game::bundled("tictactoe").unwrap();
    let why = GroundSize::of(&game, false, &budget).unwrap_err();
    assert_eq!(why.to_string(), Stop::Memory.to_string());
}

#[test]
fn every_command_has_a_schema_and_no_other_word_has() {
    let all: Vec<&str> = commands().collect();
    assert!(all.len() >= 27, "{all:?}");
    for command in all {
        let schema = schema_of(command).expect("a schema");
        assert!(schema["anyOf"].as_array().is_some_and(|forms| forms.len() >= 2), "{command}");
    }
    assert_eq!(schema_of("nothing"), None);
}
