//! What the connectives of a body become: plain rules, safe and few.

use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_gdl::syntax::Syntax;
use ludex_reason::interp::Interp;
use ludex_reason::{Random, StateMachine};

const GAME: &str = "(role r) (init (s 1)) (next (s 1)) (legal r a) (goal r 1) terminal
    (q 1) (q 2) (t 1 2) (e)";

/// The rules of `p` and of auxiliary relations.
fn lowered(clause: &str) -> Vec<String> {
    let source = Source::new("test.kif", format!("{GAME}\n{clause}"));
    let (rules, _) = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
    let text = rules.to_string();
    text.lines()
        .filter(|l| l.starts_with("(<= (p") || l.starts_with("(p"))
        .map(String::from)
        .collect()
}

#[test]
fn small_bodies_are_multiplied_out() {
    let table: [(&str, &[&str]); 12] = [
        (
            "(<= (p ?x) (q ?x) (or (distinct ?x 1) (not (q 3))))",
            &["(<= (p ?x) (q ?x) (distinct ?x 1))", "(<= (p ?x) (q ?x) (not (q 3)))"],
        ),
        ("(<= (p ?x) (or (q ?x) (t ?x ?y)))", &["(<= (p ?x) (q ?x))", "(<= (p ?x) (t ?x ?y))"]),
        (
            "(<= (p ?x) (q ?x) (not (and (t ?x 1) (or (q 3) (q 4)))))",
            &["(<= (p ?x) (q ?x) (not (t ?x 1)))", "(<= (p ?x) (q ?x) (not (q 3)) (not (q 4)))"],
        ),
        (
            "(<= (p ?x) (q ?x) (not (or (t ?x 1) (q 3))))",
            &["(<= (p ?x) (q ?x) (not (t ?x 1)) (not (q 3)))"],
        ),
        ("(<= (p ?x ?y) (q ?x) (not (distinct ?x ?y)))", &["(<= (p ?y ?y) (q ?y))"]),
        ("(<= (p ?x) (not (distinct (f ?x) (f 7))) (q 1))", &["(<= (p 7) (q 1))"]),
        ("(<= (p ?x) (q ?x) (not (not (q 2))) (distinct 1 2))", &["(<= (p ?x) (q ?x) (q 2))"]),
        ("(<= (p ?x) (q ?x) (or))", &[]),
        ("(<= (p ?x) (q ?x) (and))", &["(<= (p ?x) (q ?x))"]),
        ("(<= (p ?x) (q ?x) (distinct ?x ?x))", &[]),
        ("(<= (p ?x) (q ?x) (not (q ?x)))", &[]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))", &[]),
    ];
    for (clause, expected) in table {
        assert_eq!(lowered(clause), expected, "{clause}");
    }
}

#[test]
fn large_disjunctions_become_safe_auxiliary_relations() {
    let branches: Vec<String> = (0..17).map(|i| format!("(distinct ?x {i})")).collect();
    let rules = lowered(&format!(
        "(<= (p ?x) (q ?x) (or {} (t ?x ?y) (q 3)) (not (e)))",
        branches.join(" ")
    ));
    assert_eq!(rules[0], "(<= (p ?x) (q ?x) (p_or1 ?x) (not e))");
    assert_eq!(rules[1], "(<= (p_or1 ?x) (q ?x) (distinct ?x 0))");
    assert_eq!(rules[18], "(<= (p_or1 ?x) (t ?x ?y))");
    assert_eq!(rules[19], "(<= (p_or1 ?x) (q ?x) (q 3))");
    assert_eq!(rules.len(), 20);
}

#[test]
fn a_body_that_is_one_disjunction_needs_no_auxiliary_relation() {
    let branches: Vec<String> = (0..50).map(|i| format!("(t ?x {i})")).collect();
    let rules = lowered(&format!("(<= (p ?x) (or {}))", branches.join(" ")));
    assert_eq!((rules.len(), rules[49].as_str()), (50, "(<= (p ?x) (t ?x 49))"));
}

#[test]
fn growth_is_linear() {
    let or: String = (0..40).map(|i| format!(" (or (t ?x {i}) (and (q {i}) (e)))")).collect();
    let rules = lowered(&format!("(<= (p ?x) (q ?x){or})"));
    assert_eq!(rules.len(), 16 + 2 * 36);
}

