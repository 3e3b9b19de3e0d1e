//! Factors and latches (paper 003): its examples, and what reading the rules says of other games.

mod collection;
mod nested;
mod ties;

use ludex::budget::Budget;
use ludex::facts::factor::{Exactness, FactorKind, Factors, Structure};
use ludex::facts::latches::{LatchValue, Latches, SideBySide, fold};
use ludex::facts::lemmas::Lemmas;
use ludex::ground::Ground;
use ludex::knowledge::Knowledge;
use ludex::machine::Scalar;
use ludex::net::Net;
use ludex::reason::perft;
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
    let nothing = Lemmas::new(Arc::new(net.clone()));
    Factors::find(net, state, &nothing, &Budget::unlimited()).expect("no limit")
}

fn latches(net: &Arc<Net>) -> Arc<Latches> {
    let knowledge = Knowledge::of_net(net.clone());
    knowledge.latches(&Budget::unlimited(), f64::INFINITY).expect("no limit")
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
    let checked = found.verify(matches, states, &Budget::unlimited());
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
    assert_eq!(found.kind, FactorKind::Synchronous);
    assert_eq!(found.factors.len(), 2);
    assert_eq!(found.exact, Exactness::Exact);
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
    assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 3));
    verified(&found, 3, 50);
}

#[test]
fn joined_tic_tac_toe_falls_apart_when_the_middle_is_dead() {
    let net = net("games/joinedtictactoe.gdl").expect("bundled");
    let found = factors(&net, &initial(&net));
    assert_eq!(found.kind, FactorKind::Single);
    assert!(found.tie.is_some());
    let moves = [
        "(both (mark 2 2) (mark 2 2))",
        "(both (mark 2 3) (mark 2 1))",
        "(both (mark 1 1) middle)",
    ];
    let state = after(&net, &moves);
    let found = factors(&net, &state);
    assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 2));
    verified(&found, 20, 2_000);
    // One mark less, and the boards still hang together by the square between them.
    assert_eq!(factors(&net, &after(&net, &moves[..2])).factors.len(), 1);
}

#[test]
fn the_two_buttons_of_figure_1_are_latches() {
    let net = net("games/twobuttons.gdl").expect("bundled");
    let found = latches(&net);
    let names: Vec<&str> = found.positive.iter().map(|b| net.bases[*b].name.as_str()).collect();
    assert_eq!(names, ["(pressed a)", "(pressed b)"]);
    assert!(found.negative.is_empty() && found.undecided.is_empty());
    // The goal is a view over latches.
    assert_eq!(found.stays(net.goals[0][1].1), Some(LatchValue::True));
    let state = after(&net, &["(press a)"]);
    let folding = fold(&net, &state);
    assert_eq!(folding.folded.net.bases.len(), 1);
    assert_eq!(folding.folded.net.inputs.len(), 1);
}

#[test]
fn the_two_buttons_are_two_factors() {
    // Theorem 3.16: two independent sets, legality and goal in parts. One button a step: by choice.
    let net = net("games/twobuttons.gdl").expect("bundled");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (FactorKind::ByChoice, 2));
    assert_eq!(found.goals[0].0, Structure::Conjunction);
    assert!(matches!(found.exact, Exactness::Conditional(_)));
    assert!(verified(&found, 3, 1_000), "all states were seen");
}

#[test]
fn lights_out_is_one_game() {
    // Of any two lamps a move toggles one, both or none; all lamps together are no product.
    let net = net("games/lightsout.gdl").expect("bundled");
    assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single);
}

/// Two heaps; who is in control takes one or two from each that is not empty. The last to take wins it.
const HEAPS: &str = "
role(x) role(y)
size(1) size(2)
minus(4,1,3) minus(4,2,2) minus(3,1,2) minus(3,2,1) minus(2,1,1) minus(2,2,0) minus(1,1,0)
init(heap(left,4))
init(heap(right,3))
init(control(x))
may(H,N) :- true(heap(H,M)) & minus(M,N,K)
may(H,0) :- true(heap(H,0))
legal(R,take(A,B)) :- true(control(R)) & may(left,A) & may(right,B)
legal(x,noop) :- true(control(y))
legal(y,noop) :- true(control(x))
takes(R,left,A) :- does(R,take(A,B))
takes(R,right,B) :- does(R,take(A,B))
next(heap(H,K)) :- takes(R,H,N) & true(heap(H,M)) & minus(M,N,K)
next(heap(H,0)) :- true(heap(H,0))
next(won(H,R)) :- takes(R,H,N) & true(heap(H,M)) & minus(M,N,0)
next(won(H,R)) :- true(won(H,R))
next(control(x)) :- true(control(y))
next(control(y)) :- true(control(x))
over(H) :- true(heap(H,0))
terminal :- over(left) & over(right)
goal(R,100) :- true(won(left,R)) & true(won(right,R))
goal(x,50) :- true(won(left,x)) & true(won(right,y))
goal(x,50) :- true(won(left,y)) & true(won(right,x))
goal(y,50) :- true(won(left,x)) & true(won(right,y))
goal(y,50) :- true(won(left,y)) & true(won(right,x))
goal(x,0) :- true(won(left,y)) & true(won(right,y))
goal(y,0) :- true(won(left,x)) & true(won(right,x))
";

