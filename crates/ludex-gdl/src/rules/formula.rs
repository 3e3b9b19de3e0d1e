//! A rule's body as a formula -> plain rules without connectives, in total size linear in the formula.
//!
//! Negation has been pushed to the atoms. A body whose disjunctions give few rules is multiplied out,
//! which later stages like best. A larger disjunction becomes an auxiliary relation over the variables
//! it shares with the rest of its rule; each of its rules repeats the positive literals that bind
//! variables which the branch itself does not bind, so that every rule stays safe.

use super::unify::{self, Substitution};
use super::{Atom, Literal, Term};
use crate::source::Span;
use rustc_hash::FxHashSet;

/// A body: literals with their places, joined by conjunction and disjunction.
#[derive(Clone)]
pub enum Formula {
    Literal(Literal, Span),
    Equal(Term, Term),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// One conjunction: a head and literals with their places.
pub struct Plain {
    pub head: Atom,
    pub body: Vec<(Literal, Span)>,
    /// Literals left away because they stand in the body already.
    pub repeated: Vec<Span>,
}

/// A body is multiplied out as long as it gives at most so many rules.
const EXPAND: u64 = 16;
/// A disjunction that cannot be made an auxiliary relation is multiplied out up to so many rules.
pub const EXPAND_MOST: u64 = 1024;

/// The number of rules that multiplying out gives.
pub fn branches(formula: &Formula) -> u64 {
    match formula {
        Formula::Literal(..) | Formula::Equal(..) => 1,
        Formula::And(parts) => parts.iter().fold(1, |n, p| n.saturating_mul(branches(p))),
        Formula::Or(parts) => parts.iter().fold(0, |n, p| n.saturating_add(branches(p))),
    }
}

/// Whether the body can be multiplied out; otherwise `Clauses` needs names for auxiliary relations.
pub fn is_small(body: &Formula) -> bool {
    branches(body) <= EXPAND
}

/// Turns `head :- body` into plain rules. `auxiliary` makes the head of a new auxiliary relation over
/// the given variables. False where the rules would be too many.
pub fn clauses(
    head: Atom,
    body: Formula,
    auxiliary: &mut dyn FnMut(Vec<Term>) -> Atom,
    out: &mut Vec<Plain>,
) -> bool {
    let mut todo = vec![(head, body)];
    while let Some((head, body)) = todo.pop() {
        let Some((head, mut parts)) = conjunction(head, body) else { continue };
        if let [Formula::Or(_)] = parts.as_mut_slice() {
            let Some(Formula::Or(or)) = parts.pop() else { unreachable!("just matched") };
            todo.extend(or.into_iter().rev().map(|branch| (head.clone(), branch)));
            continue;
        }
        if parts.iter().all(|part| matches!(part, Formula::Literal(..))) {
            out.extend(plain(head, parts));
            continue;
        }
        move_large(&head, &mut parts, auxiliary, &mut todo);
        let body = Formula::And(parts);
        if branches(&body) > EXPAND_MOST {
            return false;
        }
        multiply(&head, vec![body], &mut Vec::new(), out);
    }
    true
}

/// The parts of a conjunction, without nested conjunctions and with its equations solved.
/// None where it can never be true.
fn conjunction(head: Atom, body: Formula) -> Option<(Atom, Vec<Formula>)> {
    let (mut parts, mut solution) = (Vec::new(), Substitution::default());
    let mut todo = vec![body];
    while let Some(formula) = todo.pop() {
        match formula {
            Formula::And(inner) => todo.extend(inner.into_iter().rev()),
            Formula::Or(mut inner) if inner.len() == 1 => todo.extend(inner.pop()),
            Formula::Or(inner) if inner.is_empty() => return None,
            Formula::Equal(a, b) => {
                if !solution.unify(&a, &b) {
                    return None;
                }
            }
            part => parts.push(part),
        }
    }
    if solution.is_empty() {
        return Some((head, parts));
    }
    let parts = parts.iter().map(|p| substitute(p, &solution)).collect();
    Some((solution.apply_atom(&head), parts))
}

fn substitute(formula: &Formula, by: &Substitution) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(|p| substitute(p, by)).collect();
    match formula {
        Formula::Literal(l, span) => Formula::Literal(by.apply_literal(l), *span),
        Formula::Equal(a, b) => Formula::Equal(by.apply(a), by.apply(b)),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
    }
}

