//! `Rules` -> `StaticRelations`: the relations that never change, as rows of text.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Literal, Rel, Rules};
use ludex_net::instances::{Instances, NotGround};

/// A relation that depends on neither state nor moves, with all its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Static {
    pub name: String,
    pub arity: usize,
    pub rows: Vec<Vec<String>>,
}

/// The relations of a game that never change, in the order of the rules.
#[derive(Clone, Debug, Default)]
pub struct StaticRelations {
    pub relations: Vec<Static>,
    /// The facts that the author declares with `base`, where these do not depend on the state.
    pub declared: Vec<String>,
}

/// Relations with more rows or arguments say nothing about a board that can be drawn.
const MOST_ROWS: usize = 50_000;
const MOST_ARGUMENTS: usize = 7;

impl StaticRelations {
    /// What is static in the rules; where that takes too long, only what is written as facts.
    pub fn new(rules: &Rules, budget: &Budget) -> StaticRelations {
        StaticRelations::evaluate(rules, budget).unwrap_or_else(|_| {
            let mut facts = rules.clone();
            facts.rules.retain(|rule| rule.body.is_empty());
            StaticRelations::evaluate(&facts, &budget.fresh()).unwrap_or_default()
        })
    }

    fn evaluate(rules: &Rules, budget: &Budget) -> Result<StaticRelations, NotGround> {
        let fixed = fixed(rules);
        let mut part = rules.clone();
        part.rules.retain(|rule| fixed[rule.head.rel.index()]);
        let found = Instances::of_everything(&part, budget)?;
        let wanted = |rel: &Rel| fixed[rel.index()] && !rel.is_keyword();
        let all = (0..rules.relations.len() as u32).map(Rel);
        let relations = all.filter(wanted).map(|rel| rows(rules, &found, rel));
        Ok(StaticRelations {
            relations: relations.filter(|r| (1..=MOST_ROWS).contains(&r.rows.len())).collect(),
            declared: rows(rules, &found, Rel::BASE).rows.concat(),
        })
    }

    pub(crate) fn of_arity(&self, arity: usize) -> impl Iterator<Item = &Static> {
        self.relations.iter().filter(move |r| r.arity == arity)
    }
}

/// Which relations can be computed without a state: those that use neither `true` nor `does`.
fn fixed(rules: &Rules) -> Vec<bool> {
    let mut fixed = vec![true; rules.relations.len()];
    for rel in [Rel::TRUE, Rel::DOES, Rel::INIT, Rel::NEXT, Rel::LEGAL, Rel::GOAL, Rel::TERMINAL] {
        fixed[rel.index()] = false;
    }
    for (fixed, relation) in fixed.iter_mut().zip(&rules.relations) {
        *fixed &= relation.arity <= MOST_ARGUMENTS;
    }
    loop {
        let uses_more = |rule: &&ludex_gdl::rules::Rule| {
            let moving = |l: &Literal| l.atom().is_some_and(|a| !fixed[a.rel.index()]);
            fixed[rule.head.rel.index()] && rule.body.iter().any(moving)
        };
        let Some(rule) = rules.rules.iter().find(uses_more) else { return fixed };
        fixed[rule.head.rel.index()] = false;
    }
}

fn rows(rules: &Rules, found: &Instances, rel: Rel) -> Static {
    let text = |t: &_| found.terms().text(&rules.symbols, *t, false);
    let relation = rules.relation(rel);
    Static {
        name: rules.symbols.name(relation.name).to_string(),
        arity: relation.arity,
        rows: found.atoms_of(rel).map(|args| args.iter().map(text).collect()).collect(),
    }
}
