//! Boards agree with the answers of independent programs, hold in other matches, and are found where
//! people see them.

use crate::{Subject, bundled, load, root, subject};
use ludex::budget::{Budget, Stop};
use ludex::facts::boards::{
    AnyStateNet, Bases, BoardKind, Boards, ProjectionVerdict, RelationBoards, Seen,
};
use ludex::facts::decide::play;
use ludex::facts::invariants::Invariants;
use ludex::facts::samples::Samples;
use ludex::interp::Interp;
use ludex::machine::{Scalar, State};
use ludex::reason::StateMachine;
use ludex::search::{Options, Searcher, Uct, Watched, show};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn boards(subject: &Subject) -> Boards {
    let budget = Budget::unlimited();
    let mut invariants = Invariants::find(&subject.net, &budget).expect("no limit");
    Boards::decide(&subject.bases, &mut invariants, None, &budget)
}

fn verified(subject: &Subject, exact: bool) -> Boards {
    let Subject { rules, ground, net, bases } = subject;
    let budget = Budget::unlimited();
    let any = AnyStateNet::new(rules, ground, net, bases, &budget).expect("small enough");
    Boards::verify(bases, &any, exact, &budget).expect("no limit")
}

fn of<'a>(boards: &'a Boards, relation: &str) -> &'a RelationBoards {
    boards.relations.iter().find(|r| r.relation == relation).expect("a relation of the state")
}

/// Every refuting line is played by the reference reasoner, and ends in a state that shows it.
pub fn replay(subject: &Subject, boards: &Boards) -> usize {
    let mut lines = 0;
    let mut interp = Interp::new(&subject.rules).expect("rules that run");
    for relation in &boards.relations {
        for projection in &relation.projections {
            let ProjectionVerdict::Refuted { moves } = &projection.answer else { continue };
            let text = |i: &usize| subject.net.inputs[*i].name.clone();
            let line: Vec<Vec<String>> =
                moves.iter().map(|j| j.iter().map(text).collect()).collect();
            let states = play(&mut interp, &line).expect("legal moves");
            let facts = interp.fact_texts(states.last().unwrap());
            let values = |facts: &[String]| {
                let mut values: Vec<Vec<String>> = Vec::new();
                for fact in facts {
                    let (name, args) = ludex::facts::fluents::parts(fact);
                    if name == relation.relation && args.len() == relation.arity {
                        values
                            .push(projection.places.iter().map(|a| args[a - 1].clone()).collect());
                    }
                }
                values.sort();
                values.dedup();
                values
            };
            assert_ne!(values(&facts), values(&subject.bases.facts), "{}", subject.rules.name);
            lines += 1;
        }
    }
    lines
}

fn holds_elsewhere(subject: &Subject, boards: &Boards) {
    let budget = Budget::unlimited();
    let samples = Samples::gather(&subject.net, 7, 1_000, &budget).expect("no limit");
    holds_in(subject, &subject.bases, boards, &samples);
}

/// Proved projections and partial boards hold in other matches.
pub fn holds_in(subject: &Subject, bases: &Bases, boards: &Boards, samples: &Samples) {
    for (relation, of) in bases.relations().zip(&boards.relations) {
        let mut seen = Seen::new(&subject.net, bases, relation);
        samples.states.iter().for_each(|s| seen.observe(s));
        for set in &of.maximal {
            assert!(seen.contains(set), "{} {} {set:?}", subject.rules.name, of.relation);
        }
        for set in &of.partial {
            let args: Vec<usize> = set.iter().map(|a| a - 1).collect();
            let groups = bases.places(&subject.net, relation, &args).bases;
            let one = groups.iter().all(|g| samples.one_of(g).1);
            assert!(one, "{} {} {set:?}", subject.rules.name, of.relation);
        }
    }
}

