//! Grounding leaves out what would only be thrown away.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_net::Net;
use ludex_net::ground::Ground;

/// Chains of bits that are finished in the step of their length; `more` are other rules.
fn chains(longest: usize, more: &str) -> Ground {
    let mut text = String::from(
        "(role r) (bit 0) (bit 1) (init (step 1)) (legal r go) (<= terminal (true done))
         (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (goal r 100)
         (<= (legal r stop) (chain1 1)) (<= (next done) (does r stop))",
    );
    for n in 1..=longest {
        let bits: String = (1..=n).map(|i| format!(" ?b{i}")).collect();
        let sets: String = (1..=n).map(|i| format!(" (bit ?b{i})")).collect();
        let (chain, m) = (format!("(<= (chain{n}{bits}){sets}"), n + 1);
        text += &format!("{chain} (true (step {n}))) (succ {n} {m})\n");
        if n < longest {
            text += &format!("{chain} (chain{m}{bits} 0))\n");
        }
    }
    let source = Source::new("chains.kif", text + more);
    let rules = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0;
    Ground::new(&rules, &Budget::unlimited()).expect("it is small")
}

/// In which steps the chains are finished.
fn finished(ground: &Ground) -> Vec<bool> {
    let net = Net::new(ground, &Budget::unlimited()).expect("no limit");
    let stop = net.inputs.iter().find(|input| input.name == "stop").expect("a move").legal;
    let step = |n: usize| net.bases.iter().position(|b| b.name == format!("(step {n})"));
    let finished = |n: usize| {
        let mut bases = vec![false; net.bases.len()];
        bases[step(n).expect("a base")] = true;
        Net::holds(&net.evaluate(&bases, &vec![false; net.inputs.len()]), stop)
    };
    (1..=18).map(finished).collect()
}

#[test]
fn what_says_the_same_of_all_values_is_said_once() {
    let ground = chains(17, "");
    assert!(ground.len() < 200, "{} rules", ground.len());
    let expected: Vec<bool> = (1..=18).map(|n| n <= 17).collect();
    assert_eq!(finished(&ground), expected);
    // What is denied of another value keeps its arguments.
    let denied = "(<= (next (odd ?x)) (thing ?x) (not (chain2 ?x ?x))) (thing 0) (thing 7)";
    let ground = chains(17, denied);
    assert!(ground.len() < 300, "{} rules", ground.len());
    assert_eq!(finished(&ground), expected);
}
