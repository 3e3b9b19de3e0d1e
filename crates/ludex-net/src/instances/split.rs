//! Long clauses -> short ones: variables that the head does not need are eliminated one by one, each
//! with the literals it stands in, into a relation of its own.
//!
//! This is a tree decomposition of the clause's variables: instead of the product of all of them, only
//! the product of each bag is instantiated. In the net the new relation is a shared sub-circuit.

use super::program::{BodyLiteral, ProgramClause, ProgramDraft};
use ludex_gdl::rules::Literal;

/// Adds the clause to `made`, split as far as it pays.
pub fn split(mut clause: ProgramClause, made: &mut ProgramDraft) {
    while let Some(bag) = smallest_bag(&clause) {
        eliminate(&mut clause, bag, made);
    }
    made.clauses.push(clause);
}

/// The literals of one elimination and the variables they share with the rest.
struct Bag {
    inside: Vec<bool>,
    shared: Vec<u32>,
}

/// The bag with the fewest variables among those that leave a variable outside.
fn smallest_bag(clause: &ProgramClause) -> Option<Bag> {
    let sets: Vec<VarSet> = clause.body.iter().map(VarSet::of).collect();
    let head =
        VarSet::of(&BodyLiteral { literal: Literal::Pos(clause.head.clone()), guard: false });
    let all = sets.iter().fold(head.clone(), |a, s| a.union(s));
    let mut best: Option<(usize, Bag)> = None;
    for v in 0..clause.vars {
        if head.has(v) || !all.has(v) {
            continue;
        }
        let inside: Vec<bool> = sets.iter().map(|s| s.has(v)).collect();
        let of = |side: bool| sets.iter().zip(&inside).filter(move |(_, i)| **i == side);
        let bag = of(true).fold(VarSet::default(), |a, (s, _)| a.union(s));
        let rest = of(false).fold(head.clone(), |a, (s, _)| a.union(s));
        if rest.minus(&bag).count() == 0 {
            continue;
        }
        if best.as_ref().is_none_or(|(size, _)| bag.count() < *size) {
            best = Some((bag.count(), Bag { inside, shared: bag.intersect(&rest).list() }));
        }
    }
    best.map(|(_, bag)| bag)
}

/// Replaces the literals of a bag by one new atom.
fn eliminate(clause: &mut ProgramClause, bag: Bag, made: &mut ProgramDraft) {
    let mut inner = Vec::new();
    let mut outer = Vec::new();
    for (part, inside) in std::mem::take(&mut clause.body).into_iter().zip(bag.inside) {
        if inside { inner.push(part) } else { outer.push(part) }
    }
    let guards = guards(&inner, &outer, &bag.shared, made);
    inner.extend(guards);
    let guard = inner.iter().all(|p| p.guard);
    let atom = made.relation(&bag.shared, inner);
    outer.push(BodyLiteral { literal: Literal::Pos(atom), guard });
    clause.body = outer;
}

/// Projections of outer literals that bind the variables which the inner ones do not bind.
fn guards(
    inner: &[BodyLiteral],
    outer: &[BodyLiteral],
    shared: &[u32],
    made: &mut ProgramDraft,
) -> Vec<BodyLiteral> {
    let positive = |p: &&BodyLiteral| matches!(p.literal, Literal::Pos(_));
    let bound =
        inner.iter().filter(positive).fold(VarSet::default(), |a, p| a.union(&VarSet::of(p)));
    let mut open = shared.iter().copied().collect::<VarSet>().minus(&bound);
    let wanted: VarSet = shared.iter().copied().collect();
    let mut guards = Vec::new();
    while open.count() > 0 {
        let covers = |p: &&BodyLiteral| VarSet::of(p).intersect(&open).count();
        let best = outer.iter().filter(positive).rev().max_by_key(covers).expect("a safe clause");
        let vars = VarSet::of(best).intersect(&wanted);
        open = open.minus(&vars);
        let body = vec![BodyLiteral { literal: best.literal.clone(), guard: true }];
        let literal = Literal::Pos(made.relation(&vars.list(), body));
        guards.push(BodyLiteral { literal, guard: true });
    }
    guards
}

/// A set of variables of one clause.
#[derive(Clone, Default)]
pub struct VarSet(Vec<u64>);

impl VarSet {
    pub fn of(part: &BodyLiteral) -> VarSet {
        let mut vars = Vec::new();
        part.literal.for_each_var(&mut |v| vars.push(v));
        vars.into_iter().collect()
    }

    fn has(&self, v: u32) -> bool {
        self.0.get(v as usize / 64).is_some_and(|w| w >> (v % 64) & 1 == 1)
    }

    fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    pub fn union(&self, other: &VarSet) -> VarSet {
        let n = self.0.len().max(other.0.len());
        VarSet((0..n).map(|i| self.word(i) | other.word(i)).collect())
    }

    pub fn minus(&self, other: &VarSet) -> VarSet {
        VarSet(self.0.iter().enumerate().map(|(i, w)| w & !other.word(i)).collect())
    }

    pub fn intersect(&self, other: &VarSet) -> VarSet {
        VarSet(self.0.iter().enumerate().map(|(i, w)| w & other.word(i)).collect())
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    pub fn list(&self) -> Vec<u32> {
        (0..self.0.len() as u32 * 64).filter(|v| self.has(*v)).collect()
    }
}

impl FromIterator<u32> for VarSet {
    fn from_iter<I: IntoIterator<Item = u32>>(vars: I) -> VarSet {
        let mut set = VarSet::default();
        for v in vars {
            let word = v as usize / 64;
            if set.0.len() <= word {
                set.0.resize(word + 1, 0);
            }
            set.0[word] |= 1 << (v % 64);
        }
        set
    }
}