/// The heuristic of section 4 follows a search: a projection that a state of its tree or of its
/// playouts contradicts goes, an invariant one stays.
#[test]
fn what_is_seen_follows_a_search() {
    let subject = bundled("tictactoe.kif");
    let seen = |name: &str| {
        let relation = subject.bases.relations().find(|r| r.name == name).expect("a relation");
        Arc::new(Mutex::new(Seen::new(&subject.net, &subject.bases, relation)))
    };
    let (cell, control) = (seen("cell"), seen("control"));
    let watch = [cell.clone(), control.clone()];
    let game = Watched::new(Scalar::new(subject.net.clone()), move |state: &State| {
        watch.iter().for_each(|seen| seen.lock().expect("no panic").observe(state));
    });
    // The initial state lists every square as blank.
    let mut search = Uct::new(game, 0, &Options::default());
    assert!(cell.lock().expect("no panic").contains(&[1, 2]));
    search.think(200, &Budget::unlimited()).expect("no limit");
    let (cell, control) = (cell.lock().expect("no panic"), control.lock().expect("no panic"));
    assert!(cell.states > search.nodes() && cell.states == control.states);
    assert_eq!((cell.maximal(), control.maximal()), (vec![vec![1, 2]], vec![]));
}

/// A stone goes where it likes, and marks are laid beside it or below it.
const BELOW: &str = "(role r) (init (at 1 1 stone)) (index 1) (index 2) (index 3)
    (<= (legal r (go ?x ?y)) (index ?x) (index ?y))
    (<= (legal r (lay ?x ?y)) (open ?x ?y))
    (<= (open ?x ?y) (index ?x) (index ?y) (not (true (at ?x ?y mark))))
    (<= (next (at ?x ?y stone)) (does r (go ?x ?y)))
    (<= (next (at ?x ?y stone)) (true (at ?x ?y stone)) (does r (lay ?u ?v)))
    (<= (next (at ?x ?y mark)) (does r (lay ?x ?y)))
    (<= (next (at ?x ?y mark)) (true (at ?x ?y mark)))
    (<= unmarked (open ?x ?y))
    (<= terminal (not unmarked)) (goal r 0)";

#[test]
fn places_may_hold_several_facts() {
    let subject = subject("below", BELOW);
    let found = boards(&subject);
    let best = found.best().expect("a board");
    assert_eq!((best.relation.as_str(), &best.places), ("at", &vec![1, 2]), "{best}");
    assert_eq!((best.kind, best.single), (BoardKind::Several, false));
    assert!(best.most_seen == 2 && best.proof.contains(" and "), "{best}");
}

#[test]
fn what_a_search_contradicts_is_no_longer_said() {
    let subject = bundled("tictactoe.kif");
    let mut found = boards(&subject);
    let budget = Budget::unlimited();
    found.follow(|seen| show(&subject.net, seen, 500, &budget)).expect("no limit");
    assert_eq!(found.searched, 500);
    assert_eq!(of(&found, "cell").sampled, [vec![1, 2]]);
    found
        .follow(|seen| {
            let mut seen = seen;
            let nothing = State(vec![0; subject.net.bases.len().div_ceil(64)].into());
            seen.iter_mut().for_each(|of| of.observe(&nothing));
            Ok::<_, Stop>(seen)
        })
        .expect("no limit");
    assert!(of(&found, "cell").sampled.is_empty() && of(&found, "cell").maximal == [vec![1, 2]]);
}

#[test]
fn bundled_games_have_the_boards_that_people_see() {
    for (game, relation, places, kind) in [
        ("tictactoe.kif", "cell", vec![1, 2], BoardKind::Invariant),
        ("connectfour.kif", "cell", vec![1, 2], BoardKind::Invariant),
        ("eightpuzzle.kif", "cell", vec![1, 2], BoardKind::Invariant),
        ("multipletictactoe.gdl", "cell", vec![1, 2, 3], BoardKind::Invariant),
        ("knightthrough.gdl", "cell", vec![1, 2], BoardKind::Invariant),
    ] {
        let subject = bundled(game);
        let found = boards(&subject);
        let best = found.best().unwrap_or_else(|| panic!("{game} has no board"));
        assert_eq!((best.relation.as_str(), &best.places), (relation, &places), "{game}");
        assert_eq!(best.kind, kind, "{game}");
        holds_elsewhere(&subject, &found);
        replay(&subject, &found);
    }
}

#[test]
fn the_eight_puzzle_is_a_configuration_game() {
    let subject = bundled("eightpuzzle.kif");
    let found = boards(&subject);
    assert_eq!(of(&found, "cell").maximal, [vec![3], vec![1, 2]]);
    assert_eq!(of(&found, "cell").calls, 6);
    assert!(found.best().unwrap().configuration);
}