/// What a role can make sure of, by a search of all of the game.
fn sure(net: &Net, role: usize) -> i32 {
    use std::collections::HashMap;
    fn value(net: &Net, role: usize, state: &[bool], known: &mut HashMap<Vec<bool>, i32>) -> i32 {
        if let Some(value) = known.get(state) {
            return *value;
        }
        let values = net.evaluate(state, &vec![false; net.inputs.len()]);
        let holds = |lit| Net::holds(&values, lit);
        let found = if holds(net.terminal) {
            let goal = net.goals[role].iter().find(|g| holds(g.1));
            goal.map_or(0, |g| g.0)
        } else {
            let legal = |r: usize| -> Vec<usize> {
                net.inputs_of(r).filter(|i| holds(net.inputs[*i].legal)).collect()
            };
            let mut worst_of_mine = Vec::new();
            for mine in legal(role) {
                let mut joints = vec![vec![]];
                for r in 0..net.roles.len() {
                    let all = if r == role { vec![mine] } else { legal(r) };
                    let with = |j: &Vec<usize>| {
                        all.iter().map(|m| [&j[..], &[*m]].concat()).collect::<Vec<_>>()
                    };
                    joints = joints.iter().flat_map(with).collect();
                }
                let next = joints.iter().map(|j| net.successor(state, j));
                worst_of_mine.extend(next.map(|s| value(net, role, &s, known)).min());
            }
            worst_of_mine.into_iter().max().expect("a move")
        };
        known.insert(state.to_vec(), found);
        found
    }
    value(net, role, &initial(net), &mut HashMap::new())
}

#[test]
fn exact_factors_have_the_value_of_the_whole() {
    let mut compared = 0;
    for (left, right) in [(4, 3), (3, 3), (2, 4), (4, 4)] {
        let text = HEAPS
            .replace("heap(left,4))", &format!("heap(left,{left}))"))
            .replace("heap(right,3))", &format!("heap(right,{right}))"));
        let net = read("heaps", &text).expect("a game");
        let found = factors(&net, &initial(&net));
        assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 2));
        assert_eq!((&found.exact, found.settled), (&Exactness::Exact, true), "{left} {right}");
        assert!(verified(&found, 3, 10_000), "all states were seen");
        for role in 0..2 {
            let apart: Vec<i32> = found.factors.iter().map(|f| sure(&f.net, role)).collect();
            assert_eq!(
                found.value(role, &apart),
                Some(sure(&net, role)),
                "{left} {right} {apart:?}"
            );
            compared += 1;
        }
    }
    let lamps = read("lamps", LAMPS).expect("a game");
    let found = factors(&lamps, &initial(&lamps));
    assert_eq!(found.exact, Exactness::Exact);
    let apart: Vec<i32> = found.factors.iter().map(|f| sure(&f.net, 0)).collect();
    assert_eq!(found.value(0, &apart), Some(sure(&lamps, 0)));
    assert_eq!(compared, 8);
}

/// Two tracks that must arrive in the same step: the goal ties them together.
const SAME_STEP: &str = "
role(you)
init(at(left,1)) init(at(right,1)) init(step(1))
after(1,2) after(2,3) after(3,4) after(4,5)
way(go) way(wait)
legal(you,both(A,B)) :- way(A) & way(B)
done(left,A) :- does(you,both(A,B))
done(right,B) :- does(you,both(A,B))
next(at(T,N)) :- done(T,go) & true(at(T,M)) & after(M,N)
next(at(T,M)) :- done(T,wait) & true(at(T,M))
next(at(T,5)) :- true(at(T,5))
next(arrived(T,S)) :- done(T,go) & true(at(T,2)) & true(step(S))
next(arrived(T,S)) :- true(arrived(T,S))
next(step(N)) :- true(step(M)) & after(M,N)
terminal :- true(step(5))
together :- true(arrived(left,S)) & true(arrived(right,S))
goal(you,100) :- together
goal(you,0) :- ~together
";

