//! Games with one thing wrong: the first complaint names it, and what follows from it stands below it.

mod words;

use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Complaint, Report, Severity, Source};

const TICTACTOE: &str = include_str!("../../../../games/tictactoe.kif");
const BREAKTHROUGH: &str = include_str!("../../../../games/breakthrough.gdl");
const ROWS: &str = include_str!("../../../../games/tictactoe-rows.gdl");
const LIGHTS: &str = include_str!("../../../../games/lightsout.gdl");
const NIM: &str = include_str!("../../../../games/nim.kif");
const HANDS: &str = include_str!("../../../../games/rockpaperscissors.gdl");

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
    only(&found, &["odd-arity", "cell has 2 arguments here, but 3"]);
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
const ROW: &str = include_str!("../../../ludex-cli/templates/board.kif");

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

/// The line that starts so is taken away.
fn without(game: &str, start: &str) -> Vec<Complaint> {
    assert!(game.lines().any(|l| l.starts_with(start)), "{start} begins no line");
    let lines: Vec<&str> = game.lines().filter(|l| !l.starts_with(start)).collect();
    complaints(&lines.join("\n")).complaints
}

#[test]
fn a_board_that_is_not_kept_in_infix() {
    first(&without(BREAKTHROUGH, "next(cell(X,Y,C))"), &["not-kept", "cell(X,Y,", "is lost"]);
    first(&without(ROWS, "next(cell(M,N,Z))"), &["not-kept", "cell(M,N,b) is true at first only"]);
    first(&without(BREAKTHROUGH, "next(control"), &["not-kept", "control(white)"]);
    first(&without(ROWS, "next(control(black))"), &["never-fires", "true(control(black))"]);
}

#[test]
fn one_of_two_turns_is_missing() {
    let found = without(TICTACTOE, "(<= (next (control black))");
    first(&found, &["never-fires", "(true (control black)) is never true", "only ever white"]);
}

#[test]
fn a_name_that_never_stands_there() {
    let found = with(TICTACTOE, "(goal white 100) (line x)", "(goal white 100) (line z)");
    only(&found, &["never-fires", "(line z) is never true", "first argument of line is only ever"]);
    let found = with(TICTACTOE, "(line ?x) (row ?m ?x)", "(line ?x) (row m ?x)");
    first(&found, &["(row m ?x) is never true", "did you mean the variable ?m?"]);
    let found = with(ROWS, "open :- true(cell(M,N,b))", "open :- true(cell(m,n,b))");
    first(&found, &["true(cell(m,n,b)) is never true", "did you mean the variable M?"]);
    let found = with(HANDS, "true(round(3))", "true(round(4))");
    only(&found, &["true(round(4)) is never true", "only ever 0, 1, 2, 3"]);
    let found = with(HANDS, "succ(2,3).", "");
    first(&found, &["round(3)", "is never true"]);
    let found = with(TICTACTOE, "(legal ?w (mark ?x ?y))", "(legal white (mark ?x ?y))");
    first(&found, &["(does black (mark ?m ?n)) is never true", "only white can make such a move"]);
}

#[test]
fn facts_and_moves_that_are_not_declared() {
    let found = with(TICTACTOE, "(init (cell 1 1 b))", "(init (cell 1 1 blank))");
    only(&found, &["outside-base", "(cell 1 1 blank)", "no base has blank"]);
    let found = with(TICTACTOE, "(init (cell 3 3 b))", "(init (cell 3 4 b))");
    only(&found, &["outside-base", "(cell 3 4 b)", "no base has 4"]);
    let found = with(TICTACTOE, "(legal white noop)", "(legal white nop)");
    first(&found, &["outside-input", "nop", "there is no input for nop"]);
    let found = with(TICTACTOE, "(<= (next (cell ?m ?n x))", "(<= (next (cell x ?m ?n))");
    first(&found, &["outside-base", "(cell x ?m ?n)"]);
}

