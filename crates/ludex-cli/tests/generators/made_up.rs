//! Made-up games of a few steps, small enough for all their states, with many symmetries of odd kinds: facts
//! and moves that nothing tells apart, moves of one name that several roles have, facts named like moves.

use ludex::reason::Random;
use std::fmt::Write;

fn pick<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

/// The game of a seed.
pub fn game(seed: u64) -> String {
    let mut random = Random::new(seed);
    let two = random.below(3) > 0;
    let roles: &[&str] = if two { &["x", "y"] } else { &["x"] };
    let mut text: String = roles.iter().map(|r| format!("(role {r})\n")).collect();
    text += "(t 1) (t 2) (t 3)\n";
    for _ in 0..3 {
        let _ = writeln!(text, "(s {} {})", 1 + random.below(3), 1 + random.below(3));
    }
    for fact in ["(a 1)", "(a 2)", "(a 3)", "(b 1 2)", "(b 2 1)", "(b 3 3)", "c", "(m 2)"] {
        if random.below(3) == 0 {
            let _ = writeln!(text, "(init {fact})");
        }
    }
    for head in ["(p ?x)", "(q ?x ?y)", "(q ?x ?y)"] {
        rule(&mut random, head, &STATE, &mut text);
    }
    for role in roles {
        let _ = writeln!(text, "(legal {role} wait)");
        for mv in ["(m ?x)", "(n ?x ?y)"] {
            rule(&mut random, &format!("(legal {role} {mv})"), &VIEWS, &mut text);
        }
    }
    for fact in ["(a ?x)", "(b ?x ?y)", "c", "(m ?x)"] {
        for _ in 0..1 + random.below(2) {
            rule(&mut random, &format!("(next {fact})"), &MOVES, &mut text);
        }
    }
    text += "(init (step 0)) (<= (next (step 1)) (true (step 0)))\n";
    text += "(<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))\n";
    for role in roles {
        let condition = pick(&mut random, &["(true c)", "(p 2)", "(true (a 1))", "(q 1 3)"]);
        let _ = writeln!(text, "(<= (goal {role} 100) {condition})");
        let _ = writeln!(text, "(<= (goal {role} 0) (not {condition}))");
    }
    text
}

const STATE: [&str; 8] = [
    "(true (a ?x))",
    "(s ?x ?y)",
    "(not (true (a ?y)))",
    "(true (b ?x ?y))",
    "(not (true c))",
    "(distinct ?x ?y)",
    "(s ?y ?y)",
    "(true (m ?x))",
];
const VIEWS: [&str; 7] = [
    "(p ?x)",
    "(not (q ?x ?y))",
    "(q ?y ?x)",
    "(not (true c))",
    "(distinct ?x ?y)",
    "(true (b ?x ?y))",
    "(s ?x ?z)",
];
const MOVES: [&str; 9] = [
    "(does x (m ?x))",
    "(does ?r (n ?x ?y))",
    "(does x wait)",
    "(true (a ?x))",
    "(not (does x wait))",
    "(does ?r (m ?y))",
    "(true (b ?x ?y))",
    "(true (m ?x))",
    "(true c)",
];

/// A rule whose variables `t` binds, so that it is safe.
fn rule(random: &mut Random, head: &str, conditions: &[&str], text: &mut String) {
    let _ = write!(text, "(<= {head} (t ?x) (t ?y)");
    for _ in 0..1 + random.below(2) {
        let _ = write!(text, " {}", pick(random, conditions));
    }
    text.push_str(")\n");
}
