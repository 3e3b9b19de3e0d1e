//! `U*_r(a, M)`: the most general ways in which a frame rule speaks of an atom under a general joint move.

use super::rule::{FrameRule, subsumes};
use ludex_gdl::rules::{Atom, Substitution, Term};

/// The most general unifiers of the rule's head with the fluent and of its `does` with elements of the
/// joint move. Variables of the rule are replaced by those of the other two where both are free.
pub fn unifiers(rule: &FrameRule, fluent: &Term, joint: &[Atom]) -> Vec<Substitution> {
    let mut start = Substitution::default();
    if !start.unify(&rule.fluent, fluent) {
        return vec![];
    }
    let mut found = vec![start];
    for does in &rule.does {
        found = found.iter().flat_map(|by| extended(by, does, joint)).collect();
    }
    most_general(rule, fluent, joint, found)
}

/// The ways to make a `does` of the rule one of the joint move.
fn extended(by: &Substitution, does: &Atom, joint: &[Atom]) -> Vec<Substitution> {
    let unified = |made: &Atom| {
        let mut by = by.clone();
        let mut pairs = does.args.iter().zip(&made.args);
        pairs.all(|(a, b)| by.unify(a, b)).then_some(by)
    };
    joint.iter().filter_map(unified).collect()
}

/// Without those that are instances of another; of equal ones the first stays. The fluent and the
/// joint move are compared too: two roles that are variables are renamings of each other, but a rule
/// that speaks of one says nothing of the other.
fn most_general(
    rule: &FrameRule,
    fluent: &Term,
    joint: &[Atom],
    found: Vec<Substitution>,
) -> Vec<Substitution> {
    let image = |by: &Substitution| -> Vec<Term> {
        let does = rule.does.iter().chain(joint).flat_map(|a| &a.args);
        [&rule.fluent, fluent].into_iter().chain(does).map(|t| by.apply(t)).collect()
    };
    let images: Vec<Vec<Term>> = found.iter().map(image).collect();
    let covers = |i: usize, j: usize| subsumes(images[i].iter().zip(&images[j]));
    let redundant = |j: &usize| {
        (0..images.len()).any(|i| i != *j && covers(i, *j) && (i < *j || !covers(*j, i)))
    };
    let drop: Vec<bool> = (0..images.len()).map(|j| redundant(&j)).collect();
    let mut drop = drop.into_iter();
    found.into_iter().filter(|_| drop.next() == Some(false)).collect()
}
