//! `Rules` -> `RuleGraph`: the enhanced rule graph of paper 002 and the rule graph of Definition 14.2.
//!
//! Every occurrence of a formula or term is a vertex, every symbol and every argument position one
//! more. Rules come without disjunction, and variables are renamed apart because each rule has its own.
//! Two points differ from the letter of the definitions, both for soundness: the two sides of
//! `distinct` are not ordered, and constants that a caller names (goal values) have labels of their own.

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use ludex_graph::Digraph;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Which definition to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Schiffel, 2010: rule vertices joined to head and body.
    Enhanced,
    /// Definition 14.2 of Genesereth and Thielscher: a vertex for every connective.
    Plain,
}

/// What a vertex is: its colour, unless it is a symbol that is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VertexLabel {
    /// A rule (002), the connective `:-` (14.2).
    Rule,
    And,
    Not,
    Distinct,
    Keyword(Rel),
    Predicate,
    Function,
    Variable,
    Argument,
    SymbolConst,
    SymbolVar,
    /// A symbol that every symmetry maps to itself, by a number that its name gives.
    Fixed(u32),
}

/// What a vertex stands for, where it is more than one occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    Occurrence,
    Rule(usize),
    Function(Symbol, usize),
    Relation(Rel),
    FunctionArgument(Symbol, usize, usize),
    RelationArgument(Rel, usize),
    /// A variable of a rule.
    Variable(usize, u32),
}

#[derive(Clone, Debug)]
pub struct RuleVertex {
    pub label: VertexLabel,
    pub item: Item,
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct RuleGraph {
    pub style: Style,
    pub vertices: Vec<RuleVertex>,
    pub arcs: Vec<(u32, u32)>,
    index: FxHashMap<Item, u32>,
}

impl RuleGraph {
    /// The graph of the rules. `fixed`: constants with a label of their own, in this order.
    pub fn new(rules: &Rules, style: Style, fixed: &[Symbol]) -> RuleGraph {
        let graph =
            RuleGraph { style, vertices: vec![], arcs: vec![], index: FxHashMap::default() };
        let mut builder = RuleGraphBuilder { rules, fixed, graph };
        for (number, rule) in rules.rules.iter().enumerate() {
            builder.rule(number, rule);
        }
        builder.graph.tell_names_apart(rules);
        builder.graph
    }

    /// Names that stand for several things get the number of arguments, and relations the word for them, so that
    /// a map in words has one meaning.
    fn tell_names_apart(&mut self, rules: &Rules) {
        let symbol = |item: &Item| match *item {
            Item::Function(f, n) | Item::FunctionArgument(f, n, _) => Some((f, n, "")),
            Item::Relation(p) | Item::RelationArgument(p, _) => {
                let relation = rules.relation(p);
                Some((relation.name, relation.arity, "relation "))
            }
            Item::Occurrence | Item::Rule(_) | Item::Variable(..) => None,
        };
        let mut meanings: FxHashMap<Symbol, FxHashSet<(usize, &str)>> = FxHashMap::default();
        for (name, arity, kind) in self.vertices.iter().filter_map(|v| symbol(&v.item)) {
            meanings.entry(name).or_default().insert((arity, kind));
        }
        for vertex in &mut self.vertices {
            let Some((name, arity, kind)) = symbol(&vertex.item) else { continue };
            if meanings[&name].len() > 1 {
                let name = format!("{kind}{}/{arity}", rules.symbols.name(name));
                vertex.name = match vertex.item {
                    Item::FunctionArgument(.., i) | Item::RelationArgument(_, i) => {
                        format!("{name}[{}]", i + 1)
                    }
                    _ => name,
                };
            }
        }
    }

    /// The vertex of a symbol, an argument position or a variable.
    pub fn find(&self, item: &Item) -> Option<u32> {
        self.index.get(item).copied()
    }

    /// The vertex of a rule of the enhanced rule graph.
    pub(crate) fn rule_vertex(&self, number: usize) -> u32 {
        self.find(&Item::Rule(number)).expect("every rule of an enhanced rule graph has a vertex")
    }

    /// Adds constants that no rule mentions: free vertices.
    pub(crate) fn add_free_constants(
        &mut self,
        rules: &Rules,
        constants: &[Symbol],
        fixed: &[Symbol],
    ) {
        for &symbol in constants {
            let item = Item::Function(symbol, 0);
            if !self.index.contains_key(&item) {
                let label = constant_label(rules, symbol, fixed);
                let name = rules.symbols.name(symbol).to_string();
                self.index.insert(item.clone(), self.vertices.len() as u32);
                self.vertices.push(RuleVertex { label, item, name });
            }
        }
        self.tell_names_apart(rules);
    }

