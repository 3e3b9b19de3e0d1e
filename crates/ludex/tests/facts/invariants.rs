//! What is found of games that people know, and what an invariant means.

use crate::{bundled, subject};
use ludex::budget::Budget;
use ludex::facts::invariants::{Invariant, InvariantKind, Invariants};
use ludex::facts::samples::Samples;
use ludex::prove::Verdict;

fn find(game: &str) -> Invariants {
    Invariants::find(&bundled(game).net, &Budget::unlimited()).expect("no limit")
}

fn texts(found: &Invariants, kind: &str) -> Vec<String> {
    let proved =
        |i: &&Invariant| matches!(i.verdict, Verdict::Proved { .. }) && i.kind.name() == kind;
    found.found.iter().filter(proved).map(|i| found.text(i)).collect()
}

#[test]
fn tic_tac_toe_is_understood() {
    let found = find("tictactoe.kif");
    let cells = texts(&found, "exactly-one");
    assert_eq!(cells.len(), 10, "{cells:?}");
    assert!(cells.contains(&"exactly one of (cell 2 3 *)".to_string()), "{cells:?}");
    assert_eq!(texts(&found, "turn").len(), 2);
    assert_eq!(texts(&found, "alternation").len(), 1);
    assert_eq!(texts(&found, "mobility").len(), 2);
    assert_eq!(texts(&found, "one-goal").len(), 2);
    assert_eq!(texts(&found, "constant-sum"), ["the goals add up to 100 at the end"]);
    assert_eq!(texts(&found, "termination"), ["every match ends after at most 9 steps"]);
}

#[test]
fn a_place_may_be_told_by_several_relations() {
    let found = find("pegsolitaire.gdl");
    let holes = texts(&found, "exactly-one");
    assert_eq!(holes.len(), 33);
    assert!(holes.contains(&"exactly one of (empty 4 4), (peg 4 4)".to_string()), "{holes:?}");
    let found = find("hex3.kif");
    let all: Vec<String> = found.summaries().into_iter().map(|s| s.text).collect();
    let cells = "exactly one of (free ?x ?y), (stone ?x ?y *) for every ?x ?y";
    assert!(all.iter().any(|text| text == cells), "{all:?}");
}

/// Two boards, each with a knight among pawns: a place of which it leaves is never empty because there is no other.
const KNIGHTS: &str = "(role r) (board 1) (board 2) (near a b) (near b c) (near c a)
    (<= (init (cell ?b a knight)) (board ?b)) (<= (init (cell ?b b pawn)) (board ?b))
    (<= (init (cell ?b c pawn)) (board ?b)) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal r (move ?b ?x ?y)) (true (cell ?b ?x knight)) (near ?x ?y))
    (<= (next (cell ?b ?y knight)) (does r (move ?b ?x ?y)))
    (<= (next (cell ?b ?x blank)) (does r (move ?b ?x ?y)))
    (<= (next (cell ?b ?z pawn)) (true (cell ?b ?z pawn)) (does r (move ?b ?x ?y)) (distinct ?z ?y))
    (<= (next (cell ?b ?z blank)) (true (cell ?b ?z blank)) (does r (move ?b ?x ?y)) (distinct ?z ?y))
    (<= (next (cell ?b ?z ?p)) (true (cell ?b ?z ?p)) (does r (move ?c ?x ?y)) (distinct ?b ?c))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 5))) (goal r 0)";

#[test]
fn a_piece_may_be_there_once() {
    let found = Invariants::find(&subject("knights", KNIGHTS).net, &Budget::unlimited()).unwrap();
    let proved = texts(&found, "exactly-one");
    for expected in ["exactly one of (cell 2 * knight)", "exactly one of (cell 1 b *)"] {
        assert!(proved.iter().any(|text| text == expected), "{proved:?}");
    }
    let all: Vec<String> = found.summaries().into_iter().map(|s| s.text).collect();
    let family = "exactly one of (cell ?x * knight) for every ?x";
    assert!(all.iter().any(|text| text == family), "{all:?}");
}

