//! What `domains` answers: what the arguments of predicates and functions can be.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::table::Table;
use indexmap::IndexMap;
use ludex::Game;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rules};
use ludex_net::domains::{
    Count, DomainGraph, DomainOwner, DomainSizes, DomainVertex, Domains, Methods, reachable,
    reduced,
};
use ludex_net::instances::Instances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the arguments of every predicate and function can be, and how many instances that makes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DomainCounts {
    pub game: String,
    pub domains: Vec<DomainCount>,
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// The numbers of instances of a predicate or function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DomainCount {
    pub kind: OwnerKind,
    pub name: String,
    pub arity: usize,
    /// What each argument can be.
    pub domain: String,
    /// By the domain graph; none where there is no end.
    pub graph: Option<LargeCount>,
    /// After its reduction.
    pub reduced: Option<usize>,
    /// Reachable from the initial state.
    pub reachable: Option<usize>,
    /// As people read the number of `graph`.
    #[serde(skip)]
    pub graph_text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OwnerKind {
    Predicate,
    Function,
}

/// A number; a decimal string where a number would lose digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LargeCount {
    Number(u64),
    Digits(String),
}

/// The vertices and edges of a domain graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DomainGraphText {
    pub game: String,
    pub vertices: Vec<String>,
    pub edges: Vec<(String, String)>,
    #[serde(flatten)]
    pub account: Account,
}

/// Ground instances of every relation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InstanceLists {
    pub game: String,
    /// By `name/arity`.
    pub instances: IndexMap<String, Vec<String>>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(DomainCounts, DomainGraphText, InstanceLists);

impl DomainCounts {
    /// What is known on the way is shown to `watch`.
    pub fn of(game: &Game, budget: &Budget, watch: &mut dyn FnMut(DomainCounts)) -> DomainCounts {
        DomainCounts::told(game.rules(), &Meter::new(game, budget), budget, watch)
    }

    /// Of a part of a game.
    pub fn of_part(
        rules: &Rules,
        budget: &Budget,
        watch: &mut dyn FnMut(DomainCounts),
    ) -> DomainCounts {
        DomainCounts::told(rules, &Meter::alone(budget), budget, watch)
    }

    fn told(
        rules: &Rules,
        meter: &Meter,
        budget: &Budget,
        watch: &mut dyn FnMut(DomainCounts),
    ) -> DomainCounts {
        let told = |all: bool| {
            let methods = Methods { reduced: all, reachable: all };
            let found = Domains::new(rules, methods, budget);
            let stopped = stopped(&found, all);
            let by = found.stopped;
            let stopped =
                if by.is_some() && stopped.is_empty() { vec!["domains"] } else { stopped };
            DomainCounts {
                game: rules.name.clone(),
                domains: own(rules, &found).map(DomainCount::told).collect(),
                notes: found.notes.clone(),
                account: meter.account().cut(&stopped, by),
            }
        };
        watch(told(false));
        told(true)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> DomainCounts {
        let account = Account::unknown(&["domains", "notes"]);
        DomainCounts { game: game.into(), account, ..DomainCounts::default() }
    }
}

/// The methods that have no numbers because of a limit, or because not `all` was asked for.
fn stopped(found: &Domains, all: bool) -> Vec<&'static str> {
    let missing = |of: fn(&DomainSizes) -> Option<usize>| {
        (!all || found.stopped.is_some()) && found.entries.iter().all(|e| of(e).is_none())
    };
    let methods = [("reduced", missing(|e| e.reduced)), ("reachable", missing(|e| e.reachable))];
    methods.iter().filter(|m| m.1).map(|m| m.0).collect()
}

/// The entries without relations that only stand for an `or`.
fn own<'a>(rules: &'a Rules, domains: &'a Domains) -> impl Iterator<Item = &'a DomainSizes> {
    let auxiliary =
        |o: DomainOwner| matches!(o, DomainOwner::Predicate(rel) if rules.relation(rel).auxiliary);
    domains.entries.iter().filter(move |e| !auxiliary(e.owner))
}

impl DomainCount {
    fn told(entry: &DomainSizes) -> DomainCount {
        let kind = match entry.owner {
            DomainOwner::Predicate(_) => OwnerKind::Predicate,
            _ => OwnerKind::Function,
        };
        DomainCount {
            kind,
            name: entry.name.clone(),
            arity: entry.arity,
            domain: entry.domain.clone(),
            graph: match (entry.graph, entry.graph.exact()) {
                (_, Some(n)) => Some(LargeCount::Number(n)),
                (Count::Finite(n), None) => Some(LargeCount::Digits(n.to_string())),
                _ => None,
            },
            reduced: entry.reduced,
            reachable: entry.reachable,
            graph_text: entry.graph.to_string(),
        }
    }
}

