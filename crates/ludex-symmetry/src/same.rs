//! Games that are the same in another guise: canonical forms of rule graphs and of ground games.
//!
//! The rules are compared in normal form, with `init` and without the declarations `base` and `input`,
//! so that names, the order of rules, literals and arguments, and harmless differences do not matter.

use super::logic::Logic;
use super::net_graph::{Keep, NetGraph};
use super::rule_graph::{Item, RuleGraph, Style};
use super::{Normal, feeds, normalise, stopped};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, is_chance};
use ludex_graph::{Canonical, Graph, canonical};
use ludex_net::Net;
use ludex_net::ground::Ground;
use ludex_reason::interp::Interp;
use ludex_reason::{Joints, StateMachine};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The rule graph of a game's normal form, ready to be compared.
pub struct Guise {
    pub normal: Normal,
    graph: RuleGraph,
    plain: Graph,
}

impl Guise {
    pub fn new(rules: &Rules, budget: &Budget) -> Result<Guise, Stop> {
        let roots = [Rel::ROLE, Rel::INIT, Rel::LEGAL, Rel::NEXT, Rel::TERMINAL, Rel::GOAL];
        let normal = normalise(rules, &roots, budget)?;
        let mut fixed = feeds::constants(&normal.with_sources(), Rel::GOAL, 1);
        let roles = feeds::constants(rules, Rel::ROLE, 0);
        fixed.extend(roles.into_iter().filter(|r| is_chance(rules.symbols.name(*r))));
        let graph = RuleGraph::new(&normal.rules, Style::Enhanced, &fixed);
        let plain = graph.digraph().undirected();
        Ok(Guise { normal, graph, plain })
    }

    /// Cheap to compute, and equal for equal games: how many vertices have each colour and degree.
    pub fn census(&self) -> BTreeMap<(u32, usize), usize> {
        let mut census = BTreeMap::new();
        for v in 0..self.plain.len() as u32 {
            *census.entry((self.plain.colour(v), self.plain.degree(v))).or_default() += 1;
        }
        census
    }

    pub fn canonical(&self, budget: &Budget) -> Result<Canonical, Stop> {
        canonical(&self.plain, &|| budget.check().is_err()).map_err(|e| stopped(e, budget))
    }

    /// What every name and argument position of this game is called in another with the same form.
    pub(crate) fn names_in(&self, other: &Guise, map: &[u32]) -> Vec<(String, String)> {
        let named =
            |item: &Item| !matches!(item, Item::Occurrence | Item::Rule(_) | Item::Variable(..));
        let vertices = self.graph.vertices.iter().enumerate().filter(|(_, v)| named(&v.item));
        let mut names: Vec<(String, String)> = vertices
            .map(|(i, v)| (v.name.clone(), other.graph.vertices[map[i] as usize].name.clone()))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Where the two differ, in words, as far as counting tells.
    pub fn difference(&self, other: &Guise) -> String {
        let count = |g: &Guise| -> BTreeMap<String, usize> {
            let mut counts = BTreeMap::new();
            for rule in &g.normal.rules.rules {
                let rel = rule.head.rel;
                let name = if rel.is_keyword() {
                    format!("rules of {}", ludex_gdl::rules::KEYWORDS[rel.index()].0)
                } else {
                    "rules of other relations".to_string()
                };
                *counts.entry(name).or_default() += 1;
            }
            for v in &g.graph.vertices {
                if matches!(v.item, Item::Function(_, 0)) {
                    *counts.entry("constants".to_string()).or_default() += 1;
                }
            }
            counts
        };
        let (a, b) = (count(self), count(other));
        let mut all: Vec<&String> = a.keys().chain(b.keys()).collect();
        all.sort();
        all.dedup();
        let of = |m: &BTreeMap<String, usize>, k: &str| m.get(k).copied().unwrap_or(0);
        let found: Vec<String> = all
            .into_iter()
            .filter(|k| of(&a, k) != of(&b, k))
            .map(|k| format!("{k}: {} and {}", of(&a, k), of(&b, k)))
            .collect();
        match found.is_empty() {
            true => {
                "equally many rules and constants, but no renaming makes the rules equal".into()
            }
            false => found.join("; "),
        }
    }
}

/// The canonical hash of a game: the same for every guise of its rules.
pub fn hash(rules: &Rules, budget: &Budget) -> Result<String, Stop> {
    Ok(digest(&Guise::new(rules, budget)?.canonical(budget)?.graph))
}

fn digest(graph: &Graph) -> String {
    let mut sha = Sha256::new();
    for v in 0..graph.len() as u32 {
        sha.update(graph.colour(v).to_le_bytes());
        sha.update((graph.degree(v) as u32).to_le_bytes());
        graph.neighbours(v).iter().for_each(|w| sha.update(w.to_le_bytes()));
    }
    sha.finalize().iter().take(16).map(|b| format!("{b:02x}")).collect()
}

/// Names of this game with the names of the other one.
pub type Mapping = Vec<(String, String)>;

/// Whether two games are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// They are, if names are replaced like this.
    Same(Mapping),
    /// They are not, because of this.
    Different(String),
}

impl Likeness {
    pub fn is_same(&self) -> bool {
        matches!(self, Likeness::Same(_))
    }
}

