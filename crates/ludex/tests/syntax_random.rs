//! Random bytes, torn games and made-up rules: reading and checking them never panics, and a large
//! file is read in one go.

mod trees;

use ludex::rules::Rules;
use ludex::source::{Report, Source};
use ludex::syntax::{Ast, Syntax};
use proptest::prelude::*;
use std::fmt::Write;
use std::path::Path;

/// A small generator, so that a failure can be repeated from its seed.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
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
            text.push_str(random.pick(&TOKENS));
            text.push_str(random.pick(&["", " ", " "]));
        }
        try_all(text.into_bytes());
    }
}

#[test]
fn torn_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = ["games/tictactoe.kif", "../shared/games/collection/buttons.kif"];
    let texts: Vec<Vec<u8>> =
        names.iter().filter_map(|n| std::fs::read(root.join(n)).ok()).collect();
    println!("{} games torn", texts.len());
    for seed in 1..400 {
        let mut random = Random::new(seed);
        let mut bytes = texts[random.below(texts.len())].clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, random.below(256) as u8),
                2 => bytes.insert(at, *random.pick(&[&b'(', &b')', &b'\'', &b'?', &b'\n'])),
                _ => bytes.truncate(at + 1),
            }
        }
        try_all(bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

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