impl DomainGraphText {
    pub fn of(game: &Game, budget: &Budget) -> DomainGraphText {
        DomainGraphText::told(game.rules(), Meter::new(game, budget))
    }

    /// Of a part of a game.
    pub fn of_part(rules: &Rules, budget: &Budget) -> DomainGraphText {
        DomainGraphText::told(rules, Meter::alone(budget))
    }

    fn told(rules: &Rules, meter: Meter) -> DomainGraphText {
        let graph = DomainGraph::new(rules);
        let text = |v: &DomainVertex| graph.vertex_text(rules, *v);
        DomainGraphText {
            game: rules.name.clone(),
            vertices: graph.vertices.iter().map(text).collect(),
            edges: graph.edges.iter().map(|(a, b)| (text(a), text(b))).collect(),
            account: meter.account(),
        }
    }
}

impl InstanceLists {
    /// Those that the reduction of the domain graph leaves.
    pub fn reduced(game: &Game, budget: &Budget) -> Result<InstanceLists, Unanswered> {
        InstanceLists::reduced_of(game.rules(), Meter::new(game, budget), budget)
    }

    /// The same of a part of a game.
    pub fn reduced_part(rules: &Rules, budget: &Budget) -> Result<InstanceLists, Unanswered> {
        InstanceLists::reduced_of(rules, Meter::alone(budget), budget)
    }

    fn reduced_of(
        rules: &Rules,
        meter: Meter,
        budget: &Budget,
    ) -> Result<InstanceLists, Unanswered> {
        let found = reduced(rules, &DomainGraph::new(rules), budget)?;
        Ok(InstanceLists::told(rules, &found, meter.account()))
    }

    /// Those that are reachable.
    pub fn reachable(game: &Game, budget: &Budget) -> Result<InstanceLists, Unanswered> {
        let meter = Meter::new(game, budget);
        let found = reachable(game.rules(), budget)?;
        Ok(InstanceLists::told(game.rules(), &found, meter.account()))
    }

    fn told(rules: &Rules, found: &Instances, account: Account) -> InstanceLists {
        let relations = rules.relations.iter().enumerate().filter(|(_, r)| !r.auxiliary);
        let list = |(i, relation): (usize, &ludex_gdl::rules::Relation)| {
            let name = rules.symbols.name(relation.name);
            let with_name = |args: String| match args.is_empty() {
                true => name.to_string(),
                false => format!("({name} {args})"),
            };
            let texts = found.texts_without_name(rules, Rel(i as u32)).into_iter().map(with_name);
            (format!("{name}/{}", relation.arity), texts.collect())
        };
        InstanceLists {
            game: rules.name.clone(),
            instances: relations.map(list).collect(),
            account,
        }
    }
}

impl fmt::Display for DomainCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let header = ["", "graph", "reduced", "reachable", "domain"];
        let mut table = Table::new(&header, &header[1..4]);
        let number = |n: Option<usize>, method: &str| match n {
            Some(n) => n.to_string(),
            None if self.account.stopped.iter().any(|s| s == method) => "stopped".into(),
            None => "not computed".into(),
        };
        for e in &self.domains {
            let domain: String = match e.domain.chars().count() {
                0..=60 => e.domain.clone(),
                _ => e.domain.chars().take(59).chain(['…']).collect(),
            };
            table.row([
                format!("{}/{}", e.name, e.arity),
                e.graph_text.clone(),
                number(e.reduced, "reduced"),
                number(e.reachable, "reachable"),
                domain,
            ]);
        }
        write!(f, "{}\n{table}", self.game)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

impl fmt::Display for DomainGraphText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (vertices, edges) = (&self.vertices, &self.edges);
        writeln!(f, "{} vertices: {}", vertices.len(), vertices.join(", "))?;
        writeln!(f, "{} edges:", edges.len())?;
        edges.iter().try_for_each(|(a, b)| writeln!(f, "{a} -> {b}"))
    }
}

/// Every atom on a line.
impl fmt::Display for InstanceLists {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.instances.values().flatten().try_for_each(|atom| writeln!(f, "{atom}"))
    }
}
