//! The domain graph of Definition 14.1, and the domain of every argument by following it backwards.

use super::{Count, DomainOwner};
use indexmap::{IndexMap, IndexSet};
use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Symbol, Term};
use std::fmt::Write;

/// A vertex: a constant, function or predicate, or an argument of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DomainVertex {
    Symbol(DomainOwner),
    /// Counted from 1, as in the chapter.
    Argument(DomainOwner, u32),
}

/// The domain graph. Constants are functions without arguments.
pub struct DomainGraph {
    pub vertices: IndexSet<DomainVertex>,
    pub edges: IndexSet<(DomainVertex, DomainVertex)>,
    /// For every argument, the constants and functions from which a path leads to it.
    domains: IndexMap<DomainVertex, Vec<(Symbol, u32)>>,
    /// Edges that are not in the definition, and why they are there.
    pub notes: Vec<String>,
}

impl DomainGraph {
    pub fn new(rules: &Rules) -> DomainGraph {
        let mut graph = DomainGraph {
            vertices: IndexSet::new(),
            edges: IndexSet::new(),
            domains: IndexMap::new(),
            notes: vec![],
        };
        for rule in &rules.rules {
            // 1 and 2: vertices for all that occurs; 3: edges from functions in the head.
            graph.atom(&rule.head, true);
            let mut sources: Vec<(u32, DomainVertex)> = Vec::new();
            for literal in &rule.body {
                match literal {
                    Literal::Pos(a) | Literal::Neg(a) => {
                        graph.atom(a, false);
                        occurrences(DomainOwner::Predicate(a.rel), &a.args, &mut sources);
                    }
                    Literal::Distinct(a, b) => {
                        [a, b].into_iter().for_each(|t| graph.term(t, false))
                    }
                }
            }
            // 4: edges along shared variables.
            let mut targets = Vec::new();
            occurrences(DomainOwner::Predicate(rule.head.rel), &rule.head.args, &mut targets);
            for (v, to) in &targets {
                for (_, from) in sources.iter().filter(|(w, _)| w == v) {
                    graph.edges.insert((*from, *to));
                }
            }
        }
        graph.given(rules);
        graph.spread();
        graph
    }

    fn atom(&mut self, atom: &Atom, head: bool) {
        self.owner(DomainOwner::Predicate(atom.rel), &atom.args, head);
    }

    fn term(&mut self, term: &Term, head: bool) {
        if let Term::App(f, args) = term {
            self.owner(DomainOwner::Function(*f, args.len() as u32), args, head);
        }
    }

    fn owner(&mut self, owner: DomainOwner, args: &[Term], head: bool) {
        self.vertices.insert(DomainVertex::Symbol(owner));
        for (i, arg) in args.iter().enumerate() {
            let place = DomainVertex::Argument(owner, i as u32 + 1);
            self.vertices.insert(place);
            if let (Term::App(f, inner), true) = (arg, head) {
                let function = DomainVertex::Symbol(DomainOwner::Function(*f, inner.len() as u32));
                self.edges.insert((function, place));
            }
            self.term(arg, head);
        }
    }

    /// 5: what is true and done is declared; where it is not declared, it follows from the rules.
    fn given(&mut self, rules: &Rules) {
        let argument = |rel: Rel, i: u32| DomainVertex::Argument(DomainOwner::Predicate(rel), i);
        let has = |rel: Rel| rules.defining(rel).next().is_some();
        let mut link = |from: Rel, to: Rel, arity: u32| {
            for i in 1..=arity {
                for (rel, place) in [(from, argument(from, i)), (to, argument(to, i))] {
                    self.vertices.insert(DomainVertex::Symbol(DomainOwner::Predicate(rel)));
                    self.vertices.insert(place);
                }
                self.edges.insert((argument(from, i), argument(to, i)));
            }
        };
        let (base, input) = (has(Rel::BASE), has(Rel::INPUT));
        if base {
            link(Rel::BASE, Rel::TRUE, 1);
        } else {
            link(Rel::INIT, Rel::TRUE, 1);
            link(Rel::NEXT, Rel::TRUE, 1);
        }
        link(if input { Rel::INPUT } else { Rel::LEGAL }, Rel::DOES, 2);
        if !base {
            self.notes.push("no base: init[1] and next[1] lead to true[1] instead".into());
        }
        if !input {
            self.notes
                .push("no input: legal[1] and legal[2] lead to does[1] and does[2] instead".into());
        }
    }

    /// Follows the edges until no domain grows.
    fn spread(&mut self) {
        let mut sets: IndexMap<DomainVertex, IndexSet<(Symbol, u32)>> = IndexMap::new();
        for v in &self.vertices {
            if let DomainVertex::Argument(..) = v {
                sets.insert(*v, IndexSet::new());
            }
        }
        for (from, to) in &self.edges {
            if let DomainVertex::Symbol(DomainOwner::Function(f, arity)) = from {
                sets[to].insert((*f, *arity));
            }
        }
        let inner: Vec<&(DomainVertex, DomainVertex)> = self
            .edges
            .iter()
            .filter(|(from, _)| matches!(from, DomainVertex::Argument(..)))
            .collect();
        loop {
            let mut changed = false;
            for (from, to) in &inner {
                for symbol in sets[from].clone() {
                    changed |= sets[to].insert(symbol);
                }
            }
            if !changed {
                break;
            }
        }
        self.domains = sets.into_iter().map(|(v, set)| (v, set.into_iter().collect())).collect();
    }

