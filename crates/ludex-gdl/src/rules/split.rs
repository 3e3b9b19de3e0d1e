//! Relations that depend on their own negation, taken apart by arguments where that helps.
//!
//! Games in use say `goal(robot, 100) :- ~goal(robot, 0)`: the relation depends on its own negation,
//! its ground atoms do not. For each negated atom on such a circle a relation of its own is made from
//! the rules whose heads unify with the atom; if all negation is stratified then, that is kept.

use super::formula::{self, Formula, Plain};
use super::lower::{self, RulePlace};
use super::strata::DependencyGraph;
use super::unify::Substitution;
use super::{Atom, Literal, Relation, Rule, Rules, Term};
use crate::source::{Report, Span};
use rustc_hash::FxHashMap;

/// Computes the strata. Where there are none, makes negation stratified if that can be done, with a
/// warning for each place.
pub fn split(rules: &mut Rules, places: &mut Vec<RulePlace>, report: &mut Report) {
    if rules.stratify().is_some() {
        return;
    }
    let mut split =
        Split { rules: rules.clone(), places: places.clone(), made: FxHashMap::default() };
    let circular = split.circular();
    let mut spans = Vec::new();
    for (i, j) in &circular {
        split.replace(*i, *j);
        spans.push((places[*i].literals[*j], rules.rules[*i].head.rel));
    }
    if split.rules.stratify().is_none() {
        return;
    }
    for (span, head) in spans {
        let name = rules.symbols.name(rules.relation(head).name);
        let message = format!(
            "{name} depends on its own negation; it can be computed, because different arguments \
             are meant, but the specification does not allow it"
        );
        let hint = "give the negated part a relation of its own";
        report.warning("locally-stratified", span, message).hint(hint);
    }
    (*rules, *places) = (split.rules, split.places);
}

struct Split {
    rules: Rules,
    places: Vec<RulePlace>,
    /// The relations made so far, by the atom with its variables numbered from 0.
    made: FxHashMap<Atom, super::Rel>,
}

impl Split {
    /// The negated literals (rule, literal) whose relation depends on the head.
    fn circular(&self) -> Vec<(usize, usize)> {
        let components =
            DependencyGraph::of(self.rules.relations.len(), &self.rules.rules).components();
        let mut found = Vec::new();
        for (i, rule) in self.rules.rules.iter().enumerate() {
            for (j, literal) in rule.body.iter().enumerate() {
                if let Literal::Neg(a) = literal
                    && components.same(a.rel.0, rule.head.rel.0)
                {
                    found.push((i, j));
                }
            }
        }
        found
    }

    /// Replaces a negated literal by one of a relation that holds only the instances of its atom.
    fn replace(&mut self, i: usize, j: usize) {
        let Literal::Neg(atom) = &self.rules.rules[i].body[j] else { return };
        let (mut key, mut vars) = (atom.clone(), Vec::new());
        key.args.iter_mut().for_each(|t| {
            lower::renumber(t, &mut |v| {
                let at = vars.iter().position(|w| w == v).unwrap_or_else(|| {
                    vars.push(*v);
                    vars.len() - 1
                });
                *v = at as u32;
            })
        });
        let rel = match self.made.get(&key) {
            Some(rel) => *rel,
            None => self.make(key, vars.len() as u32),
        };
        let args = vars.into_iter().map(Term::Var).collect();
        self.rules.rules[i].body[j] = Literal::Neg(Atom { rel, args });
    }

    /// A relation over the variables of the atom, true where the atom is.
    fn make(&mut self, atom: Atom, vars: u32) -> super::Rel {
        let rel = super::Rel(self.rules.relations.len() as u32);
        let of = self.rules.symbols.name(self.rules.relation(atom.rel).name).to_string();
        let name = lower::fresh_name(&self.rules.symbols, &format!("{of}_part"));
        let name = self.rules.symbols.intern(&name);
        self.rules.relations.push(Relation { name, arity: vars as usize, auxiliary: true });
        for i in 0..self.rules.rules.len() {
            if self.rules.rules[i].head.rel == atom.rel {
                self.instance(i, &atom, rel, vars);
            }
        }
        self.made.insert(atom, rel);
        rel
    }

    /// Adds the rule `i` for the atom, if its head unifies with it.
    fn instance(&mut self, i: usize, atom: &Atom, rel: super::Rel, vars: u32) {
        let rule = &self.rules.rules[i];
        let spans = &self.places[i].literals;
        let mut names = rule.vars.clone();
        (0..vars).for_each(|_| names.insert(0, fresh_variable(&names)));
        let shifted = shift(rule, vars);
        let mut solution = Substitution::default();
        let mut pairs = atom.args.iter().zip(&shifted.head.args);
        if !pairs.all(|(a, b)| solution.unify(a, b)) {
            return;
        }
        let head = Atom { rel, args: (0..vars).map(|v| solution.apply(&Term::Var(v))).collect() };
        let leaf = |(l, s): (&Literal, &Span)| Formula::Literal(solution.apply_literal(l), *s);
        let body = shifted.body.iter().zip(spans).map(leaf).collect();
        let mut plain = Vec::new();
        formula::clauses(head, Formula::And(body), &mut |_| unreachable!("no or"), &mut plain);
        let (span, clause) = (rule.span, self.places[i].clause);
        for Plain { mut head, body, .. } in plain {
            let (mut body, literals): (Vec<Literal>, Vec<Span>) = body.into_iter().unzip();
            let vars = lower::number_vars(&mut head, &mut body, &names);
            self.rules.rules.push(Rule { head, body, vars, span });
            self.places.push(RulePlace { clause, literals });
        }
    }
}

fn fresh_variable(names: &[String]) -> String {
    let mut candidates = (0..).map(|i| format!("v{i}"));
    candidates.find(|c| !names.contains(c)).expect("numbers do not end")
}

/// The rule with its variables numbered from `by` on.
fn shift(rule: &Rule, by: u32) -> Rule {
    let mut rule = rule.clone();
    let mut add = |v: &mut u32| *v += by;
    rule.head.args.iter_mut().for_each(|t| lower::renumber(t, &mut add));
    rule.body.iter_mut().for_each(|l| lower::renumber_literal(l, &mut add));
    rule
}
