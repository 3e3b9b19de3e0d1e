//! The text of rules in KIF.

use super::{Atom, Literal, Rule, Rules, Symbols, Term};
use crate::source::{Report, Source};
use crate::syntax::{Ast, Syntax};
use std::fmt;

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.rules.iter().try_for_each(|r| writeln!(f, "{}", self.rule_text(r)))
    }
}

impl Rules {
    /// All rules in a syntax, as `ludex fmt` would print them.
    pub fn text(&self, syntax: Syntax) -> String {
        let source = Source::new("", self.to_string());
        let mut report = Report::default();
        let ast = Ast::parse(&source, Some(Syntax::Kif), &mut report);
        assert!(!report.has_errors(), "printed rules can be read");
        ast.text(syntax)
    }

    pub fn rule_text(&self, rule: &Rule) -> String {
        let head = self.atom_text(&rule.head, rule);
        if rule.body.is_empty() {
            return head;
        }
        let body: Vec<String> = rule.body.iter().map(|l| self.literal_text(l, rule)).collect();
        format!("(<= {head} {})", body.join(" "))
    }

    pub fn literal_text(&self, literal: &Literal, rule: &Rule) -> String {
        let term = |t: &Term| term_text(&self.symbols, t, &rule.vars);
        match literal {
            Literal::Pos(a) => self.atom_text(a, rule),
            Literal::Neg(a) => format!("(not {})", self.atom_text(a, rule)),
            Literal::Distinct(a, b) => format!("(distinct {} {})", term(a), term(b)),
        }
    }

    pub fn term_text(&self, term: &Term, rule: &Rule) -> String {
        term_text(&self.symbols, term, &rule.vars)
    }

    pub fn atom_text(&self, atom: &Atom, rule: &Rule) -> String {
        let name = self.symbols.name(self.relation(atom.rel).name);
        if atom.args.is_empty() {
            return name.to_string();
        }
        let args: Vec<String> =
            atom.args.iter().map(|t| term_text(&self.symbols, t, &rule.vars)).collect();
        format!("({name} {})", args.join(" "))
    }
}

fn term_text(symbols: &Symbols, term: &Term, vars: &[String]) -> String {
    match term {
        Term::Var(v) => format!("?{}", vars[*v as usize]),
        Term::App(s, args) if args.is_empty() => symbols.name(*s).to_string(),
        Term::App(s, args) => {
            let args: Vec<String> = args.iter().map(|t| term_text(symbols, t, vars)).collect();
            format!("({} {})", symbols.name(*s), args.join(" "))
        }
    }
}
