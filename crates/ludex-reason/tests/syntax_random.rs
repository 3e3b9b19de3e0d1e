//! Random bytes, torn games and made-up rules: reading and checking them never panics, and a large
//! file is read in one go.

#[path = "../../ludex-gdl/tests/trees/mod.rs"]
mod trees;

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Report, Source};
use ludex_gdl::syntax::{Ast, Syntax};
use ludex_reason::interp::Interp;
use ludex_reason::{Random, StateMachine, playout};
use ludex_testing::{root, shared};
use proptest::prelude::*;
use std::fmt::Write;

fn pick<'a, T: ?Sized>(random: &mut Random, from: &[&'a T]) -> &'a T {
    from[random.below(from.len())]
}

/// Reads and renders in every syntax; lays out what can be read; checks it as a game.
fn try_all(bytes: Vec<u8>) {
    let mut report = Report::default();
    let source = Source::from_bytes("random", bytes, &mut report);
    for syntax in [None, Some(Syntax::Kif), Some(Syntax::Infix)] {
        let mut report = Report::default();
        let ast = Ast::parse(&source, syntax, &mut report);
        assert!(report.render(&source).len() >= report.complaints.len());
        if !report.has_errors() {
            ast.format(&source, Syntax::Kif);
            ast.format(&source, Syntax::Infix);
        }
        if let Err(report) = Rules::read(&source, syntax) {
            assert!(report.has_errors(), "refused without a reason");
        }
    }
}

#[test]
fn random_bytes() {
    for seed in 1..1500 {
        let mut random = Random::new(seed);
        let length = random.below(300);
        try_all((0..length).map(|_| random.below(256) as u8).collect());
    }
}

#[test]
fn random_tokens() {
    const TOKENS: [&str; 44] = [
        "(", "(", "(", ")", ")", ")", "<=", ":-", "&", "|", ",", ";", ".", "~", "not", "and", "or",
        "%", "'", "''", "?", "?x", "X", "_", "role", "true", "does", "next", "legal", "init",
        "goal", "terminal", "distinct", "\\=", "a", "b", "1", "\n", "\n", "\r\n", "\t", "\u{feff}",
        "é", "\u{a0}",
    ];
    for seed in 1..3000 {
        let mut random = Random::new(seed);
        let mut text = String::new();
        for _ in 0..random.below(120) {
            text.push_str(pick(&mut random, &TOKENS));
            text.push_str(pick(&mut random, &["", " ", " "]));
        }
        try_all(text.into_bytes());
    }
}

#[test]
fn torn_games() {
    let own = std::fs::read(root().join("games/tictactoe.kif")).expect("a bundled game");
    let other = shared("games/collection/buttons.kif").map(|f| std::fs::read(f).expect("a game"));
    let texts: Vec<Vec<u8>> = [own].into_iter().chain(other).collect();
    for seed in 1..400 {
        let mut random = Random::new(seed);
        let mut bytes = texts[random.below(texts.len())].clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, random.below(256) as u8),
                2 => bytes.insert(at, *pick(&mut random, &[&b'(', &b')', &b'\'', &b'?', &b'\n'])),
                _ => bytes.truncate(at + 1),
            }
        }
        try_all(bytes);
    }
}

/// Rules of a few relations over three constants, most of them safe.
fn random_rules(random: &mut Random) -> String {
    let mut text = String::from("(role r) (init (f a)) (legal r a) (goal r 50) (p a b) (q c)\n");
    const HEADS: [&str; 6] =
        ["(p ?x ?y)", "(q ?x)", "(next (f ?x))", "(legal r ?x)", "terminal", "(next (f b))"];
    const BODIES: [&str; 9] = [
        "(p ?x ?y)",
        "(q ?x)",
        "(q ?y)",
        "(true (f ?x))",
        "(does r ?y)",
        "(not (q ?x))",
        "(not (true (f ?y)))",
        "(distinct ?x ?y)",
        "(or (p ?y ?x) (and (q ?x) (not (p ?x ?x))))",
    ];
    for _ in 0..1 + random.below(8) {
        let _ = write!(text, "(<= {}", pick(random, &HEADS));
        for _ in 0..1 + random.below(4) {
            let _ = write!(text, " {}", pick(random, &BODIES));
        }
        text.push_str(")\n");
    }
    text
}

/// Found by `random_rules_are_refused_or_played`.
#[test]
fn terminal_may_depend_on_facts_alone() {
    let text = "(role r) (init (f a)) (legal r a) (goal r 50) (p a b) (<= terminal (p ?x ?y))
        (<= (next (f ?x)) (true (f ?x)))";
    let source = Source::new("over.kif", text);
    let (rules, _) = Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source)));
    let mut game = Interp::new(&rules).unwrap();
    let state = game.initial();
    assert!(game.terminal(&state));
}

#[test]
fn random_rules_are_refused_or_played() {
    let mut played = 0;
    for seed in 1..2000 {
        let mut random = Random::new(seed);
        let source = Source::new("random", random_rules(&mut random));
        match Rules::read(&source, None) {
            Err(report) => assert!(report.has_errors(), "refused without a reason"),
            Ok((rules, _)) => {
                let mut game =
                    Interp::new(&rules).unwrap_or_else(|e| panic!("{e}\n{}", source.text));
                assert!(playout(&mut game, &mut random, 5, &Budget::unlimited()).is_ok());
                played += 1;
            }
        }
    }
    assert_eq!(played, 69, "rule sets were played");
}

proptest! {
    #![proptest_config(trees::config(150))]

    #[test]
    fn made_up_rules(clauses in trees::clauses()) {
        let ast = trees::build(&clauses);
        let game = "(role r)(init a)(next a)(legal r a)(goal r 1)(terminal)\n";
        try_all(format!("{game}{}", ast.text(Syntax::Kif)).into_bytes());
        try_all(ast.text(Syntax::Infix).into_bytes());
    }
}

/// About 5 MB. By hand: 50 MB in the same way, with the time and memory of the process.
#[test]
fn a_large_file_is_read() {
    let mut text = String::from("(role x)\n");
    while text.len() < 5_000_000 {
        let n = text.len();
        let _ = write!(
            text,
            "; rule at {n}\n(<= (next (cell ?x ?y {n})) (true (cell ?x ?y b)) (does ?p (mark ?x \
             {n}))\n    (or (distinct ?x {n}) (not (true (at ?y)))))\n(succ {n} {})\n",
            n + 1
        );
    }
    let source = Source::new("large.kif", text);
    let mut report = Report::default();
    let ast = Ast::parse(&source, None, &mut report);
    assert!(report.complaints.is_empty());
    let infix = Source::new("large.gdl", ast.format(&source, Syntax::Infix));
    let again = Ast::parse(&infix, None, &mut report);
    assert!(report.complaints.is_empty());
    assert!(ast.clauses.len() > 50_000);
    assert_eq!(ast.clauses.len(), again.clauses.len());
    assert_eq!(ast.comments.len(), again.comments.len());
}
