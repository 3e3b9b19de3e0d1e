//! Games with one thing wrong: the first complaint names it, and what follows from it stands below it.

use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Complaint, Report, Severity, Source};

const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");
const BREAKTHROUGH: &str = include_str!("../../../games/breakthrough.gdl");

fn complaints(text: &str) -> Report {
    match Rules::read(&Source::new("game", text), None) {
        Ok((_, report)) | Err(report) => report,
    }
}

/// The complaints about a game in which `right` became `wrong`, the first time it stands there.
fn with(game: &str, right: &str, wrong: &str) -> Vec<Complaint> {
    assert!(complaints(game).complaints.is_empty(), "the game is right");
    assert!(game.contains(right), "{right} is no part of the game");
    complaints(&game.replacen(right, wrong, 1)).complaints
}

fn all_with(game: &str, right: &str, wrong: &str) -> Vec<Complaint> {
    assert!(game.contains(right), "{right} is no part of the game");
    complaints(&game.replace(right, wrong)).complaints
}

/// What the first complaint says.
fn said(complaint: &Complaint) -> String {
    let hint = complaint.hint.as_deref().unwrap_or("");
    format!("{}: {}; {hint}", complaint.code, complaint.message)
}

#[track_caller]
fn first(complaints: &[Complaint], parts: &[&str]) {
    let first = complaints.first().map(said).unwrap_or_else(|| "nothing".into());
    assert!(parts.iter().all(|p| first.contains(p)), "{parts:?} in: {first}");
}

/// One complaint, which says all of these.
#[track_caller]
fn only(complaints: &[Complaint], parts: &[&str]) {
    let all: Vec<String> = complaints.iter().map(said).collect();
    assert_eq!(all.len(), 1, "{}", all.join("\n"));
    first(complaints, parts);
}

#[test]
fn a_typo_where_a_relation_is_asked_for() {
    let found = with(TICTACTOE, "(<= terminal (not open))", "(<= terminal (not opne))");
    only(&found, &["undefined-relation", "opne", "did you mean `open`?"]);
    let found = with(TICTACTOE, "(<= (line ?x) (column", "(<= (line ?x) (colunm");
    only(&found, &["undefined-relation", "colunm", "did you mean `column`?"]);
    assert_eq!(found[0].follows.len(), 2, "{found:?}");
    let found = with(TICTACTOE, "(goal white 100) (line x)", "(goal white 100) (lines x)");
    only(&found, &["undefined-relation", "lines", "did you mean `line`?"]);
    let found = with(TICTACTOE, "(role ?r) (index ?m)", "(role ?r) (indx ?m)");
    only(&found, &["indx", "did you mean `index`?"]);
}

