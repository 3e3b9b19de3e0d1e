//! Parse, print, parse gives the same clauses: over every game at hand and over made-up trees.

mod trees;

use ludex_gdl::source::{Report, Source};
use ludex_gdl::syntax::{Ast, Node, NodeKind, Syntax};
use ludex_testing::{bundled_games, collected_games};
use proptest::prelude::*;
use trees::{Tree, build};

const BOTH: [Syntax; 2] = [Syntax::Kif, Syntax::Infix];

fn parse(text: &str, syntax: Option<Syntax>) -> Ast {
    let source = Source::new("test", text);
    let mut report = Report::default();
    let ast = Ast::parse(&source, syntax, &mut report);
    assert!(!report.has_errors(), "{}\n{text}", report.render(&source));
    ast
}

/// One line per clause. Relations without arguments are the same with and without parentheses, and
/// variables in any letter case.
fn canonical(ast: &Ast) -> String {
    let mut out = String::new();
    for clause in &ast.clauses {
        write(ast, &clause.head, true, &mut out);
        out.push_str(" <=");
        ast.list(clause.body).iter().for_each(|n| write(ast, n, true, &mut out));
        out.push('\n');
    }
    out
}

fn write(ast: &Ast, node: &Node, formula: bool, out: &mut String) {
    let mut inner = formula;
    match node.kind {
        NodeKind::Variable { name, .. } => {
            out.push_str(&format!(" variable {}", ast.name(name).to_ascii_lowercase()))
        }
        NodeKind::Apply { name, parens, .. } => {
            let parens = if parens && !formula { "()" } else { "" };
            out.push_str(&format!(" {:?}{parens}", ast.name(name)));
            inner = false;
        }
        NodeKind::Not(_) => out.push_str(" NOT"),
        NodeKind::And(_) => out.push_str(" AND"),
        NodeKind::Or(_) => out.push_str(" OR"),
    }
    out.push('[');
    ast.list(node.list()).iter().for_each(|n| write(ast, n, inner, out));
    out.push(']');
}

#[test]
fn every_game_survives_both_syntaxes() {
    let collected = collected_games();
    assert!(collected.is_empty() || collected.len() == 238, "{}", collected.len());
    for file in bundled_games().into_iter().chain(collected) {
        let text = String::from_utf8(std::fs::read(&file).unwrap()).unwrap();
        round_trip(&Source::new(file.display().to_string(), text));
    }
}

/// Fails on the first line that differs.
fn same(a: &str, b: &str, what: &str) {
    for (number, (a, b)) in a.lines().zip(b.lines()).enumerate() {
        assert_eq!(a, b, "{what}, line {}", number + 1);
    }
    assert_eq!(a.lines().count(), b.lines().count(), "lines of {what}");
}

fn round_trip(source: &Source) {
    let mut report = Report::default();
    let ast = Ast::parse(source, None, &mut report);
    assert!(!report.has_errors(), "{}", report.render(source));
    for syntax in BOTH {
        let plain = parse(&ast.text(syntax), Some(syntax));
        let what = format!("{} as {syntax}", source.name);
        same(&canonical(&ast), &canonical(&plain), &what);
        let laid_out = ast.format(source, syntax);
        let again = parse(&laid_out, None);
        assert_eq!(again.syntax, syntax, "{} recognised", source.name);
        same(&canonical(&ast), &canonical(&again), &what);
        assert_eq!(again.comments.len(), ast.comments.len(), "comments of {}", source.name);
        let once_more = again.format(&Source::new("test", laid_out.as_str()), syntax);
        same(&laid_out, &once_more, &format!("{what}, laid out twice"));
    }
}

#[test]
fn comments_stay_where_they_are() {
    let kif = "\
;;; A game
; of nothing.

(role x) ; the only one
(role y)

; before a rule
(<= (legal x noop) ; after the head
    ; before a condition
    (true a)
    (or (true b) ; in a disjunction
        (true c))
    ; at the end
    )
; after all
";
    let source = Source::new("test", kif);
    let ast = parse(kif, None);
    let expected = "\
;;; A game
; of nothing.

(role x) ; the only one
(role y)

; before a rule
(<= (legal x noop) ; after the head
    ; before a condition
    (true a)
    (or
        (true b) ; in a disjunction
        (true c))
    ; at the end
    )
; after all
";
    assert_eq!(ast.format(&source, Syntax::Kif), expected);
    let infix = "\
%%% A game
% of nothing.

role(x). % the only one
role(y).

% before a rule
legal(x,noop) :- % after the head
    % before a condition
    true(a) &
    (
        true(b) | % in a disjunction
        true(c)).
% at the end
% after all
";
    assert_eq!(ast.format(&source, Syntax::Infix), infix);
    assert_eq!(canonical(&parse(infix, None)), canonical(&ast));
}

proptest! {
    #![proptest_config(trees::config(400))]

    #[test]
    fn made_up_clauses_survive_both_syntaxes(clauses in trees::clauses()) {
        let ast = build(&clauses);
        for syntax in BOTH {
            let text = ast.text(syntax);
            prop_assert_eq!(canonical(&ast), canonical(&parse(&text, Some(syntax))), "{}", text);
        }
    }

    #[test]
    fn any_name_of_kif_survives_infix(name in trees::relation(), variable in trees::name()) {
        let fact = Tree::Apply(name.clone(), vec![Tree::Variable(variable), Tree::Apply(name, vec![], false)], false);
        let ast = build(&[(fact, vec![])]);
        for syntax in BOTH {
            let text = ast.text(syntax);
            prop_assert_eq!(canonical(&ast), canonical(&parse(&text, Some(syntax))), "{}", text);
        }
    }
}
