//! Clauses -> rules: names interned, connectives removed.

use super::formula::{self, Formula, Plain};
use super::unify;
use super::{Atom, KEYWORDS, Literal, Rel, Relation, Rule, Rules, Symbol, Symbols, Term};
use crate::source::{Report, Source, Span};
use crate::syntax::{Ast, Clause, List, Name, Node, NodeKind};
use rustc_hash::FxHashMap;

/// The rules of the clauses, without strata, and the place of every rule's parts.
pub fn lower(source: &Source, ast: &Ast, report: &mut Report) -> (Rules, Vec<RulePlace>) {
    let mut lower = Lower {
        ast,
        rules: empty(source, ast.names()),
        places: vec![],
        symbols: vec![None; ast.names()],
        index: FxHashMap::default(),
        report,
    };
    for (name, arity) in KEYWORDS {
        let symbol = lower.rules.symbols.intern(name);
        lower.relation(symbol, arity);
    }
    // Bodies that need auxiliary relations wait until all names are known.
    let mut large = Vec::new();
    for (at, clause) in ast.clauses.iter().enumerate() {
        lower.clause(at as u32, clause, &mut large);
    }
    large.into_iter().for_each(|draft| lower.finish(draft));
    (lower.rules, lower.places)
}

/// Where a rule comes from.
#[derive(Clone)]
pub struct RulePlace {
    /// The clause's number in the `Ast`.
    pub clause: u32,
    /// The atom or `distinct` of every literal of the body.
    pub literals: Vec<Span>,
}

/// A clause with its names interned.
struct Draft {
    clause: u32,
    span: Span,
    vars: Vec<String>,
    head: Atom,
    body: Formula,
}

fn empty(source: &Source, names: usize) -> Rules {
    let file = source.name.rsplit(['/', '\\']).next().unwrap_or("");
    let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string();
    let symbols = Symbols::with_capacity(names);
    Rules { name, symbols, relations: vec![], rules: vec![], strata: vec![] }
}

struct Lower<'a> {
    ast: &'a Ast,
    rules: Rules,
    places: Vec<RulePlace>,
    /// The symbol of each name of the `Ast` that has been met.
    symbols: Vec<Option<Symbol>>,
    index: FxHashMap<(Symbol, usize), Rel>,
    report: &'a mut Report,
}

