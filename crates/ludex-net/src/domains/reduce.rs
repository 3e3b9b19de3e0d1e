//! The reduction of 14.3: what can be computed from G+, in which every `true` and `does` of the domain
//! graph is a fact and no rule has a negative condition; repeated with the facts that are left.
//!
//! In the first round `true(cell(X, Y, Z))` is not spelled out: it says no more than that X, Y and Z are
//! in the domains of cell[1], cell[2] and cell[3], so that the product is never enumerated.

use super::{Count, DomainGraph, DomainOwner, DomainVertex};
use crate::instances::{Instances, NotGround};
use indexmap::IndexMap;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Atom, Literal, Rel, Relation, Rules, Symbol, Term, TermId, Terms};

/// Domains of whole terms beyond this are not spelled out.
const MOST_TERMS: u128 = 2_000_000;

pub fn reduce(rules: &Rules, graph: &DomainGraph, budget: &Budget) -> Result<Instances, NotGround> {
    budget.begin("reducing", 0);
    let mut found = first_round(rules, graph, budget)?;
    let mut size = usize::MAX;
    loop {
        // 4 and 5: only what is initial, next or legal is left of the facts.
        let facts = facts(graph, &found);
        if facts.len() == size {
            return Ok(found);
        }
        size = facts.len();
        let terms = found.terms().clone();
        found = Instances::of_plus(rules, budget, |store| {
            store.terms = terms;
            facts.iter().for_each(|(rel, args)| store.give(*rel, args));
        })?;
    }
}

/// 2 and 3 for all that the graph allows.
fn first_round(
    rules: &Rules,
    graph: &DomainGraph,
    budget: &Budget,
) -> Result<Instances, NotGround> {
    let mut plus = Plus { graph, rules: rules.clone(), places: IndexMap::new() };
    let all = std::mem::take(&mut plus.rules.rules);
    for mut rule in all {
        let mut body = Vec::new();
        let possible = rule.body.iter().all(|l| plus.literal(l, &mut body));
        rule.body = body;
        if possible {
            plus.rules.rules.push(rule);
        }
    }
    let Plus { rules, places, .. } = plus;
    for place in places.keys() {
        let DomainVertex::Argument(owner, i) = place else { unreachable!("only arguments") };
        match graph.argument_count(*owner, *i) {
            Count::Finite(n) if n <= MOST_TERMS => {}
            _ => return Err(NotGround::TooLarge),
        }
    }
    Instances::of_plus(&rules, budget, |store| {
        for (place, rel) in &places {
            let DomainVertex::Argument(owner, i) = place else { unreachable!("only arguments") };
            for t in terms_of(graph, *owner, *i, &mut store.terms) {
                store.give(*rel, &[t]);
            }
        }
    })
}

/// The rules with `true` and `does` replaced by the domains of their variables.
struct Plus<'a> {
    graph: &'a DomainGraph,
    rules: Rules,
    /// A relation for the domain of each argument that occurs.
    places: IndexMap<DomainVertex, Rel>,
}

impl Plus<'_> {
    /// Appends what a condition says; false if it cannot hold.
    fn literal(&mut self, literal: &Literal, out: &mut Vec<Literal>) -> bool {
        match literal {
            Literal::Pos(a) if a.rel.is_given() => {
                let owner = DomainOwner::Predicate(a.rel);
                (1..).zip(&a.args).all(|(i, t)| self.term(owner, i, t, out))
            }
            Literal::Neg(_) => true,
            other => {
                out.push(other.clone());
                true
            }
        }
    }

    fn term(&mut self, owner: DomainOwner, i: u32, term: &Term, out: &mut Vec<Literal>) -> bool {
        match term {
            Term::Var(_) => {
                let rel = self.place(DomainVertex::Argument(owner, i));
                out.push(Literal::Pos(Atom { rel, args: vec![term.clone()] }));
                true
            }
            Term::App(f, args) => {
                let function = DomainOwner::Function(*f, args.len() as u32);
                self.graph.domain(owner, i).contains(&(*f, args.len() as u32))
                    && (1..).zip(args).all(|(i, t)| self.term(function, i, t, out))
            }
        }
    }

    fn place(&mut self, place: DomainVertex) -> Rel {
        if let Some(rel) = self.places.get(&place) {
            return *rel;
        }
        let name = self.rules.relations[Rel::TRUE.index()].name;
        let rel = Rel(self.rules.relations.len() as u32);
        self.rules.relations.push(Relation { name, arity: 1, auxiliary: true });
        self.places.insert(place, rel);
        rel
    }
}

/// All ground terms that the graph allows for an argument.
fn terms_of(
    graph: &DomainGraph,
    owner: DomainOwner,
    argument: u32,
    terms: &mut Terms,
) -> Vec<TermId> {
    let mut out = Vec::new();
    for (f, arity) in graph.domain(owner, argument).to_vec() {
        let mut tuples: Vec<Vec<TermId>> = vec![vec![]];
        for i in 1..=arity {
            let values = terms_of(graph, DomainOwner::Function(f, arity), i, terms);
            let extend = |t: &Vec<TermId>| {
                let t = t.clone();
                values.iter().map(move |v| [t.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
            };
            tuples = tuples.iter().flat_map(extend).collect();
        }
        out.extend(tuples.into_iter().map(|t| terms.intern(f, &t)));
    }
    out
}

/// The facts `true` and `does` of the graph that are initial, next or legal.
fn facts(graph: &DomainGraph, found: &Instances) -> Vec<(Rel, Vec<TermId>)> {
    let mut out: Vec<(Rel, Vec<TermId>)> = Vec::new();
    for (from, to) in [(Rel::INIT, Rel::TRUE), (Rel::NEXT, Rel::TRUE), (Rel::LEGAL, Rel::DOES)] {
        for args in found.atoms_of(from) {
            let owner = DomainOwner::Predicate(to);
            if (1..).zip(args).all(|(i, t)| allows(graph, owner, i, *t, found.terms())) {
                out.push((to, args.to_vec()));
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

fn allows(
    graph: &DomainGraph,
    owner: DomainOwner,
    argument: u32,
    t: TermId,
    terms: &Terms,
) -> bool {
    let (f, args): (Symbol, &[TermId]) = (terms.functor(t), terms.args(t));
    let arity = args.len() as u32;
    graph.domain(owner, argument).contains(&(f, arity))
        && (1..)
            .zip(args)
            .all(|(i, a)| allows(graph, DomainOwner::Function(f, arity), i, *a, terms))
}
