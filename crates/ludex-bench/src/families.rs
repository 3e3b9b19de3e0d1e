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
    let text = between(&text, "(file a)", "(rank 3)\n", &names);
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
