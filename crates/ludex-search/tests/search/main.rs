//! Searches under a clock: the moves they choose, counted in iterations so that every run is the same.

mod choices;
mod values;

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_knowledge::Knowledge;
use ludex_machine::Scalar;
use ludex_net::Net;
use ludex_net::ground::Ground;
use ludex_reason::interp::Interp;
use ludex_reason::{Move, StateMachine};
use ludex_search::{Insights, Searchable, Searcher};
use std::sync::Arc;

/// The rules of a bundled game.
fn rules(file: &str) -> Rules {
    let path = format!("{}/../../games/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("a bundled game");
    Rules::read(&Source::new(file, text), None).expect("valid rules").0
}

/// Rules that are written in a test.
fn of_text(text: &str) -> Rules {
    Rules::read(&Source::new("made up", text), None).expect("valid rules").0
}

/// What is found out about a game beside a search.
fn insights(rules: &Rules) -> Arc<Insights> {
    let (insights, knowledge) = (Insights::default(), Knowledge::of_rules(rules.clone()));
    insights.gather(&knowledge, &Budget::unlimited()).expect("no limit");
    Arc::new(insights)
}

fn scalar(rules: &Rules) -> Scalar {
    let budget = Budget::unlimited();
    let ground = Ground::new(rules, &budget).expect("ground");
    Scalar::new(Arc::new(Net::new(&ground, &budget).expect("a net")))
}

fn interp(rules: &Rules) -> Interp {
    Interp::new(rules).expect("rules that can be run")
}

/// Makes moves given as texts: for each step those of the roles that have a choice.
fn advance<G: Searchable>(game: &G, searcher: &mut dyn Searcher, moves: &[&str]) -> G::State {
    let mut game = game.clone();
    let mut state = game.initial();
    for text in moves {
        let joint: Vec<Move> =
            (0..game.roles()).map(|r| named(&mut game, &state, r, text)).collect();
        searcher.advance(&joint);
        state = game.next(&state, &joint);
    }
    state
}

/// The move of this name, or the only legal one.
fn named<G: Searchable>(game: &mut G, state: &G::State, role: usize, text: &str) -> Move {
    let mut legal = Vec::new();
    game.legal(state, role, &mut legal);
    match legal[..] {
        [only] => only,
        _ => *legal.iter().find(|m| game.move_text(role, **m) == text).expect("a legal move"),
    }
}
