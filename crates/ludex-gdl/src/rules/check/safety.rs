//! Safety: every variable of a rule must get its value from a positive literal of the body.

use super::{Check, variable_text};
use crate::rules::{Literal, Rule};
use crate::source::Span;

pub fn variables(check: &mut Check) {
    for (i, rule) in check.rules() {
        for v in unbound(rule) {
            complain(check, i, v);
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
    let message = format!("{variable} has no value{branch}: it stands only {where_}");
    let hint = format!(
        "add a condition that is not negated and holds {variable}; not and distinct give no values"
    );
    check.error("unsafe-variable", span, message).hint(hint);
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
