//! Factors inside factors, ends that are written in other words, and matches of one length.

use super::*;

/// Every role has lamps of its own and lights one a step.
const LAMPS_OF_TWO: &str = "
role(a) role(b)
lamp(1) lamp(2) lamp(3)
init(step(1))
after(1,2) after(2,3) after(3,4)
legal(R,press(X)) :- role(R) & lamp(X)
legal(R,wait) :- role(R)
next(on(R,X)) :- does(R,press(X)) & ~true(on(R,X))
next(on(R,X)) :- true(on(R,X)) & ~does(R,press(X))
next(step(N)) :- true(step(M)) & after(M,N)
dark(R) :- role(R) & lamp(X) & ~true(on(R,X))
terminal :- true(step(4))
goal(R,100) :- role(R) & ~dark(R)
goal(R,0) :- dark(R)
";

#[test]
fn what_a_role_chooses_among_is_one_game_to_the_others() {
    let net = read("lamps of two", LAMPS_OF_TWO).expect("a game");
    let found = factors(&net, &initial(&net));
    assert_eq!((found.kind, found.factors.len()), (FactorKind::PerRole, 2));
    assert_eq!((&found.exact, found.settled), (&Exactness::Exact, true));
    assert!(verified(&found, 3, 10_000));
    for role in 0..2 {
        let apart: Vec<i32> = found.factors.iter().map(|f| sure(&f.net, role)).collect();
        assert_eq!(found.value(role, &apart), Some(sure(&net, role)));
    }
    // Each of them falls apart by itself.
    let inner = &found.factors[0].net;
    let inner = factors(inner, &initial(inner));
    assert_eq!((inner.kind, inner.factors.len()), (FactorKind::ByChoice, 3));
}

/// Two heaps from which roles take in turn, each in the one where it has the turn; who takes the last wins a heap. Both
/// must be empty, which is written as all the ways in which both can be won.
const TWO_HEAPS: &str = "
role(x) role(y)
heap(left) heap(right)
init(has(left,3)) init(has(right,4))
init(turn(left,x)) init(turn(right,y))
less(4,1,3) less(4,2,2) less(3,1,2) less(3,2,1) less(2,1,1) less(2,2,0) less(1,1,0)
legal(R,take(H,K)) :- true(turn(H,R)) & true(has(H,N)) & less(N,K,M)
legal(R,noop) :- true(turn(H,R)) & true(has(H,0))
next(has(H,M)) :- does(R,take(H,K)) & true(has(H,N)) & less(N,K,M)
next(has(H,N)) :- true(has(H,N)) & true(turn(H,R)) & ~taken(H)
taken(H) :- does(R,take(H,K))
next(won(H,R)) :- does(R,take(H,K)) & true(has(H,N)) & less(N,K,0)
next(won(H,R)) :- true(won(H,R))
next(turn(H,x)) :- true(turn(H,y))
next(turn(H,y)) :- true(turn(H,x))
terminal :- true(won(left,x)) & true(won(right,x))
terminal :- true(won(left,x)) & true(won(right,y))
terminal :- true(won(left,y)) & true(won(right,x))
terminal :- true(won(left,y)) & true(won(right,y))
goal(R,100) :- role(R) & true(won(left,R)) & true(won(right,R))
goal(R,50) :- role(R) & true(won(left,R)) & ~true(won(right,R))
goal(R,50) :- role(R) & true(won(right,R)) & ~true(won(left,R))
goal(R,0) :- role(R) & ~true(won(left,R)) & ~true(won(right,R))
";

#[test]
fn an_end_may_be_listed_and_who_waits_has_no_choice() {
    for (left, right) in [(3, 4), (2, 2), (4, 1)] {
        let text = TWO_HEAPS
            .replace("has(left,3)", &format!("has(left,{left})"))
            .replace("has(right,4)", &format!("has(right,{right})"));
        let net = read("two heaps", &text).expect("a game");
        let found = factors(&net, &initial(&net));
        assert_eq!((found.kind, found.factors.len()), (FactorKind::Synchronous, 2));
        assert_eq!(found.exact, Exactness::Exact, "{left} {right}");
        assert!(verified(&found, 3, 10_000));
        for role in 0..2 {
            let apart: Vec<i32> = found.factors.iter().map(|f| sure(&f.net, role)).collect();
            assert_eq!(found.value(role, &apart), Some(sure(&net, role)), "{left} {right}");
        }
    }
}

#[test]
fn boards_that_fill_up_in_step_end_by_the_clock() {
    let net = net("games/joinedtictactoe.gdl").expect("bundled");
    let moves = [
        "(both (mark 2 2) (mark 2 2))",
        "(both (mark 2 3) (mark 2 1))",
        "(both (mark 1 1) middle)",
        "(both (mark 1 3) (mark 1 1))",
    ];
    let state = after(&net, &moves);
    let found = factors(&net, &state);
    assert_eq!((found.factors.len(), &found.exact), (2, &Exactness::Exact));
    assert!(found.rests_on.iter().any(|why| why == "every match ends after exactly 5 steps"));
    verified(&found, 20, 2_000);
    let mut whole = Net::clone(&net);
    whole.bases.iter_mut().zip(&state).for_each(|(base, holds)| base.initial = *holds);
    for role in 0..2 {
        let apart: Vec<i32> = found.factors.iter().map(|f| sure(&f.net, role)).collect();
        assert_eq!(found.value(role, &apart), Some(sure(&whole, role)));
    }
}