/// The printed program rejects the board of tic-tac-toe: nothing says that one player is in control.
#[test]
fn the_three_programs_differ_as_the_paper_lets_them() {
    let subject = bundled("tictactoe.kif");
    for exact in [false, true] {
        let found = verified(&subject, exact);
        assert_eq!((of(&found, "cell").calls, of(&found, "cell").maximal.len()), (3, 0));
    }
    assert_eq!(of(&boards(&subject), "cell").maximal, [[1, 2]]);
}

/// Three squares that are marked in turn; empty ones are not listed.
const MARKS: &str = "(role a) (role b) (place 1) (place 2) (place 3) (init (control a))
    (<= (taken ?x) (true (cell ?x ?p)))
    (<= (legal ?p (mark ?x)) (true (control ?p)) (place ?x) (not (taken ?x)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (cell ?x ?p)) (does ?p (mark ?x)))
    (<= (next (cell ?x ?p)) (true (cell ?x ?p)))
    (<= (next (control a)) (true (control b)))
    (<= (next (control b)) (true (control a)))
    (<= terminal (taken 1) (taken 2) (taken 3)) (goal a 50) (goal b 50)";

#[test]
fn a_board_without_blanks_is_partial() {
    let found = boards(&subject("marks.kif", MARKS));
    assert_eq!(of(&found, "cell").partial, [[1]]);
    assert!(of(&found, "cell").maximal.is_empty());
    assert!(of(&found, "control").partial.is_empty());
}

/// A wanderer on a ring of three with a lamp that is on: `on` has all values, two facts a place.
const RING: &str = "(role r) (init (at 1)) (init (on 1 a)) (init (on 1 b)) (init (on 2 a))
    (next 1 2) (next1 1 2) (next1 2 3) (next1 3 1)
    (legal r go) (<= (next (at ?y)) (true (at ?x)) (next1 ?x ?y))
    (<= (next (on ?x ?y)) (true (on ?x ?y)))
    (<= terminal (true (at 9))) (goal r 0)";

#[test]
fn several_facts_a_place_and_places_that_come_later() {
    let subject = subject("ring.kif", &RING.replace("(next 1 2) ", ""));
    let found = boards(&subject);
    assert!(!found.declared);
    // at(2) is reachable, but not at first.
    let ProjectionVerdict::NotInitial { value } = &of(&found, "at").projections[0].answer else {
        panic!("{:?}", of(&found, "at"))
    };
    assert!(["2", "3"].contains(&value.as_str()));
    assert_eq!(of(&found, "on").maximal, [[1, 2]]);
}

/// Rows of `boards.tsv` by game.
fn oracle() -> Option<BTreeMap<String, Vec<Vec<String>>>> {
    let text = ludex_testing::shared_text("oracle/boards.tsv")?;
    let mut rows: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<String> = line.split('\t').map(String::from).collect();
        rows.entry(cells[0].clone()).or_default().push(cells);
    }
    Some(rows)
}

/// The sets of `<cell,{1,2}>;<cell,{3}>` by relation.
fn sets(text: &str) -> BTreeMap<String, Vec<Vec<usize>>> {
    let mut found: BTreeMap<String, Vec<Vec<usize>>> = BTreeMap::new();
    for part in text.split(';').filter(|p| p.starts_with('<')) {
        let (name, set) = part.trim_matches(['<', '>']).split_once(',').expect("a pair");
        let set = set.trim_matches(['{', '}']).split(',').map(|n| n.parse().unwrap()).collect();
        found.entry(name.to_string()).or_default().push(set);
    }
    found
}

/// Games whose proofs take long; they are covered by `ludex paper boards` and the larger runs.
const SLOW: [&str; 6] = [
    "stanford/alquerque.kif",
    "stanford/chinesecheckers.kif",
    "stanford/chinook.kif",
    "stanford/reflectconnect.kif",
    "collection/quarto.kif",
    "collection/pancakes6.kif",
];

