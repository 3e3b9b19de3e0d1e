//! A formula `forall x.. exists y..` in QDIMACS -> the game of its truth, as rules in prefix form.
//!
//! The formula has one line of universal and one of existential variables. The game is the reduction
//! of Theorem 1 of Mohapatra, Decoster, Agarwal and Genesereth, "Invariant Projections in Games"
//! (2016): the projection of `cell` on its argument is invariant if and only if the formula is true.

use ludex_gdl::source::{Misread, Report, Source};
use ludex_gdl::syntax::{Ast, Syntax};
use std::fmt::Write;

/// A variable of either kind, counted from 1, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QbfLiteral {
    /// Is its variable universal?
    pub universal: bool,
    /// The number of its variable.
    pub index: usize,
    /// Is it the variable itself, not its negation?
    pub positive: bool,
}

/// `forall x1 .. xk exists y1 .. ym`: the conjunction of the clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantifiedFormula {
    /// The number of universal variables.
    pub universals: usize,
    /// The number of existential variables.
    pub existentials: usize,
    /// Of each clause one literal must hold.
    pub clauses: Vec<Vec<QbfLiteral>>,
}

/// Reads QDIMACS: comments, `p cnf`, `a .. 0`, `e .. 0`, then clauses that end with 0.
pub fn parse(text: &str) -> Result<QuantifiedFormula, Misread> {
    let mut blocks: [Option<Vec<i64>>; 2] = [None, None];
    let mut numbers = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let at = |problem: &str| format!("line {}: {problem}", i + 1);
        let kind = line.split_whitespace().next().unwrap_or("c");
        match kind {
            "c" | "p" => {}
            "a" | "e" => {
                let later = blocks[1].is_some();
                let block = &mut blocks[usize::from(kind == "e")];
                if block.is_some() || !numbers.is_empty() || (kind == "a" && later) {
                    return Err(Misread(at("only one `a` line and then one `e` line are taken")));
                }
                let read = integers(line.split_whitespace().skip(1)).map_err(|e| at(&e))?;
                *block = Some(read.into_iter().take_while(|n| *n != 0).collect());
            }
            _ => numbers.extend(integers(line.split_whitespace()).map_err(|e| at(&e))?),
        }
    }
    let [Some(a), Some(e)] = blocks else {
        return Err(Misread("an `a` line and an `e` line are needed".into()));
    };
    Ok(formula(&a, &e, &numbers)?)
}

fn integers<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<i64>, String> {
    words.map(|w| w.parse().map_err(|_| format!("`{w}` is not a number"))).collect()
}

fn formula(a: &[i64], e: &[i64], numbers: &[i64]) -> Result<QuantifiedFormula, String> {
    let literal = |n: &i64| {
        let place = |block: &[i64]| block.iter().position(|v| *v == n.abs()).map(|i| i + 1);
        let universal = place(a);
        let index = universal.or(place(e)).ok_or(format!("variable {} is not bound", n.abs()))?;
        Ok(QbfLiteral { universal: universal.is_some(), index, positive: *n > 0 })
    };
    let mut parts: Vec<&[i64]> = numbers.split(|n| *n == 0).collect();
    if parts.pop().is_some_and(|rest| !rest.is_empty()) {
        return Err("the last clause does not end with 0".into());
    }
    if a.is_empty() || e.is_empty() || parts.is_empty() {
        return Err("a variable of each kind and a clause are needed".into());
    }
    let clauses = parts.iter().map(|c| c.iter().map(literal).collect());
    let clauses = clauses.collect::<Result<_, String>>()?;
    Ok(QuantifiedFormula { universals: a.len(), existentials: e.len(), clauses })
}

/// The rules of the game. The proof's player toggles the universal variables for ever; here a counter
/// ends the match as soon as every assignment could have been visited and left.
pub fn game(formula: &QuantifiedFormula) -> String {
    let mut out = String::new();
    comment(formula, &mut out).expect("writing to a string");
    toggling(formula, &mut out).expect("writing to a string");
    counter(formula, &mut out).expect("writing to a string");
    views(formula, &mut out).expect("writing to a string");
    let source = Source::new("formula", out);
    Ast::parse(&source, Some(Syntax::Kif), &mut Report::default()).format(&source, Syntax::Kif)
}

const HEADER: &str = "\
; The game of a quantified formula, from the proof of Theorem 1 of Mohapatra, Decoster, Agarwal and Genesereth,
; Invariant Projections in Games (2016): the projection of cell on its argument is invariant if and only if the formula
; is true. One player toggles the universal variables; (cell 1) is kept as long as some choice of the existential
; variables satisfies all clauses. Made by `ludex qbf FORMULA` from this formula:
";
const DIFFERENCES: &str = "\
; Two things are not in the paper: the condition (variable ?x), without which the frame rule would keep (cell 1) in every
; case, and the counter, which ends the match one step after every assignment can have been reached.
";