/// Steps that go on beyond the end of the match are known never to come only after they were asked about.
const SHORT: &str = "(role r) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (legal r a) (legal r b) (<= (next (last ?m)) (does r ?m))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= terminal (true (step 3))) (goal r 0)";

#[test]
fn a_counter_may_be_known_late() {
    let found = Invariants::find(&subject("short", SHORT).net, &Budget::unlimited()).unwrap();
    assert_eq!(texts(&found, "termination"), ["every match ends after at most 2 steps"]);
}

/// One of many marks for every place, most of which random matches never make.
fn marks() -> String {
    let numbers: String = (1..=70).map(|n| format!("(number {n}) ")).collect();
    let marks: String = (1..=70).map(|n| format!("(not (true (mark ?p {n}))) ")).collect();
    numbers
        + "(role r) (<= (legal r (put ?p ?m)) (open ?p) (number ?m))"
        + &format!("(<= (open ?p) (number ?p) {marks})")
        + "(<= some (open ?p)) (<= terminal (not some)) (goal r 0)
           (<= (next (mark ?p ?m)) (does r (put ?p ?m))) (<= (next (mark ?p ?m)) (true (mark ?p ?m)))"
}

#[test]
fn facts_that_were_never_seen_stay_too() {
    let found = Invariants::find(&subject("marks", &marks()).net, &Budget::unlimited()).unwrap();
    let seen = found.samples.columns.iter().filter(|c| c.iter().any(|w| *w != 0)).count();
    assert!(seen < 70 * 70, "all marks were made: the test says nothing");
    assert_eq!(texts(&found, "persistent").len(), 70 * 70);
    assert_eq!(texts(&found, "termination").len(), 1);
}

/// A lamp that is on or off, another that may be both, and a counter that a move takes one further or two.
const LAMPS: &str = "(role r) (lamp a) (lamp b) (init (off a)) (init (off b)) (init (count 1))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (legal r (switch ?l)) (lamp ?l))
    (<= (next (on ?l)) (does r (switch ?l)) (true (off ?l)))
    (<= (next (off ?l)) (does r (switch ?l)) (true (on ?l)))
    (<= (next (on ?l)) (true (on ?l)) (not (does r (switch ?l))))
    (<= (next (off ?l)) (true (off ?l)) (not (does r (switch ?l))))
    (<= (next (count ?m)) (does r (switch a)) (true (count ?n)) (succ ?n ?m))
    (<= (next (count ?l)) (does r (switch b)) (true (count ?n)) (succ ?n ?m) (succ ?m ?l))
    (<= (next dark) (true (off a)) (true (off b)))
    (<= terminal (true (count 4))) (<= terminal (true (count 5))) (goal r 0)";

#[test]
fn a_proof_names_the_lemmas_that_it_uses() {
    let found = Invariants::find(&subject("lamps", LAMPS).net, &Budget::unlimited()).unwrap();
    let summaries = found.summaries();
    let of = |text: &str| {
        let found = summaries.iter().find(|s| s.text.contains(text));
        found.unwrap_or_else(|| panic!("{text}: {summaries:?}"))
    };
    let lamps = of("exactly one of (off ?x), (on ?x) for every ?x");
    let counter = of("exactly one of (count *)");
    let end = of("every match ends after at most 3 steps");
    assert_eq!((lamps.count, lamps.verdict.status()), (2, "proved"));
    assert!(counter.is_used_by(&end.verdict) && !lamps.is_used_by(&end.verdict));
    assert_eq!(found.lemma_texts(&end.verdict), ["exactly one of (count *)"]);
}