    /// The graph with labels as colours, ready for the search.
    pub fn digraph(&self) -> Digraph {
        Digraph {
            colours: self.vertices.iter().map(|v| v.label.colour()).collect(),
            arcs: self.arcs.clone(),
        }
    }
}

impl VertexLabel {
    /// Numbers that do not depend on the game, so that graphs of two games can be compared.
    pub fn colour(self) -> u32 {
        match self {
            VertexLabel::Rule => 0,
            VertexLabel::And => 1,
            VertexLabel::Not => 2,
            VertexLabel::Distinct => 3,
            VertexLabel::Predicate => 4,
            VertexLabel::Function => 5,
            VertexLabel::Variable => 6,
            VertexLabel::Argument => 7,
            VertexLabel::SymbolConst => 8,
            VertexLabel::SymbolVar => 9,
            VertexLabel::Keyword(rel) => 10 + rel.0,
            VertexLabel::Fixed(i) => 100 + i,
        }
    }
}

fn constant_label(rules: &Rules, symbol: Symbol, fixed: &[Symbol]) -> VertexLabel {
    match fixed.contains(&symbol) {
        true => VertexLabel::Fixed(name_number(rules.symbols.folded(symbol))),
        false => VertexLabel::SymbolConst,
    }
}

/// A number for a name that is the same in every game: numbers themselves, else a hash above them.
fn name_number(name: &str) -> u32 {
    const NUMBERS: u32 = 1 << 20;
    match name.parse::<u32>() {
        Ok(n) if n < NUMBERS => n,
        _ => {
            let step = |h: u32, b: u8| (h ^ b as u32).wrapping_mul(0x0100_0193);
            NUMBERS + (name.bytes().fold(0x811c_9dc5, step) >> 2)
        }
    }
}

struct RuleGraphBuilder<'a> {
    rules: &'a Rules,
    fixed: &'a [Symbol],
    graph: RuleGraph,
}

