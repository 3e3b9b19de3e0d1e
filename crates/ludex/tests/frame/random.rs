//! Made-up games with frame rules of all kinds.

use super::matches::same_states;
use super::{read, translated};
use ludex::frame::{Basis, Covering};
use ludex::reason::Random;

const COMMON: &str = "(role x) (role y) (n 1) (n 2) (n 3) (s 1 2) (s 2 3) (s 3 1)
(<= (legal ?r a) (role ?r)) (<= (legal ?r (b ?n)) (role ?r) (n ?n) (not (true (r ?n))))
(<= (legal x (c ?m ?n)) (true (q ?m ?n)))
(<= (dyn ?x) (does ?p (b ?x))) (<= (dyn ?y) (dyn ?x) (true (q ?x ?y)))
(<= (far ?x ?y) (n ?x) (n ?y) (distinct ?x ?y) (not (s ?x ?y)))
(init (q 1 1)) (init (q 1 2)) (init (q 2 3)) (init (q 3 1)) (init (r 2)) (init go)
(<= terminal (true stop)) (<= (goal ?r 0) (role ?r))
(<= (next (q ?n ?m)) (does x (b ?n)) (does y (b ?m))) (<= (next (r ?n)) (does y (b ?n)) (true (q ?n ?n)))
(<= (next (q ?n 2)) (does ?p (b ?n)) (true (r ?n)))\n";

fn pick<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

/// A frame rule of a fluent over ?x and ?y, or one value and ?x.
fn frame_rule(random: &mut Random) -> String {
    let fluent = pick(random, &["(q ?x ?y)", "(q ?x ?y)", "(q ?x ?x)", "(q 1 ?x)", "(r ?x)", "go"]);
    let mut body = vec![format!("(true {fluent})")];
    let mut bound: Vec<&str> = ["?x", "?y"].into_iter().filter(|v| fluent.contains(v)).collect();
    if random.below(3) > 0 {
        let role = pick(random, &["x", "y", "?p"]);
        let action = pick(random, &["a", "(b ?n)", "(b ?x)", "(c ?n ?m)", "(b 2)"]);
        body.push(format!("(does {role} {action})"));
        let own = ["?n", "?m", "?x"].into_iter().filter(|v| action.contains(v));
        bound.extend(own.collect::<Vec<_>>());
        if random.below(4) == 0 {
            body.push("(does ?o (b ?k))".into());
            bound.push("?k");
        }
    }
    bound.push("3");
    for _ in 0..random.below(3) {
        let (u, v) = (pick(random, &bound), pick(random, &bound));
        let literal = match random.below(11) {
            0 | 1 => format!("(distinct {u} {v})"),
            2 => format!("(not (does y (b {u})))"),
            3 => format!("(not (does x (c {u} {v})))"),
            4 => format!("(true (r {u}))"),
            5 => format!("(not (true (q {u} {v})))"),
            6 => format!("(not (dyn {u}))"),
            7 => format!("(dyn {u})"),
            8 => format!("(far {u} {v})"),
            9 => format!("(s {u} ?z) (not (true (q ?z {v})))"),
            _ => format!("(role ?w) (not (does ?w (b {u})))"),
        };
        body.push(literal);
    }
    format!("(<= (next {fluent}) {})\n", body.join(" "))
}

#[test]
fn made_up_games() {
    let mut random = Random::new(11);
    let mut compared = 0;
    for case in 0..60 {
        let count = 2 + random.below(4);
        let frames: String = (0..count).map(|_| frame_rule(&mut random)).collect();
        let rules = read(&format!("case{case}.kif"), &format!("{COMMON}{frames}"));
        let basis = if case % 3 == 0 { Basis::Heads } else { Basis::Names };
        let frames = Covering::ALL.map(|c| translated(&rules, c, &basis));
        compared += same_states(&rules, &frames, 15, case);
    }
    assert_eq!(compared, 900, "steps");
}
