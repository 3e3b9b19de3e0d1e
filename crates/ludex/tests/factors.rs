//! Factors and latches (paper 003): its examples, and what reading the rules says of other games.

use ludex::budget::Budget;
use ludex::facts::factor::{Exact, Factors, Kind, Structure};
use ludex::facts::latches::{Latches, Value, fold};
use ludex::game::perft;
use ludex::ground::Ground;
use ludex::machine::Scalar;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str, text: &str) -> Option<Arc<Net>> {
    let (rules, _) = Rules::read(&Source::new(name, text), None).ok()?;
    let ground = Ground::new(&rules, &Budget::unlimited()).ok()?;
    Some(Arc::new(Net::new(&ground, &Budget::unlimited()).ok()?))
}

fn net(path: &str) -> Option<Arc<Net>> {
    let text = std::fs::read(root().join(path)).ok()?;
    read(path, &String::from_utf8_lossy(&text))
}

fn initial(net: &Net) -> Vec<bool> {
    net.bases.iter().map(|b| b.initial).collect()
}

fn factors(net: &Net, state: &[bool]) -> Factors {
    Factors::find(net, state, &Budget::unlimited()).expect("no limit")
}

/// The state after moves of one role at a time; the others have one legal move.
fn after(net: &Net, moves: &[&str]) -> Vec<bool> {
    let mut state = initial(net);
    for text in moves {
        let values = net.evaluate(&state, &vec![false; net.inputs.len()]);
        let legal = |i: &usize| Net::holds(&values, net.inputs[*i].legal);
        let pick = |role: usize| {
            let all: Vec<usize> = net.inputs_of(role).filter(legal).collect();
            let named = all.iter().find(|i| net.inputs[**i].name == *text);
            *named.unwrap_or_else(|| if all.len() == 1 { &all[0] } else { panic!("{text}") })
        };
        let joint: Vec<usize> = (0..net.roles.len()).map(pick).collect();
        state = net.successor(&state, &joint);
    }
    state
}

fn verified(found: &Factors, matches: usize, states: usize) -> bool {
    let checked = found.verify(matches, states, &Budget::unlimited()).expect("no limit");
    checked.unwrap_or_else(|why| panic!("{}: {why}", found.net.name)).complete
}

fn leaves(net: &Net) -> u64 {
    let mut game = Scalar::new(Arc::new(net.clone()));
    perft(&mut game, 10, false, &Budget::unlimited()).terminals.iter().sum()
}

#[test]
fn double_tic_tac_toe_is_two_games() {
    let net = net("games/doubletictactoe.kif").expect("bundled");
    let found = factors(&net, &initial(&net));
    assert_eq!(found.kind, Kind::Synchronous);
    assert_eq!(found.factors.len(), 2);
    assert_eq!(found.exact, Exact::Exact);
    for (structure, of, _) in &found.goals {
        assert_eq!((*structure, &of[..]), (Structure::Conjunction, &[0, 1][..]));
    }
    verified(&found, 5, 500);
    // The paper's n; the whole game has n times n leaves.
    for factor in &found.factors {
        assert_eq!(leaves(&factor.net), 255_168);
    }
}

#[test]
fn three_boards_are_three_games() {
    let net = net("games/multipletictactoe.gdl").expect("bundled");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (Kind::Synchronous, 3));
    verified(&found, 3, 50);
}

#[test]
fn joined_tic_tac_toe_falls_apart_when_the_middle_is_dead() {
    let net = net("games/joinedtictactoe.gdl").expect("bundled");
    let found = factors(&net, &initial(&net));
    assert_eq!(found.kind, Kind::Single);
    assert!(found.tie.is_some());
    let moves = [
        "(both (mark 2 2) (mark 2 2))",
        "(both (mark 2 3) (mark 2 1))",
        "(both (mark 1 1) middle)",
    ];
    let state = after(&net, &moves);
    let found = factors(&net, &state);
    assert_eq!((found.kind, found.factors.len()), (Kind::Synchronous, 2));
    verified(&found, 20, 2_000);
    // One mark less, and the boards still hang together by the square between them.
    assert_eq!(factors(&net, &after(&net, &moves[..2])).factors.len(), 1);
}

#[test]
fn the_two_buttons_of_figure_1_are_latches() {
    let net = net("games/twobuttons.gdl").expect("bundled");
    let found = Latches::find(&net, &Budget::unlimited(), &Budget::unlimited()).expect("no limit");
    let names: Vec<&str> = found.positive.iter().map(|b| net.bases[*b].name.as_str()).collect();
    assert_eq!(names, ["(pressed a)", "(pressed b)"]);
    assert!(found.negative.is_empty() && found.undecided.is_empty());
    // The goal is a view over latches.
    assert_eq!(found.stays(net.goals[0][1].1), Some(Value::True));
    let state = after(&net, &["(press a)"]);
    let folding = fold(&net, &state);
    assert_eq!(folding.folded.net.bases.len(), 1);
    assert_eq!(folding.folded.net.inputs.len(), 1);
}

