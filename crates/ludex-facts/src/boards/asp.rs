//! Rules and a projection -> the text of Figure 4 of the paper: *VerifyIP* as an answer set program.
//!
//! The program has no model if and only if the projection is verified.

use super::bases::Bases;
use crate::invariants::{InvariantKind, Invariants};
use crate::prove::Verdict;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use ludex_net::Net;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// What the program takes for granted.
#[derive(Clone, Copy)]
pub enum Assumed<'a> {
    /// At most one action a role, as the figure says.
    Literal,
    /// Exactly one action a role, as the paper's text says.
    Exact,
    /// Exactly one action a role in a state that is not terminal and has these invariants.
    Lemmas(&'a Invariants),
}

/// The program for the projection of a relation on arguments (from 1).
pub fn program(
    rules: &Rules,
    net: &Net,
    bases: &Bases,
    relation: (&str, usize),
    set: &[usize],
    assumed: Assumed,
) -> String {
    let mut out = String::new();
    let names = AspNames::new(rules);
    let mut write = || {
        writeln!(out, "% The rules of {}.", rules.name)?;
        for rule in &rules.rules {
            writeln!(out, "{}", names.rule(rule))?;
        }
        names.declarations(rules, net, bases, &mut out)?;
        let at_least = if matches!(assumed, Assumed::Literal) { "" } else { "1 " };
        writeln!(out, "\n% Step 1.\n{{true(X) : base(X)}}.")?;
        writeln!(out, "{at_least}{{does(R,M) : input(R,M)}} 1 :- role(R).")?;
        writeln!(out, ":- does(R,M), not legal(R,M).")?;
        if let Assumed::Lemmas(invariants) = assumed {
            names.lemmas(rules, bases, invariants, &mut out)?;
        }
        let name = rules.symbols.find(relation.0).map(|s| names.terms[&s].as_str());
        figure(name.unwrap_or(relation.0), relation.1, set, &mut out)
    };
    write().expect("writing to a string");
    out
}

/// The names of symbols as constants of answer set programs.
struct AspNames {
    terms: FxHashMap<Symbol, String>,
    relations: FxHashMap<Rel, String>,
}

/// What the figure uses itself.
const TAKEN: [&str; 12] = [
    "pi_b", "pi_init", "pi_s", "pi_next", "initial", "current", "nxt", "variant", "not", "base",
    "input", "sup",
];

impl AspNames {
    fn new(rules: &Rules) -> AspNames {
        let mut used: FxHashSet<String> = TAKEN.iter().map(|t| t.to_string()).collect();
        let keywords = (0..rules.relations.len() as u32).map(Rel).filter(|r| r.is_keyword());
        let text = |rel: Rel| rules.symbols.folded(rules.relation(rel).name).to_string();
        let mut relations: FxHashMap<Rel, String> = keywords.map(|r| (r, text(r))).collect();
        used.extend(relations.values().cloned());
        for rel in (0..rules.relations.len() as u32).map(Rel).filter(|r| !r.is_keyword()) {
            relations.insert(rel, free(&text(rel), &mut used));
        }
        let (mut terms, mut used) = (FxHashMap::default(), FxHashSet::default());
        used.insert("not".to_string());
        for symbol in (0..rules.symbols.len() as u32).map(Symbol) {
            let name = rules.symbols.folded(symbol);
            let number = name.parse::<i32>().is_ok_and(|n| n.to_string() == name);
            let name = if number { name.to_string() } else { free(name, &mut used) };
            terms.insert(symbol, name);
        }
        AspNames { terms, relations }
    }

    /// Base propositions and inputs, where the game does not declare them.
    fn declarations(
        &self,
        rules: &Rules,
        net: &Net,
        bases: &Bases,
        out: &mut String,
    ) -> std::fmt::Result {
        if !bases.declared {
            writeln!(out, "\n% The game declares no base propositions: all that are reachable.")?;
            for fact in &bases.facts {
                writeln!(out, "base({}).", self.text(rules, fact))?;
            }
        }
        if bases.inputs.is_none() {
            writeln!(out, "\n% The game declares no inputs: all that are reachable.")?;
            for input in &net.inputs {
                let role = self.text(rules, &net.roles[input.role]);
                writeln!(out, "input({role},{}).", self.text(rules, &input.name))?;
            }
        }
        Ok(())
    }

