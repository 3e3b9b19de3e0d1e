//! `Scrambling`: a one-to-one map of relations, functions, constants and argument positions (002).

use super::rule_graph::{Item, RuleGraph};
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use ludex_graph::SparsePerm;
use rustc_hash::FxHashMap;
use std::fmt;

/// What is not listed stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scrambling {
    functions: FxHashMap<(Symbol, usize), Image<Symbol>>,
    relations: FxHashMap<Rel, Image<Rel>>,
    /// Every moved symbol and argument position by name, in cycles, for people.
    pub cycles: Vec<Vec<String>>,
    /// The cycles that are of constants.
    pub constants: Vec<Vec<Symbol>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Image<T> {
    to: T,
    /// Argument `i` becomes argument `place[i]`.
    place: Vec<usize>,
}

impl Scrambling {
    /// What an automorphism does to symbols and argument positions; none if nothing.
    pub fn of(graph: &RuleGraph, perm: &SparsePerm) -> Option<Scrambling> {
        let mut found = Scrambling::default();
        for &(v, w) in &perm.0 {
            let (from, to) = (&graph.vertices[v as usize].item, &graph.vertices[w as usize].item);
            found.note(from, to);
        }
        found.cycles = cycles(graph, perm, &|_| true);
        let constants = constant_cycles(graph, perm);
        found.constants = constants;
        (!found.cycles.is_empty()).then_some(found)
    }

    fn note(&mut self, from: &Item, to: &Item) {
        match (from, to) {
            (Item::Function(f, n), Item::Function(g, _)) => self.function(*f, *n).to = *g,
            (Item::Relation(p), Item::Relation(q)) => self.relation(*p).to = *q,
            (Item::FunctionArgument(f, n, i), Item::FunctionArgument(_, _, j)) => {
                set(&mut self.function(*f, *n).place, *i, *j)
            }
            (Item::RelationArgument(p, i), Item::RelationArgument(_, j)) => {
                set(&mut self.relation(*p).place, *i, *j)
            }
            _ => {}
        }
    }

    fn function(&mut self, f: Symbol, arity: usize) -> &mut Image<Symbol> {
        let own = || Image { to: f, place: (0..arity).collect() };
        self.functions.entry((f, arity)).or_insert_with(own)
    }

    fn relation(&mut self, p: Rel) -> &mut Image<Rel> {
        self.relations.entry(p).or_insert_with(|| Image { to: p, place: vec![] })
    }

    pub fn constant(&self, c: Symbol) -> Symbol {
        self.functions.get(&(c, 0)).map_or(c, |image| image.to)
    }

    pub fn term(&self, t: &Term) -> Term {
        match t {
            Term::Var(_) => t.clone(),
            Term::App(f, args) => {
                let args: Vec<Term> = args.iter().map(|t| self.term(t)).collect();
                match self.functions.get(&(*f, args.len())) {
                    None => Term::App(*f, args),
                    Some(image) => Term::App(image.to, placed(args, &image.place)),
                }
            }
        }
    }

    /// The image of a ground term of the game, some of whose parts may be constants to the rules'
    /// normal form.
    pub fn ground_term(&self, t: &Term, opaque: &FxHashMap<Term, Symbol>) -> Term {
        if opaque.is_empty() {
            return self.term(t);
        }
        let closed = super::normal::close(t, opaque);
        open(&self.term(&closed), &opaque.iter().map(|(t, s)| (*s, t)).collect())
    }

    pub fn atom(&self, a: &Atom) -> Atom {
        let args: Vec<Term> = a.args.iter().map(|t| self.term(t)).collect();
        match self.relations.get(&a.rel) {
            None => Atom { rel: a.rel, args },
            Some(image) => Atom { rel: image.to, args: placed(args, &image.place) },
        }
    }

    pub fn literal(&self, l: &Literal) -> Literal {
        match l {
            Literal::Pos(a) => Literal::Pos(self.atom(a)),
            Literal::Neg(a) => Literal::Neg(self.atom(a)),
            Literal::Distinct(a, b) => {
                let (a, b) = (self.term(a), self.term(b));
                if b < a { Literal::Distinct(b, a) } else { Literal::Distinct(a, b) }
            }
        }
    }

    pub fn rule(&self, r: &Rule) -> Rule {
        Rule {
            head: self.atom(&r.head),
            body: r.body.iter().map(|l| self.literal(l)).collect(),
            ..r.clone()
        }
    }

    /// Whether the automorphism turns the rules into the same set of rules, read off rule by rule:
    /// the scrambled rule, its variables renamed as the vertices say, is the rule of the image vertex.
    pub fn keeps(&self, rules: &Rules, graph: &RuleGraph, perm: &SparsePerm) -> bool {
        let image = |item: &Item| {
            let v = graph.find(item)?;
            Some(&graph.vertices[perm.image(v) as usize].item)
        };
        (0..rules.rules.len()).all(|number| {
            let Some(target) = target_rule(graph, perm, number) else { return false };
            let variable = |v: u32| match image(&Item::Variable(number, v)) {
                Some(Item::Variable(at, w)) if *at == target => Some(*w),
                _ => None,
            };
            let scrambled = self.rule(&rules.rules[number]);
            same_rule(&scrambled, &rules.rules[target], &variable)
        })
    }
}