#[test]
fn boards_agree_with_independent_programs() {
    let Some(rows) = oracle() else { return };
    let (mut games, mut compared, mut lines) = (0, 0, 0);
    for (game, rows) in rows.iter().filter(|(g, _)| !SLOW.contains(&g.as_str())) {
        let subject = load(&root().join("../shared/games").join(game)).expect("a game");
        if subject.net.gates.len() > 5_000 {
            continue;
        }
        games += 1;
        let found = boards(&subject);
        holds_elsewhere(&subject, &found);
        lines += replay(&subject, &found);
        let mut by_program = [None, None];
        for row in rows {
            let (verify, relation, maximal) = (row[1].as_str(), row[3].as_str(), sets(&row[7]));
            match verify {
                "literal" | "exact" => {
                    let exact = verify == "exact";
                    let ours =
                        by_program[exact as usize].get_or_insert_with(|| verified(&subject, exact));
                    compare(game, verify, relation, &maximal, ours, |a, b| a == b);
                }
                // What those prove, we prove.
                "control" | "unary" | "joint" | "one_tile_per_cell" => {
                    compare(game, verify, relation, &maximal, &found, |a, b| covers(b, a));
                }
                // All states: the truth; some: no more can be true.
                "states" => {
                    let complete = row[8].ends_with("complete 1");
                    for of in &found.relations {
                        let theirs = maximal.get(&of.relation).cloned().unwrap_or_default();
                        assert!(covers(&theirs, &of.maximal), "{game} {of:?} {theirs:?}");
                        assert!(!complete || covers(&of.maximal, &theirs), "{game} {of:?}");
                    }
                }
                other => panic!("a way to verify called {other}"),
            }
            compared += 1;
        }
    }
    assert_eq!((games, compared), (36, 283), "games and rows");
    assert!(lines > 4, "{lines} refuting lines replayed");
}

fn compare(
    game: &str,
    verify: &str,
    relation: &str,
    theirs: &BTreeMap<String, Vec<Vec<usize>>>,
    ours: &Boards,
    agree: impl Fn(&[Vec<usize>], &[Vec<usize>]) -> bool,
) {
    let (name, arity) = relation.trim_end_matches(')').split_once('(').expect("name(arity)");
    let same =
        |r: &&RelationBoards| r.relation.eq_ignore_ascii_case(name) && r.arity.to_string() == arity;
    let Some(of) = ours.relations.iter().find(same) else {
        panic!("{game} has no relation {relation}")
    };
    let sorted = |mut sets: Vec<Vec<usize>>| {
        sets.sort();
        sets
    };
    let theirs = sorted(theirs.get(name).cloned().unwrap_or_default());
    let ours = sorted(of.maximal.clone());
    assert!(agree(&theirs, &ours), "{game} {verify} {relation}: {theirs:?}, here {ours:?}");
}

/// Whether every one of the smaller sets lies in one of the larger.
fn covers(larger: &[Vec<usize>], smaller: &[Vec<usize>]) -> bool {
    smaller.iter().all(|s| larger.iter().any(|l| s.iter().all(|a| l.contains(a))))
}

/// A square is declared that never holds a mark.
#[test]
fn a_board_found_at_a_limit_has_all_declared_places() {
    let rules = "(role r) (mark on) (mark off) (square a) (square b) (<= (base (cell ?s ?m)) (square ?s) (mark ?m))
        (base (cell c on)) (<= (input r (turn ?s)) (square ?s)) (<= (init (cell ?s off)) (square ?s))
        (<= (legal r (turn ?s)) (true (cell ?s off))) (<= (next (cell ?s on)) (does r (turn ?s)))
        (<= (next (cell ?s ?m)) (true (cell ?s ?m)) (does r (turn ?t)) (distinct ?s ?t))
        (<= terminal (not (true (cell a off)))) (goal r 50)";
    let subject = subject("squares", rules);
    let mut found = Invariants::find(&subject.net, &Budget::unlimited()).expect("no limit");
    let reachable = Boards::find(&subject.net, &found, &Budget::unlimited()).expect("no limit");
    assert_eq!(reachable.relations[0].maximal, [[1]]);
    let over = Budget::unlimited();
    over.stop(Stop::Time);
    for budget in [over, Budget::unlimited()] {
        let boards = Boards::decide(&subject.bases, &mut found, None, &budget);
        assert_eq!(boards.relations[0].maximal, Vec::<Vec<usize>>::new(), "{:?}", boards.stopped);
    }
}