#[test]
fn what_must_happen_at_once_is_one_game() {
    let net = read("same step", SAME_STEP).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!(found.kind, FactorKind::Single);
    // Both must be there at the end, whenever they came: two games.
    let apart = SAME_STEP.replace("arrived(right,S)) \n", "").replace(
        "true(arrived(left,S)) & true(arrived(right,S))",
        "true(arrived(left,S)) & true(arrived(right,U))",
    );
    let net = read("any step", &apart).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 2));
    assert_eq!(found.exact, Exactness::Exact);
    // The first to arrive ends it: still two games, but they cannot be searched apart.
    let race = apart.replace(
        "terminal :- true(step(5))",
        "terminal :- true(step(5))\nterminal :- true(arrived(T,S))",
    );
    let net = read("race", &race).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!(found.factors.len(), 2);
    assert!(matches!(found.exact, Exactness::Heuristic(_)));
}

#[test]
fn marks_stay_and_blanks_do_not_come_back() {
    let net = net("games/tictactoe.kif").expect("bundled");
    let found = latches(&net);
    assert_eq!((found.positive.len(), found.negative.len()), (18, 9));
    // White's diagonal is lost for good, and the net from here on is a smaller one.
    let state = after(&net, &["(mark 1 1)", "(mark 2 2)", "(mark 3 3)"]);
    let folding = fold(&net, &state);
    assert!(3 * folding.folded.net.gate_count() < 2 * net.gate_count());
    let compared = folding.compare(&net, 50, 3, &Budget::unlimited()).expect("no limit");
    assert!(matches!(compared, SideBySide::Same { states } if states > 200), "{compared:?}");
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
            assert!(matches!(compared, SideBySide::Same { .. }), "{game}: {compared:?}");
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
    assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 2));
    assert_eq!(found.shared.len(), 4);
    assert_eq!(found.goals[0].0, Structure::Conjunction);
    assert!(verified(&found, 5, 10_000), "all states were seen");
    let names: Vec<&str> = found.factors[0].net.inputs.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(names, ["aa|ab", "ba|bb"]);
}

#[test]
fn what_ties_a_game_together_keeps_it_whole() {
    // The same, but pressing both at once is not allowed: one of the lamps a step, by choice.
    let one = LAMPS.replace("legal(you,aa)\n", "");
    let net = read("one", &one).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (FactorKind::ByChoice, 2));
    assert!(matches!(found.exact, Exactness::Conditional(_)));
    // Pressing none is not allowed: the parts cannot be chosen apart.
    let tied = LAMPS.replace("legal(you,bb)\n", "");
    let net = read("tied", &tied).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single);
    // The condition of one lamp's move reads the other lamp.
    let tied = LAMPS.replace("legal(you,ab)", "legal(you,ab) :- true(right(off))");
    let net = read("tied", &tied).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single);
}

#[test]
fn what_never_becomes_true_is_no_factor() {
    // The ghost could come in a fourth step, which is the end: no move does anything to it.
    let wait = "legal(you,wait)\nnext(ghost) :- does(you,wait) & true(step(4))\n";
    let haunted = LAMPS.replace("legal(you,aa)\n", wait);
    let net = read("haunted", &haunted).expect("a game");
    let ghost = |net: &Net| net.bases.iter().position(|b| b.name == "ghost");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (FactorKind::ByChoice, 2));
    assert!(found.shared.contains(&ghost(&found.net).expect("it is not known to be false")));
    assert!(verified(&found, 3, 10_000), "all states were seen");
    // A goal that asks for it makes it no game either.
    let asked = haunted.replace("& true(right(off))", "& true(right(off)) & ~true(ghost)");
    let net = read("asked", &asked).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).factors.len(), 2);
    let one =
        asked.replace("true(right(off)) & ", "").replace("goal(you,0) :- ~true(right(off))", "");
    let one = one.replace("init(right(off))\n", "");
    let net = read("one lamp", &one).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single);
}

/// Each move takes what is next to it: every one does something else to the heap.
const EVERY_MOVE_TELLS: &str = "
role(you)
init(free(a)) init(free(b)) init(free(c)) init(step(1))
legal(you,M) :- true(free(M))
next(free(M)) :- true(free(M)) & ~does(you,M)
near(a,b) near(b,c) near(c,a)
init(at(a))
next(at(Y)) :- does(you,M) & true(at(X)) & near(X,Y) & distinct(X,M)
next(at(M)) :- does(you,M) & true(at(M))
next(at(X)) :- true(at(X)) & does(you,M) & near(M,X)
terminal :- ~true(free(a)) & ~true(free(b))
goal(you,100) :- true(at(c))
goal(you,0) :- ~true(at(c))
";

#[test]
fn the_move_that_is_looked_at_first_is_one_of_all() {
    // No move leaves the heap alone, also not the first of them.
    let net = read("every move", EVERY_MOVE_TELLS).expect("a game");
    assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single);
}