#[test]
fn a_typo_where_a_relation_is_defined() {
    let found = with(TICTACTOE, "(<= open (true", "(<= opne (true");
    only(&found, &["opne", "open", "did you mean"]);
    let found = with(TICTACTOE, "(<= (line ?x) (row", "(<= (lien ?x) (row");
    only(&found, &["lien", "did you mean `line`?"]);
    let found = all_with(TICTACTOE, "(<= (diagonal ?x)", "(<= (diagnoal ?x)");
    first(&found, &["diag", "did you mean `diag"]);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_typo_in_a_fact() {
    let found = with(TICTACTOE, "(true (cell ?x ?y b)) (true (c", "(true (cel ?x ?y b)) (true (c");
    only(&found, &["(cel ?x ?y b)", "did you mean `cell`?"]);
    let found = with(TICTACTOE, "(true (control ?w))", "(true (contrl ?w))");
    only(&found, &["contrl", "did you mean `control`?"]);
    let found = with(TICTACTOE, "(next (control white))", "(next (controll white))");
    first(&found, &["controll", "did you mean `control`?"]);
    let found = with(TICTACTOE, "(true (cell 1 1 ?x))", "(true (cell 1 ?x))");
    only(&found, &["never-fires", "cell has 3 arguments elsewhere, here 2"]);
}

#[test]
fn a_typo_in_a_move_a_role_or_a_constant() {
    let found = with(TICTACTOE, "(legal ?w (mark ?x ?y))", "(legal ?w (makr ?x ?y))");
    first(&found, &["makr", "did you mean `mark`?"]);
    let found = with(TICTACTOE, "(does white (mark", "(does white (makr");
    first(&found, &["makr", "did you mean `mark`?"]);
    let found = with(TICTACTOE, "(does white (mark", "(does whtie (mark");
    only(&found, &["unknown-role", "whtie", "did you mean `white`?"]);
    let found = with(TICTACTOE, "(next (control black))", "(next (control blakc))");
    first(&found, &["blakc", "did you mean `black`?"]);
}

#[test]
fn a_typo_in_a_keyword() {
    let found = with(TICTACTOE, "(<= (next (control white))", "(<= (nxet (control white))");
    first(&found, &["nxet", "did you mean `next`?"]);
    let found = with(TICTACTOE, "(true (cell ?x ?y b)) (true (c", "(ture (cell ?x ?y b)) (true (c");
    only(&found, &["ture", "did you mean `true`?"]);
    let found = all_with(TICTACTOE, "(<= terminal", "(<= termnal");
    only(&found, &["termnal", "did you mean `terminal`?"]);
    assert_eq!(found[0].severity, Severity::Error, "the game never ends");
    let found = all_with(TICTACTOE, "(init ", "(inti ");
    only(&found, &["inti", "did you mean `init`?"]);
    let found = all_with(TICTACTOE, "(role ?r)", "(roel ?r)");
    only(&found, &["roel", "did you mean `role`?"]);
}

#[test]
fn a_missing_frame_rule() {
    let found =
        with(TICTACTOE, "(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (distinct ?w b))", "");
    only(&found, &["not-kept", "(cell ?m ?n x) is lost after one move"]);
    let blank = TICTACTOE.lines().filter(|l| !l.starts_with("(<= (next (cell ?m ?n b))"));
    let found = complaints(&blank.collect::<Vec<_>>().join("\n")).complaints;
    only(&found, &["not-kept", "(cell 1 1 b) is true at first only"]);
    let all = TICTACTOE.lines().filter(|l| !l.contains("(next (cell ?m ?n ?w)"));
    let all: Vec<&str> = all.filter(|l| !l.contains("(next (cell ?m ?n b))")).collect();
    first(&complaints(&all.join("\n")).complaints, &["not-kept", "cell"]);
}

#[test]
fn a_missing_rule_for_whose_turn_it_is() {
    let lines = TICTACTOE.lines().filter(|l| !l.starts_with("(<= (next (control"));
    let found = complaints(&lines.collect::<Vec<_>>().join("\n")).complaints;
    only(&found, &["not-kept", "(control white) is true at first only", "makes control"]);
    let found = with(TICTACTOE, "(<= (next (control white)) (true (control black)))", "");
    first(&found, &["not-kept", "(control white) is true at first only"]);
}

/// A row of cells, made by rules and marked with the names of the roles.
const ROW: &str = include_str!("../../ludex-cli/templates/board.kif");

#[test]
fn facts_of_a_board_that_rules_make() {
    let found = with(ROW, "(<= (next (cell ?n ?c)) (true (cell ?n ?c)) (not (marked ?n)))", "");
    first(&found, &["not-kept", "(cell ?n blank) is true at first only"]);
    let lines = ROW.lines().filter(|l| !l.starts_with("(<= (next (control"));
    let found = complaints(&lines.collect::<Vec<_>>().join("\n")).complaints;
    // Nothing else speaks of black, which is near blank and meant all the same.
    only(&found, &["not-kept", "(control white) is true at first only"]);
    let found = with(ROW, "(init (control white))", "(init (control whtie))");
    first(&found, &["whtie", "did you mean `white`?"]);
}

#[test]
fn an_unsafe_variable() {
    let found = with(TICTACTOE, "(true (cell ?m ?n ?w)) (distinct ?w b)", "(distinct ?w b)");
    first(&found, &["unsafe-variable", "?m"]);
    let found = with(
        TICTACTOE,
        "(next (cell ?m ?n x)) (does white (mark ?m ?n))",
        "(next (cell ?m ?nn x)) (does white (mark ?m ?n))",
    );
    first(&found, &["unsafe-variable", "?nn"]);
    let found = with(BREAKTHROUGH, "role(white)", "role(White)");
    first(&found, &["capital-letter", "White begins with a capital letter", "write white"]);
}

#[test]
fn a_variable_as_head() {
    let found = with(TICTACTOE, "(<= open (true", "(<= ?open (true");
    only(&found, &["variable-as-head", "?open"]);
    let found = with(TICTACTOE, "(<= (next (cell ?m ?n x))", "(<= ?x");
    only(&found, &["variable-as-head", "?x"]);
    let found = with(TICTACTOE, "(<= (next (cell ?m ?n x))", "(<= (?next (cell ?m ?n x))");
    first(&found, &["variable-as-name", "a name has no `?`"]);
    let found = with(BREAKTHROUGH, "terminal :-", "Terminal :-");
    only(&found, &["variable-as-head", "Terminal"]);
}

#[test]
fn lines_that_end_with_cr_alone() {
    let found = complaints(&TICTACTOE.replace('\n', "\r")).complaints;
    only(&found, &["cr-line-ends", "CR alone"]);
    assert!(complaints(&TICTACTOE.replace('\n', "\r\n")).complaints.is_empty());
    // What is no text has no lines.
    only(&complaints("\0\u{1}\r\u{2}\0").complaints, &["not-gdl", "binary data"]);
}
