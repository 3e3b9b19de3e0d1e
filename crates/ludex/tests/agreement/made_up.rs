//! Made-up rule sets with joins, negation, functions and recursion: the reasoner against a naive
//! evaluator, and the machines against the reasoner.
//!
//! The naive evaluator tries every assignment of the domain to the variables of every rule, stratum
//! by stratum, until nothing is new.

use crate::lockstep::{Plan, backends, net, walk};
use ludex::interp::Interp;
use ludex::machine::sliced::Backend;
use ludex::reason::{Random, StateMachine};
use ludex::rules::Rules;
use ludex::source::Source;
use std::collections::BTreeSet;

const DOMAIN: [&str; 5] = ["a", "b", "c", "(f a)", "(f b)"];
const VARIABLES: usize = 4;

#[derive(Clone, Copy, PartialEq)]
enum Arg {
    Var(usize),
    Value(usize),
    /// `(f ?x)`.
    Wrapped(usize),
}

/// A relation with its arguments; relations below `FLUENTS` stand inside `true`.
#[derive(Clone)]
struct Atom {
    relation: usize,
    args: Vec<Arg>,
}

struct Rule {
    head: Atom,
    positive: Vec<Atom>,
    negative: Vec<Atom>,
    distinct: Vec<(Arg, Arg)>,
}

const FLUENTS: usize = 2;
const ARITIES: [usize; 9] = [2, 1, 2, 1, 2, 0, 2, 3, 1];

type Facts = BTreeSet<(usize, Vec<usize>)>;

fn stratum(relation: usize) -> usize {
    if relation < FLUENTS { 0 } else { 1 + (relation - FLUENTS) / 3 }
}

fn argument(random: &mut Random, wrap: bool) -> Arg {
    match random.below(10) {
        0 => Arg::Value(random.below(DOMAIN.len())),
        1 if wrap => Arg::Wrapped(random.below(VARIABLES)),
        _ => Arg::Var(random.below(VARIABLES)),
    }
}

fn atom(random: &mut Random, fits: impl Fn(usize) -> bool) -> Atom {
    let all: Vec<usize> = (0..ARITIES.len()).filter(|r| fits(*r)).collect();
    let relation = all[random.below(all.len())];
    Atom { relation, args: (0..ARITIES[relation]).map(|_| argument(random, true)).collect() }
}

fn variables(atoms: &[Atom]) -> BTreeSet<usize> {
    let args = atoms.iter().flat_map(|a| &a.args);
    args.filter_map(|a| if let Arg::Var(v) | Arg::Wrapped(v) = a { Some(*v) } else { None })
        .collect()
}

/// A safe and stratified rule.
fn rule(random: &mut Random, relation: usize) -> Rule {
    let level = stratum(relation);
    let count = 1 + random.below(5) / 2;
    let positive: Vec<Atom> = (0..count).map(|_| atom(random, |r| stratum(r) <= level)).collect();
    let bound: Vec<usize> = variables(&positive).into_iter().collect();
    let safe = |random: &mut Random| match bound.is_empty() || random.below(6) == 0 {
        true => Arg::Value(random.below(DOMAIN.len())),
        false => Arg::Var(bound[random.below(bound.len())]),
    };
    let mut negative = Vec::new();
    for _ in 0..random.below(2) {
        let mut atom = atom(random, |r| stratum(r) < level);
        atom.args.iter_mut().for_each(|a| *a = safe(random));
        negative.push(atom);
    }
    let distinct = (0..random.below(2)).map(|_| (safe(random), safe(random))).collect();
    let args = (0..ARITIES[relation]).map(|_| safe(random)).collect();
    Rule { head: Atom { relation, args }, positive, negative, distinct }
}

fn value(arg: Arg, assignment: &[usize]) -> Option<usize> {
    match arg {
        Arg::Value(value) => Some(value),
        Arg::Var(v) => Some(assignment[v]),
        // (f a) and (f b) stand behind a, b and c; no other term of f is in the domain.
        Arg::Wrapped(v) => (assignment[v] < 2).then_some(assignment[v] + 3),
    }
}

fn ground(atom: &Atom, assignment: &[usize]) -> Option<(usize, Vec<usize>)> {
    let args: Option<Vec<usize>> = atom.args.iter().map(|a| value(*a, assignment)).collect();
    Some((atom.relation, args?))
}

