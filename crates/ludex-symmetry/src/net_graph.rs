//! `Logic` -> `NetSymmetries`: the symmetries of the ground game, whatever its rules look like.
//!
//! The graph has a vertex for every role, base, input, conjunction and negation (one for both where a
//! conjunction is only used negated, as rules are), and one for every output: the next value of a base, the legality of an input, terminal, each goal value of a role.
//! The colour of a conjunction tells its depth, so that edges need no direction.

use super::logic::{Logic, LogicNode};
use super::stopped;
use super::table::SymmetryMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_graph::{Automorphisms, Graph, SparsePerm, Stopped, with_stabiliser};
use ludex_net::Lit;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The symmetries of a ground game.
#[derive(Clone, Debug)]
pub struct NetSymmetries {
    pub order: BigUint,
    pub generators: Vec<SymmetryMap>,
    /// False where the search was stopped: these are the symmetries found by then.
    pub complete: bool,
    /// Vertices and edges of the graph.
    pub size: (usize, usize),
}

/// What the symmetries must keep.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep<'a> {
    pub roles: bool,
    /// A state, one bit per base.
    pub state: Option<&'a [bool]>,
}

impl NetSymmetries {
    pub fn find(logic: &Logic, keep: Keep, budget: &Budget) -> Result<NetSymmetries, Stop> {
        Ok(NetSymmetries::with_and_without_roles(logic, keep, budget)?.0)
    }

    /// All symmetries, and those that leave every role alone, whose generators are the first of all.
    pub(crate) fn with_and_without_roles(
        logic: &Logic,
        keep: Keep,
        budget: &Budget,
    ) -> Result<(NetSymmetries, NetSymmetries), Stop> {
        let graph = NetGraph::new(logic, keep, budget)?.graph;
        let stop = || budget.check().is_err();
        let search = |graph: &Graph, roles: &[u32]| {
            with_stabiliser(graph, roles, &stop).map_err(|e| stopped(e, budget))
        };
        let roles: Vec<u32> = (0..logic.roles.len() as u32).collect();
        let (group, order, fixed) = search(&graph, &roles)?;
        // Conjunctions are all different, so that only recursion and gatherings leave anything else to move.
        let kernel = match logic.follows_leaves() {
            false => search(&leaves_fixed(&graph, logic), &[])?.0,
            true => Automorphisms { order: BigUint::from(1u32), ..group.clone() },
        };
        // How much of the kernel a part of the group has is not known.
        if !(logic.follows_leaves() || group.complete && kernel.complete) {
            return Err(stopped(Stopped, budget));
        }
        let kernel = kernel.order;
        let of = |order: &BigUint, generators: &[SparsePerm]| {
            let mut tables = Vec::new();
            for generator in generators {
                // A table is as large as the game, and there may be as many.
                if budget.check() == Err(Stop::Memory) {
                    return Err(Stop::Memory);
                }
                tables.push(SymmetryMap::of_vertices(logic, generator));
            }
            tables.retain(|table| !table.is_identity());
            let (order, size) = (order / &kernel, (graph.len(), graph.edges()));
            Ok(NetSymmetries { order, generators: tables, complete: group.complete, size })
        };
        Ok((of(&group.order, &group.generators)?, of(&order, &group.generators[..fixed])?))
    }
}

fn leaves_fixed(graph: &Graph, logic: &Logic) -> Graph {
    let leaves = logic.roles.len() + logic.bases.len() + logic.inputs.len();
    let mut colours = graph.colours().to_vec();
    for (i, c) in colours[..leaves].iter_mut().enumerate() {
        *c = u32::MAX - i as u32;
    }
    graph.recoloured(colours)
}

/// The graph: first the roles, then the bases, then the inputs, then the rest.
pub(crate) struct NetGraph {
    pub graph: Graph,
}

