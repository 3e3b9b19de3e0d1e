//! What the connectives of a body become: plain rules, safe and few.

use ludex::rules::Rules;
use ludex::source::Source;

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
