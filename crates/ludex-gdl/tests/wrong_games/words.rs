//! Words, arguments and signs that are missing, and characters that nobody sees.

use super::*;

#[test]
fn a_word_that_is_left_out_around_a_fact() {
    let found = with(TICTACTOE, "(init (control white))", "(control white)");
    first(&found, &["unused-relation", "control/1", "is init(…) missing around it?"]);
    assert_eq!(found[0].fix.as_ref().unwrap().text, "(init (control white))");
    let found = with(TICTACTOE, "(next (control white))", "(control white)");
    first(&found, &["unused-relation", "is next(…) missing around it?"]);
    let found = with(TICTACTOE, "(not (line x))", "(not (line x)) (control white)");
    first(&found, &["undefined-relation", "control/1", "is true(…) missing around it?"]);
    assert_eq!(found[0].fix.as_ref().unwrap().text, "(true (control white))");
    let found = with(BREAKTHROUGH, "true(control(P)) & foe", "control(P) & foe");
    first(&found, &["undefined-relation", "is true(…) missing around it?"]);
}

#[test]
fn an_argument_that_is_missing_takes_the_value_of_a_variable_with_it() {
    let found = with(TICTACTOE, "(true (cell ?x ?y b)) (true (c", "(true (cell ?x b)) (true (c");
    first(&found, &["odd-arity", "cell has 2 arguments here"]);
    assert!(found[0].follows.iter().any(|c| c.code == "unsafe-variable"), "{found:?}");
}

#[test]
fn an_arrow_that_is_missing() {
    let found = with(TICTACTOE, "(<= open (true", "(open (line x) (true");
    first(&found, &["a rule begins with an arrow"]);
}

#[test]
fn a_parenthesis_that_comes_too_early() {
    let found = with(TICTACTOE, "(<= (line ?x) (row ?m ?x))", "(<= (line ?x)) (row ?m ?x)");
    first(&found, &["unsafe-variable", "this rule has no conditions"]);
}

#[test]
fn a_constant_in_the_head_where_its_variable_was_meant() {
    let found = with(TICTACTOE, "(<= (line ?x) (row ?m ?x))", "(<= (line x) (row ?m ?x))");
    first(&found, &["bare-variable", "did you mean the variable ?x?"]);
}

#[test]
fn characters_that_nobody_sees() {
    let cell = "(true (cell ?m ?n ?w))";
    let found = with(TICTACTOE, cell, "(true (\u{441}ell ?m ?n ?w))");
    first(&found, &["hidden-character", "looks like c: it is U+0441", "write cell"]);
    let found = with(TICTACTOE, "(init (cell 1 1 b))", "(init (ce\u{200b}ll 1 1 b))");
    first(&found, &["hidden-character", "cannot be seen: U+200B", "write cell"]);
    let found = with(TICTACTOE, "(role white)", "(role wh\u{7}ite)");
    first(&found, &["hidden-character", "U+0007"]);
    let found = with(TICTACTOE, "(role white)", "(role wh\0ite)");
    first(&found, &["not-gdl", "a byte that is zero"]);
    assert!(found[0].span.is_some());
    let found = with(TICTACTOE, "(role white)", "（role white）");
    first(&found, &["unexpected", "round parentheses"]);
    // Whoever writes in another alphabet means it.
    let russian = TICTACTOE.replace("white", "белый");
    assert!(complaints(&russian).complaints.iter().all(|c| c.code == "unusual-name"));
    let mut report = Report::default();
    let text: Vec<u8> =
        format!("\u{feff}{TICTACTOE}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let source = Source::from_bytes("game", text, &mut report);
    assert_eq!(report.complaints[0].code, "not-utf-8");
    assert!(complaints(&source.text).complaints.is_empty());
}

#[test]
fn a_quote_without_its_partner() {
    for name in ["\"white", "white\"", "|white|", "`white"] {
        let found = with(TICTACTOE, "(role white)", &format!("(role {name})"));
        first(&found, &["quoted-name", "write white"]);
    }
}

#[test]
fn a_chain_of_numbers_beside_one_of_letters() {
    let hex = include_str!("../../../../games/hex.kif");
    first(&with(hex, "(succ 7 8)", "(succ 7 9)"), &["broken-chain", "(succ 7 8) is missing"]);
    first(&with(hex, "(succ c d)", "(succ c e)"), &["broken-chain", "(succ c d) is missing"]);
}
