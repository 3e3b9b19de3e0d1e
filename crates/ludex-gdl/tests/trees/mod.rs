//! Made-up clauses for tests.

use ludex_gdl::source::Span;
use ludex_gdl::syntax::{Ast, AstBuilder, NodeKind, Syntax};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A formula or term before it is in an `Ast`.
#[derive(Clone, Debug)]
pub enum Tree {
    Variable(String),
    Apply(String, Vec<Tree>, bool),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

pub type Rule = (Tree, Vec<Tree>);

/// The same cases in every run; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` look further.
pub fn config(cases: u32) -> ProptestConfig {
    let set = ProptestConfig::default();
    let fixed = matches!(set.rng_seed, RngSeed::Random);
    ProptestConfig {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() { set.cases } else { cases },
        rng_seed: if fixed { RngSeed::Fixed(1) } else { set.rng_seed },
        failure_persistence: None,
        ..set
    }
}

/// Anything KIF can hold as the name of a constant.
pub fn name() -> impl Strategy<Value = String> {
    let odd = "[^\\s();?\u{feff}\\p{Cc}][^\\s();\u{feff}\\p{Cc}]{0,4}";
    prop_oneof![
        6 => "[a-z][a-zA-Z0-9_]{0,3}",
        1 => Just("true".to_string()),
        1 => Just("distinct".to_string()),
        1 => "[0-9]{1,3}[a-z]?",
        1 => "[A-Z][a-z]{0,2}",
        1 => "-[0-9a-z]{0,2}",
        1 => "[+'*.,%&|~:<=\\\\_-]{1,3}",
        1 => Just("it's".to_string()),
        1 => odd,
    ]
}

/// A name that is no connective, so that it can stand at the head of an atom.
pub fn relation() -> impl Strategy<Value = String> {
    let reserved = ["and", "or", "not", "<=", ":-", "&", "|", "~", ":=", "=<", "<-", "<--", "<=="];
    name().prop_filter("reserved", move |n| !reserved.contains(&n.to_lowercase().as_str()))
}

fn term() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        name().prop_map(Tree::Variable),
        name().prop_map(|n| Tree::Apply(n, vec![], false)),
        relation().prop_map(|n| Tree::Apply(n, vec![], true)),
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        (relation(), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, args)| Tree::Apply(name, args, false))
    })
}

fn atom() -> impl Strategy<Value = Tree> {
    let args = prop::collection::vec(term(), 0..4);
    (relation(), args, any::<bool>()).prop_map(|(name, args, parens)| {
        let parens = parens && args.is_empty();
        Tree::Apply(name, args, parens)
    })
}

fn formula() -> impl Strategy<Value = Tree> {
    atom().prop_recursive(4, 20, 4, |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            inner.prop_map(|f| Tree::Not(Box::new(f))),
            parts.clone().prop_map(Tree::And),
            parts.prop_map(Tree::Or),
        ]
    })
}

pub fn clauses() -> impl Strategy<Value = Vec<Rule>> {
    prop::collection::vec((atom(), prop::collection::vec(formula(), 0..5)), 1..6)
}

pub fn build(clauses: &[Rule]) -> Ast {
    let mut builder = AstBuilder::new(Syntax::Kif);
    for (head, body) in clauses {
        let mark = builder.mark();
        push(&mut builder, head);
        body.iter().for_each(|f| push(&mut builder, f));
        builder.clause(mark, Span::default());
    }
    builder.finish()
}

fn push(builder: &mut AstBuilder, tree: &Tree) {
    let mark = builder.mark();
    let parts: &[Tree] = match tree {
        Tree::Variable(_) => &[],
        Tree::Apply(_, parts, _) | Tree::And(parts) | Tree::Or(parts) => parts,
        Tree::Not(part) => std::slice::from_ref(part),
    };
    parts.iter().for_each(|p| push(builder, p));
    let list = builder.gather(mark);
    let kind = match tree {
        Tree::Variable(name) => NodeKind::Variable { name: builder.name(name), anonymous: false },
        Tree::Apply(name, _, parens) => {
            NodeKind::Apply { name: builder.name(name), args: list, parens: *parens }
        }
        Tree::Not(_) => NodeKind::Not(list),
        Tree::And(_) => NodeKind::And(list),
        Tree::Or(_) => NodeKind::Or(list),
    };
    builder.push(kind, Span::default());
}
