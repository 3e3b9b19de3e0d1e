//! `Rules` -> `Inventory`: the relations and functions of a game with their arities and counts.

use super::{Literal, Rel, Rule, Rules, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What the rules of a game consist of.
pub struct Inventory {
    /// The author's relations and the keywords that occur, in the order of their numbers.
    pub relations: Vec<RelationCount>,
    /// Functions with arguments, sorted by name and arity.
    pub functions: Vec<FunctionCount>,
    /// The number of different constants.
    pub constants: usize,
    /// Clauses without a body, and with one. Auxiliary rules are not counted.
    pub facts: usize,
    pub rules: usize,
}

pub struct RelationCount {
    pub name: String,
    pub arity: usize,
    /// Clauses with this relation in the head: without a body, and with one.
    pub facts: usize,
    pub rules: usize,
    /// Clauses with this relation in the body.
    pub uses: usize,
}

pub struct FunctionCount {
    pub name: String,
    pub arity: usize,
    /// Clauses that mention it.
    pub uses: usize,
}

impl Rules {
    /// A clause that lowering has split into several rules counts once.
    pub fn inventory(&self) -> Inventory {
        let mut count = Occurrences::default();
        self.rules.iter().for_each(|rule| count.rule(rule));
        count.inventory(self)
    }
}

/// Where each relation and function occurs, a clause known by the place where it starts.
#[derive(Default)]
struct Occurrences {
    facts: FxHashSet<(Rel, u32)>,
    rules: FxHashSet<(Rel, u32)>,
    uses: FxHashSet<(Rel, u32)>,
    functions: FxHashSet<(Symbol, usize, u32)>,
}

impl Occurrences {
    fn rule(&mut self, rule: &Rule) {
        let clause = rule.span.start;
        let heads = if rule.body.is_empty() { &mut self.facts } else { &mut self.rules };
        heads.insert((rule.head.rel, clause));
        self.terms(rule.head.args.iter().collect(), clause);
        for literal in &rule.body {
            match literal {
                Literal::Pos(atom) | Literal::Neg(atom) => {
                    self.uses.insert((atom.rel, clause));
                    self.terms(atom.args.iter().collect(), clause);
                }
                Literal::Distinct(a, b) => self.terms(vec![a, b], clause),
            }
        }
    }

    /// Terms may nest deeper than the stack, so those still to be counted are kept in a list.
    fn terms(&mut self, mut open: Vec<&Term>, clause: u32) {
        while let Some(term) = open.pop() {
            if let Term::App(name, args) = term {
                self.functions.insert((*name, args.len(), clause));
                open.extend(args);
            }
        }
    }

    fn inventory(self, rules: &Rules) -> Inventory {
        let own = |rel: &Rel| !rules.relation(*rel).auxiliary;
        let clauses = |heads: &FxHashSet<(Rel, u32)>| heads.iter().filter(|(r, _)| own(r)).count();
        let (facts, rule_count) = (clauses(&self.facts), clauses(&self.rules));
        let mut counts: BTreeMap<Rel, [usize; 3]> = BTreeMap::new();
        for (kind, places) in [&self.facts, &self.rules, &self.uses].into_iter().enumerate() {
            places.iter().for_each(|(rel, _)| counts.entry(*rel).or_default()[kind] += 1);
        }
        let relations = counts.into_iter().filter(|(rel, _)| own(rel)).map(|(rel, counts)| {
            let relation = rules.relation(rel);
            let name = rules.symbols.name(relation.name).to_string();
            let [facts, rules, uses] = counts;
            RelationCount { name, arity: relation.arity, facts, rules, uses }
        });
        let (functions, constants) = functions(&self.functions, rules);
        Inventory { relations: relations.collect(), functions, constants, facts, rules: rule_count }
    }
}

/// The functions with arguments, and the number of constants.
fn functions(
    places: &FxHashSet<(Symbol, usize, u32)>,
    rules: &Rules,
) -> (Vec<FunctionCount>, usize) {
    let mut counts: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for (name, arity, _) in places {
        *counts.entry((rules.symbols.name(*name), *arity)).or_default() += 1;
    }
    let constants = counts.keys().filter(|(_, arity)| *arity == 0).count();
    let with_arguments = counts.into_iter().filter(|((_, arity), _)| *arity > 0);
    let functions = with_arguments.map(|((name, arity), uses)| {
        let name = name.to_string();
        FunctionCount { name, arity, uses }
    });
    (functions.collect(), constants)
}

#[cfg(test)]
mod tests {
    use crate::rules::Rules;
    use crate::source::Source;

    #[test]
    fn everything_is_counted_once() {
        let text = "(role a) (init (f 1 (g 2)))
            (<= (next (f ?x ?y)) (true (f ?x ?y)) (or (p ?x) (not (p ?y))) (distinct ?x 2))
            (p 1) (legal a 1) (goal a 2) (<= terminal (p 2))";
        let (rules, _) = Rules::read(&Source::new("small.kif", text), None).unwrap();
        let i = rules.inventory();
        assert_eq!((i.facts, i.rules, i.constants), (5, 2, 3));
        let functions: Vec<_> = i.functions.iter().map(|f| (&*f.name, f.arity, f.uses)).collect();
        assert_eq!(functions, [("f", 2, 2), ("g", 1, 1)]);
        let p = i.relations.iter().find(|r| r.name == "p").unwrap();
        assert_eq!((p.arity, p.facts, p.rules, p.uses), (1, 1, 0, 2));
    }
}