/// First one stone is laid, then `go` changes it for a board of two squares, each of which holds one mark;
/// to lay a stone and a mark at once would make two of them on a square.
const PHASES: &str = "(role r) (square 1) (square 2) (init (stone left))
    (<= (legal r turn) (true (stone ?s)))
    (<= (legal r go) (true (stone ?s)) (not begun))
    (<= (legal r (mark ?q)) (true (cell ?q empty)))
    (<= begun (true (cell ?q ?m)))
    (<= (next (stone right)) (does r turn) (true (stone left)))
    (<= (next (stone left)) (does r turn) (true (stone right)))
    (<= (next (cell ?q empty)) (does r go) (square ?q))
    (<= (next (cell ?q x)) (does r (mark ?q)))
    (<= (next (cell ?q ?m)) (true (cell ?q ?m)) (not (does r (mark ?q))))
    (<= terminal (true (cell 1 x)) (true (cell 2 x))) (goal r 0)";

#[test]
fn phases_exclude_each_other() {
    let found = Invariants::find(&subject("phases", PHASES).net, &Budget::unlimited()).unwrap();
    assert_eq!(texts(&found, "excludes"), ["(cell * *) never with (stone *)"]);
    let squares = ["at most one of (cell 1 *)", "at most one of (cell 2 *)"];
    let one = texts(&found, "at-most-one");
    assert!(squares.iter().all(|s| one.iter().any(|text| text == s)), "{one:?}");
}

/// Whether an invariant holds over the states of a sample.
pub fn holds(samples: &Samples, invariant: &Invariant) -> bool {
    let about = &invariant.about;
    let states = 0..samples.states.len();
    let count = |s: usize| about.iter().filter(|b| samples.holds(s, **b)).count();
    let stays = |value: bool| {
        samples
            .steps()
            .all(|s| samples.holds(s, about[0]) != value || samples.holds(s + 1, about[0]) == value)
    };
    let mut ends = states.clone().filter(|s| samples.terminal[*s]);
    match invariant.kind {
        InvariantKind::ExactlyOne => states.clone().all(|s| count(s) == 1),
        InvariantKind::AtMostOne => states.clone().all(|s| count(s) <= 1),
        InvariantKind::AtLeastOne | InvariantKind::SomeOf => states.clone().all(|s| count(s) >= 1),
        InvariantKind::AlwaysTrue => states.clone().all(|s| count(s) == 1),
        InvariantKind::AlwaysFalse => states.clone().all(|s| count(s) == 0),
        InvariantKind::Equivalent => states.clone().all(|s| count(s) != 1),
        InvariantKind::Implies => {
            states.clone().all(|s| !samples.holds(s, about[0]) || samples.holds(s, about[1]))
        }
        InvariantKind::OnlyWith(n) | InvariantKind::NeverWith(n) => {
            let any = |s: usize, bases: &[usize]| bases.iter().any(|b| samples.holds(s, *b));
            let some = invariant.kind == InvariantKind::OnlyWith(n);
            states.clone().all(|s| !any(s, &about[..n]) || any(s, &about[n..]) == some)
        }
        InvariantKind::Persistent => stays(true),
        InvariantKind::NeverReturns => stays(false),
        InvariantKind::Turn => states.clone().all(|s| {
            let turn = about[1..].iter().any(|b| samples.holds(s, *b));
            turn || samples.terminal[s] || samples.legal[s][about[0]] <= 1
        }),
        InvariantKind::Alternation => samples.steps().all(|s| {
            let at = about.iter().position(|b| samples.holds(s, *b));
            at.is_none_or(|at| samples.holds(s + 1, about[(at + 1) % about.len()]))
        }),
        InvariantKind::Mobility => {
            states.clone().all(|s| samples.terminal[s] || samples.legal[s][about[0]] > 0)
        }
        InvariantKind::OneGoal => ends.all(|s| samples.goals[s][about[0]].is_some()),
        InvariantKind::ConstantSum(sum) => {
            ends.all(|s| samples.goals[s].iter().copied().sum::<Option<i32>>() == Some(sum))
        }
        InvariantKind::Termination(steps) => {
            let mut ends = states.filter(|s| samples.joints[*s].is_empty());
            ends.all(|s| samples.line_to(s).len() <= steps)
        }
    }
}
