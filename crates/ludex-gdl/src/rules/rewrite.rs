//! Changes of rules that passes build on: relations and rules added, a relation renamed.

use super::{Atom, Literal, Rel, Relation, Rule, Rules, Term};
use crate::source::Span;

impl Rules {
    /// A relation that no rule has yet, whatever its name. `stratify` when all is added.
    pub fn new_relation(&mut self, name: &str, arity: usize) -> Rel {
        let name = self.symbols.intern(name);
        self.relations.push(Relation { name, arity, auxiliary: true });
        Rel(self.relations.len() as u32 - 1)
    }

    /// The author's relation of a name at an arity.
    pub fn find_relation(&self, name: &str, arity: usize) -> Option<Rel> {
        let name = self.symbols.find(name)?;
        let same = |r: &Relation| r.name == name && r.arity == arity && !r.auxiliary;
        self.relations.iter().position(same).map(|at| Rel(at as u32))
    }

    /// Adds a rule; its variables are `Term::Var(0)` and so on.
    pub fn add_rule(&mut self, head: Atom, body: Vec<Literal>, vars: &[&str]) {
        let vars = vars.iter().map(|v| v.to_string()).collect();
        self.rules.push(Rule { head, body, vars, span: Span { start: 0, end: 0 } });
    }

    /// Puts another relation of the same arity in place of one, in heads and in bodies as asked.
    pub fn rename(&mut self, from: Rel, to: Rel, heads: bool) {
        let change = |atom: &mut Atom| {
            if atom.rel == from {
                atom.rel = to;
            }
        };
        for rule in &mut self.rules {
            if heads {
                change(&mut rule.head);
            }
            rule.body.iter_mut().for_each(|l| match l {
                Literal::Pos(a) | Literal::Neg(a) => change(a),
                Literal::Distinct(..) => {}
            });
        }
    }
}

impl Atom {
    /// A relation with different variables, from `Var(0)` on.
    pub fn of_variables(rel: Rel, count: u32) -> Atom {
        Atom { rel, args: (0..count).map(Term::Var).collect() }
    }
}