fn evaluate(rules: &[Rule], state: &Facts) -> Facts {
    let mut facts = state.clone();
    for level in 1..=3 {
        let rules: Vec<&Rule> =
            rules.iter().filter(|r| stratum(r.head.relation) == level).collect();
        let mut before = usize::MAX;
        while before != facts.len() {
            before = facts.len();
            for rule in &rules {
                for n in 0..DOMAIN.len().pow(VARIABLES as u32) {
                    let digit = |v: usize| n / DOMAIN.len().pow(v as u32) % DOMAIN.len();
                    let assignment: Vec<usize> = (0..VARIABLES).map(digit).collect();
                    if holds(rule, &assignment, &facts) {
                        facts.extend(ground(&rule.head, &assignment));
                    }
                }
            }
        }
    }
    facts
}

fn holds(rule: &Rule, assignment: &[usize], facts: &Facts) -> bool {
    let is_fact = |a: &Atom| ground(a, assignment).is_some_and(|f| facts.contains(&f));
    rule.positive.iter().all(is_fact)
        && !rule.negative.iter().any(is_fact)
        && rule.distinct.iter().all(|(a, b)| value(*a, assignment) != value(*b, assignment))
}

fn kif(atom: &Atom) -> String {
    let arg = |a: &Arg| match a {
        Arg::Var(v) => format!("?{v}"),
        Arg::Value(value) => DOMAIN[*value].to_string(),
        Arg::Wrapped(v) => format!("(f ?{v})"),
    };
    let args: Vec<String> = atom.args.iter().map(arg).collect();
    let text = match args.is_empty() {
        true => format!("p{}", atom.relation),
        false => format!("(p{} {})", atom.relation, args.join(" ")),
    };
    if atom.relation < FLUENTS { format!("(true {text})") } else { text }
}

fn rule_kif(rule: &Rule) -> String {
    let mut body: Vec<String> = rule.positive.iter().map(kif).collect();
    body.extend(rule.negative.iter().map(|a| format!("(not {})", kif(a))));
    let value = |a: Arg| match a {
        Arg::Var(v) | Arg::Wrapped(v) => format!("?{v}"),
        Arg::Value(value) => DOMAIN[value].to_string(),
    };
    body.extend(
        rule.distinct.iter().map(|(a, b)| format!("(distinct {} {})", value(*a), value(*b))),
    );
    format!("(<= {} {})", kif(&rule.head), body.join(" "))
}

/// A game whose legal moves are the derived facts, and whose facts come from two of the relations.
fn game(rules: &[Rule], state: &Facts) -> String {
    let mut text = String::from("(role r)\n(legal r m)\n(goal r 0)\n(<= terminal (true none))\n");
    for (relation, args) in state {
        let args: Vec<&str> = args.iter().map(|a| DOMAIN[*a]).collect();
        text += &format!("(init (p{relation} {}))\n", args.join(" "));
    }
    rules.iter().for_each(|r| text += &format!("{}\n", rule_kif(r)));
    for (relation, arity) in ARITIES.iter().enumerate().skip(FLUENTS) {
        let variables = (0..*arity).map(Arg::Var).collect();
        let atom = kif(&Atom { relation, args: variables });
        text += &format!("(<= (legal r {atom}) {atom})\n");
    }
    text + "(<= (next (p0 ?x ?y)) (p6 ?x ?y))\n(<= (next (p1 ?x)) (p8 ?x))\n(<= (next (p1 ?x)) (p3 ?x))\n(<= (next ?x) (true ?x) (not (p5x ?x)))\n(<= (p5x (p0 ?x ?x)) (true (p0 ?x ?x)))"
}

fn texts(facts: impl Iterator<Item = (usize, Vec<usize>)>) -> BTreeSet<String> {
    facts
        .map(|(relation, args)| {
            let args = args.into_iter().map(Arg::Value).collect();
            kif(&Atom { relation: relation + FLUENTS, args }).replacen(
                &format!("p{}", relation + FLUENTS),
                &format!("p{relation}"),
                1,
            )
        })
        .collect()
}