    /// What is proved of every reachable state, as constraints.
    fn lemmas(
        &self,
        rules: &Rules,
        bases: &Bases,
        invariants: &Invariants,
        out: &mut String,
    ) -> std::fmt::Result {
        writeln!(out, "\n% Lemmas: the state is not terminal, and reachable as far as is proved.")?;
        writeln!(out, ":- terminal.")?;
        let names: FxHashSet<&String> = invariants.net.bases.iter().map(|b| &b.name).collect();
        for fact in bases.facts.iter().filter(|f| !names.contains(f)) {
            writeln!(out, ":- true({}).", self.text(rules, fact))?;
        }
        let proved = |verdict: &Verdict| matches!(verdict, Verdict::Proved { .. });
        for invariant in invariants.found.iter().filter(|i| proved(&i.verdict)) {
            let fact = |b: &usize| self.text(rules, &invariants.net.bases[*b].name);
            let list = || -> Vec<String> {
                invariant.about.iter().map(|b| format!("true({})", fact(b))).collect()
            };
            match invariant.kind {
                InvariantKind::ExactlyOne => writeln!(out, ":- not 1 {{{}}} 1.", list().join(";"))?,
                InvariantKind::AtMostOne => writeln!(out, ":- 2 {{{}}}.", list().join(";"))?,
                InvariantKind::AtLeastOne => writeln!(out, ":- {{{}}} 0.", list().join(";"))?,
                InvariantKind::AlwaysTrue => writeln!(out, ":- not {}.", list()[0])?,
                InvariantKind::AlwaysFalse => writeln!(out, ":- {}.", list()[0])?,
                InvariantKind::Implies => writeln!(out, ":- {}, not {}.", list()[0], list()[1])?,
                InvariantKind::OnlyWith(n) | InvariantKind::NeverWith(n) => {
                    let (of, other) = (list()[..n].join(";"), list()[n..].join(";"));
                    let bad = match invariant.kind {
                        InvariantKind::OnlyWith(_) => format!("{{{other}}} 0"),
                        _ => format!("1 {{{other}}}"),
                    };
                    writeln!(out, ":- 1 {{{of}}}, {bad}.")?;
                }
                InvariantKind::Equivalent => {
                    writeln!(out, ":- {}, not {}.", list()[0], list()[1])?;
                    writeln!(out, ":- {}, not {}.", list()[1], list()[0])?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A ground term from its KIF text.
    fn text(&self, rules: &Rules, text: &str) -> String {
        let (name, args) = crate::fluents::parts(text);
        let symbol = rules.symbols.find(&name).expect("a name of the rules");
        let args: Vec<String> = args.iter().map(|a| self.text(rules, a)).collect();
        applied(&self.terms[&symbol], args)
    }

    fn rule(&self, rule: &Rule) -> String {
        let head = self.atom(&rule.head);
        let body: Vec<String> = rule.body.iter().map(|l| self.literal(l)).collect();
        if body.is_empty() { format!("{head}.") } else { format!("{head} :- {}.", body.join(", ")) }
    }

    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Pos(a) => self.atom(a),
            Literal::Neg(a) => format!("not {}", self.atom(a)),
            Literal::Distinct(a, b) => format!("{} != {}", self.term(a), self.term(b)),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let args = atom.args.iter().map(|t| self.term(t)).collect();
        applied(&self.relations[&atom.rel], args)
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Var(v) => format!("X{v}"),
            Term::App(f, args) => {
                applied(&self.terms[f], args.iter().map(|t| self.term(t)).collect())
            }
        }
    }
}

fn applied(name: &str, args: Vec<String>) -> String {
    if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(",")) }
}

/// A name of small letters, digits and `_` that was not used before.
fn free(name: &str, used: &mut FxHashSet<String>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut stem: String = name.chars().map(letter).collect();
    if !stem.starts_with(|c: char| c.is_ascii_lowercase()) {
        stem.insert_str(0, "c_");
    }
    let names = std::iter::once(stem.clone()).chain((2..).map(|i| format!("{stem}_{i}")));
    let mut names = names.filter(|n| !used.contains(n));
    let name = names.next().expect("numbers do not end");
    used.insert(name.clone());
    name
}

/// Step 2 of the figure.
fn figure(relation: &str, arity: usize, set: &[usize], out: &mut String) -> std::fmt::Result {
    let list = |numbers: &mut dyn Iterator<Item = usize>| -> String {
        numbers.map(|i| format!("X{i}")).collect::<Vec<_>>().join(",")
    };
    let place = list(&mut set.iter().copied());
    let fact = format!("{relation}({})", list(&mut (1..=arity)));
    writeln!(out, "\n% Step 2.")?;
    let pairs = [("pi_b", "base"), ("pi_init", "init"), ("pi_s", "true"), ("pi_next", "next")];
    for (pi, of) in pairs {
        writeln!(out, "{pi}({place}) :- {of}({fact}).")?;
    }
    for (name, pi) in [("initial", "pi_init"), ("current", "pi_s"), ("nxt", "pi_next")] {
        writeln!(out, "{name} :- pi_b({place}), not {pi}({place}).")?;
        writeln!(out, "{name} :- {pi}({place}), not pi_b({place}).")?;
    }
    writeln!(out, "variant :- not current, nxt.\nvariant :- initial.\n:- not variant.")
}
