//! `ludex::Game`, the one door: what it opens, what it remembers, and that every stage is made once.

use ludex::budget::{Budget, Memory, Proving, Stop};
use ludex::compile::Means;
use ludex::facts::decide::{Effort, decide};
use ludex::facts::invariants::InvariantKind;
use ludex::facts::property::Property;
use ludex::frame::Covering;
use ludex::game::{Faulty, NotOpened};
use ludex::play::{Clock, Opening, Seat};
use ludex::prove::Verdict;
use ludex::search::Options;
use ludex::search::solve::{Settings, Subject, solve};
use ludex::symmetry::{KeptStructure, SymmetryQuestion, of_rules};
use ludex::{Game, knowledge::Knowledge};
use std::collections::BTreeSet;
use std::sync::Arc;

fn initial(game: &Game, budget: &Budget) -> Subject {
    let net = game.knowledge().net(budget).expect("a small game");
    let state = net.bases.iter().map(|b| b.initial).collect();
    Subject { knowledge: game.knowledge().clone(), net, state }
}

/// The stages that were worked on more than once.
fn repeated(knowledge: &Knowledge) -> Vec<(&'static str, usize)> {
    knowledge.runs().into_iter().filter(|(_, runs)| *runs > 1).collect()
}

fn ran(knowledge: &Knowledge, stage: &str) -> bool {
    knowledge.runs().contains(&(stage, 1))
}

#[test]
fn all_that_is_wrong_with_rules_is_told_at_once() {
    let why =
        Game::from_text("bad.kif", "(role r) (<= (legal r go) (p ?x)) (<= (next q) (not r2 ?x))");
    let told = why.err().expect("faulty rules").to_string();
    assert!(told.matches("error").count() > 1 && told.contains("bad.kif:1:"), "{told}");
    assert!(Game::bundled("no such game").is_err());
}

#[test]
fn solving_makes_each_stage_once() {
    let (game, budget) = (Game::bundled("tictactoe").expect("bundled"), Budget::unlimited());
    for _ in 0..2 {
        let found =
            solve(&initial(&game, &budget), &Settings::default(), &budget, Proving(&budget));
        assert!(found.complete);
    }
    assert_eq!(repeated(game.knowledge()), []);
    for stage in ["ground", "net", "scalar", "invariants", "logic", "symmetries"] {
        assert!(ran(game.knowledge(), stage), "{stage}: {:?}", game.runs());
    }
}

#[test]
fn symmetries_are_searched_for_once() {
    let (game, budget) = (Game::bundled("tictactoe").expect("bundled"), Budget::unlimited());
    let question = SymmetryQuestion::default();
    let rules = of_rules(game.rules(), &question, &budget, &budget).expect("no limit").found;
    let known = game.knowledge().symmetries(&budget).expect("no limit");
    let told = |kept| {
        let told = game.knowledge().symmetries_told(&rules, kept, &budget, f64::INFINITY);
        told.expect("no limit").order
    };
    assert_eq!(told(KeptStructure::default()), known.all.order);
    let kept = KeptStructure { roles: true, initial: false };
    assert_eq!(told(kept), known.roles_fixed.order);
    assert!(repeated(game.knowledge()).is_empty() && ran(game.knowledge(), "symmetries"));
}

#[test]
fn a_match_makes_each_stage_once() {
    let (game, budget) = (Game::bundled("tictactoe").expect("bundled"), Budget::unlimited());
    let rules = game.rules().clone();
    let opening = Opening {
        rules: Box::new(move || Ok((*rules).clone())),
        known: None,
        role: game.position(&budget).expect("a position").roles()[0].clone(),
        player: "mcts".parse().expect("a player"),
        grounding: budget.fresh(),
        memory: Memory::unlimited(&budget),
        memories: None,
    };
    let (seat, clock) = (Seat::new(opening), Clock::unlimited());
    seat.ready(&clock).expect("a player");
    let first = seat.ask(vec![], &clock).expect("a move");
    let history = vec![vec![first, "noop".to_string()]];
    assert_eq!(seat.ask(history, &clock).as_deref(), Some("noop"));
    let knowledge = seat.knowledge().expect("rules that were read");
    // Proofs are cut short by the clock and go on later; nothing else is.
    let again = repeated(&knowledge);
    let proofs = ["samples", "latches", "invariants"];
    assert!(again.iter().all(|(stage, _)| proofs.contains(stage)), "{again:?}");
    for stage in ["ground", "net", "scalar", "sliced", "symmetries"] {
        assert!(ran(&knowledge, stage), "{stage}: {:?}", knowledge.runs());
    }
}

