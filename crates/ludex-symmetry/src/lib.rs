//! Symmetries: of rules (papers 001 and 002) and of nets, as maps that can be read and used; and
//! games that are the same in another guise.
//!
//! `normal.rs` brings rules into a normal form of the same meaning; `rule_graph.rs` builds the
//! graphs of both papers from them, in which goal values (`feeds.rs` finds them) are fixed. A
//! generator becomes a `Scrambling`, is applied to the rules, which must stay the same, and is
//! tried with the reasoner. The order that is reported is that of the rules as written or of their
//! normal form, whichever is larger: a normal form also loses symmetries that only move what it
//! removes.
//!
//! The ground game is compared as `Logic` (`logic.rs`), not as `Net`: conjunctions of any number of
//! literals, dissolved, reduced and unique, rules that grounding has split made whole again. A gate
//! with two operands depends on the order in which it was built, and so would the symmetries. Facts that
//! never change in a match are constants there (`Settled`), and ladders that count are nodes of their own
//! (`logic/counts.rs`). Constants that serve as several things are told apart by `sorts.rs`, and what
//! the rules show then joins the group (`groups.rs`).
//! `SymmetryMap` is a symmetry as dense tables of roles, bases and inputs with the numbers of the
//! net. `Representatives` gives one state for all symmetric ones: exact for groups that are listed
//! and for objects that are exchanged at will, which are sorted; nearly so along a stabiliser
//! chain. Symmetries of the rules that the logic does not show join its group (Schreier–Sims).
//! `words.rs` tells a `SymmetryMap` in words that can be read back: of the facts and moves of a
//! function all or nothing is told (`families.rs`), single ones are named, the rest is counted.
//! `ludex-cli/tests/generators/main.rs` reads words and JSON back and applies them to the reachable
//! states of many games.
//!
//! ```
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_symmetry::same::same_rules;
//!
//! let read = |text| Rules::read_part(&Source::new("lines", text), None).expect("rules").0;
//! let (a, b) = (read("(row 1) (row 2)"), read("(line b) (line a)"));
//! assert!(same_rules(&a, &b, &Budget::unlimited()).expect("there is no limit").is_same());
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod feeds;
pub mod rule_graph;
pub mod subsume;
mod twins;
pub mod normal;
pub mod scrambling;
mod sorts;
mod marks;
pub mod logic;
pub mod table;
pub mod net_graph;
pub mod groups;
mod families;
pub mod words;
pub mod describe;
pub mod verify;
pub mod found;
pub mod position;
pub mod representative;
pub mod elements;
pub mod same;

pub use elements::{ElementId, Elements};
pub use found::{KeptStructure, OfNet, OfRules, SymmetricGame, of_rules};
pub use groups::NetGroups;
pub use logic::{Logic, Settled};
pub use net_graph::{Keep, NetSymmetries};
pub use normal::{Normal, normalise};
pub use rule_graph::{RuleGraph, Style};
pub use scrambling::Scrambling;
pub use table::SymmetryMap;

use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, Symbol, Term, is_chance};
use ludex_graph::{Automorphisms, SparsePerm, Stopped, automorphisms};
use num_bigint::BigUint;

/// What symmetries of rules are asked for.
#[derive(Clone, Debug, Default)]
pub struct SymmetryQuestion {
    /// Keep the rules of `init`: symmetries of the initial state only.
    pub with_init: bool,
    /// Every role stays itself: state symmetries.
    pub fix_roles: bool,
    /// Take the rules as they are written, without the normal form.
    pub as_written: bool,
    /// Facts of one state, which every symmetry keeps as a whole.
    pub state: Option<Vec<Term>>,
}

/// The symmetries that the rules show.
#[derive(Clone, Debug)]
pub struct RuleSymmetries {
    pub order: BigUint,
    /// Every generator, applied to the rules, has given the same rules.
    pub generators: Vec<Scrambling>,
    pub normal: Normal,
    /// The constants that only facts of the state mention: they can be exchanged at will.
    pub free: Vec<Symbol>,
    /// Vertices and edges of the rule graph.
    pub size: (usize, usize),
}

impl RuleSymmetries {
    pub fn find(rules: &Rules, question: &SymmetryQuestion, budget: &Budget) -> Result<Self, Stop> {
        RuleSymmetries::of(prepare(rules, question, budget)?, question.fix_roles, budget)
    }

