//! The recursion restriction of GDL, which keeps the terms of a game finite.
//!
//! In a rule for p with a literal of q where p and q depend on each other, every argument of the
//! literal must be ground, or an argument of the head, or an argument of a positive literal whose
//! relation does not depend on p (Love et al., *General Game Playing: Game Description Language
//! Specification*). Where that fails and the head builds a larger term out of what the recursion
//! gives, terms can grow without end, which is an error; other failures are only told.

use super::{Check, variable_text};
use crate::digraph::Components;
use crate::rules::{Atom, Literal, Rule, Term};

pub fn terms(check: &mut Check, components: &Components) {
    for (i, rule) in check.rules() {
        for (j, literal) in rule.body.iter().enumerate() {
            let Some(atom) = literal.atom() else { continue };
            if !components.same(rule.head.rel.0, atom.rel.0) {
                continue;
            }
            let Some(argument) = atom.args.iter().find(|a| !allowed(a, rule, components)) else {
                continue;
            };
            complain(check, i, j, argument, growing(rule, atom, components));
        }
    }
}

fn allowed(argument: &Term, rule: &Rule, components: &Components) -> bool {
    argument.is_ground()
        || rule.head.args.contains(argument)
        || outside(rule, components).any(|a| a.args.contains(argument))
}

/// The positive literals that do not depend on the head.
fn outside<'a>(rule: &'a Rule, components: &'a Components) -> impl Iterator<Item = &'a Atom> {
    rule.body.iter().filter_map(move |l| match l {
        Literal::Pos(a) if !components.same(a.rel.0, rule.head.rel.0) => Some(a),
        _ => None,
    })
}

/// A variable that only the recursion binds and that stands inside a larger term of the head.
fn growing(rule: &Rule, recursive: &Atom, components: &Components) -> Option<u32> {
    let mut bound = Vec::new();
    outside(rule, components).for_each(|a| a.for_each_var(&mut |v| bound.push(v)));
    let mut found = None;
    recursive.for_each_var(&mut |v| {
        let deeper = |t: &Term| matches!(t, Term::App(..)) && contains(t, v);
        if !bound.contains(&v) && rule.head.args.iter().any(deeper) {
            found.get_or_insert(v);
        }
    });
    found
}

fn contains(term: &Term, variable: u32) -> bool {
    let mut found = false;
    term.for_each_var(&mut |v| found |= v == variable);
    found
}

fn complain(check: &mut Check, rule: usize, literal: usize, argument: &Term, grows: Option<u32>) {
    let span = check.literal_span(rule, literal);
    let the_rule = &check.rules.rules[rule];
    let head = check.name(the_rule.head.rel);
    if let Some(v) = grows {
        let variable = variable_text(check.ast, &the_rule.vars[v as usize]);
        let message =
            format!("the recursion through {head} builds ever larger terms from {variable}");
        check
            .error("infinite-recursion", span, message)
            .hint(format!("bind {variable} with a relation that does not depend on {head}"));
        return;
    }
    let text = check.rules.term_text(argument, the_rule);
    let message = format!(
        "{text} in this recursive literal is an argument neither of the head nor of a literal outside the recursion (the recursion restriction of GDL)"
    );
    check.warning("recursion-restriction", span, message);
}