impl RuleGraphBuilder<'_> {
    fn vertex(&mut self, label: VertexLabel, item: Item, name: String) -> u32 {
        let v = self.graph.vertices.len() as u32;
        if matches!(item, Item::Rule(_)) {
            self.graph.index.insert(item.clone(), v);
        }
        self.graph.vertices.push(RuleVertex { label, item, name });
        v
    }

    fn arc(&mut self, from: u32, to: u32) {
        self.graph.arcs.push((from, to));
    }

    fn rule(&mut self, number: usize, rule: &Rule) {
        match self.graph.style {
            Style::Enhanced => self.enhanced_rule(number, rule),
            Style::Plain => self.plain_rule(number, rule),
        }
    }

    fn enhanced_rule(&mut self, number: usize, rule: &Rule) {
        let v = self.vertex(VertexLabel::Rule, Item::Rule(number), ":-".into());
        let head = self.atom(&rule.head, number);
        self.arc(v, head);
        for literal in &rule.body {
            let body = self.literal(literal, number);
            self.arc(v, body);
            self.arc(head, body);
        }
    }

    fn plain_rule(&mut self, number: usize, rule: &Rule) {
        let head = self.atom(&rule.head, number);
        if rule.body.is_empty() {
            return;
        }
        let v = self.vertex(VertexLabel::Rule, Item::Rule(number), ":-".into());
        let literals: Vec<u32> = rule.body.iter().map(|l| self.literal(l, number)).collect();
        let body = match literals.as_slice() {
            [only] => *only,
            all => {
                let and = self.vertex(VertexLabel::And, Item::Occurrence, "&".into());
                all.iter().for_each(|&l| self.arc(and, l));
                and
            }
        };
        self.arc(v, head);
        self.arc(v, body);
        self.arc(head, body);
    }

    fn literal(&mut self, literal: &Literal, number: usize) -> u32 {
        match literal {
            Literal::Pos(a) => self.atom(a, number),
            Literal::Neg(a) => {
                let not = self.vertex(VertexLabel::Not, Item::Occurrence, "not".into());
                let atom = self.atom(a, number);
                self.arc(not, atom);
                not
            }
            Literal::Distinct(a, b) => {
                let v = self.vertex(VertexLabel::Distinct, Item::Occurrence, "distinct".into());
                let (a, b) = (self.term(a, number), self.term(b, number));
                self.arc(v, a);
                self.arc(v, b);
                v
            }
        }
    }

    fn atom(&mut self, atom: &Atom, number: usize) -> u32 {
        let relation = self.rules.relation(atom.rel);
        let name = self.rules.symbols.name(relation.name).to_string();
        let keyword = atom.rel.is_keyword();
        let label = if keyword { VertexLabel::Keyword(atom.rel) } else { VertexLabel::Predicate };
        let v = self.vertex(label, Item::Occurrence, name.clone());
        let args: Vec<u32> = atom.args.iter().map(|t| self.term(t, number)).collect();
        args.iter().for_each(|&t| self.arc(v, t));
        if keyword {
            args.windows(2).for_each(|w| self.arc(w[0], w[1]));
        } else {
            let symbol = self.symbol(Item::Relation(atom.rel), &name);
            self.arc(symbol, v);
            self.arguments(symbol, &name, &args, |i| Item::RelationArgument(atom.rel, i));
        }
        v
    }

    fn term(&mut self, term: &Term, number: usize) -> u32 {
        match term {
            Term::Var(var) => {
                let name = self.rules.rules[number].vars[*var as usize].clone();
                let v = self.vertex(VertexLabel::Variable, Item::Occurrence, name.clone());
                let symbol = self.symbol(Item::Variable(number, *var), &name);
                self.arc(symbol, v);
                v
            }
            Term::App(f, terms) => {
                let name = self.rules.symbols.name(*f).to_string();
                let v = self.vertex(VertexLabel::Function, Item::Occurrence, name.clone());
                let args: Vec<u32> = terms.iter().map(|t| self.term(t, number)).collect();
                args.iter().for_each(|&t| self.arc(v, t));
                let symbol = self.symbol(Item::Function(*f, args.len()), &name);
                self.arc(symbol, v);
                let arity = args.len();
                self.arguments(symbol, &name, &args, |i| Item::FunctionArgument(*f, arity, i));
                v
            }
        }
    }

    fn arguments(&mut self, symbol: u32, name: &str, args: &[u32], item: impl Fn(usize) -> Item) {
        for (i, &t) in args.iter().enumerate() {
            let known = self.graph.index.contains_key(&item(i));
            let v = self.symbol(item(i), &format!("{name}[{}]", i + 1));
            if !known {
                self.arc(symbol, v);
            }
            self.arc(v, t);
        }
    }

    /// The vertex of a symbol or an argument position, made at its first use.
    fn symbol(&mut self, item: Item, name: &str) -> u32 {
        if let Some(&v) = self.graph.index.get(&item) {
            return v;
        }
        let label = match &item {
            Item::Function(f, 0) => constant_label(self.rules, *f, self.fixed),
            Item::Function(..) | Item::Relation(_) => VertexLabel::SymbolConst,
            Item::Variable(..) => VertexLabel::SymbolVar,
            _ => VertexLabel::Argument,
        };
        let v = self.vertex(label, item.clone(), name.into());
        self.graph.index.insert(item, v);
        v
    }
}

impl fmt::Display for VertexLabel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            VertexLabel::Rule => f.write_str("rule"),
            VertexLabel::And => f.write_str("and"),
            VertexLabel::Not => f.write_str("not"),
            VertexLabel::Distinct => f.write_str("distinct"),
            VertexLabel::Keyword(rel) => f.write_str(ludex_gdl::rules::KEYWORDS[rel.index()].0),
            VertexLabel::Predicate => f.write_str("predicate"),
            VertexLabel::Function => f.write_str("function"),
            VertexLabel::Variable => f.write_str("variable"),
            VertexLabel::Argument => f.write_str("arg"),
            VertexLabel::SymbolConst => f.write_str("symbol_const"),
            VertexLabel::SymbolVar => f.write_str("symbol_var"),
            VertexLabel::Fixed(i) => write!(f, "fixed_{i}"),
        }
    }
}

impl fmt::Display for RuleGraph {
    /// Graphviz: shapes by label.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "digraph rules {{")?;
        for (i, v) in self.vertices.iter().enumerate() {
            let shape = match v.label {
                VertexLabel::Rule | VertexLabel::And | VertexLabel::Not | VertexLabel::Distinct => {
                    "diamond"
                }
                VertexLabel::Keyword(_) | VertexLabel::Predicate => "box",
                VertexLabel::Function => "ellipse",
                VertexLabel::Variable => "circle",
                VertexLabel::Argument => "triangle",
                VertexLabel::SymbolConst | VertexLabel::Fixed(_) => "hexagon",
                VertexLabel::SymbolVar => "doublecircle",
            };
            let name = v.name.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "  v{i} [label=\"{name}\", shape={shape}, class=\"{}\"];", v.label)?;
        }
        for (a, b) in &self.arcs {
            writeln!(f, "  v{a} -> v{b};")?;
        }
        writeln!(f, "}}")
    }
}
