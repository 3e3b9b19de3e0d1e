//! `Bases`: the base propositions over which projections are taken.

use crate::fluents::{Fluents, StateRelation};
use indexmap::IndexSet;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rules};
use ludex_net::Net;
use ludex_reason::StateMachine;
use ludex_reason::interp::{Interp, Problem};

/// What the game declares with `base`, or else the reachable instances.
pub struct Bases {
    pub declared: bool,
    /// Facts as text; the bases of `fluents` are their numbers.
    pub facts: Vec<String>,
    pub fluents: Fluents,
    /// By number, the base of the net; none for a fact that can never be true.
    pub of_net: Vec<Option<usize>>,
    /// Bases of the net that are not declared.
    pub undeclared: Vec<usize>,
    /// The moves that the game declares with `input`, per role; none where it declares none.
    pub inputs: Option<Vec<Vec<String>>>,
}

impl Bases {
    pub fn new(rules: &Rules, net: &Net, budget: &Budget) -> Result<Bases, Problem> {
        let (facts, inputs) = declarations(rules, budget)?;
        let bases = if facts.is_empty() { Bases::reachable(net) } else { Bases::of(facts, net) };
        Ok(Bases { inputs, ..bases })
    }

    /// The reachable instances.
    pub fn reachable(net: &Net) -> Bases {
        let facts = net.bases.iter().map(|b| b.name.clone()).collect();
        Bases { declared: false, ..Bases::of(facts, net) }
    }

    fn of(facts: Vec<String>, net: &Net) -> Bases {
        let numbers: IndexSet<&str> = net.bases.iter().map(|b| b.name.as_str()).collect();
        let of_net: Vec<Option<usize>> =
            facts.iter().map(|f| numbers.get_index_of(f.as_str())).collect();
        let mut known = vec![false; net.bases.len()];
        of_net.iter().flatten().for_each(|b| known[*b] = true);
        let undeclared = (0..known.len()).filter(|b| !known[*b]).collect();
        let fluents = Fluents::of(facts.iter().map(String::as_str));
        Bases { declared: true, facts, fluents, of_net, undeclared, inputs: None }
    }

    /// The relations of the state with arguments.
    pub fn relations(&self) -> impl Iterator<Item = &StateRelation> {
        self.fluents.relations.iter().filter(|r| r.arity > 0)
    }

    /// Per value of some arguments (from 0) the bases of the net that have it, then those that have a
    /// value which no base proposition has.
    pub fn places(&self, net: &Net, relation: &StateRelation, args: &[usize]) -> Places {
        let groups = relation.by_args(args);
        let of_net = |facts: &Vec<usize>| facts.iter().filter_map(|f| self.of_net[*f]).collect();
        let outside = self.undeclared.iter().copied().filter(|b| {
            let (name, values) = crate::fluents::parts(&net.bases[*b].name);
            let same = name == relation.name && values.len() == relation.arity;
            same && !groups
                .contains_key(&args.iter().map(|a| values[*a].as_str()).collect::<Vec<_>>())
        });
        Places {
            values: groups.keys().map(|k| k.join(" ")).collect(),
            outside: outside.collect(),
            bases: groups.values().map(of_net).collect(),
        }
    }
}

/// The places of a projection.
#[derive(Clone, Debug)]
pub struct Places {
    pub values: Vec<String>,
    pub bases: Vec<Vec<usize>>,
    /// Bases whose place is not among the base propositions.
    pub outside: Vec<usize>,
}

type DeclaredPlaces = (Vec<String>, Option<Vec<Vec<String>>>);

/// The declared facts, sorted, and moves.
fn declarations(rules: &Rules, budget: &Budget) -> Result<DeclaredPlaces, Problem> {
    let has = |rel| rules.defining(rel).next().is_some();
    if !has(Rel::BASE) && !has(Rel::INPUT) {
        return Ok((vec![], None));
    }
    // Each question is asked once, so no plan is worth a search.
    let mut interp = Interp::hasty(&rules.declarations(), budget)?;
    let state = interp.initial();
    let moves = |interp: &mut Interp, role| {
        let mut moves = Vec::new();
        interp.legal(&state, role, &mut moves);
        moves.into_iter().map(|m| interp.move_text(role, m)).collect()
    };
    let inputs = (0..interp.roles()).map(|role| moves(&mut interp, role)).collect();
    let facts = interp.fact_texts(&state);
    match interp.problem() {
        Some(problem) => Err(problem),
        None => Ok((facts, has(Rel::INPUT).then_some(inputs))),
    }
}
