//! Minimal games in which a positive loop loses its support: what only holds itself up is false.

use super::lockstep::{Plan, backends, net, sliced, walk};
use ludex::machine::Scalar;
use ludex::machine::sliced::Backend;
use ludex::reason::StateMachine;
use ludex::rules::Rules;
use ludex::source::Source;

/// `near` is symmetric: once the last road is gone, each of a pair would still follow from the other.
const SYMMETRIC: &str = "(role r) (init (road a b))
(<= (near ?x ?y) (true (road ?x ?y))) (<= (near ?x ?y) (near ?y ?x))
(<= (legal r (go ?x ?y)) (near ?x ?y)) (legal r stay)
(<= (next (road b c)) (does r (go b a)))
(<= (next end) (true (road b c)))
(<= terminal (true end)) (goal r 0)";

/// A closure over a cycle of roads: half of the support of an atom goes, and the rest is a circle.
const CLOSURE: &str = "(role r) (init (road a b)) (init (road b c)) (init (road c a))
(<= (way ?x ?y) (true (road ?x ?y))) (<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
(<= (legal r (close ?x ?y)) (true (road ?x ?y))) (<= (legal r done) (not (way a a)))
(<= (next (road ?x ?y)) (true (road ?x ?y)) (not (does r (close ?x ?y))))
(<= (next end) (does r done))
(<= terminal (true end)) (<= (goal r 100) (not (way b b))) (<= (goal r 0) (way b b))";

/// Two loops, one over the other, and the move inside the upper one.
const STACKED: &str = "(role r) (role s) (init (lit 1)) (step 1 2) (step 2 3) (step 3 1)
(<= (on ?x) (true (lit ?x))) (<= (on ?y) (on ?x) (step ?x ?y) (not (true (cut ?x))))
(<= (near ?x ?y) (step ?x ?y) (on ?x)) (<= (near ?x ?y) (near ?y ?x))
(<= (hot ?x) (does r (touch ?x))) (<= (hot ?y) (hot ?x) (near ?x ?y))
(<= (legal r (touch ?x)) (on ?x)) (legal r wait)
(<= (legal s (cut ?x)) (step ?x ?y)) (legal s wait)
(<= (next (cut ?x)) (does s (cut ?x))) (<= (next (cut ?x)) (true (cut ?x)) (not (hot ?x)))
(<= (next (lit ?x)) (hot ?x) (not (true (cut ?x)))) (<= (next (lit 1)) (does r wait) (true (lit 1)))
(<= terminal (not (on 1)) (not (on 2)))
(<= (goal r 100) (on 2)) (<= (goal r 0) (not (on 2))) (goal s 50)";

/// A loop over moves beside a loop of legality, on the sliced machine.
const BESIDE: &str = "(role r) (node a) (init (road a a)) (init (control r))
(<= (way ?x ?y) (true (road ?x ?y)))
(<= (near ?x ?y) (true (road ?x ?y))) (<= (near ?x ?y) (near ?y ?x))
(<= (legal r (take ?x)) (true (control r)) (node ?x))
(<= (legal r (cut ?x ?y)) (true (control r)) (near ?x ?y) (true (mark ?x)))
(<= (legal r pass) (true (control r)))
terminal (goal r 30)
(<= (hot ?x) (does r (take ?x))) (<= (hot ?y) (hot ?x) (way ?x ?y))
(<= (next (mark ?x)) (hot ?x))";

/// A machine may be asked for what follows several moves of one state, in any order.
#[test]
fn moves_of_one_state_do_not_touch_each_other() {
    let source = Source::new("loop.kif", BESIDE);
    let (rules, _) = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
    let net = net(&rules).expect("a network").expect("small");
    let mut scalar = Scalar::new(net.clone());
    let state = scalar.initial();
    let mut moves = Vec::new();
    scalar.legal(&state, 0, &mut moves);
    assert_eq!(moves.len(), 2);
    for backend in [backends(), vec![Backend::Portable(1)]].concat() {
        let mut single = sliced(&net, backend);
        for m in moves.iter().chain(moves.iter().rev()).chain(&moves) {
            assert_eq!(single.next(&state, &[*m]), scalar.next(&state, &[*m]), "{m:?}");
        }
    }
}

#[test]
fn what_only_holds_itself_up_is_false() {
    for (text, playouts, least) in
        [(SYMMETRIC, 60, 200), (CLOSURE, 60, 200), (STACKED, 300, 2400), (BESIDE, 20, 40)]
    {
        let source = Source::new("loop.kif", text);
        let read = Rules::read(&source, None);
        let (rules, _) = read.unwrap_or_else(|r| panic!("{}", r.render(&source)));
        let net = net(&rules).expect("a network").expect("small");
        assert!(!net.components.is_empty());
        let plan = Plan { seed: 5, playouts, states: 8, past_terminal: true };
        let backends = [backends(), vec![Backend::Portable(1)]].concat();
        let states = walk(&rules, &net, &backends, plan).unwrap_or_else(|w| panic!("{w}\n{text}"));
        assert!(states >= least, "{states} states");
    }
}
