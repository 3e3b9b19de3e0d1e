//! Tic-tac-toe as in the paper, from M_1 and M_2 to the simplified G^X.

use super::{changes, read, translated};
use ludex::budget::Budget;
use ludex::frame::{
    Basis, Covering, FrameReach, FrameRule, Joint, MoveCovering, Transition, direct, frames_for,
    generic, prune,
};
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::rules::{Rules, Term};
use ludex::syntax::Syntax;

const GAME: &str = include_str!("../../../../games/tictactoe-frame.gdl");

fn tictactoe() -> Rules {
    read("tictactoe-frame.gdl", GAME)
}

fn reach(rules: &Rules) -> FrameReach {
    FrameReach::new(rules, &Budget::unlimited()).unwrap()
}

fn c_d(rules: &Rules) -> MoveCovering {
    direct(rules, &reach(rules), &Budget::unlimited()).unwrap()
}

/// `next(cell(X, Y, Z))`, as its fluent.
fn cell(rules: &Rules) -> Term {
    Term::App(rules.symbols.find("cell").unwrap(), (0..3).map(Term::Var).collect())
}

fn joint_text(rules: &Rules, joint: &Joint) -> String {
    let vars = ["A", "B", "C", "D"].map(String::from).to_vec();
    let rule = ludex::rules::Rule { vars, ..rules.rules[0].clone() };
    let atoms: Vec<String> = joint.does.iter().map(|a| rules.atom_text(a, &rule)).collect();
    atoms.join(" ")
}

#[test]
fn r3_is_the_only_frame_rule() {
    let rules = tictactoe();
    let frames = FrameRule::all(&rules);
    // The disjunction makes two plain rules of it.
    assert_eq!(frames.len(), 2);
    let conditions: Vec<String> =
        frames.iter().map(|r| rules.literal_text(&r.cond[0], &rules.rules[r.number])).collect();
    assert_eq!(conditions, ["(distinct ?M ?J)", "(distinct ?N ?K)"]);
    assert!(frames.iter().all(|r| r.does.len() == 1 && r.cond.len() == 1));
    assert_eq!(frames_for(&frames, &cell(&rules)).count(), 2);
    // Not for next(cell(X, Y, b)).
    let Term::App(f, mut args) = cell(&rules) else { unreachable!() };
    args[2] = Term::App(rules.symbols.find("b").unwrap(), vec![]);
    assert_eq!(frames_for(&frames, &Term::App(f, args)).count(), 0);
}

#[test]
fn coverings() {
    let rules = tictactoe();
    let c_d = c_d(&rules);
    let mut texts: Vec<String> = c_d.joints.iter().map(|j| joint_text(&rules, j)).collect();
    texts.sort();
    assert_eq!(
        texts,
        [
            "(does x (mark ?A ?B)) (does o (mark ?C ?D))",
            "(does x (mark ?A ?B)) (does o noop)",
            "(does x noop) (does o (mark ?C ?D))",
            "(does x noop) (does o noop)",
        ]
    );
    let budget = Budget::unlimited();
    let net = Net::new(&Ground::new(&rules, &budget).unwrap(), &budget).unwrap();
    let c_p = prune(&rules, &net, c_d, &budget);
    let mut texts: Vec<String> = c_p.joints.iter().map(|j| joint_text(&rules, j)).collect();
    texts.sort();
    assert_eq!(
        texts,
        ["(does x (mark ?A ?B)) (does o noop)", "(does x noop) (does o (mark ?C ?D))"]
    );
    assert_eq!(
        joint_text(&rules, &generic(2).joints[0]),
        "(does ?A ?B) (does ?C ?D)",
        "any role, any action"
    );
}

/// The first-order rules of the atom for `M_1` (nobody marks) and `M_2` (o marks).
#[test]
fn first_order_rules() {
    let rules = tictactoe();
    let frames = FrameRule::all(&rules);
    let moves = c_d(&rules);
    let of = |text: &str| {
        let joint = moves.joints.iter().find(|j| joint_text(&rules, j) == text).unwrap();
        Transition::new(&frames, &cell(&rules), 3, joint, moves.vars).text(&rules)
    };
    assert_eq!(
        of("(does x noop) (does o noop)"),
        "(<= (fnext (cell ?X ?Y ?Z))
    (true (cell ?X ?Y ?Z))
    (does x noop)
    (does o noop)
    (distinct x o))"
    );
    assert_eq!(
        of("(does x noop) (does o (mark ?C ?D))"),
        "(<= (fnext (cell ?X ?Y ?Z))
    (true (cell ?X ?Y ?Z))
    (does x noop)
    (does o (mark ?C ?D))
    (distinct x o)
    (not (exists (?M ?N ?O ?P ?J ?K) (and (distinct ?M ?J) (= ?M ?X) (= ?N ?Y) (= ?O ?Z) (= ?P o) (= ?J ?C) (= ?K ?D))))
    (not (exists (?M ?N ?O ?P ?J ?K) (and (distinct ?N ?K) (= ?M ?X) (= ?N ?Y) (= ?O ?Z) (= ?P o) (= ?J ?C) (= ?K ?D)))))"
    );
}

#[test]
fn three_rules_and_nothing_more() {
    let frame = translated(&tictactoe(), Covering::Pruned, &Basis::Names);
    assert_eq!(
        changes(&frame),
        [
            "(<= (fnext (cell ?X ?Y ?Z)) (does x (mark ?X ?Y)) (does o noop) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (cell ?X ?Y ?Z)) (does x noop) (does o (mark ?X ?Y)) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (control ?X)) (true (control ?X)))",
        ]
    );
    assert_eq!(frame.joints, 2);
    // The frame rule is gone, the four others are there.
    let next: Vec<String> =
        frame.rules.defining(ludex::rules::Rel::NEXT).map(|r| frame.rules.rule_text(r)).collect();
    assert_eq!(
        next,
        [
            "(<= (next (cell ?M ?N x)) (does x (mark ?M ?N)))",
            "(<= (next (cell ?M ?N o)) (does o (mark ?M ?N)))",
            "(<= (next (control x)) (true (control o)))",
            "(<= (next (control o)) (true (control x)))",
        ]
    );
    let infix = frame.rules.text(Syntax::Infix);
    assert!(
        infix.contains(
            "fnext(cell(X,Y,Z)) :- does(x,noop) & does(o,mark(X,Y)) & true(cell(X,Y,Z))."
        )
    );
}

#[test]
fn the_direct_and_the_generic_covering() {
    let frame = translated(&tictactoe(), Covering::Direct, &Basis::Names);
    assert_eq!(
        changes(&frame),
        [
            "(<= (fnext (cell ?X ?Y ?Z)) (does x (mark ?X ?Y)) (does o (mark ?X ?Y)) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (cell ?X ?Y ?Z)) (does x (mark ?X ?Y)) (does o noop) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (cell ?X ?Y ?Z)) (does x noop) (does o (mark ?X ?Y)) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (cell ?X ?Y ?Z)) (does x noop) (does o noop) (true (cell ?X ?Y ?Z)))",
            "(<= (fnext (control ?X)) (true (control ?X)))",
        ]
    );
    // Nothing is known of the moves: what keeps a cell are relations over the move.
    let frame = translated(&tictactoe(), Covering::Generic, &Basis::Names);
    assert_eq!(frame.changes().count(), 2);
    assert_eq!(changes(&frame).len(), 4);
}
