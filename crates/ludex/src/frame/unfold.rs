//! Frame rules with the relations of their conditions replaced by what defines them.
//!
//! `distinctCell(x, y, m, n)` keeps a cell; that it is false says nothing of where to look for the
//! cells that change. Its definition does: all but one of its cases are about the board, and the rest
//! is `distinct(x, m)`, whose negation is an equation.

use super::rule::FrameRule;
use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Substitution};
use ludex_gdl::rules::{renumber, renumber_literal};

/// Relations with more rules are left alone, and rules that would fall into more cases.
const MOST_RULES: usize = 8;
const MOST_CASES: usize = 64;

/// The rule, or the cases into which it falls.
pub fn unfold(rules: &Rules, rule: FrameRule) -> Vec<FrameRule> {
    let (mut open, mut done) = (vec![rule.clone()], Vec::new());
    while let Some(case) = open.pop() {
        match next_to_unfold(rules, &case) {
            None => done.push(case),
            Some(at) => open.extend(cases(rules, &case, at)),
        }
        if open.len() + done.len() > MOST_CASES {
            return vec![rule];
        }
    }
    done.reverse();
    done
}

/// A condition that is worth unfolding: roles, and relations over the fluent's variables that rest on
/// `distinct` or on moves.
fn next_to_unfold(rules: &Rules, rule: &FrameRule) -> Option<usize> {
    let mut own = Vec::new();
    rule.fluent.for_each_var(&mut |v| own.push(v));
    rule.cond.iter().position(|l| {
        let Literal::Pos(atom) = l else { return false };
        let mut shared = false;
        atom.for_each_var(&mut |v| shared |= own.contains(&v));
        atom.rel == Rel::ROLE && atom.args.iter().any(|t| !t.is_ground())
            || shared && is_worth(rules, atom.rel, &mut Vec::new())
    })
}

fn is_worth(rules: &Rules, rel: Rel, above: &mut Vec<Rel>) -> bool {
    if rel.is_keyword() || above.contains(&rel) || rules.defining(rel).count() > MOST_RULES {
        return false;
    }
    above.push(rel);
    let worth = rules.defining(rel).any(|rule| {
        rule.body.iter().any(|l| match l {
            Literal::Distinct(..) => true,
            Literal::Pos(a) | Literal::Neg(a) if a.rel == Rel::DOES => true,
            Literal::Pos(a) => is_worth(rules, a.rel, above),
            Literal::Neg(_) => false,
        })
    });
    above.pop();
    worth && !is_recursive(rules, rel)
}

fn is_recursive(rules: &Rules, rel: Rel) -> bool {
    let (mut seen, mut open) = (vec![false; rules.relations.len()], vec![rel]);
    while let Some(r) = open.pop() {
        for atom in rules.defining(r).flat_map(|rule| &rule.body).filter_map(Literal::atom) {
            if atom.rel == rel {
                return true;
            }
            if !std::mem::replace(&mut seen[atom.rel.index()], true) {
                open.push(atom.rel);
            }
        }
    }
    false
}

/// The rule with the condition at `at` replaced by each of the bodies that define it.
fn cases(rules: &Rules, rule: &FrameRule, at: usize) -> Vec<FrameRule> {
    let Literal::Pos(atom) = &rule.cond[at] else { unreachable!("chosen as a positive literal") };
    let case = |definition: &ludex_gdl::rules::Rule| {
        let by = rule.vars.len() as u32;
        let mut add = |v: &mut u32| *v += by;
        let (mut head, mut body) = (definition.head.clone(), definition.body.clone());
        head.args.iter_mut().for_each(|t| renumber(t, &mut add));
        body.iter_mut().for_each(|l| renumber_literal(l, &mut add));
        let mut solution = Substitution::default();
        let mut pairs = head.args.iter().zip(&atom.args);
        pairs
            .all(|(a, b)| solution.unify(a, b))
            .then(|| replaced(rule, at, &body, &solution, definition))
    };
    rules.defining(atom.rel).filter_map(case).collect()
}

fn replaced(
    rule: &FrameRule,
    at: usize,
    body: &[Literal],
    by: &Substitution,
    definition: &ludex_gdl::rules::Rule,
) -> FrameRule {
    let mut does: Vec<Atom> = rule.does.clone();
    let mut cond: Vec<Literal> = rule.cond[..at].to_vec();
    for literal in body {
        match literal {
            Literal::Pos(a) if a.rel == Rel::DOES => does.push(a.clone()),
            other => cond.push(other.clone()),
        }
    }
    cond.extend_from_slice(&rule.cond[at + 1..]);
    let mut vars = rule.vars.clone();
    vars.extend(definition.vars.iter().cloned());
    let mut does: Vec<Atom> = does.iter().map(|a| by.apply_atom(a)).collect();
    does.dedup();
    FrameRule {
        number: rule.number,
        fluent: by.apply(&rule.fluent),
        does,
        cond: cond.iter().map(|l| by.apply_literal(l)).collect(),
        vars,
    }
}