#[test]
fn arguments_in_the_wrong_order() {
    let found = with(TICTACTOE, "(legal ?w (mark ?x ?y))", "(legal (mark ?x ?y) ?w)");
    first(&found, &["unknown-role", "(mark ?x ?y)", "the role comes first"]);
    let found = with(BREAKTHROUGH, "legal(P,noop)", "legal(noop,P)");
    first(&found, &["unknown-role", "noop", "the role comes first"]);
    let found = with(TICTACTOE, "(goal white 100)", "(goal 100 white)");
    first(&found, &["unknown-role", "100", "the role comes first"]);
}

#[test]
fn signs_of_other_languages_in_kif() {
    for comment in ["// two roles", "# two roles", "/* two roles */", "% two roles"] {
        let found = with(TICTACTOE, "(role white)", &format!("{comment}\n(role white)"));
        first(&found, &["comment-mark", "a comment begins with `;`"]);
    }
    let found = with(TICTACTOE, "(<= terminal (line x))", "(=> terminal (line x))");
    only(&found, &["other-arrow", "`=>`", "(<= head condition …)"]);
    let found = with(TICTACTOE, "(<= terminal (line x))", "(terminal <= (line x))");
    first(&found, &["arrow-in-list", "with the arrow first"]);
    let found = with(TICTACTOE, "(<= terminal (line x))", "(terminal (line x))");
    first(&found, &["keyword-arity", "terminal", "a rule begins with an arrow"]);
    let found = with(TICTACTOE, "(init (cell 1 1 b))", "init (cell 1 1 b))");
    only(&found, &["unbalanced", "`(` is missing before `init`"]);
    let found = with(TICTACTOE, "(role white)", "[role white]");
    first(&found, &["unexpected", "round parentheses"]);
    let found = with(TICTACTOE, "(role white)", "(role \"white\")");
    first(&found, &["quoted-name", "write white"]);
    let found = with(TICTACTOE, "(distinct ?w b)", "(!= ?w b)");
    first(&found, &["undefined-relation", "!=", "did you mean distinct?"]);
    let found = with(TICTACTOE, "(distinct ?w b)", "(not (= ?w b))");
    first(&found, &["undefined-relation", "=", "distinct"]);
    let found = with(TICTACTOE, "(init (control white))", "(init (true (control white)))");
    first(&found, &["keyword-in-term", "true", "leave it out"]);
}

#[test]
fn signs_of_other_languages_in_infix() {
    for comment in ["// two roles", "# two roles", "/* two roles */", "; two roles"] {
        let found = with(BREAKTHROUGH, "role(white).", &format!("{comment}\nrole(white)."));
        only(&found, &["comment-mark", "a comment begins with `%`"]);
    }
    for arrow in ["<-", "->", ":", "=", "=>", "-:"] {
        let found = with(ROWS, "open :- ", &format!("open {arrow} "));
        only(&found, &["other-arrow", arrow, "head :- condition"]);
    }
    let found = with(ROWS, "terminal :- ~open", "terminal :- !open");
    first(&found, &["needs-quotes", "not is written ~ or not"]);
    let found = with(HANDS, "less(M,N) :- succ(M,N).", "less(M,N) :- number(M), number(N), M < N.");
    only(&found, &["variable-as-atom", "GDL does not calculate"]);
    let found = with(HANDS, "number(N) :- succ(M,N).", "number(N+1) :- number(N).");
    first(&found, &["needs-quotes", "GDL does not calculate"]);
    let found = with(BREAKTHROUGH, "true(cell(X,V,empty))", "true(cell(X,V,Empty))");
    first(&found, &["capital-letter", "Empty", "did you mean the constant empty?"]);
}

#[test]
fn given_words_as_heads_and_other_restrictions() {
    let head = "(<= (next (control white)) (true";
    first(
        &with(TICTACTOE, head, "(<= (true (control white)) (true"),
        &["true-in-head", "use init"],
    );
    let legal = "(<= (legal white noop)";
    first(&with(TICTACTOE, legal, "(<= (does white noop)"), &["does-in-head", "use legal"]);
    let open = "(<= open (true (cell ?m ?n b)))";
    let circle = with(TICTACTOE, open, "(<= open (not full)) (<= full (not open))");
    first(&circle, &["unstratified-negation", "open -> not full -> open"]);
    first(&with(TICTACTOE, "(distinct ?w b)", "(distinct ?w)"), &["keyword-arity", "distinct"]);
    let init = with(
        TICTACTOE,
        "(init (control white))",
        "(<= (init (control white)) (true (cell 1 1 b)))",
    );
    first(&init, &["depends-on-state", "init depends on true"]);
    let stop = with(TICTACTOE, "(distinct ?m ?j))", "(distinct ?m ?j)");
    only(&stop, &["unbalanced", "`)` is missing here"]);
}

