//! Relations with the same rules but for their own names, the order of their arguments and variables.

use super::rule_graph::{Item, RuleGraph, Style};
use ludex_gdl::rules::{Literal, Rel, Rule, Rules};
use ludex_graph::{Canonical, Digraph, canonical};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A relation, the one that it equals, and which of its arguments go where.
pub type Twin = (Rel, Rel, Vec<usize>);

/// Every relation that equals an earlier one, with the earliest.
pub fn twins(rules: &Rules, stop: &dyn Fn() -> bool) -> Vec<Twin> {
    let mut colours = FxHashMap::default();
    let mut found = Vec::new();
    for group in alike(rules).into_values().filter(|g| g.len() > 1) {
        let mut forms: Vec<(Rel, Definition)> = Vec::new();
        for rel in group {
            let Some(form) = Definition::new(rules, rel, &mut colours, stop) else { return found };
            match forms.iter().find_map(|(to, known)| Some((*to, form.arguments_in(known)?))) {
                Some((to, order)) => found.push((rel, to, order)),
                None => forms.push((rel, form)),
            }
        }
    }
    found
}

/// What twins have in common and is cheap to tell.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TwinLikeness {
    arity: usize,
    /// Per rule, sorted: the relations of its body, sorted, its own as none.
    bodies: Vec<Vec<Option<Rel>>>,
}

fn alike(rules: &Rules) -> BTreeMap<TwinLikeness, Vec<Rel>> {
    let mut by_head: BTreeMap<Rel, Vec<&Rule>> = BTreeMap::new();
    for rule in rules.rules.iter().filter(|r| !r.head.rel.is_keyword()) {
        by_head.entry(rule.head.rel).or_default().push(rule);
    }
    let mut groups: BTreeMap<TwinLikeness, Vec<Rel>> = BTreeMap::new();
    for (rel, own) in by_head {
        let body = |r: &&Rule| {
            let atoms = r.body.iter().filter_map(Literal::atom);
            let mut rels: Vec<Option<Rel>> =
                atoms.map(|a| (a.rel != rel).then_some(a.rel)).collect();
            rels.sort_unstable();
            rels
        };
        let mut bodies: Vec<Vec<Option<Rel>>> = own.iter().map(body).collect();
        bodies.sort_unstable();
        let arity = rules.relation(rel).arity;
        groups.entry(TwinLikeness { arity, bodies }).or_default().push(rel);
    }
    groups
}

/// The rule graph of a relation's rules, in which all other symbols are themselves.
struct Definition {
    form: Canonical,
    /// The canonical label of every argument position.
    arguments: Vec<Option<u32>>,
}

impl Definition {
    fn new(
        rules: &Rules,
        rel: Rel,
        colours: &mut FxHashMap<Item, u32>,
        stop: &dyn Fn() -> bool,
    ) -> Option<Definition> {
        const OWN: u32 = 1 << 8;
        const OTHERS: u32 = 1 << 9;
        let own: Vec<Rule> = rules.defining(rel).cloned().collect();
        let graph = RuleGraph::new(&Rules { rules: own, ..rules.clone() }, Style::Enhanced, &[]);
        let mut colour = |item: &Item, plain: u32| match item {
            Item::Relation(r) if *r == rel => OWN,
            Item::Occurrence | Item::Rule(_) | Item::Variable(..) => plain,
            Item::RelationArgument(r, _) if *r == rel => plain,
            other => {
                let next = OTHERS + colours.len() as u32;
                *colours.entry(other.clone()).or_insert(next)
            }
        };
        let vertices = graph.vertices.iter();
        let digraph = Digraph {
            colours: vertices.map(|v| colour(&v.item, v.label.colour())).collect(),
            arcs: graph.arcs.clone(),
        };
        let form = canonical(&digraph.undirected(), stop).ok()?;
        let label = |i| Some(form.label[graph.find(&Item::RelationArgument(rel, i))? as usize]);
        let arguments = (0..rules.relation(rel).arity).map(label).collect();
        Some(Definition { form, arguments })
    }

    /// For every argument of the other relation the argument of this one, if both are the same.
    fn arguments_in(&self, other: &Definition) -> Option<Vec<usize>> {
        if self.form.graph != other.form.graph {
            return None;
        }
        let place = |label: &Option<u32>| self.arguments.iter().position(|own| own == label);
        other.arguments.iter().map(place).collect()
    }
}
