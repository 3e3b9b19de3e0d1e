//! Clauses -> rules: names interned, connectives removed with auxiliary relations.

use super::{Atom, KEYWORDS, Literal, Rel, Relation, Rule, Rules, Symbols, Term};
use crate::source::{Report, Source, Span};
use crate::syntax::{Ast, Kind, Node};
use rustc_hash::FxHashMap;

pub fn lower(source: &Source, ast: &Ast, report: &mut Report) -> Option<Rules> {
    let file = source.name.rsplit(['/', '\\']).next().unwrap_or("");
    let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_string();
    let rules = Rules {
        name,
        symbols: Symbols::default(),
        relations: vec![],
        rules: vec![],
        strata: vec![],
    };
    let mut lower = Lower { source, rules, index: FxHashMap::default(), report };
    for (name, arity) in KEYWORDS {
        lower.relation(name, arity);
    }
    for clause in &ast.clauses {
        lower.clause(&clause.head, &clause.body, clause.span);
    }
    let mut rules = lower.rules;
    if rules.stratify().is_none() {
        report.push(
            crate::source::Severity::Error,
            "stratification",
            None,
            "negation is not stratified".into(),
        );
        return None;
    }
    Some(rules)
}

struct Lower<'a> {
    source: &'a Source,
    rules: Rules,
    index: FxHashMap<(super::Symbol, usize), Rel>,
    report: &'a mut Report,
}

impl Lower<'_> {
    fn text(&self, span: Span) -> &str {
        &self.source.text[span.start as usize..span.end as usize]
    }

    fn relation(&mut self, name: &str, arity: usize) -> Rel {
        let symbol = self.rules.symbols.intern(name);
        let next = Rel(self.rules.relations.len() as u32);
        let rel = *self.index.entry((symbol, arity)).or_insert(next);
        if rel == next {
            self.rules.relations.push(Relation { name: symbol, arity, auxiliary: false });
        }
        rel
    }

    fn clause(&mut self, head: &Node, body: &[Node], span: Span) {
        let mut vars = Vec::new();
        let Some(head) = self.atom(head, &mut vars) else { return };
        let mut literals = Vec::new();
        for node in body {
            self.formula(node, false, &mut vars, &mut literals, span);
        }
        self.rules.rules.push(Rule { head, body: literals, vars, span });
    }

    /// Appends literals that mean the formula (or its negation).
    fn formula(
        &mut self,
        node: &Node,
        negated: bool,
        vars: &mut Vec<String>,
        out: &mut Vec<Literal>,
        span: Span,
    ) {
        match (&node.kind, negated) {
            (Kind::Not(inner), _) => self.formula(inner, !negated, vars, out, span),
            (Kind::And(parts), false) | (Kind::Or(parts), true) => {
                parts.iter().for_each(|p| self.formula(p, negated, vars, out, span))
            }
            (Kind::Or(parts), false) | (Kind::And(parts), true) => {
                let branches = parts
                    .iter()
                    .map(|p| {
                        let mut branch = Vec::new();
                        self.formula(p, negated, vars, &mut branch, span);
                        branch
                    })
                    .collect();
                let literal = self.auxiliary(branches, vars, span);
                out.push(literal);
            }
            (Kind::Apply { name, args, .. }, _)
                if self.text(*name).eq_ignore_ascii_case("distinct") && args.len() == 2 =>
            {
                let (a, b) = (self.term(&args[0], vars), self.term(&args[1], vars));
                out.push(Literal::Distinct(a, b));
            }
            _ => {
                let Some(atom) = self.atom(node, vars) else { return };
                out.push(if negated { Literal::Neg(atom) } else { Literal::Pos(atom) });
            }
        }
    }

    fn auxiliary(&mut self, branches: Vec<Vec<Literal>>, vars: &[String], span: Span) -> Literal {
        let name = format!("or_{}", self.rules.relations.len());
        let mut used = Vec::new();
        for branch in &branches {
            let mut here = Vec::new();
            for l in branch {
                let mut note = |v: u32| here.push(v);
                match l {
                    Literal::Pos(a) | Literal::Neg(a) => {
                        a.args.iter().for_each(|t| t.for_each_var(&mut note))
                    }
                    Literal::Distinct(a, b) => {
                        a.for_each_var(&mut note);
                        b.for_each_var(&mut note)
                    }
                }
            }
            used.extend(here);
        }
        used.sort_unstable();
        used.dedup();
        let rel = self.relation(&name, used.len());
        self.rules.relations[rel.index()].auxiliary = true;
        let head = Atom { rel, args: used.into_iter().map(Term::Var).collect() };
        for body in branches {
            self.rules.rules.push(Rule { head: head.clone(), body, vars: vars.to_vec(), span });
        }
        Literal::Pos(head)
    }

    fn atom(&mut self, node: &Node, vars: &mut Vec<String>) -> Option<Atom> {
        let Kind::Apply { name, args, .. } = &node.kind else {
            self.report.error("not-an-atom", node.span, "an atom is expected here");
            return None;
        };
        let name = self.text(*name).to_string();
        let rel = self.relation(&name, args.len());
        Some(Atom { rel, args: args.iter().map(|a| self.term(a, vars)).collect() })
    }

    fn term(&mut self, node: &Node, vars: &mut Vec<String>) -> Term {
        match &node.kind {
            Kind::Variable(span) => {
                let name = self.text(*span).to_lowercase();
                let at = vars.iter().position(|v| *v == name).unwrap_or_else(|| {
                    vars.push(name);
                    vars.len() - 1
                });
                Term::Var(at as u32)
            }
            Kind::Apply { name, args, parens } => {
                let name = self.text(*name);
                let name = if *parens { format!("({name})") } else { name.to_string() };
                let symbol = self.rules.symbols.intern(&name);
                Term::App(symbol, args.iter().map(|a| self.term(a, vars)).collect())
            }
            _ => {
                self.report.error("not-a-term", node.span, "a term is expected here");
                Term::Var(0)
            }
        }
    }
}