    /// Of rules that are prepared.
    pub(crate) fn of(normal: Normal, fix_roles: bool, budget: &Budget) -> Result<Self, Stop> {
        let mut fixed = feeds::constants(&normal.with_sources(), Rel::GOAL, 1);
        let roles = feeds::constants(&normal.rules, Rel::ROLE, 0);
        let own = |r: &Symbol| fix_roles || is_chance(normal.rules.symbols.name(*r));
        fixed.extend(roles.into_iter().filter(own));
        let mut graph = RuleGraph::new(&normal.rules, Style::Enhanced, &fixed);
        let free = free_constants(&normal, &graph);
        graph.add_free_constants(&normal.rules, &free, &fixed);
        let group = search(&graph, budget)?;
        let kernel = kernel_order(&graph, budget)?;
        let mut generators: Vec<Scrambling> = Vec::new();
        for perm in on_rule_graph(&group, graph.vertices.len()) {
            if let Some(scrambling) = Scrambling::of(&graph, &perm) {
                assert!(scrambling.keeps(&normal.rules, &graph, &perm), "{scrambling}");
                generators.push(scrambling);
            }
        }
        let size = (graph.vertices.len(), graph.arcs.len());
        Ok(RuleSymmetries { order: group.order / kernel, generators, normal, free, size })
    }
}

impl Normal {
    /// The rules with those left out that put facts and moves there, for the question what feeds what.
    pub fn with_sources(&self) -> Rules {
        let mut rules = self.rules.clone();
        rules.rules.extend(self.sources.iter().cloned());
        rules
    }
}

/// The rules whose graph is searched.
fn prepare(rules: &Rules, question: &SymmetryQuestion, budget: &Budget) -> Result<Normal, Stop> {
    let roots = roots(question.with_init);
    let mut rules = rules.clone();
    for fact in question.state.iter().flatten() {
        rules.add_fact(Rel::TRUE, vec![fact.clone()]);
    }
    if !question.as_written {
        return normalise(&rules, &roots, budget);
    }
    let dropped =
        |rel: Rel| matches!(rel, Rel::INIT | Rel::BASE | Rel::INPUT) && !roots.contains(&rel);
    let mut normal = Normal::as_written(rules);
    normal.rules.rules.retain(|r| !dropped(r.head.rel));
    Ok(normal)
}

/// The keywords whose rules are kept.
fn roots(with_init: bool) -> Vec<Rel> {
    let mut roots = vec![Rel::ROLE, Rel::LEGAL, Rel::NEXT, Rel::TERMINAL, Rel::GOAL, Rel::TRUE];
    roots.extend(with_init.then_some(Rel::INIT));
    roots
}

/// The constants of `init` and of declarations that the graph does not know.
fn free_constants(normal: &Normal, graph: &RuleGraph) -> Vec<Symbol> {
    let mut found = Vec::new();
    for rule in normal.sources.iter().filter(|r| r.head.rel == Rel::INIT) {
        rule.head.args.iter().for_each(|t| constants_of(t, &mut found));
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|c| graph.find(&rule_graph::Item::Function(*c, 0)).is_none());
    found
}

fn constants_of(t: &Term, found: &mut Vec<Symbol>) {
    if let Term::App(f, args) = t {
        if args.is_empty() {
            found.push(*f);
        }
        args.iter().for_each(|t| constants_of(t, found));
    }
}

fn search(graph: &RuleGraph, budget: &Budget) -> Result<Automorphisms, Stop> {
    let graph = graph.digraph().undirected();
    automorphisms(&graph, &|| budget.check().is_err()).map_err(|e| stopped(e, budget))
}

/// The number of automorphisms that move no symbol and no argument position.
fn kernel_order(graph: &RuleGraph, budget: &Budget) -> Result<BigUint, Stop> {
    let mut digraph = graph.digraph();
    let mut own = 1 << 30;
    for (colour, vertex) in digraph.colours.iter_mut().zip(&graph.vertices) {
        use rule_graph::Item::*;
        if !matches!(vertex.item, Occurrence | Rule(_) | Variable(..)) {
            own += 1;
            *colour = own;
        }
    }
    let group = automorphisms(&digraph.undirected(), &|| budget.check().is_err());
    Ok(group.map_err(|e| stopped(e, budget))?.order)
}

/// The generators on the vertices of the rule graph, without those that make arcs edges.
fn on_rule_graph(group: &Automorphisms, vertices: usize) -> Vec<SparsePerm> {
    let own = |g: &SparsePerm| {
        SparsePerm(g.0.iter().copied().filter(|m| (m.0 as usize) < vertices).collect())
    };
    group.generators.iter().map(own).collect()
}

pub fn stopped(_: Stopped, budget: &Budget) -> Stop {
    budget.check().err().unwrap_or(Stop::Interrupted)
}