#[derive(Clone, Copy)]
enum VertexKind {
    Role,
    Base,
    TrueBase,
    Input,
    Next,
    Legal,
    Terminal,
    True,
    Not,
    And,
    /// The negation of a conjunction that is never used itself.
    Nand,
    Atom,
    Rule,
    Head,
    Goal,
    /// True from the beginning and ever after. The net does not read it any more, the rules do.
    ConstantBase,
    /// What is settled, each by itself: no symmetry moves it.
    Settled,
    /// A set of nodes that are counted, those who count it, and the numbers that will do.
    Set,
    Count,
    Number,
    /// A gathering, its places with their conditions, its kinds of steps, its values, and steps as what they
    /// leave and where they lead.
    Gathering,
    Place,
    Condition,
    StepKind,
    Value,
    Start,
    From,
    To,
    Top,
}

/// Kinds and depths as colours that are the same for every game.
fn colour(kind: VertexKind, depth: u32) -> u32 {
    (kind as u32) << 26 | depth.min((1 << 26) - 1)
}

/// A role's own colour, or that of all; chance has one of its own that is the same in every game.
fn role_colour(role: usize, own: bool, chance: bool) -> u32 {
    let number = match (chance, own) {
        (true, _) => 1,
        (false, true) => 2 + role as u32,
        (false, false) => 0,
    };
    colour(VertexKind::Role, number)
}

struct NetGraphBuilder<'a> {
    logic: &'a Logic,
    colours: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// The vertex of every node, and of its negation once it is used.
    vertex: Vec<u32>,
    negation: FxHashMap<usize, u32>,
    /// The vertices of sets that are counted, and of numbers.
    sets: FxHashMap<u32, u32>,
    numbers: FxHashMap<usize, u32>,
    /// The vertices of gatherings, and of their first values.
    gatherings: FxHashMap<u32, (u32, u32)>,
    depth: Vec<u32>,
}

impl NetGraph {
    pub fn new(logic: &Logic, keep: Keep, budget: &Budget) -> Result<NetGraph, Stop> {
        let mut builder = NetGraphBuilder {
            logic,
            colours: vec![],
            edges: vec![],
            vertex: vec![0; logic.nodes.len()],
            negation: FxHashMap::default(),
            sets: FxHashMap::default(),
            numbers: FxHashMap::default(),
            gatherings: FxHashMap::default(),
            depth: depths(logic),
        };
        builder.leaves(keep);
        builder.inner_nodes(budget)?;
        builder.outputs();
        budget.check()?;
        Ok(NetGraph { graph: Graph::new(builder.colours, &builder.edges) })
    }
}