/// A formula over the variables x, y, z and the numbers 1 to 3, made at random.
enum Formula {
    Less(Term, Term),
    Distinct(Term, Term),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// 0 to 2 are variables, 3 to 5 the numbers 1 to 3.
type Term = usize;

const NAMES: [&str; 6] = ["?x", "?y", "?z", "1", "2", "3"];

impl Formula {
    fn random(random: &mut Random, depth: usize) -> Formula {
        let (a, b) = (random.below(6), random.below(6));
        let mut parts = |n: usize| -> Vec<Formula> {
            (0..random.below(n)).map(|_| Formula::random(random, depth - 1)).collect()
        };
        match (depth, (a + 6 * b) % 5) {
            (0, n) if n < 3 => Formula::Less(a, b),
            (0, _) => Formula::Distinct(a, b),
            (_, 0) => Formula::Not(Box::new(Formula::random(random, depth - 1))),
            (_, 1 | 2) => Formula::And(parts(5)),
            _ => Formula::Or(parts(8)),
        }
    }

    fn text(&self) -> String {
        let all = |parts: &[Formula]| parts.iter().map(|p| p.text() + " ").collect::<String>();
        match self {
            Formula::Less(a, b) => format!("(less {} {})", NAMES[*a], NAMES[*b]),
            Formula::Distinct(a, b) => format!("(distinct {} {})", NAMES[*a], NAMES[*b]),
            Formula::Not(part) => format!("(not {})", part.text()),
            Formula::And(parts) => format!("(and {})", all(parts)),
            Formula::Or(parts) => format!("(or {})", all(parts)),
        }
    }

    fn holds(&self, values: &[usize; 6]) -> bool {
        match self {
            Formula::Less(a, b) => values[*a] < values[*b],
            Formula::Distinct(a, b) => values[*a] != values[*b],
            Formula::Not(part) => !part.holds(values),
            Formula::And(parts) => parts.iter().all(|p| p.holds(values)),
            Formula::Or(parts) => parts.iter().any(|p| p.holds(values)),
        }
    }

    /// The pairs of x and y for which some z makes the formula true.
    fn answers(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (x, y) in (1..4).flat_map(|x| (1..4).map(move |y| (x, y))) {
            if (1..4).any(|z| self.holds(&[x, y, z, 1, 2, 3])) {
                found.push(format!("(m {x} {y})"));
            }
        }
        found
    }
}

#[test]
fn rules_mean_what_their_formulas_mean() {
    let mut random = Random::new(5);
    let mut large = 0;
    for _ in 0..1500 {
        let depth = random.below(5);
        let formula = Formula::random(&mut random, depth);
        let text = format!(
            "(role r) (d 1) (d 2) (d 3) (less 1 2) (less 1 3) (less 2 3) (goal r 1) terminal
             (<= (legal r (m ?x ?y)) (d ?x) {} (d ?y) (d ?z))",
            formula.text()
        );
        let source = Source::new("test.kif", text);
        let (rules, _) =
            Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
        large += rules.relations.iter().any(|r| r.auxiliary) as usize;
        let mut game = Interp::new(&rules).unwrap();
        let (state, mut legal) = (game.initial(), Vec::new());
        game.legal(&state, 0, &mut legal);
        let mut legal: Vec<String> = legal.iter().map(|m| game.move_text(0, *m)).collect();
        legal.sort_unstable();
        assert_eq!(legal, formula.answers(), "{}\n{rules}", source.text);
    }
    assert!(large > 50, "{large} with auxiliary relations");
}

#[test]
fn rules_print_in_both_syntaxes() {
    let source =
        Source::new("test.kif", format!("{GAME} (<= (p ?x) (q ?x) (or (e) (not (t ?x 2))))"));
    let (rules, _) = Rules::read(&source, None).unwrap();
    let infix = rules.text(Syntax::Infix);
    assert!(infix.contains("p(X) :- q(X) & ~t(X,2)"), "{infix}");
    let again = Source::new("test.gdl", infix);
    let (again, _) = Rules::read(&again, Some(Syntax::Infix)).unwrap();
    assert_eq!(again.to_string().to_lowercase(), rules.to_string());
}

#[test]
fn rules_that_nobody_asks_for_are_dropped() {
    let clauses = "(<= (p ?x) (q ?x)) (<= (legal r (b ?x)) (m ?x)) (<= (m ?x) (q ?x) (not (e)))";
    let source = Source::new("test.kif", format!("{GAME}\n{clauses}"));
    let (mut rules, _) = Rules::read(&source, None).map_err(|r| r.render(&source)).unwrap();
    let before = rules.rules.len();
    rules.keep_needed();
    let text = rules.to_string();
    let clauses = [("(<= (p ?x) (q ?x))", false), ("(t 1 2)", false), ("(q 2)", true), ("e", true)];
    for (clause, kept) in clauses {
        assert_eq!(text.lines().any(|line| line == clause), kept, "{clause} in {text}");
    }
    assert_eq!(rules.rules.len(), before - 2);
}
