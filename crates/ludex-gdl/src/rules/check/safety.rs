//! Safety: every variable of a rule must get its value from a positive literal of the body.

use super::names::is_keyword;
use super::{Check, near, variable_text, walk, walk_list};
use crate::rules::{Literal, Rule, Term};
use crate::source::Span;
use crate::syntax::{Node, NodeKind, Syntax};
use rustc_hash::FxHashSet;

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
    let constants = constants(check);
    for (i, rule) in check.rules() {
        let unbound = unbound(rule);
        for (v, _) in (0..).zip(counts(rule)).filter(|(_, count)| *count == 1) {
            let name = rule.vars[v as usize].to_lowercase();
            let known = name.len() >= WORD && constants.contains(&name);
            if !known || unbound.contains(&v) || is_variable(check, i, &rule.vars[v as usize]) {
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

/// The names that stand without arguments somewhere, in lower case.
fn constants(check: &Check) -> FxHashSet<String> {
    let (ast, mut names) = (check.ast, FxHashSet::default());
    let mut look = |node: &Node| {
        if let NodeKind::Apply { name, args, .. } = node.kind
            && args.is_empty()
        {
            names.insert(ast.name(name).to_lowercase());
        }
    };
    for clause in &ast.clauses {
        walk(ast, &clause.head, &mut look);
        walk_list(ast, clause.body, &mut look);
    }
    names
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
        None if lacks_arrow(check, rule) => {
            "a rule begins with an arrow: (<= HEAD CONDITION …)".into()
        }
        None if rule.body.is_empty() && is_written_as_rule(check, i) => {
            "this rule has no conditions: does a `)` come too early?".into()
        }
        None => format!(
            "add a condition that is not negated and contains {variable}; not and distinct give no values"
        ),
    };
    let complaint = check.error("unsafe-variable", span, message).hint(hint);
    if let Some(meant) = meant {
        complaint.fix(span, meant);
    }
}

/// Whether a fact of KIF has conditions for arguments.
fn lacks_arrow(check: &Check, rule: &Rule) -> bool {
    let condition = |term: &Term| match term {
        Term::App(name, args) => !args.is_empty() && is_keyword(check.rules.symbols.name(*name)),
        Term::Var(_) => false,
    };
    let fact = rule.body.is_empty() && check.ast.syntax == Syntax::Kif;
    fact && !is_keyword(check.name(rule.head.rel)) && rule.head.args.iter().any(condition)
}

/// Whether a clause of KIF has an arrow.
fn is_written_as_rule(check: &Check, i: usize) -> bool {
    let clause = &check.ast.clauses[check.places[i].clause as usize];
    let text = check.source.slice(clause.span).trim_start_matches('(').trim_start();
    check.ast.syntax == Syntax::Kif && text.starts_with("<=")
}

/// The constant that was likely meant by a variable of infix: in a fact, or where the name in lower case
/// is one that the rules use.
fn constant_meant(check: &Check, i: usize, variable: &str) -> Option<String> {
    let word = check.ast.syntax == Syntax::Infix && variable.starts_with(char::is_uppercase);
    let (name, rule) = (variable.to_lowercase(), &check.rules.rules[i]);
    let fact = rule.body.is_empty();
    let known = variable.len() > 1 && check.rules.symbols.find(&name).is_some();
    (word && (fact || known && !is_variable(check, i, variable))).then_some(name)
}

/// Whether a variable of this name stands several times in another rule: then it is meant to be one here.
fn is_variable(check: &Check, i: usize, variable: &str) -> bool {
    let name = variable.to_lowercase();
    let clause = check.places[i].clause;
    check.rules().filter(|(j, _)| check.places[*j].clause != clause).any(|(_, rule)| {
        let at = rule.vars.iter().position(|v| v.to_lowercase() == name);
        at.is_some_and(|at| counts(rule)[at] > 1)
    })
}

/// How often each variable stands in a rule.
fn counts(rule: &Rule) -> Vec<usize> {
    let mut counts = vec![0; rule.vars.len()];
    rule.head.for_each_var(&mut |v| counts[v as usize] += 1);
    rule.body.iter().for_each(|l| l.for_each_var(&mut |v| counts[v as usize] += 1));
    counts
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