    /// The constants and functions an argument can be.
    pub fn domain(&self, owner: DomainOwner, argument: u32) -> &[(Symbol, u32)] {
        self.domains.get(&DomainVertex::Argument(owner, argument)).map_or(&[], |d| d)
    }

    /// Predicates, then functions with arguments, in the order in which they occur.
    pub fn owners(&self) -> Vec<DomainOwner> {
        let symbols = self.vertices.iter().filter_map(|v| match v {
            DomainVertex::Symbol(owner) => Some(*owner),
            DomainVertex::Argument(..) => None,
        });
        let (predicates, functions): (Vec<DomainOwner>, Vec<DomainOwner>) =
            symbols.partition(|o| matches!(o, DomainOwner::Predicate(_)));
        let functions = functions.into_iter().filter(|o| !matches!(o, DomainOwner::Function(_, 0)));
        predicates.into_iter().chain(functions).collect()
    }

    /// The number of instances.
    pub fn count(&self, owner: DomainOwner) -> Count {
        self.count_within(owner, &mut Vec::new(), &mut IndexMap::new())
    }

    /// The number of terms an argument can be.
    pub(crate) fn argument_count(&self, owner: DomainOwner, argument: u32) -> Count {
        let terms = self.domain(owner, argument).iter();
        terms.fold(Count::ZERO, |sum, (f, n)| sum.plus(self.count(DomainOwner::Function(*f, *n))))
    }

    fn count_within(
        &self,
        owner: DomainOwner,
        path: &mut Vec<DomainOwner>,
        known: &mut IndexMap<DomainOwner, Count>,
    ) -> Count {
        if let Some(count) = known.get(&owner) {
            return *count;
        }
        if path.contains(&owner) {
            return Count::Unbounded;
        }
        path.push(owner);
        let mut product = Count::ONE;
        for i in (1..).take_while(|i| self.domains.contains_key(&DomainVertex::Argument(owner, *i)))
        {
            let mut sum = Count::ZERO;
            for (f, arity) in self.domain(owner, i) {
                sum = sum.plus(self.count_within(DomainOwner::Function(*f, *arity), path, known));
            }
            product = product.times(sum);
        }
        path.pop();
        known.insert(owner, product);
        product
    }

    /// The domain as in the chapter's tables: a product of sets, functions with their own domains.
    pub(crate) fn domain_text(&self, rules: &Rules, owner: DomainOwner) -> String {
        let mut out = String::new();
        self.write_domain(rules, owner, &mut Vec::new(), &mut out);
        out
    }

    fn write_domain(
        &self,
        rules: &Rules,
        owner: DomainOwner,
        path: &mut Vec<DomainOwner>,
        out: &mut String,
    ) {
        if path.contains(&owner) {
            return out.push('…');
        }
        path.push(owner);
        for i in (1..).take_while(|i| self.domains.contains_key(&DomainVertex::Argument(owner, *i)))
        {
            out.push_str(if i > 1 { " × {" } else { "{" });
            for (n, (f, arity)) in self.domain(owner, i).iter().enumerate() {
                out.push_str(if n > 0 { ", " } else { "" });
                out.push_str(rules.symbols.name(*f));
                if *arity > 0 {
                    out.push('(');
                    self.write_domain(rules, DomainOwner::Function(*f, *arity), path, out);
                    out.push(')');
                }
            }
            out.push('}');
        }
        path.pop();
    }

    pub fn vertex_text(&self, rules: &Rules, vertex: DomainVertex) -> String {
        let name = |owner: DomainOwner| match owner {
            DomainOwner::Predicate(rel) => rules.symbols.name(rules.relation(rel).name),
            DomainOwner::Function(f, _) => rules.symbols.name(f),
        };
        match vertex {
            DomainVertex::Symbol(owner) => name(owner).to_string(),
            DomainVertex::Argument(owner, i) => format!("{}[{i}]", name(owner)),
        }
    }

    /// The graph in the language of Graphviz.
    pub fn dot(&self, rules: &Rules) -> String {
        let mut out =
            String::from("digraph domains {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
        let number =
            |v: &DomainVertex| self.vertices.get_index_of(v).expect("every end is a vertex");
        for (i, v) in self.vertices.iter().enumerate() {
            let text = self.vertex_text(rules, *v).replace('\\', "\\\\").replace('"', "\\\"");
            let shape = if matches!(v, DomainVertex::Symbol(_)) { "ellipse" } else { "box" };
            let _ = writeln!(out, "  v{i} [label=\"{text}\", shape={shape}];");
        }
        for (from, to) in &self.edges {
            let _ = writeln!(out, "  v{} -> v{};", number(from), number(to));
        }
        out.push_str("}\n");
        out
    }
}

/// Every place where a variable stands.
fn occurrences(owner: DomainOwner, args: &[Term], out: &mut Vec<(u32, DomainVertex)>) {
    for (i, arg) in args.iter().enumerate() {
        match arg {
            Term::Var(v) => out.push((*v, DomainVertex::Argument(owner, i as u32 + 1))),
            Term::App(f, inner) => {
                occurrences(DomainOwner::Function(*f, inner.len() as u32), inner, out)
            }
        }
    }
}
