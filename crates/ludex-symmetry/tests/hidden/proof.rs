//! A map of a net, proved to be a symmetry or refuted by the SAT solver: every output of the game is compared with the
//! output that it is mapped to, read in the state and the moves that these are mapped to, in all reachable states.

use ludex_facts::prove::{Prover, Verdict};
use ludex_gdl::budget::Budget;
use ludex_net::{Gate, Lit, Net};
use ludex_symmetry::{Settled, SymmetryMap};

/// One step proves a symmetry; a line of play refutes what is none.
const STEPS: usize = 3;

/// Every generator is proved. Nets with loops are left out: a loop has no meaning as a formula.
pub fn check(net: &Net, settled: &Settled, generators: &[SymmetryMap]) {
    if !net.components.is_empty() {
        return;
    }
    for map in generators {
        let proved = verdict(net, settled, map);
        assert!(matches!(proved, Verdict::Proved { .. }), "{}: {proved:?}", net.name);
    }
}

pub fn verdict(net: &Net, settled: &Settled, map: &SymmetryMap) -> Verdict {
    let mut prover = Prover::new(net.clone(), &Budget::unlimited());
    for (base, value) in settled.bases.iter().enumerate() {
        let lit = net.base_lit(base);
        value.map(|value| prover.add_lemma(if value { lit } else { !lit }));
    }
    for (input, made) in settled.inputs.iter().enumerate() {
        (*made == Some(false)).then(|| prover.add_lemma(!net.inputs[input].legal));
    }
    let image = image(net, map, &mut prover);
    let there = |lit: Lit| {
        let image = image[lit.gate()];
        if lit.negated() { !image } else { image }
    };
    // 1. What is seen of a state.
    let legal = |i: usize| (net.inputs[i].legal, there(net.inputs[map.inputs[i] as usize].legal));
    let open = (0..net.inputs.len()).filter(|i| settled.inputs[*i] != Some(false));
    let mut pairs: Vec<(Lit, Lit)> = open.map(legal).collect();
    pairs.push((net.terminal, there(net.terminal)));
    for (role, to) in map.roles.iter().enumerate() {
        let values = net.goals[role].iter().chain(&net.goals[*to as usize]).map(|g| g.0);
        for value in values.collect::<Vec<i32>>() {
            let of = |role: usize| net.goals[role].iter().find(|g| g.0 == value);
            let lit = |role: usize| of(role).map_or(Lit::FALSE, |g| g.1);
            pairs.push((lit(role), there(lit(*to as usize))));
        }
    }
    let seen = all_equal(&mut prover, &pairs);
    // 2. What follows a state.
    let moved = (0..net.bases.len()).filter(|b| settled.bases[*b].is_none());
    let next = |b: usize| (net.bases[b].next, there(net.bases[map.bases[b] as usize].next));
    let follows = all_equal(&mut prover, &moved.map(next).collect::<Vec<_>>());
    let prove = |lit: Lit| prover.prove(lit, STEPS).expect("no limit");
    prove(seen).and(prove(follows))
}

/// By gate what it is where every base and input has the value of the one that is mapped to it.
fn image(net: &Net, map: &SymmetryMap, prover: &mut Prover) -> Vec<Lit> {
    let from =
        |images: &[u32], at: u32| images.iter().position(|i| *i == at).expect("a permutation");
    let mut image: Vec<Lit> = Vec::new();
    for gate in &net.gates {
        let through = |lit: Lit| {
            let image = image[lit.gate()];
            if lit.negated() { !image } else { image }
        };
        let own = match *gate {
            Gate::False => Lit::FALSE,
            Gate::Base(b) => net.base_lit(from(&map.bases, b)),
            Gate::Input(i) => net.input_lit(from(&map.inputs, i)),
            Gate::And(a, b) => prover.and([through(a), through(b)]),
            Gate::Or(a, b) => prover.or([through(a), through(b)]),
            Gate::LoopAnd(..) | Gate::LoopOr(..) => unreachable!("nets with loops are left out"),
        };
        image.push(own);
    }
    image
}

fn all_equal(prover: &mut Prover, pairs: &[(Lit, Lit)]) -> Lit {
    let mut equal = Vec::new();
    for (a, b) in pairs {
        let (only_a, only_b) = (prover.and([*a, !*b]), prover.and([!*a, *b]));
        equal.push(prover.and([!only_a, !only_b]));
    }
    prover.and(equal)
}

#[test]
fn what_is_no_symmetry_is_refuted() {
    let text = "(role p) (legal p (flip a)) (legal p (flip b)) (legal p (flip c))
        (<= (next (on ?x)) (does p (flip ?x))) (<= (next (on ?x)) (true (on ?x)))
        (<= terminal (true (on a)) (true (on b))) (goal p 0)";
    let source = ludex_gdl::source::Source::new("lamps", text);
    let rules = ludex_gdl::rules::Rules::read(&source, None).expect("a game").0;
    let ground = ludex_net::ground::Ground::new(&rules, &Budget::unlimited()).expect("small");
    let net = Net::new(&ground, &Budget::unlimited()).expect("small");
    let settled = Settled::nothing(net.bases.len(), net.inputs.len());
    let number = |name: &str| net.bases.iter().position(|b| b.name == name).expect("a lamp");
    let exchange = |a: &str, b: &str| {
        let number = [a, b].map(|lamp| (number(&format!("(on {lamp})")), format!("(flip {lamp})")));
        let mut map =
            SymmetryMap { roles: vec![0], bases: (0..3).collect(), inputs: (0..3).collect() };
        map.bases.swap(number[0].0, number[1].0);
        let input = |name: &str| net.inputs.iter().position(|i| i.name == name).expect("a move");
        map.inputs.swap(input(&number[0].1), input(&number[1].1));
        verdict(&net, &settled, &map)
    };
    assert!(matches!(exchange("a", "b"), Verdict::Proved { .. }));
    assert!(matches!(exchange("a", "c"), Verdict::Refuted { .. }));
}
