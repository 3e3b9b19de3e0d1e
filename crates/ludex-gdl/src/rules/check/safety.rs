//! Safety: every variable of a rule must get its value from a positive literal of the body.

use super::{Check, near, variable_text};
use crate::rules::{Literal, Rule};
use crate::source::Span;
use crate::syntax::Syntax;

pub fn variables(check: &mut Check) {
    for (i, rule) in check.rules() {
        for v in unbound(rule) {
            complain(check, i, v);
        }
    }
    if check.ast.syntax == Syntax::Infix {
        once_only(check);
    }
}

/// Shorter names are variables in one rule and constants in another.
const WORD: usize = 3;

/// Variables of infix that stand once in their rule and have the name of a constant: `Empty` for `empty`.
fn once_only(check: &mut Check) {
    for (i, rule) in check.rules() {
        let mut counts = vec![0; rule.vars.len()];
        rule.head.for_each_var(&mut |v| counts[v as usize] += 1);
        rule.body.iter().for_each(|l| l.for_each_var(&mut |v| counts[v as usize] += 1));
        let unbound = unbound(rule);
        for (v, _) in (0..).zip(&counts).filter(|(_, count)| **count == 1) {
            let name = rule.vars[v as usize].to_lowercase();
            let known = name.len() >= WORD && check.rules.symbols.find(&name).is_some();
            if !known || unbound.contains(&v) {
                continue;
            }
            let (span, variable) = (check.variable_span(i, v, None), &rule.vars[v as usize]);
            let message =
                format!("{variable} is a variable that is used nowhere else in this rule");
            let hint = format!("did you mean the constant {name}?");
            check.warning("capital-letter", span, message).hint(hint).fix(span, name);
        }
    }
}

fn unbound(rule: &Rule) -> Vec<u32> {
    if rule.vars.is_empty() {
        return vec![];
    }
    let mut bound = vec![false; rule.vars.len()];
    for literal in &rule.body {
        if let Literal::Pos(a) = literal {
            a.for_each_var(&mut |v| bound[v as usize] = true);
        }
    }
    (0..bound.len() as u32).filter(|v| !bound[*v as usize]).collect()
}

fn complain(check: &mut Check, i: usize, v: u32) {
    let rule = &check.rules.rules[i];
    let variable = variable_text(check.ast, &rule.vars[v as usize]);
    let in_branch = in_branch(check, i, v);
    let (where_, within) = place(check, i, v, in_branch);
    let span = check.variable_span(i, v, Some(within));
    let branch = if in_branch { " in this branch of or" } else { "" };
    let message = format!("{variable} has no value{branch}: it occurs only {where_}");
    if let Some(name) = constant_meant(check, i, &variable) {
        let message = format!(
            "{variable} begins with a capital letter, which makes it a variable, and it has no value"
        );
        let hint = format!("write {name} if it is a constant, or '{variable}' in quotes");
        check.error("capital-letter", span, message).hint(hint).fix(span, name);
        return;
    }
    let meant = near_variable(check, i, v);
    let hint = match &meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!(
            "add a condition that is not negated and contains {variable}; not and distinct give no values"
        ),
    };
    let complaint = check.error("unsafe-variable", span, message).hint(hint);
    if let Some(meant) = meant {
        complaint.fix(span, meant);
    }
}

/// The constant that was likely meant by a variable of infix: in a fact, or where the name in lower case
/// is one that the rules use.
fn constant_meant(check: &Check, i: usize, variable: &str) -> Option<String> {
    let word = check.ast.syntax == Syntax::Infix && variable.starts_with(char::is_uppercase);
    let (name, rule) = (variable.to_lowercase(), &check.rules.rules[i]);
    let fact = rule.body.is_empty();
    let known = variable.len() > 1 && check.rules.symbols.find(&name).is_some();
    (word && (fact || known)).then_some(name)
}

/// Another variable of the rule, with a value, that is a slip of the pen away.
fn near_variable(check: &Check, i: usize, v: u32) -> Option<String> {
    let rule = &check.rules.rules[i];
    let name = &rule.vars[v as usize];
    let unbound = unbound(rule);
    let bound = (0..rule.vars.len() as u32).filter(|w| !unbound.contains(w));
    let known = bound.map(|w| (rule.vars[w as usize].as_str(), 0, 0));
    near::meant(name, 0, known).map(|meant| variable_text(check.ast, meant))
}

/// Where the variable stands, in words and in the source: in the branch, if it has a value elsewhere.
fn place(check: &Check, i: usize, v: u32, in_branch: bool) -> (&'static str, Span) {
    let rule = &check.rules.rules[i];
    let holds = |l: &Literal| {
        let mut found = false;
        l.for_each_var(&mut |w| found |= w == v);
        found
    };
    let mut head = false;
    rule.head.for_each_var(&mut |w| head |= w == v);
    let literal = rule.body.iter().position(holds);
    match (literal, head) {
        (None, _) => ("in the head", check.head_span(i)),
        (Some(j), true) => {
            let span = if in_branch { check.literal_span(i, j) } else { check.head_span(i) };
            ("in the head and under not or distinct", span)
        }
        (Some(j), false) => match rule.body[j] {
            Literal::Neg(_) => ("under not", check.literal_span(i, j)),
            _ => ("in distinct", check.literal_span(i, j)),
        },
    }
}

/// Whether another rule of the same clause binds the variable.
fn in_branch(check: &Check, i: usize, v: u32) -> bool {
    let (clause, name) = (check.places[i].clause, &check.rules.rules[i].vars[v as usize]);
    let near = i.saturating_sub(64)..(i + 64).min(check.places.len());
    near.filter(|j| *j != i && check.places[*j].clause == clause).any(|j| {
        let rule = &check.rules.rules[j];
        let at = rule.vars.iter().position(|n| n == name);
        at.is_some_and(|at| !unbound(rule).contains(&(at as u32)))
    })
}