fn comment(formula: &QuantifiedFormula, out: &mut String) -> std::fmt::Result {
    let (k, m) = (formula.universals, formula.existentials);
    let numbers = |from: usize, n: usize| {
        (from..from + n).map(|i| i.to_string()).collect::<Vec<_>>().join(" ")
    };
    writeln!(out, "{HEADER};\n;     p cnf {} {}", k + m, formula.clauses.len())?;
    writeln!(out, ";     a {} 0\n;     e {} 0", numbers(1, k), numbers(k + 1, m))?;
    for clause in &formula.clauses {
        let number = |l: &QbfLiteral| {
            let n = if l.universal { l.index } else { k + l.index };
            format!("{}{n} ", if l.positive { "" } else { "-" })
        };
        writeln!(out, ";     {}0", clause.iter().map(number).collect::<String>())?;
    }
    writeln!(out, ";\n{DIFFERENCES}")
}

fn toggling(formula: &QuantifiedFormula, out: &mut String) -> std::fmt::Result {
    writeln!(out, "(role p)\n")?;
    each(formula.universals, out, |i| format!("(variable x{i})"))?;
    writeln!(out, "\n(<= (base ?x) (variable ?x))\n(base (cell 1))")?;
    writeln!(out, "(<= (input p (toggle ?x)) (variable ?x))\n\n(init (cell 1))\n")?;
    each(formula.universals, out, |i| format!("(<= (legal p (toggle x{i})))"))?;
    writeln!(out, "\n(<= (next ?x) (does p (toggle ?x)) (not (true ?x)))")?;
    writeln!(out, "(<= (next ?x) (does p (toggle ?y)) (true ?x) (variable ?x) (distinct ?x ?y))")?;
    writeln!(out, "(<= (next (cell 1)) (true (cell 1)) phi)\n")
}

fn counter(formula: &QuantifiedFormula, out: &mut String) -> std::fmt::Result {
    let last = formula.universals + 1;
    each(last, out, |i| format!("(succ {} {i})", i - 1))?;
    writeln!(out, "(base (step 0))\n(<= (base (step ?n)) (succ ?m ?n))\n(init (step 0))")?;
    writeln!(out, "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n")?;
    writeln!(out, "(<= terminal (true (step {last})))\n(<= terminal (not (true (cell 1))))\n")?;
    writeln!(out, "(<= (goal p 100) (true (cell 1)))\n(<= (goal p 0) (not (true (cell 1))))\n")
}

/// The views `all`, `ci`, `di` and `phi`: di are the assignments that falsify clause i.
fn views(formula: &QuantifiedFormula, out: &mut String) -> std::fmt::Result {
    let m = formula.existentials;
    let list = |f: &dyn Fn(usize) -> String| (1..=m).map(f).collect::<Vec<_>>().join(" ");
    let vars = list(&|i| format!("?a{i}"));
    each(m, out, |i| format!("(y{i} t) (y{i} f)"))?;
    writeln!(out, "(<= (all {vars}) {})\n", list(&|i| format!("(y{i} ?a{i})")))?;
    for (i, clause) in (1..).zip(&formula.clauses) {
        let Some(values) = falsifying(clause, m) else {
            writeln!(out, "(<= (c{i} {vars}) (all {vars}))")?;
            continue;
        };
        let args = values.join(" ");
        let state = |l: &&QbfLiteral| l.universal;
        let conditions = clause.iter().filter(state).map(|l| match l.positive {
            true => format!(" (not (true x{}))", l.index),
            false => format!(" (true x{})", l.index),
        });
        writeln!(out, "(<= (c{i} {vars}) (all {vars}) (not (d{i} {vars})))")?;
        writeln!(out, "(<= (d{i} {args}) (all {args}){})", conditions.collect::<String>())?;
    }
    let body = (1..=formula.clauses.len()).map(|i| format!(" (c{i} {vars})"));
    writeln!(out, "\n(<= phi{})", body.collect::<String>())
}

/// The values of the existential variables that make all their literals of a clause false; none if a
/// variable occurs with both signs.
fn falsifying(clause: &[QbfLiteral], m: usize) -> Option<Vec<String>> {
    let mut values: Vec<String> = (1..=m).map(|i| format!("?a{i}")).collect();
    for literal in clause.iter().filter(|l| !l.universal) {
        let value = if literal.positive { "f" } else { "t" };
        let old = std::mem::replace(&mut values[literal.index - 1], value.into());
        if !old.starts_with('?') && old != value {
            return None;
        }
    }
    Some(values)
}

fn each(n: usize, out: &mut String, line: impl Fn(usize) -> String) -> std::fmt::Result {
    (1..=n).try_for_each(|i| writeln!(out, "{}", line(i)))
}