/// The number of the rule that a rule's vertex goes to.
fn target_rule(graph: &RuleGraph, perm: &SparsePerm, number: usize) -> Option<usize> {
    let v = graph.rule_vertex(number);
    match &graph.vertices[perm.image(v) as usize].item {
        Item::Rule(target) => Some(*target),
        _ => None,
    }
}

fn same_rule(a: &Rule, b: &Rule, variable: &dyn Fn(u32) -> Option<u32>) -> bool {
    let term = |t: &Term| rename(t, variable);
    let atom = |x: &Atom| Atom { rel: x.rel, args: x.args.iter().map(term).collect() };
    let literal = |l: &Literal| match l {
        Literal::Pos(x) => Literal::Pos(atom(x)),
        Literal::Neg(x) => Literal::Neg(atom(x)),
        Literal::Distinct(x, y) => ordered(term(x), term(y)),
    };
    let target = |l: &Literal| match l {
        Literal::Distinct(x, y) => ordered(x.clone(), y.clone()),
        other => other.clone(),
    };
    let mut left: Vec<Literal> = a.body.iter().map(literal).collect();
    let mut right: Vec<Literal> = b.body.iter().map(target).collect();
    left.sort_unstable();
    right.sort_unstable();
    atom(&a.head) == b.head && left == right
}

fn ordered(a: Term, b: Term) -> Literal {
    if b < a { Literal::Distinct(b, a) } else { Literal::Distinct(a, b) }
}

fn rename(t: &Term, variable: &dyn Fn(u32) -> Option<u32>) -> Term {
    match t {
        Term::Var(v) => Term::Var(variable(*v).unwrap_or(u32::MAX)),
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| rename(t, variable)).collect()),
    }
}

/// The term with constants opened that stand for terms.
pub(crate) fn open(t: &Term, inside: &FxHashMap<Symbol, &Term>) -> Term {
    match t {
        Term::App(f, args) if args.is_empty() => {
            inside.get(f).map_or_else(|| t.clone(), |t| (*t).clone())
        }
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| open(t, inside)).collect()),
        Term::Var(_) => t.clone(),
    }
}

fn set(place: &mut Vec<usize>, i: usize, j: usize) {
    while place.len() <= i {
        place.push(place.len());
    }
    place[i] = j;
}

/// The terms, each at its place; places beyond the list are their own.
fn placed(args: Vec<Term>, place: &[usize]) -> Vec<Term> {
    let mut out = args.clone();
    for (i, t) in args.into_iter().enumerate() {
        out[place.get(i).copied().unwrap_or(i)] = t;
    }
    out
}

fn is_named(item: &Item) -> bool {
    !matches!(item, Item::Occurrence | Item::Rule(_) | Item::Variable(..))
}

/// The cycles of named vertices, constants first, in the order of their vertices.
fn cycles(graph: &RuleGraph, perm: &SparsePerm, keep: &dyn Fn(&Item) -> bool) -> Vec<Vec<String>> {
    let name = |v: &u32| graph.vertices[*v as usize].name.clone();
    vertex_cycles(graph, perm, keep).iter().map(|c| c.iter().map(name).collect()).collect()
}

fn constant_cycles(graph: &RuleGraph, perm: &SparsePerm) -> Vec<Vec<Symbol>> {
    let symbol = |v: &u32| match graph.vertices[*v as usize].item {
        Item::Function(f, 0) => Some(f),
        _ => None,
    };
    let constant = |item: &Item| matches!(item, Item::Function(_, 0));
    let all = vertex_cycles(graph, perm, &constant);
    all.iter().map(|c| c.iter().filter_map(symbol).collect()).collect()
}

fn vertex_cycles(
    graph: &RuleGraph,
    perm: &SparsePerm,
    keep: &dyn Fn(&Item) -> bool,
) -> Vec<Vec<u32>> {
    let kind = |item: &Item| match item {
        Item::Function(_, 0) => 0,
        Item::FunctionArgument(..) => 1,
        Item::RelationArgument(..) => 2,
        Item::Function(..) => 3,
        _ => 4,
    };
    let mut firsts: Vec<u32> = perm.0.iter().map(|m| m.0).collect();
    firsts.retain(|&v| {
        let item = &graph.vertices[v as usize].item;
        is_named(item) && keep(item)
    });
    firsts.sort_by_key(|&v| (kind(&graph.vertices[v as usize].item), v));
    let mut seen = rustc_hash::FxHashSet::default();
    let mut cycles = Vec::new();
    for first in firsts {
        let mut cycle = Vec::new();
        let mut at = first;
        while seen.insert(at) {
            cycle.push(at);
            at = perm.image(at);
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

impl fmt::Display for Scrambling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cycle = |c: &Vec<String>| match c.len() {
            2 => format!("{} ↔ {}", c[0], c[1]),
            _ => format!("{} → {}", c.join(" → "), c[0]),
        };
        let all: Vec<String> = self.cycles.iter().map(cycle).collect();
        f.write_str(&all.join(", "))
    }
}