#[test]
fn arguments_of_a_fact_in_the_wrong_order() {
    let found = with(NIM, "(next (stones ?h ?m)) (does", "(next (stones ?m ?h)) (does");
    first(&found, &["outside-base", "(stones ?m ?h) is not declared by base", "?m"]);
}

#[test]
fn marks_on_an_empty_board_that_are_not_kept() {
    let game = "role(x). role(o). init(control(x)). index(1). index(2). index(3).
        legal(P,mark(N)) :- true(control(P)) & index(N) & ~marked(N).
        marked(N) :- index(N) & ~free(N).
        free(N) :- index(N) & ~true(cell(N,x)) & ~true(cell(N,o)).
        legal(P,noop) :- role(P) & ~true(control(P)).
        next(cell(N,P)) :- does(P,mark(N)).
        next(cell(N,P)) :- true(cell(N,P)).
        next(control(x)) :- true(control(o)). next(control(o)) :- true(control(x)).
        open :- free(N). terminal :- ~open.
        goal(P,100) :- true(cell(1,P)) & true(cell(2,P)).
        goal(P,0) :- role(P) & ~goal100(P).
        goal100(P) :- true(cell(1,P)) & true(cell(2,P)).
        base(cell(N,P)) :- index(N) & role(P). base(control(P)) :- role(P).
        input(P,mark(N)) :- role(P) & index(N). input(P,noop) :- role(P).";
    let found = with(game, "next(cell(N,P)) :- true(cell(N,P)).", "");
    only(&found, &["not-kept", "cell(N,P) is lost after one move"]);
}

#[test]
fn a_clock_that_keeps_every_time() {
    let found = with(
        LIGHTS,
        "next(step(N)) :- true(step(M)) & succ(M,N).",
        "next(step(N)) :- true(step(M)) & succ(M,N).\nnext(step(N)) :- true(step(N)).",
    );
    only(&found, &["not-ended", "a fact step stays true for ever"]);
}

#[test]
fn what_no_move_changes() {
    let found = with(NIM, "(<= (next (stones ?h ?m)) (does ?r (leave ?h ?m)))", "");
    only(&found, &["not-changed", "base declares stones with 0", "only keep stones"]);
}

#[test]
fn a_move_may_be_called_like_what_is_chosen() {
    let named = HANDS.replace("show(", "hand(");
    assert!(complaints(&named).complaints.is_empty(), "{:?}", complaints(&named));
}

#[test]
fn a_slip_comes_before_what_is_only_doubtful() {
    let found = with(TICTACTOE, "(<= (goal white 100)", "(succ 1 2)\n(<= (gaol white 100)");
    first(&found, &["gaol", "did you mean `goal`?"]);
}

#[test]
fn an_argument_too_many_or_too_few() {
    let found = with(TICTACTOE, "(init (cell 1 1 b))", "(init (cell 1 b))");
    first(&found, &["odd-arity", "cell has 2 arguments here, but 3 arguments everywhere else"]);
    let kept = "(<= (next (cell ?m ?n ?w)) (true";
    first(
        &with(TICTACTOE, kept, "(<= (next (cell ?m ?n ?w 1)) (true"),
        &["odd-arity", "cell has 4"],
    );
    let found = with(TICTACTOE, "(base (cell ?m ?n x))", "(base (cell ?m x))");
    first(&found, &["odd-arity", "cell has 2 arguments here"]);
    let found = with(BREAKTHROUGH, "forward(white,R,S) :-", "forward(white,R) :-");
    first(&found, &["odd-arity", "forward has 2 arguments here"]);
}

