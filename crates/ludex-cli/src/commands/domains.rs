//! `ludex domains`: what the arguments of predicates and functions can be.

use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::domains::{
    Count, DomainGraph, DomainOwner, DomainSizes, DomainVertex, Domains, Methods, reachable,
    reduced,
};
use ludex::instances::Instances;
use ludex::rules::{Rel, Rules};
use serde_json::{Value, json};
use std::io::Write;

/// Show what the arguments of every predicate and function can be, and how many instances that makes:
/// by the domain graph, after its reduction, and reachable from the initial state.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex domains tictactoe
  ludex domains tictactoe --graph
  ludex domains tictactoe --dot | dot -Tsvg > domains.svg
  ludex domains blocksworld --reduce")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the vertices and edges of the domain graph.
    #[arg(long, group = "what")]
    graph: bool,
    /// Print the domain graph in the language of Graphviz.
    #[arg(long, group = "what")]
    dot: bool,
    /// Print the instances that the reduction leaves.
    #[arg(long, group = "what")]
    reduce: bool,
    /// Print the instances that are reachable.
    #[arg(long, group = "what")]
    reachable: bool,
}

const PLAN: Plan = Plan::soon(&["domains", "notes"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| show(args, session, game))
}

fn show(args: &Args, session: &Session, game: &str) -> Outcome {
    let game = session.load(game)?;
    let rules = game.rules();
    if args.graph || args.dot {
        return print_graph(args, session, rules);
    }
    if args.reduce {
        let found = reduced(rules, &DomainGraph::new(rules), &session.budget())?;
        return print_instances(session, rules, &found);
    }
    if args.reachable {
        return print_instances(session, rules, &reachable(rules, &session.budget())?);
    }
    let found = |all: bool| {
        let methods = Methods { reduced: all, reachable: all };
        Found { rules, domains: Domains::new(rules, methods, &session.budget()), all }
    };
    session.draft(&found(false))?;
    let found = found(true);
    session.tell(&found)?;
    found.domains.stopped.map_or(Ok(()), |stop| Err(stop.into()))
}

struct Found<'a> {
    rules: &'a Rules,
    domains: Domains,
    /// Was everything asked for?
    all: bool,
}

impl Found<'_> {
    /// The methods that have no numbers because of a limit.
    fn stopped(&self) -> Vec<&'static str> {
        let Found { domains, all, .. } = self;
        let missing = |of: fn(&DomainSizes) -> Option<usize>| {
            (!all || domains.stopped.is_some()) && domains.entries.iter().all(|e| of(e).is_none())
        };
        let methods =
            [("reduced", missing(|e| e.reduced)), ("reachable", missing(|e| e.reachable))];
        methods.iter().filter(|m| m.1).map(|m| m.0).collect()
    }
}

impl Answer for Found<'_> {
    fn object(&self) -> Value {
        json!({
            "game": self.rules.name,
            "domains": own(self.rules, &self.domains).map(entry_json).collect::<Vec<_>>(),
            "notes": self.domains.notes,
            "stopped": self.stopped(),
        })
    }

    fn print(&self, session: &Session) -> Outcome {
        print_table(session, self.rules, &self.domains, &self.stopped())
    }
}

/// The entries without relations that only stand for an `or`.
fn own<'a>(rules: &'a Rules, domains: &'a Domains) -> impl Iterator<Item = &'a DomainSizes> {
    let auxiliary =
        |o: DomainOwner| matches!(o, DomainOwner::Predicate(rel) if rules.relation(rel).auxiliary);
    domains.entries.iter().filter(move |e| !auxiliary(e.owner))
}

fn entry_json(entry: &DomainSizes) -> Value {
    let kind =
        if matches!(entry.owner, DomainOwner::Predicate(_)) { "predicate" } else { "function" };
    json!({
        "kind": kind,
        "name": entry.name,
        "arity": entry.arity,
        "domain": entry.domain,
        "graph": count_json(entry.graph),
        "reduced": entry.reduced,
        "reachable": entry.reachable,
    })
}

/// A number; a decimal string where a number would lose digits; none where there is no number.
fn count_json(count: Count) -> Value {
    match (count, count.exact()) {
        (_, Some(n)) => n.into(),
        (Count::Finite(n), None) => n.to_string().into(),
        _ => Value::Null,
    }
}

fn print_table(session: &Session, rules: &Rules, domains: &Domains, stopped: &[&str]) -> Outcome {
    let header = ["", "graph", "reduced", "reachable", "domain"];
    let mut table = session.table(&header, &["graph", "reduced", "reachable"]);
    let number = |n: Option<usize>, method: &str| match n {
        Some(n) => n.to_string(),
        None if stopped.contains(&method) => STOPPED.into(),
        None => "not computed".into(),
    };
    for e in own(rules, domains) {
        let domain: String = match e.domain.chars().count() {
            0..=60 => e.domain.clone(),
            _ => e.domain.chars().take(59).chain(['…']).collect(),
        };
        table.add_row([
            format!("{}/{}", e.name, e.arity),
            e.graph.to_string(),
            number(e.reduced, "reduced"),
            number(e.reachable, "reachable"),
            domain,
        ]);
    }
    writeln!(session.out(), "{}", rules.name)?;
    session.print_table(&table)?;
    domains.notes.iter().try_for_each(|n| Ok(writeln!(session.out(), "{n}")?))
}

fn print_graph(args: &Args, session: &Session, rules: &Rules) -> Outcome {
    let graph = DomainGraph::new(rules);
    if args.dot {
        return Ok(write!(session.out(), "{}", graph.dot(rules))?);
    }
    let text = |v: &DomainVertex| graph.vertex_text(rules, *v);
    let vertices: Vec<String> = graph.vertices.iter().map(text).collect();
    let edges: Vec<(String, String)> =
        graph.edges.iter().map(|(a, b)| (text(a), text(b))).collect();
    if session.json {
        return session.line(&json!({"game": rules.name, "vertices": vertices, "edges": edges}));
    }
    writeln!(session.out(), "{} vertices: {}", vertices.len(), vertices.join(", "))?;
    writeln!(session.out(), "{} edges:", edges.len())?;
    edges.iter().try_for_each(|(a, b)| Ok(writeln!(session.out(), "{a} -> {b}")?))
}

/// Every atom on a line, or an object of lists.
fn print_instances(session: &Session, rules: &Rules, found: &Instances) -> Outcome {
    let mut all = serde_json::Map::new();
    for (i, relation) in rules.relations.iter().enumerate().filter(|(_, r)| !r.auxiliary) {
        let name = rules.symbols.name(relation.name);
        let with_name = |args: String| match args.is_empty() {
            true => name.to_string(),
            false => format!("({name} {args})"),
        };
        let texts = found.texts_without_name(rules, Rel(i as u32)).into_iter().map(with_name);
        if session.json {
            all.insert(format!("{name}/{}", relation.arity), texts.collect());
        } else {
            texts.into_iter().try_for_each(|t| writeln!(session.out(), "{t}"))?;
        }
    }
    match session.json {
        true => session.line(&json!({"game": rules.name, "instances": all})),
        false => Ok(()),
    }
}