#[test]
fn proofs_go_on_where_a_limit_struck() {
    let whole = Knowledge::of_rules(Game::bundled("eightpuzzle").expect("bundled").rules().clone());
    let budget = Budget::unlimited();
    let all = whole.invariants(&budget).expect("no limit");
    // The same, cut short at once and asked again.
    let knowledge = Arc::new(Knowledge::of_rules(whole.rules().clone()));
    knowledge.net(&budget).expect("a small game");
    let short = budget.part();
    let asked = knowledge.clone();
    let first = std::thread::scope(|scope| {
        let work = scope.spawn(|| asked.invariants(&short).map(|found| found.found.len()));
        std::thread::sleep(std::time::Duration::from_millis(30));
        short.stop(Stop::Time);
        work.join().expect("no panic")
    });
    let found = knowledge.invariants(&budget).expect("no limit");
    assert!(found.stopped.is_none());
    let proved = |of: &ludex::facts::invariants::Invariants| {
        let mut all: Vec<_> = of.found.iter().map(|i| (i.kind, i.about.clone())).collect();
        all.sort();
        all
    };
    assert_eq!(proved(&found), proved(&all), "cut short after {first:?}");
}

#[test]
fn boards_go_on_where_a_limit_struck() {
    let whole = Budget::new(seconds);
    let decided = |knowledge: &Knowledge, budget: &Budget| {
        let found = knowledge.boards(budget, 60.0, &mut |_| ()).ok();
        let relations = found.iter().flat_map(|boards| boards.relations.clone());
        let all = relations.flat_map(|r| {
            let known = r.projections.into_iter().filter(|p| p.answer.status() != "unknown");
            known.map(move |p| format!("{} {:?} {}", r.relation, p.places, p.answer.status()))
        });
        (all.collect::<BTreeSet<String>>(), found.is_some_and(|boards| boards.stopped.is_none()))
    };
    let game = Game::bundled("eightpuzzle").expect("bundled");
    let (mut known, mut tries) = (BTreeSet::new(), 0);
    loop {
        let (found, complete) = decided(game.knowledge(), &whole.lasting(0.001 * f64::from(tries)));
        assert!(found.is_superset(&known), "{known:?} became {found:?}");
        known = found;
        if complete {
            break;
        }
        tries += 1;
    }
    let fresh = Game::bundled("eightpuzzle").expect("bundled");
    assert_eq!(known, decided(fresh.knowledge(), &whole).0);
}

#[test]
fn factors_are_asked_again_with_more_lemmas() {
    let budget = Budget::new(seconds);
    for name in ["doubletictactoe", "multipletictactoe", "lightsout", "twobuttons"] {
        let game = Game::bundled(name).expect("bundled");
        let ask = |game: &Game, lemma_seconds: f64| {
            let found = game.knowledge().factors(&budget, lemma_seconds).expect("a small game");
            (found.factors.len(), found.exact.clone())
        };
        ask(&game, 0.0);
        let fresh = Game::bundled(name).expect("bundled");
        assert_eq!(ask(&game, 60.0), ask(&fresh, 60.0), "{name}");
    }
}

#[test]
fn a_translation_whose_pruning_was_cut_short_goes_on() {
    let (game, budget) = (Game::bundled("tictactoe").expect("bundled"), Budget::unlimited());
    let none = budget.part();
    none.stop(Stop::Time);
    let ask = |grounding: &Budget| {
        game.frame(Covering::Pruned, Means { whole: &budget, grounding }).expect("no limit")
    };
    let short = ask(&none);
    assert_eq!(short.stopped, Some(Stop::Time));
    let whole = ask(&budget);
    assert!(whole.stopped.is_none() && whole.joints < short.joints);
    assert_eq!(ask(&none).joints, whole.joints);
}

#[test]
fn threads_with_little_time_lose_nothing() {
    let ask = |game: &Game, budget: &Budget| {
        let known = game.knowledge();
        let symmetries = known.symmetries(budget).map(|found| found.all.order.clone());
        let proved = known.invariants(budget).map(|found| found.found.len());
        let latches = known.latches(budget, 60.0).map(|found| found.positive.len());
        let factors = known.factors(budget, 60.0).map(|found| found.factors.len());
        let joints = game.frame(Covering::Pruned, Means::all(budget)).map(|frame| frame.joints);
        (symmetries.ok(), proved.ok(), latches.ok(), factors.ok(), joints.ok())
    };
    let (game, whole) = (Game::bundled("tictactoe").expect("bundled"), Budget::new(seconds));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (game, whole) = (&game, &whole);
            scope.spawn(move || {
                for try_number in 0..12 {
                    ask(game, &whole.lasting(0.0005 * f64::from(thread + 4 * try_number)));
                }
            });
        }
    });
    let fresh = Game::bundled("tictactoe").expect("bundled");
    assert_eq!(ask(&game, &whole), ask(&fresh, &whole));
}

/// Since the first question.
fn seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

#[test]
fn a_game_is_opened_by_file_or_name() {
    assert_eq!(Game::open("tictactoe").expect("bundled").name(), "tictactoe");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/nim.kif");
    assert_eq!(Game::open(file).expect("a file").digest(), Game::open("nim").unwrap().digest());
    assert!(matches!(Game::open("no/such.kif"), Err(NotOpened::File(_))));
    let no_rules = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(matches!(Game::open(no_rules), Err(NotOpened::Rules(_))));
}