/// The parts that must become auxiliary relations, so that the rest can be multiplied out:
/// the largest ones, in an order in which earlier ones may bind variables for later ones.
fn disjunctions_to_move(parts: &[Formula]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts.len()).filter(|i| branches(&parts[*i]) > 1).collect();
    order.sort_by_key(|i| branches(&parts[*i]));
    let mut product = 1u64;
    order.retain(|i| {
        product = product.saturating_mul(branches(&parts[*i]));
        product > EXPAND
    });
    order.sort_unstable();
    order
}

/// Moves the large disjunctions out, again and again while one can be: an atom that replaces a
/// disjunction may bind what another one needs.
fn move_large(
    head: &Atom,
    parts: &mut [Formula],
    auxiliary: &mut dyn FnMut(Vec<Term>) -> Atom,
    todo: &mut Vec<(Atom, Formula)>,
) {
    let mut left = disjunctions_to_move(parts);
    loop {
        let before = left.len();
        left.retain(|at| !move_out(*at, head, parts, auxiliary, todo));
        if left.is_empty() || left.len() == before {
            return;
        }
    }
}

/// Replaces the disjunction at `at` by an atom of a new relation and puts the rules of that relation
/// on the list. False, and nothing done, where one of them could not be made safe.
fn move_out(
    at: usize,
    head: &Atom,
    parts: &mut [Formula],
    auxiliary: &mut dyn FnMut(Vec<Term>) -> Atom,
    todo: &mut Vec<(Atom, Formula)>,
) -> bool {
    let Formula::Or(or) = &parts[at] else { return false };
    let shared = shared_vars(at, head, parts);
    let others = parts.iter().enumerate().filter(|(i, p)| *i != at && branches(p) <= EXPAND);
    let context: Vec<(&Formula, Vec<u32>)> =
        others.map(|(_, p)| (p, binds(p))).filter(|(_, b)| !b.is_empty()).collect();
    let bodies: Option<Vec<Formula>> =
        or.iter().map(|branch| bound_branch(branch, &shared, &context)).collect();
    let Some(bodies) = bodies else { return false };
    let span = first_span(&parts[at]);
    let atom = auxiliary(shared.into_iter().map(Term::Var).collect());
    todo.extend(bodies.into_iter().rev().map(|body| (atom.clone(), body)));
    parts[at] = Formula::Literal(Literal::Pos(atom), span);
    true
}

/// The variables of a part that also stand in the head or in another part, sorted.
fn shared_vars(at: usize, head: &Atom, parts: &[Formula]) -> Vec<u32> {
    let (mut outside, mut shared) = (Vec::new(), Vec::new());
    head.args.iter().for_each(|t| t.for_each_var(&mut |v| outside.push(v)));
    parts.iter().enumerate().filter(|(i, _)| *i != at).for_each(|(_, p)| vars(p, &mut outside));
    sort_set(&mut outside);
    vars(&parts[at], &mut shared);
    sort_set(&mut shared);
    shared.retain(|v| outside.binary_search(v).is_ok());
    shared
}

/// A branch with those parts of its surroundings that bind what it leaves unbound.
/// None where they do not suffice.
fn bound_branch(
    branch: &Formula,
    shared: &[u32],
    context: &[(&Formula, Vec<u32>)],
) -> Option<Formula> {
    let mut missing = shared.to_vec();
    vars(branch, &mut missing);
    sort_set(&mut missing);
    let bound = binds(branch);
    missing.retain(|v| bound.binary_search(v).is_err());
    let mut parts = Vec::new();
    while !missing.is_empty() {
        let covered = |bound: &[u32]| missing.iter().filter(|v| bound.contains(v)).count();
        let (best, bound) =
            context.iter().rev().max_by_key(|(_, b)| covered(b)).filter(|(_, b)| covered(b) > 0)?;
        missing.retain(|v| !bound.contains(v));
        parts.push((*best).clone());
    }
    parts.push(branch.clone());
    Some(Formula::And(parts))
}

