//! Bundled games on boards of other sizes: their rules with other numbers in them.

use ludex::game::Bundled;

/// Connect four on so many columns and rows.
pub fn connect_four(columns: usize, rows: usize) -> String {
    let text = bundled("connectfour");
    let names = format!("{}\n{}\n", each(columns, "(column #)"), each(rows, "(row #)"));
    let text = between(&text, "(column 1)", "(row 6)\n", &names);
    let steps = format!("{}\n{}\n", steps(columns, "(right # +)"), steps(rows, "(above # +)"));
    let text = between(&text, "(right 1 2)", "(above 5 6)\n", &steps);
    text.replace("(cell ?x 6 blank)", &format!("(cell ?x {rows} blank)"))
}

/// Hex on a rhombus of so many cells a side.
pub fn hex(size: usize) -> String {
    let text = bundled("hex3");
    let names = format!("{}\n{}\n", each(size, "(file f#)"), each(size, "(rank #)"));
    let text = between(&text, "(file a) (file b)", "(rank 3)\n", &names);
    let steps = format!("{}\n{}\n", steps(size, "(succ f# f+)"), steps(size, "(succ # +)"));
    between(&text, "(succ a b)", "(succ 2 3)\n", &steps)
        .replace("(source red a ?y)", "(source red f1 ?y)")
        .replace("(target red c ?y)", &format!("(target red f{size} ?y)"))
        .replace("(target blue ?x 3)", &format!("(target blue ?x {size})"))
}

/// Breakthrough on so many columns and rows.
pub fn breakthrough(columns: usize, rows: usize) -> String {
    let text = bundled("breakthrough-small");
    let names = format!("{}\n{}\n", each(columns, "file(f#)."), each(rows, "rank(#)."));
    let text = between(&text, "file(a).", "rank(5).\n", &names);
    let steps = format!("{}\n{}\n", steps(columns, "beside(f#,f+)."), steps(rows, "succ(#,+)."));
    let homes = format!("home(black,{}). home(black,{rows}).", rows - 1);
    between(&text, "beside(a,b).", "succ(4,5).\n", &steps)
        .replace("home(black,4). home(black,5).", &homes)
        .replace("far(white,5).", &format!("far(white,{rows})."))
}

/// Five in a row, or four, on a square of so many cells a side.
pub fn in_a_row(size: usize, four: bool) -> String {
    let text = bundled("gomoku");
    let names = format!("{}\n{}\n", each(size, "(index #)"), steps(size, "(succ # +)"));
    let text = between(&text, "(index 1)", "(succ 14 15)\n", &names);
    match four {
        true => text.replace("(step ?d ?u ?v ?s ?t) (three ?d ?s ?t ?r)", "(three ?d ?u ?v ?r)"),
        false => text,
    }
}

/// Nim with so many heaps of three, four and five stones.
pub fn nim(heaps: usize) -> String {
    let heap = |n: usize| format!("(heap h{n} {})", 3 + n % 3);
    let heaps: Vec<String> = (0..heaps).map(heap).collect();
    between(&bundled("nim"), "(heap a 3)", "(heap c 5)\n", &format!("{}\n", heaps.join(" ")))
}

/// So many boards of tic-tac-toe side by side: a mark on one of them is a move.
pub fn boards(count: usize) -> String {
    format!("{}\n{BOARDS}", each(count, "(board #)"))
}

/// The first line on a board decides it; the goals are those of the first board.
const BOARDS: &str = "
(role white) (role black)
(index 1) (index 2) (index 3)
(<= (base (cell ?b ?x ?y ?r)) (board ?b) (index ?x) (index ?y) (role ?r))
(<= (base (cell ?b ?x ?y free)) (board ?b) (index ?x) (index ?y))
(<= (base (control ?r)) (role ?r))
(<= (input ?r (mark ?b ?x ?y)) (role ?r) (board ?b) (index ?x) (index ?y))
(<= (input ?r noop) (role ?r))
(<= (init (cell ?b ?x ?y free)) (board ?b) (index ?x) (index ?y))
(init (control white))
(<= (legal ?r (mark ?b ?x ?y)) (true (control ?r)) (true (cell ?b ?x ?y free)) (not (decided ?b)))
(<= (legal white noop) (true (control black)))
(<= (legal black noop) (true (control white)))
(<= (marked ?b ?x ?y) (does ?r (mark ?b ?x ?y)))
(<= (next (cell ?b ?x ?y ?r)) (does ?r (mark ?b ?x ?y)))
(<= (next (cell ?b ?x ?y ?c)) (true (cell ?b ?x ?y ?c)) (not (marked ?b ?x ?y)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (line ?b ?r) (role ?r) (index ?y)
    (true (cell ?b 1 ?y ?r)) (true (cell ?b 2 ?y ?r)) (true (cell ?b 3 ?y ?r)))
(<= (line ?b ?r) (role ?r) (index ?x)
    (true (cell ?b ?x 1 ?r)) (true (cell ?b ?x 2 ?r)) (true (cell ?b ?x 3 ?r)))
(<= (line ?b ?r) (role ?r)
    (true (cell ?b 1 1 ?r)) (true (cell ?b 2 2 ?r)) (true (cell ?b 3 3 ?r)))
(<= (line ?b ?r) (role ?r)
    (true (cell ?b 1 3 ?r)) (true (cell ?b 2 2 ?r)) (true (cell ?b 3 1 ?r)))
(<= (decided ?b) (line ?b ?r))
(<= open (true (cell ?b ?x ?y free)) (not (decided ?b)))
(<= terminal (not open))
(<= (goal ?r 100) (line 1 ?r))
(<= (goal white 0) (line 1 black))
(<= (goal black 0) (line 1 white))
(<= (goal ?r 50) (role ?r) (not (decided 1)))
";

fn bundled(name: &str) -> String {
    Bundled::find(name).expect("it is bundled").source().text.to_string()
}

/// A text for each number from 1 on, which stands for `#`.
fn each(count: usize, text: &str) -> String {
    let one = |n: usize| text.replace('#', &n.to_string());
    (1..=count).map(one).collect::<Vec<_>>().join(" ")
}

/// The same for each number and the next one, which stands for `+`.
fn steps(count: usize, text: &str) -> String {
    let one = |n: usize| text.replace('#', &n.to_string()).replace('+', &(n + 1).to_string());
    (1..count).map(one).collect::<Vec<_>>().join(" ")
}

/// A text with another part from the first of two marks to the second.
fn between(text: &str, first: &str, last: &str, part: &str) -> String {
    let start = text.find(first).expect("the first mark");
    let end = start + text[start..].find(last).expect("the second mark") + last.len();
    format!("{}{part}{}", &text[..start], &text[end..])
}
