//! `Rules` -> `Domains`: what the arguments of every predicate and function can be (001, chapter 14).
//!
//! Three answers, each sharper than the one before: the domain graph of Definition 14.1, which looks at
//! each argument by itself; its reduction (14.3), which keeps the instances that can be computed when
//! everything the graph allows is true at once; and the instances that are derivable from the initial
//! state on, negation of what changes dropped, which is what a game is grounded over.

mod count;
mod graph;
mod reduce;

pub use count::Count;
pub use graph::{DomainGraph, DomainVertex};

use crate::instances::{Instances, NotGround};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, Symbol};
use std::fmt;

/// A predicate or a function with its arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DomainOwner {
    Predicate(Rel),
    Function(Symbol, u32),
}

/// The sizes of one predicate or function, by method.
#[derive(Clone, Debug)]
pub struct DomainSizes {
    pub owner: DomainOwner,
    pub name: String,
    pub arity: usize,
    /// The domain as in Tables 14.1 and 14.2.
    pub domain: String,
    /// Instances by the domain graph, after the reduction, and reachable; none where it was not asked
    /// for or could not be computed.
    pub graph: Count,
    pub reduced: Option<usize>,
    pub reachable: Option<usize>,
}

/// The domains of a game.
pub struct Domains {
    pub graph: DomainGraph,
    /// Predicates in the order of the rules, then functions.
    pub entries: Vec<DomainSizes>,
    /// What could not be computed, and why.
    pub notes: Vec<String>,
    /// The limit at which the rest was given up.
    pub stopped: Option<Stop>,
}

/// What to compute besides the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Methods {
    pub reduced: bool,
    pub reachable: bool,
}

impl Domains {
    pub fn new(rules: &Rules, methods: Methods, budget: &Budget) -> Domains {
        let graph = DomainGraph::new(rules);
        let entries =
            graph.owners().into_iter().map(|o| DomainSizes::new(rules, &graph, o)).collect();
        let notes = graph.notes.clone();
        let mut domains = Domains { graph, entries, notes, stopped: None };
        domains.stopped = domains.count(rules, methods, budget).err();
        domains
    }

    fn count(&mut self, rules: &Rules, methods: Methods, budget: &Budget) -> Result<(), Stop> {
        let Domains { graph, entries, notes, .. } = self;
        if methods.reduced {
            let found = attempt(reduced(rules, graph, budget), "the reduction", notes)?;
            fill(entries, found.as_ref(), |e| &mut e.reduced);
        }
        if methods.reachable {
            let found = attempt(reachable(rules, budget), "what is reachable", notes)?;
            fill(entries, found.as_ref(), |e| &mut e.reachable);
            notes.extend(found.iter().flat_map(|f| declarations(rules, f)));
        }
        Ok(())
    }
}

/// The instances left by the reduction of 14.3.
pub fn reduced(
    rules: &Rules,
    graph: &DomainGraph,
    budget: &Budget,
) -> Result<Instances, NotGround> {
    reduce::reduce(rules, graph, budget)
}

/// The instances derivable from the initial state on.
pub fn reachable(rules: &Rules, budget: &Budget) -> Result<Instances, NotGround> {
    Instances::of_everything(rules, budget)
}

/// A result, or a note on why it is not there; a limit or interrupt ends it all.
fn attempt(
    result: Result<Instances, NotGround>,
    what: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Instances>, Stop> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(NotGround::Stopped(stop)) => Err(stop),
        Err(why) => {
            notes.push(format!("{what} was not computed: {why}"));
            Ok(None)
        }
    }
}

fn fill(
    entries: &mut [DomainSizes],
    found: Option<&Instances>,
    field: impl Fn(&mut DomainSizes) -> &mut Option<usize>,
) {
    let Some(found) = found else { return };
    let functions = found.function_counts();
    for entry in entries {
        *field(entry) = Some(match entry.owner {
            DomainOwner::Predicate(rel) => found.atoms_of(rel).count(),
            DomainOwner::Function(f, arity) => functions.get(&(f, arity)).copied().unwrap_or(0),
        });
    }
}

/// How `base` and `input`, where given, differ from what is reachable. Nothing relies on them.
fn declarations(rules: &Rules, found: &Instances) -> Vec<String> {
    let mut notes = Vec::new();
    for (declared, used) in [(Rel::BASE, Rel::TRUE), (Rel::INPUT, Rel::DOES)] {
        if rules.defining(declared).next().is_none() {
            continue;
        }
        let name = |rel: Rel| rules.symbols.name(rules.relation(rel).name);
        let (a, b) =
            (found.texts_without_name(rules, declared), found.texts_without_name(rules, used));
        let missing: Vec<&String> = b.iter().filter(|t| a.binary_search(t).is_err()).collect();
        let extra: Vec<&String> = a.iter().filter(|t| b.binary_search(t).is_err()).collect();
        for (list, what) in [
            (missing, "reachable but not declared by"),
            (extra, "never reachable though declared by"),
        ] {
            if let Some(first) = list.first() {
                notes.push(format!("{} {what} {}, such as {first}", list.len(), name(declared)));
            }
        }
    }
    notes
}

impl DomainSizes {
    fn new(rules: &Rules, graph: &DomainGraph, owner: DomainOwner) -> DomainSizes {
        let (name, arity) = match owner {
            DomainOwner::Predicate(rel) => (rules.relation(rel).name, rules.relation(rel).arity),
            DomainOwner::Function(f, arity) => (f, arity as usize),
        };
        DomainSizes {
            owner,
            name: rules.symbols.name(name).to_string(),
            arity,
            domain: graph.domain_text(rules, owner),
            graph: graph.count(owner),
            reduced: None,
            reachable: None,
        }
    }
}

impl fmt::Display for Domains {
    /// Predicate or function and its domain, one on a line.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for entry in self.entries.iter().filter(|e| e.arity > 0) {
            writeln!(f, "{}\t{}", entry.name, entry.domain)?;
        }
        Ok(())
    }
}
