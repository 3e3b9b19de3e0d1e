//! Moves that every search must find.

use super::*;
use ludex_gdl::budget::Stop;
use ludex_search::{Options, SearchMethod, Watched, searcher};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

const METHODS: [SearchMethod; 2] = [SearchMethod::Mcts, SearchMethod::Uct];

fn options(method: SearchMethod) -> Options {
    Options { method, nodes: 20_000, ..Options::default() }
}

/// What the search of a role chooses after these moves.
fn choose<G: Searchable>(
    game: &G,
    role: usize,
    options: &Options,
    insights: &Arc<Insights>,
    moves: &[&str],
) -> String {
    let mut searcher = searcher(game, role, options, insights.clone());
    advance(game, searcher.as_mut(), moves);
    searcher.think(3_000, &Budget::unlimited()).expect("no limit");
    let choice = searcher.choice().expect("a move");
    assert!(searcher.nodes() <= options.nodes);
    game.move_text(role, choice.mv)
}

#[test]
fn a_win_in_one_move_is_made_and_one_of_the_opponent_prevented() {
    let rules = rules("tictactoe.kif");
    let game = scalar(&rules);
    let row = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)"];
    let win = [&row[..], &["(mark 2 2)"]].concat();
    for insights in [Arc::default(), insights(&rules)] {
        for method in METHODS {
            let options = options(method);
            assert_eq!(choose(&game, 1, &options, &insights, &row), "(mark 1 3)");
            assert_eq!(choose(&game, 0, &options, &insights, &win), "(mark 1 3)");
        }
        for threads in [2, 4] {
            let options = Options { threads, ..options(SearchMethod::Mcts) };
            assert_eq!(choose(&game, 1, &options, &insights, &row), "(mark 1 3)");
        }
        // A tree of a few nodes, all of them used again and again.
        let options = Options { nodes: 40, ..options(SearchMethod::Mcts) };
        assert_eq!(choose(&game, 0, &options, &insights, &win), "(mark 1 3)");
    }
}

#[test]
fn a_tree_stays_as_it_is_where_memory_runs_out() {
    let game = scalar(&rules("connectfour.kif"));
    for method in METHODS {
        let insights = Arc::new(Insights::default());
        let mut search = searcher(&game, 0, &options(method), insights.clone());
        search.think(200, &Budget::unlimited()).expect("no limit");
        let before = search.nodes();
        insights.memory.growth.stop(Stop::Memory);
        search.think(2_000, &Budget::unlimited()).expect("no limit");
        assert!(before > 16 && search.nodes() == before, "{before}, {}", search.nodes());
        assert!(search.visits() >= 2_200 && search.choice().is_some());
    }
}

#[test]
fn four_in_a_column_are_made_and_prevented() {
    let rules = rules("connectfour.kif");
    let game = scalar(&rules);
    let insights = insights(&rules);
    let column = ["(drop 2)", "(drop 3)", "(drop 2)", "(drop 4)", "(drop 2)"];
    let win = [&column[..], &["(drop 6)"]].concat();
    for leaves in [0, 1, 8, 64] {
        let options = Options { leaves: Some(leaves), ..options(SearchMethod::Mcts) };
        assert_eq!(choose(&game, 1, &options, &insights, &column), "(drop 2)");
        assert_eq!(choose(&game, 0, &options, &insights, &win), "(drop 2)");
    }
}

#[test]
fn the_reasoner_can_be_searched_too() {
    let tictactoe = interp(&rules("tictactoe.kif"));
    let row = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)"];
    for method in METHODS {
        let chosen = choose(&tictactoe, 1, &options(method), &Arc::default(), &row);
        assert_eq!(chosen, "(mark 1 3)");
    }
}

#[test]
fn a_move_is_legal_without_any_thinking_and_the_tree_is_kept() {
    let rules = rules("connectfour.kif");
    let game = scalar(&rules);
    let insights = insights(&rules);
    for method in METHODS {
        let mut searcher = searcher(&game, 0, &options(method), insights.clone());
        let mut engine = game.clone();
        let state = engine.initial();
        let mut legal = Vec::new();
        engine.legal(&state, 0, &mut legal);
        assert!(legal.contains(&searcher.choice().expect("a move").mv));
        let stopped = Budget::unlimited();
        stopped.stop(Stop::Time);
        assert_eq!(searcher.think(1_000, &stopped), Err(Stop::Time));
        assert!(legal.contains(&searcher.choice().expect("a move").mv));
        searcher.think(2_000, &Budget::unlimited()).expect("no limit");
        let choice = searcher.choice().expect("a move");
        assert_eq!(choice.line[0][0], choice.mv);
        assert!(choice.moves.iter().map(|c| c.visits).sum::<u64>() >= 1_900, "{method:?}");
        let state = engine.next(&state, &choice.line[0]);
        searcher.advance(&choice.line[0]);
        assert!(searcher.visits() >= choice.visits * 9 / 10, "{method:?} keeps its tree");
        if let Some(reply) = choice.line.get(1) {
            engine.next(&state, reply);
        }
    }
}

#[test]
fn searches_with_the_same_seed_are_the_same() {
    let rules = rules("connectfour.kif");
    let game = scalar(&rules);
    let insights = insights(&rules);
    let run = || {
        let mut searcher = searcher(&game, 0, &options(SearchMethod::Mcts), insights.clone());
        searcher.think(1_000, &Budget::unlimited()).expect("no limit");
        searcher.choice()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_search_that_begins_does_not_try_every_move() {
    let numbers: String = (0..500).map(|n| format!("(number {n}) ")).collect();
    let text = numbers
        + "(role r) (init (at 0)) (init (early)) (<= (legal r (go ?n)) (number ?n))
           (<= (next (at ?n)) (does r (go ?n))) (<= terminal (not (true (early)))) (goal r 50)";
    let rules = of_text(&text);
    let met = Arc::new(AtomicUsize::new(0));
    let count = met.clone();
    let game = Watched::new(interp(&rules), move |_| {
        count.fetch_add(1, Relaxed);
    });
    for method in METHODS {
        met.store(0, Relaxed);
        let mut searcher = searcher(&game, 0, &options(method), Arc::default());
        searcher.think(10, &Budget::unlimited()).expect("no limit");
        advance(&game, searcher.as_mut(), &["(go 7)"]);
        assert!(met.load(Relaxed) < 100, "{method:?}: {} states", met.load(Relaxed));
    }
}

#[test]
fn the_best_of_many_moves_at_once_is_made() {
    let numbers: String = (1..=40).map(|n| format!("(number {n})")).collect();
    let rules = of_text(&format!(
        "(role left) (role right) {numbers} (init start)
         (<= (legal ?r (take ?n)) (role ?r) (number ?n))
         (<= (next (took ?r ?n)) (does ?r (take ?n)))
         (<= terminal (true (took left ?n)))
         (<= (goal ?r 80) (true (took ?r 7)))
         (<= (goal ?r 50) (true (took ?r ?n)) (distinct ?n 7))"
    ));
    let game = scalar(&rules);
    for method in METHODS {
        for seed in 0..5 {
            let options = Options { seed, ..options(method) };
            assert_eq!(choose(&game, 1, &options, &insights(&rules), &[]), "(take 7)");
        }
    }
}