#[test]
fn marks_stay_and_blanks_do_not_come_back() {
    let net = net("games/tictactoe.kif").expect("bundled");
    let found = Latches::find(&net, &Budget::unlimited(), &Budget::unlimited()).expect("no limit");
    assert_eq!((found.positive.len(), found.negative.len()), (18, 9));
    // White's diagonal is lost for good, and the net from here on is a smaller one.
    let state = after(&net, &["(mark 1 1)", "(mark 2 2)", "(mark 3 3)"]);
    let folding = fold(&net, &state);
    assert!(3 * folding.folded.net.gate_count() < 2 * net.gate_count());
    let compared = folding.compare(&net, 50, 3, &Budget::unlimited()).expect("no limit");
    assert!(compared.expect("the same game") > 200);
}

#[test]
fn folded_nets_play_the_same_from_a_state_on() {
    for game in
        ["connectfour.kif", "hex3.kif", "joinedtictactoe.gdl", "nim.kif", "pegsolitaire.gdl"]
    {
        let net = net(&format!("games/{game}")).expect("bundled");
        let mut state = initial(&net);
        for _ in 0..4 {
            let folding = fold(&net, &state);
            let compared = folding.compare(&net, 3, 5, &Budget::unlimited()).expect("no limit");
            compared.unwrap_or_else(|why| panic!("{game}: {why}"));
            let values = net.evaluate(&state, &vec![false; net.inputs.len()]);
            let legal = |i: &usize| Net::holds(&values, net.inputs[*i].legal);
            let first = |r| net.inputs_of(r).find(legal);
            let Some(joint) = (0..net.roles.len()).map(first).collect::<Option<Vec<_>>>() else {
                break;
            };
            state = net.successor(&state, &joint);
        }
    }
}

/// Opaque moves: one constant stands for what is done to both lamps.
const LAMPS: &str = "
role(you)
init(left(off))
init(right(off))
init(step(1))
legal(you,aa)
legal(you,ab)
legal(you,ba)
legal(you,bb)
up(left,aa)
up(left,ab)
up(right,aa)
up(right,ba)
follows(off,dim)
follows(dim,bright)
follows(bright,off)
next(left(Y)) :- does(you,M) & up(left,M) & true(left(X)) & follows(X,Y)
next(left(X)) :- does(you,M) & ~up(left,M) & true(left(X))
next(right(Y)) :- does(you,M) & up(right,M) & true(right(X)) & follows(X,Y)
next(right(X)) :- does(you,M) & ~up(right,M) & true(right(X))
after(1,2)
after(2,3)
after(3,4)
next(step(N)) :- true(step(M)) & after(M,N)
terminal :- true(step(4))
goal(you,100) :- true(left(bright)) & true(right(off))
goal(you,0) :- ~true(left(bright))
goal(you,0) :- ~true(right(off))
";

#[test]
fn opaque_moves_are_split_by_their_effects() {
    let net = read("lamps", LAMPS).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (Kind::Synchronous, 2));
    assert_eq!(found.shared.len(), 4);
    assert_eq!(found.goals[0].0, Structure::Conjunction);
    assert!(verified(&found, 5, 10_000), "all states were seen");
    let names: Vec<&str> = found.factors[0].net.inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["aa|ab", "ba|bb"]);
}

#[test]
fn what_ties_a_game_together_keeps_it_whole() {
    // The same, but pressing both at once is not allowed: the parts cannot be chosen apart.
    let tied = LAMPS.replace("legal(you,aa)\n", "");
    let net = read("tied", &tied).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, Kind::Single);
    // The condition of one lamp's move reads the other lamp.
    let tied = LAMPS.replace("legal(you,ab)", "legal(you,ab) :- true(right(off))");
    let net = read("tied", &tied).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, Kind::Single);
}

#[test]
fn games_are_factored_as_reading_their_rules_says() {
    let Ok(table) = std::fs::read_to_string(root().join("../shared/oracle/factors.tsv")) else {
        return println!("no shared folder: no game was checked");
    };
    let mut wrong = Vec::new();
    let mut games = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let net = net(&format!("../shared/games/{}", columns[0])).expect("a game");
        let found = factors(&net, &initial(&net));
        verified(&found, 2, 100);
        games += 1;
        let kind_fits = match found.kind {
            Kind::Single => columns[2] == "1",
            Kind::Serial => columns[1].contains("serial"),
            Kind::PerRole => columns[1].contains("per role"),
            Kind::ByChoice => {
                ["by choice", "two tracks", "two boards"].iter().any(|k| columns[1].contains(k))
            }
            Kind::Synchronous => {
                ["conjoined", "two boards", "roles swapped"].iter().any(|k| columns[1].contains(k))
            }
        };
        if found.factors.len().to_string() != columns[2] || !kind_fits {
            wrong.push(format!("{}: {} {}", columns[0], found.factors.len(), found.kind));
        }
    }
    println!("{games} games were factored");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
