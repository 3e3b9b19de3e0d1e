//! Equality of terms, solved: `not (distinct a b)` becomes a substitution of variables.

use super::{Atom, Literal, Term};

/// What each variable of a rule stands for; a variable may stand for a term with further variables.
#[derive(Clone, Default)]
pub struct Substitution {
    map: Vec<Option<Term>>,
}

/// A term that a substitution may make, in symbols and variables: beyond it, equations that double
/// a term again and again would fill the memory.
const MAX_SIZE: usize = 10_000;

impl Substitution {
    /// Makes two terms equal. False where no terms for the variables do so.
    pub fn unify(&mut self, a: &Term, b: &Term) -> bool {
        let mut todo = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = todo.pop() {
            match (self.walk(a), self.walk(b)) {
                (Term::Var(v), Term::Var(w)) if v == w => {}
                (Term::Var(v), t) | (t, Term::Var(v)) => {
                    if !self.bind(v, t) {
                        return false;
                    }
                }
                (Term::App(f, xs), Term::App(g, ys)) => {
                    if f != g || xs.len() != ys.len() {
                        return false;
                    }
                    todo.extend(xs.into_iter().zip(ys));
                }
            }
        }
        true
    }

    pub fn is_empty(&self) -> bool {
        self.map.iter().all(Option::is_none)
    }

    pub fn apply(&self, term: &Term) -> Term {
        match term {
            Term::Var(v) => match self.get(*v) {
                Some(t) => self.apply(t),
                None => term.clone(),
            },
            Term::App(f, args) => Term::App(*f, args.iter().map(|t| self.apply(t)).collect()),
        }
    }

    pub fn apply_atom(&self, atom: &Atom) -> Atom {
        Atom { rel: atom.rel, args: atom.args.iter().map(|t| self.apply(t)).collect() }
    }

    pub fn apply_literal(&self, literal: &Literal) -> Literal {
        match literal {
            Literal::Pos(a) => Literal::Pos(self.apply_atom(a)),
            Literal::Neg(a) => Literal::Neg(self.apply_atom(a)),
            Literal::Distinct(a, b) => Literal::Distinct(self.apply(a), self.apply(b)),
        }
    }

    fn get(&self, v: u32) -> Option<&Term> {
        self.map.get(v as usize)?.as_ref()
    }

    fn walk(&self, mut t: Term) -> Term {
        while let Term::Var(v) = t {
            match self.get(v) {
                Some(next) => t = next.clone(),
                None => break,
            }
        }
        t
    }

    /// Binds a free variable, unless the term holds it (then no finite term is equal) or is too large.
    fn bind(&mut self, v: u32, t: Term) -> bool {
        let mut size = 0;
        let mut todo = vec![&t];
        while let Some(t) = todo.pop() {
            size += 1;
            match t {
                Term::Var(w) if *w == v => return false,
                Term::Var(w) => todo.extend(self.get(*w)),
                Term::App(_, args) => todo.extend(args),
            }
            if size > MAX_SIZE {
                return false;
            }
        }
        if self.map.len() <= v as usize {
            self.map.resize(v as usize + 1, None);
        }
        self.map[v as usize] = Some(t);
        true
    }
}

/// Whether two terms are equal for all, for no, or (none) for some values of their variables.
pub fn equal(a: &Term, b: &Term) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    if Substitution::default().unify(a, b) { None } else { Some(false) }
}