/// Compares rules: the mapping, or why there is none.
pub fn same_rules(a: &Rules, b: &Rules, budget: &Budget) -> Result<Likeness, Stop> {
    let (x, y) = (Guise::new(a, budget)?, Guise::new(b, budget)?);
    if x.census() != y.census() {
        return Ok(Likeness::Different(x.difference(&y)));
    }
    Ok(match x.canonical(budget)?.map_to(&y.canonical(budget)?) {
        Some(map) => Likeness::Same(x.names_in(&y, &map)),
        None => Likeness::Different(x.difference(&y)),
    })
}

/// Compares ground games, facts and moves by what they do: the mapping, or why there is none.
pub fn same_nets(
    a: (&Ground, &Net),
    b: (&Ground, &Net),
    budget: &Budget,
) -> Result<Likeness, Stop> {
    let counts = |net: &Net| (net.roles.len(), net.bases.len(), net.inputs.len());
    if counts(a.1) != counts(b.1) {
        let (x, y) = (counts(a.1), counts(b.1));
        let text = format!("roles, facts and moves: {x:?} and {y:?}");
        return Ok(Likeness::Different(text));
    }
    let Some(map) = net_form(a.0, budget)?.map_to(&net_form(b.0, budget)?) else {
        return Ok(Likeness::Different("facts and moves do different things".into()));
    };
    let (from, to) = (names(a.1), names(b.1));
    let pair = |(i, name): (usize, String)| (name, to[map[i] as usize].clone());
    Ok(Likeness::Same(from.into_iter().enumerate().map(pair).collect()))
}

fn net_form(ground: &Ground, budget: &Budget) -> Result<Canonical, Stop> {
    let logic = Logic::new(ground, budget)?;
    let keep = Keep { roles: false, state: Some(&logic.initial) };
    let graph = NetGraph::new(&logic, keep, budget)?.graph;
    canonical(&graph, &|| budget.check().is_err()).map_err(|e| stopped(e, budget))
}

/// The roles, facts and moves of a ground game, each with its place in an order that all guises of the game share, but
/// for symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalOrder {
    /// As `net_hash`.
    pub hash: String,
    pub roles: Vec<u32>,
    pub bases: Vec<u32>,
    pub inputs: Vec<u32>,
}

impl CanonicalOrder {
    pub fn new(ground: &Ground, net: &Net, budget: &Budget) -> Result<CanonicalOrder, Stop> {
        let form = net_form(ground, budget)?;
        let (roles, rest) = form.label.split_at(net.roles.len());
        let (bases, rest) = rest.split_at(net.bases.len());
        Ok(CanonicalOrder {
            hash: digest(&form.graph),
            roles: ranks(roles),
            bases: ranks(bases),
            inputs: ranks(&rest[..net.inputs.len()]),
        })
    }
}

/// How many of some different labels are less than each.
fn ranks(labels: &[u32]) -> Vec<u32> {
    let mut places: Vec<usize> = (0..labels.len()).collect();
    places.sort_by_key(|place| labels[*place]);
    let mut ranks = vec![0; labels.len()];
    for (rank, place) in places.into_iter().enumerate() {
        ranks[place] = rank as u32;
    }
    ranks
}

/// The canonical hash of a ground game: the same for every guise in which it comes out as the same
/// facts and moves.
pub fn net_hash(ground: &Ground, budget: &Budget) -> Result<String, Stop> {
    Ok(digest(&net_form(ground, budget)?.graph))
}

/// How a match begins, in numbers that do not depend on writing: legal moves by role at first, and after
/// every first joint move where these are few. Different for most different games.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpeningProfile {
    roles: usize,
    first: Branching,
    second: Vec<Branching>,
}

/// Whether a state is terminal, and its numbers of legal moves, sorted.
type Branching = (bool, Vec<usize>);

/// With more joint moves the second step is not looked at.
const MOST_JOINT: usize = 200;

impl OpeningProfile {
    /// None where the rules cannot be played.
    pub fn new(rules: &Rules, budget: &Budget) -> Option<OpeningProfile> {
        let mut game = Interp::with_budget(rules, budget).ok()?;
        let state = game.initial();
        let first = branching(&mut game, &state);
        let few = first.1.iter().try_fold(1usize, |n, k| n.checked_mul(*k));
        let mut second = Vec::new();
        if !first.0 && few.is_some_and(|n| n <= MOST_JOINT) {
            for joint in Joints::of(&mut game, &state) {
                budget.check().ok()?;
                let next = game.next(&state, &joint);
                second.push(branching(&mut game, &next));
            }
        }
        second.sort();
        budget.check().ok()?;
        Some(OpeningProfile { roles: game.roles(), first, second })
    }
}

fn branching(game: &mut Interp, state: &<Interp as StateMachine>::State) -> Branching {
    let mut numbers = Vec::new();
    for role in 0..game.roles() {
        let mut legal = Vec::new();
        game.legal(state, role, &mut legal);
        legal.sort_unstable();
        legal.dedup();
        numbers.push(legal.len());
    }
    numbers.sort_unstable();
    (game.terminal(state), numbers)
}

/// Roles, bases and inputs in the order of the graph's first vertices.
fn names(net: &Net) -> Vec<String> {
    let roles = net.roles.iter().cloned();
    let bases = net.bases.iter().map(|b| b.name.clone());
    let inputs = net.inputs.iter().map(|i| format!("{} {}", net.roles[i.role], i.name));
    roles.chain(bases).chain(inputs).collect()
}
