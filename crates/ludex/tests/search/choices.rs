//! Moves that every search must find.

use super::*;
use ludex::game::Game;
use ludex::search::{Method, Options, searcher};

const METHODS: [Method; 2] = [Method::Mcts, Method::Uct];

fn options(method: Method) -> Options {
    Options { method, nodes: 20_000, ..Options::default() }
}

/// What the search of a role chooses after these moves.
fn choose<G: Searchable>(game: &G, role: usize, options: &Options, moves: &[&str]) -> String {
    let mut searcher = searcher(game, role, options, Arc::default());
    advance(game, searcher.as_mut(), moves);
    searcher.think(3_000, &Budget::unlimited()).expect("no limit");
    let choice = searcher.choice().expect("a move");
    game.move_text(role, choice.mv)
}

#[test]
fn a_win_in_one_move_is_made_and_one_of_the_opponent_prevented() {
    let tictactoe = scalar(&rules("tictactoe.kif"));
    let row = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)"];
    for method in METHODS {
        assert_eq!(choose(&tictactoe, 1, &options(method), &row), "(mark 1 3)");
        let win = [&row[..], &["(mark 2 2)"]].concat();
        assert_eq!(choose(&tictactoe, 0, &options(method), &win), "(mark 1 3)");
    }
}

#[test]
fn the_reasoner_can_be_searched_too() {
    let tictactoe = interp(&rules("tictactoe.kif"));
    let row = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)"];
    for method in METHODS {
        assert_eq!(choose(&tictactoe, 1, &options(method), &row), "(mark 1 3)");
    }
}

#[test]
fn a_move_is_legal_without_any_thinking_and_the_tree_is_kept() {
    let game = scalar(&rules("connectfour.kif"));
    for method in METHODS {
        let mut searcher = searcher(&game, 0, &options(method), Arc::default());
        let mut legal = Vec::new();
        let (mut own, mut engine) = (searcher.choice().expect("a move"), game.clone());
        let state = engine.initial();
        engine.legal(&state, 0, &mut legal);
        assert!(legal.contains(&own.mv));
        searcher.think(2_000, &Budget::unlimited()).expect("no limit");
        own = searcher.choice().expect("a move");
        let joint = own.line[0].clone();
        searcher.advance(&joint);
        assert!(searcher.visits() > 100, "{method:?} keeps {}", searcher.visits());
    }
}