impl NetGraphBuilder<'_> {
    fn add(&mut self, colour: u32) -> u32 {
        self.colours.push(colour);
        self.colours.len() as u32 - 1
    }

    fn leaves(&mut self, keep: Keep) {
        for role in 0..self.logic.roles.len() {
            self.add(role_colour(role, keep.roles, self.logic.chance == Some(role)));
        }
        for b in 0..self.logic.bases.len() {
            let constant = self.logic.initial[b] && self.logic.next[b] == Lit::TRUE;
            let own = match keep.state.is_some_and(|s| s[b]) {
                _ if self.logic.settled.bases[b].is_some() => {
                    colour(VertexKind::Settled, 2 * b as u32)
                }
                _ if constant => colour(VertexKind::ConstantBase, 0),
                true => colour(VertexKind::TrueBase, 0),
                false => colour(VertexKind::Base, 0),
            };
            self.vertex[1 + b] = self.add(own);
        }
        for (i, &(role, _)) in self.logic.inputs.iter().enumerate() {
            // What is never made is nobody's, so that roles can change places without it.
            let never = self.logic.settled.inputs[i] == Some(false);
            let v = self.add(match never {
                true => colour(VertexKind::Settled, 2 * i as u32 + 1),
                false => colour(VertexKind::Input, 0),
            });
            self.vertex[1 + self.logic.bases.len() + i] = v;
            self.edges.extend((!never).then_some((role as u32, v)));
        }
    }

    fn inner_nodes(&mut self, budget: &Budget) -> Result<(), Stop> {
        let logic = self.logic;
        let first = 1 + logic.bases.len() + logic.inputs.len();
        self.vertex[0] = u32::MAX;
        let live = logic.live();
        let plain = used_plainly(logic, &live);
        for node in (first..logic.nodes.len()).filter(|&n| live[n]) {
            let kind = match logic.nodes[node] {
                LogicNode::And(_) if plain[node] => VertexKind::And,
                LogicNode::And(_) => VertexKind::Nand,
                LogicNode::Count(..) => VertexKind::Count,
                LogicNode::Gathering(..) => VertexKind::Top,
                _ => VertexKind::Atom,
            };
            let v = self.add(colour(kind, self.depth[node]));
            self.vertex[node] = v;
            if matches!(kind, VertexKind::Nand) {
                self.negation.insert(node, v);
            }
        }
        for node in (first..logic.nodes.len()).filter(|&n| live[n]) {
            budget.check()?;
            match &logic.nodes[node] {
                LogicNode::And(lits) => self.operands(self.vertex[node], lits),
                LogicNode::Recursive(rules) => {
                    for lits in rules {
                        let rule = self.add(colour(VertexKind::Rule, self.depth[node]));
                        let head = self.add(colour(VertexKind::Head, 0));
                        self.edges.extend([(self.vertex[node], head), (head, rule)]);
                        self.operands(rule, lits);
                    }
                }
                LogicNode::Count(set, numbers) => self.count(node, *set, numbers),
                LogicNode::Gathering(gathering, value) => {
                    let (own, values) = self.gathering(*gathering, self.depth[node]);
                    let v = self.vertex[node];
                    self.edges.extend([(v, own), (v, values + value)]);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn count(&mut self, node: usize, set: u32, numbers: &[bool]) {
        let v = self.vertex[node];
        let counted = match self.sets.get(&set) {
            Some(counted) => *counted,
            None => {
                let counted = self.add(colour(VertexKind::Set, self.depth[node]));
                self.sets.insert(set, counted);
                let nodes = &self.logic.counts.sets[set as usize];
                self.edges.extend(nodes.iter().map(|n| (counted, self.vertex[*n])));
                counted
            }
        };
        self.edges.push((v, counted));
        for (n, _) in numbers.iter().enumerate().filter(|(_, will_do)| **will_do) {
            let number = match self.numbers.get(&n) {
                Some(number) => *number,
                None => self.add(colour(VertexKind::Number, n as u32)),
            };
            self.numbers.insert(n, number);
            self.edges.push((v, number));
        }
    }

    /// The vertices of a gathering and of its first value, which the others follow.
    fn gathering(&mut self, number: u32, depth: u32) -> (u32, u32) {
        if let Some(known) = self.gatherings.get(&number) {
            return *known;
        }
        let gathering = &self.logic.gatherings[number as usize];
        let own = self.add(colour(VertexKind::Gathering, depth));
        let kinds = gathering.steps.iter().map(|s| s.0 + 1).max().unwrap_or(0);
        let first_kind = self.colours.len() as u32;
        for _ in 0..kinds {
            self.add(colour(VertexKind::StepKind, depth));
        }
        let values = self.colours.len() as u32;
        for value in 0..gathering.values {
            let kind = if value == gathering.start { VertexKind::Start } else { VertexKind::Value };
            let v = self.add(colour(kind, depth));
            self.edges.push((own, v));
        }
        for (kind, before, after) in &gathering.steps {
            let from = self.add(colour(VertexKind::From, depth));
            let to = self.add(colour(VertexKind::To, depth));
            let kind = first_kind + kind;
            self.edges.extend([
                (kind, from),
                (from, values + before),
                (from, to),
                (to, values + after),
            ]);
        }
        for conditions in &gathering.places {
            let place = self.add(colour(VertexKind::Place, depth));
            self.edges.push((own, place));
            for (lit, kind) in conditions {
                let condition = self.add(colour(VertexKind::Condition, depth));
                let v = self.literal(*lit);
                self.edges.extend([
                    (place, condition),
                    (condition, first_kind + kind),
                    (condition, v),
                ]);
            }
        }
        self.gatherings.insert(number, (own, values));
        (own, values)
    }

    fn operands(&mut self, user: u32, lits: &[Lit]) {
        for &lit in lits {
            let v = self.literal(lit);
            self.edges.push((user, v));
        }
    }

    fn literal(&mut self, lit: Lit) -> u32 {
        let node = lit.gate();
        if node == 0 && self.vertex[0] == u32::MAX {
            self.vertex[0] = self.add(colour(VertexKind::True, 0));
        }
        if !lit.negated() {
            return self.vertex[node];
        }
        if let Some(&v) = self.negation.get(&node) {
            return v;
        }
        let v = self.add(colour(VertexKind::Not, self.depth[node]));
        self.edges.push((v, self.vertex[node]));
        self.negation.insert(node, v);
        v
    }

    fn outputs(&mut self) {
        let logic = self.logic;
        for (b, &lit) in logic.next.iter().enumerate() {
            // Two vertices, since a base can be its own condition.
            let out = self.add(colour(VertexKind::Next, 0));
            self.edges.push((self.vertex[1 + b], out));
            self.output(colour(VertexKind::Head, 1), out, lit);
        }
        for (i, &lit) in logic.legal.iter().enumerate() {
            self.output(colour(VertexKind::Legal, 0), self.vertex[1 + logic.bases.len() + i], lit);
        }
        for &(role, value, lit) in &logic.goals {
            self.output(colour(VertexKind::Goal, (value + (1 << 24)) as u32), role as u32, lit);
        }
        let terminal = self.add(colour(VertexKind::Terminal, 0));
        let condition = self.literal(logic.terminal);
        self.edges.push((terminal, condition));
    }

    /// Between an owner and a literal, which no input and no role is.
    fn output(&mut self, colour: u32, owner: u32, lit: Lit) {
        let out = self.add(colour);
        let v = self.literal(lit);
        self.edges.extend([(owner, out), (out, v)]);
    }
}

/// The nodes that are somewhere used without negation.
fn used_plainly(logic: &Logic, live: &[bool]) -> Vec<bool> {
    let mut plain = vec![false; logic.nodes.len()];
    let mut note = |l: &Lit| plain[l.gate()] |= !l.negated();
    for (node, _) in logic.nodes.iter().zip(live).filter(|(_, live)| **live) {
        match node {
            LogicNode::And(lits) => lits.iter().for_each(&mut note),
            LogicNode::Recursive(rules) => rules.iter().flatten().for_each(&mut note),
            LogicNode::Count(set, _) => {
                let nodes = logic.counts.sets[*set as usize].iter();
                nodes.for_each(|n| note(&Lit::new(*n, false)));
            }
            LogicNode::Gathering(gathering, _) => {
                let places = &logic.gatherings[*gathering as usize].places;
                places.iter().flatten().for_each(|(condition, _)| note(condition));
            }
            _ => {}
        }
    }
    logic.next.iter().chain(&logic.legal).for_each(&mut note);
    logic.goals.iter().for_each(|g| note(&g.2));
    note(&logic.terminal);
    plain
}

/// The longest way from a node down to the leaves; atoms of one component have the same.
fn depths(logic: &Logic) -> Vec<u32> {
    let mut depth = vec![0; logic.nodes.len()];
    let mut components = logic.components.iter().cloned().peekable();
    let mut node = 0;
    while node < logic.nodes.len() {
        let range = components.next_if(|c| c.start == node).unwrap_or(node..node + 1);
        let operands = logic.nodes[range.clone()].iter().flat_map(|n| match n {
            LogicNode::And(lits) => vec![&lits[..]],
            LogicNode::Recursive(rules) => rules.iter().map(|r| &r[..]).collect(),
            _ => vec![],
        });
        let counted = logic.nodes[range.clone()].iter().flat_map(|n| match n {
            LogicNode::Count(set, _) => logic.counts.sets[*set as usize].to_vec(),
            LogicNode::Gathering(gathering, _) => {
                logic.gatherings[*gathering as usize].nodes().collect()
            }
            _ => vec![],
        });
        let all = operands.flatten().map(|l| l.gate()).chain(counted);
        let outside = all.filter(|n| *n < range.start);
        let above = outside.map(|n| 1 + depth[n]).max().unwrap_or(0);
        depth[range.clone()].fill(above);
        node = range.end;
    }
    depth
}
