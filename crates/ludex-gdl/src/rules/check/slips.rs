//! Variables that were likely meant to be others: one without its mark, and one that stands only once and is
//! a slip of the pen away from another of its rule.

use super::{Check, walk, walk_list};
use crate::source::Span;
use crate::syntax::infix::write_variable;
use crate::syntax::{Clause, Name, Node, NodeKind, Syntax};
use rustc_hash::FxHashMap;
use strsim::osa_distance;

pub fn variables(check: &mut Check) {
    let homes = homes(check);
    let mut named = Vec::new();
    for (at, clause) in check.ast.clauses.iter().enumerate() {
        let variables = of_clause(check, clause, &mut named);
        if !variables.is_empty() {
            bare(check, (at, &named), &variables, &homes);
            bare_in_head(check, clause, &variables);
            odd(check, &variables);
        }
    }
}

/// A variable of a clause: its name, its first place, how often it stands there.
type Variable<'a> = (&'a str, Span, usize);

/// The variables of a clause; `named` has its constants then.
fn of_clause<'a>(
    check: &Check<'a>,
    clause: &Clause,
    named: &mut Vec<(Name, Span)>,
) -> Vec<Variable<'a>> {
    let (ast, mut variables) = (check.ast, Vec::<Variable>::new());
    named.clear();
    let mut look = |node: &Node| match node.kind {
        NodeKind::Variable { name, .. } => {
            let name = ast.name(name);
            match variables.iter_mut().find(|v| v.0.eq_ignore_ascii_case(name)) {
                Some(variable) => variable.2 += 1,
                None => variables.push((name, node.span, 1)),
            }
        }
        NodeKind::Apply { name, args, .. } if args.is_empty() => named.push((name, node.span)),
        _ => {}
    };
    walk(ast, &clause.head, &mut look);
    walk_list(ast, clause.body, &mut look);
    variables
}

/// The one clause in which a name without arguments stands, or none if there are several.
fn homes(check: &Check) -> FxHashMap<Name, Option<usize>> {
    let (ast, mut homes) = (check.ast, FxHashMap::default());
    for (at, clause) in ast.clauses.iter().enumerate() {
        let mut look = |node: &Node| {
            if let NodeKind::Apply { name, args, .. } = node.kind
                && args.is_empty()
            {
                let home = homes.entry(name).or_insert(Some(at));
                *home = home.filter(|home| *home == at);
            }
        };
        walk(ast, &clause.head, &mut look);
        walk_list(ast, clause.body, &mut look);
    }
    homes
}

/// A constant that no other rule has, and a variable of this one has its name.
fn bare(
    check: &mut Check,
    (at, named): (usize, &[(Name, Span)]),
    variables: &[Variable],
    homes: &FxHashMap<Name, Option<usize>>,
) {
    for (name, span) in named.iter().filter(|(name, _)| homes[name] == Some(at)) {
        let name = check.ast.name(*name);
        let Some(variable) = variables.iter().find(|v| v.0.eq_ignore_ascii_case(name)) else {
            continue;
        };
        let variable = written(check.ast.syntax, variable.0);
        let message =
            format!("{name} is used nowhere else, and {variable} is a variable of this rule");
        let hint = format!("did you mean the variable {variable}?");
        check.warning("bare-variable", *span, message).hint(hint).fix(*span, &variable);
        check.about(name);
    }
}

/// A constant in the head of a rule, where a variable of its name stands only once in the body: whatever it is, the
/// same is said.
fn bare_in_head(check: &mut Check, clause: &Clause, variables: &[Variable]) {
    let (ast, mut found) = (check.ast, None);
    let own = |name: Name| !super::names::is_keyword(ast.name(name));
    let NodeKind::Apply { name, args, .. } = clause.head.kind else { return };
    for node in ast.list(args).iter().filter(|_| own(name)) {
        let NodeKind::Apply { name, args, .. } = node.kind else { continue };
        let same = |v: &&Variable| v.2 == 1 && v.0.eq_ignore_ascii_case(ast.name(name));
        if let (true, Some(variable)) = (args.is_empty(), variables.iter().find(same)) {
            found.get_or_insert((node.span, ast.name(name), variable.0));
        }
    }
    let Some((span, constant, variable)) = found else { return };
    let variable = written(ast.syntax, variable);
    let message = format!(
        "{constant} is a constant, and the variable {variable} stands only once in this rule"
    );
    let hint = format!("did you mean the variable {variable}?");
    check.warning("bare-variable", span, message).hint(hint).fix(span, &variable);
}

fn written(syntax: Syntax, variable: &str) -> String {
    match syntax {
        Syntax::Kif => format!("?{variable}"),
        Syntax::Infix => {
            let mut text = String::new();
            write_variable(variable, &mut text);
            text
        }
    }
}

/// A variable that stands once beside another that is almost the same word.
fn odd(check: &mut Check, variables: &[Variable]) {
    for (name, span, _) in variables.iter().filter(|v| v.2 == 1) {
        let others = variables.iter().filter(|v| v.2 > 1 && is_slip(name, v.0));
        let Some(meant) = others.max_by_key(|v| v.2) else { continue };
        let [name, meant] = [name, meant.0].map(|v| written(check.ast.syntax, v));
        let message = format!("the variable {name} is used only here");
        let hint = format!("did you mean {meant}? A variable that is used once can be anything");
        check.warning("odd-variable", *span, message).hint(hint).fix(*span, &meant);
    }
}

/// So short names are near each other by chance.
const SHORT: usize = 3;

/// Whether a letter is missing, doubled, exchanged with its neighbour, or another in the middle of a word.
/// Words that begin or end differently, or differ in their numbers, are meant to be different.
fn is_slip(name: &str, other: &str) -> bool {
    let [a, b] = [name, other].map(|n| n.to_lowercase().chars().collect::<Vec<char>>());
    let letters = |text: &[char]| text.iter().filter(|c| !c.is_numeric()).collect::<String>();
    let long = a.len().min(b.len()) >= SHORT;
    long && letters(&a) != letters(&b)
        && osa_distance(name, other) == 1
        && a[0] == b[0]
        && (a.len() != b.len() || a.last() == b.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_at_their_ends_are_others() {
        for (a, b) in
            [("playr", "player"), ("palyer", "player"), ("rows", "row"), ("plyer", "player")]
        {
            assert!(is_slip(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("x1", "x"),
            ("row1", "row2"),
            ("oldx", "oldy"),
            ("xnew", "ynew"),
            ("ab", "abc"),
            ("type", "ptype"),
        ] {
            assert!(!is_slip(a, b), "{a} {b}");
        }
    }
}