#[test]
fn a_variable_without_its_mark() {
    let found = with(TICTACTOE, "(base (cell ?m ?n x))", "(base (cell ?m n x))");
    first(&found, &["bare-variable", "n is used nowhere else", "did you mean the variable ?n?"]);
    let found = with(BREAKTHROUGH, "near(X,Y) :- beside(X,Y).", "near(X,y) :- beside(X,Y).");
    first(&found, &["bare-variable", "did you mean the variable Y?"]);
    let found = with(NIM, "(<= (next (stones ?h ?m)) (does", "(<= (next (stones ?h m)) (does");
    first(&found, &["bare-variable", "m is used nowhere else", "?m"]);
}

#[test]
fn a_variable_with_a_slip() {
    let game = TICTACTOE.replace("?w", "?player");
    let kept = "(true (cell ?m ?n ?player)) (distinct ?player b)";
    let found =
        with(&game, kept, "(true (cell ?m ?n ?player)) (distinct ?player b) (role ?palyer)");
    first(&found, &["odd-variable", "?palyer is used only here", "did you mean ?player?"]);
}

#[test]
fn a_chain_of_numbers_that_is_broken() {
    for (wrong, said) in
        [("succ(4,3)", "(succ(4,3)"), ("succ(3,5)", ""), ("succ(4,4)", ""), ("succ(3,14)", "")]
    {
        let found = with(BREAKTHROUGH, "succ(3,4)", wrong);
        first(&found, &["broken-chain", said.trim_start_matches('('), "did you mean succ(3,4)?"]);
    }
    first(
        &with(BREAKTHROUGH, "succ(3,4). ", ""),
        &["broken-chain", "succ(3,4) is missing after succ(2,3)"],
    );
    first(
        &with(BREAKTHROUGH, "beside(c,d)", "beside(c,e)"),
        &["broken-chain", "did you mean beside(c,d)?"],
    );
    first(
        &with(BREAKTHROUGH, "rank(4). ", ""),
        &["broken-chain", "rank(4) is missing after rank(3)"],
    );
    first(
        &with(BREAKTHROUGH, "rank(4). ", "rank(3). "),
        &["broken-chain", "did you mean rank(4)?"],
    );
}

#[test]
fn what_is_denied_and_never_true() {
    let found = with(TICTACTOE, "(not (line x))", "(not (line z))");
    first(&found, &["idle-condition", "(line z) is never true", "only ever"]);
    let found = with(TICTACTOE, "(distinct ?w b)", "(distinct ?w bb)");
    first(&found, &["idle-condition", "?w is never bb"]);
}

#[test]
fn a_goal_that_is_one_off() {
    let found = with(TICTACTOE, "(goal black 50)", "(goal black 51)");
    first(&found, &["odd-goal", "only this role gets 51", "did you mean 50?"]);
}

#[test]
fn a_turn_of_nobody() {
    let found = with(TICTACTOE, "(init (control white))", "(init (control xplayer))");
    first(&found, &["unknown-role", "xplayer is not a role of this game", "whose turn it is"]);
}

#[test]
fn a_declaration_with_a_slip() {
    let found = with(TICTACTOE, "(base (cell ?m ?n b))", "(base (cel ?m ?n b))");
    first(&found, &["odd-name", "cel is used in this base only", "did you mean `cell`?"]);
    let found = with(TICTACTOE, "(input ?r (mark ?m ?n))", "(input ?r (makr ?m ?n))");
    first(&found, &["odd-name", "makr", "did you mean `mark`?"]);
}