/// The variables that have a value wherever the formula is true, sorted.
fn binds(formula: &Formula) -> Vec<u32> {
    let mut bound = Vec::new();
    match formula {
        Formula::Literal(Literal::Pos(_), _) => vars(formula, &mut bound),
        Formula::Literal(..) => {}
        Formula::Equal(a, b) if a.is_ground() || b.is_ground() => vars(formula, &mut bound),
        Formula::Equal(..) => {}
        Formula::And(parts) => parts.iter().for_each(|p| bound.extend(binds(p))),
        Formula::Or(parts) => {
            let mut each = parts.iter().map(binds);
            bound = each.next().unwrap_or_default();
            each.for_each(|b| bound.retain(|v| b.binary_search(v).is_ok()));
        }
    }
    sort_set(&mut bound);
    bound
}

fn vars(formula: &Formula, out: &mut Vec<u32>) {
    let mut note = |v: u32| out.push(v);
    match formula {
        Formula::Literal(l, _) => l.for_each_var(&mut note),
        Formula::Equal(a, b) => {
            a.for_each_var(&mut note);
            b.for_each_var(&mut note);
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|p| vars(p, out)),
    }
}

fn sort_set(set: &mut Vec<u32>) {
    set.sort_unstable();
    set.dedup();
}

fn first_span(formula: &Formula) -> Span {
    match formula {
        Formula::Literal(_, span) => *span,
        Formula::Equal(..) => Span::default(),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.first().map_or(Span::default(), first_span)
        }
    }
}

/// Multiplies out: `todo` is what is left of the conjunction, last first; `done` its literals so far.
fn multiply(head: &Atom, mut todo: Vec<Formula>, done: &mut Vec<Formula>, out: &mut Vec<Plain>) {
    let kept = done.len();
    while let Some(formula) = todo.pop() {
        match formula {
            Formula::And(parts) => todo.extend(parts.into_iter().rev()),
            Formula::Or(mut parts) if parts.len() == 1 => todo.extend(parts.pop()),
            Formula::Or(parts) => {
                for branch in parts {
                    let mut rest = todo.clone();
                    rest.push(branch);
                    multiply(head, rest, done, out);
                }
                done.truncate(kept);
                return;
            }
            leaf => done.push(leaf),
        }
    }
    out.extend(plain(head.clone(), done.clone()));
    done.truncate(kept);
}

/// One conjunction of literals and equations, simplified. None where it can never be true.
fn plain(head: Atom, leaves: Vec<Formula>) -> Option<Plain> {
    let (head, leaves) = conjunction(head, Formula::And(leaves))?;
    let (mut atoms, mut pairs) = (FxHashSet::default(), FxHashSet::default());
    let (mut keep, mut repeated) = (Vec::with_capacity(leaves.len()), Vec::new());
    for leaf in &leaves {
        let Formula::Literal(literal, span) = leaf else { unreachable!("equations are solved") };
        let new = match literal {
            Literal::Pos(a) if atoms.contains(&(false, a)) => return None,
            Literal::Neg(a) if atoms.contains(&(true, a)) => return None,
            Literal::Pos(a) => atoms.insert((true, a)),
            Literal::Neg(a) => atoms.insert((false, a)),
            Literal::Distinct(a, b) => match unify::equal(a, b) {
                Some(true) => return None,
                Some(false) => {
                    keep.push(false);
                    continue;
                }
                None => pairs.insert((a, b)),
            },
        };
        keep.push(new);
        if !new {
            repeated.push(*span);
        }
    }
    let mut keep = keep.into_iter();
    let kept = leaves.into_iter().filter(|_| keep.next() == Some(true));
    let body = kept.map(|leaf| match leaf {
        Formula::Literal(literal, span) => (literal, span),
        _ => unreachable!("equations are solved"),
    });
    Some(Plain { head, body: body.collect(), repeated })
}