impl Lower<'_> {
    fn symbol(&mut self, name: Name) -> Symbol {
        let (ast, symbols) = (self.ast, &mut self.rules.symbols);
        *self.symbols[name.0 as usize].get_or_insert_with(|| symbols.intern(ast.name(name)))
    }

    fn relation(&mut self, symbol: Symbol, arity: usize) -> Rel {
        let next = Rel(self.rules.relations.len() as u32);
        let rel = *self.index.entry((symbol, arity)).or_insert(next);
        if rel == next {
            self.rules.relations.push(Relation { name: symbol, arity, auxiliary: false });
        }
        rel
    }

    fn clause(&mut self, at: u32, clause: &Clause, large: &mut Vec<Draft>) {
        let mut vars = Vec::new();
        let head = self.atom(&clause.head, &mut vars);
        if clause.body.is_empty() {
            self.rules.rules.push(Rule { head, body: vec![], vars, span: clause.span });
            return self.places.push(RulePlace { clause: at, literals: vec![] });
        }
        let body =
            self.ast.list(clause.body).iter().map(|n| self.formula(n, false, &mut vars)).collect();
        let body = Formula::And(body);
        let draft = Draft { clause: at, span: clause.span, vars, head, body };
        if formula::is_small(&draft.body) { self.finish(draft) } else { large.push(draft) }
    }

    /// Adds the plain rules of a clause.
    fn finish(&mut self, draft: Draft) {
        let Draft { clause, span, vars, head, body } = draft;
        let mut plain = Vec::new();
        let of = head.rel;
        let mut auxiliary = |args: Vec<Term>| self.auxiliary(of, args);
        if !formula::clauses(head, body, &mut auxiliary, &mut plain) {
            let message = "the disjunctions of this rule make too many cases";
            let hint = "give the larger disjunctions relations of their own";
            self.report.error("too-many-cases", span, message).hint(hint);
            return;
        }
        if let [Plain { repeated, .. }] = plain.as_slice() {
            let message = "this condition is in the rule twice";
            repeated.iter().for_each(|span| {
                self.report.warning("duplicate-literal", *span, message);
            });
        }
        if plain.is_empty() {
            let message = "this rule can never fire: its conditions exclude each other";
            self.report.warning("never-fires", span, message);
        }
        plain.into_iter().for_each(|p| self.add(p, clause, span, &vars));
    }

    fn add(&mut self, plain: Plain, clause: u32, span: Span, names: &[String]) {
        let Plain { mut head, body, .. } = plain;
        let (mut body, literals): (Vec<Literal>, Vec<Span>) = body.into_iter().unzip();
        let vars = number_vars(&mut head, &mut body, names);
        self.rules.rules.push(Rule { head, body, vars, span });
        self.places.push(RulePlace { clause, literals });
    }

    /// A relation with a name that nothing else has.
    fn auxiliary(&mut self, of: Rel, args: Vec<Term>) -> Atom {
        let of = self.rules.symbols.name(self.rules.relation(of).name);
        let name = fresh_name(&self.rules.symbols, &format!("{of}_or"));
        let symbol = self.rules.symbols.intern(&name);
        let rel = self.relation(symbol, args.len());
        self.rules.relations[rel.index()].auxiliary = true;
        Atom { rel, args }
    }

    /// The formula, or its negation with `not` pushed down to the atoms.
    fn formula(&mut self, node: &Node, negated: bool, vars: &mut Vec<String>) -> Formula {
        match &node.kind {
            NodeKind::Not(inner) => self.formula(&self.ast.list(*inner)[0], !negated, vars),
            NodeKind::And(parts) | NodeKind::Or(parts) => {
                let parts = self.ast.list(*parts).iter();
                let parts = parts.map(|p| self.formula(p, negated, vars)).collect();
                let is_and = matches!(node.kind, NodeKind::And(_)) != negated;
                if is_and { Formula::And(parts) } else { Formula::Or(parts) }
            }
            NodeKind::Apply { name, args, .. }
                if self.ast.name(*name).eq_ignore_ascii_case("distinct") && args.len() == 2 =>
            {
                let args = self.ast.list(*args);
                let (a, b) = (self.term(&args[0], vars), self.term(&args[1], vars));
                if negated {
                    return Formula::Equal(a, b);
                }
                self.constant_distinct(&a, &b, node.span);
                Formula::Literal(Literal::Distinct(a, b), node.span)
            }
            _ => {
                let atom = self.atom(node, vars);
                let literal = if negated { Literal::Neg(atom) } else { Literal::Pos(atom) };
                Formula::Literal(literal, node.span)
            }
        }
    }

    /// A `distinct` that does not depend on its variables is most likely a slip.
    fn constant_distinct(&mut self, a: &Term, b: &Term, span: Span) {
        let (code, message) = match unify::equal(a, b) {
            Some(true) => ("distinct-never", "the two terms are always equal: this is never true"),
            Some(false) => {
                ("distinct-always", "the two terms are never equal: this is always true")
            }
            None => return,
        };
        self.report.warning(code, span, message);
    }

    fn atom(&mut self, node: &Node, vars: &mut Vec<String>) -> Atom {
        let NodeKind::Apply { name, args, .. } = node.kind else {
            unreachable!("the parser lets only atoms stand here")
        };
        let symbol = self.symbol(name);
        let rel = self.relation(symbol, args.len());
        Atom { rel, args: self.terms(args, vars) }
    }

    fn terms(&mut self, list: List, vars: &mut Vec<String>) -> Vec<Term> {
        self.ast.list(list).iter().map(|node| self.term(node, vars)).collect()
    }

    fn term(&mut self, node: &Node, vars: &mut Vec<String>) -> Term {
        match node.kind {
            NodeKind::Variable { name, .. } => Term::Var(variable(self.ast.name(name), vars)),
            NodeKind::Apply { name, args, parens } => {
                let symbol = if parens {
                    self.rules.symbols.intern(&format!("({})", self.ast.name(name)))
                } else {
                    self.symbol(name)
                };
                Term::App(symbol, self.terms(args, vars))
            }
            _ => unreachable!("the parser lets only terms stand here"),
        }
    }
}

/// A name that nothing has, made by numbering.
pub fn fresh_name(symbols: &Symbols, stem: &str) -> String {
    let names = (1..).map(|i| format!("{stem}{i}"));
    let mut free = names.filter(|name| symbols.find(name).is_none());
    free.next().expect("numbers do not end")
}

/// The number of a variable. Variables that differ only in letter case are one.
fn variable(name: &str, vars: &mut Vec<String>) -> u32 {
    let same = |v: &String| v.eq_ignore_ascii_case(name);
    let at = vars.iter().position(same).unwrap_or_else(|| {
        vars.push(name.to_string());
        vars.len() - 1
    });
    at as u32
}

/// Numbers the variables that are left in a rule from 0, in order of appearance; gives their names.
pub fn number_vars(head: &mut Atom, body: &mut [Literal], names: &[String]) -> Vec<String> {
    const NONE: u32 = u32::MAX;
    let (mut numbers, mut vars) = (vec![NONE; names.len()], Vec::new());
    let mut number = |v: &mut u32| {
        let old = *v as usize;
        if numbers[old] == NONE {
            numbers[old] = vars.len() as u32;
            vars.push(names[old].clone());
        }
        *v = numbers[old];
    };
    head.args.iter_mut().for_each(|t| renumber(t, &mut number));
    body.iter_mut().for_each(|l| renumber_literal(l, &mut number));
    vars
}

pub fn renumber_literal(literal: &mut Literal, number: &mut impl FnMut(&mut u32)) {
    match literal {
        Literal::Pos(a) | Literal::Neg(a) => a.args.iter_mut().for_each(|t| renumber(t, number)),
        Literal::Distinct(a, b) => {
            renumber(a, number);
            renumber(b, number);
        }
    }
}

pub fn renumber(term: &mut Term, number: &mut impl FnMut(&mut u32)) {
    match term {
        Term::Var(v) => number(v),
        Term::App(_, args) => args.iter_mut().for_each(|t| renumber(t, number)),
    }
}