#[test]
fn what_moves_and_roles_lack() {
    let found = with(TICTACTOE, "(<= terminal (not open))", "(<=terminal (not open))");
    first(&found, &["other-arrow", "a space is missing in `<=terminal`"]);
    let found = with(HANDS, "input(P,show(H))", "input(P,pass) :- role(P).\ninput(P,show(H))");
    first(&found, &["unused-input", "input declares the move pass"]);
    let game = "role(walker). role(builder). init(at(1)). init(time(1)).
        base(at(1)). base(at(2)). base(wall(1,1)). base(wall(2,1)). base(time(1)). base(time(2)). base(time(3)).
        input(walker,go(1)). input(walker,go(2)). input(walker,stay).
        input(builder,build(1,1)). input(builder,build(2,1)). input(builder,rest).
        place(1). place(2). tick(1,2). tick(2,3).
        legal(walker,go(X)) :- place(X) & ~true(wall(X,1)). legal(walker,stay). legal(builder,rest).
        legal(builder,build(X,1)) :- place(X) & ~true(wall(X,1)).
        walked :- does(walker,go(X)).
        next(at(X)) :- does(walker,go(X)).
        next(at(X)) :- true(at(X)) & ~walked.
        next(wall(X,Y)) :- does(builder,build(X,Y)).
        next(wall(X,Y)) :- true(wall(X,Y)).
        next(time(N)) :- true(time(M)) & tick(M,N).
        terminal :- true(time(3)).
        goal(walker,100) :- true(at(2)). goal(walker,0) :- ~true(at(2)).
        goal(builder,0) :- true(at(2)). goal(builder,100) :- ~true(at(2)).";
    let found = with(game, "next(wall(X,Y)) :- true(wall(X,Y)).", "");
    first(&found, &["not-kept", "wall(X,Y) is lost after one move"]);
    let found = with(game, "next(at(X)) :- true(at(X)) & ~walked.", "");
    first(&found, &["not-kept", "at is lost with the move stay"]);
    let found = with(game, "goal(walker,100) :- true(at(2)).", "goal(builder,100) :- true(at(2)).");
    first(&found, &["odd-goal", "walker can only get 0"]);
}

#[test]
fn a_rule_without_its_arrow() {
    let found = with(TICTACTOE, "(<= (line ?x) (row", "((line ?x) (row");
    only(&found, &["name-expected", "a rule begins with an arrow"]);
    let found = with(TICTACTOE, "(<= open (true", "(open (true");
    first(&found, &["unsafe-variable", "?m", "a rule begins with an arrow"]);
    let found = with(TICTACTOE, "(<= open (true (cell ?m ?n b)))", "(open (true (cell 1 1 b)))");
    first(&found, &["keyword-in-term", "a rule begins with an arrow"]);
}

#[test]
fn not_with_a_slip() {
    let found =
        with(TICTACTOE, "(<= terminal (not open))", "(<= terminal (noot (true (cell 1 1 b))))");
    first(&found, &["undefined-relation", "noot", "did you mean `not`?"]);
    assert!(found[0].follows.iter().any(|c| c.code == "keyword-in-term"), "{found:?}");
}

#[test]
fn a_variable_of_infix_that_is_called_like_a_constant() {
    let game = "role(x). role(y). init(row(x)). init(row(y)). base(row(X)) :- role(X). input(R,go(X)) :- role(R) & role(X).
        legal(R,go(X)) :- role(R) & true(row(X)).
        next(row(X)) :- true(row(X)) & ~gone(X).
        gone(X) :- does(x,go(X)).
        terminal :- ~left. left :- true(row(Row)).
        goal(R,100) :- true(row(R)). goal(R,0) :- role(R) & ~true(row(R)). shown(Row) :- true(row(Row)) & role(Row).";
    // Row is a variable of another rule, and row a fact.
    assert!(
        complaints(game).complaints.iter().all(|c| c.code != "capital-letter"),
        "{:?}",
        complaints(game)
    );
    let found = complaints(&game.replace("gone(X) :-", "gone(Row) :-")).complaints;
    first(&found, &["unsafe-variable", "Row has no value"]);
}

#[test]
fn a_short_name_near_that_of_a_role() {
    let game = TICTACTOE.replace("black", "red").replace("(role red)", "(role red)\n(side red 1)");
    let game = format!(
        "{game}\n(side white 2)\n(<= (leads ?r) (side ?r 1))\n(<= (goal ?r 0) (role ?r) (leads ?r) (line z))"
    );
    let found = complaints(&game.replace("(side red 1)", "(side reed 1)")).complaints;
    assert!(
        found
            .iter()
            .map(said)
            .any(|text| text.contains("reed") && text.contains("did you mean `red`?")),
        "{found:?}"
    );
}