/// The facts of an initial state.
fn facts(random: &mut Random) -> Facts {
    let mut state = Facts::new();
    for _ in 0..6 + random.below(20) {
        let relation = random.below(FLUENTS);
        let args = (0..ARITIES[relation]).map(|_| random.below(DOMAIN.len())).collect();
        state.insert((relation, args));
    }
    state
}

#[test]
fn made_up_rules_agree_with_the_naive_evaluator() {
    let (mut derived, mut states) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let heads = (FLUENTS..ARITIES.len()).flat_map(|r| [r, r]);
        let rules: Vec<Rule> = heads.map(|r| rule(&mut random, r)).collect();
        let mut state = facts(&mut random);
        let text = game(&rules, &state);
        let source = Source::new("made-up.kif", text.clone());
        let (read, _) =
            Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
        let mut interp = Interp::new(&read).unwrap();
        let mut ours = interp.initial();
        for step in 0..4 {
            let facts = texts(state.iter().cloned());
            let seen: BTreeSet<String> = interp.fact_texts(&ours).into_iter().collect();
            assert_eq!(seen, facts, "seed {seed}, facts after {step} moves of\n{text}");
            let all = evaluate(&rules, &state);
            let theirs = texts(all.iter().filter(|f| f.0 >= FLUENTS).cloned());
            let mut moves = Vec::new();
            interp.legal(&ours, 0, &mut moves);
            let m = moves.iter().copied().find(|m| interp.move_text(0, *m) == "m").unwrap();
            let moves: BTreeSet<String> =
                moves.into_iter().map(|m| interp.move_text(0, m)).filter(|t| t != "m").collect();
            assert_eq!(moves, theirs, "seed {seed}, derived after {step} moves of\n{text}");
            derived += theirs.len();
            states += 1;
            ours = interp.next(&ours, &[m]);
            let source = |f: &(usize, Vec<usize>)| match f.0 {
                6 => Some((0, f.1.clone())),
                3 | 8 => Some((1, f.1.clone())),
                _ => None,
            };
            let stays = |f: &&(usize, Vec<usize>)| f.0 == 1 || f.1[0] != f.1[1];
            let kept: Facts = state.iter().filter(stays).cloned().collect();
            state = all.iter().filter_map(source).chain(kept).collect();
        }
        assert_eq!(interp.problem(), None);
    }
    assert_eq!((states, derived), (1_200, 6_660), "states and derived facts");
}

/// A game of two roles who move at the same time, over the made-up relations.
fn contest(rules: &[Rule], state: &Facts) -> String {
    let made_up = game(rules, state);
    let header = made_up.find("(init").expect("facts");
    "(role r)\n(role s)\n(legal r m)\n(legal s wait)\n".to_string()
        + "(<= (legal s (put ?x)) (true (p1 ?x)))\n"
        + "(<= (next (p1 ?y)) (does r (p6 ?x ?y)) (does s (put ?x)))\n"
        + "(<= (next (p0 ?x ?y)) (does r (p4 ?x ?y)) (not (does s wait)))\n"
        + "(<= (next (p1 ?x)) (does ?role (put ?x)) (p8 ?x))\n"
        + "(<= terminal (true (p0 a ?x)) (true (p0 ?x a)) (not (true (p1 ?x))))\n"
        + "(<= (goal r 100) p5)\n(<= (goal r 0) (not p5))\n"
        + "(<= (goal s 50) (p3 a))\n(<= (goal s 30) (not (p3 b)))\n"
        + &made_up[header..]
}

#[test]
fn machines_agree_on_made_up_contests() {
    let (mut states, mut recursive) = (0, 0);
    for seed in 1000..1120 {
        let mut random = Random::new(seed);
        let heads = (FLUENTS..ARITIES.len()).flat_map(|r| [r, r]);
        let rules: Vec<Rule> = heads.map(|r| rule(&mut random, r)).collect();
        let text = contest(&rules, &facts(&mut random));
        let source = Source::new("contest.kif", text.clone());
        let (read, _) =
            Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
        let net = net(&read).expect("a network").expect("small");
        recursive += !net.components.is_empty() as usize;
        let backends = [backends(), vec![Backend::Portable(1)]].concat();
        let plan = Plan { seed, playouts: 2, states: 4, past_terminal: true };
        let compared = walk(&read, &net, &backends, plan);
        states += compared.unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    }
    assert_eq!((states, recursive), (960, 24), "states and recursive networks");
}