#[test]
fn searches_and_solvers_go_on_beside() {
    let (game, budget) = (Game::open("tictactoe").expect("bundled"), Budget::unlimited());
    let start = game.position(&budget).expect("a position");
    let thinking = start.start_search(0, &Options::default(), &budget);
    let solving = start.start_solver(Settings::default(), &budget).expect("a net");
    assert!(thinking.best().is_some_and(|thought| start.legal(0).any(|m| m == thought.text)));
    let found = solving.wait();
    assert_eq!(found.values.expect("solved")[0].to_string(), "50");
    while thinking.best().is_some_and(|thought| thought.visits == 0) {
        std::thread::yield_now();
    }
    assert!(thinking.stop().best().is_some());
    // What nobody waits for any more ends by itself.
    drop(start.start_search(0, &Options::default(), &budget));
    let stopped = start.start_solver(Settings::default(), &budget).expect("a net").stop();
    assert!(stopped.complete || stopped.stop == Some(Stop::Interrupted));
    // A long one tells its depth on the way.
    let long = Game::open("connectfour").expect("bundled").position(&budget).expect("a position");
    let solving = long.start_solver(Settings::default(), &budget).expect("a net");
    while !solving.so_far().contains("depth") {
        std::thread::yield_now();
    }
    assert_eq!(solving.stop().stop, Some(Stop::Interrupted));
}

#[test]
fn what_one_analysis_proves_the_others_use() {
    // A lamp burns out once lit, and only a lamp that is whole can be lit: by the structure alone the last
    // fact is no latch, by the invariants it is.
    let rules = "(role you) (lamp a) (lamp b)
        (init (lamp a whole)) (init (lamp b whole))
        (<= (legal you (light ?x)) (true (lamp ?x whole)))
        (<= (legal you (light ?x)) (true (lamp ?x dark)))
        (<= (next (lamp ?x dark)) (does you (light ?x)))
        (<= (next (lamp ?x dark)) (true (lamp ?x dark)))
        (<= (next (lamp ?x whole)) (true (lamp ?x whole)) (not (does you (light ?x))))
        (<= (next (lit ?x)) (true (lamp ?x dark)))
        (<= (next (lit ?x)) (true (lit ?x)) (not (true (lamp ?x whole))))
        (<= terminal (true (lit a)) (true (lit b)))
        (<= (goal you 100) (true (lit a)) (true (lit b)))
        (<= (goal you 0) (not (true (lit a)))) (<= (goal you 0) (not (true (lit b))))";
    let game = Game::from_text("lamps.kif", rules).expect("rules");
    let budget = Budget::unlimited();
    let latches = game.knowledge().latches(&budget, f64::INFINITY).expect("no limit");
    let lit = latches.net.bases.iter().position(|b| b.name == "(lit a)").expect("a fact");
    assert!(latches.positive.contains(&lit) && !latches.lemmas.is_empty(), "{:?}", latches.lemmas);
    let known = game.knowledge().known().expect("lemmas");
    let number = known.number(InvariantKind::Persistent, &[lit]).expect("it is in the base");
    let lemma = known.iter().nth(number).expect("it is there");
    assert!(!lemma.rests_on.is_empty(), "{lemma:?}");
    // Everything is there for a question of the user's.
    let property =
        Property::read("(not (and (true (lit ?x)) (true (lamp ?x whole))))", game.rules());
    let property = property.unwrap_or_else(|told| panic!("{}", told.1.render(&told.0)));
    let none = Effort { lemma_seconds: 0.0, ..Effort::default() };
    let decided = decide(&property, Some(&known), none, &budget).expect("a net");
    assert!(matches!(decided.verdict, Verdict::Proved { .. }), "{}", decided.by);
}

#[test]
fn positions_are_values() {
    let (game, budget) = (Game::bundled("tictactoe").expect("bundled"), Budget::unlimited());
    let start = game.position(&budget).expect("a position");
    let centre = start.after(&["2 2"]).expect("a legal move");
    for text in ["mark 2 2", "(mark 2 2)", "mark(2,2)"] {
        assert_eq!(start.after(&[text]).expect("a legal move").facts(), centre.facts());
    }
    assert_eq!(start.after(&["(mark 2 2)", "noop"]).expect("legal").facts(), centre.facts());
    assert_eq!((start.legal(0).len(), centre.legal(1).len()), (9, 8));
    assert!(matches!(centre.after(&["2 2"]), Err(Faulty::Move { .. })));
    assert!(matches!(centre.after(&["1 1", "noop", "noop"]), Err(Faulty::Count { .. })));
    assert!(centre.picture(&budget).expect("a picture").to_string().contains('x'));
}
